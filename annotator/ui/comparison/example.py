"""Where all responses tie, a person writes one that can be told from them: worse than all, or better."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.domain.comparisons_sheet import Example
from annotator.ui import density, fonts
from annotator.ui.i18n import tr
from annotator.ui.reason import NoteEdit
from annotator.ui.widgets import PlainLabel, Segmented
from annotator.ui.widgets.base import Live


class ExampleRow(Live, QWidget):
    """What is asked for, which kind, and its text.

    Signals:
        written(value or None): the value of a `constructed` label. drafted(text): it is being written.
        left(): the keyboard may go back.
    """

    written = Signal(object)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing written."""
        super().__init__(parent)
        self._example: Example | None = None
        self._kind = "negative"
        self._chosen = False
        self.ask = PlainLabel("", "label", "text2")
        self.kind = Segmented()
        self.kind.setObjectName("exampleKind")
        for name in ("negative", "positive"):
            self.kind.add(name, "")
        self.text = NoteEdit()
        self.text.setObjectName("exampleText")
        side = QVBoxLayout()
        side.setSpacing(2)
        side.addWidget(self.ask)
        side.addWidget(self.kind)
        side.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addLayout(side, 2)
        row.addWidget(self.text, 5)
        self.kind.chosen.connect(self._kind_chosen)
        self.text.committed.connect(self._committed)
        self.text.drafted.connect(self.drafted)
        self.text.left.connect(self.left)
        self.hide()
        self.go_live()

    def begin(self) -> None:
        """Another item: nobody chose a kind yet."""
        self._chosen = False

    def show_example(self, example: Example | None, draft: str | None, *, all_bad: bool, read_only: bool) -> None:
        """Show what was written; without it, all bad asks for a better one and anything else for a worse one."""
        self._example = example
        if example is not None:
            self._kind = example.kind
        elif not self._chosen:
            self._kind = "positive" if all_bad else "negative"
        self.kind.set_current(self._kind)
        self.text.set_value(example.text if example is not None else "", draft or None)
        self.text.setReadOnly(read_only)
        self.retranslate()

    def _kind_chosen(self, kind: str) -> None:
        self._kind, self._chosen = kind, True
        self.kind.set_current(kind)
        self.retranslate()
        if self.text.toPlainText().strip() and not self.text.isReadOnly():
            self.written.emit({"kind": kind, "text": self.text.toPlainText().strip()})

    def _committed(self, text: str) -> None:
        self.written.emit({"kind": self._kind, "text": text.strip()} if text.strip() else None)

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.text.commit()

    def take_keyboard(self) -> None:
        """Write it."""
        self.text.setFocus()

    def retranslate(self) -> None:
        """Read all texts again."""
        self.ask.set_text(tr(f"comparison.example_{self._kind}"))
        for name in ("negative", "positive"):
            self.kind.set_text(name, tr(f"comparison.kind_{name}"))
        self.text.setPlaceholderText(tr(f"comparison.example_hint_{self._kind}"))
        self.text.setAccessibleName(tr("comparison.example"))

    def remeasure(self) -> None:
        """Three lines."""
        self.ask.setMinimumWidth(density.scaled(210))
        self.text.setFixedHeight(fonts.line_height("body") * 3 + 12)
        super().remeasure()
