"""What a workspace remembers of a shared folder: which bundles it took in, and which events lie there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from annotator.domain.wire import Ranges, is_digest, joined, xor_of
from annotator.store import Store
from annotator.sync import DeviceSet, Header, Trailer

ROOT: Final = "sync/"
ACKNOWLEDGED: Final = f"{ROOT}acknowledged"  # how far a person has seen what is kept aside, by place


class Facts:
    """The notes about one hub, kept among the workspace's facts."""

    def __init__(self, store: Store, hub: str) -> None:
        """Read what there is."""
        self._store = store
        self._prefix = f"{ROOT}{hub}/"
        self.bundles: dict[str, dict[str, Any]] = store.union.facts(f"{self._prefix}b/")
        self.state: dict[str, Any] = store.union.facts(f"{self._prefix}state").get("", {})

    def name(self, rest: str) -> str:
        """The full name of a note."""
        return self._prefix + rest

    def known(self, digest: str | None) -> bool:
        """Whether a bundle was taken in."""
        return digest is not None and digest in self.bundles

    def row(self, header: Header, place: str, length: int, trailer: Trailer, unknown: int) -> dict[str, Any]:
        """What is noted about a bundle that was taken in or written."""
        return {
            "device": header.device, "number": header.number, "place": place, "size": length, "unknown": unknown,
            "last": trailer.last, "sets": {d: s.raw() for d, s in trailer.sets.items()},
        }  # fmt: skip

    def took(self, digest: str, row: dict[str, Any]) -> dict[str, Any]:
        """Remember a bundle; returns the note to be written with its last events."""
        self.bundles[digest] = row
        return {self.name(f"b/{digest}"): row}

    def sets(self, digest: str) -> dict[str, DeviceSet]:
        """Which events a bundle holds."""
        return {d: DeviceSet.of(s) for d, s in self.bundles[digest]["sets"].items()}

    def coverage(self, present: Iterable[str]) -> dict[str, Ranges]:
        """Device to the places of its log that lie in bundles which are there."""
        held: dict[str, list[tuple[int, int]]] = {}
        for digest in present:
            if digest in self.bundles:
                for device, raw in self.bundles[digest]["sets"].items():
                    held.setdefault(device, []).extend((int(a), int(b)) for a, b in raw["ranges"])
        return {device: joined(ranges) for device, ranges in held.items()}

    def reached(self, present: Iterable[str]) -> dict[str, int]:
        """How far each device says that it wrote its own log into the bundles that are there."""
        held: dict[str, int] = {}
        for digest in present:
            row = self.bundles[digest]
            held[row["device"]] = max(held.get(row["device"], 0), int(row["last"]))
        return held

    def listed(self, name: str) -> set[str]:
        """A noted list of names."""
        return set(self._store.union.facts(self.name(name)).get("", ()))


def explained(store: Store, device: str, said: DeviceSet) -> tuple[int, str]:
    """(count, exclusive or) of a device's events that a bundle names, as far as they are here or were acknowledged.

    An acknowledged event of quarantine counts where it was to stand; a row that holds its place does not.
    """
    count, xor = store.union.totals(device, said.ranges)
    seen = int(store.desk.get(ACKNOWLEDGED, 0))
    digests = [xor]
    for entry in store.labels.quarantine() if seen else ():
        event = entry["event"]
        seq, digest = event.get("seq"), event.get("digest")
        inside = isinstance(seq, int) and any(first <= seq <= last for first, last in said.ranges)
        if entry["place"] > seen or event.get("device") != device or not inside or not is_digest(digest):
            continue
        held, row = store.union.totals(device, ((seq, seq),))
        count += 1 - held
        digests += [digest, row]
    return count, xor_of(digests)
