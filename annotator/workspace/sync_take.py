"""Taking in what other devices wrote into a shared folder, bundle by bundle; what is wrong with a file is told."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from annotator.cancel import CancelToken, check
from annotator.domain.wire import event_of, size, without
from annotator.errors import WorldError
from annotator.store import Draft, Store
from annotator.store.union import BATCH, Taken
from annotator.store.values import Quarantined
from annotator.sync import BundleFault, Found, Header, Hub, Opened
from annotator.workspace.sync_facts import Facts
from annotator.workspace.sync_judges import Riders
from annotator.workspace.sync_riders import OtherRiders
from annotator.workspace.sync_views import Told, Trouble

Progress = Callable[[int, int], None]


@dataclass
class Taking:
    """The first half of a sync, and what both halves know and tell."""

    store: Store
    hub: Hub
    token: CancelToken | None = None
    progress: Progress | None = None
    clock: Callable[[], float] = time.time
    taken: Taken = field(default_factory=Taken)
    troubles: list[Trouble] = field(default_factory=list)
    notices: list[Told] = field(default_factory=list)
    differences: list[Told] = field(default_factory=list)
    stopped: WorldError | None = None
    sent: int = 0
    sent_judges: int = 0
    sent_others: int = 0
    written: int = 0
    events: int = 0
    raters: int = 0
    read: int = 0
    damaged: list[Found] = field(default_factory=list)
    present: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    recompared: set[str] = field(default_factory=set)
    headers: dict[str, tuple[Header, float]] = field(default_factory=dict)
    done: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        """Read what is remembered of this folder."""
        self.facts = Facts(self.store, self.hub.id)
        self.riders = Riders(self.store, OtherRiders(self.store))
        self.riders.items = self.store.union.facts(self.facts.name("waiting")).get("", {})
        self.riders.judges = self.facts.listed("judges")
        self.riders.rubrics = self.facts.listed("rubrics")
        self.riders.others.seen = self.facts.listed("others")
        self.ridden = self.riders.seen()

    # ---------------------------------------------------------------------------------------------------- taking in
    def look(self, verify: bool) -> list[Found]:
        """List the folder: what was taken in before is known by its name, as long as it is what it was."""
        files = self.hub.files()
        for file in files:
            if file.digest is None or not self.facts.known(file.digest):
                continue
            row = self.facts.bundles[file.digest]
            if file.size == row["size"] and not (verify and self._fault(file)):
                self.present.add(file.digest)
            else:
                self.trouble("altered", file, "is not what it was: its labels are here and are written again")
                self.damaged.append(file)
        self.total = sum(f.size for f in files if f.digest not in self.present)
        return files

    def _fault(self, file: Found) -> bool:
        check(self.token)
        try:
            self.hub.read(file)
        except BundleFault:
            return True
        return False

    def take_file(self, file: Found) -> None:
        """Take one file in, or tell what is wrong with it."""
        try:
            bundle = self.hub.read(file)
            if self.facts.known(bundle.digest):
                if bundle.digest in self.present:
                    self.trouble("duplicate", file, "is a copy of a bundle that lies here already")
                self.present.add(bundle.digest)
                return
            self._take(bundle, file)
        except BundleFault as fault:
            self.trouble(fault.kind, file, fault.why)
            if file.folder == self.store.device and fault.kind in ("torn", "altered"):
                self.damaged.append(file)

    def _take(self, bundle: Opened, file: Found) -> None:
        """Take in one bundle; its note goes with its last events, in their transaction."""
        before = len(self.taken.quarantined), self.taken.inserted
        lines: list[Any] = []
        last = b""
        for events, others in bundle.portions(BATCH, self.token):
            if last:
                self.store.union.take(last, self.taken)
            last = events
            lines += others
        if lines:
            self.riders.take(lines, f"sync: {file.place}")
        trailer, header = bundle.trailer, bundle.header
        if trailer is None:
            raise BundleFault("torn", "has no end")
        note = self.facts.row(header, file.place, file.size, trailer, bundle.unknown)
        self.store.union.take(last, self.taken, self.facts.took(bundle.digest, note))
        self.present.add(bundle.digest)
        self.touched.update(trailer.sets)
        self.read += 1
        self._note_header(header, file.modified)
        if header.device == self.store.device and before != (len(self.taken.quarantined), self.taken.inserted):
            self._rename(self.taken.quarantined[before[0] :])
        if bundle.unknown:
            why = f"{file.place} also holds {bundle.unknown} lines of a newer version: they stay in the folder."
            self.notices.append(Told("lines", why, file.place, bundle.unknown))

    def _rename(self, kept: list[Quarantined]) -> None:
        """Somebody else counts under this device's id: go on under another, and say again what would not travel.

        An event of ours at a place that the other holds too can be taken in by nobody who has that one. What still
        counts here of such events is said once more under the new id.
        """
        store = self.store
        old = store.device
        store.union.new_device()
        why = (
            "Another copy of this workspace wrote under this device's name: labels made here from now on carry a new "
            "device id; those that were made remain."
        )
        self.notices.append(Told("renamed", why, old))
        ids = {q.event_id for q in kept}
        rivals = {
            int(q["event"]["seq"]) for q in store.labels.quarantine() if q["event_id"] in ids and "seq" in q["event"]
        }
        heads = {i: c.current for c in store.labels.current() for i in c.current.heads} if rivals else {}
        drafts = []
        for seq in sorted(rivals):
            for _, wire in store.union.wires(old, ((seq, seq),)):
                event = event_of(wire)
                if event.event_id in heads and not heads[event.event_id].in_conflict:
                    drafts.append(
                        Draft(
                            event.rater, event.item_id, event.target, event.field, event.value, event.responder,
                            event.phase, event.rubric, event.lang, 0, event.item_revision, event.judged,
                        )
                    )  # fmt: skip
        store.labels.append(drafts)

    def _note_header(self, header: Header, modified: float) -> None:
        held = self.headers.get(header.device)
        if held is None or held[0].number < header.number:
            self.headers[header.device] = (header, modified)

    def trouble(self, kind: str, file: Found, why: str) -> None:
        """Tell about a file."""
        self.troubles.append(Trouble(kind, file.place, f"{file.place} {why}."))

    def tell_gone(self) -> None:
        """Bundles that lay here and do not any more: their labels are here and are written again."""
        gone = set(self.facts.bundles) - self.present
        if not gone:
            return
        there = {f.place for f in self.damaged}
        places = sorted(
            str(self.facts.bundles[d]["place"]) for d in gone if self.facts.bundles[d]["place"] not in there
        )
        for place in places[:20]:
            self.troubles.append(
                Trouble("gone", place, f"{place} is gone from the folder; its labels are kept here and written again.")
            )
        self.riders.forget()
        self.store.union.note({self.facts.name(f"b/{digest}"): None for digest in gone})
        for digest in gone:
            self.touched.update(self.facts.bundles.pop(digest)["sets"])

    def tell_gaps(self, files: list[Found]) -> None:
        """Labels that a device says it wrote and that lie in no bundle here: still on their way, or a real difference.

        Either a bundle's number is skipped or one of its files could not be read; else there is nothing to wait for.
        """
        coverage = self.facts.coverage(self.present)
        for device, last in sorted(self.facts.reached(self.present).items()):
            lacks = size(without([(1, last)] if last else (), coverage.get(device, ())))
            if not lacks or device == self.store.device:
                continue
            held = {f.number for f in files if f.folder == device and f.number is not None}
            held |= {
                int(r["number"]) for d, r in self.facts.bundles.items() if d in self.present and r["device"] == device
            }
            missing = [str(n) for n in range(1, max(held, default=0)) if n not in held]
            if missing:
                shown = ", ".join(missing[:10]) + (" …" if len(missing) > 10 else "")
                why = f"Of device {device} bundle {shown} with {lacks} labels has not arrived: sync again later."
                self.troubles.append(Trouble("missing", device, why))
            elif not any(t.place.startswith(f"{device}/") for t in self.troubles):
                why = (
                    f"Device {device} says that it wrote {last} labels, of which {lacks} lie in no bundle of the "
                    "folder: sync on that device once more."
                )
                self.differences.append(Told("log", why, device, lacks, last))

    def tell(self) -> None:
        """Tell how far it is, and stop here where somebody wants that."""
        check(self.token)
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)
