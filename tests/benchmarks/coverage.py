"""How often the intervals of `annotator.stats` hold the true value: simulated audits whose truth is known exactly.

    python -m tests.benchmarks.coverage [--audits 2000] [--write]

Turns of a dialogue share what the dialogue is like (a random effect), each rater has a bias and a view of each
dialogue, the judge is lenient, compressed, and has a view of its own. True values are integrals, not simulations: given
the quality of a turn, raters score independently. `--write` puts the tables into docs/statistics.md. The exit code is 1
if an interval covers less than 93 % or more than 97 %, or if resampling turns does not fail.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from annotator import stats
from annotator.stats import Result
from tests.benchmarks import coverage_preference
from tests.benchmarks.coverage_tally import BAND, HEAD, Tally

Array = NDArray[np.float64]
SEED = 20_260_101
SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
EDGES = np.array([1.5, 2.5, 3.5, 4.5])
PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
CUTS = (-0.9, -0.35)
"""Below the first a rater rejects a dialogue, below the second asks to revise it, above keeps it."""


@dataclass(frozen=True)
class World:
    """What an audit is drawn from; standard deviations are on the scale of the scores, before rounding to 1-5."""

    labelled: int = 100
    judged_only: int = 634
    fewest_turns: int = 4
    most_turns: int = 12
    raters: int = 3
    mean: float = 3.6
    dialogue_sd: float = 0.7
    turn_sd: float = 0.5
    rater_bias_sd: float = 0.3
    rater_dialogue_sd: float = 0.35
    rater_noise_sd: float = 0.5
    judge_shift: float = 0.5
    judge_slope: float = 0.6
    judge_dialogue_sd: float = 0.3
    judge_noise_sd: float = 0.4

    @property
    def within_dialogue(self) -> float:
        """The correlation of one rater's unrounded scores of two turns of one dialogue."""
        shared = self.dialogue_sd**2 + self.rater_dialogue_sd**2
        return shared / (shared + self.turn_sd**2 + self.rater_noise_sd**2)


@dataclass(frozen=True)
class Audit:
    """One simulated audit: scores (raters, turns), the judge's, the dialogue of each turn, verdicts."""

    bias: Array
    scores: Array
    judge: Array
    dialogue: NDArray[np.int64]
    judge_rest: Array
    dialogue_rest: NDArray[np.int64]
    kept: int
    decided: int


def rounded(latent: Array) -> Array:
    return 1.0 + np.searchsorted(EDGES, latent)


def draw(world: World, rng: np.random.Generator) -> Audit:
    every = world.labelled + world.judged_only
    turns = rng.integers(world.fewest_turns, world.most_turns + 1, size=every)
    dialogue = np.repeat(np.arange(every), turns)
    effect = rng.normal(0, world.dialogue_sd, every)
    quality = world.mean + effect[dialogue] + rng.normal(0, world.turn_sd, dialogue.size)
    own = rng.normal(0, world.judge_dialogue_sd, every)[dialogue] + rng.normal(0, world.judge_noise_sd, dialogue.size)
    judge = rounded(world.mean + world.judge_shift + world.judge_slope * (quality - world.mean) + own)
    here = dialogue < world.labelled
    n = int(here.sum())
    bias = rng.normal(0, world.rater_bias_sd, world.raters)
    views = rng.normal(0, world.rater_dialogue_sd, (world.raters, world.labelled))[:, dialogue[here]]
    noise = rng.normal(0, world.rater_noise_sd, (world.raters, n))
    scores = rounded(quality[here] + bias[:, None] + views + noise)
    seen = (
        effect[: world.labelled] + bias[:, None] + rng.normal(0, world.rater_noise_sd, (world.raters, world.labelled))
    )
    verdicts = np.searchsorted(np.array(CUTS), seen)
    votes = np.stack([(verdicts == verdict).sum(axis=0) for verdict in range(3)])
    decided = votes.max(axis=0) > world.raters / 2
    kept = decided & (votes.argmax(axis=0) == 2)
    rest = (judge[~here], dialogue[~here])
    return Audit(bias, scores, judge[here], dialogue[here], *rest, int(kept.sum()), int(decided.sum()))


def bell(sd: float) -> tuple[Array, Array]:
    """Points and weights of a normal distribution about 0."""
    at = np.linspace(-8, 8, 1_601) * sd
    weight = np.exp(-((at / sd) ** 2) / 2)
    return at, weight / weight.sum()


def truth(world: World, bias: Array) -> dict[str, float]:
    """The true values, given the raters who were hired: what infinitely many dialogues would give."""
    at, weight = bell(math.hypot(world.dialogue_sd, world.turn_sd))
    noise = math.hypot(world.rater_dialogue_sd, world.rater_noise_sd)
    upto = ndtr((EDGES[None, None, :] - world.mean - at[None, :, None] - bias[:, None, None]) / noise)
    edge = np.ones((*upto.shape[:2], 1))
    chances = np.diff(np.concatenate([0 * edge, upto, edge], axis=2), axis=2)  # (raters, quality, levels)
    joint = np.einsum("q,iqk,jql->ijkl", weight, chances, chances)
    shares = np.einsum("q,iqk->ik", weight, chances)
    levels = np.array(SCALE)
    squares = (levels[:, None] - levels[None, :]) ** 2
    off = ~np.eye(world.raters, dtype=bool)
    pooled, together = shares.mean(axis=0), joint[off].mean(axis=0)
    agreeing = 1 - squares / 16
    chance = agreeing.sum() / 20 * (pooled * (1 - pooled)).sum()
    middle = np.cumsum(pooled) - pooled / 2
    ordinal = (middle[:, None] - middle[None, :]) ** 2
    mean = float(pooled @ levels)
    keep, decided = retention(world, bias)
    return {
        "mean": mean,
        "AC2": float(((agreeing * together).sum() - chance) / (1 - chance)),
        "weighted kappa": float(1 - (squares * joint[0, 1]).sum() / (squares * np.outer(shares[0], shares[1])).sum()),
        "alpha (ordinal)": float(1 - (ordinal * together).sum() / (ordinal * np.outer(pooled, pooled)).sum()),
        "PPI mean": mean,
        "retention rate": keep / decided,
    }


def retention(world: World, bias: Array) -> tuple[float, float]:
    """The chances that most of three raters keep a dialogue, and that most agree on any verdict."""
    at, weight = bell(world.dialogue_sd)
    upto = ndtr((np.array(CUTS)[None, None, :] - at[None, :, None] - bias[:, None, None]) / world.rater_noise_sd)
    edge = np.ones((*upto.shape[:2], 1))
    a, b, c = np.diff(np.concatenate([0 * edge, upto, edge], axis=2), axis=2)
    most = a * b + a * c + b * c - 2 * a * b * c
    each = weight @ most
    return float(each[2]), float(each.sum())


def figures(audit: Audit, seed: int, only: tuple[str, ...] = ()) -> dict[str, Result]:
    """The intervals under study, and the mean's and kappa's as if turns were independent."""
    by = audit.dialogue
    human = audit.scores.mean(axis=0)
    turns = np.arange(human.size)
    first, second = audit.scores[:2]
    rest = {"judge_rest": audit.judge_rest, "clusters_rest": audit.dialogue_rest}
    made: dict[str, Callable[[], Result]] = {
        "mean": lambda: stats.mean(human, clusters=by, seed=seed),
        "AC2": lambda: stats.ac(audit.scores, "quadratic", SCALE, clusters=by, seed=seed),
        "weighted kappa": lambda: stats.kappa(first, second, "quadratic", SCALE, clusters=by, seed=seed),
        "alpha (ordinal)": lambda: stats.alpha(audit.scores, "ordinal", SCALE, clusters=by, seed=seed),
        "PPI mean": lambda: stats.ppi_mean(human, audit.judge, clusters=by, seed=seed, **rest),
        "retention rate": lambda: stats.wilson(audit.kept, audit.decided),
        "mean, turns resampled": lambda: stats.mean(human, clusters=turns, seed=seed),
        "weighted kappa, turns resampled": lambda: stats.kappa(
            first, second, "quadratic", SCALE, clusters=turns, seed=seed
        ),
    }
    return {name: make() for name, make in made.items() if not only or name in only}


def width(figure: Result) -> float:
    low, high = figure.low, figure.high
    assert isinstance(low, float) and isinstance(high, float), figure.why
    return high - low


def study(world: World, audits: int, seed: int, only: tuple[str, ...] = ()) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for number in range(audits):
        audit = draw(world, np.random.default_rng([seed, number]))
        true = truth(world, audit.bias)
        for name, figure in figures(audit, number, only).items():
            tallies[name].add(figure, true[name.partition(",")[0]])
    return tallies


def spot_check(world: World, audits: int, seed: int) -> tuple[Tally, Tally, int]:
    """The corrected mean against the human-only one, and how often its interval is the narrower."""
    corrected, human_only, narrower = Tally(), Tally(), 0
    for number in range(audits):
        audit = draw(world, np.random.default_rng([seed, number]))
        true = truth(world, audit.bias)["mean"]
        made = figures(audit, number, ("PPI mean", "mean"))
        corrected.add(made["PPI mean"], true)
        human_only.add(made["mean"], true)
        narrower += width(made["PPI mean"]) < width(made["mean"])
    return corrected, human_only, narrower


def parameters(world: World) -> str:
    said = ", ".join(f"{field.name.replace('_', ' ')} {getattr(world, field.name):g}" for field in fields(world))
    return f"{said}; correlation within a dialogue {world.within_dialogue:.2f}"


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--audits", type=int, default=2_000, help="simulated audits of the main study")
    words.add_argument("--studies", type=int, default=1_000, help="simulated studies of preference")
    words.add_argument("--write", action="store_true", help="put the tables into docs/statistics.md")
    asked = words.parse_args()
    started = time.process_time()
    world, spot, few = World(), World(labelled=120, judged_only=614), World(labelled=12, judged_only=60)
    main_study = study(world, asked.audits, SEED)
    lines = [f"{asked.audits:,} audits, seed {SEED}, 95 % intervals, 2,000 resamples. {parameters(world)}.", "", HEAD]
    lines += [tally.row(name) for name, tally in main_study.items()]
    check = max(asked.audits * 3 // 20, 20)
    corrected, human_only, narrower = spot_check(spot, check, SEED + 1)
    lines += [
        "",
        f"Spot-check: {check} audits of 734 judged dialogues, 120 of them scored by three raters, seed {SEED + 1}.",
        "",
    ]
    lines += [HEAD, corrected.row("PPI mean"), human_only.row("human-only mean")]
    lines += ["", f"The corrected interval is the narrower one in {narrower / check:.1%} of these audits."]
    few_audits = max(asked.audits // 4, 20)
    small = study(few, few_audits, SEED + 2, ("mean", "AC2", "weighted kappa", "PPI mean"))
    lines += [
        "",
        f"Few dialogues (12 scored, 60 judged only; t intervals): {few_audits} audits, seed {SEED + 2}.",
        "",
    ]
    lines += [HEAD, *(tally.row(name) for name, tally in small.items())]
    print("\n".join(lines))
    print(f"\n{time.process_time() - started:.0f} s of CPU time")
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition("<!-- coverage -->")
        after = rest.partition("<!-- /coverage -->")[2]
        PAGE.write_text(
            f"{before}<!-- coverage -->\n" + "\n".join(lines) + f"\n<!-- /coverage -->{after}", encoding="utf-8"
        )
    studied = {name: tally.held / tally.made for name, tally in main_study.items()}
    wrong = [name for name, share in studied.items() if (BAND[0] <= share <= BAND[1]) == ("resampled" in name)]
    of_preference = coverage_preference.run(asked.studies, write=asked.write)
    for sentence in (*(f"{name} covers {studied[name]:.1%}, which was not to be" for name in wrong), *of_preference):
        print(sentence)
    return 1 if wrong or of_preference else 0


if __name__ == "__main__":
    raise SystemExit(main())
