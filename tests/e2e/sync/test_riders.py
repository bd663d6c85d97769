"""A lead's spot-check and error attributions reach the raters' devices, and tell raters nothing there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.queue import QueueFilter
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Store, create_store
from annotator.workspace.figures import figures_of
from annotator.workspace.reveal import closed_to
from annotator.workspace.spotcheck import draw, project_of, projects, weights_of, whole_of
from annotator.workspace.sync_views import SyncReport
from annotator.workspace.syncing import sync
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, bring, judged, sample, video, write
from tests.unit.workspace.test_importing_attributions import attributed

NAMES = ("d1", "d2", "d3", "d4")
ROW = f"p::m::{TASK}"
SECRET = "裁判认为颜色说错了"


def _scores(k: int) -> dict[str, Any]:
    return {"accuracy": {"score": 1 + k, "reason": SECRET}, "naturalness": {"score": 1 + k, "reason": SECRET}}


class Room:
    """Workspaces of several people, all with the same dialogues and answers."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shared = folder / "shared"
        self.shared.mkdir()
        self._open: list[Workspace] = []
        self.dialogues = write(folder / "d.json", [video(name, 2) for name in NAMES])
        self.answers = write(folder / "s.jsonl", [sample(name, "m", 2) for name in NAMES])
        self.judges = write(folder / "j.jsonl", [judged(name, 0, scores=_scores(k)) for k, name in enumerate(NAMES)])
        self.errors = write(folder / "a.jsonl", [attributed(name, 0, attribution_summary=SECRET) for name in NAMES[:2]])

    def place(self, rater: str, *, items: bool = True, window: bool = False) -> Workspace:
        folder = self.folder / rater
        with closing(create_store(folder, rater=rater)) as store:
            if items:
                bring(store, self.dialogues)
                bring(store, self.answers)
        self._open.append(Workspace.open(folder, window=window))
        return self._open[-1]

    def lead(self, rater: str = "lead") -> Workspace:
        made = self.place(rater)
        bring(made.store, self.judges)
        bring(made.store, self.errors)
        return made

    def sync(self, *places: Workspace) -> list[SyncReport]:
        return [sync(place, self.shared) for place in places]

    def shut(self) -> None:
        for place in self._open:
            place.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    yield made
    made.shut()


def _attributions(store: Store) -> list[Any]:
    return [one for head in store.items.heads("dialogue") for one in store.attributions.of(head.item_id)]


def test_a_leads_draw_reaches_a_rater_whole_and_tells_the_rater_nothing(room: Room) -> None:
    lead, rater = room.lead(), room.place("li", window=True)
    made = draw(lead.store, "pilot", 4, ("score",), seed=4)
    sent, came = room.sync(lead, rater)
    assert (sent.sent_others, came.draws, came.attributions, came.ok) == (3, 1, 2, True)
    # what the window needs is there, and the queue asks it
    state = rater.queue(QueueFilter(project="pilot"), fresh=True)
    assert [(spot.name, spot.drawn, spot.done) for spot in state.spots] == [("pilot", 4, 0)]
    assert "4 of its rows" in closed_to(rater.store, "li")
    assert {tuple(unit) for unit in project_of(rater.store, "pilot")["units"]} == {unit[:3] for unit in made.units}
    # weights tell scores: closed, and so are attributions and judges
    for ask in (
        lambda: weights_of(rater.store, "pilot"),
        lambda: whole_of(rater.store, "pilot"),
        lambda: rater.store.database.all("SELECT body FROM spot_draw"),
        lambda: _attributions(rater.store),
    ):
        with pytest.raises(WorldError) as told:
            ask()
        assert told.value.code == "blind"
    facts = repr(rater.store.database.all("SELECT name, value FROM meta WHERE name GLOB 'project*'"))
    assert (
        "weight" not in facts and "strata" not in facts and SECRET not in repr(rater.review(state.rows[0].item_id, ROW))
    )
    with rater.store.database.seeing():
        assert whole_of(rater.store, "pilot") == whole_of(lead.store, "pilot")
        assert weights_of(rater.store, "pilot") == weights_of(lead.store, "pilot")
        assert [one.summary for one in _attributions(rater.store)] == [SECRET, SECRET]


def test_labels_made_for_a_draw_come_back_and_carry_its_weights(room: Room) -> None:
    from annotator.domain.rubric import TURN_DIMENSIONS
    from annotator.workspace.views import Intent

    lead, rater = room.lead(), room.place("li", window=True)
    draw(lead.store, "pilot", 4, seed=1)
    room.sync(lead, rater)
    for row in rater.queue(QueueFilter(project="pilot"), fresh=True).rows:
        rater.say(row.item_id, ROW, [Intent("turn:0", name, 4) for name in TURN_DIMENSIONS], 0, "en")
        rater.say(row.item_id, ROW, [Intent("item", "complete", True)], 0, "en")
        assert rater.reveal(row.item_id, ROW) is not None
    shown = rater.review(row.item_id, ROW).reveal
    assert shown.state == "open" and shown.opinions["turn:0"][0].reasons["accuracy"] == SECRET
    room.sync(rater, lead)
    told = {
        one.name: one for one in figures_of(lead.store, "calibration", Asked(resamples=50), project="pilot").figures
    }
    assert told["bias"].value == pytest.approx((1 + 2 + 3 + 4) / 4 - 4) and told["bias"].n == 8
    fields = {c.current.key.field for c in lead.store.labels.current() if c.current.key.phase == "revised"}
    assert fields == {"revealed"}  # that and what was shown travels as an event


def test_a_draw_that_never_reveals_says_so_on_every_device(room: Room) -> None:
    lead, rater = room.lead(), room.place("li", window=True)
    lead.reveals.allow(False)
    draw(lead.store, "pilot", 4)
    room.sync(lead, rater)
    assert rater.reveals.state(rater.queue(QueueFilter(), fresh=True).rows[0].item_id, ROW) == "off"


def test_syncing_again_sends_and_takes_nothing(room: Room) -> None:
    lead, rater = room.lead(), room.place("li")
    draw(lead.store, "pilot", 2)
    room.sync(lead, rater, lead)
    files = {file: file.read_bytes() for file in room.shared.rglob("*") if file.is_file()}
    for report in room.sync(rater, lead, rater, lead):
        assert (report.sent_others, report.draws, report.attributions, report.bundles_written) == (0, 0, 0, 0)
    assert {file: file.read_bytes() for file in room.shared.rglob("*") if file.is_file()} == files
    draw(lead.store, "december", 2, seed=9)  # nothing is imported meanwhile
    sent, came = room.sync(lead, rater)
    assert (sent.sent_others, came.draws) == (1, 1) and projects(rater.store) == ["pilot", "december"]


def test_the_same_draw_made_on_two_devices_is_one(room: Room) -> None:
    lead, other = room.lead("lead"), room.lead("deputy")
    for place in (lead, other):
        draw(place.store, "pilot", 3, seed=5)
    room.sync(lead, other, lead)
    assert projects(lead.store) == projects(other.store) == ["pilot"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_draws_of_one_name_are_told_apart_equally_everywhere(room: Room, order: tuple[int, ...]) -> None:
    leads = [room.lead(name) for name in ("lead", "deputy", "third")]
    for seed, place in enumerate(leads):
        draw(place.store, "pilot", 2, seed=seed)
    for k in order:
        room.sync(leads[k])
    reports = room.sync(*(leads[k] for k in order), *leads)
    assert any(told.kind == "spot_names" for report in reports for told in report.notices)
    named = [{name: whole_of(place.store, name)["seed"] for name in projects(place.store)} for place in leads]
    assert named[0] == named[1] == named[2] and set(named[0].values()) == {0, 1, 2}
    assert [name for name in sorted(named[0]) if "~" not in name] == ["pilot"]
    for place in leads:  # the queue asks what the name says now
        state = place.queue(QueueFilter(), fresh=True)
        assert {spot.name for spot in state.spots} == set(named[0])


def test_what_vanished_from_the_folder_is_written_again(room: Room) -> None:
    lead, rater = room.lead(), room.place("li")
    draw(lead.store, "pilot", 2)
    room.sync(lead)
    for file in room.shared.rglob("*.gz"):
        file.unlink()
    (again,) = room.sync(lead)
    (came,) = room.sync(rater)
    assert (again.sent_others, again.sent_judges) == (3, 4)
    assert (came.draws, came.attributions, came.judges) == (1, 2, 4)


def test_attributions_wait_for_their_dialogue_and_join_it(room: Room) -> None:
    lead, bare = room.lead(), room.place("bare", items=False)
    room.sync(lead)
    (report,) = room.sync(bare)
    assert report.attributions == 2 and len(bare.store.attributions.waiting()) == 2
    bring(bare.store, room.dialogues)
    bring(bare.store, room.answers)
    assert len(_attributions(bare.store)) == 2 and bare.store.attributions.waiting() == []


def test_an_attribution_with_another_text_is_left_out_and_told(room: Room) -> None:
    lead, other = room.lead(), room.place("other")
    bring(other.store, write(room.folder / "b.jsonl", [attributed("d1", 0, attribution_summary="mine")]))
    room.sync(lead)
    (report,) = room.sync(other)
    assert [told.kind for told in report.notices] == ["attributions_differ"] and report.attributions == 1
    assert sorted(one.summary for one in _attributions(other.store)) == sorted(["mine", SECRET])


def test_a_draw_that_is_none_is_counted_and_left_in_the_folder(room: Room) -> None:
    from annotator.workspace.sync_riders import OtherRiders

    place = room.place("li")
    riders = OtherRiders(place.store)
    for bad in ({"project": "p"}, {"project": "p", "strata": [], "units": [["d1", ROW, "turn:0", 0]]}, "x"):
        riders.take([["d", bad]], "made")
    riders.take([["a"], ["a", "", {"judge": 3}]], "made")
    assert (riders.unknown, riders.draws, projects(place.store)) == (5, 0, [])
