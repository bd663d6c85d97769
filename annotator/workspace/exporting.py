"""Labels out of a workspace, into files that programs read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from annotator import __version__
from annotator.cancel import CancelToken, check
from annotator.report.lines import Line, current_line, current_order, event_line, event_order
from annotator.report.writing import meta_file, write_lines
from annotator.store import CurrentLabel, Store
from annotator.workspace.assets import AssetBook


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote.

    Attributes:
        file, meta: the two files.
        lines: how many lines.
        conflicts: keys left out because devices of one rater disagree.
        withdrawn: keys left out because what was said was taken back.
        stale: lines about content that has changed since.
    """

    file: Path
    meta: Path
    lines: int
    conflicts: int = 0
    withdrawn: int = 0
    stale: int = 0


def export_labels(store: Store, file: Path, *, events: bool = False, token: CancelToken | None = None) -> Exported:
    """Write the current labels, or all events, as JSON Lines, with a `.meta.json` beside them; replaces older ones.

    Equal labels give an equal file, byte for byte, whatever order they came in.

    Raises:
        WorldError: when a file cannot be written; Cancelled: nothing was written.
    """
    held = [] if events else sorted(store.labels.current(), key=lambda c: current_order(c.current))
    kept = [c for c in held if not c.current.in_conflict and c.current.value is not None]
    conflicts = sum(c.current.in_conflict for c in held)
    withdrawn = len(held) - len(kept) - conflicts
    book = AssetBook(store)
    taken = [c for c in kept if of_taken_down(c.current.key.field, c.current.value, book)]
    kept = [c for c in kept if c not in taken] if taken else kept
    stale = 0 if events else sum(c.stale for c in kept)
    told = _Told(store)

    def meta(count: int, digest: str) -> dict[str, Any]:
        return {
            "file": file.name,
            "sha256": digest,
            "format": "jsonl",
            "content": "label events" if events else "current labels",
            "lines": count,
            "conflicts": conflicts,
            "withdrawn": withdrawn,
            "stale": stale,
            "taken_down": len(taken),
            "counts": told.counts(),
            "rubrics": sorted(told.rubrics),
            "workspace": store.desk.workspace_id,
            "app": f"rubric-annotator {__version__}",
        }

    lines = _event_lines(store, told, token) if events else _current_lines(store, kept, told, token)
    count, _ = write_lines(file, lines, token, meta)
    return Exported(file, meta_file(file), count, conflicts, withdrawn, stale)


def of_taken_down(field: str, value: Any, book: AssetBook) -> bool:
    """Whether a label leads to a file under takedown: it is kept in the log, and left out of exports."""
    pins = field == "evidence" or field.startswith("evidence:")
    return pins and isinstance(value, dict) and isinstance(value.get("asset"), str) and book.taken_down(value["asset"])


class _Told:
    """Counts what goes by, for the file beside the export."""

    def __init__(self, store: Store) -> None:
        self.rubrics: set[str] = set()
        self._raters: Counter[str] = Counter()
        self._phases: Counter[str] = Counter()
        self._items: set[str] = set()
        self.source_id = cache(self._source_id)
        self._store = store

    def _source_id(self, item_id: str) -> str | None:
        head = self._store.items.head(item_id)
        return None if head is None else head.source_id

    def take(self, line: Line) -> Line:
        if line["rubric"]:
            self.rubrics.add(line["rubric"])
        self._raters[line["rater"]] += 1
        self._phases[line["phase"]] += 1
        self._items.add(line["item"])
        return line

    def counts(self) -> dict[str, Any]:
        return {
            "items": len(self._items),
            "by_rater": dict(sorted(self._raters.items())),
            "by_phase": dict(sorted(self._phases.items())),
        }


def _current_lines(store: Store, labels: list[CurrentLabel], told: _Told, token: CancelToken | None) -> Iterator[Line]:
    # Language and working time stand in the events alone: one pass over the log instead of a query for each label.
    wanted = {c.current.heads[-1] for c in labels}
    found: dict[str, tuple[str, int]] = {}
    for event in store.labels.events():
        if event.event_id in wanted:
            found[event.event_id] = (event.lang, event.active_ms)
    check(token)
    for label in labels:
        lang, active_ms = found[label.current.heads[-1]]
        source_id = told.source_id(label.current.key.item_id)
        yield told.take(current_line(label.current, source_id, lang, active_ms, stale=label.stale))


def _event_lines(store: Store, told: _Told, token: CancelToken | None) -> Iterator[Line]:
    # Device by device, so that only one device's log is in memory at a time.
    for device in sorted({event.device for event in store.labels.events()}):
        check(token)
        for event in sorted(store.labels.events(device=device), key=event_order):
            yield told.take(event_line(event, told.source_id(event.item_id)))
