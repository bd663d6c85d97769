"""The reviewer's panel: one rater's labels on the open comparison, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from annotator.domain.comparisons_sheet import ITEM_FLAGS, contradicting
from annotator.ui import density, fonts
from annotator.ui.comparison.review_draft import Corrections, from_letters, in_letters
from annotator.ui.comparison.review_parts import PanelGround, ResponseBlock, StateChip
from annotator.ui.i18n import tr
from annotator.ui.reason import NoteEdit
from annotator.ui.widgets import Button, Combo, ElidedLabel, EmptyState, Ground, PanelHead, PlainLabel
from annotator.workspace.comparisons_views import ComparisonView, Reviewed

WIDTH = 316


class ReviewPanel(Ground):
    """Scores, ranking and reasons of a rater, with the reviewer's corrections laid over; comment and three verdicts.

    Signals:
        decided(state): `accepted`, `corrected` or `returned`. chosen(rater): another rater's labels.
    """

    decided = Signal(str)
    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nobody's labels; hidden until there is a reviewer."""
        super().__init__("panel", ("left",), "line", parent)
        self.setObjectName("reviewPanel")
        self._view: ComparisonView | None = None
        self._found: tuple[Reviewed, ...] = ()
        self._waiting = 0
        self.draft: Corrections | None = None
        self.head = PanelHead("")
        self.raters = Combo()
        self.raters.setObjectName("reviewRater")
        self.state = StateChip()
        self.blocks = [ResponseBlock(number) for number in range(5)]
        self.ranking = QLineEdit()
        self.ranking.setObjectName("reviewRanking")
        self.ranking_name, self.ranking_note = ElidedLabel("", "label", "text2"), PlainLabel("", "label", "accent-text")
        self.why, self.flags, self.last = (PlainLabel("", "label", "text2") for _ in range(3))
        self.comment = NoteEdit()
        self.comment.setObjectName("reviewComment")
        self.accept = Button("", key="review_accept", small=True)
        self.correct = Button("", key="review_correct", small=True)
        self.give_back = Button("", key="review_return", small=True)
        self.reset = Button("", kind="flat", icon="rotate-ccw", small=True)
        self.hint = PlainLabel("", "label", "text3")
        self.empty = EmptyState("clipboard-check")
        self._lay_out()
        self._connect()
        self.hide()
        self.go_live()

    def _lay_out(self) -> None:
        inner = PanelGround()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(0)
        for block in self.blocks:
            column.addWidget(block)
        words = QVBoxLayout()
        words.setContentsMargins(12, 8, 10, 0)
        words.setSpacing(4)
        for part in (self.ranking_name, self.ranking, self.ranking_note, self.why, self.flags, self.last):
            words.addWidget(part)
        column.addLayout(words)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(inner)
        who = QHBoxLayout()
        who.setContentsMargins(12, 6, 10, 6)
        who.addWidget(self.raters, 1)
        who.addWidget(self.state)
        foot = QVBoxLayout()
        foot.setContentsMargins(12, 8, 10, 10)
        foot.setSpacing(6)
        foot.addWidget(self.comment)
        row = QHBoxLayout()
        row.setSpacing(6)
        for button in (self.accept, self.correct, self.give_back):
            row.addWidget(button, 1)
        foot.addLayout(row)
        under = QHBoxLayout()
        under.addWidget(self.hint, 1)
        under.addWidget(self.reset)
        foot.addLayout(under)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self.head)
        self.body = PanelGround()
        inside = QVBoxLayout(self.body)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addLayout(who)
        inside.addWidget(self.area, 1)
        inside.addLayout(foot)
        whole.addWidget(self.body, 1)
        whole.addWidget(self.empty, 1)

    def _connect(self) -> None:
        for block in self.blocks:
            block.corrected.connect(self._score_changed)
        self.ranking.textEdited.connect(self._ranking_changed)
        self.comment.textChanged.connect(self._show_ways)
        self.accept.clicked.connect(self._accept)
        self.correct.clicked.connect(self._correct)
        self.give_back.clicked.connect(self._return)
        self.reset.clicked.connect(self._reset)
        self.raters.activated.connect(self._rater_chosen)

    # --- what is shown --------------------------------------------------------------------------------------------
    def show_found(
        self, view: ComparisonView | None, found: Sequence[Reviewed], rater: str | None = None, waiting: int = 0
    ) -> None:
        """Show what others say of the open item; `rater` first, else who waits; `waiting`: how many do in all."""
        self._view, self._found, self._waiting = view, tuple(found), waiting
        self.raters.clear()
        for one in self._found:
            self.raters.addItem(one.rater, one.rater)
        names = [one.rater for one in self._found]
        self.raters.setCurrentIndex(names.index(rater) if rater in names else 0 if names else -1)
        self.comment.set_value("", "")
        self._begin()

    def set_waiting(self, waiting: int) -> None:
        """How many labels wait for a reviewer."""
        self._waiting = waiting
        self._show_head()

    @property
    def reviewed(self) -> Reviewed | None:
        """Whose labels are shown."""
        at = self.raters.currentIndex()
        return self._found[at] if 0 <= at < len(self._found) else None

    def _begin(self) -> None:
        one = self.reviewed
        self.draft = Corrections(one.sheet) if one is not None else None
        self.ranking.setText(self._shown_ranking())
        self._mark_ranking(invalid=False)
        self.retranslate()

    def _shown_ranking(self) -> str:
        if self.draft is None or self._view is None:
            return ""
        return in_letters(self.draft.ranking or self.draft.sheet.ranking, self._view.responses)

    @property
    def read_only(self) -> bool:
        """Whether nothing can be said."""
        return self._view is None or self._view.read_only

    def _show_blocks(self) -> None:
        responses = self._view.responses if self._view is not None else ()
        for number, block in enumerate(self.blocks):
            shown = number < len(responses) and self.draft is not None
            block.setVisible(shown)
            if shown and self.draft is not None:
                block.show_response(responses[number], self.draft, read_only=self.read_only)

    def _show_words(self) -> None:
        one, draft, view = self.reviewed, self.draft, self._view
        if one is None or draft is None or view is None:
            return
        sheet = one.sheet
        letter = {response.place: response.letter for response in view.responses}
        own = in_letters(sheet.ranking, view.responses)
        self.ranking_note.set_text(tr("comparison_review.was", value=own or "–") if draft.ranking is not None else "")
        self.ranking_note.setVisible(draft.ranking is not None)
        said = [str(sheet.value("item", "ranking_reason") or "")]
        if sheet.example is not None:
            said.append(tr(f"comparison_review.example.{sheet.example.kind}", text=sheet.example.text))
        scores = [[draft.score(place, scale) for scale in self.blocks[0].strips] for place in range(sheet.responses)]
        ranking = draft.ranking or sheet.ranking
        for better, worse in contradicting(ranking, scores) if ranking is not None else ():
            said.append(tr("comparison_review.against", better=letter[better], worse=letter[worse]))
        _fill(self.why, "\n".join(filter(None, said)))
        flags = [name for name in ITEM_FLAGS if sheet.value("item", f"flag:{name}") is True]
        _fill(self.flags, tr("comparison_review.joint").join(tr(f"comparison.flag.{name}") for name in flags))
        last = one.reviews[-1] if one.reviews else None
        kind = "" if last is None else last.state if last.comment else f"{last.state}_silent"
        words = (
            "" if last is None else tr(f"comparison_review.said.{kind}", reviewer=last.reviewer, comment=last.comment)
        )
        _fill(self.last, words)
        self.state.show_review(last, fresh=one.fresh)

    def _show_ways(self) -> None:
        count = self.draft.count if self.draft is not None else 0
        can = self.draft is not None and not self.read_only
        self.accept.setEnabled(can and not count)
        self.correct.setEnabled(can and count > 0)
        self.give_back.setEnabled(can and not count and bool(self.comment.toPlainText().strip()))
        self.reset.setVisible(count > 0)
        word = "changed" if count else "comment" if not self.comment.toPlainText().strip() else ""
        self.hint.set_text(tr(f"comparison_review.hint.{word}", n=count) if word else "")

    def _show_head(self) -> None:
        note = tr("comparison_review.waiting", n=self._waiting) if self._waiting else tr("comparison_review.none_waits")
        self.head.set_title(tr("comparison_review.title"), note)

    def retranslate(self) -> None:
        """Read the texts again."""
        self._show_head()
        self.body.setVisible(bool(self._found))
        self.empty.setVisible(not self._found)
        self.empty.set_texts(tr("comparison_review.nobody"), tr("comparison_review.nobody_why"))
        self.raters.setAccessibleName(tr("comparison_review.rater"))
        self.ranking_name.set_text(tr("comparison_review.ranking"))
        self.ranking.setAccessibleName(tr("comparison_review.ranking"))
        self.ranking.setReadOnly(self.read_only)
        self.comment.setPlaceholderText(tr("comparison_review.comment"))
        self.comment.setAccessibleName(tr("comparison_review.comment"))
        self.accept.set_text(tr("comparison_review.accept"))
        self.correct.set_text(tr("comparison_review.correct"))
        self.give_back.set_text(tr("comparison_review.return"))
        self.reset.set_text(tr("comparison_review.reset"))
        self._show_blocks()
        self._show_words()
        self._show_ways()

    # --- what is done ---------------------------------------------------------------------------------------------
    def _score_changed(self, place: int, scale: str, value: object) -> None:
        if self.draft is not None and not self.read_only:
            self.draft.set_score(place, scale, value)
            self.retranslate()

    def _ranking_changed(self, text: str) -> None:
        if self.draft is None or self._view is None:
            return
        ranks = from_letters(text, self._view.responses)
        self._mark_ranking(invalid=ranks is None and bool(text.strip()))
        if ranks is not None:
            self.draft.set_ranking(ranks)
            self._show_words()
            self._show_ways()

    def _mark_ranking(self, *, invalid: bool) -> None:
        self.ranking.setProperty("invalid", invalid)
        self.ranking.style().polish(self.ranking)

    def _rater_chosen(self, _at: int) -> None:
        self.comment.set_value("", "")
        self._begin()
        if self.reviewed is not None:
            self.chosen.emit(self.reviewed.rater)

    def _reset(self) -> None:
        self._begin()

    def _accept(self) -> None:
        self.decided.emit("accepted")

    def _correct(self) -> None:
        self.decided.emit("corrected")

    def _return(self) -> None:
        self.decided.emit("returned")

    def decide(self, state: str) -> bool:
        """By key: do it where it can be done now; a return without a comment asks for one."""
        button = {"accepted": self.accept, "corrected": self.correct, "returned": self.give_back}[state]
        if button.isEnabled():
            self.decided.emit(state)
            return True
        if state == "returned" and self.draft is not None and not self.draft.count and not self.read_only:
            self.comment.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return False

    # --- measures -------------------------------------------------------------------------------------------------
    def sizeHint(self) -> QSize:
        """One width for every text."""
        return QSize(density.scaled(WIDTH), 400)

    def remeasure(self) -> None:
        """Fixed width; the comment keeps three lines."""
        self.setFixedWidth(density.scaled(WIDTH))
        self.ranking.setFont(fonts.font("body", 500))
        self.comment.setFont(fonts.font("body"))
        self.comment.setFixedHeight(fonts.line_height("body") * 3 + 12)
        super().remeasure()


def _fill(label: PlainLabel, text: str) -> None:
    label.set_text(text)
    label.setVisible(bool(text))
