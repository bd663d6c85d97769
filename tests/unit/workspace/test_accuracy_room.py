"""Accuracy on the statistics page: blind for whoever still answers, and exactly the items behind each figure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.question_sheet import QuestionFilter
from annotator.workspace.figures_accuracy_room import cell_behind, outputs_behind, people_behind
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_room import Figure, FigureRoom, Question
from annotator.workspace.questions import Questions
from annotator.workspace.questions_blind import phase_of
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.questions import answered, official, write_json, write_lines

ALL = Question("accuracy", ("model",), resamples=20)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    records = [official(n, key="ABCDE"[n % 5], Task="Perception" if n < 8 else "Reasoning") for n in range(10)]
    outputs = ["A", "A", "", "Failed to obtain answer via API.", "E", "E", "no idea at all", "C", "D", "E"]
    with Workspace.create(tmp_path / "w", rater="lin") as opened:
        opened.import_source(write_json(tmp_path / "q.json", records))
        opened.import_source(write_lines(tmp_path / "One.jsonl", answered(records, outputs)))
        yield opened


@pytest.fixture
def room(workspace: Workspace) -> Iterator[FigureRoom]:
    made = FigureRoom(workspace.store.folder)
    yield made
    made.close()


def ids(workspace: Workspace) -> list[str]:
    return [row.item_id for row in Questions(workspace).queue(QuestionFilter()).rows]


def one(figures: tuple[Figure, ...], name: str) -> Figure:
    return next(figure for figure in figures if figure.name == name)


def found(behind: Behind, workspace: Workspace) -> list[int]:
    order = ids(workspace)
    assert all((responder, target) == ("", "item") for _, responder, target in behind.places)
    return sorted(order.index(item) for item, _, _ in behind.places)


def test_while_blind_figures_stand_on_what_was_answered_alone(workspace: Workspace, room: FigureRoom) -> None:
    made = room.answer(ALL, False)
    assert made.records["questions"] == {"shown": 0, "all": 10}
    assert all(not figure.n and figure.value in (None, ()) for figure in made.figures)
    questions = Questions(workspace)
    for item in ids(workspace)[:2]:
        questions.say(item, [Intent("item", "answer", "B")], 100, "en")
    made = room.answer(ALL, False)
    assert made.records["questions"] == {"shown": 2, "all": 10}
    assert one(made.figures, "accuracy").n == 2 and one(made.figures, "accuracy").value == 0.5
    assert found(outputs_behind(room, ALL, {}, "all"), workspace) == [0, 1]


def test_whoever_looks_at_all_answers_openly_from_then_on(workspace: Workspace, room: FigureRoom) -> None:
    questions, first = Questions(workspace), ids(workspace)[0]
    questions.say(first, [Intent("item", "answer", "B")], 100, "en")
    assert one(room.answer(ALL, False).figures, "accuracy").n == 1
    questions.look_at_all()
    assert one(room.answer(replace(ALL, phase="open"), False).figures, "accuracy").n == 10
    assert questions.phase == "open" and questions.question(ids(workspace)[5]).revealed
    questions.say(ids(workspace)[5], [Intent("item", "answer", "A")], 100, "en")
    phases = {e.item_id: e.phase for e in workspace.store.labels.events() if e.field == "answer"}
    assert phases == {first: "blind", ids(workspace)[5]: "open"}
    assert phase_of(workspace.store, "lin") == "open" and phase_of(workspace.store, "mei") == "blind"


def test_the_items_behind_are_exactly_those(workspace: Workspace, room: FigureRoom) -> None:
    Questions(workspace).look_at_all()
    assert found(outputs_behind(room, ALL, {"model": "One"}, "wrong"), workspace) == [1, 2, 3, 5, 6]
    assert found(outputs_behind(room, ALL, {"task": "Reasoning"}, "right"), workspace) == [8, 9]
    assert found(outputs_behind(room, ALL, {}, "E"), workspace) == [4, 5, 9]
    assert found(outputs_behind(room, ALL, {}, "state:blank"), workspace) == [2]
    assert found(outputs_behind(room, ALL, {}, "state:failed"), workspace) == [3]
    assert found(outputs_behind(room, ALL, {}, "open"), workspace) == [2, 3, 6]
    table = one(room.answer(ALL, False).figures, "confusion")
    letters = [*table.more["letters"], ""]
    for row, key in enumerate(table.more["letters"]):
        for column, letter in enumerate(letters):
            behind = cell_behind(room, ALL, {"model": "One"}, key, letter)
            assert behind.units == table.value[row][column]


def test_people_are_behind_their_own_figure(workspace: Workspace, room: FigureRoom) -> None:
    questions, order = Questions(workspace), ids(workspace)
    for place in (1, 8):
        questions.say(order[place], [Intent("item", "answer", "B")], 100, "en")
    behind = people_behind(room, Question("accuracy"), {})
    assert found(behind, workspace) == [1, 8] and behind.units == 2
    assert found(people_behind(room, Question("accuracy"), {"task": "Perception"}), workspace) == [1]


def test_what_a_part_can_be_chosen_by(workspace: Workspace, room: FigureRoom) -> None:
    held = room.choices().fields
    assert dict(held["task"]) == {"Perception": 8, "Reasoning": 2} and dict(held["language"]) == {"en": 10}
    part = Question("accuracy", (), (("task", ("Reasoning",)),), resamples=20)
    Questions(workspace).look_at_all()
    assert one(room.answer(part, False).figures, "accuracy").n == 2
