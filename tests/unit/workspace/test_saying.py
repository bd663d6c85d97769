"""What a person says stays with what they saw; what stands already is not said again; undo reads the log alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.ids import item_id, uuid7
from annotator.domain.items import Answer, Dialogue, Responder, Turn
from annotator.domain.report import ImportReport
from annotator.domain.timecode import parse
from annotator.errors import WorldError
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace

ITEM = item_id("dialogue", "d1", "video")
MODEL = "acme::model::task"


def dialogue(revision: int = 1, question: str = "q") -> Dialogue:
    turns = tuple(
        Turn(index=k, question=f"{question}{k if k else ''}", reference="r", timestamp=parse(k)) for k in range(2)
    )
    return Dialogue(item_id=ITEM, source_id="d1", modality="video", turns=turns, revision=revision)


def bring_in(workspace: Workspace, made: Dialogue) -> None:
    with workspace.store.imports.begin("rubric-mme", "x") as writer:
        writer.put_dialogues([made])
        answers = tuple(Answer(index=k, text=f"a{k}") for k in range(2))
        if made.revision == 1:
            writer.put_responders([Responder(item_id=ITEM, responder=MODEL, answers=answers)])
        writer.publish(ImportReport())


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace.create(tmp_path / "w", rater="lin")
    bring_in(made, dialogue())
    yield made
    made.close()


def say(workspace: Workspace, target: str, field: str, value: object, seen: object = None) -> int:
    return workspace.say(ITEM, MODEL, [Intent(target, field, value)], 5, "en", seen=seen).events  # type: ignore[arg-type]


def test_what_stands_is_not_said_again_but_facts_are(workspace: Workspace) -> None:
    assert say(workspace, "turn:0", "accuracy", 4) == 1
    assert say(workspace, "turn:0", "accuracy", 4) == 0
    assert say(workspace, "turn:0", "accuracy", 5) == 1
    assert say(workspace, "turn:0", "relevance", None) == 0
    assert say(workspace, "turn:0", "peek", {"stop": 1}) == 1
    assert say(workspace, "turn:0", "peek", {"stop": 1}) == 1


def test_a_value_that_does_not_fit_is_refused_in_a_sentence(workspace: Workspace) -> None:
    with pytest.raises(WorldError, match="accuracy"):
        say(workspace, "turn:0", "accuracy", 9)


@pytest.mark.parametrize(
    ("target", "field", "value"),
    [("turn:0", "accuracy", 4), ("turn:1", "accuracy", 4), ("session", "session_consistency", 3),
     ("item", "verdict", "keep"), ("turn:0", "edit:question", "x")],
)  # fmt: skip
def test_the_view_and_the_store_agree_on_what_is_judged(
    workspace: Workspace, target: str, field: str, value: object
) -> None:
    view = workspace.review(ITEM, MODEL)
    say(workspace, target, field, value, view)
    owner = None if field in ("verdict", "edit:question") else MODEL
    assert view.judged(target, field) == workspace.store.items.judged(ITEM, owner, target, field)
    assert not workspace.review(ITEM, MODEL).sheet.cell(target, field).stale


def test_a_label_stays_with_what_was_seen_when_a_revision_came_in_meanwhile(workspace: Workspace) -> None:
    view = workspace.review(ITEM, MODEL)
    bring_in(workspace, dialogue(2, "another q"))
    say(workspace, "turn:0", "accuracy", 4, view)
    fresh = workspace.review(ITEM, MODEL)
    assert fresh.sheet.cell("turn:0", "accuracy").stale
    say(workspace, "turn:0", "accuracy", 4, fresh)
    assert not workspace.review(ITEM, MODEL).sheet.cell("turn:0", "accuracy").stale


def test_statements_of_one_moment_are_undone_together(workspace: Workspace) -> None:
    both = [Intent("turn:0", "accuracy", 2), Intent("turn:0", "reason:accuracy", "why")]
    workspace.say(ITEM, MODEL, both, 0, "en")
    assert workspace.undo() is not None
    sheet = workspace.review(ITEM, MODEL).sheet
    assert (sheet.value("turn:0", "accuracy"), sheet.value("turn:0", "reason:accuracy")) == (None, None)
    assert workspace.undo() is None
    assert workspace.redo() is not None
    sheet = workspace.review(ITEM, MODEL).sheet
    assert (sheet.value("turn:0", "accuracy"), sheet.value("turn:0", "reason:accuracy")) == (2, "why")
    assert workspace.redo() is None


def test_undo_skips_facts_and_survives_reopening(workspace: Workspace, tmp_path: Path) -> None:
    say(workspace, "turn:0", "accuracy", 2)
    say(workspace, "turn:0", "viewing", {"opened": 1.0})
    workspace.close()
    with Workspace.open(tmp_path / "w") as again:
        changes = again.undo()
        assert changes is not None
        assert changes.moved_to == (ITEM, MODEL, "turn:0", "accuracy")
        assert again.redo() is not None
        assert again.review(ITEM, MODEL).sheet.value("turn:0", "accuracy") == 2
        assert again.store.upkeep.check().ok


def test_a_verdict_belongs_to_the_dialogue_and_touches_all_its_rows(workspace: Workspace) -> None:
    changes = workspace.say(ITEM, MODEL, [Intent("item", "verdict", "keep")], 0, "en")
    assert changes.rows == {(ITEM, MODEL)}
    assert changes.cells == ((ITEM, None, "item", "verdict"),)


def value(workspace: Workspace) -> object:
    return workspace.review(ITEM, MODEL).sheet.value("turn:0", "accuracy")


def test_a_chain_on_one_field_is_undone_to_its_beginning_and_redone_to_its_end(workspace: Workspace) -> None:
    for score in (4, 1, 5, 2):
        say(workspace, "turn:0", "accuracy", score)
    back = []
    while workspace.undo() is not None:
        back.append(value(workspace))
    assert back == [5, 1, 4, None]
    forth = []
    while workspace.redo() is not None:
        forth.append(value(workspace))
    assert forth == [4, 1, 5, 2]
    assert workspace.undo() is not None
    assert value(workspace) == 5
    say(workspace, "turn:0", "accuracy", 3)
    assert workspace.redo() is None
    assert workspace.undo() is not None
    assert value(workspace) == 5
    assert workspace.undo() is not None
    assert value(workspace) == 1


def test_undo_walks_several_fields_in_the_order_they_were_said(workspace: Workspace) -> None:
    for field, score in (("accuracy", 4), ("relevance", 5), ("accuracy", 2), ("relevance", 1)):
        say(workspace, "turn:0", field, score)
    seen = []
    while workspace.undo() is not None:
        sheet = workspace.review(ITEM, MODEL).sheet
        seen.append((sheet.value("turn:0", "accuracy"), sheet.value("turn:0", "relevance")))
    assert seen == [(2, 5), (4, 5), (4, None), (None, None)]


def test_a_statement_from_another_device_is_not_taken_back(workspace: Workspace) -> None:
    say(workspace, "turn:0", "accuracy", 4)
    say(workspace, "turn:0", "relevance", 4)
    mine = next(iter(workspace.store.labels.history("lin")))
    theirs = replace(mine, event_id=uuid7(), device="another", seq=1, value=2, parents=(mine.event_id,), digest="")
    workspace.store.labels.merge([replace(theirs, digest=theirs.compute_digest())])
    assert workspace.undo() is not None
    assert workspace.review(ITEM, MODEL).sheet.value("turn:0", "relevance") == 2
    assert value(workspace) is None


def test_undo_and_redo_alternate_for_ever(workspace: Workspace) -> None:
    say(workspace, "turn:0", "accuracy", 4)
    say(workspace, "turn:0", "accuracy", 1)
    for _ in range(5):
        assert workspace.undo() is not None
        assert value(workspace) == 4
        assert workspace.redo() is not None
        assert value(workspace) == 1


def test_a_kept_text_is_forgotten_once_it_is_said_and_no_undo_offers_it_again(workspace: Workspace) -> None:
    for field in ("reason:accuracy", "note"):
        workspace.save_draft(ITEM, MODEL, "turn:0", field, "half a w")
    workspace.save_draft(ITEM, MODEL, "turn:1", "reason:accuracy", "elsewhere")
    say(workspace, "turn:0", "reason:accuracy", "half a word")
    left = {("turn:0", "note"): "half a w", ("turn:1", "reason:accuracy"): "elsewhere"}
    assert workspace.review(ITEM, MODEL).drafts == left
    assert workspace.undo("en") is not None
    assert workspace.review(ITEM, MODEL).drafts == left


def test_a_text_that_came_back_to_what_stands_leaves_no_draft(workspace: Workspace) -> None:
    say(workspace, "turn:0", "note", "as it was")
    workspace.save_draft(ITEM, MODEL, "turn:0", "note", "as it wasn")
    assert say(workspace, "turn:0", "note", "as it was") == 0
    assert workspace.review(ITEM, MODEL).drafts == {}


def test_what_is_shown_after_saying_holds_no_older_text_over_it(workspace: Workspace) -> None:
    workspace.save_draft(ITEM, MODEL, "turn:0", "reason:accuracy", "half a w")
    seen = workspace.review(ITEM, MODEL).after([Intent("turn:0", "reason:accuracy", "half a word")])
    assert seen.drafts == {}
    assert seen.sheet.value("turn:0", "reason:accuracy") == "half a word"
