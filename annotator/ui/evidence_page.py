"""The evidence page of the tray: one card for each pin that is open now, and a place that says how to make one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.ui import density, fonts, icons, theme
from annotator.ui.evidence_card import WIDTH, EvidenceCard
from annotator.ui.evidence_model import Pin, pins_of
from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.widgets import ElidedLabel, paint
from annotator.ui.widgets.base import Live, PaintedButton
from annotator.workspace.views import ReviewView

_TALLEST = 170
MaySee = Callable[[Pin], bool]
AskCrop = Callable[[Pin, Callable[[Pin, QImage], None]], None]


class PinPlace(PaintedButton):
    """The dashed card: drag a rectangle, and its key."""

    def content_size(self) -> QSize:
        """As a card."""
        return QSize(density.scaled(150), density.metrics().evidence_card)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Dashed frame, icon, words, keycap."""
        ground = theme.color("hover") if self.hovered else None
        paint.frame(painter, box, ground, theme.color("control"), 6.0, dashed=True)
        middle = box.center()
        line = fonts.line_height("label")
        icons.paint(painter, "pin", middle.x() - 8, middle.y() - line - 10, "text2", 16)
        area = QRectF(box.left() + 6, middle.y() - line / 2 - 1, box.width() - 12, line)
        paint.draw_text(painter, area, tr("evidence.how"), fonts.font("label"), "text2", paint.CENTER)
        cap = label("evidence")
        paint.draw_keycap(painter, round(middle.x() - paint.keycap_width(cap) / 2), round(area.bottom() + 4), cap)

    def retranslate(self) -> None:
        """Its name."""
        self.setAccessibleName(tr("evidence.how"))
        self.update()


class EvidencePage(Live, QWidget):
    """Cards in a row that scrolls sideways.

    Signals:
        wanted(): pin something.
        chosen(Pin), gone(Pin): go there; take it away.
        given(Pin, target, dimension, reason): it is evidence of something else.
        counted(n): how many pins are shown.
    """

    wanted = Signal()
    chosen = Signal(object)
    gone = Signal(object)
    given = Signal(object, str, object, object)
    counted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        """No cards."""
        super().__init__(parent)
        self.setObjectName("evidencePage")
        self._view: ReviewView | None = None
        self._may_see: MaySee = _nothing
        self._ask_crop: AskCrop = _no_crop
        self.cards: list[EvidenceCard] = []
        self._shown: tuple[object, ...] = ()
        self.place = PinPlace()
        self.place.setObjectName("pinPlace")
        self.place.clicked.connect(self.wanted)
        self.place.go_live()
        self.hidden_note = ElidedLabel("", "meta", "text3")
        self._inner = QWidget()
        self._inner.setProperty("ground", "panel")
        self._row = QHBoxLayout(self._inner)
        self._row.setContentsMargins(8, 4, 8, 4)
        self._row.setSpacing(2)
        self._row.addWidget(self.place, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(self._inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(0)
        column.addWidget(self.area, 1)
        note = QHBoxLayout()
        note.setContentsMargins(14, 0, 12, 0)
        note.addWidget(self.hidden_note)
        column.addLayout(note)
        self.go_live()

    def use(self, may_see: MaySee, ask_crop: AskCrop) -> None:
        """Who says what is open, and who brings pictures."""
        self._may_see, self._ask_crop = may_see, ask_crop

    def show_review(self, view: ReviewView | None, turn: int | None) -> None:
        """Show the pins that are open while `turn` is (None: all)."""
        pins = pins_of(view) if view is not None else ()
        seen = [p for p in pins if _in_reach(p, turn) and self._may_see(p)]
        hidden = len(pins) - len(seen)
        self.hidden_note.set_text(tr("evidence.hidden", n=hidden) if hidden else "")
        self.hidden_note.setVisible(bool(hidden))
        words = [(view.sheet.value(p.target, f"reason:{p.dimension}"), view.sheet.value(p.target, p.dimension or ""))
                 for p in seen] if view is not None else []  # fmt: skip
        shown = (view.row.key if view is not None else None, tuple(seen), repr(words), view and view.read_only)
        self._view = view
        if shown != self._shown:
            self._shown = shown
            self._lay_cards(seen)
        self.counted.emit(len(seen))

    def _lay_cards(self, pins: list[Pin]) -> None:
        old = {card.pin: card.image for card in self.cards}
        for card in self.cards:
            self._row.removeWidget(card)
            card.hide()
            card.deleteLater()
        self.cards = []
        view = self._view
        if view is None:
            return
        for number, pin in enumerate(pins):
            card = EvidenceCard(pin, view)
            card.setObjectName(f"evidence_{number}")
            card.clicked.connect(self._clicked)
            card.gone.connect(self.gone)
            card.given.connect(self.given)
            card.set_height(self._height())
            self._row.insertWidget(number, card, 0, Qt.AlignmentFlag.AlignTop)
            self.cards.append(card)
            held = old.get(pin)
            if held is not None:
                card.set_image(held)
            self._ask_crop(pin, self._crop_came)
        self.place.setEnabled(not view.read_only)

    def renew_crops(self) -> None:
        """What is open to the eye changed (blurred or not): bring all pictures again."""
        for card in self.cards:
            self._ask_crop(card.pin, self._crop_came)

    def _crop_came(self, pin: Pin, image: QImage) -> None:
        for card in self.cards:
            if card.pin == pin:
                card.set_image(image)

    def _clicked(self) -> None:
        card = self.sender()
        if isinstance(card, EvidenceCard):
            self.chosen.emit(card.pin)

    def show_newest(self) -> None:
        """Bring the last card into view."""
        if self.cards:
            self.area.ensureWidgetVisible(self.cards[-1])

    def _height(self) -> int:
        """Cards use the height there is, for the picture's sake, within reason."""
        least = density.metrics().evidence_card
        return min(max(least, self.area.height() - 10), density.scaled(_TALLEST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Taller or shorter cards."""
        super().resizeEvent(event)
        for card in self.cards:
            card.set_height(self._height())

    def retranslate(self) -> None:
        """Words of the cards are theirs."""
        self.setAccessibleName(tr("evidence.page"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground."""
        QPainter(self).fillRect(self.rect(), theme.color("panel"))

    def sizeHint(self) -> QSize:
        """A few cards wide."""
        return QSize(3 * density.scaled(WIDTH), density.metrics().evidence_card + 24)


def _in_reach(pin: Pin, turn: int | None) -> bool:
    """A pin of a later turn would say that something comes."""
    return turn is None or pin.turn is None or pin.turn <= turn


def _nothing(_pin: Pin) -> bool:
    return False


def _no_crop(_pin: Pin, _then: Callable[[Pin, QImage], None]) -> None:
    return None
