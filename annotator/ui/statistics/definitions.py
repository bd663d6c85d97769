"""What each figure is: one sentence, its formula, its source. One click away from every chart.

The sentence is `statistics.what.<key>`; formulas and sources read alike in every language. A figure finds its
definition by the beginning of its name, the longest that fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Definition:
    """A figure's definition; `key` is the word in `statistics.what.<key>`."""

    key: str
    formula: str
    source: str


DEFINITIONS: Final[dict[str, Definition]] = {
    "ac": Definition(
        "ac",
        "AC2 = (Pa − Pe) / (1 − Pe),  Pe = T / (q(q − 1)) · Σₖ πₖ(1 − πₖ),  w = 1 − (i − j)² / (q − 1)²",
        "Gwet 2008, 2014",
    ),
    "alpha": Definition("alpha", "α = 1 − (n − 1) · Σ oₖₗ δ²ₖₗ / Σ nₖ nₗ δ²ₖₗ", "Krippendorff 2011"),
    "kappa": Definition("kappa", "κ = 1 − Σ wᵢⱼ oᵢⱼ / Σ wᵢⱼ eᵢⱼ,  w = (i − j)²", "Cohen 1968"),
    "exact": Definition("exact", "mean over units of [pairs with i = j] / [pairs]", "Gwet 2014"),
    "within_1": Definition("within_1", "mean over units of [pairs with |i − j| ≤ 1] / [pairs]", "Gwet 2014"),
    "icc": Definition(
        "icc", "ICC(2,1) = (MSR − MSE) / (MSR + (k − 1) MSE + k (MSC − MSE) / n)", "Shrout & Fleiss 1979"
    ),
    "self_": Definition("self", "mean of [first score = score of the repeat]", "Gwet 2014"),
    "cannot_judge": Definition("cannot_judge", "[cannot judge] / [labels]", ""),
    "spearman": Definition("spearman", "ρ = r(rank x, rank y)", "Spearman 1904"),
    "kendall_tau_b": Definition("kendall", "τb = (C − D) / √((C + D + Tx)(C + D + Ty))", "Kendall 1945"),
    "confusion": Definition("confusion", "nᵢⱼ = [judge = i, people = j]", ""),
    "bias": Definition("bias", "mean(judge − people)", "Bland & Altman 1986"),
    "mae": Definition("mae", "mean |judge − people|", ""),
    "bland_altman": Definition(
        "bland_altman", "d̄ ± 1.96 s(d),  d = judge − people;  slope of d on the mean", "Bland & Altman 1986, 1999"
    ),
    "sensitivity": Definition("sensitivity", "[judge low, people low] / [people low]", "Altman & Bland 1994"),
    "specificity": Definition(
        "specificity", "[judge not low, people not low] / [people not low]", "Altman & Bland 1994"
    ),
    "isotonic": Definition("isotonic", "min Σ w (y − f(x))²,  f rising", "Barlow et al. 1972"),
    "reliability": Definition("reliability", "mean(people | judge = i)", "Murphy & Winkler 1977"),
    "calibration_error": Definition(
        "calibration_error", "Σᵢ nᵢ / n · |mean(people | judge = i) − i|", "Naeini et al. 2015"
    ),
    "mean_human": Definition("mean_human", "mean(people)", ""),
    "mean_judge": Definition("mean_judge", "mean(judge)", ""),
    "ppi_mean": Definition(
        "ppi_mean",
        "λ · mean(judge, rest) + mean(people − λ · judge),  λ = cov / ((1 + n/N) var)",
        "Angelopoulos et al. 2023 (PPI++)",
    ),
    "alternative_annotator_test": Definition(
        "alternative",
        "ω = share of raters with ρ(judge) > ρ(rater) − ε,  p adjusted (Benjamini–Yekutieli)",
        "Calderon et al. 2025",
    ),
    "pearson_length": Definition("pearson_length", "r(judge − people, log(1 + characters))", "Pearson 1895"),
    "difference": Definition(
        "difference", "figure(first judge) − figure(second judge), same units, same resamples", ""
    ),
    "anchoring": Definition(
        "anchoring", "mean of (revised − blind) in the direction of the judge", "Tversky & Kahneman 1974"
    ),
    "next": Definition("next", "half the width takes four times as many dialogues: 3 · dialogues more", ""),
}
"""Beginning of a figure's name -> definition. Other sections add theirs with `define`."""


def define(name: str, definition: Definition) -> None:
    """Add a definition for figures whose name begins with `name`."""
    DEFINITIONS[name] = definition


def definition_of(name: str) -> Definition | None:
    """The definition of a figure."""
    bare = name.removeprefix("ceiling_")
    fits = [prefix for prefix in DEFINITIONS if bare.startswith(prefix)]
    return DEFINITIONS[max(fits, key=len)] if fits else None
