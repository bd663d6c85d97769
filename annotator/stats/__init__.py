"""Statistics of agreement, calibration, estimation and preference: arrays in, numbers with intervals out.

Nothing here knows what a dialogue is. Ratings are arrays (raters, units) of floats, NaN for a gap; a scale is the full
list of its levels; clusters are one id per unit. See docs/statistics.md for formulas, sources and coverage.
"""

from annotator.stats.agreement import ac, alpha, brennan_prediger, fleiss, fleiss_gwet
from annotator.stats.alternative import AlternativeAnnotator, alternative_annotator_test
from annotator.stats.association import auc, kendall_tau_b, pearson, spearman
from annotator.stats.calibration import (
    Isotonic,
    Reliability,
    calibration_error,
    cross_fitted,
    isotonic,
    reliability,
)
from annotator.stats.error import BlandAltman, bias, bland_altman, mae, mean
from annotator.stats.estimate import PpiMean, RoganGladen, ppi_mean, rogan_gladen
from annotator.stats.general import clustered, difference
from annotator.stats.preference import Pairs, Strengths, bradley_terry, davidson, pairs_from_ranks, win_rate
from annotator.stats.preference_many import davidson_clustered
from annotator.stats.proportion import Adjusted, adjust, mcnemar_exact, wilson
from annotator.stats.raw import exact, within
from annotator.stats.result import Result
from annotator.stats.tables import Detection, confusion, detection
from annotator.stats.two import kappa, kappas, scott_pi
from annotator.stats.variance import icc, kendall_w

__all__ = [
    # agreement
    "alpha",
    "kappa",
    "kappas",
    "fleiss",
    "fleiss_gwet",
    "scott_pi",
    "brennan_prediger",
    "ac",
    "icc",
    "kendall_w",
    "exact",
    "within",
    # association
    "spearman",
    "kendall_tau_b",
    "pearson",
    "auc",
    # error
    "mean",
    "bias",
    "mae",
    "bland_altman",
    "confusion",
    "detection",
    # calibration
    "isotonic",
    "cross_fitted",
    "reliability",
    "calibration_error",
    # estimate
    "ppi_mean",
    "rogan_gladen",
    "alternative_annotator_test",
    # preference
    "pairs_from_ranks",
    "bradley_terry",
    "davidson",
    "davidson_clustered",
    "win_rate",
    # proportion
    "wilson",
    "mcnemar_exact",
    "adjust",
    # bootstrap
    "clustered",
    "difference",
    # what they hand out
    "Result",
    "Adjusted",
    "AlternativeAnnotator",
    "BlandAltman",
    "Detection",
    "Isotonic",
    "Pairs",
    "PpiMean",
    "Reliability",
    "RoganGladen",
    "Strengths",
]
