"""The stage: one picture or frame, at any zoom, under the hand; or a sentence why there is none.

It paints what it is given and asks for nothing. Nothing is drawn over the picture but what the person asked for.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from annotator.ui import theme
from annotator.ui.i18n import tr
from annotator.ui.loupe import Loupe
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import StageState
from annotator.ui.navigator import Navigator
from annotator.ui.viewport import Viewport
from annotator.ui.widgets import EmptyState
from annotator.ui.widgets.base import Live

_REST_MS = 70
_NOTCH = 120


class MediaView(Live, QWidget):
    """The picture of the turn.

    Signals:
        pixel(x, y, colour): the picture pixel under the pointer; (-1, -1, None) beside it. The colour is a QColor, or
            None while only a preview is there.
        zoom_changed(text): the zoom in words, for the status bar.
        looked(rect, size): this part of the picture (QRectF in its pixels, QSizeF) is shown at 100 % or more.
        activated(): the action of the sentence on an empty stage.
    """

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    looked = Signal(object, object)
    activated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """An empty stage."""
        super().__init__(parent)
        self.setObjectName("mediaView")
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        self.viewport = Viewport()
        self._picture: ShownPicture | None = None
        self._state: StageState | None = None
        self._pointer: QPointF | None = None
        self._grip: QPointF | None = None
        self._hand = False
        self._moving = False
        self._wheel = 0
        self._zoom_text = ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._come_to_rest)
        self._sentences = (EmptyState("image-off", parent=self), EmptyState("lock", locked=True, parent=self))
        for sentence in self._sentences:
            sentence.activated.connect(self.activated)
            sentence.hide()
        self.loupe = Loupe(self)
        self.navigator = Navigator(self)
        self.navigator.moved_to.connect(self._look_at)
        self.go_live()

    # ------------------------------------------------------------------------------------------------- what is shown
    @property
    def picture(self) -> ShownPicture | None:
        """The picture on the stage."""
        return self._picture

    @property
    def state(self) -> StageState | None:
        """The sentence on the stage, None while a picture is shown."""
        return self._state

    def show_picture(self, picture: ShownPicture, *, keep: bool = False) -> None:
        """Show a picture; `keep` holds zoom and place: a sharper version of the same picture, or the next frame."""
        same = self._picture is not None and self._picture.full == picture.full
        self._picture = picture
        self._state = None
        self._retell()
        self.viewport.set_picture(picture.full.width(), picture.full.height(), keep=keep and same)
        self.navigator.show_picture(picture)
        self.loupe.show_picture(picture)
        self._changed()

    def show_state(self, state: StageState | None) -> None:
        """Show a sentence instead of a picture, or (None) an empty stage while something is on its way."""
        self._picture = None
        self._state = state
        self.viewport.set_picture(0, 0)
        self.navigator.show_picture(None)
        self.loupe.show_picture(None)
        self._retell()
        self._changed()

    def zoom_text(self) -> str:
        """The zoom in words: `fit 47 %`, `200 %`, empty without a picture."""
        if self._picture is None or self.viewport.empty:
            return ""
        percent = f"{self.viewport.zoom * 100:.3g}" if self.viewport.zoom < 1 else f"{self.viewport.zoom * 100:.0f}"
        if self.viewport.mode == "fit":
            return tr("media.zoom_fit", percent=percent)
        if self.viewport.mode == "fill":
            return tr("media.zoom_fill", percent=percent)
        return tr("media.zoom_free", percent=percent)

    # ---------------------------------------------------------------------------------------------------- what to do
    def fit(self) -> None:
        """The whole picture."""
        self.viewport.fit()
        self._changed()

    def fill(self) -> None:
        """Cover the stage."""
        self.viewport.fill()
        self._changed()

    def zoom_to(self, zoom: float) -> None:
        """A zoom (1 = one screen pixel for each picture pixel) about the pointer where it is on the stage."""
        self.viewport.set_zoom(zoom, self._anchor())
        self._changed()

    def zoom_step(self, direction: int) -> None:
        """One zoom step in (1) or out (-1) about the pointer."""
        self.viewport.step(direction, self._anchor())
        self._changed()

    def turn(self) -> None:
        """Turn the view by a quarter; the file is not touched."""
        self.viewport.turn()
        self._changed()

    def set_hand(self, on: bool) -> None:
        """While Space is held a drag always pans."""
        self._hand = on
        self._show_cursor()

    def set_loupe(self, on: bool) -> None:
        """Show the loupe while its key is held; it follows the pointer."""
        if on and self._picture is not None:
            middle = QPointF(self.width() / 2, self.height() / 2)
            self.loupe.point_at(self._pointer or middle, self.viewport)
        self.loupe.setVisible(on and self._picture is not None)
        self.update()

    def toggle_navigator(self) -> bool:
        """Show or hide the navigator; whether it is wanted now."""
        self.navigator.set_wanted(not self.navigator.wanted)
        self._place_navigator()
        return self.navigator.wanted

    # ------------------------------------------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, then the visible part of the picture."""
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        painter.fillRect(event.rect(), theme.color("stage"))
        if self._picture is not None:
            self._picture.paint(painter, self.viewport, self._moving)
            if self.loupe.isVisible():
                self.loupe.paint_target(painter, self.viewport)

    def _changed(self) -> None:
        self._place_navigator()
        self.navigator.show_view(self.viewport)
        self._show_cursor()
        self._tell_pixel()
        self._tell_zoom()
        self._rest.start()
        self.update()

    def _come_to_rest(self) -> None:
        if self._moving:
            self._moving = False
            self.update()
        picture = self._picture
        if picture is not None and picture.native and self.viewport.zoom >= 1 and self.isVisible():
            self.looked.emit(self.viewport.visible(), self.viewport.picture)

    def _tell_zoom(self) -> None:
        text = self.zoom_text()
        if text != self._zoom_text:
            self._zoom_text = text
            self.zoom_changed.emit(text)

    def _tell_pixel(self) -> None:
        at = self.viewport.pixel_at(self._pointer) if self._pointer is not None and self._picture is not None else None
        if at is None or self._picture is None:
            self.pixel.emit(-1, -1, None)
            return
        colour: QColor | None = self._picture.colour_at(at)
        self.pixel.emit(at.x(), at.y(), colour)

    def _anchor(self) -> QPointF | None:
        """Where to zoom: the pointer, if it is over the picture."""
        if self._pointer is None or self.viewport.pixel_at(self._pointer) is None:
            return None
        return self._pointer

    def _look_at(self, at: QPointF) -> None:
        self.viewport.look_at(at)
        self._moving = True
        self._changed()

    def _place_navigator(self) -> None:
        self.navigator.set_needed(self._picture is not None and self.viewport.pannable())
        self.navigator.move(
            self.width() - self.navigator.width() - 8,
            self.height() - self.navigator.height() - 8,
        )

    # -------------------------------------------------------------------------------------------------------- events
    def resizeEvent(self, event: QResizeEvent) -> None:
        """The picture and the sentence keep their place in the new size."""
        self.viewport.set_view(self.width(), self.height(), self.devicePixelRatioF())
        for sentence in self._sentences:
            sentence.setGeometry(self.rect())
        self._changed()

    def changeEvent(self, event: QEvent) -> None:
        """A screen with another pixel ratio."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.viewport.set_view(self.width(), self.height(), self.devicePixelRatioF())
            self.update()
        super().changeEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms about the pointer, plain and Shift pan."""
        if self._picture is None:
            event.ignore()
            return
        self._pointer = event.position()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel += event.angleDelta().y()
            steps, self._wheel = int(self._wheel / _NOTCH), self._wheel - int(self._wheel / _NOTCH) * _NOTCH
            for _ in range(abs(steps)):
                self.viewport.step(1 if steps > 0 else -1, self._anchor())
        else:
            delta = QPointF(event.pixelDelta()) if not event.pixelDelta().isNull() else QPointF(event.angleDelta()) / 2
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and delta.x() == 0:
                delta = delta.transposed()
            self.viewport.pan(delta.x(), delta.y())
            self._moving = True
        self._changed()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() is Qt.MouseButton.LeftButton or event.button() is Qt.MouseButton.MiddleButton:
            self._grip = event.position()
            self._show_cursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while held; tell the pixel under the pointer."""
        self._pointer = event.position()
        if self._grip is not None and self._picture is not None:
            move = event.position() - self._grip
            self._grip = event.position()
            if self.viewport.pannable():
                self.viewport.pan(move.x(), move.y())
                self._moving = True
                self._changed()
        self._tell_pixel()
        if self.loupe.isVisible():
            self.loupe.point_at(self._pointer, self.viewport)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._grip = None
        self._show_cursor()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer comes in."""
        self._pointer = event.position()
        self._tell_pixel()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer leaves."""
        self._pointer = None
        self._tell_pixel()

    def _show_cursor(self) -> None:
        if self._grip is not None and self.viewport.pannable():
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._hand or (self._picture is not None and self.viewport.pannable()):
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.unsetCursor()

    # ---------------------------------------------------------------------------------------------------------- live
    def retranslate(self) -> None:
        """Texts of the language in force."""
        self.setAccessibleName(tr("media.view_name"))
        self._retell()
        self._tell_zoom()

    def _retell(self) -> None:
        state = self._state
        for sentence in self._sentences:
            sentence.setVisible(state is not None and sentence is self._sentences[state.locked])
        if state is None:
            self.setAccessibleDescription("")
            return
        title, why, action = state.texts()
        sentence = self._sentences[state.locked]
        sentence.set_icon(state.icon, state.role)
        sentence.set_texts(title, why, action)
        self.setAccessibleDescription(title)

    def sizeHint(self) -> QSize:
        """Room for a picture."""
        return QSize(640, 470)

    def native_point(self, at: QPointF) -> QPoint | None:
        """The picture pixel under a position on the stage."""
        return self.viewport.pixel_at(at)
