"""The door itself: one open workspace, called by the window in its lanes and by the command line directly."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from annotator.cancel import CancelToken
from annotator.domain.gate import Strip
from annotator.domain.ids import REFERENCE, uuid7
from annotator.domain.items import Answer, Responder, Turn
from annotator.domain.labels import LabelEvent
from annotator.domain.queue import FINISHED, QueueFilter, QueueRow, facets
from annotator.domain.report import Choice, ImportReport, Problem
from annotator.domain.rubric import load_rubric
from annotator.domain.sheet import Sheet
from annotator.errors import WorldError
from annotator.store import Draft, Store, create_store, open_store
from annotator.workspace.names import Mask, shown_names
from annotator.workspace.outside import Outside
from annotator.workspace.reveal import RevealBook, closed_to
from annotator.workspace.saying import About, drafts_of, forget_drafts
from annotator.workspace.spots import SpotBook
from annotator.workspace.undo import UndoHistory
from annotator.workspace.views import Changes, Intent, QueueView, ReviewView, WorkspaceInfo, answers_of, marked_safety

if TYPE_CHECKING:
    from collections.abc import Mapping

    from annotator.domain.assets import AssetTerms
    from annotator.workspace.assets import AssetBook

PHASE: Final = "blind"
SAID: Final = ("blind", "revised", "open")  # what a row has to say of this rater
SUMMARY: Final = "cache/summary.json"
_log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]


class Workspace:
    """One open workspace; safe to call from several threads (the store serialises writes)."""

    def __init__(self, store: Store, rater: str | None = None) -> None:
        """Use an open store; `rater` overrides whose labels are made here."""
        self.store = store
        self.rater = rater or store.desk.rater
        self._lock = threading.RLock()
        self._history = UndoHistory(store, self.rater)
        self.reveals = RevealBook(store, self.rater)
        self._spots = SpotBook(store)
        self.outside = Outside(store)
        self._rows: dict[tuple[str, str], QueueRow] | None = None
        self._names: Mapping[str, str] | None = None
        self._assets: AssetBook | None = None

    @classmethod
    def create(cls, folder: Path, *, rater: str, show_model_names: bool = False) -> Workspace:
        """Make a workspace in an empty or absent folder.

        Raises:
            WorldError: when the folder is not empty or cannot be written.
        """
        return cls(create_store(folder, rater=rater, show_model_names=show_model_names))

    @classmethod
    def open(
        cls, folder: Path, *, read_only: bool = False, window: bool = False, rater: str | None = None
    ) -> Workspace:
        """Open a workspace; `window` claims it for a window, and reads only where another window holds it.

        Raises:
            WorldError: no workspace there, damaged, or made by a newer version.
        """
        store = open_store(folder, write=not read_only, window=window and not read_only)
        store.database.set_blind(window)  # raters work in windows; see `reveal`
        return cls(store, rater)

    def close(self) -> None:
        """Make a rolling backup where one is due, and let go of the files."""
        if not self.store.read_only:
            self._leave_summary()
            try:
                self.store.upkeep.maybe_backup()
            except WorldError as error:  # a full disk must not keep a window from closing
                _log.warning("no rolling backup: %s", error.sentence)
        self.store.close()

    def _leave_summary(self) -> None:
        """Write how far it is into the cache, for the welcome page, which opens no database."""
        if self._rows is None:
            return
        summary = {"complete": sum(r.finished for r in self._rows.values()), "rows": len(self._rows)}
        try:
            (self.store.folder / SUMMARY).write_text(json.dumps(summary), encoding="utf-8")
        except OSError as error:
            _log.warning("no summary: %s", error)

    def __enter__(self) -> Workspace:
        """For `with`."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # --- facts --------------------------------------------------------------------------------------------------
    @property
    def hide_names(self) -> bool:
        """Whether tested models are shown by alias only."""
        return not self.store.desk.show_model_names

    def info(self) -> WorkspaceInfo:
        """What is true of it now."""
        store = self.store
        return WorkspaceInfo(
            folder=store.folder,
            name=store.folder.name,
            rater=self.rater,
            read_only=store.read_only,
            why=store.why,
            hide_names=self.hide_names,
            dialogues=store.items.totals()["dialogues"],
            events=store.labels.count(),
            network_share=store.network_share,
            warnings=store.warnings,
            reveals=self.reveals.allowed,
            judges_closed=bool(closed_to(store, self.rater)),
        )

    def names(self) -> Mapping[str, str]:
        """Responder id -> what the window shows of it; kept with the rows, since each label asks for it."""
        held = self._names or shown_names(self.store.desk.aliases(self.rater), hide=self.hide_names)
        self._names = held
        return held

    def mask(self) -> Mask:
        """What takes tested models' names out of texts for the window."""
        return Mask(self.store.desk.aliases(self.rater), hide=self.hide_names)

    # --- the queue ----------------------------------------------------------------------------------------------
    def queue(self, wanted: QueueFilter, *, fresh: bool = False) -> QueueView:
        """The filtered rows with counts over all; `fresh` reads everything again."""
        with self._lock:
            every, found = self._all_rows(fresh), self._found(wanted.search)
            self._spots.project = wanted.project
            rows = self._spots.shown(every)
            shown = tuple(r for r in wanted.kept(rows) if found is None or found(r))
            counted, spots = facets(rows), self._spots.states(every)
            complete = sum(counted.statuses[status] for status in FINISHED)
            return QueueView(shown, len(rows), complete, counted, dict(self.names()), spots)

    def _all_rows(self, fresh: bool) -> list[QueueRow]:
        if self._rows is None or fresh:
            self._names = None
            names = self.names()
            read = (self._named(r, names) for r in self.store.queue.rows(self.rater, SAID))
            self._rows = {r.key: r for r in read}
        return list(self._rows.values())

    def _named(self, row: QueueRow, names: Mapping[str, str]) -> QueueRow:
        name = names.get(row.responder, row.alias)
        return row if name == row.alias else replace(row, alias=name)  # a copy of each of thousands takes its time

    def _found(self, search: str) -> Callable[[QueueRow], bool] | None:
        if not search:
            return None
        hits = self.store.items.search(search)
        return lambda row: (row.item_id, None) in hits or row.key in hits

    def rows(self, keys: Iterable[tuple[str, str]]) -> list[QueueRow]:
        """Some rows as they stand now."""
        with self._lock:
            names = self.names()
            read = (self.store.queue.row(self.rater, *key, SAID) for key in keys)
            found = [self._named(r, names) for r in read if r is not None]
            if self._rows is not None:
                self._rows.update((r.key, r) for r in found if r.key in self._rows)
            return self._spots.as_asked(found)

    # --- one row ------------------------------------------------------------------------------------------------
    def review(self, item_id: str, responder: str) -> ReviewView:
        """Everything to show one row.

        Raises:
            WorldError: no such dialogue or responder.
        """
        items, desk = self.store.items, self.store.desk
        dialogue = items.dialogue(item_id)
        chosen = responder or next(iter(items.responders_of(item_id)), REFERENCE)
        answered = items.responder(item_id, chosen)
        row = next(iter(self.rows([(item_id, chosen)])), None)
        if answered is None or row is None:
            raise WorldError(f'Nobody called "{chosen}" answered {dialogue.source_id}: choose another responder.')
        dialogue, terms = self.assets.apply(dialogue)
        own, own_terms = self.assets.apply_turns(answered.turns or ())
        turns, terms = own or dialogue.turns, terms | own_terms
        names = self.names()
        of_item = sorted(items.responders_of(item_id), key=lambda r: names.get(r, ""))
        return ReviewView(
            row=row,
            dialogue=dialogue,
            turns=turns,
            answers=self._shown_answers(turns, answered),
            responders=tuple((r, names.get(r, "")) for r in of_item),
            sheet=self.sheet(item_id, chosen, len(turns)),
            reveal=self.reveals.view(item_id, chosen, self.mask()),
            strip=Strip(dialogue.modality, turns),
            rubric=load_rubric(),
            drafts=desk.drafts(self.rater, item_id, chosen),
            read_only=self.store.read_only,
            terms=terms,
            safety=any(t.safety for t in terms.values()) or marked_safety(dialogue),
        )

    @property
    def assets(self) -> AssetBook:
        """The asset manifest."""
        with self._lock:
            if self._assets is None:
                from annotator.workspace.assets import AssetBook

                self._assets = AssetBook(self.store)
            return self._assets

    def bind_asset(self, name: str, file: Path) -> AssetTerms:
        """Bind a local copy to an asset that is released by reference only.

        Raises:
            WorldError: see `AssetBook.bind`.
        """
        return self.assets.bind(name, file)

    def check_media(self, token: CancelToken | None = None, progress: Progress | None = None) -> dict[str, Any]:
        """Decode every media file of the workspace: see `media_check.check_media`."""
        from annotator.workspace.media_check import check_media

        return check_media(self.store, token, progress)

    def _shown_answers(self, turns: Sequence[Turn], answered: Responder) -> tuple[Answer | None, ...]:
        """The answers; a runner's error message often names the model and is masked like every other text of ours."""
        mask = self.mask()
        return tuple(
            a if a is None or a.error is None else a.model_copy(update={"error": mask(a.error)})
            for a in answers_of(turns, answered)
        )

    def sheet(self, item_id: str, responder: str, turns: int) -> Sheet:
        """This rater's labels on one row."""
        cells, asked = self.reveals.cells(item_id, responder), self._spots.asked(item_id, responder)
        revealed = bool(self.reveals.opened(item_id, responder))
        return Sheet(item_id, responder, self.rater, PHASE, turns, cells, asked, revealed)

    def reveal(self, item_id: str, responder: str, lang: str = "") -> Changes | None:
        """Show this rater what judges said of a row that is committed; None where it stays closed.

        Raises:
            WorldError: it could not be written down, and so was not shown.
        """
        with self._lock:
            fact = self.reveals.fact(item_id, responder, lang)
            return None if fact is None else self._append([fact])

    def say(
        self,
        item_id: str,
        responder: str,
        intents: Sequence[Intent],
        active_ms: int,
        lang: str,
        seen: ReviewView | None = None,
    ) -> Changes:
        """Append statements as one transaction; returns when they are durable.

        `seen` is what the person had before them; see `saying.drafts_of`.

        Raises:
            WorldError: nothing was saved (disk full, read only, value that does not fit).
        """
        with self._lock:
            about = About(item_id, responder, self.rater, seen)
            drafts = drafts_of(self.store, self.reveals, about, intents, active_ms, lang)
            changes = self._append(drafts) if drafts else Changes()
            forget_drafts(self.store, self.rater, item_id, responder, intents)
            return changes

    def append(self, drafts: Sequence[Draft]) -> Changes:
        """Append statements about items of another kind, as one transaction that undo covers.

        Raises:
            WorldError: nothing was saved.
        """
        with self._lock:
            return self._append(drafts)

    def _append(self, drafts: Sequence[Draft]) -> Changes:
        events = self.store.labels.append(drafts)
        self._history.note(events)
        self.outside.wrote(len(events))
        return replace(self._changes(events), undo=self._history.state())

    def _changes(self, events: Sequence[LabelEvent]) -> Changes:
        touched: set[tuple[str, str]] = set()
        for event in events:
            if event.responder is not None:
                touched.add((event.item_id, event.responder))
            else:
                touched.update((event.item_id, r) for r in self.store.items.responders_of(event.item_id))
        self.rows(touched)
        cells = tuple((e.item_id, e.responder, e.target, e.field) for e in events)
        return Changes(rows=frozenset(touched), cells=cells, events=len(events))

    # --- undo ---------------------------------------------------------------------------------------------------
    def undo_state(self) -> tuple[bool, bool]:
        """Whether there is something to undo, and something to redo."""
        with self._lock:
            return self._history.state()

    def undo(self, lang: str = "") -> Changes | None:
        """Take this rater's last statement on this device back; None where there is nothing to take back."""
        with self._lock:
            return self._stepped(self._history.undo(uuid7(), lang))

    def redo(self, lang: str = "") -> Changes | None:
        """Say again what was taken back last; None where there is nothing."""
        with self._lock:
            return self._stepped(self._history.redo(uuid7(), lang))

    def _stepped(self, drafts: list[Draft]) -> Changes | None:
        changes = self._append(drafts) if drafts else None
        return None if changes is None else replace(changes, moved_to=changes.cells[0])

    # --- drafts -------------------------------------------------------------------------------------------------
    def save_draft(self, item_id: str, responder: str, target: str, field: str, text: str) -> None:
        """Keep a text that is being written; "" forgets it. Never raises: a draft is a courtesy, not a label."""
        if not self.store.read_only:
            try:
                self.store.desk.save_draft(self.rater, item_id, responder, target, field, text or None)
            except WorldError:
                return

    # --- importing ----------------------------------------------------------------------------------------------
    def import_source(
        self,
        source: Path,
        *,
        kind: str = "auto",
        media_roots: Sequence[Path] = (),
        model: str | None = None,
        token: CancelToken | None = None,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Bring a file or folder in; a refused source leaves the workspace as it was (`report.refused`).

        Raises:
            WorldError: no such source, media root or disk space; Cancelled: nothing was changed.
        """
        from annotator.workspace.importing import import_source

        report = import_source(
            self.store, source, kind=kind, media_roots=media_roots, model=model, token=token, progress=progress,
            rater=self.rater,
        )  # fmt: skip
        with self._lock:
            self._rows = self._assets = self._names = None
        return report

    def problems(self) -> list[Problem]:
        """What waits for a decision, with real names."""
        from annotator.workspace.problems import waiting

        return waiting(self.store)

    def decide(self, problem_id: str, choice: Choice) -> ImportReport | None:
        """Settle one problem.

        Raises:
            WorldError: no such problem, or a choice it does not offer.
        """
        from annotator.workspace.problems import decide

        result = decide(self.store, problem_id, choice)
        with self._lock:
            self._rows = self._names = None
        return result

    def backup(self, file: Path) -> Path:
        """Write a verified copy of the database."""
        return self.store.upkeep.backup(file)
