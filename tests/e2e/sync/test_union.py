"""Labels of several devices come together through a folder, and nothing is lost, doubled or overwritten."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.labels import LabelEvent
from annotator.domain.queue import QueueFilter
from annotator.domain.wire import Wire, line_of, wire_of
from annotator.errors import WorldError
from annotator.store import Draft, open_store
from annotator.store.union import Taken
from annotator.sync import DeviceSet
from annotator.workspace import syncing
from annotator.workspace.sync_facts import explained
from annotator.workspace.workspace import Workspace
from tests.e2e.sync.made import Place, bundles, equal, quiet
from tests.unit.store.made import MODELS, answers, dialogue, fill, judgement, the_id

Make = Callable[..., Place]


def test_two_devices_come_to_the_same(anna: Place, bo: Place, shared: Path) -> None:
    for k in range(3):
        anna.say(k + 1, turn=k)
        bo.say("cannot_judge", turn=k, item=1)
    assert anna.sync(shared).sent == 3
    came = bo.sync(shared)
    assert came.ok and came.received == 3 and came.sent == 3
    assert [(c.rater, c.events) for c in came.came_in] == [("anna", 3)]
    assert anna.sync(shared).received == 3
    equal([anna, bo])


def test_syncing_again_changes_nothing(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(4)
    quiet([anna, bo], shared)
    files = {f: f.read_bytes() for f in shared.rglob("*") if f.is_file()}
    for place in (anna, bo, anna):
        report = place.sync(shared, verify=True)
        assert (report.sent, report.received, report.duplicates, report.bundles_read) == (0, 0, 0, 0)
        assert report.ok
    assert {f: f.read_bytes() for f in shared.rglob("*") if f.is_file()} == files


def test_no_database_and_no_unfinished_file_ever_lies_in_the_folder(anna: Place, shared: Path) -> None:
    anna.say(4)
    anna.sync(shared)
    names = [f.name for f in shared.rglob("*") if f.is_file()]
    assert sorted(names) == sorted(["hub.json", bundles(shared)[0].name])
    assert b"SQLite" not in bundles(shared)[0].read_bytes()


def test_a_rater_sees_nothing_of_what_others_said(anna: Place, bo: Place, shared: Path) -> None:
    before = anna.door.queue(QueueFilter(), fresh=True)
    review = anna.door.review(the_id(0), MODELS[0])
    bo.say(1)
    bo.say("reject", field="verdict")
    bo.sync(shared)
    assert anna.sync(shared).received == 2
    assert anna.door.queue(QueueFilter(), fresh=True) == before
    now = anna.door.review(the_id(0), MODELS[0])
    assert (now.row, now.sheet, now.answers, now.drafts) == (review.row, review.sheet, review.answers, review.drafts)
    assert syncing.conflicts(anna.door) == []
    assert {c.current.key.rater for c in anna.store.labels.current()} == {"bo"}


def test_the_same_person_on_two_devices_is_asked_once(settle_in: Make, shared: Path) -> None:
    home, work = settle_in("home", "lin"), settle_in("work", "lin")
    home.say(2)
    work.say(5)
    home.say(3, turn=1)
    work.say(3, turn=1)  # equal: nothing to ask
    quiet([home, work], shared)
    (found,) = syncing.conflicts(home.door)
    assert [s.value for s in found.sides] == [2, 5] and [s.here for s in found.sides] == [True, False]
    assert home.door.rows([(the_id(0), MODELS[0])])[0].status == "conflict"
    syncing.settle(home.door, found, found.sides[1].event_id)
    assert syncing.conflicts(home.door) == []
    quiet([home, work], shared)
    equal([home, work])
    assert syncing.conflicts(work.door) == []
    values = [e.value for e in work.store.labels.events() if e.target == "turn:0"]
    assert sorted(values) == [2, 5, 5]  # what was not picked is kept


def test_labels_on_what_is_not_imported_wait_and_are_shown_then(settle_in: Make, shared: Path) -> None:
    home, bare = settle_in("home", "lin"), settle_in("bare", "lin", items=False)
    home.say(4)
    home.sync(shared)
    report = bare.sync(shared)
    (waiting,) = report.waiting
    assert (waiting.item_id, waiting.source_id, waiting.events) == (the_id(0), "d0", 1)
    assert bare.door.queue(QueueFilter()).total == 0
    fill(bare.store, [dialogue(0)], [answers(0, MODELS[0])])
    assert bare.door.queue(QueueFilter(), fresh=True).total == 1
    assert bare.door.sheet(the_id(0), MODELS[0], 3).value("turn:0", "accuracy") == 4
    assert bare.sync(shared).waiting == ()


def test_judge_records_ride_along_and_wait_where_their_dialogue_is_missing(settle_in: Make, shared: Path) -> None:
    home, other, bare = settle_in("home"), settle_in("other"), settle_in("bare", items=False)
    with home.store.imports.begin("judge", "made") as writer:
        writer.put_judge_records([(the_id(0), judgement(0)), (the_id(1), judgement(1))])
        writer.publish(_judge_report())
    assert home.sync(shared).sent_judges == 2
    assert other.sync(shared).judges == 2
    assert other.store.judges.records(the_id(0)) == home.store.judges.records(the_id(0))
    assert bare.sync(shared).judges_waiting == 2
    assert len(bare.store.judges.waiting()) == 2
    for place in (home, other, bare):
        report = place.sync(shared)
        assert (report.judges, report.sent_judges) == (0, 0)


def test_a_judge_record_with_another_text_is_left_out_and_told(settle_in: Make, shared: Path) -> None:
    home, other = settle_in("home"), settle_in("other")
    for place, score in ((home, 4), (other, 1)):
        with place.store.imports.begin("judge", "made") as writer:
            writer.put_judge_records([(the_id(0), judgement(0, score=score))])
            writer.publish(_judge_report())
    home.sync(shared)
    assert other.sync(shared).judges_differ == 1
    assert other.store.judges.records(the_id(0))[0].scores == {"accuracy": 1}


def _judge_report() -> object:
    from annotator.domain.report import ImportReport

    return ImportReport(kind="judge")


def test_a_copied_workspace_goes_on_under_a_name_of_its_own(anna: Place, shared: Path, tmp_path: Path) -> None:
    anna.say(2)
    anna.sync(shared)
    anna.door.close()
    shutil.copytree(anna.folder, tmp_path / "copy")
    anna.door = Workspace(open_store(anna.folder, write=True))
    copy = Place.__new__(Place)
    copy.folder, copy.said = tmp_path / "copy", set()
    copy.door = Workspace(open_store(copy.folder, write=True))
    try:
        assert copy.store.device != anna.store.device
        anna.say(3)
        copy.say(4)
        quiet([anna, copy], shared)
        equal([anna, copy])
        (found,) = syncing.conflicts(anna.door)
        assert {s.value for s in found.sides} == {3, 4}
    finally:
        copy.door.close()


def test_two_that_count_under_one_name_are_told_apart(anna: Place, bo: Place, shared: Path) -> None:
    """A machine that was cloned as a whole: nothing in the workspace could tell."""
    device = anna.store.device
    bo.store.labels.device = device
    anna.say(2)
    bo.say(5)
    anna.sync(shared)
    report = bo.sync(shared)
    assert "new device id" in report.notices[0].why and bo.store.device != device
    assert len(report.quarantined) == 1 and not report.ok
    assert bo.store.labels.quarantine()[0]["event"]["value"] == 2  # kept whole
    bo.say(4, turn=1)
    assert "rival others" in bo.sync(shared).differences[0].why
    # What others cannot take in under the old name was said once more under the new one.
    assert anna.sync(shared).ok
    said = {(c.current.key.rater, c.current.key.target): c.current.value for c in anna.store.labels.current()}
    assert said == {("anna", "turn:0"): 2, ("bo", "turn:0"): 5, ("bo", "turn:1"): 4}
    bo.check()


def test_one_id_with_two_contents_is_kept_aside_and_told(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(2)
    (event,) = anna.store.labels.events()
    other = replace(event, value=5, device="elsewhere")
    other = replace(other, digest=other.compute_digest())
    bo.store.labels.merge([other])
    anna.sync(shared)
    report = bo.sync(shared)
    assert report.quarantined == ("an event with this id and another content is here already",)
    assert not report.ok and report.differences
    assert [e.value for e in bo.store.labels.events()] == [5]
    (aside,) = syncing.quarantine(bo.door)
    assert aside.event_id == event.event_id and aside.about == f"{the_id(0)} turn:0 accuracy"  # never its value
    assert not aside.seen and not bo.sync(shared).ok
    assert syncing.acknowledge(bo.door) == 1 and syncing.acknowledge(bo.door) == 0
    assert syncing.quarantine(bo.door)[0].seen
    assert bo.sync(shared).ok and bo.sync(shared, verify=True).ok
    assert [e.value for e in bo.store.labels.events()] == [5]
    assert len(bo.store.labels.quarantine()) == 1  # kept whole


def test_what_was_acknowledged_hides_no_other_difference(anna: Place, bo: Place, shared: Path) -> None:
    device = anna.store.device
    bo.store.labels.device = device
    anna.say(2)
    bo.say(5)
    anna.sync(shared)
    assert len(bo.sync(shared).quarantined) == 1
    syncing.acknowledge(bo.door)
    assert bo.sync(shared, verify=True).ok
    bo.store.labels.device = device  # once more, behind what was acknowledged
    anna.say(3, turn=1)
    bo.say(1, turn=1)
    anna.sync(shared)
    report = bo.sync(shared)
    assert len(report.quarantined) == 1 and not report.ok
    assert syncing.acknowledge(bo.door) == 1 and bo.sync(shared).ok


def test_an_acknowledged_event_whose_digest_is_none_explains_nothing(anna: Place, bo: Place) -> None:
    anna.say(2)
    (event,) = anna.store.labels.events()
    taken = Taken()
    bo.store.union.take([line_of(wire_of(event)._replace(digest="no digest, but as long as one is"))], taken)
    assert len(taken.quarantined) == 1 and syncing.acknowledge(bo.door) == 1
    said = DeviceSet(((1, 1),), 1, event.digest)
    assert explained(bo.store, event.device, said) == (0, "0" * 32)
    bo.store.union.take([line_of(Wire(event.digest, wire_of(event).text.replace(",2,[]", ",3,[]")))], taken)
    assert len(taken.quarantined) == 2 and syncing.acknowledge(bo.door) == 1
    assert explained(bo.store, event.device, said) == (1, event.digest)


def test_what_a_newer_version_added_to_an_event_travels_unharmed(settle_in: Make, shared: Path, tmp_path: Path) -> None:
    first, second, third = settle_in("first"), settle_in("second"), settle_in("third")
    extra = json.dumps({"confidence": 0.7, "说明": 'a "quoted"\nline \\ and \ttab'}, ensure_ascii=False)
    drafts = [Draft("first", the_id(0), "turn:0", "accuracy", 3, responder=MODELS[0], extra=extra)]
    first.store.labels.append(drafts)
    first.sync(shared)
    second.sync(shared)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    second.sync(elsewhere)
    third.sync(elsewhere)
    (event,) = third.store.labels.events()
    assert event.extra == extra and event.compute_digest() == event.digest
    equal([first, second, third])


def test_every_kind_of_value_comes_through_as_it_is(anna: Place, bo: Place, shared: Path) -> None:
    texts = ["", 'a "b" \\ \n\r\t\b\f', "\x01\x1f", "\u2028 中文 😀", "half \ud800 pair", "null", "[1]"]
    drafts = [
        Draft("anna", the_id(0), f"turn:{k}", "reason:accuracy", text, responder=MODELS[0])
        for k, text in enumerate(texts)
    ]
    drafts.append(Draft("anna", the_id(0), "turn:0", "tags:accuracy", ["幻觉", "a"], responder=MODELS[0]))
    drafts.append(Draft("anna", the_id(0), "turn:0", "viewing", {"played": 0.25, "opened": 1}, responder=None))
    drafts.append(Draft("anna", the_id(0), "turn:0", "accuracy", None, responder=MODELS[0]))
    drafts.append(Draft('an"na', the_id(0), "turn:0", "flag:x", True, responder=MODELS[0]))
    made = anna.store.labels.append(drafts)
    anna.sync(shared)
    assert bo.sync(shared).received == len(made)
    assert sorted(bo.store.labels.events(), key=lambda e: e.seq) == made
    equal([anna, bo])


def test_taking_many_in_equals_taking_them_one_by_one(settle_in: Make, tmp_path: Path) -> None:
    source, one, many = settle_in("source"), settle_in("one"), settle_in("many")
    for n in range(30):
        source.say(n % 5 + 1, turn=n % 3, field=("accuracy", "relevance")[n % 2], item=n % 2)
    source.say("keep", field="verdict")
    events: list[LabelEvent] = list(source.store.labels.events())
    spoiled = [replace(events[3], event_id="altered", seq=900), replace(events[4], event_id="rival")]
    spoiled[1] = replace(spoiled[1], digest=spoiled[1].compute_digest())
    every = [*events[10:], *events[:20], *spoiled]
    merged = one.store.labels.merge(every)
    taken = Taken()
    many.store.union.take([line_of(wire_of(e)) for e in every[:25]], taken)
    many.store.union.take([line_of(wire_of(e)) for e in every[25:]], taken)
    many.store.union.take([line_of(Wire("0" * 32, '{"no":"event"}'))], taken)
    assert (taken.inserted, taken.duplicates) == (merged.inserted, merged.duplicates)
    assert sorted(q.event_id for q in taken.quarantined) == ["", *sorted(q.event_id for q in merged.quarantined)]
    assert many.events() == one.events() and many.current() == one.current()
    rows = [(the_id(i), m) for i in range(2) for m in MODELS[:2]]
    shown = [
        [(q.progress, q.session, q.verdict, q.status) for r in rows if (q := place.store.queue.row("source", *r))]
        for place in (many, one)
    ]
    assert shown[0] == shown[1] and len(shown[0]) == 4
    many.check()


def test_the_journal_has_what_came_in(anna: Place, bo: Place, shared: Path, tmp_path: Path) -> None:
    from annotator.store import rebuild_from_journal

    anna.say(2)
    anna.say('why "so"', field="reason:accuracy")
    anna.sync(shared)
    bo.sync(shared)
    held = bo.events()
    bo.door.close()
    (bo.folder / "workspace.db").write_bytes(b"broken")
    for extra in ("workspace.db-wal", "workspace.db-shm"):
        (bo.folder / extra).unlink(missing_ok=True)
    rebuild_from_journal(bo.folder, rater="bo")
    bo.door = Workspace(open_store(bo.folder, write=True))
    assert bo.events() == held


@pytest.mark.parametrize("begin_again", [False, True])
def test_an_emptied_folder_asks_and_removes_nothing(anna: Place, shared: Path, begin_again: bool) -> None:
    anna.say(2)
    anna.sync(shared)
    for path in shared.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if begin_again:
        assert anna.sync(shared, begin_again=True).sent == 1
        assert len(bundles(shared)) == 1
    else:
        with pytest.raises(WorldError, match="was emptied") as told:
            anna.sync(shared)
        assert told.value.code == "hub_gone" and list(shared.iterdir()) == []
    anna.check()


def test_another_folder_in_the_place_of_the_known_one_asks(
    anna: Place, bo: Place, shared: Path, tmp_path: Path
) -> None:
    anna.say(2)
    anna.sync(shared)
    other = tmp_path / "other"
    other.mkdir()
    bo.say(3)
    bo.sync(other)
    shared.rename(tmp_path / "away")
    other.rename(shared)
    with pytest.raises(WorldError, match="another shared folder") as told:
        anna.sync(shared)
    assert told.value.code == "hub_changed"
    report = anna.sync(shared, begin_again=True)
    assert (report.sent, report.received) == (1, 1)


def test_bundles_that_vanish_are_written_again(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(2)
    bo.say(3)
    quiet([anna, bo], shared)
    for file in bundles(shared):
        file.unlink()
    report = bo.sync(shared)
    assert [t.kind for t in report.troubles] == ["gone", "gone"] and report.sent == 2
    third = anna.sync(shared)
    assert third.ok and third.sent == 0
    equal([anna, bo])
