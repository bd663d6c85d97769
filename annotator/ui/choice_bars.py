"""The line above a question (which one it is, undo) and the line below it (what is left, and the way on)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, i18n, theme
from annotator.ui.choice_words import FLAGS, open_models, page_gaps
from annotator.ui.i18n import tr
from annotator.ui.media_picture import ShownPicture
from annotator.ui.verdictbar import IconMark
from annotator.ui.widgets import Button, Chip, ElidedLabel, FilterChip, IconButton, Keycap, Separator, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView


class ChoiceItemBar(Live, QWidget):
    """Id, title, size of the image, set, and how far the check by several people is.

    Signals:
        undo_wanted(), redo_wanted().
    """

    undo_wanted = Signal()
    redo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No question yet."""
        super().__init__(parent)
        self.setObjectName("choiceItemBar")
        self._view: QuestionView | None = None
        self._picture: ShownPicture | None = None
        self.source = ElidedLabel(style="mono", role="text2")
        self.title = ElidedLabel(weight=600)
        self.image = Chip(kind="outline", icon="image")
        self.set_chip = Chip(kind="outline")
        self.locked = Chip(kind="warn", icon="lock")
        self.undo = IconButton("undo-2", key="undo")
        self.undo.setObjectName("undoButton")
        self.redo = IconButton("redo-2", key="redo")
        self.redo.setObjectName("redoButton")
        self.cross = Chip(kind="outline", icon="users")
        self.undo.clicked.connect(self.undo_wanted)
        self.redo.clicked.connect(self.redo_wanted)
        self.set_undo(False, False)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 1)
        row.setSpacing(8)
        for widget in (self.source, self.title, self.image, self.set_chip, self.locked):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.undo)
        row.addWidget(self.redo)
        row.addWidget(Separator(vertical=True, length=16))
        row.addWidget(self.cross)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_question(self, view: QuestionView | None) -> None:
        """Show which question is open."""
        self._view = view
        self.retranslate()

    def set_undo(self, can_undo: bool, can_redo: bool) -> None:
        """Whether there is something to undo, and something to redo."""
        self.undo.setEnabled(can_undo)
        self.redo.setEnabled(can_redo)

    def show_picture(self, picture: ShownPicture | None) -> None:
        """The size of the image on the stage."""
        if picture is not self._picture:
            self._picture = picture
            self._show_size()

    def _show_size(self) -> None:
        self.image.setVisible(self._picture is not None and not density.queue_closes())
        if self._picture is not None:
            full = self._picture.full
            self.image.set_text(tr("choice.image_size", width=full.width(), height=full.height()))

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("choice.item_bar"))
        self.undo.set_text(tr("itembar.undo"))
        self.redo.set_text(tr("itembar.redo"))
        view = self._view
        for widget in (self.source, self.title, self.set_chip, self.cross):
            widget.setVisible(view is not None)
        narrow = density.queue_closes()
        self._show_size()
        self.locked.setVisible(view is not None and view.read_only)
        if view is None:
            return
        self.source.set_text(view.question.source_id)
        self.title.set_text(view.row.title)
        language = tr(f"choice.language.{view.question.language}")
        self.set_chip.set_text(f"{language} · {tr(f'choice.split.{view.question.split}')}")
        self.set_chip.setVisible(not narrow)
        self.locked.set_text(tr("itembar.read_only"))
        self.cross.set_text(tr(f"choice.cross.{view.cross}"))

    def remeasure(self) -> None:
        """One line."""
        self.setFixedHeight(density.metrics().item_bar)
        self.retranslate()
        super().remeasure()

    def minimumSizeHint(self) -> QSize:
        """Title and chips elide."""
        return QSize(320, density.metrics().item_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())


class ChoiceFoot(Live, QWidget):
    """What the state of the question asks for, flags, what is left, and the next question.

    Signals:
        next_wanted(); gap_wanted(). flagged(field, on): a flag of the question.
    """

    next_wanted = Signal()
    gap_wanted = Signal()
    flagged = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """No question yet."""
        super().__init__(parent)
        self.setObjectName("choiceFoot")
        self._view: QuestionView | None = None
        self.title = ElidedLabel(weight=600)
        self.sentence = ElidedLabel(role="text2")
        self.flags = {name: FilterChip(icon="flag") for name in FLAGS}
        self.mark = IconMark("circle-dashed", "warn")
        self.missing = ElidedLabel(style="body", role="text2")
        self.missing.setObjectName("missingLabel")
        self.gap_key = Keycap("next_gap")
        self.next = Button("", key="next_question")
        self.next.setObjectName("nextQuestion")
        self.next.clicked.connect(self.next_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 9, 0)
        row.setSpacing(6)
        row.addWidget(self.title)
        row.addSpacing(4)
        row.addWidget(self.sentence)
        for name, chip in self.flags.items():
            chip.setObjectName(f"flag_{name}")
            chip.setProperty("flag", name)
            chip.clicked.connect(self._flag_clicked)
            row.addWidget(chip)
        row.addStretch(1)
        for widget in (self.mark, self.missing, self.gap_key, self.next):
            row.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_question(self, view: QuestionView | None) -> None:
        """Show what is left of a question."""
        self._view = view
        self.retranslate()

    def _flag_clicked(self) -> None:
        sender, view = self.sender(), self._view
        if not isinstance(sender, FilterChip) or view is None:
            return
        field = f"flag:{sender.property('flag')}"
        on = view.sheet.value(field) is not True
        self.retranslate()
        if not view.read_only:
            self.flagged.emit(field, on)

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("choice.foot"))
        self.next.set_text(tr("choice.next"))
        for name, chip in self.flags.items():
            chip.set_text(tr(f"choice.flag.{name}"))
        view = self._view
        answered = view is not None and view.sheet.answered
        self.sentence.setVisible(not answered)
        for name, chip in self.flags.items():
            chip.setVisible(answered)
            chip.setChecked(view is not None and view.sheet.value(f"flag:{name}") is True)
        self.next.setEnabled(answered)
        for widget in (self.mark, self.missing, self.next):
            widget.setVisible(view is not None)
        if view is None:
            self.title.set_text("")
            self.sentence.set_text("")
            self.gap_key.hide()
            return
        if answered or not view.revealed:
            self.title.set_text(tr("choice.flags") if answered else tr("choice.blind"))
            self.sentence.set_text(tr("choice.read_only") if view.read_only else tr("choice.blind_why"))
        else:
            self.title.set_text(tr("choice.key_open"))
            self.sentence.set_text(tr("choice.open_read_only") if view.read_only else tr("choice.open_why"))
        self._tell_missing(view)

    def _tell_missing(self, view: QuestionView) -> None:
        gaps, letters = page_gaps(view), len(open_models(view))
        if gaps:
            text, icon, role = tr(f"choice.gap.{gaps[0]}"), "circle-dashed", "warn"
        elif letters:
            text, icon, role = tr("choice.letters_left", n=i18n.count(letters)), "circle-dashed", "text3"
        else:
            text, icon, role = tr("choice.nothing_missing"), "circle-check", "ok"
        self.missing.set_text(text)
        self.mark.set_look(icon, role)
        self.gap_key.setVisible(bool(gaps or letters) and view.sheet.answered)
        self.next.set_kind("default" if gaps else "primary")

    def remeasure(self) -> None:
        """46 px."""
        self.setFixedHeight(density.metrics().verdict_bar)
        self.retranslate()
        super().remeasure()

    def minimumSizeHint(self) -> QSize:
        """Words elide."""
        return QSize(480, density.metrics().verdict_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, 0, self.width(), 1, "line")
