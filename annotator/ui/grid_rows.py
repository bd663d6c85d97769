"""The rows of the score grid for both levels: made once for a rubric, shown by level, one of them open."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.rubric import Level, Rubric
from annotator.ui.score_row import ScoreRow


class GridRows(QWidget):
    """Eight turn rows and four session rows, of which one level is shown.

    It places them itself: a layout would ask every row, and then every widget around the grid, for each row that opens.

    Signals:
        pressed(row), scored(row, value): the pointer, on a row from 0.
        reasoned(dimension, text), drafted(dimension, text): a reason, meant or still being typed.
        left(): the keyboard may leave the reason field.
        tags_wanted(): the tag button of the open row was pressed.
    """

    pressed = Signal(int)
    scored = Signal(int, object)
    reasoned = Signal(str, str)
    drafted = Signal(str, str)
    left = Signal()
    tags_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rubric: Rubric | None = None
        self._sets: dict[Level, list[ScoreRow]] = {"turn": [], "session": []}
        self._level: Level = "turn"
        self._shown: Level | None = None
        self._full = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def build(self, rubric: Rubric) -> None:
        """Make the rows of a rubric, unless they are there."""
        if rubric is self._rubric or rubric == self._rubric:
            return
        self._rubric = rubric
        self._shown = None
        for level in self._sets:
            for row in self._sets[level]:
                row.deleteLater()
            self._sets[level] = [self._make(ScoreRow(dimension, self)) for dimension in rubric.of(level)]

    def _make(self, row: ScoreRow) -> ScoreRow:
        row.pressed.connect(self._pressed)
        row.scored.connect(self._scored)
        row.reasoned.connect(self._reasoned)
        row.drafted.connect(self._drafted)
        row.reason_left.connect(self.left)
        row.tags_wanted.connect(self.tags_wanted)
        row.set_full_levels(self._full)
        return row

    def rows(self) -> list[ScoreRow]:
        """The rows of the level that is shown."""
        return self._sets[self._level]

    def show_level(self, level: Level) -> None:
        """Show the rows of one level."""
        self._level = level
        if level == self._shown:
            return
        self._shown = level
        for name, rows in self._sets.items():
            for row in rows:
                row.setVisible(name == level)
        self._place()

    def open_row(self, number: int) -> None:
        """Open one row and close the others."""
        for place, row in enumerate(self.rows()):
            if row.active != (place == number):
                row.set_active(place == number)
        self._place()

    def set_full(self, full: bool) -> None:
        """Whole level sentences in the open row, or short texts."""
        self._full = full
        for rows in self._sets.values():
            for row in rows:
                row.set_full_levels(full)

    def wanted_height(self, current: int) -> int:
        """The height of the level's rows, px: one height whichever row is open, unless whole sentences are shown."""
        rows = self.rows()
        if not rows:
            return 0
        extra = rows[current].extra_height() if self._full else max(row.extra_height() for row in rows)
        return sum(row.base_height() for row in rows) + extra

    def _place(self) -> None:
        """One row under the other."""
        y, width = 0, self.width()
        for row in self.rows():
            height = row.wanted_height()
            row.setGeometry(0, y, width, height)
            y += height

    def sizeHint(self) -> QSize:
        """As high as the rows stand."""
        rows = self.rows()
        return QSize(rows[0].sizeHint().width() if rows else 0, sum(row.wanted_height() for row in rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rows are as wide as there is room."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """A row that wants another height tells so."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().event(event)

    def _sender(self) -> int:
        sender = self.sender()
        return next((i for i, row in enumerate(self.rows()) if row is sender), -1)

    def _pressed(self) -> None:
        if self._sender() >= 0:
            self.pressed.emit(self._sender())

    def _scored(self, value: object) -> None:
        if self._sender() >= 0:
            self.scored.emit(self._sender(), value)

    def _reasoned(self, text: str) -> None:
        if self._sender() >= 0:
            self.reasoned.emit(self.rows()[self._sender()].dimension.id, text)

    def _drafted(self, text: str) -> None:
        if self._sender() >= 0:
            self.drafted.emit(self.rows()[self._sender()].dimension.id, text)
