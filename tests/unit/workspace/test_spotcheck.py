"""The spot-check: known probabilities, weights that add up, and figures that carry them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Draft
from annotator.workspace.figures import figures_of
from annotator.workspace.spotcheck import allocate, draw, project_of, projects, weights_of
from tests.helpers.imports import bring, judged, sample, video, workspace, write

SCORES = (1, 2, 2, 4, 4, 4, 4, 4, 5, 5)


def filled(store: object, folder: Path) -> None:
    names = [f"d{k}" for k in range(10)]
    bring(store, write(folder / "d.json", [video(name, 1) for name in names]))  # type: ignore[arg-type]
    bring(store, write(folder / "s.jsonl", [sample(name, "m", 1) for name in names]))  # type: ignore[arg-type]
    rows = [judged(n, 0, scores={"accuracy": {"score": s, "reason": ""}}) for n, s in zip(names, SCORES, strict=True)]
    bring(store, write(folder / "j.jsonl", rows))  # type: ignore[arg-type]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=12), st.data())
def test_shares_fit_their_strata_and_add_up(sizes: list[int], data: st.DataObject) -> None:
    size = data.draw(st.integers(len(sizes), sum(sizes)))
    shares = allocate(sizes, size)
    assert sum(shares) == size and all(1 <= share <= whole for share, whole in zip(shares, sizes, strict=True))
    open_ = [share for share, whole in zip(shares, sizes, strict=True) if share < whole]
    assert not open_ or max(shares) <= max(open_) + 1


def test_weights_add_up_to_what_is_judged_and_the_sample_is_kept(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        one = draw(store, "first", 6, ("score",), seed=5)
        assert [(s.by["score"], s.population, s.drawn) for s in one.strata] == [
            ("1", 1, 1), ("2", 2, 2), ("4", 5, 2), ("5", 2, 1)
        ]  # fmt: skip
        weights = weights_of(store, "first")
        assert sum(weights.values()) == pytest.approx(10) and len(weights) == 6
        assert draw(store, "again", 6, ("score",), seed=5).units == one.units
        simple = draw(store, "simple", 4)
        assert {unit[3] for unit in simple.units} == {2.5}
        assert projects(store) == ["first", "again", "simple"] and project_of(store, "simple")["size"] == 4
        for bad in (("first", 6, ()), ("x", 3, ("score",)), ("x", 11, ()), ("x", 3, ("colour",))):
            with pytest.raises(WorldError):
                draw(store, *bad)


def test_figures_of_a_project_carry_its_weights(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        draw(store, "first", 6, ("score",), seed=1)
        weights = weights_of(store, "first")
        head = {store.items.resolve(f"d{k}"): score for k, score in enumerate(SCORES)}
        store.labels.append([
            Draft(rater="li", item_id=item, responder=r, target=t, field="accuracy", value=min(5, head[item] + 1))
            for item, r, t in weights
        ])  # fmt: skip
        outside = next(item for item in head if item not in {place[0] for place in weights})
        responder = next(iter(weights))[1]
        stray = Draft(rater="li", item_id=outside, responder=responder, target="turn:0", field="accuracy", value=1)
        store.labels.append([stray])
        told = {f.name: f for f in figures_of(store, "calibration", Asked(resamples=50), project="first").figures}
        human = np.array([min(5, head[place[0]] + 1) for place in weights])
        judge = np.array([head[place[0]] for place in weights])
        chance = np.array(list(weights.values()))
        assert told["bias"].value == pytest.approx(np.average(judge - human, weights=chance))
        assert told["mean_human"].value == pytest.approx(np.average(human, weights=chance))
        assert told["mean_judge"].value == pytest.approx(np.mean(SCORES))
        # the strata are those of the judge's score, so its weighted mean is exact and nothing is left to correct
        assert told["ppi_mean"].value == pytest.approx(np.average(human, weights=chance))
        assert told["ppi_mean"].more["n_rest"] == 10
