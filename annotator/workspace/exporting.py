"""Labels out of a workspace, into files that programs read and people open in a spreadsheet."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from annotator import __version__
from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.report.lines import Line, current_line, current_order, event_line, event_order
from annotator.report.tables_of_labels import FORMATS, write_table
from annotator.report.writing import meta_file, write_lines
from annotator.store import Store
from annotator.store.streaming import Streamed
from annotator.workspace.assets import AssetBook

Progress = Callable[[int, int], None]
LABEL_FORMATS: Final = ("jsonl", *FORMATS)
_TELL_EVERY: Final = 1_000


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote.

    Attributes:
        file, meta: the two files.
        lines: how many lines.
        conflicts: keys left out because devices of one rater disagree.
        withdrawn: keys left out because what was said was taken back.
        stale: lines about content that has changed since.
        taken_down: labels left out because they lead to a file under takedown.
        manifest: what a table could not hold as it was, `{code, count}` each; `manifest_file` has every cell.
    """

    file: Path
    meta: Path
    lines: int
    conflicts: int = 0
    withdrawn: int = 0
    stale: int = 0
    taken_down: int = 0
    manifest: list[dict[str, Any]] = field(default_factory=list)
    manifest_file: Path | None = None


def export_labels(
    store: Store,
    file: Path,
    *,
    format_name: str = "jsonl",
    events: bool = False,
    rater: str | None = None,
    token: CancelToken | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write the current labels, or all events (JSON Lines alone), with a `.meta.json` beside them; replaces older ones.

    Equal labels give an equal file, byte for byte, whatever order they came in; parquet's own library may differ.
    `rater` asks for the labels of one. `progress` is told the labels read and how many there are.

    Raises:
        WorldError: no such format, or a file that cannot be written; Cancelled: nothing was written.
    """
    if format_name not in LABEL_FORMATS or (events and format_name != "jsonl"):
        raise WorldError(f'There is no format "{format_name}" of this: use one of {", ".join(LABEL_FORMATS)}.')
    told = _Told(store, rater, token, progress)
    lines = told.events() if events else told.current()
    names = {"format": format_name, "content": "label events" if events else "current labels"}

    def meta(count: int, digest: str) -> dict[str, Any]:
        return {"file": file.name, "sha256": digest, **names, "lines": count, **told.facts()}

    if format_name == "jsonl":
        count, _ = write_lines(file, lines, token, meta)
        return told.exported(file, count)
    rows = ((line, told.kind(line["item"])) for line in lines)
    notes = write_table(file, rows, format_name, token, meta)
    return told.exported(file, notes.rows, notes.told, notes.file)


def of_taken_down(field: str, value: Any, book: AssetBook) -> bool:
    """Whether a label leads to a file under takedown: it is kept in the log, and left out of exports."""
    pins = field == "evidence" or field.startswith("evidence:")
    return pins and isinstance(value, dict) and isinstance(value.get("asset"), str) and book.taken_down(value["asset"])


class _Told:
    """The lines of one export, and what goes by, for the file beside it."""

    def __init__(self, store: Store, rater: str | None, token: CancelToken | None, progress: Progress | None) -> None:
        self._store, self._rater, self._token, self._progress = store, rater, token, progress
        self._book = AssetBook(store)
        self._rubrics: set[str] = set()
        self._raters: Counter[str] = Counter()
        self._phases: Counter[str] = Counter()
        self._items: set[str] = set()
        self._left: Counter[str] = Counter()
        self._stale = 0
        self._head = cache(store.items.head)

    def source_id(self, item_id: str) -> str | None:
        """An item's id in its source; None where the item is not there."""
        head = self._head(item_id)
        return None if head is None else head.source_id

    def kind(self, item_id: str) -> str:
        """What an item is; an id says it where the item is not there."""
        head = self._head(item_id)
        return item_id.partition(":")[0] if head is None else head.kind

    def current(self) -> Iterator[Line]:
        """The current labels, item by item: only one item's labels are in memory at a time."""
        total, done = self._store.labels.count_current(), 0
        with closing(self._store.labels.stream()) as held:
            for _, group in itertools.groupby(held, key=_item_of):
                labels = list(group)
                for before in range(done, done + len(labels)):
                    if before % _TELL_EVERY == 0:
                        self._tell(before, total)
                done += len(labels)
                yield from self._counting(labels)
        self._tell(done, total)

    def _tell(self, done: int, total: int) -> None:
        check(self._token)
        if self._progress is not None:
            self._progress(done, total)

    def _counting(self, labels: Iterable[Streamed]) -> Iterator[Line]:
        for held in sorted(labels, key=lambda s: current_order(s.label.current)):
            current = held.label.current
            if self._rater not in (None, current.key.rater):
                continue
            why = self._why_not(held)
            if why is not None:
                self._left[why] += 1
                continue
            self._stale += held.label.stale
            source_id = self.source_id(current.key.item_id)
            yield self._take(current_line(current, source_id, held.lang, held.active_ms, stale=held.label.stale))

    def _why_not(self, held: Streamed) -> str | None:
        current = held.label.current
        if current.in_conflict:
            return "conflicts"
        if current.value is None:
            return "withdrawn"
        return "taken_down" if of_taken_down(current.key.field, current.value, self._book) else None

    def events(self) -> Iterator[Line]:
        """All events, device by device, so that only one device's log is in memory at a time."""
        labels = self._store.labels
        for device in sorted({event.device for event in labels.events(rater=self._rater)}):
            check(self._token)
            for event in sorted(labels.events(device=device, rater=self._rater), key=event_order):
                yield self._take(event_line(event, self.source_id(event.item_id)))

    def _take(self, line: Line) -> Line:
        if line["rubric"]:
            self._rubrics.add(line["rubric"])
        self._raters[line["rater"]] += 1
        self._phases[line["phase"]] += 1
        self._items.add(line["item"])
        return line

    def facts(self) -> dict[str, Any]:
        """What the file beside the export says, once all lines went by.

        Hidden repeats of dialogues are named, so that nobody counts a dialogue twice without knowing it.
        """
        repeats = {again: once for again, once in self._store.desk.repeats().items() if again in self._items}
        return {
            "conflicts": self._left["conflicts"],
            "withdrawn": self._left["withdrawn"],
            "stale": self._stale,
            "taken_down": self._left["taken_down"],
            "counts": {
                "items": len(self._items),
                "by_rater": dict(sorted(self._raters.items())),
                "by_phase": dict(sorted(self._phases.items())),
            },
            **({"repeats": dict(sorted(repeats.items()))} if repeats else {}),
            "rubrics": sorted(self._rubrics),
            "workspace": self._store.desk.workspace_id,
            "app": f"rubric-annotator {__version__}",
        }

    def exported(
        self, file: Path, lines: int, manifest: list[dict[str, Any]] | None = None, manifest_file: Path | None = None
    ) -> Exported:
        """The whole as a value."""
        left = self._left
        return Exported(
            file, meta_file(file), lines, left["conflicts"], left["withdrawn"], self._stale, left["taken_down"],
            manifest or [], manifest_file,
        )  # fmt: skip


def _item_of(held: Streamed) -> str:
    return held.label.current.key.item_id
