"""The page of questions: the only place where its panels meet.

Panels take values and emit intents; this file connects them with the question desk and keeps the keyboard's way: what
a key means depends on whether the question is answered and whether a letter is to be confirmed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.domain.questions import box_share
from annotator.ui import density, keys
from annotator.ui.after_paint import AfterPaint
from annotator.ui.choice_bars import ChoiceFoot, ChoiceItemBar
from annotator.ui.choice_column import ChoiceColumn
from annotator.ui.choice_desk import QuestionDesk
from annotator.ui.choice_layout import ChoiceLayout
from annotator.ui.choice_queue import QuestionQueuePanel
from annotator.ui.choice_stage import ChoiceStage
from annotator.ui.choice_tray import ChoiceTray
from annotator.ui.choice_way import ChoiceWay
from annotator.ui.key_table import Context
from annotator.ui.review_telling import SaveTelling
from annotator.ui.statusbar import StatusBar
from annotator.ui.widgets import MessageBar

if TYPE_CHECKING:
    from annotator.media.service import MediaService
    from annotator.workspace.questions import QuestionView


class ChoicePage(QWidget):
    """Queue, image, question and choices, and what the answer reveals.

    Signals:
        shown(item id): another question is on the page.
    """

    shown = Signal(str)

    def __init__(
        self, desk: QuestionDesk, router: keys.KeyRouter, status: StatusBar, messages: MessageBar,
        make_service: Callable[[], MediaService] | None = None,
    ) -> None:  # fmt: skip
        """Build the panels and connect them; the foot is placed by the window."""
        super().__init__()
        self.desk, self._router, self._status = desk, router, status
        self.queue, self.itembar, self.stage = QuestionQueuePanel(), ChoiceItemBar(), ChoiceStage(make_service)
        self.tray, self.column, self.foot = ChoiceTray(), ChoiceColumn(), ChoiceFoot()
        self.panels = ChoiceLayout(self.queue, self.itembar, self.stage, self.tray, self.column)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panels)
        self.telling = SaveTelling(desk.desk, status, messages, (self.stage,), self)
        self._shown_state: tuple[object, ...] | None = None
        # What was said is painted first; that it is on disk may be told at the event loop's next turn.
        self._behind = QTimer(self)
        self._behind.setSingleShot(True)
        self._behind.timeout.connect(self._catch_up)
        # The image, the question and its choices are painted first; what stands around them follows.
        self._around = AfterPaint(self)
        self._around.due.connect(self._show_around)
        self.way = ChoiceWay(self)
        self._connect_desk()
        self._connect_panels()
        router.held.connect(self._held)
        density.bus().changed.connect(self.panels.remeasure)
        self._queue_changed()
        if desk.view is not None:
            self.show_question(desk.view)

    def _connect_desk(self) -> None:
        desk = self.desk
        desk.queue_changed.connect(self._queue_changed)
        desk.row_changed.connect(self._row_changed)
        desk.item_ready.connect(self.show_question)
        desk.sheet_changed.connect(self._sheet_changed)
        desk.read_ahead.connect(self.stage.prefetch)
        desk.read_ahead.connect(self.column.answers.prepare)
        desk.desk.leaving.connect(self.flush)
        desk.desk.closed.connect(self._closed)
        desk.desk.outbox_changed.connect(self._behind.start)

    def _connect_panels(self) -> None:
        desk, column = self.desk, self.column
        self.queue.chosen.connect(self.way.chosen)
        self.queue.filter_changed.connect(desk.set_filter)
        self.itembar.undo_wanted.connect(self.way.undo)
        self.itembar.redo_wanted.connect(self.way.redo)
        desk.desk.undo_changed.connect(self.itembar.set_undo)
        column.answers.answered.connect(self.answer)
        column.verdict.said.connect(self._judged)
        column.verdict.drafted.connect(self._draft)
        column.verdict.left.connect(self.take_keyboard)
        column.box.remove_wanted.connect(self._remove_box)
        column.letters.said.connect(desk.say)
        column.letters.current_changed.connect(self._letter_changed)
        self.stage.boxed.connect(self._boxed)
        self.stage.seen_changed.connect(self._around.start)
        self.foot.next_wanted.connect(self.way.next)
        self.foot.flagged.connect(self._flagged)

    # --- showing ------------------------------------------------------------------------------------------------
    def show_question(self, view: QuestionView) -> None:
        """Show another question; the keyboard answers it."""
        self.column.letters.leave()
        self.column.to_top()
        self._show(view)
        self.take_keyboard()
        self.shown.emit(view.row.item_id)

    def _show(self, view: QuestionView) -> None:
        outbox = self.desk.desk.outbox
        pending = frozenset(i.field for i in outbox.unsaved(view.row.item_id, ""))
        spent = self.desk.spent_ms.get(view.row.item_id, view.answer_ms)
        state = (view, pending, outbox.failing, spent)
        if state == self._shown_state:
            return
        self._shown_state = state
        self.stage.show_question(view)
        self.column.show_question(view, self.stage.picture, spent, pending, failing=outbox.failing)
        self._set_context()
        self._around.start()

    def _show_around(self) -> None:
        """Which row of the queue it is, the lines above and below, what was seen of the image and what is in the box.

        Once no question is open they are empty.
        """
        view, picture = self.desk.view, self.stage.picture
        self.itembar.show_question(view)
        self.itembar.show_picture(picture)
        self.foot.show_question(view)
        if view is not None:
            self.queue.set_current(view.row.item_id)
            self.column.show_box(view, picture)
        self.tray.show_image(view, picture, self.stage.session.viewing.seen_map(0))

    def _sheet_changed(self, view: QuestionView) -> None:
        self._show(view)

    def _catch_up(self) -> None:
        """What is on disk by now is no longer pending."""
        if self.desk.view is not None:
            self._show(self.desk.view)

    def _closed(self) -> None:
        self._shown_state = None
        self.stage.clear()
        self._show_around()

    def _queue_changed(self) -> None:
        queue = self.desk.queue
        if queue is not None:
            self.queue.show_view(queue)
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
        self.desk.ask_undo()
        self._tell_progress()
        self._status.show_zoom(self.stage.stage.zoom_text())
        self.take_keyboard()
        self._set_context()

    def take_keyboard(self) -> None:
        """The keyboard is on the choices, where letters and digits mean what the question asks for."""
        if self.isVisible():
            self.column.answers.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- saying -------------------------------------------------------------------------------------------------
    def answer(self, answer: str) -> None:
        """Answer, where that is still open."""
        if self.column.answers.answerable(answer):
            self.desk.say([("answer", answer)])

    def _judged(self, pairs: list[tuple[str, object]]) -> None:
        """With the verdict goes, once, what was looked at: a fact, never a block."""
        view = self.desk.view
        verdict = any(field == "key_verdict" for field, _ in pairs)
        if verdict and view is not None and view.sheet.value("viewing") is None:
            pairs = [*pairs, ("viewing", self.stage.viewing())]
        self.desk.say(pairs)

    def _flagged(self, field: str, on: bool) -> None:
        self.desk.say([(field, True if on else None)])

    def _boxed(self, rect: QRect, full: QSize) -> None:
        view = self.desk.view
        if view is None or not view.revealed:
            return
        box = [rect.x(), rect.y(), rect.width(), rect.height()]
        image = view.question.image
        asset = image.raw or image.inside if image is not None else None
        evidence = {
            "asset": asset, "time": None, "frame": None, "box": box,
            "share": round(box_share(box, full.width(), full.height()), 6), "bound": view.share_bound,
            "width": full.width(), "height": full.height(),
        }  # fmt: skip
        self.desk.say([("box", box), ("evidence", evidence)])

    def _remove_box(self) -> None:
        self.desk.say([("box", None), ("evidence", None)])
        self.take_keyboard()

    def _draft(self, text: str) -> None:
        view, workspace = self.desk.view, self.desk.desk.workspace
        if view is not None and workspace is not None and self.desk.can_write:
            item = view.row.item_id
            self.desk.desk.lanes.quick(lambda: workspace.save_draft(item, "", "item", "note", text))

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.column.verdict.flush()

    # --- keys ---------------------------------------------------------------------------------------------------
    @property
    def key_context(self) -> Context:
        """What keys mean now: answering, judging, or confirming a letter."""
        return self.way.context()

    def _set_context(self) -> None:
        if self.isVisible():
            self._router.set_context(self.key_context)

    def key(self, action: str) -> None:
        """Do what a key means on this page."""
        self.desk.clock.touch()
        self.way.key(action)

    def _letter_changed(self, model: str) -> None:
        if model:
            QTimer.singleShot(0, self, self.column.show_letter)
            self.take_keyboard()
        self._set_context()

    def _held(self, action: str, on: bool) -> None:
        if self.isVisible():
            self.stage.hold(action, on)

    # --- events -------------------------------------------------------------------------------------------------
    def showEvent(self, event: QShowEvent) -> None:
        """The foot belongs to this page."""
        super().showEvent(event)
        self.foot.show()

    def hideEvent(self, event: QHideEvent) -> None:
        """The foot goes, and the progress is the dialogues' again."""
        super().hideEvent(event)
        self.foot.hide()
        queue = self.desk.desk.queue
        if queue is not None:
            self._status.progress.set_progress(queue.complete, queue.total)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The layout follows the window."""
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.panels.remeasure)

    def shut_down(self) -> None:
        """The window closes: no more pictures."""
        self.stage.close_media()
