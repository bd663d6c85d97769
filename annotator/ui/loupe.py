"""The loupe: native pixels beside the pointer while its key is held, cut from what is decoded, never from the file."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from annotator.ui import density, fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.media_adjust import NEUTRAL
from annotator.ui.media_picture import ShownPicture
from annotator.ui.viewport import Viewport
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

SCALES = (1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
_BORDER = 2
_GAP = 12
_EDGE = 4
# The glass and its foot at the usual text size.
_WIDE, _HIGH, _FOOT = 344, 228, 24


class Loupe(Live, QWidget):
    """A framed cut-out of the picture; its foot names scale, position and colour."""

    def __init__(self, parent: QWidget) -> None:
        """Hidden until its key is held."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._picture: ShownPicture | None = None
        self._place = Viewport()
        self._scale: float | None = None
        self._at = QPointF()
        self.adjust = NEUTRAL
        self.hide()
        self.go_live()

    def show_picture(self, picture: ShownPicture | None) -> None:
        """Cut from this picture from now on."""
        self._picture = picture
        if picture is None:
            self.hide()
        self.update()

    def step(self, direction: int) -> None:
        """Another magnification, kept until the next picture of another size."""
        now = SCALES.index(min(SCALES, key=lambda s: abs(s - self._place.zoom)))
        self._scale = SCALES[max(0, min(len(SCALES) - 1, now + direction))]
        self._look()

    def scale_for(self, zoom: float) -> float:
        """The magnification: chosen, else the first that shows at least twice what the stage shows."""
        if self._scale is not None:
            return self._scale
        return next((s for s in SCALES if s >= 2 * zoom), SCALES[-1])

    def point_at(self, pointer: QPointF, stage: Viewport) -> None:
        """Show what is under the pointer, and stand beside it."""
        if self._picture is None:
            return
        self._keep_within()
        self._at = stage.to_picture(pointer)
        self._place.quarters = stage.quarters
        self._place.set_picture(stage.picture.width(), stage.picture.height(), keep=True)
        self._place.mode = "free"
        self._place.zoom = self.scale_for(stage.zoom)
        self._look()
        self._stand_beside(stage.transform().mapRect(self.source()))

    def _keep_within(self) -> None:
        """On a small stage it is smaller: its foot, which names place and colour, must not lie outside."""
        parent = self.parentWidget()
        if parent is None:
            return
        wide, high = density.scaled(_WIDE), density.scaled(_HIGH) + density.scaled(_FOOT)
        room = parent.rect().adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        least = density.scaled(_FOOT) * 3
        self.resize(max(least, min(wide, room.width() * 3 // 5)), max(least, min(high, room.height())))

    def _stand_beside(self, target: QRectF) -> None:
        """Where the target stays visible: right or left of it, else below or above, else in the farthest corner."""
        parent = self.parentWidget()
        if parent is None:
            return
        host = QRectF(parent.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        size = QSizeF(self.size())
        middle = target.center() - QPointF(size.width() / 2, size.height() / 2)
        places = [
            QPointF(target.right() + _GAP, middle.y()),
            QPointF(target.left() - _GAP - size.width(), middle.y()),
            QPointF(middle.x(), target.bottom() + _GAP),
            QPointF(middle.x(), target.top() - _GAP - size.height()),
        ]
        boxes = [_inside(QRectF(place, size), host) for place in places]
        free = [box for box in boxes if not box.intersects(target)]
        if free:
            self.move(free[0].topLeft().toPoint())
            return
        right = target.center().x() < host.center().x()
        below = target.center().y() < host.center().y()
        corner = QPointF(host.right() if right else host.left(), host.bottom() if below else host.top())
        self.move(_inside(QRectF(corner, size), host).topLeft().toPoint())

    def _look(self) -> None:
        area = self._glass()
        self._place.set_view(area.width(), area.height(), self.devicePixelRatioF())
        self._place.look_at(self._at)
        self.update()

    def _glass(self) -> QRectF:
        foot = density.scaled(_FOOT)
        return QRectF(self.rect()).adjusted(_BORDER, _BORDER, -_BORDER, -_BORDER - foot)

    def source(self) -> QRectF:
        """The part of the picture that is in the loupe, in picture pixels."""
        return self._place.visible()

    def paint_target(self, painter: QPainter, stage: Viewport) -> None:
        """On the stage: the frame of what the loupe shows, with a white inner line so that it holds on any picture."""
        box = stage.transform().mapRect(self.source())
        painter.save()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2))
        painter.drawRect(box.adjusted(-2, -2, 2, 2))
        painter.setPen(QPen(QColor(Qt.GlobalColor.white), 2))
        painter.drawRect(box)
        painter.restore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Frame, native pixels, the pixel in the middle, the foot."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("panel"))
        glass = self._glass()
        painter.save()
        painter.setClipRect(glass)
        painter.fillRect(glass, theme.color("stage"))
        painter.translate(glass.topLeft())
        if self._picture is not None:
            self._picture.paint(painter, self._place, adjust=self.adjust)
        painter.restore()
        self._paint_middle(painter, glass)
        self._paint_foot(painter, glass)
        painter.setPen(QPen(theme.color("accent"), _BORDER))
        painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    def _paint_middle(self, painter: QPainter, glass: QRectF) -> None:
        side = max(8.0, self._place.zoom) + 2
        middle = QRectF(0, 0, side, side)
        middle.moveCenter(glass.center())
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(Qt.GlobalColor.white), 1))
        painter.drawRect(middle)
        painter.setPen(QPen(QColor(Qt.GlobalColor.black), 1))
        painter.drawRect(middle.adjusted(-1, -1, 1, 1))

    def _paint_foot(self, painter: QPainter, glass: QRectF) -> None:
        foot = QRectF(glass.left() + 8, glass.bottom(), glass.width() - 16, self.height() - _BORDER - glass.bottom())
        font = fonts.font("meta", tabular=True)
        place = Viewport.pixel_of(self._at, self._place.picture)
        parts = [tr("media.loupe_scale", scale=f"{self._place.zoom:g}")]
        if place is not None:
            parts.append(tr("media.pixel_place", x=place.x(), y=place.y()))
        x = foot.left()
        for part in parts:
            width = paint.text_width(part, font)
            paint.draw_text(painter, QRectF(x, foot.top(), width + 2, foot.height()), part, font, "text")
            x += width + 12
        colour = self._picture.colour_at(place) if self._picture is not None and place is not None else None
        if colour is not None:
            # Plainly: its colour is another one at nearly every pixel, and no kept drawing would be used twice.
            square = QRectF(x + 0.5, round(foot.center().y()) - 4.5, 9, 9)
            painter.fillRect(square, colour)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("control"), 1))
            painter.drawRect(square)
            name = colour.name().upper()
            paint.draw_text(painter, QRectF(x + 15, foot.top(), 80, foot.height()), name, font, "text")

    def remeasure(self) -> None:
        """Its size follows the text scale."""
        self.resize(density.scaled(_WIDE), density.scaled(_HIGH) + density.scaled(_FOOT))
        if self.isVisible():
            self._keep_within()
        super().remeasure()


def _inside(box: QRectF, host: QRectF) -> QRectF:
    """The box moved into the host, by its top left corner where it is too large."""
    left = max(host.left(), min(box.left(), host.right() - box.width()))
    top = max(host.top(), min(box.top(), host.bottom() - box.height()))
    return QRectF(QPointF(left, top), box.size())
