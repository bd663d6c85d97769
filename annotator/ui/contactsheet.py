"""The contact sheet: sixteen frames of the turn's segment at once; a click goes to one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from annotator.domain.timecode import clock
from annotator.ui import fonts, style, theme
from annotator.ui.i18n import tr
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_parcels import frame_index, thumb_image, urgency_of, within
from annotator.ui.media_picture import haze
from annotator.ui.media_session import MediaSession
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

ACROSS, COUNT = 4, 16
_GAP = 6
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -ACROSS, Qt.Key.Key_Down: ACROSS}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


@dataclass(slots=True)
class SheetCell:
    """One frame of the sheet: where it is, and its picture once it has come."""

    stop: int
    at: Fraction
    image: QImage | None = None


class ContactSheet(Live, QWidget):
    """Covers the stage while it is wanted.

    Signals:
        chosen(stop, at): go there.
        left(): it was closed without a choice.
    """

    chosen = Signal(int, object)
    left = Signal()

    def __init__(self, stage: QWidget) -> None:
        """Hidden."""
        super().__init__(stage)
        self.setObjectName("contactSheet")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        keys = (*_MOVES, *_ENTER, Qt.Key.Key_Escape, Qt.Key.Key_Home, Qt.Key.Key_End)
        self.setProperty("keepsKeys", [int(k.value) for k in keys])
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.cells: list[SheetCell] = []
        self.current = 0
        self._head = ""
        stage.installEventFilter(self)
        self.hide()
        self.go_live()

    def show_cells(self, cells: list[SheetCell], head: str, current: int) -> None:
        """Show empty cells, to be filled as their frames come."""
        self.cells, self._head, self.current = cells, head, current
        self._cover()
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.update()

    def fill(self, number: int, image: QImage) -> None:
        """A frame has come."""
        if number < len(self.cells):
            self.cells[number].image = image
            self.update()

    def close_sheet(self) -> None:
        """Hide, and let go of the pictures."""
        self.cells = []
        self.hide()

    # -------------------------------------------------------------------------------------------------------- layout
    def box_of(self, number: int) -> QRectF:
        """Where a cell lies."""
        top = fonts.line_height("label") + 14
        down = -(-max(1, len(self.cells)) // ACROSS)
        width = (self.width() - _GAP * (ACROSS + 1)) / ACROSS
        height = (self.height() - top - _GAP * down) / down
        row, column = divmod(number, ACROSS)
        return QRectF(_GAP + column * (width + _GAP), top + row * (height + _GAP), width, height)

    def _cover(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())

    def _at(self, event: QMouseEvent) -> int | None:
        spot = event.position()
        return next((n for n in range(len(self.cells)) if self.box_of(n).contains(spot)), None)

    # ------------------------------------------------------------------------------------------------------ painting
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Heading and frames, each with its time."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("stage"))
        head = QRectF(_GAP + 4, 5, self.width() - 2 * _GAP - 8, fonts.line_height("label"))
        paint.draw_text(painter, head, self._head, fonts.font("label", 600, tabular=True), "text")
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        for number, cell in enumerate(self.cells):
            self._paint_cell(painter, self.box_of(number), cell)
            if number == self.current:
                style.draw_focus_ring(painter, self.box_of(number).adjusted(3, 3, -3, -3), 2)

    @staticmethod
    def _paint_cell(painter: QPainter, box: QRectF, cell: SheetCell) -> None:
        foot = fonts.line_height("meta") + 2
        painter.fillRect(box, theme.color("sunken"))
        room = box.adjusted(0, 0, 0, -foot)
        if cell.image is not None and not cell.image.isNull() and room.height() > 4:
            scale = min(room.width() / cell.image.width(), room.height() / cell.image.height())
            picture = QRectF(0, 0, cell.image.width() * scale, cell.image.height() * scale)
            picture.moveCenter(room.center())
            painter.drawImage(picture, cell.image)
        area = QRectF(box.left() + 5, box.bottom() - foot, box.width() - 8, foot)
        paint.draw_text(painter, area, clock(cell.at, 3), fonts.font("meta", tabular=True), "text2")

    # -------------------------------------------------------------------------------------------------------- events
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a frame."""
        number = self._at(event)
        if number is not None:
            self._choose(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The frame under the pointer is the current one."""
        number = self._at(event)
        if number is not None and number != self.current:
            self.current = number
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Enter goes, Esc closes."""
        key = Qt.Key(event.key())
        if key in _MOVES and self.cells:
            self.current = min(max(0, self.current + _MOVES[key]), len(self.cells) - 1)
            self.update()
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.cells:
            self.current = 0 if key == Qt.Key.Key_Home else len(self.cells) - 1
            self.update()
        elif key in _ENTER and self.cells:
            self._choose(self.current)
        elif key == Qt.Key.Key_Escape:
            self.close_sheet()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, number: int) -> None:
        cell = self.cells[number]
        self.close_sheet()
        self.chosen.emit(cell.stop, cell.at)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It covers the stage at any size."""
        if event.type() == QEvent.Type.Resize and watched is self.parentWidget():
            self._cover()
        return False

    def retranslate(self) -> None:
        """Its name."""
        self.setAccessibleName(tr("media.sheet_name"))


class SheetKeeper(QObject):
    """Chooses the instants, asks the gate for each, brings the frames."""

    def __init__(self, sheet: ContactSheet, session: MediaSession, loader: MediaLoader) -> None:
        """Nothing is asked for before it is opened."""
        super().__init__(sheet)
        self._sheet, self._session, self._loader = sheet, session, loader

    def open(self) -> bool:
        """Show the frames of the open turn's segment; False for pictures and while the clip is not open yet."""
        cells = self._cells()
        if not cells:
            return False
        turn = self._session.gate.turn
        values = {"start": clock(cells[0].at, 1), "end": clock(cells[-1].at, 1), "n": len(cells)}
        if turn is None:
            head = tr("media.sheet_head_session", **values)
        else:
            head = tr("media.sheet_head", turn=turn + 1, **values)
        at = self._session.at or Fraction(0)
        near = min(range(len(cells)), key=lambda n: abs(cells[n].at - at))
        self._sheet.show_cells(cells, head, near)
        for number, cell in enumerate(cells):
            self._ask(number, cell)
        return True

    def close(self) -> None:
        """Nothing of it is wanted any more."""
        self._loader.errands.give_up_all("sheet")
        self._sheet.close_sheet()

    def _cells(self) -> list[SheetCell]:
        """Up to sixteen instants in even steps, each the start of another frame."""
        film, bounds = self._session.film(), self._session.bounds()
        if film is None or bounds is None or bounds[0] != self._session.stop:
            return []
        stop, start, end = bounds
        limits = [x for x in (end, self._session.gate.limit(stop), film.duration) if x is not None]
        span = min(limits) - start
        wanted = (film.index_at(start + span * (2 * n + 1) / (2 * COUNT)) for n in range(COUNT))
        times = [film.times[index] for index in dict.fromkeys(wanted)]
        return [SheetCell(stop, at) for at in times if self._session.gate.allows(stop, at)]

    def _ask(self, number: int, cell: SheetCell) -> None:
        permit, film = self._session.gate.permit(cell.stop, cell.at), self._session.film()
        if permit is None or film is None:
            return
        index, soft = frame_index(permit, film), self._loader.blurred

        def made(frame: Any) -> QImage | None:
            if not within(permit, frame.time):
                return None
            return haze(thumb_image(frame.pixels)) if soft else thumb_image(frame.pixels)

        def home(image: QImage | None) -> None:
            if image is not None:
                self._sheet.fill(number, image)

        service = self._loader.service
        self._loader.errands.run(
            ("sheet", number),
            lambda lane: service.frame(permit.path, index, lane=lane, urgency=urgency_of(1)),
            made,
            home,
        )
