"""One sync of a workspace with a shared folder: take in what others wrote, write what the folder lacks, compare.

The order is such that a stop at any point costs nothing: what was taken in stays and is known by its own transaction,
and what was not is found again next time. Labels are only ever added, on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from annotator import __version__
from annotator.cancel import check
from annotator.domain.rubric import load_rubric
from annotator.domain.wire import Ranges, Wire, size, without
from annotator.errors import WorldError
from annotator.store.union import BATCH
from annotator.sync import LIMIT_S, Contents, DeviceSet, Header, sentence_about, skew_of
from annotator.workspace.sync_facts import explained
from annotator.workspace.sync_judges import all_records, identity, record_name, rubric_line
from annotator.workspace.sync_take import Taking
from annotator.workspace.sync_views import Told

# Events in one bundle at most: some ten megabytes, which a share carries in one go.
BUNDLE_EVENTS: Final = 100_000
_EVENT_BYTES: Final = 60  # what an event takes in a bundle, for the progress alone


@dataclass
class Run(Taking):
    """One sync; `go` does all of it and leaves its results in its fields."""

    def go(self, verify: bool = False) -> None:
        """Take in, write, compare.

        Raises:
            WorldError: the folder went away or this machine's disk is full; Cancelled. What was taken in until then
                stays, and nothing is lost.
        """
        self.hub.sweep(self.store.device)
        files = self.look(verify)
        new = [f for f in files if f.digest not in self.present and f not in self.damaged]
        own = self.store.device
        for file in sorted(new, key=lambda f: f.folder != own):  # our own first: are they all ours?
            check(self.token)
            self.take_file(file)
            self.done += file.size
            self.tell()
        self.tell_gone()
        self.tell_gaps(files)
        try:
            self._publish()
        except WorldError as error:
            if error.code not in ("disk_full", "folder_read_only") or error.path != str(self.hub.folder):
                raise
            self.stopped = error
        self._compare(verify)
        self._tell_clocks()
        self._count()

    # ------------------------------------------------------------------------------------------------------- writing
    def _publish(self) -> None:
        """Write what the folder lacks: our own events, and others' that lay here and do not any more."""
        lacking = self._lacking()
        records, others = self._judges_to_send(), self.riders.others.to_send(imports=self._imported())
        ours = rubric_line(load_rubric())
        named = f"{ours['name']}#{ours['hash']}"
        rubrics = [ours] if named not in self.riders.rubrics and (lacking or records or others) else []
        self.total += size(r for _, ranges in lacking for r in ranges) * _EVENT_BYTES
        portions = list(_portions(lacking)) or ([[]] if records or rubrics or others else [])
        for at, portion in enumerate(portions):
            riding = (records, rubrics, [line for _, line in others]) if at == 0 else ([], [], [])
            self._write(portion, *riding)
        for file in self.damaged:
            if file.folder == self.store.device:
                self.hub.set_aside(file)
        self.riders.judges.update(record_name(r) for _, r in records)
        self.riders.rubrics.update({named} if rubrics else ())
        self.riders.others.seen.update(name for name, _ in others)

    def _lacking(self) -> list[tuple[str, Ranges]]:
        coverage = self.facts.coverage(self.present)
        after = int(self.facts.state.get("arrival", 0)) if self.facts.bundles else 0
        devices = {*self.store.union.devices(after), *self.touched}
        held = ((d, without(self.store.union.ranges(d), coverage.get(d, ()))) for d in devices)
        return sorted(((d, r) for d, r in held if r), key=lambda found: (found[0] != self.store.device, found[0]))

    def _imported(self) -> bool:
        """Whether anything was imported since the folder was written to last, or what was written is there no more."""
        imports = [run.import_id for run in self.store.imports.published()][-1:]
        return imports != self.facts.state.get("imports") or not self.facts.bundles or self.riders.lost

    def _judges_to_send(self) -> list[tuple[str, Any]]:
        if not self._imported():
            return []
        return [(i, r) for i, r in all_records(self.store) if record_name(r) not in self.riders.judges]

    def _write(
        self,
        portion: list[tuple[str, Ranges]],
        records: list[tuple[str, Any]],
        rubrics: list[Any],
        others: list[list[Any]],
    ) -> None:
        store, union = self.store, self.store.union
        now = self.clock()
        number = 1 + max(
            (int(r["number"]) for r in self.facts.bundles.values() if r["device"] == store.device), default=0
        )
        number = max([number, *(1 + f.number for f in self.hub.files() if f.folder == store.device and f.number)])
        items = set().union(*(union.items_of(device, ranges) for device, ranges in portion))

        def events() -> Iterator[tuple[str, int, Wire]]:
            for device, ranges in portion:
                for seq, wire in union.wires(device, ranges):
                    yield device, seq, wire
                    self.done += _EVENT_BYTES
                    if seq % BATCH == 0:
                        self.tell()

        found = events()
        first = next(found, None)
        if first is None and not (records or rubrics or others):  # all of them were altered in the file
            self._check_written(portion, {})
            return
        header = Header(
            device=store.device, number=number, workspace=store.desk.workspace_id, rater=store.desk.rater,
            app=__version__, written_at=now, skew_s=round(self.hub.clock_ahead(store.device, self.clock), 3),
        )  # fmt: skip
        contents = Contents(
            events=found if first is None else chain([first], found),
            items=[told for item in sorted(items) if (told := identity(store, item)) is not None],
            judges=[(item, record.model_dump(mode="json")) for item, record in records],
            others=others,
            rubrics=rubrics,
            last=self._reached(portion),
        )
        place, digest, length, trailer = self.hub.write(header, contents, self.token)
        union.note(self.facts.took(digest, self.facts.row(header, place, length, trailer, 0)))
        self.present.add(digest)
        self.headers[store.device] = (header, now)
        self._check_written(portion, trailer.sets)
        self.written += 1
        self.sent += trailer.events
        self.sent_judges += len(records)
        self.sent_others += len(others)

    def _reached(self, portion: list[tuple[str, Ranges]]) -> int:
        """How far the folder will have our own log with this bundle."""
        own = self.store.device
        held = self.facts.coverage(self.present).get(own, ())
        return max((last for d, ranges in [(own, held), *portion] if d == own for _, last in ranges), default=0)

    def _check_written(self, portion: list[tuple[str, Ranges]], sets: dict[str, DeviceSet]) -> None:
        """An event that was altered in the file is not handed on; that must be told."""
        lost = sum(size(r) for _, r in portion) - sum(s.count for s in sets.values())
        if lost:
            why = (
                f"{lost} labels of this workspace are not what they were when they were made, and were not written to "
                "the folder: run annotator check."
            )
            self.differences.append(Told("rows", why, self.store.device, lost))

    # ----------------------------------------------------------------------------------------------------- comparing
    def _compare(self, verify: bool) -> None:
        """Compare what the folder says of itself with the rows that are here, bundle by bundle."""
        union = self.store.union
        for digest in sorted(self.present):
            row = self.facts.bundles[digest]
            if not verify and row.get("compared") and not self.touched & row["sets"].keys():
                continue
            same = True
            for device, said in self.facts.sets(digest).items():
                count, xor = union.totals(device, said.ranges)
                here = (count, xor) == (said.count, said.xor)
                if not here and explained(self.store, device, said) != (said.count, said.xor):
                    same = False
                    why = (
                        f"{row['place']} says that it holds {said.count} labels of device {device}, of which {count} "
                        f"are here{'' if count != said.count else ' with another content'}: they are kept aside or "
                        "rival others; nothing was overwritten."
                    )
                    self.differences.append(Told("bundle", why, row["place"], count, said.count))
            if same != bool(row.get("compared")):
                row["compared"] = same
                self.recompared.add(digest)

    def _count(self) -> None:
        """How much there is now; counted anew only where something came since it was counted last."""
        arrival, state = self.store.union.arrival(), self.facts.state
        if state.get("counted") != arrival:
            state |= {
                "counted": arrival,
                "events": self.store.labels.count(),
                "raters": len(self.store.labels.raters()),
                "waiting": None,
            }
        self.events, self.raters = int(state["events"]), int(state["raters"])

    def waiting(self, items: set[str]) -> dict[str, int]:
        """How many labels wait for each of some items that are not here; counted anew only where something came."""
        held: dict[str, int] | None = self.facts.state.get("waiting")
        if held is None or not held.keys() <= items:
            held = self.facts.state["waiting"] = self.store.union.events_about(items)
        return held

    def _tell_clocks(self) -> None:
        now = self.clock()
        for device, (header, modified) in sorted(self.headers.items()):
            ahead = skew_of(header, modified, now)
            if abs(ahead) > LIMIT_S:
                own = device == self.store.device
                who = "this computer" if own else f"device {device} ({header.rater or 'rater unknown'})"
                told = Told("clock_own" if own else "clock", sentence_about(who, ahead), device, round(ahead))
                self.notices.append(told)

    # ------------------------------------------------------------------------------------------------------ the notes
    def notes(self) -> dict[str, Any]:
        """What is to be remembered of this folder when the sync is over."""
        imports = [run.import_id for run in self.store.imports.published()][-1:]
        state = {
            "arrival": self.store.union.arrival() if self.stopped is None else self.facts.state.get("arrival", 0),
            **{name: self.facts.state.get(name) for name in ("counted", "events", "raters", "waiting")},
            "imports": imports if self.stopped is None else self.facts.state.get("imports"),
        }
        notes: dict[str, Any] = {self.facts.name("state"): state}
        notes |= {self.facts.name(f"b/{digest}"): self.facts.bundles[digest] for digest in self.recompared}
        if self.ridden != self.riders.seen():
            notes[self.facts.name("judges")] = sorted(self.riders.judges)
            notes[self.facts.name("rubrics")] = sorted(self.riders.rubrics)
            notes[self.facts.name("others")] = sorted(self.riders.others.seen)
        return notes


def _portions(lacking: list[tuple[str, Ranges]]) -> Iterator[list[tuple[str, Ranges]]]:
    """What is to be written, cut into bundles of at most `BUNDLE_EVENTS`."""
    portion: list[tuple[str, Ranges]] = []
    room = BUNDLE_EVENTS
    for device, ranges in lacking:
        for first, last in ranges:
            at = first
            while at <= last:
                end = min(last, at + room - 1)
                portion.append((device, ((at, end),)))
                room -= end - at + 1
                at = end + 1
                if room == 0:
                    yield portion
                    portion, room = [], BUNDLE_EVENTS
    if portion:
        yield portion
