"""The ranking as tiers with `>` between and `=` inside; responses are moved by hand or by keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.comparisons_ordering import Tiers, dropped, tier_of, written
from annotator.ui import density, fonts, icons, style, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

BETWEEN, INSIDE, PAD = 22, 18, 8
WIDEST = 300
DRAG_FROM = 5


class Card(NamedTuple):
    """A response where it lies."""

    place: int
    box: QRectF


class TierBox(NamedTuple):
    """A tier where it lies, with its responses."""

    number: int
    box: QRectF
    cards: tuple[Card, ...]


class Drop(NamedTuple):
    """Where a dragged response would land: in a tier, or in the gap before tier `gap`."""

    gap: int | None
    tier: int | None


class RankingView(Live, QWidget):
    """Tiers and cards (objectName `rankingView`).

    Signals:
        arranged(Tiers): a person put a response elsewhere. picked(place): one was clicked.
    """

    arranged = Signal(object)
    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing to rank."""
        super().__init__(parent)
        self.setObjectName("rankingView")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("routesKeys", True)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.tiers: Tiers = ()
        self._order: tuple[int, ...] = ()
        self._letters: Sequence[str] = ()
        self._notes: Mapping[int, str] = {}
        self._picked: int | None = None
        self._said = self._read_only = self._waiting = False
        self._pressed: tuple[int, QPointF] | None = None
        self._hand: QPointF | None = None
        self.go_live()

    # --- what is shown ----------------------------------------------------------------------------------------
    def show_tiers(
        self, tiers: Tiers, order: Sequence[int], letters: Sequence[str], notes: Mapping[int, str], *,
        said: bool, waiting: bool = False, read_only: bool = False,
    ) -> None:  # fmt: skip
        """Show an arrangement; `said` is false where it is only where arranging begins."""
        self.tiers, self._order, self._letters, self._notes = tiers, tuple(order), letters, notes
        self._said, self._waiting, self._read_only = said, waiting, read_only
        self._name()
        self.update()

    def set_picked(self, place: int | None) -> None:
        """The response that keys move."""
        self._picked = place
        self._name()
        self.update()

    def _name(self) -> None:
        line = written(self.tiers, self._letters) if self.tiers else ""
        self.setAccessibleName(tr("comparison.ranking_is" if self._said else "comparison.ranking_not", line=line))
        picked = self._letters[self._picked] if self._picked is not None and self._letters else ""
        self.setAccessibleDescription(tr("comparison.picked", letter=picked) if picked else "")

    # --- where things lie -------------------------------------------------------------------------------------
    def laid(self) -> list[TierBox]:
        """The tiers from left to right."""
        count = sum(map(len, self.tiers))
        if not count:
            return []
        ties = count - len(self.tiers)
        taken = BETWEEN * (len(self.tiers) - 1) + 2 * PAD * len(self.tiers) + INSIDE * ties
        width = min(fonts.px(WIDEST), max(40.0, (self.width() - 2 - taken) / count))
        head = fonts.line_height("label") + 4
        found, x = [], 1.0
        for number, tier in enumerate(self.tiers):
            wide = 2 * PAD + width * len(tier) + INSIDE * (len(tier) - 1)
            box = QRectF(x, 2, wide, self.height() - 4)
            cards = tuple(
                Card(place, QRectF(x + PAD + at * (width + INSIDE), box.y() + head, width, box.height() - head - PAD))
                for at, place in enumerate(tier)
            )
            found.append(TierBox(number, box, cards))
            x += wide + BETWEEN
        return found

    def card_at(self, at: QPointF) -> int | None:
        """The response under a point."""
        return next((c.place for tier in self.laid() for c in tier.cards if c.box.contains(at)), None)

    def drop_at(self, at: QPointF) -> Drop:
        """Where a response would land that is let go at a point: near the edges of a tier between two."""
        laid = self.laid()
        for tier in laid:
            inner = tier.box.adjusted(min(24.0, tier.box.width() / 4), 0, -min(24.0, tier.box.width() / 4), 0)
            if inner.left() <= at.x() <= inner.right():
                return Drop(None, tier.number)
            if at.x() < inner.left():
                return Drop(tier.number, None)
        return Drop(len(laid), None)

    # --- by hand ----------------------------------------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a response."""
        place = self.card_at(event.position())
        if place is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = (place, event.position())
            self.picked.emit(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry it."""
        if self._pressed is None:
            over = self.card_at(event.position()) is not None and not self._read_only
            self.setCursor(Qt.CursorShape.OpenHandCursor if over else Qt.CursorShape.ArrowCursor)
            return
        far = (event.position() - self._pressed[1]).manhattanLength() >= DRAG_FROM
        if (self._hand is not None or far) and not self._read_only:
            self._hand = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Put it down."""
        pressed, hand = self._pressed, self._hand
        self._pressed = self._hand = None
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.update()
        if pressed is None or hand is None:
            return
        drop = self.drop_at(event.position())
        tiers = dropped(self.tiers, pressed[0], drop.gap, drop.tier, self._order)
        if tiers != self.tiers or not self._said:
            self.arranged.emit(tiers)

    # --- painting ---------------------------------------------------------------------------------------------
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Tiers, signs, cards, and what is in the hand."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        laid = self.laid()
        picked = tier_of(self.tiers, self._picked) if self._picked is not None and laid else None
        sign = fonts.font("page", 400)
        for tier in laid:
            self._tier(painter, tier, len(laid), current=tier.number == picked and self.hasFocus())
            if tier.number + 1 < len(laid):
                area = QRectF(tier.box.right(), tier.box.y(), BETWEEN, tier.box.height())
                paint.draw_text(painter, area, ">" if self._said else "·", sign, "text2", paint.CENTER)
        if self._hand is not None and self._pressed is not None:
            self._carried(painter, laid)

    def _tier(self, painter: QPainter, tier: TierBox, count: int, *, current: bool) -> None:
        tie = len(tier.cards) > 1
        border = "accent" if current or tie else "control"
        paint.frame(painter, tier.box, theme.color("window"), theme.color(border), 6.0, dashed=not self._said)
        head = QRectF(tier.box.x() + PAD, tier.box.y() + 2, tier.box.width() - 2 * PAD, fonts.line_height("label"))
        left = head.x()
        if self._said:
            ahead = sum(len(t) for t in self.tiers[: tier.number])
            digit = str(ahead + 1)
            paint.draw_text(painter, head, digit, fonts.font("label", 600, tabular=True), "text")
            left += paint.text_width(digit, fonts.font("label", 600, tabular=True)) + 6
        words = self._tier_words(tier, count)
        paint.draw_text(painter, QRectF(left, head.y(), head.right() - left, head.height()), words,
                        fonts.font("meta"), "text2")  # fmt: skip
        for card, after in zip(tier.cards, (*tier.cards[1:], None), strict=True):
            self._card(painter, card)
            if after is not None:
                area = QRectF(card.box.right(), card.box.y(), INSIDE, card.box.height())
                paint.draw_text(painter, area, "=", fonts.font("page", 600), "accent-text", paint.CENTER)

    def _tier_words(self, tier: TierBox, count: int) -> str:
        if not self._said:
            return tr("comparison.tier_open")
        if len(tier.cards) > 1:
            return tr("comparison.tier_tie", n=len(tier.cards))
        if count == 1:
            return ""
        name = "best" if tier.number == 0 else "worst" if tier.number == count - 1 else ""
        return tr(f"comparison.tier_{name}") if name else ""

    def _card(self, painter: QPainter, card: Card) -> None:
        painter.save()
        if self._waiting:
            painter.setOpacity(0.7)
        paint.frame(painter, card.box, theme.color("raised"), theme.color("control"), 4.0)
        middle = card.box.center().y()
        x = card.box.x() + 6
        if card.box.width() > fonts.px(70):
            icons.paint(painter, "grip-vertical", x, round(middle - 7), "text3", 14)
            x += 20
        letter = fonts.font("page", 600)
        wide = paint.text_width(self._letters[card.place], letter) + 1
        paint.draw_text(painter, QRectF(x, card.box.y(), wide, card.box.height()), self._letters[card.place], letter)
        rest = QRectF(x + wide + 8, card.box.y(), card.box.right() - x - wide - 14, card.box.height())
        note = self._notes.get(card.place, "")
        if note and rest.width() > 30:
            paint.draw_text(painter, rest, note, fonts.font("label"), "text2")
        painter.restore()
        if card.place == self._picked:
            style.draw_focus_ring(painter, card.box, 4.0)

    def _carried(self, painter: QPainter, laid: list[TierBox]) -> None:
        assert self._hand is not None and self._pressed is not None
        drop = self.drop_at(self._hand)
        if drop.tier is not None:
            paint.frame(painter, laid[drop.tier].box, None, theme.color("accent"), 6.0, 2.0)
        else:
            gap = drop.gap or 0
            x = laid[gap].box.x() - BETWEEN / 2 if gap < len(laid) else laid[-1].box.right() + 4
            painter.fillRect(QRectF(max(0.0, x - 1), 4, 2, self.height() - 8), theme.color("accent"))
        side = fonts.px(26)
        box = QRectF(self._hand.x() - side / 2, self._hand.y() - side / 2, side, side)
        paint.frame(painter, box, theme.color("accent"), None, 4.0)
        letter = self._letters[self._pressed[0]]
        paint.draw_text(painter, box, letter, fonts.font("body", 600), "on-accent", paint.CENTER)

    # --- live -------------------------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        """A head and a row of cards."""
        small = density.current() is density.Density.SMALL
        return QSize(300, fonts.line_height("label") + density.scaled(30 if small else 42) + 8 + PAD)

    def minimumSizeHint(self) -> QSize:
        """Cards shrink to their letters."""
        return QSize(200, self.sizeHint().height())

    def retranslate(self) -> None:
        """The words of the tiers."""
        self._name()
        self.update()
