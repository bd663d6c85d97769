"""What raters marked as not playing, on the lead's page: which files, why, by whom, and the way to those rows."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui import density, theme
from annotator.ui.desk import Desk
from annotator.ui.i18n import count, tr
from annotator.ui.textcolumn import Paragraph, TextColumn
from annotator.ui.widgets import Button, ElidedLabel, paint
from annotator.ui.widgets.base import Live
from annotator.workspace.unplayable import Marked, marked

_LISTED = 200
_LINES = 6


class MarkedPanel(Live, QWidget):
    """Hidden while nothing is marked.

    Signals:
        rows_wanted(keys, title): show exactly these queue rows, a tuple of (item id, responder).
    """

    rows_wanted = Signal(object, str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        """Nothing is known yet; `refresh` reads."""
        super().__init__(parent)
        self.setObjectName("mediaMarked")
        self._desk = desk
        self._found: tuple[Marked, ...] = ()
        self.note = ElidedLabel("", "label", "text", 500)
        self.button = Button("", "default", "list", small=True)
        self.button.setObjectName("showMarked")
        self.button.clicked.connect(self._clicked)
        self.list = TextColumn()
        row = QHBoxLayout()
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.list)
        desk.opened.connect(self.refresh)
        desk.closed.connect(self._forget)
        self.go_live()

    @property
    def found(self) -> tuple[Marked, ...]:
        """The marks that are listed."""
        return self._found

    def refresh(self) -> None:
        """Read the marks again: others may have set some, or taken some back."""
        workspace = self._desk.workspace
        if workspace is None:
            self._forget()
            return

        def arrived(found: tuple[Marked, ...]) -> None:
            if workspace is self._desk.workspace:
                self._found = found
                self._write()

        self._desk.lanes.quick(lambda: marked(workspace), arrived)

    def _forget(self) -> None:
        self._found = ()
        self._write()

    def _clicked(self) -> None:
        keys = tuple(dict.fromkeys(mark.key for mark in self._found if mark.item_id.startswith("dialogue:")))
        if keys:
            self.rows_wanted.emit(keys, tr("media.marked_title"))

    def _write(self) -> None:
        self.setVisible(bool(self._found))
        self.note.set_text(tr("media.marked_note", n=count(len(self._found))))
        self.button.set_text(tr("media.marked_show"))
        self.button.setEnabled(any(mark.item_id.startswith("dialogue:") for mark in self._found))
        self.list.set_texts([self._paragraph(mark) for mark in self._found[:_LISTED]])
        lines = min(_LINES, 2 * len(self._found))
        self.list.setFixedHeight(density.scaled(20 * lines + 8))

    @staticmethod
    def _paragraph(mark: Marked) -> Paragraph:
        place = tr("media.marked_session") if mark.turn is None else tr("media.marked_turn", turn=mark.turn + 1)
        head = tr("media.marked_head", item=mark.source_id, place=place, rater=mark.rater)
        return (head, tr("media.marked_why", asset=mark.asset or "–", why=mark.why or "–"), "text")

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("media.marked_title"))
        self._write()

    def remeasure(self) -> None:
        """Room for some of the marks."""
        self._write()
        super().remeasure()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground and its lower line."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("panel"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())
