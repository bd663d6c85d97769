"""All agreement and calibration figures at full scale, with intervals, as CPU time and peak memory of a fresh process.

15 raters, 5,859 turns in 734 dialogues with 8 dimensions, 734 sessions with 4, a twentieth missing, 2,000 resamples.
The peer is a loop over the same resamples with the plain libraries, on a tenth of the data, in the same run.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks.rows import Row

ROOT = Path(__file__).resolve().parents[2]
RATERS, TURNS, DIALOGUES = 15, 5_859, 734
SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)
Array = NDArray[np.float64]


def scores(dialogue: NDArray[np.int64], seed: int) -> tuple[Array, Array]:
    """Ratings (raters, units) with gaps, and a judge's scores (units,)."""
    rng = np.random.default_rng(seed)
    quality = 3.6 + rng.normal(0, 0.7, DIALOGUES)[dialogue] + rng.normal(0, 0.6, dialogue.size)
    humans = np.clip(
        np.round(quality + rng.normal(0, 0.3, (RATERS, 1)) + rng.normal(0, 0.6, (RATERS, dialogue.size))), 1, 5
    )
    humans[rng.random(humans.shape) < 0.05] = np.nan
    return humans, np.clip(np.round(quality * 0.7 + 1.6 + rng.normal(0, 0.5, dialogue.size)), 1, 5)


def dialogues(seed: int) -> NDArray[np.int64]:
    """The dialogue of each turn, one turn or more in each."""
    rng = np.random.default_rng(seed)
    return np.sort(np.concatenate([np.arange(DIALOGUES), rng.integers(0, DIALOGUES, TURNS - DIALOGUES)]))


def agreement(humans: Array, **how: Any) -> int:
    """What statistics ask among people; returns the number of figures."""
    from annotator import stats

    stats.exact(humans, **how)
    stats.within(humans, 1, **how)
    stats.alpha(humans, "ordinal", SCALE, **how)
    stats.ac(humans, "quadratic", SCALE, **how)
    stats.icc(humans, "2,1", **how)
    stats.icc(humans, "2,k", **how)
    return 6 + len(stats.kappas(humans, "quadratic", SCALE, **how))


def calibration(humans: Array, judge: Array, dialogue: NDArray[np.int64], **how: Any) -> int:
    """What statistics ask of a judge against people; returns the number of figures."""
    from annotator import stats

    human = np.floor(np.nanmedian(humans, axis=0))
    both = np.stack([judge, human])
    for figure in (stats.spearman, stats.kendall_tau_b, stats.bias, stats.mae, stats.bland_altman, stats.isotonic):
        figure(judge, human, **how)
    stats.alpha(both, "ordinal", SCALE, **how)
    stats.ac(both, "quadratic", SCALE, **how)
    stats.kappa(judge, human, "quadratic", SCALE, **how)
    stats.exact(both, **how)
    stats.within(both, 1, **how)
    stats.confusion(judge, human, SCALE, **how)
    for cut, below in ((4, True), (3, False), (2, False)):
        stats.detection(judge, human, cut, below, **how)
    stats.reliability(judge, human, **how)
    stats.calibration_error(judge, human, **how)
    stats.calibration_error(stats.cross_fitted(judge, human, dialogue), human, **how)
    seen = dialogue < 120
    rest = {"clusters": dialogue[seen], "clusters_rest": dialogue[~seen]}
    stats.ppi_mean(human[seen], judge[seen], judge[~seen], **rest)
    stats.alternative_annotator_test(humans, judge, 0.2, **how)
    return 20


def full() -> None:
    """Everything, once; prints the CPU seconds of agreement, of calibration, and the number of figures."""
    by_turn = dialogues(1)
    spent, figures = [0.0, 0.0], 0
    for dimension in range(12):
        dialogue = by_turn if dimension < 8 else np.arange(DIALOGUES)
        humans, judge = scores(dialogue, dimension)
        started = time.process_time()
        figures += agreement(humans, clusters=dialogue)
        half = time.process_time()
        figures += calibration(humans, judge, dialogue, clusters=dialogue)
        spent[0] += half - started
        spent[1] += time.process_time() - half
    print(*spent, figures)


def against_libraries() -> tuple[float, float]:
    """CPU seconds of ours and of the plain loop for the same figures and resamples, on a tenth of the data."""
    from scipy import stats as scipy_stats
    from sklearn.metrics import cohen_kappa_score

    from annotator import stats

    dialogue = dialogues(1)
    tenth = dialogue < DIALOGUES // 10
    humans, judge = scores(dialogue, 1)
    dialogue, one, two = dialogue[tenth], humans[0, tenth], judge[tenth]
    there = ~np.isnan(one)
    dialogue, one, two = dialogue[there], one[there], two[there]
    labels = [int(level) for level in SCALE]
    a, b = one.astype(int), two.astype(int)
    loops: list[Callable[[NDArray[np.int64]], float]] = [
        lambda at: float(cohen_kappa_score(a[at], b[at], weights="quadratic", labels=labels)),
        lambda at: float(scipy_stats.spearmanr(one[at], two[at]).statistic),
        lambda at: float(scipy_stats.kendalltau(one[at], two[at]).statistic),
    ]
    ours = [
        lambda: stats.kappa(one, two, "quadratic", SCALE, clusters=dialogue),
        lambda: stats.spearman(one, two, clusters=dialogue),
        lambda: stats.kendall_tau_b(one, two, clusters=dialogue),
    ]
    spent = [0.0, 0.0]
    for loop, own in zip(loops, ours, strict=True):
        started = time.process_time()
        peer = stats.clustered(loop, dialogue, 2_000)
        half = time.process_time()
        spent[1] += half - started
        figure = own()
        spent[0] += time.process_time() - half
        assert figure.value is not None and abs(figure.value - peer.value) < 1e-9, "the libraries disagree"
        assert abs(figure.low - peer.low) < 1e-9 and abs(figure.high - peer.high) < 1e-9, "the intervals disagree"
    return spent[0], spent[1]


def run() -> list[Row]:
    """Both measurements."""
    env = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    call = [sys.executable, "-c", "from tests.benchmarks.stats_scale import full; full()"]
    done = subprocess.run(call, cwd=ROOT, env=env, check=True, capture_output=True, text=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    agreeing, calibrating, figures = (float(word) for word in done.stdout.split())
    own, loop = against_libraries()
    note = f"agreement {agreeing:.1f} s, calibration {calibrating:.1f} s; {figures:,.0f} figures, imports not counted"
    beside = f"plain loop {loop:.1f} s, {loop / own:,.0f} times ours"
    return [
        Row("all figures of 12 dimensions, full scale, 2,000 resamples", agreeing + calibrating, "s CPU", 20, "", note),
        Row("peak memory of that process", used.ru_maxrss / 2**20, "GB", 1.5),
        Row("kappa, Spearman, tau-b on a tenth, 2,000 resamples", own, "s CPU", None, beside, "equal to 1e-9"),
    ]


if __name__ == "__main__":
    for row in run():
        print(" | ".join(row.cells()))
