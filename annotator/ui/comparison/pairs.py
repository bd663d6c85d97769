"""Which of two is better: two responses at a time, until the ranking follows."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui.i18n import tr
from annotator.ui.widgets import Button, ElidedLabel
from annotator.ui.widgets.base import Live

_ANSWERS = ((-1, "pairwise_1"), (0, "pairwise_0"), (1, "pairwise_2"))


class PairsBox(Live, QWidget):
    """The question, three answers, and the way back.

    Signals:
        answered(-1, 0 or 1): the left one is better, both are equal, the right one is. back(): the pair before.
    """

    answered = Signal(int)
    back = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No pair yet."""
        super().__init__(parent)
        self._pair = ("", "")
        self._done = self._most = 0
        self.question = ElidedLabel("", "body", weight=600)
        self.progress = ElidedLabel("", "label", "text2", tabular=True)
        self.buttons = {answer: Button("", key=key) for answer, key in _ANSWERS}
        self.back_button = Button("", "flat", "undo-2", "pair_back", small=True)
        self.back_button.clicked.connect(self.back)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.question)
        head.addWidget(self.progress)
        head.addStretch(1)
        row = QHBoxLayout()
        row.setSpacing(6)
        for answer, button in self.buttons.items():
            button.setObjectName(f"pair_{('left', 'tie', 'right')[answer + 1]}")
            button.setProperty("answer", answer)
            button.setCheckable(True)
            button.clicked.connect(self._clicked)
            row.addWidget(button)
        row.addSpacing(6)
        row.addWidget(self.back_button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(2)
        column.addLayout(head)
        column.addLayout(row)
        self.go_live()

    def show_pair(self, letters: tuple[str, str], done: int, most: int, held: int | None, *, read_only: bool) -> None:
        """Ask about two responses; `held` is what was answered about them before."""
        self._pair, self._done, self._most = letters, done, most
        for answer, button in self.buttons.items():
            button.setChecked(answer == held)
            button.setEnabled(not read_only)
        self.back_button.setVisible(done > 0 and most > 1)
        self.retranslate()

    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button):
            sender.setChecked(not sender.isChecked())
            self.answered.emit(int(sender.property("answer")))

    def retranslate(self) -> None:
        """Read all texts again."""
        left, right = self._pair
        self.question.set_text(tr("comparison.pair_question", left=left, right=right))
        self.progress.set_text(tr("comparison.pair_progress", n=self._done + 1, most=self._most))
        self.progress.setVisible(self._most > 1)
        self.buttons[-1].set_text(tr("comparison.pair_better", letter=left))
        self.buttons[0].set_text(tr("comparison.pair_equal"))
        self.buttons[1].set_text(tr("comparison.pair_better", letter=right))
        self.back_button.set_text(tr("comparison.pair_back"))
