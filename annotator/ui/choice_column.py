"""The right column: question and choices stay above; below them what the answer reveals, scrolled where it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from annotator.domain.letters import PROFILES
from annotator.domain.questions import box_share
from annotator.ui import density, theme
from annotator.ui.choice_answers import AnswerPanel
from annotator.ui.choice_asides import CrossPanel, FindingsPanel, StepsPanel
from annotator.ui.choice_box import BoxFacts, BoxPanel
from annotator.ui.choice_letters import LettersPanel
from annotator.ui.choice_section import LockedSection
from annotator.ui.choice_verdict import KeyVerdictPanel
from annotator.ui.i18n import tr
from annotator.ui.media_picture import ShownPicture
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView

_MOST_OF_IT = 0.62


class ChoiceColumn(Live, QWidget):
    """All panels beside the image; blind ones hold nothing of what they will show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything locked."""
        super().__init__(parent)
        self.answers = AnswerPanel()
        self.key_locked, self.findings_locked = LockedSection(40), LockedSection(22)
        self.letters_locked = LockedSection(96)
        self.steps = StepsPanel()
        self.verdict, self.box, self.letters = KeyVerdictPanel(), BoxPanel(), LettersPanel()
        self.findings, self.cross = FindingsPanel(), CrossPanel()
        # One of the two is shown: as wholes they keep their layout while they are hidden.
        self._blind = _stacked(self.key_locked, self.findings_locked, self.letters_locked, self.steps)
        self._revealed = _stacked(self.verdict, self.box, self.letters, self.findings)
        self._inner = _stacked(self._blind, self._revealed, self.cross)
        self._inner.layout().addStretch(1)  # type: ignore[union-attr]
        self.below = QScrollArea()
        self.below.setFrameShape(QFrame.Shape.NoFrame)
        self.below.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.below.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.below.setWidgetResizable(True)
        self.below.setWidget(self._inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.answers)
        column.addWidget(self.below, 1)
        self._counts = (0, 0)
        self._open(False)
        self.go_live()

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_question(
        self, view: QuestionView, picture: ShownPicture | None, spent_ms: int | None, pending: frozenset[str],
        *, failing: bool,
    ) -> None:  # fmt: skip
        """Show a question as far as it is revealed; `pending`: fields that are not on disk yet."""
        waits = "answer" in pending
        if self._counts != (view.n_findings, view.n_predictions):
            self._counts = (view.n_findings, view.n_predictions)
            self._name_locked()
        self.answers.show_question(view, spent_ms, pending=waits and not failing, failed=waits and failing)
        if view.revealed:
            self.verdict.show_question(view, _draft(view))
            self.letters.show_question(view, pending, failing=failing)
            self.findings.show_findings(view.question.findings)
        else:
            self.verdict.clear()
            self.letters.clear()
            self.findings.show_findings(())
        self.show_box(view, picture)
        self.cross.show_question(view)
        self._open(view.revealed)
        self._fit()

    def show_box(self, view: QuestionView, picture: ShownPicture | None) -> None:
        """Show the pinned box with its pixels, where the picture's own are there."""
        value = view.sheet.value("box")
        if value is None or not view.revealed:
            self.box.show_box(view, None, None)
            return
        rect = QRect(*(int(n) for n in value))
        self.box.show_box(view, BoxFacts(rect, _share(view, rect, picture), view.share_bound), _crop(picture, rect))

    def _open(self, revealed: bool) -> None:
        self.findings.setVisible(bool(self.findings.texts()))
        self._blind.setVisible(not revealed)
        self._revealed.setVisible(revealed)

    def show_letter(self) -> None:
        """Bring the current letter into view."""
        top, height = self.letters.current_rect()
        if height:
            self._inner.layout().activate()  # type: ignore[union-attr]
            top += self.letters.mapTo(self._inner, QPoint(0, 0)).y()
            self.below.ensureVisible(0, top + height, 0, 8)
            self.below.ensureVisible(0, top, 0, 30)

    def show_part(self, part: QWidget) -> None:
        """Bring a panel into view."""
        self.below.ensureWidgetVisible(part, 0, 4)

    def to_top(self) -> None:
        """Another question: from the top."""
        self.below.verticalScrollBar().setValue(0)

    def _fit(self) -> None:
        wanted = self.answers.content_height()
        self.answers.setFixedHeight(min(wanted, max(160, round(self.height() * _MOST_OF_IT))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other widths, other lines."""
        super().resizeEvent(event)
        self._fit()

    def remeasure(self) -> None:
        """Widths of the size class."""
        table = density.metrics()
        self.setMinimumWidth(min(table.right_min, 400))
        self.setMaximumWidth(table.right_max)
        self._fit()
        super().remeasure()

    def sizeHint(self) -> QSize:
        """The width of the size class."""
        return QSize(column_width(), 600)

    def retranslate(self) -> None:
        """The names of what is locked."""
        self._name_locked()
        self._fit()

    def _name_locked(self) -> None:
        """That something comes, with counts alone."""
        findings, models = self._counts
        self.key_locked.set_title(tr("choice.key_check"), tr("choice.after_answer"))
        self.findings_locked.set_title(tr("choice.findings"), tr("choice.locked_findings", n=findings))
        profiles = tr("choice.locked_models", n=models, profiles=len(PROFILES))
        self.letters_locked.set_title(tr("choice.predictions"), profiles if models else tr("choice.no_outputs"))

    def restyle(self) -> None:
        """Grounds of the scrolled part."""
        for widget in (self.below.viewport(), self._inner):
            widget.setAutoFillBackground(False)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground."""
        QPainter(self).fillRect(self.rect(), theme.color("panel"))


def _stacked(*parts: QWidget) -> QWidget:
    """Parts below one another, with nothing between."""
    whole = QWidget()
    stack = QVBoxLayout(whole)
    stack.setContentsMargins(0, 0, 0, 0)
    stack.setSpacing(0)
    for part in parts:
        stack.addWidget(part)
    return whole


def column_width() -> int:
    """The column beside the image: narrower than the audit's, since the image takes the room."""
    width = {density.Density.SMALL: 400, density.Density.NORMAL: 436, density.Density.WIDE: 640}[density.current()]
    return min(density.scaled(width), density.metrics().right_max)


def _share(view: QuestionView, rect: QRect, picture: ShownPicture | None) -> float:
    evidence = view.sheet.value("evidence")
    if isinstance(evidence, dict) and isinstance(evidence.get("share"), int | float):
        return float(evidence["share"])
    if picture is None:
        return view.share or 0.0
    box = (rect.x(), rect.y(), rect.width(), rect.height())
    return box_share(box, picture.full.width(), picture.full.height())


def _crop(picture: ShownPicture | None, rect: QRect) -> QImage | None:
    return picture.grab(rect) if picture is not None else None


def _draft(view: QuestionView) -> str | None:
    """A note that was being written and never said."""
    return view.drafts.get(("item", "note"))
