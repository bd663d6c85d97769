"""What the workspace tells about syncing: frozen values for the window and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class CameIn:
    """How many new events of one rater on one device came in."""

    rater: str
    device: str
    events: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """A file in the folder that could not be taken, or is not there; it cost nothing.

    Attributes:
        kind: torn, altered, foreign, newer, unreadable, duplicate, missing, gone.
        place: where in the folder.
        why: a sentence.
    """

    kind: str
    place: str
    why: str


@dataclass(frozen=True, slots=True)
class Told:
    """Something about a sync that a person should know.

    Attributes:
        kind: `clock_own`, `clock`, `renamed`, `lines`, `rubric_text`, `rubric_other`; of differences `bundle`, `log`,
            `rows`.
        why: a sentence; `who`: the device, file or rubric it is about; `n`, `of`: its numbers (seconds of a clock,
            negative where it is behind; labels that are here or lacking, and that should be).
    """

    kind: str
    why: str
    who: str = ""
    n: int = 0
    of: int = 0


@dataclass(frozen=True, slots=True)
class WaitingItem:
    """A dialogue of which labels came and which is not imported here: they are shown once it is."""

    item_id: str
    source_id: str
    title: str
    events: int


@dataclass(frozen=True, slots=True)
class Aside:
    """An event kept in quarantine: its id, whose it is, what it is about, why it was not taken in, and when.

    `seen` says that a person has acknowledged it: it stays, and is no difference any more.
    """

    event_id: str
    rater: str
    device: str
    about: str
    reason: str
    at: str
    seen: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """One of several statements that rival each other."""

    event_id: str
    value: Any
    device: str
    at: str
    here: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """One thing that one rater said differently on two devices; settled by saying it once more.

    Attributes:
        title, source_id: of the dialogue; `shown`: what this rater knows the responder by.
        sides: what was said, in the order of their ids.
    """

    item_id: str
    responder: str | None
    target: str
    field: str
    phase: str
    title: str
    source_id: str
    shown: str
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did.

    Attributes:
        folder, hub, device: where, and which device this is now.
        at: UTC, ISO 8601.
        sent: events written; `sent_judges`: judge records written; `bundles_written`, `bundles_read`.
        received: new events; `came_in`: of whom; `duplicates`: known already.
        quarantined: events of this sync that were kept aside, as sentences.
        judges: judge records taken in; `judges_waiting` of them without their dialogue; `judges_differ` left out since
            another text is here under their id.
        attributions, draws: error attributions and drawn spot-checks taken in; `sent_others` of both written.
        troubles: files that were not taken, or are gone.
        notices: what is to be told: clocks, a new device id, another rubric text.
        waiting: dialogues that are missing here.
        differences: counts or digests that differ from what the folder says; none when all is well.
        stopped: a sentence why labels could not be written to the folder though others were read, else "".
        conflicts: keys of this rater on which devices differ.
        events, raters, devices: what the workspace holds now.
        seconds: how long it took.
    """

    folder: str
    hub: str
    device: str
    at: str
    sent: int = 0
    sent_judges: int = 0
    bundles_written: int = 0
    bundles_read: int = 0
    received: int = 0
    came_in: tuple[CameIn, ...] = ()
    duplicates: int = 0
    quarantined: tuple[str, ...] = ()
    judges: int = 0
    judges_waiting: int = 0
    judges_differ: int = 0
    attributions: int = 0
    draws: int = 0
    sent_others: int = 0
    troubles: tuple[Trouble, ...] = ()
    notices: tuple[Told, ...] = ()
    waiting: tuple[WaitingItem, ...] = ()
    differences: tuple[Told, ...] = ()
    stopped: str = ""
    conflicts: int = 0
    events: int = 0
    raters: int = 0
    devices: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether all labels are where they belong on both sides."""
        return not self.differences and not self.stopped

    def raw(self) -> dict[str, Any]:
        """As JSON."""
        held = {name: getattr(self, name) for name in self.__slots__}
        for name in _PARTS:  # by hand: `asdict` copies hundreds of waiting items at each sync that brings nothing
            held[name] = [{slot: getattr(entry, slot) for slot in entry.__slots__} for entry in held[name]]
        return {"ok": self.ok, **held}

    @staticmethod
    def of(raw: dict[str, Any]) -> SyncReport:
        """Read it back."""
        held: dict[str, Any] = {
            k: tuple(v) if isinstance(v, list) else v for k, v in raw.items() if k in SyncReport.__slots__
        }
        for name, kind in _PARTS.items():
            held[name] = tuple(kind(**entry) for entry in held.get(name, ()))
        return SyncReport(**held)


_PARTS: Final[dict[str, Any]] = {
    "came_in": CameIn, "troubles": Trouble, "waiting": WaitingItem, "notices": Told, "differences": Told,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SyncState:
    """How syncing stands, for the mark in the window's foot.

    Attributes:
        folder: the shared folder, None where none was chosen.
        minutes: how often to sync by itself, 0 for never.
        waiting: events made here that no bundle in the folder holds.
        last: what the last sync did; `last_at`: seconds since 1970 when it ended; None where there was none.
        conflicts: keys of this rater on which devices differ.
    """

    folder: Path | None
    minutes: int
    waiting: int
    last: SyncReport | None
    last_at: float | None
    conflicts: int
