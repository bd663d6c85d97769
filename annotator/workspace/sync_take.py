"""Taking in what other devices wrote into a shared folder, bundle by bundle; what is wrong with a file is told."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from annotator.cancel import CancelToken, check
from annotator.domain.wire import Wire
from annotator.errors import WorldError
from annotator.store import Store
from annotator.store.union import BATCH, Taken
from annotator.sync import BundleFault, Found, Header, Hub, Opened
from annotator.workspace.sync_facts import Facts
from annotator.workspace.sync_judges import Riders
from annotator.workspace.sync_views import Trouble

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
    notices: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    stopped: WorldError | None = None
    sent: int = 0
    sent_judges: int = 0
    written: int = 0
    read: int = 0
    present: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    headers: dict[str, tuple[Header, float]] = field(default_factory=dict)
    done: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        """Read what is remembered of this folder."""
        self.facts = Facts(self.store, self.hub.id)
        self.riders = Riders(self.store)
        self.riders.items = self.store.union.facts(self.facts.name("waiting")).get("", {})
        self.riders.judges = self.facts.listed("judges")
        self.riders.rubrics = self.facts.listed("rubrics")
        self.ridden = (len(self.riders.judges), len(self.riders.rubrics))

    # ---------------------------------------------------------------------------------------------------- taking in
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

    def _take(self, bundle: Opened, file: Found) -> None:
        """Take in one bundle; its note goes with its last events, in their transaction."""
        before = len(self.taken.quarantined), self.taken.inserted
        lines: list[Any] = []
        last: list[Wire] = []
        for wires, others in bundle.portions(BATCH, self.token):
            if last:
                self.store.union.take(last, self.taken)
            last = wires
            lines += others
        if lines:
            self.riders.take(lines, f"sync: {file.place}")
        trailer, header = bundle.trailer, bundle.header
        if trailer is None:
            raise BundleFault("torn", "has no end")
        note = self.facts.row(header, file.place, trailer, bundle.unknown)
        self.store.union.take(last, self.taken, self.facts.took(bundle.digest, note))
        self.present.add(bundle.digest)
        self.touched.update(trailer.sets)
        self.read += 1
        self._note_header(header, file.modified)
        if header.device == self.store.device and before != (len(self.taken.quarantined), self.taken.inserted):
            self.store.union.new_device()
            self.notices.append(
                "Another copy of this workspace wrote under this device's name: labels made here from now on carry a "
                "new device id; those that were made remain."
            )
        if bundle.unknown:
            self.notices.append(
                f"{file.place} also holds {bundle.unknown} lines of a newer version: they stay in the folder."
            )

    def _note_header(self, header: Header, modified: float) -> None:
        held = self.headers.get(header.device)
        if held is None or held[0].number < header.number:
            self.headers[header.device] = (header, modified)

    def trouble(self, kind: str, file: Found, why: str) -> None:
        """Tell about a file."""
        self.troubles.append(Trouble(kind, file.place, f"{file.place} {why}."))

    def tell_gone(self, files: list[Found]) -> None:
        """Bundles that lay here and do not any more: their labels are here and are written again."""
        gone = set(self.facts.bundles) - self.present
        if not gone:
            return
        places = sorted(str(self.facts.bundles[d]["place"]) for d in gone)
        for place in places[:20]:
            self.troubles.append(
                Trouble("gone", place, f"{place} is gone from the folder; its labels are kept here and written again.")
            )
        self.store.union.note({self.facts.name(f"b/{digest}"): None for digest in gone})
        for digest in gone:
            self.touched.update(self.facts.bundles.pop(digest)["sets"])

    def tell_gaps(self, files: list[Found]) -> None:
        """Numbers that are skipped: a bundle that is still on its way."""
        numbers: dict[str, set[int]] = {}
        for file in files:
            if file.number is not None:
                numbers.setdefault(file.folder, set()).add(file.number)
        for digest in self.present:
            row = self.facts.bundles[digest]
            numbers.setdefault(row["device"], set()).add(int(row["number"]))
        for device, held in sorted(numbers.items()):
            missing = [str(n) for n in range(1, max(held)) if n not in held]
            if missing:
                shown = ", ".join(missing[:10]) + (" …" if len(missing) > 10 else "")
                self.troubles.append(
                    Trouble("missing", device, f"Of device {device} bundle {shown} has not arrived: sync again later.")
                )

    def tell(self) -> None:
        """Tell how far it is, and stop here where somebody wants that."""
        check(self.token)
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total)
