"""The stage: one picture or frame, at any zoom, under the hand; or a sentence why there is none.

It paints what it is given and asks for nothing. Nothing is drawn over the picture but what the person asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.ui import theme
from annotator.ui.i18n import tr
from annotator.ui.loupe import Loupe
from annotator.ui.media_adjust import NEUTRAL, Adjustment
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import StageState
from annotator.ui.mediaview_hand import Hand
from annotator.ui.navigator import Navigator
from annotator.ui.viewport import Place, ViewChange
from annotator.ui.widgets import EmptyState
from annotator.ui.widgets.base import Live

_REST_MS = 70


class MediaView(Live, Hand):
    """The picture of the turn.

    Signals:
        pixel(x, y, colour): the picture pixel under the pointer; (-1, -1, None) beside it. The colour is a QColor, or
            None while only a preview is there.
        zoom_changed(text): the zoom in words, for the status bar.
        looked(rect, size): this part of the picture (QRectF in its pixels, QSizeF) is shown at 100 % or more.
        activated(): the action of the sentence on an empty stage.
        viewed(): zoom, place or turn of the view changed.
    """

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    looked = Signal(object, object)
    activated = Signal()
    viewed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """An empty stage."""
        super().__init__(parent)
        self.setObjectName("mediaView")
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(160, 120)
        # What is drawn over the picture because somebody asked for it.
        self.overlays: list[Callable[[QPainter], None]] = []
        self.keep_zoom = False
        self._adjust = NEUTRAL
        self._held: Place | None = None
        self._picture: ShownPicture | None = None
        self._state: StageState | None = None
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
        if self._held is not None and self.keep_zoom:
            self.viewport.set_picture(picture.full.width(), picture.full.height())
            self.viewport.take_place(self._held)
        else:
            keep = self.keep_zoom or (keep and same)
            self.viewport.set_picture(picture.full.width(), picture.full.height(), keep=keep)
        self._held = None
        self.navigator.show_picture(picture)
        self.loupe.show_picture(picture)
        self._changed()

    def show_state(self, state: StageState | None) -> None:
        """Show a sentence instead of a picture, or (None) an empty stage while something is on its way."""
        if self._picture is not None:
            self._held = self.viewport.place()
        self._picture = None
        self._state = state
        self.viewport.set_picture(0, 0)
        self.navigator.show_picture(None)
        self.loupe.show_picture(None)
        self._retell()
        self._changed()

    def expect(self) -> None:
        """A picture or a sentence of another dialogue comes at once: let go of the one shown, and paint nothing."""
        if self._picture is not None:
            self._held = self.viewport.place()
        self._picture = self._state = None

    @property
    def adjust(self) -> Adjustment:
        """How the view is lightened and stretched."""
        return self._adjust

    def set_adjust(self, adjust: Adjustment) -> None:
        """Lighten and stretch the view, and what the loupe shows of it; the picture's own values stay what they are."""
        self._adjust = self.loupe.adjust = adjust
        self.loupe.update()
        self.update()

    def sharper(self) -> None:
        """More of the picture's own pixels are at hand."""
        self.loupe.update()
        self._tell_pixel()
        self._rest.start()
        self.update()

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

    def follow(self, change: ViewChange) -> None:
        """Do what another view did."""
        self.viewport.follow(change)
        self._changed()

    def show_place(self, place: QRectF) -> None:
        """Bring a part of the picture into view; the zoom stays unless the part is larger than the view."""
        seen = self.viewport.visible()
        if place.width() > seen.width() or place.height() > seen.height():
            self.viewport.fit()
        else:
            self.viewport.look_at(place.center())
        self._changed()

    def set_cross(self, on: bool) -> None:
        """The next drag draws: say so by the pointer."""
        self._cross = on
        self._show_cursor()

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
            self._picture.paint(painter, self.viewport, self._moving, self._adjust)
            for overlay in self.overlays:
                overlay(painter)
            if self.loupe.isVisible():
                self.loupe.paint_target(painter, self.viewport)

    def _changed(self) -> None:
        self._place_navigator()
        self.navigator.show_view(self.viewport)
        self._show_cursor()
        self._tell_pixel()
        self._tell_zoom()
        self._rest.start()
        self.viewed.emit()
        self.update()

    def _come_to_rest(self) -> None:
        if self._moving:
            self._moving = False
            self.update()
        picture = self._picture
        if picture is not None and picture.shows_native(self.viewport) and self.isVisible():
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
