"""The audit page: the only place where panels meet.

Panels take values and emit intents; this file connects them with the desk and keeps one thing of its own: which turn is
open (or the session), and the keyboard's way through turns, rows and items.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.domain.labels import turn_index
from annotator.domain.rubric import Level
from annotator.domain.sheet import Gap
from annotator.ui import density, i18n, keys
from annotator.ui.desk import Desk
from annotator.ui.evidence_wiring import EvidenceWiring
from annotator.ui.grid import ScoreGrid
from annotator.ui.i18n import tr
from annotator.ui.itembar import ItemBar
from annotator.ui.media_panel import MediaPanel
from annotator.ui.queue_wiring import QueueWiring
from annotator.ui.queuepanel import QueuePanel
from annotator.ui.reveal_flow import RevealFlow
from annotator.ui.review_layout import ReviewLayout
from annotator.ui.review_telling import Telling
from annotator.ui.shelf import SAID_FIRST_MS, soon
from annotator.ui.statusbar import StatusBar
from annotator.ui.tags_popup import TagPopup
from annotator.ui.transcript import TranscriptView
from annotator.ui.tray import Tray
from annotator.ui.verdictbar import VerdictBar
from annotator.ui.widgets import MessageBar
from annotator.workspace.views import Intent, ReviewView, asset_path

FACTS = frozenset({"viewing", "peek", "complete"})


class ReviewPage(QWidget):
    """Queue, media, texts, scores and verdict of one row.

    Signals:
        ready: the first row is shown.
    """

    ready = Signal()
    key_context = "dialogue"

    def __init__(self, desk: Desk, router: keys.KeyRouter, status: StatusBar, messages: MessageBar) -> None:
        """Build the panels and connect them; the verdict bar is placed by the window."""
        super().__init__()
        self.desk = desk
        self.turn: int | None = 0
        self._first = True
        self._marks: TagPopup | None = None
        self._finished_turns: set[str] = set()
        self._behind: ReviewView | None = None
        self._follow = soon(self, self._catch_up)
        self.queue = QueuePanel()
        self.itembar = ItemBar()
        self.media = MediaPanel()
        self.tray = Tray()
        self.transcript = TranscriptView()
        self.grid = ScoreGrid()
        self.verdict = VerdictBar()
        self.panels = ReviewLayout(self.queue, self.itembar, self.media, self.tray, self.transcript, self.grid)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panels)
        self.telling = Telling(desk, status, messages, self.grid, self.media, self)
        self._status = status
        self.reveal = RevealFlow(self)
        self._connect_desk()
        self._connect_panels()
        self._evidence = EvidenceWiring(self)
        self._rows = QueueWiring(desk, self.queue, status)
        router.held.connect(self._held)
        density.bus().changed.connect(self.panels.remeasure)

    # --- connections --------------------------------------------------------------------------------------------
    def _connect_desk(self) -> None:
        desk = self.desk
        desk.review_ready.connect(self.show_review)
        desk.sheet_changed.connect(self._sheet_changed)
        desk.saved.connect(self.grid.mark_saved)
        desk.outbox.saved.connect(self._catch_up)
        desk.moved.connect(self._moved)
        desk.read_ahead.connect(self._read_ahead)
        desk.leaving.connect(self._flush)
        desk.undo_changed.connect(self._undo_changed)
        desk.opened.connect(self._opened)

    def _connect_panels(self) -> None:
        desk = self.desk
        self.itembar.mode_chosen.connect(self._mode_chosen)
        self.itembar.responder_chosen.connect(desk.open_responder)
        self.itembar.undo_wanted.connect(self._undo)
        self.itembar.redo_wanted.connect(self._redo)
        self.transcript.turn_clicked.connect(self.open_turn)
        self.transcript.play_audio.connect(self._play_audio)
        self.transcript.mark_wanted.connect(self._mark)
        self.transcript.said.connect(self._said)
        self.grid.said.connect(self.say_beside)
        self.grid.draft.connect(desk.save_draft)
        self.grid.row_changed.connect(self.transcript.set_dimension)
        self.grid.turn_done.connect(self._turn_done)
        self.verdict.said.connect(self._said)
        self.verdict.gap_wanted.connect(self._next_gap)
        self.verdict.complete_wanted.connect(self._complete)
        self.verdict.complete_refused.connect(self._complete_refused)
        self.verdict.revising.connect(self._revising)
        self.verdict.hint.connect(desk.hint)
        self.tray.said.connect(self._said)
        self.tray.draft.connect(desk.save_draft)
        self.tray.turn_clicked.connect(self.open_turn)
        self.tray.left.connect(self.take_keyboard)
        self.media.peek_wanted.connect(self._peek)
        self.media.turn_clicked.connect(self.open_turn)

    # --- showing ------------------------------------------------------------------------------------------------
    def show_review(self, view: ReviewView) -> None:
        """Show another row at its first unfinished turn, first row current, keyboard in the grid."""
        sheet = view.sheet
        self._behind = None
        self.turn = self._first_turn(view)
        self._finished_turns = set(sheet.targets()) - {g.target for g in sheet.gaps()}
        self.transcript.show_review(view, self.turn)
        self.media.show_review(view, later=True)
        self._enter_turn(view)
        self.take_keyboard()
        if self._first:
            self._first = False
            self.ready.emit()

    def _read_ahead(self, view: ReviewView) -> None:
        """Prepare what likely comes next: its first picture, and the lines of its text."""
        turn = self._first_turn(view)
        self.media.prefetch(view, turn)
        self.transcript.prepare(view, turn)

    def _first_turn(self, view: ReviewView) -> int | None:
        first = view.sheet.next_gap()
        return self._turn_of(first.target if first else "turn:0", view)

    def _undo_changed(self, can_undo: bool, can_redo: bool) -> None:
        self.itembar.set_undo(can_undo=can_undo, can_redo=can_redo)

    def _opened(self) -> None:
        self._first = True

    def _turn_of(self, target: str, view: ReviewView) -> int | None:
        last, index = len(view.turns) - 1, turn_index(target)
        if target == "session" or last < 0:
            return None
        return last if index is None else min(index, last)

    def _enter_turn(self, view: ReviewView) -> None:
        # Text, grid and picture are painted before the other panels follow: see `_catch_up`.
        self.telling.forget("peeked", "media")
        self.transcript.show_turn(self.turn)
        self.grid.show_sheet(view, self.target)
        self.media.show_turn(self.turn, later=True)
        self._behind = view
        self._follow.start(0)

    @property
    def target(self) -> str:
        """The target that is scored now."""
        return "session" if self.turn is None else f"turn:{self.turn}"

    def open_turn(self, turn: int | None) -> None:
        """Open a turn (None = the session view)."""
        view = self.desk.view
        if view is None or turn == self.turn or (turn is not None and not 0 <= turn < len(view.turns)):
            return
        self._flush()
        self._catch_up()
        self.turn = turn
        self._enter_turn(self.desk.view or view)
        self.take_keyboard()

    def page_shown(self) -> None:
        """The page is in front."""
        self.take_keyboard()

    def take_keyboard(self) -> None:
        """The keyboard is in the grid."""
        if self.isVisible():
            self.grid.focus_grid()

    def _sheet_changed(self, view: ReviewView) -> None:
        # What is said is shown where it is said; all panels follow once that is painted and saved, or soon. What comes
        # otherwise (undo, a reveal) is painted before the other panels follow in the event loop's next turn.
        if not self.desk.outbox.waiting:
            self.grid.show_sheet(view, self.target)
        self._behind = view
        self._follow.start(SAID_FIRST_MS if self.desk.outbox.waiting else 0)

    def _catch_up(self) -> None:
        """Let all panels show the sheet as it stands; done before anything else is asked of them."""
        view, self._behind = self._behind, None
        if view is None:
            return
        self.grid.show_sheet(view, self.target)
        self.queue.set_current(view.row.key)
        self.transcript.show_review(view)
        self.itembar.show_review(view, self.turn)
        self.tray.show_review(view, self.turn)
        self.verdict.show_sheet(view)
        self.media.refresh(view)

    # --- saying -------------------------------------------------------------------------------------------------
    def _said(self, target: str, field: str, value: object) -> None:
        self.desk.say([Intent(target, field, value)])
        if self.desk.view is not None:
            self.grid.show_sheet(self.desk.view, self.target)
        if field not in FACTS:
            self.grid.mark_pending(target, field)

    def say_beside(self, target: str, field: str, value: object) -> None:
        """Say what the grid shows already, or has no row in it: evidence, what does not play."""
        self.desk.say([Intent(target, field, value)])

    def _turn_done(self, target: str) -> None:
        """With each completed turn the viewing facts are stored once: a fact, never a block."""
        index = turn_index(target)
        if index is not None and target not in self._finished_turns:
            self._finished_turns.add(target)
            self.desk.say([Intent(target, "viewing", self.media.viewing(index))])

    def _peek(self, what: object) -> None:
        # The gate opens only after the event is on its way to the log.
        if self.desk.can_write:
            self.desk.say([Intent(self.target, "peek", what)])
            self.media.open_peek()
            self.telling.tell("warn", tr("messages.peeked"), "peeked")

    def _complete(self) -> None:
        if self.desk.view is not None:
            self._flush()
            self.reveal.complete()

    def _complete_refused(self, sentence: str) -> None:
        view = self.desk.view
        gaps = view.sheet.gaps() if view else ()
        if gaps and self.desk.can_write:
            self.go_to(gaps[0])
            self.telling.tell("info", tr("messages.gaps_left", n=i18n.count(len(gaps))), "gaps")
        elif sentence:
            self.telling.tell("info", sentence, "gaps")

    def _undo(self) -> None:
        self._flush()
        self.desk.undo()

    def _redo(self) -> None:
        self._flush()
        self.desk.redo()

    def _flush(self) -> None:
        self.grid.flush()
        self.tray.flush()

    # --- moving -------------------------------------------------------------------------------------------------
    def _mode_chosen(self, mode: str) -> None:
        if mode == "session":
            self.open_turn(None)
        else:
            view = self.desk.view
            gap = view.sheet.next_gap() if view else None
            index = turn_index(gap.target) if gap else None
            self.open_turn(index if index is not None else 0)

    def _step_turn(self, by: int) -> None:
        view = self.desk.view
        if view is None:
            return
        last = len(view.turns) - 1
        if self.turn is None:
            self.open_turn(last if by < 0 else None)
        elif self.turn + by > last:
            self.open_turn(None)
        else:
            self.open_turn(self.turn + by)

    def _next_gap(self) -> None:
        verdict = self.verdict.has_keyboard()
        here = Gap("item", "verdict") if verdict else Gap(self.target, self.grid.current_dimension())
        gap = self.reveal.next_due(here) or self.desk.next_gap(here)
        if gap is not None:
            self.go_to(gap)

    def go_to(self, gap: Gap) -> None:
        """Bring what is missing, or to be said, under the cursor."""
        if gap.target == "item":
            self.verdict.buttons["keep"].setFocus(Qt.FocusReason.ShortcutFocusReason)
            return
        self.open_turn(turn_index(gap.target))
        self.grid.go_to(gap.field)
        self.take_keyboard()

    def _moved(self, target: str, field: str) -> None:
        """After undo and redo: bring the changed value into view."""
        if target != "item":
            self.open_turn(turn_index(target))
            self.grid.go_to(field.rpartition(":")[2])

    # --- keys ---------------------------------------------------------------------------------------------------
    def key(self, action: str) -> None:
        """Do what a key means on this page."""
        self.desk.clock.touch()
        self._catch_up()
        commands = {
            "turn_prev": (self._step_turn, -1),
            "turn_next": (self._step_turn, 1),
            "item_next": (self.desk.go, 1),
            "item_prev": (self.desk.go, -1),
        }
        single = {
            "next_gap": self._next_gap,
            "undo": self._undo,
            "redo": self._redo,
            "search": self._search,
            "toggle_queue": self.panels.toggle_queue,
            "tags": self._mark,
        }
        if action in commands:
            call, by = commands[action]
            call(by)
        elif action in single:
            single[action]()
        elif action == "verdict_revise" and self.verdict.verdict() == "revise":
            self.tray.show_edits()
        else:
            if action == "grid" and self.media.handle("grid"):
                self.take_keyboard()
                return
            panels = (self.verdict, self.grid, self.itembar, self.transcript, self.tray, self.media)
            any(panel.handle(action) for panel in panels)

    def _held(self, action: str, on: bool) -> None:
        if self.isVisible():
            self.media.hold(action, on)

    def _mark(self) -> None:
        """Name what is wrong with the selected stretch of the answer."""
        view = self.desk.view
        if view is None or not self.transcript.can_mark():
            self.grid.open_tags()
            return
        if self._marks is None:
            self._marks = TagPopup(self)
            self._marks.chosen.connect(self._marked)
            self._marks.closed.connect(self.take_keyboard)
        level: Level = "session" if self.turn is None else "turn"
        self._marks.open_for(self.transcript, view.rubric.tags_of(level), single=True)

    def _marked(self, tags: list[str]) -> None:
        if tags:
            self.transcript.mark_selection(tags[0])

    def _search(self) -> None:
        self.panels.show_queue()
        self.queue.filters.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- the rest -----------------------------------------------------------------------------------------------
    def _play_audio(self, turn: int) -> None:
        view = self.desk.view
        path = asset_path(view.turns[turn].audio) if view is not None else None
        if path is None:
            self.telling.tell("warn", tr("messages.no_sound"), "no_sound")
        elif self.turn is None or turn <= self.turn:
            self.media.play_audio(path)

    def _revising(self, on: bool) -> None:
        if on and self.turn is not None:  # fields are shown; the keyboard stays until V is pressed once more
            self.tray.set_open(True)
            self.tray.show_tab("edits")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The layout follows the window."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.panels.remeasure)

    def shut_down(self) -> None:
        """The window closes: silence the media."""
        self.media.close_media()
