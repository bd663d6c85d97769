"""One card of the evidence page: a cut of the picture, what it is evidence for, and where it is from."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QImage, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from annotator.domain.rubric import Level, verdict_reason_names
from annotator.domain.timecode import clock
from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.evidence_box import share_text
from annotator.ui.evidence_model import REASONS, Pin
from annotator.ui.i18n import tr
from annotator.ui.widgets import Menu, paint, plain_tooltip
from annotator.ui.widgets.base import PaintedButton
from annotator.workspace.views import ReviewView

WIDTH = 238
_CLOSE = 20
_TALL, _WORDS = 130, 62


def reason_name(reason: str) -> str:
    """A verdict's reason in the language in force."""
    found = verdict_reason_names().get(reason)
    return reason if found is None else found.in_language(i18n.language())


class EvidenceCard(PaintedButton):
    """A click goes to its place; the cross, or Delete, takes it away; its menu gives it to something else.

    Signals:
        gone(Pin): take it away.
        given(Pin, target, dimension, reason): it is evidence of something else.
    """

    gone = Signal(object)
    given = Signal(object, str, object, object)

    def __init__(self, pin: Pin, view: ReviewView, parent: QWidget | None = None) -> None:
        """Without its picture."""
        super().__init__(parent)
        self.pin = pin
        self._view = view
        self.image: QImage | None = None
        self.setFixedWidth(density.scaled(WIDTH))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.DefaultContextMenu)
        self.go_live()

    def set_height(self, height: int) -> None:
        """As high as its page has room for."""
        self.setFixedHeight(height)

    def set_image(self, image: QImage) -> None:
        """Its picture has come."""
        self.image = image
        self.update()

    # -- words --------------------------------------------------------------------------------------------------------
    def heading(self) -> str:
        """What it is evidence for."""
        return self.heading_of(self.pin, self._view)

    @staticmethod
    def heading_of(pin: Pin, view: ReviewView) -> str:
        """What a pin is evidence for."""
        where = tr("evidence.session") if pin.turn is None else tr("evidence.turn", turn=pin.turn + 1)
        if pin.target == "item":
            return tr("evidence.verdict", reason=reason_name(pin.reason or REASONS[0]))
        dimension = view.rubric.dimension(pin.dimension) if pin.dimension else None
        if dimension is None:
            return where
        return tr("evidence.of", where=where, what=dimension.name.in_language(i18n.language()))

    def place(self) -> str:
        """When, and how much of the picture."""
        pin = self.pin
        share = share_text(pin.share) if pin.share is not None else "–"
        if pin.box is None:
            share = tr("evidence.whole")
        else:
            share = tr("evidence.share", share=share)
        if pin.at is not None:
            return tr("evidence.place_clip", time=clock(pin.at, 3), share=share)
        return tr("evidence.place_image", share=share)

    def reason(self) -> str:
        """The person's own reason for the score."""
        pin = self.pin
        held = self._view.sheet.value(pin.target, f"reason:{pin.dimension}") if pin.dimension else None
        return held if isinstance(held, str) else ""

    # -- painting -----------------------------------------------------------------------------------------------------
    def content_size(self) -> QSize:
        """A card."""
        return QSize(density.scaled(WIDTH) - 6, density.metrics().evidence_card)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Picture left, words right."""
        ground = "hover" if self.hovered else "window"
        paint.frame(painter, box, theme.color(ground), theme.color("hair"), 6.0)
        painter.save()
        picture, words = self._split(box)
        painter.setClipRect(picture)
        painter.fillRect(picture, theme.color("sunken"))
        if self.image is not None and not self.image.isNull():
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            scale = max(picture.width() / self.image.width(), picture.height() / self.image.height())
            if self.pin.box is not None:
                scale = min(picture.width() / self.image.width(), picture.height() / self.image.height())
            shown = QRectF(0, 0, self.image.width() * scale, self.image.height() * scale)
            shown.moveCenter(picture.center())
            painter.drawImage(shown, self.image)
        painter.restore()
        self._words(painter, words)
        if self._close_shown():
            spot = self._close_box(box)
            painter.fillRect(spot, theme.color("panel"))
            icons.paint(painter, "x", spot.center().x() - 7, spot.center().y() - 7, "text2", 14)

    @staticmethod
    def _split(box: QRectF) -> tuple[QRectF, QRectF]:
        """Picture and words: beside each other in a low card, one above the other in a tall one."""
        if box.height() < density.scaled(_TALL):
            side = min(box.height() - 2, box.width() * 0.43)
            return QRectF(box.left() + 1, box.top() + 1, side, box.height() - 2), box.adjusted(side + 9, 5, -6, -5)
        high = box.height() - density.scaled(_WORDS)
        return QRectF(box.left() + 1, box.top() + 1, box.width() - 2, high - 1), box.adjusted(8, high + 4, -6, -4)

    def _words(self, painter: QPainter, area: QRectF) -> None:
        bold, line = fonts.font("label", 600, tabular=True), fonts.line_height("label")
        score = self._view.sheet.value(self.pin.target, self.pin.dimension) if self.pin.dimension else None
        room = 24 if score is not None else 0
        room += _CLOSE - 4 if self._close_shown() else 0
        head = QRectF(area.left(), area.top(), area.width() - room, line)
        text = self.heading()
        paint.draw_text(painter, head, text, bold, "text")
        if score is not None:
            x = min(head.left() + paint.text_width(text, bold) + 6, head.right() + 2)
            paint.draw_mini(painter, round(x), round(head.top()), score)
        small = fonts.font("meta", tabular=True)
        foot = fonts.line_height("meta")
        middle = QRectF(area.left(), head.bottom() + 2, area.width(), area.bottom() - foot - head.bottom() - 4)
        painter.save()
        painter.setClipRect(middle)
        painter.setFont(fonts.font("label"))
        painter.setPen(theme.color("text2"))
        wrap = Qt.TextFlag.TextWordWrap.value | Qt.TextFlag.TextWrapAnywhere.value
        painter.drawText(middle, Qt.AlignmentFlag.AlignTop.value | wrap, self.reason())
        painter.restore()
        spot = QRectF(area.left(), area.bottom() - foot, area.width(), foot)
        paint.draw_text(painter, spot, self.place(), small, "text3")

    def _close_shown(self) -> bool:
        return (self.hovered or self.hasFocus()) and not self._view.read_only

    @staticmethod
    def _close_box(box: QRectF) -> QRectF:
        return QRectF(box.right() - _CLOSE - 1, box.top() + 3, _CLOSE, _CLOSE)

    # -- events -------------------------------------------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The cross takes it away; a click anywhere else goes there."""
        box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        if self._close_shown() and self._close_box(box).contains(event.position()):
            self.gone.emit(self.pin)
            return
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes it away."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and not self._view.read_only:
            self.gone.emit(self.pin)
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What else it can be evidence of."""
        if not self._view.read_only:
            self.make_menu().exec(event.globalPos() if event.globalPos() != QPoint() else self.mapToGlobal(QPoint()))

    def make_menu(self) -> Menu:
        """The dimensions of its turn (or of the session), the verdict's reasons, and taking it away."""
        menu, pin = Menu(parent=self), self.pin
        level: Level = "session" if pin.turn is None else "turn"
        for dimension in self._view.rubric.of(level):
            action = menu.addAction(dimension.name.in_language(i18n.language()))
            self._gives(action, pin.target if pin.target != "item" else "session", dimension.id, None)
        menu.addSeparator()
        for reason in REASONS:
            action = menu.addAction(tr("evidence.verdict", reason=reason_name(reason)))
            self._gives(action, "item", None, reason)
        menu.addSeparator()
        gone = menu.addAction(tr("evidence.remove"))
        gone.triggered.connect(self._remove)
        return menu

    def _gives(self, action: QAction, target: str, dimension: str | None, reason: str | None) -> None:
        action.setData((target, dimension, reason))
        action.setCheckable(True)
        action.setChecked((dimension, reason) == (self.pin.dimension, self.pin.reason))
        action.triggered.connect(self._give)

    def _give(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.given.emit(self.pin, *action.data())

    def _remove(self) -> None:
        self.gone.emit(self.pin)

    def retranslate(self) -> None:
        """Its name."""
        text = ". ".join(part for part in (self.heading(), self.reason(), self.place()) if part)
        self.setAccessibleName(text)
        self.setToolTip(plain_tooltip(text))
        self.update()
