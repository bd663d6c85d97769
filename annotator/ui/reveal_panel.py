"""What judges said of the row under the cursor, beside the own score: agree, keep or revise. Shown after the commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.judge import Attribution
from annotator.domain.rubric import CANNOT_JUDGE, Dimension, Rubric, Tag
from annotator.ui import density, fonts, i18n, theme
from annotator.ui.i18n import tr, tr_in
from annotator.ui.textcolumn import Paragraph, TextColumn
from annotator.ui.transcript_model import tag_name
from annotator.ui.widgets import Button, ElidedLabel, paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.marks import MiniScore
from annotator.workspace.views import Opinion

LINES = {density.Density.SMALL: 4, density.Density.NORMAL: 5, density.Density.WIDE: 7}
TAGS = 4
LOW = 3


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown for one row: the own score and all that was said of it.

    Attributes:
        dimension: the row; `own`: the score as it stands; `first`: the blind one; `due`: no second opinion yet.
        opinions: of the judges, in order; `attributions`: why they are low; `tags`: error tags of the row already.
    """

    dimension: Dimension
    rubric: Rubric
    own: Any
    first: Any
    due: bool
    opinions: tuple[Opinion, ...]
    attributions: tuple[Attribution, ...] = ()
    tags: tuple[str, ...] = ()
    writable: bool = True

    def offered(self) -> tuple[str, ...]:
        """Error tags that attributions name for this dimension and the row does not bear."""
        known = {tag.id for tag in self.rubric.tags_of(self.dimension.level)}
        named = [c for a in self.why() for c in a.categories if c in known and c not in self.tags]
        return tuple(dict.fromkeys(named))

    def why(self) -> tuple[Attribution, ...]:
        """The attributions that are about this dimension, where anybody's score of it is low."""
        scores = [o.scores.get(self.dimension.id) for o in self.opinions]
        low = any(isinstance(s, int) and s <= LOW for s in (self.own, *scores))
        about = [a for a in self.attributions if a.about(self.dimension.id)]
        named = [a for a in about if self.dimension.id in (*a.low, *a.critical, *a.affected)]
        return tuple(about if low else named)


def with_offered(tags: Sequence[Tag], offered: Sequence[str]) -> tuple[Tag, ...]:
    """The tags with those that an attribution names first, as a group of their own."""
    group = {"group": tr_in("zh_CN", "reveal.suggested"), "group_gloss": tr_in("en", "reveal.suggested")}
    named = {tag.id: tag.model_copy(update=group) for tag in tags if tag.id in offered}
    return (*(named[tag] for tag in offered if tag in named), *(tag for tag in tags if tag.id not in named))


class RevealPanel(Live, QWidget):
    """One judge at a time under the rows (objectName `revealPanel`).

    Signals:
        agreed(score): the judge's score becomes the second opinion.
        kept(): the own one does.
        tag_wanted(id): an error tag that the attribution names is added.
    """

    agreed = Signal(int)
    kept = Signal()
    tag_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Hidden, until there is something to show."""
        super().__init__(parent)
        self.setObjectName("revealPanel")
        self._shown: Beside | None = None
        self._judge = 0
        self.title = ElidedLabel(weight=600, parent=self)
        self.own_label, self.judge_label = (ElidedLabel(style="meta", role="text3", parent=self) for _ in range(2))
        self.own, self.judge = MiniScore(parent=self), MiniScore(parent=self)
        self.judge.setObjectName("revealScore")
        self.others = Button("", kind="flat", icon="scale", key="judge_next", small=True, parent=self)
        self.others.setObjectName("revealNextJudge")
        self.texts = TextColumn(self)
        self.texts.setObjectName("revealReason")
        self.agree = Button("", icon="check", key="agree", small=True, parent=self)
        self.agree.setObjectName("revealAgree")
        self.keep = Button("", icon="user-round", key="keep_mine", small=True, parent=self)
        self.keep.setObjectName("revealKeep")
        self.revise = ElidedLabel(style="label", role="text3", parent=self)
        self.tags = [Button("", kind="flat", icon="plus", small=True, parent=self) for _ in range(TAGS)]
        for number, button in enumerate(self.tags):
            button.setObjectName(f"revealTag_{number}")
            button.clicked.connect(self._tag_clicked)
        self.others.clicked.connect(self.next_judge)
        self.agree.clicked.connect(self.say_agree)
        self.keep.clicked.connect(self.say_keep)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()
        self.go_live()

    def _lay_out(self) -> None:
        head = self._head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.title, 1)
        for widget in (self.others, self.own_label, self.own, self.judge_label, self.judge):
            head.addWidget(widget)
        foot = self._foot = QHBoxLayout()
        foot.setSpacing(2)
        for widget in (self.agree, self.keep, self.revise):
            foot.addWidget(widget)
        foot.addStretch(1)
        for button in self.tags:
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 6, 10, 5)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.texts, 1)
        column.addLayout(foot)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_beside(self, shown: Beside | None) -> None:
        """Show what stands beside a row; None hides the panel."""
        before, self._shown = self._shown, shown
        if shown is None:
            if before is not None:  # nothing of one row is left in the window of the next
                self.title.set_text("")
                self.texts.set_texts(())
                self._judge = 0
                for button in self.tags:
                    button.set_text("")
                    button.setToolTip("")
            self.hide()
            return
        if before is None or before.dimension.id != shown.dimension.id or before.opinions != shown.opinions:
            self._judge = min(self._judge, max(0, len(shown.opinions) - 1))
        self.show()
        self.retranslate()

    def shown_text(self) -> str:
        """Everything that is written in it, for tests and assistive programs."""
        return "\n".join((self.title.text(), self.texts.text()))

    def opinion(self) -> Opinion | None:
        """The opinion in front."""
        held = () if self._shown is None else self._shown.opinions
        return held[self._judge] if self._judge < len(held) else None

    def judge_score(self) -> int | None:
        """What the judge in front scored."""
        opinion = self.opinion()
        return None if opinion is None or self._shown is None else opinion.scores.get(self._shown.dimension.id)

    def next_judge(self) -> None:
        """Bring the next judge to the front."""
        if self._shown is not None and self._shown.opinions:
            self._judge = (self._judge + 1) % len(self._shown.opinions)
            self.retranslate()

    # -- what is said -------------------------------------------------------------------------------------------------

    def say_agree(self) -> None:
        """The judge's score is the second opinion."""
        score = self.judge_score()
        if score is not None and self._writable():
            self.agreed.emit(score)

    def say_keep(self) -> None:
        """The own first score is the second opinion too."""
        if self._shown is not None and self._shown.first is not None and self._writable():
            self.kept.emit()

    def _writable(self) -> bool:
        return self._shown is not None and self._shown.writable

    def _tag_clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button) and self._writable():
            self.tag_wanted.emit(str(sender.property("tag")))

    # -- words --------------------------------------------------------------------------------------------------------

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("reveal.name"))
        self.texts.setAccessibleName(tr("reveal.name"))
        self.own_label.set_text(tr("reveal.you"))
        self.judge_label.set_text(tr("reveal.judge"))
        self.revise.set_text(f"{tr('reveal.revise')} 1–5")
        shown = self._shown
        if shown is None:
            return
        opinion, score = self.opinion(), self.judge_score()
        name = shown.dimension.name.in_language(i18n.language())
        judge = tr("reveal.name") if opinion is None else opinion.judge
        self.title.set_text(tr("reveal.title", judge=judge, dimension=name))
        self.own.set_value(shown.own)
        self.judge.set_value(score)
        self.others.setVisible(len(shown.opinions) > 1)
        self.others.set_text(tr("reveal.next_judge", n=self._judge + 1, all=len(shown.opinions)))
        self.texts.set_texts(self._paragraphs(shown, opinion, score))
        self._buttons(shown, score)
        self._arrange()

    def _paragraphs(self, shown: Beside, opinion: Opinion | None, score: int | None) -> Sequence[Paragraph]:
        made: list[Paragraph] = []
        if opinion is not None:
            reason = opinion.reasons.get(shown.dimension.id, "")
            if score is None:
                why = "" if opinion.status == "success" else tr("reveal.nothing_why", status=opinion.status)
                made.append(
                    ("", " ".join(part for part in (tr("reveal.nothing", judge=opinion.judge), why) if part), "text3")
                )
            if reason or score is not None:
                made.append(("", reason or tr("reveal.no_reason"), "text" if reason else "text3"))
        for one in shown.why():
            heading = tr("reveal.why_critical") if one.severity == "critical" else tr("reveal.why")
            names = " · ".join(tag_name(shown.rubric, tag) for tag in one.categories)
            made.append((heading, "\n".join(part for part in (names, one.summary, *one.focus) if part), "text"))
        if opinion is not None and opinion.summary:
            made.append((tr("reveal.whole"), opinion.summary, "text2"))
        return made

    def _buttons(self, shown: Beside, score: int | None) -> None:
        self.agree.set_text(tr("reveal.agree_none") if score is None else tr("reveal.agree", score=score))
        self.agree.setEnabled(score is not None and shown.writable)
        first = shown.first
        kept = tr("reveal.keep_none") if first is None else tr("reveal.keep", score=first)
        self.keep.set_text(tr("reveal.keep_cannot") if first == CANNOT_JUDGE else kept)
        self.keep.setEnabled(first is not None and shown.writable)
        offered = shown.offered()
        for number, button in enumerate(self.tags):
            tag = offered[number] if number < len(offered) else ""
            button.setProperty("tag", tag)
            button.setEnabled(bool(tag) and shown.writable)
            word = tag_name(shown.rubric, tag) if tag else ""
            button.set_text(word)
            button.setToolTip(tr("reveal.add_tag", tag=word) if tag else "")
            button.setAccessibleName(tr("reveal.add_tag", tag=word) if tag else "")

    def _arrange(self) -> None:
        """As many tags as fit beside the two answers; the others stand first in the list of tags."""
        room = self.width() - 24 - self.agree.sizeHint().width() - self.keep.sizeHint().width()
        room -= self.revise.sizeHint().width() + 12
        for button in self.tags:
            wide = button.sizeHint().width() + 2
            fits = bool(button.property("tag")) and wide <= room
            button.setVisible(fits)
            room -= wide if fits else 0

    # -- room ---------------------------------------------------------------------------------------------------------

    def wanted_height(self) -> int:
        """Its height, px; 0 while there is nothing to show."""
        if self._shown is None:
            return 0
        around = max(self._head.sizeHint().height(), fonts.px(20)) + self._foot.sizeHint().height()
        return fonts.px(20) * LINES[density.current()] + around + 6 + 5 + 2 * 4

    def remeasure(self) -> None:
        """The height follows size class and text scale."""
        self.setFixedHeight(self.wanted_height() or 1)
        super().remeasure()
        if self._shown is not None:
            self._arrange()

    def event(self, event: QEvent) -> bool:
        """Head and foot know their height once they are laid out; what is too much is the rows' above."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.height() != (self.wanted_height() or 1):
            self.setFixedHeight(self.wanted_height() or 1)
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tags fit otherwise."""
        super().resizeEvent(event)
        self._arrange()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(420, self.wanted_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, and the line above."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("panel"))
        paint.hairline(painter, 0, 0, self.width(), 1, "line")
