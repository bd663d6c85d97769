"""Where responses stand: their media and gate, what was said before, and who can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.ids import REFERENCE
from annotator.workspace.comparisons import Comparisons
from annotator.workspace.comparisons_flow import ComparisonSetup, in_common
from annotator.workspace.comparisons_place import PastTurn
from annotator.workspace.comparisons_views import ComparisonFilter
from annotator.workspace.importing import import_source
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import image, sample, video, write

SAMPLES = Path(__file__).parents[2] / "data" / "mmrlhf"
TASK = "omnibench_video_stream_text"


@pytest.fixture
def dialogues(tmp_path: Path) -> Iterator[Workspace]:
    """Three dialogues of three turns, all answered by a, two by b."""
    names = [f"d{k}" for k in range(3)]
    source = tmp_path / "source"
    write(source / "video.json", [video(name, turns=3) for name in names])
    write(source / "image.json", [image("i1")])
    for model, mine in (("a", names), ("b", names[:2])):
        write(source / f"{model}_samples.json", [sample(name, model, turns=3) for name in mine])
    with Workspace.create(tmp_path / "workspace", rater="ann") as made:
        import_source(made.store, source)
        yield made


def test_everybody_who_answered_can_be_compared_where_all_answered(dialogues: Workspace) -> None:
    setup = ComparisonSetup(dialogues)
    assert setup.can_make()
    found = {answerer.responder: answerer for answerer in setup.answerers()}
    a, b, reference = found[f"p::a::{TASK}"], found[f"p::b::{TASK}"], found[REFERENCE]
    assert [len(one.dialogues) for one in (a, b, reference)] == [3, 2, 4]
    assert list(found)[-1] == REFERENCE and reference.shown == ""
    assert {a.shown, b.shown} == {"A", "B"}, "names are hidden"
    assert in_common((a, b)) == in_common((a, b, reference)) == 2
    assert in_common((a, reference)) == 3 and in_common(()) == 0


def test_a_turn_stands_behind_its_own_gate_with_the_turns_before_it(dialogues: Workspace) -> None:
    setup = ComparisonSetup(dialogues)
    made = setup.make([f"p::a::{TASK}", f"p::b::{TASK}"], 6, level="turn", seed=1, project="turns")
    comparisons = Comparisons(dialogues)
    turns = []
    for item in made.items:
        view = comparisons.comparison(item)
        place = view.place
        turns.append(view.turn)
        assert place.turn == view.turn and place.strip.modality == "video" and not place.safety
        assert place.history == tuple(PastTurn(k + 1, f"question {k}", f"reference {k}") for k in range(view.turn or 0))
        assert view.reference == f"reference {view.turn}"
        opened = [place.strip.opening(stop, place.turn).open for stop in range(len(place.strip.stops))]
        assert opened == [k <= (view.turn or 0) for k in range(3)]
    assert sorted(turns) == [0, 0, 1, 1, 2, 2]


def test_a_session_is_open_and_the_reference_among_responses_is_shown_nowhere_else(dialogues: Workspace) -> None:
    setup = ComparisonSetup(dialogues)
    made = setup.make([f"p::a::{TASK}", REFERENCE], 1, level="session", seed=1, project="sessions")
    view = Comparisons(dialogues).comparison(made.items[0])
    assert view.place.turn is None and view.place.history == ()
    assert view.reference is None and any("reference 0" in r.text for r in view.responses)


def test_other_sources_are_about_their_own_media_and_say_what_is_for_safety(tmp_path: Path) -> None:
    with Workspace.create(tmp_path / "workspace", rater="ann") as made:
        import_source(made.store, SAMPLES / "data.jsonl", media_roots=[SAMPLES])
        comparisons = Comparisons(made)
        queue = comparisons.queue(ComparisonFilter())
        assert sum(queue.facets["subset"].values()) == queue.total == len(queue.rows)
        assert queue.facets["status"] == {"new": queue.total} and queue.facets["project"] == {}
        assert comparisons.queue(ComparisonFilter(unfinished=True)).rows == queue.rows
        for row in queue.rows:
            view = comparisons.comparison(row.item_id)
            assert view.place.turn == 0 and view.place.history == ()
            assert view.place.strip.modality == ("video" if row.subset == "video" else "image")
            assert len(view.place.strip.stops) == len(view.media)
            assert view.place.safety == (row.subset == "safety")
            assert view.names_hidden and not ComparisonSetup(made).can_make()
