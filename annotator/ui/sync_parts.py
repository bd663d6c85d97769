"""The cards of the sync page: figures, what came in, what two devices say differently, and what is to be known."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.sync_words import about_words, value_words
from annotator.ui.widgets import Button, Card, ElidedLabel, PlainLabel, paint
from annotator.ui.widgets.base import Live
from annotator.workspace.sync_views import CameIn, Conflict, Side

FIGURES = ("waiting", "sent", "received", "judges", "conflicts", "aside")
CONFLICTS_SHOWN = 40
LINES_SHOWN = 30
ROWS_SHOWN = 60


class Figures(Live, QWidget):
    """Six numbers in a row, those that a person must act upon in the colour of attention."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """All nought."""
        super().__init__(parent)
        self.values = dict.fromkeys(FIGURES, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_values(self, **values: int) -> None:
        """Show other numbers."""
        self.values.update(values)
        self.retranslate()

    def retranslate(self) -> None:
        """What a screen reader says."""
        said = (f"{tr(f'sync.figure.{name}')}: {i18n.count(n)}" for name, n in self.values.items())
        self.setAccessibleName("; ".join(said))
        self.update()

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(480, fonts.px(66))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Figure over name, lines between."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint.frame(painter, QRectF(self.rect()), theme.color("panel"), theme.color("hair"), 6.0)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        width = self.width() / len(FIGURES)
        for place, (name, n) in enumerate(self.values.items()):
            x = place * width
            if place:
                paint.hairline(painter, int(x), 1, int(x), self.height() - 2)
            role = "warn" if n and name in ("conflicts", "aside") else "text"
            top = QRectF(x + 14, fonts.px(8), width - 20, fonts.px(30))
            paint.draw_text(painter, top, i18n.count(n), fonts.font("figure"), role)
            foot = QRectF(x + 14, fonts.px(40), width - 20, fonts.px(18))
            paint.draw_text(painter, foot, tr(f"sync.figure.{name}"), fonts.font("label"), "text2")
        painter.end()


class CameInTable(Live, QWidget):
    """Who sent how many events from which device; painted rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.rows: tuple[CameIn, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_rows(self, rows: Sequence[CameIn]) -> None:
        """Show other rows, the largest first."""
        self.rows = tuple(sorted(rows, key=lambda row: -row.events))[:ROWS_SHOWN]
        self.updateGeometry()
        self.retranslate()

    def retranslate(self) -> None:
        """What a screen reader says."""
        self.setAccessibleName("; ".join(f"{r.rater}, {r.device}: {r.events}" for r in self.rows))
        self.update()

    def sizeHint(self) -> QSize:
        """A line for each row, and the head."""
        return QSize(320, (1 + len(self.rows)) * fonts.px(24) + 2)

    def minimumSizeHint(self) -> QSize:
        """All rows."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Head and rows."""
        painter = QPainter(self)
        head = (tr("sync.came.rater"), tr("sync.came.device"), tr("sync.came.events"))
        self._line(painter, 0, head, "text3", None)
        for at, row in enumerate(self.rows, 1):
            cells = (row.rater, f"…{row.device[-8:]}", i18n.count(row.events))
            self._line(painter, at * fonts.px(24), cells, "text", True)
            paint.hairline(painter, 0, at * fonts.px(24), self.width(), at * fonts.px(24))
        painter.end()

    def _line(self, painter: QPainter, y: float, cells: tuple[str, str, str], role: str, tabular: bool | None) -> None:
        height = fonts.px(24)
        font = fonts.font("label", tabular=tabular)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint.draw_text(painter, QRectF(0, y, self.width() * 0.42, height), cells[0], font, role)
        paint.draw_text(painter, QRectF(self.width() * 0.44, y, self.width() * 0.3, height), cells[1], font, role)
        paint.draw_text(
            painter, QRectF(self.width() * 0.74, y, self.width() * 0.26, height), cells[2], font, role, right
        )


class SideBox(Live, QWidget):
    """One of the things said: the value, where and when, and the button that keeps it."""

    def __init__(self, side: Side, number: int, parent: QWidget | None = None) -> None:
        """Show a side."""
        super().__init__(parent)
        self.side = side
        self.value = PlainLabel("", style="body", role="text", weight=600)
        self.where = ElidedLabel("", style="label", role="text2")
        self.keep = Button("", icon="check", small=True)
        self.keep.setObjectName(f"keep_{number}")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(2)
        column.addWidget(self.value)
        column.addWidget(self.where)
        column.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignLeft)
        self.go_live()

    def retranslate(self) -> None:
        """Read the texts again."""
        side = self.side
        self.value.set_text(value_words(side.value))
        place = tr("sync.conflicts.here") if side.here else tr("sync.conflicts.there", device=side.device[-8:])
        self.where.set_text(f"{place} · {side.at[:10]} {side.at[11:16]} UTC")
        self.keep.set_text(tr("sync.conflicts.keep"))
        self.keep.setAccessibleName(f"{tr('sync.conflicts.keep')}: {value_words(side.value)}, {place}")

    def paintEvent(self, event: QPaintEvent) -> None:
        """A frame of its own: the two are equals."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint.frame(painter, QRectF(self.rect()), theme.color("panel"), theme.color("line"), 4.0)
        painter.end()


class ConflictBox(Live, QWidget):
    """One thing that was said differently.

    Signals:
        picked: (Conflict, event id of the side that stays).
    """

    picked = Signal(object, str)

    def __init__(self, conflict: Conflict, parent: QWidget | None = None) -> None:
        """Show a conflict."""
        super().__init__(parent)
        self.conflict = conflict
        self.about = ElidedLabel("", style="body", weight=500)
        self.sides = [SideBox(side, n) for n, side in enumerate(conflict.sides)]
        row = QHBoxLayout()
        row.setSpacing(10)
        for box in self.sides:
            box.keep.clicked.connect(self._picker(box.side.event_id))
            row.addWidget(box, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 6)
        column.setSpacing(4)
        column.addWidget(self.about)
        column.addLayout(row)
        self.go_live()

    def _picker(self, event_id: str) -> Callable[[], None]:
        def pick() -> None:
            self.picked.emit(self.conflict, event_id)

        return pick

    def retranslate(self) -> None:
        """Read the texts again."""
        self.about.set_text(about_words(self.conflict))


class Lines(Card):
    """Sentences, each with the icon and colour of what it means; hidden while there are none."""

    def __init__(self, title_key: str, note_key: str = "", parent: QWidget | None = None) -> None:
        """`title_key` and `note_key` name texts."""
        self._keys = (title_key, note_key)
        self._held: list[QWidget] = []
        super().__init__(parent=parent)
        self.hide()

    def foot(self, button: QWidget) -> None:
        """A button that stays under the sentences."""
        self.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show (role, sentence) pairs: `error`, `warn` or `info`."""
        for widget in self._held:
            self.body.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        more = [("info", tr("sync.told.more", n=len(lines) - LINES_SHOWN))] if len(lines) > LINES_SHOWN else []
        self._held = [SentenceLine(role, text) for role, text in [*lines[:LINES_SHOWN], *more]]
        for place, widget in enumerate(self._held):
            self.body.insertWidget(place, widget)
        self.setVisible(bool(lines))

    def retranslate(self) -> None:
        """The title."""
        title, note = self._keys
        self.set_title(tr(title), tr(note) if note else "")


ICONS = {"error": "circle-x", "warn": "triangle-alert", "info": "info"}


class SentenceLine(Live, QWidget):
    """An icon and a sentence that wraps."""

    def __init__(self, role: str, text: str, parent: QWidget | None = None) -> None:
        """Show a sentence."""
        super().__init__(parent)
        self._role = role
        self.label = PlainLabel(text, style="label", role="text")
        row = QHBoxLayout(self)
        row.setContentsMargins(22, 0, 0, 0)
        row.addWidget(self.label, 1)
        self.go_live()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon at the first line."""
        painter = QPainter(self)
        icons.paint(painter, ICONS[self._role], 0, 1, self._role, 14)
        painter.end()
