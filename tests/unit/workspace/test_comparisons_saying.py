"""Saying things of comparisons: what is hidden, what is stored, what a reviewer does, and undo."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.workspace.comparisons import Comparisons
from annotator.workspace.comparisons_repeats import make_repeats
from annotator.workspace.comparisons_review import ComparisonReviews
from annotator.workspace.comparisons_views import ComparisonFilter
from annotator.workspace.importing import import_source
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace

SAMPLES = Path(__file__).parents[2] / "data" / "mmrlhf"
SCALES = ("faithfulness", "helpfulness", "ethical")
TIED = "sample_mcq_991_000002"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.create(tmp_path / "workspace", rater="ann") as made:
        import_source(made.store, SAMPLES / "data.jsonl", media_roots=[SAMPLES])
        yield made


def _item(workspace: Workspace, source_id: str = TIED) -> str:
    return workspace.store.items.resolve(source_id)


def _scores(count: int, level: int = 4) -> list[Intent]:
    return [Intent(f"response:{k}", scale, level) for k in range(count) for scale in SCALES]


def _as(workspace: Workspace, rater: str) -> Workspace:
    return Workspace(workspace.store, rater)


def test_the_source_is_hidden_and_the_order_is_stored_with_each_label(workspace: Workspace) -> None:
    comparisons = Comparisons(workspace)
    comparisons.set_seed(11)
    view = comparisons.comparison(_item(workspace))
    assert sorted(view.order) == [0, 1, 2] and [r.place for r in view.responses] == list(view.order)
    assert [r.letter for r in view.responses] == ["A", "B", "C"]
    assert view.sheet.cells == {} and view.row.status == "new" and view.media[0][1] is not None
    comparisons.say(view.row.item_id, [Intent("item", "ranking", [1, 2, 3])], active_ms=700, lang="en")
    (event,) = workspace.store.labels.events(item_id=view.row.item_id, rater="ann")
    assert (event.phase, event.rubric, event.active_ms) == ("blind", "comparison@1", 700)
    assert json.loads(event.extra) == {"shown": list(view.order), "seed": 11}


def test_an_item_is_complete_with_its_scores_ranking_and_the_example_of_a_full_tie(workspace: Workspace) -> None:
    comparisons, item = Comparisons(workspace), _item(workspace)
    comparisons.say(item, _scores(3))
    assert comparisons.row(item).status == "started"
    comparisons.say(item, [Intent("item", "ranking", [1, 1, 1])])
    assert comparisons.row(item).status == "started"
    comparisons.say(item, [Intent("item", "constructed", {"kind": "negative", "text": "(B)"})])
    assert comparisons.row(item).status == "complete"
    assert comparisons.queue(ComparisonFilter(status="complete")).rows == (comparisons.row(item),)
    comparisons.set_reasons(True)
    assert comparisons.row(item).status == "started" and comparisons.queue(ComparisonFilter()).complete == 0


def test_what_stands_is_not_said_again_and_undo_takes_the_whole_statement_back(workspace: Workspace) -> None:
    comparisons, item = Comparisons(workspace), _item(workspace)
    assert comparisons.say(item, _scores(3)).events == 9
    assert comparisons.say(item, _scores(3)).events == 0
    workspace.undo()
    assert comparisons.comparison(item).sheet.scores(0) == (None, None, None)
    workspace.redo()
    assert comparisons.comparison(item).sheet.scores(2) == (4, 4, 4)
    comparisons.say(item, [Intent("response:0", "ethical", None)])
    assert comparisons.comparison(item).sheet.scores(0) == (4, 4, None)


@pytest.mark.parametrize(
    "intent",
    [
        Intent("response:3", "ethical", 4),
        Intent("response:0", "ethical", 6),
        Intent("item", "ranking", [1, 2]),
        Intent("turn:0", "accuracy", 3),
    ],
)
def test_what_does_not_fit_is_not_saved(workspace: Workspace, intent: Intent) -> None:
    with pytest.raises(WorldError, match="Not saved"):
        Comparisons(workspace).say(_item(workspace), [intent])
    assert not list(workspace.store.labels.events(rater="ann"))


def test_looking_beneath_a_covered_name_is_an_event_and_opens_what_follows(
    workspace: Workspace, tmp_path: Path
) -> None:
    record = {"id": "named", "question": "Who?", "models_output": ["I am ChatGPT by OpenAI.", "A box."]}
    (tmp_path / "data.jsonl").write_text(json.dumps(record), encoding="utf-8")
    import_source(workspace.store, tmp_path / "data.jsonl")
    comparisons, item = Comparisons(workspace), _item(workspace, "named")
    comparisons.say(item, [Intent("item", "ranking", [2, 1])])

    def first() -> tuple[str, int, bool]:
        shown = next(r for r in comparisons.comparison(item).responses if r.place == 0)
        return shown.text, shown.covered, shown.unmasked

    assert first() == ("I am ███████ by ██████.", 2, False)
    comparisons.look_beneath(item, 0)
    assert first() == ("I am ChatGPT by OpenAI.", 0, True)
    comparisons.say(item, [Intent("item", "ranking", [1, 2])])
    phases = [(e.field, e.phase) for e in workspace.store.labels.events(item_id=item, rater="ann")]
    assert phases == [("ranking", "blind"), ("peek", "blind"), ("ranking", "open")]
    assert comparisons.comparison(item).sheet.ranking == [1, 2]
    comparisons.say(item, [Intent("item", "ranking", None)])
    assert comparisons.comparison(item).sheet.ranking is None


def test_a_returned_item_comes_back_until_its_rater_says_something_new(workspace: Workspace) -> None:
    item = _item(workspace)
    ann = Comparisons(workspace)
    ann.say(item, [*_scores(3), Intent("item", "ranking", [1, 2, 3])])
    lead = _as(workspace, "lead")
    reviews = ComparisonReviews(lead, Comparisons(lead))
    assert [(r.rater, r.status, r.review) for r in reviews.to_review()] == [("ann", "complete", None)]
    reviews.review(item, "ann", "returned", "the second is right too")
    assert ann.row(item).status == "returned"
    assert [(r.reviewer, r.state, r.comment) for r in ann.comparison(item).reviews] == [
        ("lead", "returned", "the second is right too")
    ]
    ann.say(item, [Intent("item", "ranking", [1, 1, 3])])
    assert ann.row(item).status == "complete"
    assert [e.phase for e in workspace.store.labels.events(item_id=item, rater="ann")][-1] == "revised"
    reviews.review(item, "ann", "accepted")
    assert ann.row(item).status == "complete" and reviews.to_review()[0].review is not None


def test_a_correction_is_settled_beside_what_the_rater_said(workspace: Workspace) -> None:
    item = _item(workspace)
    Comparisons(workspace).say(item, [Intent("item", "ranking", [1, 2, 3])])
    lead = _as(workspace, "lead")
    reviews = ComparisonReviews(lead, Comparisons(lead))
    reviews.review(item, "ann", "corrected", "tie", [Intent("item", "ranking", [1, 1, 3])])
    held = {(c.current.key.rater, c.current.key.phase): c.current.value
            for c in workspace.store.labels.current(item_id=item) if c.current.key.field == "ranking"}  # fmt: skip
    assert held["ann", "blind"] == [1, 2, 3] and held["lead", "adjudicated"] == [1, 1, 3]


def test_reviews_that_make_no_sense_are_refused(workspace: Workspace) -> None:
    item = _item(workspace)
    comparisons = Comparisons(workspace)
    comparisons.say(item, [Intent("item", "ranking", [1, 2, 3])])
    mine = ComparisonReviews(workspace, comparisons)
    lead = _as(workspace, "lead")
    reviews = ComparisonReviews(lead, Comparisons(lead))
    with pytest.raises(WorldError, match="own labels"):
        mine.review(item, "ann", "accepted")
    with pytest.raises(WorldError, match="nothing to review"):
        reviews.review(item, "bob", "accepted")
    with pytest.raises(WorldError, match="needs a comment"):
        reviews.review(item, "ann", "returned", " ")
    with pytest.raises(WorldError, match="says what is right"):
        reviews.review(item, "ann", "corrected", "hm")
    assert mine.to_review() == ()


def test_repeats_stand_half_a_queue_apart_and_look_like_any_other(workspace: Workspace) -> None:
    make_repeats(workspace.store, 1.0, 0)
    rows = Comparisons(workspace).queue(ComparisonFilter()).rows
    assert len(rows) == 10 and len({r.source_id for r in rows}) == 5
    for name in {r.source_id for r in rows}:
        first, again = (k for k, r in enumerate(rows) if r.source_id == name)
        assert again - first >= 3
    assert {r.form for r in rows} == {"mm-rlhf"}


def test_the_queue_filters(workspace: Workspace) -> None:
    comparisons = Comparisons(workspace)
    assert comparisons.count() == 5
    assert [r.source_id for r in comparisons.queue(ComparisonFilter(subset="safety")).rows] == [
        "sample_safety_993_000004"
    ]
    assert len(comparisons.queue(ComparisonFilter(search="square")).rows) == 2
    assert comparisons.queue(ComparisonFilter(project="none")).rows == ()
    assert comparisons.queue(ComparisonFilter(form="pairs")).rows == ()
    with pytest.raises(WorldError, match="no comparison"):
        comparisons.comparison("comparison:0")


def test_the_reviewers_part_is_taken_and_what_was_seen_of_others_opens_what_follows(workspace: Workspace) -> None:
    item = _item(workspace)
    Comparisons(workspace).say(item, [*_scores(3), Intent("item", "ranking", [1, 2, 3])])
    lead = _as(workspace, "lead")
    own = Comparisons(lead)
    reviews = ComparisonReviews(lead, own)
    assert not reviews.is_reviewer
    reviews.set_reviewer(True)
    assert reviews.is_reviewer and not ComparisonReviews(workspace, Comparisons(workspace)).is_reviewer
    own.say(item, [Intent("item", "ranking", [2, 1, 3])])
    (found,) = reviews.look(item)
    assert (found.rater, found.fresh, found.reviews, found.sheet.ranking) == ("ann", True, (), [1, 2, 3])
    count = workspace.store.labels.count()
    reviews.look(item)
    assert workspace.store.labels.count() == count, "that others were seen is said once"
    own.say(item, [Intent("item", "ranking", [1, 2, 3])])
    said = [(e.field, e.phase) for e in workspace.store.labels.events(item_id=item, rater="lead")]
    assert said == [("ranking", "blind"), ("flag:saw_others", "blind"), ("ranking", "open")]
    reviews.review(item, "ann", "returned", "look again")
    (found,) = reviews.of_item(item)
    assert (found.fresh, found.status, found.reviews[-1].comment) == (False, "returned", "look again")
    assert own.row(item).status == "started", "what a reviewer says is no work of a rater on the item"
    reviews.set_reviewer(False)
    assert not reviews.is_reviewer
    assert reviews.of_item(_item(workspace, "sample_clip_992_000003")) == ()
