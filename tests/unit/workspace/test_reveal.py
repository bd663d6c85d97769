"""Blind, lock, reveal: what a rater may read when, what a second opinion is, and that nothing is taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from annotator.domain.queue import QueueFilter
from annotator.domain.rubric import TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Store, create_store
from annotator.workspace.figures import figures_of
from annotator.workspace.figures_room import FigureRoom, Question
from annotator.workspace.reveal import closed_to
from annotator.workspace.spotcheck import draw
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, bring, judged, sample, video, write
from tests.unit.workspace.test_importing_attributions import attributed

ROW = f"p::m::{TASK}"
SECRET = "裁判认为这里把颜色说错了"


def _scores(score: int) -> dict[str, object]:
    return {d: {"score": score, "reason": f"{SECRET} {d}"} for d in TURN_DIMENSIONS}


def prepared(folder: Path, *, reveal: bool = True, judges: int = 1, turns: int = 2) -> Path:
    """A workspace with two dialogues of which a spot-check drew every judged turn."""
    with create_store(folder / "w", rater="li") as store:
        names = ("d1", "d2")
        bring(store, write(folder / "d.json", [video(name, turns) for name in names]))
        bring(store, write(folder / "s.jsonl", [sample(name, "m", turns) for name in names]))
        records = [
            judged(name, 0, judge=f"j{k}", scores=_scores(2 + k), overall_summary=f"{SECRET} whole")
            for name in names for k in range(judges)
        ]  # fmt: skip
        bring(store, write(folder / "j.jsonl", records))
        bring(store, write(folder / "a.jsonl", [attributed(name, 0) for name in names]))
        draw(store, "spot", 2, reveal=reveal)
    return folder / "w"


@contextmanager
def window(folder: Path) -> Iterator[tuple[Workspace, str]]:
    """The workspace as a window opens it, and the first dialogue."""
    with Workspace.open(folder, window=True) as workspace:
        workspace.queue(QueueFilter(project="spot"))
        yield workspace, workspace.store.items.resolve("d1")


def score(workspace: Workspace, item: str, value: int = 4, target: str = "turn:0", which: int = 8) -> None:
    intents = [Intent(target, dimension, value) for dimension in TURN_DIMENSIONS[:which]]
    workspace.say(item, ROW, intents, 0, "en")


def commit(workspace: Workspace, item: str) -> None:
    workspace.say(item, ROW, [Intent("item", "complete", True)], 0, "en")


def phases(store: Store, item: str, field: str = "accuracy") -> dict[str, object]:
    held = store.labels.current(item_id=item, rater="li")
    return {c.current.key.phase: c.current.value for c in held if c.current.key.field == field}


def test_nothing_is_read_before_the_commit_and_exactly_that_row_after_it(tmp_path: Path) -> None:
    with window(prepared(tmp_path)) as (workspace, item):
        other = workspace.store.items.resolve("d2")
        store = workspace.store
        assert workspace.review(item, ROW).reveal.state == "closed"
        assert workspace.reveal(item, ROW) is None
        score(workspace, item, which=7)
        commit(workspace, item)  # a script may; the row still has a gap
        assert workspace.reveal(item, ROW) is None
        score(workspace, item)
        assert workspace.review(item, ROW).reveal.state == "committed"
        assert SECRET not in repr(workspace.review(item, ROW))
        assert workspace.reveal(item, ROW) is not None
        view = workspace.review(item, ROW).reveal
        (opinion,) = view.opinions["turn:0"]
        assert view.state == "open" and opinion.scores["accuracy"] == 2 and SECRET in opinion.reasons["accuracy"]
        assert [a.categories for a in view.attributions["turn:0"]] == [("幻觉与捏造",)]
        assert opinion.judge == "j0" and opinion.summary == f"{SECRET} whole"
        # the other row stays closed, and so do the standing connections, for this row too
        assert workspace.review(other, ROW).reveal.state == "closed"
        assert SECRET not in repr(workspace.review(other, ROW))
        for ask in (lambda: store.judges.records(item), lambda: store.attributions.of(item), store.judges.count):
            with pytest.raises(WorldError, match="committed"):
                ask()


def test_what_is_said_after_the_reveal_is_a_second_opinion_beside_the_first(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    with window(folder) as (workspace, item):
        score(workspace, item)
        commit(workspace, item)
        workspace.reveal(item, ROW)
        accuracy, relevance = ("turn:0", "accuracy"), ("turn:0", "relevance")
        workspace.say(item, ROW, [Intent(*accuracy, 2)], 0, "zh_CN")  # agrees with the judge
        workspace.say(item, ROW, [Intent(*relevance, 4)], 0, "zh_CN")  # keeps the own score
        assert phases(workspace.store, item) == {"blind": 4, "revised": 2}
        assert phases(workspace.store, item, "relevance") == {"blind": 4, "revised": 4}
        sheet = workspace.review(item, ROW).sheet
        assert sheet.revealed and sheet.cell(*accuracy).first == 4 and sheet.cell(*accuracy).value == 2
        assert sheet.cell(*relevance).second and not sheet.cell("turn:0", "completeness").second
        # of the candidate too, and of a turn that was not drawn: nothing is blind here any more
        workspace.say(item, ROW, [Intent("item", "verdict", "keep"), Intent("turn:1", "accuracy", 5)], 0, "en")
        assert phases(workspace.store, item, "verdict") == {"revised": "keep"}
        asked = Asked(resamples=50)
    with Workspace.open(folder, read_only=True) as lead:
        told = {f.name: f.value for f in figures_of(lead.store, "calibration", asked, "spot").figures}
        assert told["anchored"] == 0.5 and told["anchoring"] == 1.0
        figures = figures_of(lead.store, "agreement", Asked(by=("dimension",), resamples=50)).figures
        assert all(f.n <= 1 for f in figures)  # the second opinions count nowhere else


def test_undo_walks_through_second_opinions_and_stops_at_the_reveal(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    with window(folder) as (workspace, item):
        score(workspace, item, 4)
        commit(workspace, item)
        workspace.reveal(item, ROW)
        for value in (2, 3):
            workspace.say(item, ROW, [Intent("turn:0", "accuracy", value)], 0, "en")
        assert workspace.undo() is not None and phases(workspace.store, item) == {"blind": 4, "revised": 2}
        assert workspace.undo() is not None
        cell = workspace.review(item, ROW).sheet.cell("turn:0", "accuracy")
        assert (cell.value, cell.second) == (4, False)
        assert workspace.undo_state() == (False, True) and workspace.undo() is None
        assert workspace.redo() is not None and workspace.redo() is not None
        assert phases(workspace.store, item) == {"blind": 4, "revised": 3}
    with window(folder) as (workspace, item):  # the log alone tells it
        assert workspace.review(item, ROW).reveal.state == "open"
        assert [workspace.undo() is not None for _ in range(3)] == [True, True, False]
        assert phases(workspace.store, item)["blind"] == 4
        other = workspace.store.items.resolve("d2")
        workspace.say(other, ROW, [Intent("turn:0", "accuracy", 1)], 0, "en")
        assert phases(workspace.store, other) == {"blind": 1}  # elsewhere work goes on blind, and is undone as ever
        assert workspace.undo() is not None and phases(workspace.store, other) == {"blind": None}


@pytest.mark.parametrize("where", ["spot-check", "workspace"])
def test_a_lead_may_turn_the_reveal_off(tmp_path: Path, where: str) -> None:
    folder = prepared(tmp_path, reveal=where == "workspace")
    with window(folder) as (workspace, item):
        if where == "workspace":
            workspace.reveals.allow(False)
            assert workspace.info().reveals is False
        score(workspace, item)
        commit(workspace, item)
        assert workspace.reveal(item, ROW) is None
        view = workspace.review(item, ROW)
        assert view.reveal.state == "off" and not view.reveal.opinions and SECRET not in repr(view)
        workspace.say(item, ROW, [Intent("turn:0", "accuracy", 5)], 0, "en")
        assert phases(workspace.store, item) == {"blind": 5}  # nothing was seen: a score may still be mended


def test_rows_that_no_spot_check_drew_stay_blind(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    with create_store(tmp_path / "other", rater="li") as store:
        for name in ("d.json", "s.jsonl", "j.jsonl"):
            bring(store, tmp_path / name)
    with Workspace.open(tmp_path / "other", window=True) as workspace:
        item = workspace.store.items.resolve("d1")
        score(workspace, item)
        commit(workspace, item)
        assert workspace.review(item, ROW).reveal.state == "none" and workspace.reveal(item, ROW) is None
        assert closed_to(workspace.store, "li") == ""
    with Workspace.open(folder, read_only=True) as lead:
        assert len(lead.store.judges.records(lead.store.items.resolve("d1"))) == 1  # no window, nothing closed


def test_other_raters_labels_are_in_no_view(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    with Workspace.open(folder, rater="wang") as other:
        item = other.store.items.resolve("d1")
        other.say(
            item, ROW, [Intent("turn:0", "accuracy", 1), Intent("turn:0", "reason:accuracy", "王的理由")], 0, "en"
        )
    with window(folder) as (workspace, item):
        assert "王的理由" not in repr(workspace.review(item, ROW)) and "wang" not in repr(
            workspace.queue(QueueFilter())
        )


def test_figures_of_judges_wait_until_the_spot_check_is_done(tmp_path: Path) -> None:
    with window(prepared(tmp_path)) as (workspace, item):
        assert "2 of its rows" in closed_to(workspace.store, "li")
        for name in ("d1", "d2"):
            item = workspace.store.items.resolve(name)
            score(workspace, item)
            commit(workspace, item)
        assert closed_to(workspace.store, "li") == "" and "2 of its rows" in closed_to(workspace.store, "wang")


def test_who_opens_the_figures_first_scores_blind_no_more(tmp_path: Path) -> None:
    folder = prepared(tmp_path)
    with window(folder) as (workspace, item):
        workspace.say(item, ROW, [Intent("turn:0", "accuracy", 4)], 0, "en")
        assert workspace.info().judges_closed
        room = FigureRoom(folder)
        with pytest.raises(WorldError, match="stay closed") as told:
            room.answer(Question("calibration", resamples=50), points=True)
        assert told.value.code == "blind"
        assert room.answer(Question("agreement", resamples=50), points=True).figures is not None
        workspace.reveals.look()
        assert not workspace.info().judges_closed
        assert room.answer(Question("calibration", resamples=50), points=True).figures
        room.close()
        score(workspace, item, 5)
        assert phases(workspace.store, item) == {"blind": 4, "open": 5}
        assert workspace.review(item, ROW).sheet.value("turn:0", "accuracy") == 5
        assert workspace.queue(QueueFilter(project="spot")).complete == 1
        commit(workspace, item)
        assert workspace.reveal(item, ROW) is None and workspace.review(item, ROW).reveal.state == "off"
    with Workspace.open(folder, rater="wang") as other:
        other.say(item, ROW, [Intent("turn:0", "accuracy", 3)], 0, "en")
        assert other.reveals.phase_for(item, ROW, "accuracy") == "blind"


def test_the_queue_of_a_spot_check_asks_what_was_drawn_and_nothing_else(tmp_path: Path) -> None:
    with window(prepared(tmp_path, turns=3)) as (workspace, item):
        view = workspace.queue(QueueFilter(project="spot"))
        assert (view.total, view.complete) == (2, 0)
        assert [(s.name, s.drawn, s.done) for s in view.spots] == [("spot", 2, 0)]
        assert [g.target for g in workspace.review(item, ROW).sheet.gaps()] == ["turn:0"] * 8
        score(workspace, item)
        view = workspace.queue(QueueFilter(project="spot"))
        assert (view.complete, view.spots[0].done) == (1, 1)
        assert [row.status for row in view.rows] == ["complete", "new"]
        assert [row.status for row in workspace.rows([(item, ROW)])] == ["complete"]
        assert workspace.review(item, ROW).sheet.gaps() == ()
        everything = workspace.queue(QueueFilter())
        assert [row.status for row in everything.rows] == ["started", "new"]
        assert len(workspace.review(item, ROW).sheet.gaps()) == 2 * 8 + 4 + 1


def test_judges_are_told_apart_and_never_name_a_tested_model(tmp_path: Path) -> None:
    folder = prepared(tmp_path, judges=2)
    with Workspace.open(folder) as lead:
        bring(lead.store, write(tmp_path / "more.jsonl", [judged("d1", 0, judge="m", scores=_scores(5))]))
    with window(folder) as (workspace, item):
        score(workspace, item)
        commit(workspace, item)
        workspace.reveal(item, ROW)
        found = workspace.review(item, ROW).reveal.opinions["turn:0"]
        assert [(o.judge, o.scores["accuracy"]) for o in found] == [("j0", 2), ("j1", 3), ("m", 5)]
