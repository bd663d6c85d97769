"""Figures of a part, kept answers, and the items behind a cell: against arrays cut by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Draft, Store
from annotator.workspace import figures_room
from annotator.workspace.figures import figures_of
from annotator.workspace.figures_room import FigureRoom, Question
from tests.helpers.imports import TASK, bring, judged, sample, video, workspace, write

MODEL = f"p::m::{TASK}"
LI = (5, 4, 3, 2, 5, 1, 4, 4)
WU = (5, 3, 3, 2, 4, 3, 4, 2)
JUDGE = (5, 5, 4, 4, 5, 3, 4, 4)
HALF = frozenset({"outdoor_public_space"})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Eight dialogues, every second one outdoors; two raters and a judge scored the first turn's accuracy."""
    names = [f"d{k}" for k in range(len(LI))]
    scenes = ["personal_living_space-kitchen", "outdoor_public_space-park"]
    with workspace(tmp_path) as held:
        dialogues = [video(name, 1, environment=scenes[k % 2]) for k, name in enumerate(names)]
        bring(held, write(tmp_path / "d.json", dialogues))
        answers = [sample(name, "m", 1, environment=scenes[k % 2]) for k, name in enumerate(names)]
        bring(held, write(tmp_path / "s.jsonl", answers))
        rows = [
            judged(n, 0, judge="j", scores={"accuracy": {"score": JUDGE[k], "reason": ""}}) for k, n in enumerate(names)
        ]
        bring(held, write(tmp_path / "j.jsonl", rows))
        for rater, scores in (("li", LI), ("wu", WU)):
            held.labels.append([draft(held, rater, k, score) for k, score in enumerate(scores)])
        yield held


@pytest.fixture
def room(store: Store) -> Iterator[FigureRoom]:
    made = FigureRoom(store.folder)
    yield made
    made.close()


def draft(store: Store, rater: str, dialogue: int, value: Any, **more: Any) -> Draft:
    item = store.items.resolve(f"d{dialogue}")
    told: dict[str, Any] = {"field": "accuracy", "responder": MODEL, "target": "turn:0"} | more
    return Draft(rater=rater, item_id=item, value=value, **told)


def value(room: FigureRoom, question: Question, name: str, **by: str) -> Any:
    found = [f for f in room.answer(question, False).figures if f.name == name and dict(f.by) == by]
    assert len(found) == 1
    return found[0]


def test_a_part_holds_what_was_cut_out_by_hand(room: FigureRoom) -> None:
    outdoors = [(a, b, c) for k, (a, b, c) in enumerate(zip(LI, WU, JUDGE, strict=True)) if k % 2]
    where = (("scenario", tuple(HALF)),)
    same = sum(a == b for a, b, _ in outdoors) / len(outdoors)
    assert value(room, Question("agreement", (), where, resamples=50), "exact").value == pytest.approx(same)
    bias = sum(c - (a + b) / 2 for a, b, c in outdoors) / len(outdoors)
    figure = value(room, Question("calibration", (), where, resamples=50), "bias")
    assert (figure.value, figure.n, figure.n_clusters) == (pytest.approx(bias), 4, 4)
    of_li = value(room, Question("calibration", (), (("rater", ("li",)),), resamples=50), "bias")
    assert of_li.value == pytest.approx(sum(c - a for a, c in zip(LI, JUDGE, strict=True)) / len(LI))
    none = value(room, Question("agreement", (), (("rater", ("nobody",)),), resamples=50), "exact")
    assert (none.value, none.n) == (None, 0)
    assert value(room, Question("calibration", (), (("judge", ("nobody",)),), resamples=50), "bias").n == 0


def test_the_command_line_and_the_page_narrow_alike(store: Store, room: FigureRoom) -> None:
    question = Question("calibration", ("judge",), (("scenario", tuple(HALF)),), resamples=50)
    direct = figures_of(store, "calibration", Asked(by=("judge",), resamples=50), where={"scenario": HALF})
    assert room.answer(question, False).raw() == direct.raw()
    with pytest.raises(WorldError, match='cannot be grouped by "mood"'):
        figures_of(store, "calibration", Asked(), where={"mood": HALF})


def test_phases_are_kept_apart(store: Store, room: FigureRoom) -> None:
    store.labels.append([draft(store, "li", 0, 1, phase="open"), draft(store, "zoe", 0, 1, phase="open")])
    told = room.answer(Question("agreement", phase="open", resamples=50), False)
    assert told.raw()["phase"] == "open"
    exact = next(figure for figure in told.figures if figure.name == "exact")
    assert (exact.n, exact.value) == (1, 1.0)
    assert value(room, Question("agreement", resamples=50), "exact").n == len(LI)


def test_values_alone_equal_the_whole_and_have_no_interval(room: FigureRoom) -> None:
    question = Question("calibration", ("judge",), resamples=60)
    quick = room.answer(question, True).figures
    whole = room.answer(question, False).figures
    assert [(f.name, f.value, f.n) for f in quick] == [(f.name, f.value, f.n) for f in whole]
    assert all(f.low is None and f.high is None for f in quick)
    assert any(f.low is not None for f in whole)
    assert not any(name.endswith("_low") for f in quick for name in f.more)


def test_answers_are_kept_until_somebody_writes_what_counts(
    store: Store, room: FigureRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, asked = Question("agreement", resamples=50), []
    answer = figures_room.ANSWERS["agreement"]

    def count(*arguments: Any) -> Any:
        asked.append(1)
        return answer(*arguments)

    monkeypatch.setitem(figures_room.ANSWERS, "agreement", count)
    first = room.answer(question, False)
    assert room.answer(question, False) is first
    assert room.answer(question, True) is first  # whole: nobody wants less
    store.labels.append([draft(store, "li", 0, {"opened": 1.0, "played": 1.0, "seen_full": 1.0}, field="viewing")])
    assert room.answer(question, False) is first
    store.labels.append([draft(store, "li", 0, 1)])
    assert room.answer(question, False) != first
    assert len(asked) == 2


def test_cancelled_work_is_not_kept(room: FigureRoom) -> None:
    token = CancelToken()
    token.cancel()
    question = Question("agreement", resamples=50)
    with pytest.raises(Cancelled):
        room.answer(question, False, token)
    assert room.known(question) is None


def test_who_stops_while_judges_are_read_gets_all_of_them_the_next_time(room: FigureRoom) -> None:
    question = Question("calibration", ("judge",), resamples=50)
    room.answer(Question("agreement", resamples=50), False)  # people are read
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        room.answer(question, False, token)
    figures = {figure.name: figure for figure in room.answer(question, False).figures}
    assert figures["bias"].n == len(LI)
    assert figures["mean_judge"].n == len(JUDGE)


def test_rows_are_let_go_and_answers_stay(room: FigureRoom) -> None:
    question = Question("agreement", resamples=50)
    first, rows = room.answer(question, False), room.held()
    room.rest()
    assert room.answer(question, False) is first
    assert room.held() is not rows
    assert room.answer(Question("agreement", ("rater",), resamples=50), False).figures


def test_items_behind_cells_groups_and_gaps(store: Store, room: FigureRoom) -> None:
    question = Question("calibration", ("judge",))
    judge = next(name for name, _ in room.choices().fields["judge"])
    middles = [min(a, b) for a, b in zip(LI, WU, strict=True)]

    def ids(wanted: list[int]) -> set[str]:
        return {store.items.resolve(f"d{k}") for k in wanted}

    for cell in ((5, 4), (5, 5), (4, 2), (1, 1)):
        found = room.behind(question, {"judge": judge}, cell)
        wanted = [k for k in range(len(LI)) if (JUDGE[k], middles[k]) == cell]
        assert {place[0] for place in found.places} == ids(wanted)
        assert found.units == len(wanted)
    of_level = room.behind(question, {"judge": judge}, (4, None))
    assert {place[0] for place in of_level.places} == ids([k for k in range(len(LI)) if JUDGE[k] == 4])
    assert of_level.keys == {(place[0], MODEL) for place in of_level.places}
    assert room.unlabelled(question, {"judge": judge}).places == ()
    assert len(room.behind(Question("agreement", ("rater",)), {"rater": "wu"}).places) == len(WU)
    assert len(room.behind_both(question, [judge, judge]).places) == len(LI)


def test_choices_count_what_is_there(room: FigureRoom) -> None:
    choices = room.choices()
    assert dict(choices.fields["scenario"]) == {"outdoor_public_space": 8, "personal_living_space": 8}
    assert dict(choices.fields["rater"]) == {"li": 8, "wu": 8}
    assert (choices.totals["labels"], choices.totals["dialogues"]) == (16, 8)


def test_a_question_tells_its_command() -> None:
    question = Question("calibration", ("judge", "dimension"), (("modality", ("video",)),), project="Nov 2026", seed=3)
    assert question.command(Path("/data/audit one")) == (
        'annotator stats "/data/audit one" calibration --by judge --by dimension --where modality=video '
        '--project "Nov 2026" --seed 3'
    )
    assert Question("agreement", phase="open").command(Path("w")) == "annotator stats w agreement --phase open"
