"""What scores foretell: symmetric, cross-validated, and covered on studies whose preference model is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotator import stats
from annotator.report.figures import Asked
from annotator.report.preference import Ballot, credit
from annotator.report.preference_prediction import (
    DIMENSIONS,
    PairTable,
    fit,
    folds_of,
    foretold,
    pair_table,
    prediction,
)

SEED = 5
STUDIES = 200
# How much each dimension moves a preference: accuracy is one among twelve.
WEIGHTS = np.array([0.15, 0.5, 0.4, 0.1, 0.2, 0.5, 0.4, 0.3, 0.3, 0.5, 0.3, 0.6])
_COLUMNS: dict[str, tuple[int, ...]] = {"accuracy": (0,), "twelve": tuple(range(12))}


def _study(rng: Any, dialogues: int, pairs: int = 4) -> PairTable:
    """Scores with a common quality, and preferences by known weights that differ a little between dialogues."""
    count = dialogues * pairs
    quality = rng.normal(size=(count, 2, 1))
    scores = np.clip(np.rint(3 + 0.9 * quality + 0.8 * rng.normal(size=(count, 2, 12))), 1, 5)
    gaps = scores[:, 0] - scores[:, 1]
    clusters = np.repeat(np.arange(dialogues), pairs)
    weights = WEIGHTS + 0.15 * rng.normal(size=(dialogues, 12))[clusters]
    first = rng.random(count) < 1 / (1 + np.exp(-(gaps * weights).sum(axis=1)))
    return PairTable(gaps, np.where(first, 1, -1), clusters)


def _earned(guess: Any, truth: Any) -> Any:
    return np.array([credit(int(g), int(t), "half") for g, t in zip(guess, truth, strict=True)])


def test_intervals_cover_the_accuracies_of_both_predictors_and_tell_them_apart() -> None:
    covered, apart = dict.fromkeys(_COLUMNS, 0), 0
    for number in range(STUDIES):
        rng = np.random.default_rng([SEED, number])
        table, fresh = _study(rng, 120), _study(rng, 1_500)
        found: dict[str, stats.Result] = {}
        for name, columns in _COLUMNS.items():
            guess = foretold(table, columns, seed=0)
            result = stats.mean(_earned(guess, table.truth), clusters=table.clusters, resamples=500)
            gaps = table.gaps[:, list(columns)]
            spread = np.sqrt((gaps**2).mean(axis=0))
            weights = fit(gaps / spread, table.truth.astype(np.float64))
            sure = np.sign((fresh.gaps[:, list(columns)] / spread) @ weights)
            true = float(_earned(sure, fresh.truth).mean())
            assert isinstance(result.low, float) and isinstance(result.high, float)
            covered[name] += result.low <= true <= result.high
            found[name] = result
        apart += found["twelve"].low > found["accuracy"].value  # type: ignore[operator]
    assert all(0.93 <= hits / STUDIES <= 0.97 for hits in covered.values()), covered
    assert apart >= 0.99 * STUDIES


def test_swapping_the_responses_swaps_the_answer() -> None:
    table = _study(np.random.default_rng(3), 40)
    swapped = PairTable(-table.gaps, -table.truth, table.clusters)
    one, two = foretold(table, _COLUMNS["twelve"], 0), foretold(swapped, _COLUMNS["twelve"], 0)
    assert one is not None and two is not None and (one == -two).all()


def test_no_dialogue_foretells_itself() -> None:
    table = _study(np.random.default_rng(4), 23)
    fold = folds_of(table.clusters, 1)
    assert all(len(set(fold[table.clusters == c])) == 1 for c in range(23)) and set(fold) == set(range(5))
    changed = PairTable(table.gaps, np.where(fold == 0, -table.truth, table.truth), table.clusters)
    before, after = foretold(table, (0, 1), 1), foretold(changed, (0, 1), 1)
    assert before is not None and after is not None and (before[fold == 0] == after[fold == 0]).all()
    assert (folds_of(table.clusters, 2) != fold).any()


def test_weights_stay_finite_where_scores_tell_everything_apart() -> None:
    gaps = np.array([[1.0], [2.0], [-1.0], [-3.0]])
    weights = fit(gaps, np.sign(gaps[:, 0]))
    assert 0 < weights[0] < 10
    assert np.abs(fit(gaps, np.array([1.0, -1.0, 1.0, -1.0]))[0]) < 2


def _ballot(features: Any, ranking: tuple[int, ...], cluster: str) -> Ballot:
    return Ballot(
        item_id=cluster, cluster=cluster, place=cluster, rater="ann", ranking=ranking,
        responders=("a", "b")[: len(ranking)], scores=np.full((2, 3), np.nan), features=features,
    )  # fmt: skip


def test_pairs_without_all_scores_are_left_out_and_the_reason_said() -> None:
    whole, gap = np.full((2, 12), 3.0), np.full((2, 12), 3.0)
    gap[1, 11] = np.nan
    table = pair_table([_ballot(whole, (1, 2), "1"), _ballot(gap, (1, 2), "2"), _ballot(whole, (1, 1), "3")])
    assert table.truth.tolist() == [1, 0] and table.gaps.shape == (2, len(DIMENSIONS))
    for ballots, sentence in (
        ([], "no pair of responses"),
        ([_ballot(whole, (1, 2), "1")], "fewer than two dialogues"),
    ):
        assert all(f.value is None and sentence in str(f.why) for f in prediction(ballots, {}, Asked(resamples=50)))


def test_figures_name_their_ties_and_the_gain() -> None:
    table = _study(np.random.default_rng(8), 60, pairs=1)
    ballots = []
    for k, (gaps, truth) in enumerate(zip(table.gaps, table.truth, strict=True)):
        features = np.stack([3 + gaps, np.full(12, 3.0)])
        ranking = (1, 1) if k % 10 == 0 else (1, 2) if truth > 0 else (2, 1)
        ballots.append(_ballot(features, ranking, str(k)))
    found = {f.name: f for f in prediction(ballots, {}, Asked(resamples=200))}
    assert found["prediction_twelve_drop"].value > found["prediction_twelve_half"].value
    assert found["prediction_twelve_half"].value > found["prediction_twelve_loss"].value
    gain = found["prediction_gain"]
    assert gain.value == pytest.approx(found["prediction_twelve_half"].value - found["prediction_accuracy_half"].value)
    assert gain.low < gain.value < gain.high
