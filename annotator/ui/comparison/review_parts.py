"""Parts of the reviewer's panel: one response as a rater judged it, and the line that tells a rater of a review."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.comparisons_scales import scales
from annotator.domain.comparisons_sheet import SAFETY_FLAGS, Review
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.ui import i18n, icons
from annotator.ui.comparison.review_draft import Corrections
from annotator.ui.i18n import tr
from annotator.ui.widgets import Chip, ElidedLabel, Ground, PlainLabel, ScoreStrip
from annotator.workspace.comparisons_views import ShownResponse

_ICONS = {"returned": "undo-2", "corrected": "pencil", "accepted": "circle-check"}
_ROLES = {"returned": "warn", "corrected": "info", "accepted": "ok"}


class PanelGround(Ground):
    """A plain ground for what scrolls, and for what stands still around it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """The panel's own."""
        super().__init__("panel", parent=parent)
        self.go_live()


class ResponseBlock(Ground):
    """The three scores of one response, its reason and flags; what the reviewer changes is marked.

    Signals:
        corrected(place, scale, value): a cell was clicked.
    """

    corrected = Signal(int, str, object)

    def __init__(self, number: int, parent: QWidget | None = None) -> None:
        """The `number`-th from the left; no response yet."""
        super().__init__("panel", ("top",), "hair", parent)
        self._response: ShownResponse | None = None
        self._draft: Corrections | None = None
        self.letter = ElidedLabel("", "body", weight=600)
        self.flags = ElidedLabel("", "label", "warn")
        self.reason = PlainLabel("", "label", "text2")
        self.strips: dict[str, ScoreStrip] = {}
        self.names: dict[str, ElidedLabel] = {}
        self.marks: dict[str, ElidedLabel] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(2, 1)
        for row, scale in enumerate(COMPARISON_SCALES):
            strip = ScoreStrip(f"review_{scale}_{number}")
            strip.setProperty("scale", scale)
            strip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            strip.chosen.connect(self._chosen)
            self.strips[scale] = strip
            self.names[scale] = ElidedLabel("", "label", "text2")
            self.marks[scale] = ElidedLabel("", "label", "accent-text")
            self.names[scale].setFixedWidth(64)
            grid.addWidget(self.names[scale], row, 0)
            grid.addWidget(strip, row, 1)
            grid.addWidget(self.marks[scale], row, 2)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.letter)
        head.addWidget(self.flags, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 8, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(grid)
        column.addWidget(self.reason)
        self.go_live()

    def show_response(self, response: ShownResponse, draft: Corrections, *, read_only: bool) -> None:
        """Show what was said of a response, and what the reviewer would have instead."""
        self._response, self._draft = response, draft
        target = f"response:{response.place}"
        for scale, strip in self.strips.items():
            strip.set_read_only(read_only)
            strip.set_value(draft.score(response.place, scale))
            self._mark(scale, draft, target)
        reason = draft.sheet.value(target, "note") or ""
        self.reason.setText(str(reason))
        self.reason.setVisible(bool(str(reason).strip()))
        self.retranslate()

    def _mark(self, scale: str, draft: Corrections, target: str) -> None:
        place = int(target.partition(":")[2])
        changed = (place, scale) in draft.scores
        own: Any = draft.sheet.value(target, scale)
        shown = "–" if own in (None, "cannot_judge") else str(own)
        self.marks[scale].set_text(tr("comparison_review.was", value=shown) if changed else "")

    def _chosen(self, value: object) -> None:
        strip = self.sender()
        if isinstance(strip, ScoreStrip) and self._response is not None:
            self.corrected.emit(self._response.place, str(strip.property("scale")), value)

    def retranslate(self) -> None:
        """Read the texts again."""
        letter = self._response.letter if self._response is not None else ""
        self.letter.set_text(letter)
        for scale in scales():
            name = scale.name.in_language(i18n.language())
            self.names[scale.id].set_text(tr(f"comparison_review.scale.{scale.id}"))
            self.strips[scale.id].set_title(tr("comparison_review.score_of", scale=name, letter=letter))
        if self._draft is not None and self._response is not None:
            target = f"response:{self._response.place}"
            said = [name for name in SAFETY_FLAGS if self._draft.sheet.value(target, f"flag:{name}") is True]
            self.flags.set_text(tr("comparison_review.joint").join(tr(f"comparison.flag.{name}") for name in said))


class ReviewBar(Ground):
    """What a reviewer made of this rater's own labels, over the responses; a return stays until something is said."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing was reviewed; hidden."""
        super().__init__("panel", ("bottom",), "hair", parent)
        self.setObjectName("reviewBar")
        self._review: Review | None = None
        self._open = False
        self.words = PlainLabel("", "body")
        row = QHBoxLayout(self)
        row.setContentsMargins(38, 6, 12, 6)
        row.addWidget(self.words, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.hide()
        self.go_live()

    def show_review(self, review: Review | None, *, returned: bool) -> None:
        """Show the latest review; an accepted one only where it says something."""
        self._review, self._open = review, returned
        told = review is not None and (returned or (review.state != "returned" and bool(review.comment)))
        self.setVisible(told)
        self.set_ground(f"{self._ink}-soft" if told else "panel")
        self.retranslate()

    @property
    def _ink(self) -> str:
        return _ROLES[self._review.state] if self._review is not None else "info"

    def retranslate(self) -> None:
        """Read the texts again."""
        review = self._review
        if review is None:
            return
        words = {"reviewer": review.reviewer, "comment": review.comment}
        kind = review.state if review.comment else f"{review.state}_silent"
        self.words.setText(tr(f"comparison_review.told.{kind}", **words))
        self.setAccessibleName(self.words.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground, and the mark of what became of the labels."""
        super().paintEvent(event)
        if self._review is not None:
            painter = QPainter(self)
            icons.paint(painter, _ICONS[self._review.state], 13, 8, self._ink, 16)
            painter.end()


class StateChip(Chip):
    """What the last reviewer made of these labels."""

    def show_review(self, review: Review | None, *, fresh: bool) -> None:
        """`fresh`: something was said since."""
        word = "waits" if review is None or fresh else review.state
        self.set_text(tr(f"comparison_review.state.{word}"))
        self.set_kind("outline" if word == "waits" else _ROLES[word])
