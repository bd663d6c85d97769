"""The head of the score grid: which turn, how much is done, what the keys do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, fonts, keys, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button, Chip, ElidedLabel, IconButton, paint, plain_tooltip
from annotator.ui.widgets.base import Live

# What a spot-check has to do with a target: the chip's word, icon and kind.
SPOTS = {
    "closed": ("reveal.chip_closed", "eye-off", "outline"),
    "off": ("reveal.chip_closed", "eye-off", "outline"),
    "open": ("reveal.chip_open", "scale", "info"),
    "undrawn": ("reveal.chip_undrawn", "minus", "outline"),
}


class KeyHints(Live, QWidget):
    """Keycaps with the word for what they do, on one line; gone where there is no room for all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints: tuple[tuple[tuple[str, ...], str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_hints(self, hints: tuple[tuple[tuple[str, ...], str], ...]) -> None:
        """Show (keycap texts, word) pairs."""
        self._hints = hints
        self.setAccessibleName("; ".join(f"{' '.join(caps)} {word}" for caps, word in hints))
        self.remeasure()

    def sizeHint(self) -> QSize:
        """All of them."""
        return QSize(sum(self._width(caps, word) for caps, word in self._hints), paint.keycap_height() + 2)

    def minimumSizeHint(self) -> QSize:
        """They may be left out."""
        return QSize(0, self.sizeHint().height())

    @staticmethod
    def _width(caps: tuple[str, ...], word: str) -> int:
        return round(sum(paint.keycap_width(c) + 3 for c in caps) + paint.text_width(word, fonts.font("label"))) + 14

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Whole hints, as many as fit from the left."""
        painter, x = QPainter(self), 0.0
        for caps, word in self._hints:
            if x + self._width(caps, word) > self.width() + 10:
                return
            for cap in caps:
                x += paint.draw_keycap(painter, x, 1, cap) + 3
            wide = paint.text_width(word, fonts.font("label")) + 1
            paint.draw_text(painter, QRectF(x + 2, 0, wide, self.height()), word, fonts.font("label"), "text3")
            x += wide + 13


class GridHead(Live, QWidget):
    """One line of panel head height.

    Signals:
        levels_toggled(): whole level sentences, or short ones.
        reaffirm_wanted(): say again what was made on an older text.
    """

    levels_toggled = Signal()
    reaffirm_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._turn: int | None = 0
        self._done = self._rows = self._stale = 0
        self._read_only = False
        self._spot = ""
        self.title = ElidedLabel(weight=600, parent=self)
        self.note = ElidedLabel(style="label", role="text3", parent=self)
        self.count = Chip(parent=self)
        self.spot = Chip(kind="outline", icon="scale", parent=self)
        self.spot.setObjectName("spotState")
        self.reaffirm = Button("", icon="history", key="Enter", small=True, parent=self)
        self.reaffirm.setObjectName("reaffirmLabels")
        self.hints = KeyHints(self)
        self.levels = IconButton("book-open", key="levels", checkable=True, parent=self)
        self.levels.setObjectName("levelTexts")
        self.levels.clicked.connect(self.levels_toggled)
        self.reaffirm.clicked.connect(self.reaffirm_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 9, 1)
        row.setSpacing(8)
        for widget in (self.title, self.note, self.count, self.spot, self.reaffirm):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.hints)
        row.addWidget(self.levels)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.go_live()

    def show_state(self, turn: int | None, done: int, rows: int, stale: int, read_only: bool, spot: str = "") -> None:
        """Show which turn (None = session), how many of its rows are done, and how many values are on an older text.

        `spot` is what a spot-check has to do with it: `closed`, `off`, `open`, `undrawn`, or "".
        """
        new = (turn, done, rows, stale, read_only, spot)
        old = (self._turn, self._done, self._rows, self._stale, self._read_only, self._spot)
        if new != old:
            self._turn, self._done, self._rows, self._stale, self._read_only, self._spot = new
            if (*old[:1], *old[2:]) == (*new[:1], *new[2:]):
                self._show_count()  # a score changes nothing else
            else:
                self.retranslate()

    def set_levels(self, full: bool) -> None:
        """Whether whole sentences are shown."""
        self.levels.setChecked(full)

    def retranslate(self) -> None:
        """All words again."""
        self.title.set_text(tr("grid.session") if self._turn is None else tr("grid.turn", turn=self._turn + 1))
        self.note.set_text(tr("grid.dimensions", count=self._rows))
        self._show_count()
        self.spot.setVisible(bool(self._spot))
        self._make_room()
        if self._spot:
            word, icon, kind = SPOTS[self._spot]
            self.spot.set_text(tr(word))
            self.spot.set_icon(icon)
            self.spot.set_kind(kind)
            self.spot.setToolTip(plain_tooltip(tr(f"reveal.tip_{self._spot}")))
        self.reaffirm.set_text(tr("grid.reaffirm", count=self._stale))
        self.reaffirm.setVisible(self._stale > 0 and not self._read_only)
        self.levels.set_text(tr("grid.levels_toggle"))
        label = keys.label
        moves = (label("turn_prev"),) if self._turn is None else (label("turn_prev"), label("turn_next"))
        self.hints.set_hints((
            ((f"{label('score_1')}–{label('score_5')}",), tr("grid.hint_score")),
            ((label("cannot_judge"),), tr("grid.hint_cannot")),
            (moves, tr("grid.hint_turn")),
        ))  # fmt: skip

    def _show_count(self) -> None:
        complete = self._rows > 0 and self._done == self._rows
        counts = tuple(tr("grid.done_count", done=done, all=self._rows) for done in range(self._rows + 1))
        self.count.keep_room(counts)
        self.count.set_text(counts[min(self._done, self._rows)])
        self.count.set_kind("ok" if complete else "neutral")
        self.count.set_icon("check" if complete else None)

    def remeasure(self) -> None:
        """Height and hints of the size class."""
        table = density.metrics()
        self.setFixedHeight(table.panel_head)
        self._make_room()
        super().remeasure()

    def _make_room(self) -> None:
        """What a spot-check says is whole; the count of dimensions and the hints give way to it."""
        wide = density.current() is density.Density.WIDE
        self.note.setVisible(wide or not self._spot)
        self.hints.setVisible(density.metrics().key_hints and (wide or not self._spot))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, and the lines above and below."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("panel"))
        paint.hairline(painter, 0, 0, self.width(), 1, "line")
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())
