"""The quiet parts of the right column: what a program noticed, the check by several people, the steps while blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import density, fonts, icons, theme
from annotator.ui.choice_section import Section
from annotator.ui.choice_words import answer_word
from annotator.ui.i18n import has, tr
from annotator.ui.widgets import Chip, PlainLabel, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.domain.questions import Finding
    from annotator.workspace.questions import Other, QuestionView

_STEPS = ("answer", "key", "box", "letters")
_CROSS = {
    "none": ("outline", None), "one": ("outline", "user-round"), "agreed": ("ok", "check"), "settled": ("ok", "check"),
    "third_wanted": ("warn", "triangle-alert"), "disputed": ("error", "circle-x"),
}  # fmt: skip


def finding_text(finding: Finding) -> str:
    """What a program noticed, in a sentence; an unknown code stands as it is."""
    values = {"letters": ", ".join(finding.letters) or "–", "detail": finding.detail}
    if has(f"choice.finding.{finding.code}"):
        return " ".join(tr(f"choice.finding.{finding.code}", **values).split())
    return " ".join(part for part in (finding.code, values["letters"], finding.detail) if part)


class FindingsPanel(Section):
    """The automatic findings, each one line; hidden where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing noticed."""
        super().__init__(parent=parent)
        self.setObjectName("findings")
        self._findings: tuple[Finding, ...] = ()
        self._lines: list[_Noted] = []
        self.go_live()

    def show_findings(self, findings: tuple[Finding, ...]) -> None:
        """Show what was noticed about a revealed question."""
        self._findings = findings
        self.retranslate()

    def texts(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple(finding_text(f) for f in self._findings)

    def retranslate(self) -> None:
        """Read all texts again."""
        self.set_title(tr("choice.findings"))
        texts = self.texts()
        while len(self._lines) < len(texts):
            self._lines.append(_Noted())
            self.body.addWidget(self._lines[-1])
        for number, line in enumerate(self._lines):
            line.label.set_text(texts[number] if number < len(texts) else "")
            line.setVisible(number < len(texts))
        self.setVisible(bool(texts))


class _Noted(QWidget):
    """A triangle and a sentence."""

    def __init__(self) -> None:
        super().__init__()
        self.label = PlainLabel("", "label", "text2")
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 0, 0)
        row.addWidget(self.label, 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        icons.paint(QPainter(self), "triangle-alert", 0, (fonts.line_height("label") - 14) // 2, "warn", 14)


class CrossPanel(Section):
    """How far the check by several people is; what others said only after the own verdict."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nobody has said anything."""
        super().__init__("users", parent=parent)
        self.setObjectName("crossCheck")
        self._view: QuestionView | None = None
        self.you = Chip(kind="chosen", icon="user-round")
        self.state = Chip(kind="outline")
        self.why = PlainLabel("", "label", "text2")
        row = QHBoxLayout()
        row.setSpacing(8)
        for widget in (self.you, self.state):
            row.addWidget(widget)
        row.addStretch(1)
        self.body.addLayout(row)
        self.body.addWidget(self.why)
        self.others = PlainLabel("", "label", "text2")
        self.body.addWidget(self.others)
        self.go_live()

    def show_question(self, view: QuestionView) -> None:
        """Show the state of a question."""
        self._view = view
        self.retranslate()

    def retranslate(self) -> None:
        """Read all texts again."""
        self.set_title(tr("choice.cross_check"))
        self.you.set_text(tr("choice.you"))
        view = self._view
        if view is None:
            return
        kind, icon = _CROSS[view.cross]
        self.state.set_kind(kind)
        self.state.set_icon(icon)
        self.state.set_text(tr(f"choice.cross.{view.cross}"))
        self.why.set_text(tr(f"choice.cross_why.{view.cross}"))
        said = [_other(other) for other in view.others]
        self.others.set_text("\n".join(said))
        self.others.setVisible(bool(said))


def _other(other: Other) -> str:
    key = f"choice.verdict.{other.key_verdict}"
    word = tr(key) if has(key) else str(other.key_verdict)
    if other.key_letter is None:
        return tr("choice.other_said", who=other.rater, verdict=word)
    return tr("choice.other_said_letter", who=other.rater, verdict=word, letter=answer_word(other.key_letter))


class _Step(Live, QWidget):
    """A number in a circle and a word."""

    def __init__(self, number: int, name: str) -> None:
        super().__init__()
        self._number, self._name = number, name
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def retranslate(self) -> None:
        """Its word."""
        self.setAccessibleName(tr(f"choice.step.{self._name}"))
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(120, density.scaled(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Circle, number, word."""
        painter = QPainter(self)
        now = self._number == 1
        circle = QRectF(0, (self.height() - 18) / 2, 18, 18)
        ground = theme.color("accent") if now else None
        paint.frame(painter, circle, ground, None if now else theme.color("control"), 9.0)
        ink = "on-accent" if now else "text2"
        paint.draw_text(painter, circle, str(self._number), fonts.font("meta", 600), ink, paint.CENTER)
        area = QRectF(25, 0, self.width() - 25, self.height())
        role = "accent-text" if now else "text2"
        paint.draw_text(painter, area, self.accessibleName(), fonts.font("label", 600 if now else 400), role)


class StepsPanel(Section):
    """The way through one question, while it is blind."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Four steps in two columns."""
        super().__init__("info", parent=parent)
        columns = QHBoxLayout()
        for numbers in ((0, 2), (1, 3)):
            column = QVBoxLayout()
            column.setSpacing(0)
            for number in numbers:
                column.addWidget(_Step(number + 1, _STEPS[number]), 0, Qt.AlignmentFlag.AlignTop)
            columns.addLayout(column, 1)
        self.body.addLayout(columns)
        self.go_live()

    def retranslate(self) -> None:
        """Read all texts again."""
        self.set_title(tr("choice.steps"))
