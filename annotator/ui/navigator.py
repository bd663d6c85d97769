"""The navigator: the whole picture small in a corner, with a frame of what the stage shows; drag it to go there."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from annotator.ui import density, fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.media_picture import ShownPicture
from annotator.ui.viewport import Viewport
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

_BOX = (152, 112)
_MARGIN = 4


class Navigator(Live, QWidget):
    """A small map of the picture.

    Signals:
        moved_to(point): the stage should show this picture position (QPointF) in its middle.
    """

    moved_to = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        """Hidden until wanted."""
        super().__init__(parent)
        self.wanted = False
        self._needed = False
        self._picture: ShownPicture | None = None
        self._map = Viewport()
        self._seen = QRectF()
        self._zoom = 1.0
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.hide()
        self.go_live()

    def set_wanted(self, wanted: bool) -> None:
        """The person's choice."""
        self.wanted = wanted
        self.setVisible(wanted and self._needed)

    def set_needed(self, needed: bool) -> None:
        """Whether there is anything to navigate."""
        self._needed = needed
        self.setVisible(self.wanted and needed)

    def show_picture(self, picture: ShownPicture | None) -> None:
        """The picture to show small."""
        self._picture = picture
        if picture is not None:
            self._map.set_picture(picture.full.width(), picture.full.height())
        self.update()

    def show_view(self, stage: Viewport) -> None:
        """The part of the picture that the stage shows."""
        if self._picture is None:
            return
        self._seen, self._zoom = stage.visible(), stage.zoom
        self._map.quarters = stage.quarters
        self._fit()

    def _fit(self) -> None:
        size = self._map.turned()
        if size.isEmpty():
            return
        scale = min(_BOX[0] / size.width(), _BOX[1] / size.height())
        width, height = max(24, round(size.width() * scale)), max(16, round(size.height() * scale))
        foot = density.scaled(18)
        self.resize(max(width, density.scaled(124)) + 2 * _MARGIN, height + _MARGIN + foot)
        self._map.set_view(width, height, self.devicePixelRatioF())
        self.update()

    def _origin(self) -> QPointF:
        return QPointF((self.width() - self._map.transform().mapRect(self._whole()).width()) / 2, _MARGIN)

    def _whole(self) -> QRectF:
        return QRectF(QPointF(0, 0), self._map.picture)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Map, frame, size."""
        painter = QPainter(self)
        paint.frame(painter, QRectF(self.rect()), theme.color("panel"), theme.color("line"), 0.0)
        if self._picture is None or self._map.empty:
            return
        origin = self._origin()
        painter.save()
        painter.translate(origin)
        self._picture.paint(painter, self._map)
        box = self._map.transform().mapRect(self._seen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(Qt.GlobalColor.white), 1))
        painter.drawRect(box.adjusted(1.5, 1.5, -1.5, -1.5))
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawRect(box)
        painter.restore()
        size = self._map.picture
        text = tr(
            "media.navigator_size",
            width=f"{size.width():.0f}",
            height=f"{size.height():.0f}",
            percent=f"{self._zoom * 100:.3g}",
        )
        foot = density.scaled(18)
        area = QRectF(2, self.height() - foot, self.width() - 4, foot)
        paint.draw_text(painter, area, text, fonts.font("meta", tabular=True), "text2", paint.CENTER)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to where the map was clicked."""
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the frame."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        if self._picture is not None:
            self.moved_to.emit(self._map.to_picture(event.position() - self._origin()))
        event.accept()

    def retranslate(self) -> None:
        """Its name."""
        self.setAccessibleName(tr("media.navigator"))
        self.update()
