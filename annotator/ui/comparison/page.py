"""The page of comparisons: the only place where its panels meet.

Panels take values and emit intents; this file connects them with the desk. Where the keyboard leads is in `way`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.domain.comparisons_sheet import OWN_ANSWER
from annotator.ui import density
from annotator.ui.comparison.aside import ComparisonAside
from annotator.ui.comparison.bars import ComparisonFoot, ComparisonItemBar
from annotator.ui.comparison.column import Waiting
from annotator.ui.comparison.desk import ComparisonDesk
from annotator.ui.comparison.layout import ComparisonLayout
from annotator.ui.comparison.notice import Notice
from annotator.ui.comparison.panel import ComparisonPanel
from annotator.ui.comparison.queue import ComparisonQueuePanel
from annotator.ui.comparison.ranking import RankingPanel
from annotator.ui.comparison.stage import ComparisonStage
from annotator.ui.comparison.twosome import Twosome
from annotator.ui.comparison.way import ComparisonWay
from annotator.ui.comparison.words import place_of
from annotator.ui.i18n import tr
from annotator.ui.key_table import Context, label
from annotator.ui.review_telling import SaveTelling
from annotator.ui.widgets import EmptyState
from annotator.workspace.views import Intent

if TYPE_CHECKING:
    from annotator.media.service import MediaService
    from annotator.ui.window import MainWindow
    from annotator.workspace.comparisons_views import ComparisonView


class Helper(Protocol):
    """What takes keys of this page before the page does: a reviewer's panel."""

    def handle(self, action: str) -> bool:
        """Do what an action means; whether it is one of ours."""


class ComparisonPage(QWidget):
    """Queue, media, responses, scores and ranking.

    Signals:
        shown(item id): another item is on the page.
    """

    shown = Signal(str)

    def __init__(
        self, desk: ComparisonDesk, window: MainWindow, make_service: Callable[[], MediaService] | None = None
    ) -> None:
        """Build the panels and connect them; the foot is placed by the window."""
        super().__init__()
        self.desk, self.window_ = desk, window
        self._router, self._status = window.router, window.status
        self.stage = ComparisonStage(make_service)
        self.aside = ComparisonAside()
        self.queue, self.itembar, self.foot = ComparisonQueuePanel(), ComparisonItemBar(), ComparisonFoot()
        self.panel, self.ranking = ComparisonPanel(self.stage, self.aside), RankingPanel()
        self.empty = EmptyState("columns-3")
        self.panels = ComparisonLayout(self.queue, self.itembar, self.panel, self.ranking, self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panels)
        self.telling = SaveTelling(desk.desk, window.status, window.messages, (self.stage,), self)
        self.helpers: list[Helper] = []
        self._shown_state: tuple[object, ...] | None = None
        # What was said is painted first; that it is on disk may be told at the event loop's next turn.
        self._behind = QTimer(self)
        self._behind.setSingleShot(True)
        self._behind.timeout.connect(self._catch_up)
        self.twosome = Twosome(self)
        self.notice = Notice(self)
        self.way = ComparisonWay(self)
        self._connect_desk()
        self._connect_panels()
        self._router.held.connect(self._held)
        density.bus().changed.connect(self.panels.remeasure)
        self._queue_changed()
        if desk.view is not None:
            self.show_item(desk.view)

    def _connect_desk(self) -> None:
        desk = self.desk
        desk.queue_changed.connect(self._queue_changed)
        desk.row_changed.connect(self._row_changed)
        desk.counted.connect(self._queue_changed)
        desk.item_ready.connect(self.show_item)
        desk.sheet_changed.connect(self._show)
        desk.read_ahead.connect(self.stage.prefetch)
        desk.desk.leaving.connect(self.flush)
        desk.desk.closed.connect(self._closed)
        desk.desk.outbox_changed.connect(self._behind.start)
        desk.desk.undo_changed.connect(self._undo_changed)

    def _connect_panels(self) -> None:
        desk, panel, ranking = self.desk, self.panel, self.ranking
        self.queue.chosen.connect(self.way.chosen)
        self.queue.filter_changed.connect(desk.set_filter)
        self.queue.make.clicked.connect(self.way.make)
        self.empty.activated.connect(self.way.fill)
        panel.said.connect(self.say_one)
        panel.drafted.connect(desk.save_draft)
        panel.uncover.connect(desk.look_beneath)
        ranking.said.connect(self.say)
        ranking.drafted.connect(desk.save_draft)
        ranking.pair_changed.connect(self.show_pair)
        self.aside.flagged.connect(self._item_flagged)
        self.aside.answered.connect(self._own_answer)
        self.aside.drafted.connect(self._own_draft)
        self.stage.peek_wanted.connect(self._peek)
        self.stage.blurred.connect(self._blurred)

    # --- showing ----------------------------------------------------------------------------------------------
    def show_item(self, view: ComparisonView) -> None:
        """Show another item; the keyboard scores its first response."""
        self.queue.set_current(view.row.item_id)
        self.twosome.end()
        self.notice.begin(view)
        self.panels.show_empty(False)
        self._show(view)
        self.itembar.show_place(self.desk.place())
        self.way.begin(view)
        self.shown.emit(view.row.item_id)

    def _show(self, view: ComparisonView) -> None:
        outbox = self.desk.desk.outbox
        pending = frozenset((i.target, i.field) for i in outbox.unsaved(view.row.item_id, ""))
        waiting = Waiting(pending, outbox.failing)
        state = (view, waiting)
        if state == self._shown_state:
            return
        self._shown_state = state
        self.panel.show_item(view, waiting)
        self.ranking.show_item(view, waiting)
        self.itembar.show_item(view)
        self.foot.show_item(view)
        self.notice.look(view)

    def _catch_up(self) -> None:
        """What is on disk by now is no longer pending."""
        if self.desk.view is not None:
            self._show(self.desk.view)

    def _closed(self) -> None:
        self._shown_state = None
        self.twosome.end()
        for part in (self.stage, self.panel, self.ranking, self.aside):
            part.clear()
        self.foot.show_item(None)
        self.itembar.show_item(None)

    def _undo_state(self, state: tuple[bool, bool]) -> None:
        self._undo_changed(*state)

    def _undo_changed(self, undo: bool, redo: bool) -> None:
        self.itembar.undo.setEnabled(undo)
        self.itembar.redo.setEnabled(redo)

    def _queue_changed(self, _what: object = None) -> None:
        queue = self.desk.queue
        if queue is None:
            return
        self.queue.filters.take(self.desk.filter)
        self.queue.show_view(queue)
        self.itembar.show_place(self.desk.place())
        if not queue.total:
            can = self.desk.can_make
            self.empty.set_texts(
                tr("comparison.empty"), tr(f"comparison.empty_why_{'make' if can else 'import'}"),
                tr("comparison.make" if can else "comparison.to_import"),
            )  # fmt: skip
        self.panels.show_empty(not queue.total)
        self._tell_progress()

    def _row_changed(self, row: object, complete: int) -> None:
        self.queue.update_row(row, complete)
        self._tell_progress()

    def _tell_progress(self) -> None:
        queue = self.desk.queue
        if queue is not None and self.isVisible():
            self._status.progress.set_progress(queue.complete, queue.total)

    def page_shown(self) -> None:
        """The page is in front: it reads its queue where it has none, and takes the keyboard."""
        if self.desk.queue is None:
            self.desk.refresh_queue()
        workspace = self.desk.desk.workspace
        if workspace is not None:
            self.desk.desk.lanes.quick(workspace.undo_state, self._undo_state)
        self._tell_progress()
        self._status.show_zoom(self.stage.stage.zoom_text())
        self.way.take_keyboard()
        self.set_context()

    # --- saying -----------------------------------------------------------------------------------------------
    def say(self, intents: Sequence[Intent]) -> bool:
        """Say something of the shown item."""
        return self.desk.say(intents)

    def say_one(self, target: str, field: str, value: Any) -> None:
        """One statement."""
        self.say([Intent(target, field, value)])

    def _item_flagged(self, name: str, on: bool) -> None:
        self.say_one("item", f"flag:{name}", True if on else None)

    def _own_answer(self, text: str) -> None:
        self.say_one("item", OWN_ANSWER, text.strip() or None)

    def _own_draft(self, text: str) -> None:
        self.desk.save_draft("item", OWN_ANSWER, text)

    def _peek(self, facts: object) -> None:
        """Look beyond the gate: an event, and only then it opens."""
        if self.say([Intent("item", "peek", facts)]):
            self.stage.open_peek()

    def _blurred(self, on: bool) -> None:
        if on:
            self.telling.tell("info", tr("comparison.blurred", cap=label("unblur")), "blurred")
        else:
            self.window_.messages.dismiss("blurred")

    def show_pair(self) -> None:
        """Mark the two that are compared, while digits answer that and score nothing."""
        if not self.twosome.on:
            self.panel.set_pair(self.ranking.pair if self.way.ranking else ())

    def say_viewing(self) -> None:
        """What was looked at, once, when an item is done: a fact, never a block."""
        view = self.desk.view
        if view is not None and view.sheet.value("item", "viewing") is None:
            self.say([Intent("item", "viewing", self.stage.viewing())])

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.panel.flush()
        self.ranking.flush()

    def go_to(self, target: str, field: str) -> None:
        """Bring what a label is about into view."""
        place = place_of(target)
        if place is not None:
            self.way.to_scores()
            self.panel.go_to_place(place, field)
        elif field.startswith(("ranking", "constructed", "flag:all_")):
            self.way.to_ranking()

    # --- keys -------------------------------------------------------------------------------------------------
    @property
    def key_context(self) -> Context:
        """What keys mean now: scoring or ranking."""
        return self.way.context()

    def set_context(self) -> None:
        """Tell the router what keys mean now."""
        if self.isVisible():
            self._router.set_context(self.key_context)

    def key(self, action: str) -> None:
        """Do what a key means on this page."""
        self.desk.clock.touch()
        if not any(helper.handle(action) for helper in self.helpers):
            self.way.key(action)

    def _held(self, action: str, on: bool) -> None:
        if self.isVisible():
            self.stage.hold(action, on)

    # --- events -----------------------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        """The foot belongs to this page."""
        super().showEvent(event)
        self.foot.show()

    def hideEvent(self, event: QHideEvent) -> None:
        """The foot goes, and the progress is the dialogues' again."""
        super().hideEvent(event)
        self.foot.hide()
        self.notice.end()
        queue = self.desk.desk.queue
        if queue is not None:
            self._status.progress.set_progress(queue.complete, queue.total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The layout follows the window."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.panels.remeasure)

    def take_focus(self) -> None:
        """The keyboard is on the scores."""
        self.panel.setFocus(Qt.FocusReason.OtherFocusReason)

    def shut_down(self) -> None:
        """The window closes: no more pictures."""
        self.twosome.end()
        self.stage.close_media()
