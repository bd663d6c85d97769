"""The problems page: what an import left for a person to decide, each with its choices and what they mean."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.domain.report import Choice, Problem
from annotator.ui import i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.import_lines import meaning
from annotator.ui.importpage import PageHead
from annotator.ui.sentences import words
from annotator.ui.widgets import Button, Card, Chip, ElidedLabel, EmptyState, PlainLabel, Separator
from annotator.ui.widgets.base import Live

SHOWN = 200


class ProblemCard(Live, QWidget):
    """One problem: what, where, the contents side by side, and a button per choice.

    Signals:
        decided: (problem id, choice).
    """

    decided = Signal(str, str)

    def __init__(self, problem: Problem, parent: QWidget | None = None) -> None:
        """Show a problem."""
        super().__init__(parent)
        self.problem = problem
        self.card = Card()
        self.reason = PlainLabel("", style="body", role="text")
        self.where = ElidedLabel("", style="label", role="text3")
        self.buttons: dict[Choice, Button] = {}
        body = self.card.body
        body.setContentsMargins(14, 10, 14, 12)
        body.setSpacing(8)
        body.addWidget(self.reason)
        body.addWidget(self.where)
        body.addLayout(self._contents())
        body.addLayout(self._choices())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.card)
        self.go_live()

    def _contents(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        self._labels: dict[str, ElidedLabel] = {}
        for name in ("first", "second", "scale"):
            held = self.problem.detail.get(name)
            if held is None:
                continue
            column = QVBoxLayout()
            column.setSpacing(2)
            label = ElidedLabel("", style="label", role="text2", weight=500)
            self._labels[name] = label
            text = held if isinstance(held, str) else json.dumps(held, ensure_ascii=False, indent=1)
            column.addWidget(label)
            column.addWidget(PlainLabel(text[:1200], style="label", role="text"))
            column.addStretch(1)
            row.addLayout(column, 1)
        return row

    def _choices(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        for n, choice in enumerate(self.problem.choices, 1):
            button = Button("", key=str(n))
            button.setObjectName(f"decide_{choice}")
            button.clicked.connect(self._decider(choice))
            self.buttons[choice] = button
            row.addWidget(button)
        row.addStretch(1)
        return row

    def _decider(self, choice: Choice) -> Callable[[], None]:
        def decide() -> None:
            self.decided.emit(self.problem.id, choice)

        return decide

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Digits choose while one of its buttons has the keyboard."""
        place = event.key() - int(Qt.Key.Key_1)
        choices = list(self.buttons.values())
        if 0 <= place < len(choices):
            choices[place].click()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Read the texts again."""
        problem = self.problem
        self.card.set_title(meaning(problem.code), problem.code)
        self.reason.set_text(words(problem.reason))
        at = tr("import.at_line", n=i18n.count(problem.line)) if problem.line is not None else ""
        self.where.set_text(" · ".join(p for p in (problem.file, at, problem.item or "") if p))
        for name, label in self._labels.items():
            label.set_text(tr(f"problems.{name}"))
        for choice, button in self.buttons.items():
            button.set_text(tr(f"problems.choice.{choice}"))
            button.setToolTip(tr(f"problems.why.{choice}"))


class ProblemsPage(Live, QWidget):
    """All problems that wait (objectName `problemsPage`).

    Signals:
        decided: (problem id, choice); wanted: the page came to the front.
    """

    decided = Signal(str, str)
    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing waits."""
        super().__init__(parent)
        self.setObjectName("problemsPage")
        self.cards: list[ProblemCard] = []
        self._total = 0
        self.head = PageHead()
        self.head.chip.hide()
        self.empty = EmptyState("circle-check", role="ok")
        self.more = Chip("", "info", "info")
        self._inner = QWidget()
        self._column = QVBoxLayout(self._inner)
        self._column.setContentsMargins(16, 12, 16, 12)
        self._column.setSpacing(10)
        self._column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(self._inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, Separator()):
            layout.addWidget(widget)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.empty, 1)
        layout.addWidget(self.more)
        self.show_problems([])
        self.go_live()

    def put_above(self, widget: QWidget) -> None:
        """Something that stands above the problems: what else may be found wrong."""
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(2, widget)

    def page_shown(self) -> None:
        """The page is in front: what waits shall be read again."""
        self.wanted.emit()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show these instead."""
        for card in self.cards:
            self._column.removeWidget(card)
            card.deleteLater()
        self._total = len(problems)
        self.cards = [ProblemCard(p) for p in problems[:SHOWN]]
        for place, card in enumerate(self.cards):
            card.decided.connect(self.decided)
            self._column.insertWidget(place, card)
        self.area.setVisible(bool(problems))
        self.empty.setVisible(not problems)
        if self.cards and self.cards[0].buttons:
            next(iter(self.cards[0].buttons.values())).setFocus(Qt.FocusReason.OtherFocusReason)
        self.retranslate()

    def retranslate(self) -> None:
        """Read the texts again."""
        self.head.title.set_text(tr("problems.title"))
        self.head.note.set_text(tr("problems.note", n=i18n.count(self._total)) if self._total else "")
        self.empty.set_texts(tr("problems.none"), tr("problems.none_why"), "")
        self.more.setVisible(self._total > SHOWN)
        self.more.set_text(tr("problems.more", n=i18n.count(self._total - SHOWN)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()
