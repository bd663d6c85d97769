"""What was asked, under the media: question, reference, turns before it, flags of the item, or what a scale asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.comparisons_scales import Scale
from annotator.domain.comparisons_sheet import ITEM_FLAGS, OWN_ANSWER
from annotator.ui import density, fonts, i18n
from annotator.ui.comparison.flow import Flow
from annotator.ui.comparison.reading import Para, ReadingArea
from annotator.ui.i18n import tr
from annotator.ui.reason import NoteEdit
from annotator.ui.widgets import Button, FilterChip, Ground

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonView

Shown = Literal["prompt", "history", "levels"]


class ComparisonAside(Ground):
    """The lower part of the left column.

    Signals:
        flagged(name, on): a flag of the item was switched. answered(text): an own answer was written.
        drafted(text): it is being written. left(): the keyboard may go back to the scores.
    """

    flagged = Signal(str, bool)
    answered = Signal(str)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No item yet."""
        super().__init__("panel", ("top",), "hair", parent)
        self.setObjectName("comparisonAside")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._view: ComparisonView | None = None
        self._scale: Scale | None = None
        self._mode: Shown = "prompt"
        self._reference = True
        self._wants_answer = False
        self.history = Button("", "flat", key="history", small=True)
        self.history.setObjectName("historyButton")
        self.history.setCheckable(True)
        self.reference = Button("", "flat", key="reference", small=True)
        self.reference.setObjectName("referenceButton")
        self.reference.setCheckable(True)
        self.text = ReadingArea((12, 6))
        self.flags = {name: FilterChip() for name in ITEM_FLAGS}
        self.own = FilterChip(icon="pencil")
        self.own.setObjectName("ownAnswer")
        self.answer = NoteEdit()
        self.answer.setObjectName("own_answer")
        for name, chip in self.flags.items():
            chip.setObjectName(f"flag_{name}")
            chip.setProperty("flag", name)
            chip.clicked.connect(self._flag_clicked)
        self.flow = Flow((*self.flags.values(), self.own))
        self._build()
        self.history.clicked.connect(self.toggle_history)
        self.reference.clicked.connect(self.toggle_reference)
        self.own.clicked.connect(self._own_clicked)
        self.answer.committed.connect(self.answered)
        self.answer.drafted.connect(self.drafted)
        self.answer.left.connect(self.left)
        self.go_live()

    def _build(self) -> None:
        links = QHBoxLayout()
        links.setContentsMargins(4, 2, 8, 0)
        links.setSpacing(0)
        links.addWidget(self.history)
        links.addWidget(self.reference)
        links.addStretch(1)
        below = QVBoxLayout()
        below.setContentsMargins(10, 2, 8, 4)
        below.setSpacing(2)
        below.addWidget(self.answer)
        below.addWidget(self.flow)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 1, 0, 0)
        column.setSpacing(0)
        column.addLayout(links)
        column.addWidget(self.text, 1)
        column.addLayout(below)

    # --- what is shown ----------------------------------------------------------------------------------------
    def show_item(self, view: ComparisonView) -> None:
        """Show an item, or the same one with other labels."""
        before, self._view = self._view, view
        if before is None or before.row.item_id != view.row.item_id:
            self._mode, self._wants_answer = "prompt", False
        saved = str(view.sheet.value("item", OWN_ANSWER) or "")
        draft = view.drafts.get(("item", OWN_ANSWER))
        self.answer.set_value(saved, draft or None)
        self.answer.setReadOnly(view.read_only)
        self._write()

    def clear(self) -> None:
        """No item is open: the next one is another, whatever its id."""
        self._view = None

    def show_scale(self, scale: Scale) -> None:
        """The scale that is scored now: its texts, where they are asked for."""
        if scale != self._scale:
            self._scale = scale
            if self._mode == "levels":
                self._write_text()

    def mode(self) -> Shown:
        """What the text shows."""
        return self._mode

    def toggle_history(self) -> None:
        """The turns before this one, or the question."""
        history = self._view is not None and bool(self._view.place.history)
        self._mode = "history" if history and self._mode != "history" else "prompt"
        self._write()

    def toggle_levels(self, scale: Scale | None = None) -> None:
        """What a scale asks (the one that is scored, unless one is named), or the question."""
        same = scale is None or scale == self._scale
        if scale is not None:
            self._scale = scale
        self._mode = "prompt" if self._mode == "levels" and same else "levels"
        self._write()

    def toggle_reference(self) -> None:
        """Show or hide the reference answer."""
        self._reference = not self._reference
        self._mode = "prompt"
        self._write()

    def scroll_page(self, by: int) -> bool:
        """What was asked for a page on or back; False while only the question is shown."""
        if self._mode != "prompt":
            self.text.scroll_by_page(by)
        return self._mode != "prompt"

    def escape(self) -> bool:
        """Back to the question; whether anything else was shown."""
        if self._mode == "prompt":
            return False
        self._mode = "prompt"
        self._write()
        return True

    def flush(self) -> None:
        """Say what is typed."""
        self.answer.commit()

    # --- words ------------------------------------------------------------------------------------------------
    def _write(self) -> None:
        view = self._view
        if view is None:
            return
        past = len(view.place.history)
        self.history.setVisible(bool(past))
        self.history.set_text(tr("comparison.history", n=i18n.count(past)))
        self.history.setChecked(self._mode == "history")
        self.reference.setVisible(bool(view.reference))
        self.reference.setChecked(self._reference)
        self.reference.set_text(tr(f"comparison.reference_{'ours' if view.dialogue is not None else 'unverified'}"))
        for name, chip in self.flags.items():
            chip.setChecked(view.sheet.value("item", f"flag:{name}") is True)
            chip.setEnabled(not view.read_only)
        shown = self._wants_answer or bool(self.answer.toPlainText())
        self.own.setChecked(shown)
        self.answer.setVisible(shown)
        self._write_text()

    def _write_text(self) -> None:
        view = self._view
        if view is None:
            return
        if self._mode == "levels" and self._scale is not None:
            self.text.set_paras(scale_paras(self._scale))
        elif self._mode == "history":
            self.text.set_paras(_history(view))
        else:
            self.text.set_paras(self._prompt(view))
        self.text.setAccessibleName(tr(f"comparison.aside.{self._mode}"))
        self.updateGeometry()

    def _prompt(self, view: ComparisonView) -> list[Para]:
        question = view.prompt.replace("<image>", "").strip()
        long = len(question) > 120 or "\n" in question
        paras = [Para(question, "read" if long else "page", weight=600)] if question else []
        if view.reference and self._reference:
            paras.append(Para(view.reference, "label", "text2", bar=True, air=6))
        return paras

    # --- what is done -----------------------------------------------------------------------------------------
    def _flag_clicked(self) -> None:
        sender, view = self.sender(), self._view
        if isinstance(sender, FilterChip) and view is not None:
            name = str(sender.property("flag"))
            on = view.sheet.value("item", f"flag:{name}") is not True
            sender.setChecked(not on)
            self.flagged.emit(name, on)

    def _own_clicked(self) -> None:
        self._wants_answer = self.answer.isHidden()
        self._write()
        if self._wants_answer:
            self.answer.setFocus()

    def retranslate(self) -> None:
        """Read all texts again."""
        for name, chip in self.flags.items():
            chip.set_text(tr(f"comparison.item_flag.{name}"))
        self.own.set_text(tr("comparison.own_answer"))
        self.answer.setPlaceholderText(tr("comparison.own_answer_hint"))
        self.answer.setAccessibleName(tr("comparison.own_answer"))
        self.flow.lay_out()
        self._write()

    def remeasure(self) -> None:
        """The own answer has three lines."""
        self.answer.setFixedHeight(fonts.line_height("body") * 3 + 12)
        super().remeasure()

    def sizeHint(self) -> QSize:
        """As high as its text, up to some lines."""
        lines = 7 if density.is_short() else 10
        if self._mode != "prompt":
            lines += 4  # what was asked for has more room, and the picture less
        text = min(self.text.content_height(), fonts.line_height("read") * lines)
        links = self.history.sizeHint().height()
        own = 0 if self.answer.isHidden() else self.answer.height()
        return QSize(200, links + text + self.flow.rows_height(max(120, self.width() - 18)) + own + 16)


def scale_paras(scale: Scale) -> list[Para]:
    """What a scale asks, what to look at and its five levels, in the window's language with the other one beside."""
    first, second = i18n.language(), i18n.other_language()
    paras = [
        Para(f"{scale.name.in_language(first)} · {scale.name.in_language(second)}", "body", weight=600),
        Para(scale.asks.in_language(first), "body", air=2),
        Para(scale.asks.in_language(second), "label", "text3"),
    ]
    for look in scale.looks:
        paras.append(Para(f"· {look.in_language(first)}", "label", "text2"))
        paras.append(Para(f"  {look.in_language(second)}", "meta", "text3"))
    for number, level in enumerate(scale.levels, 1):
        name = tr("comparison.level", n=number, name=level.short.in_language(first))
        paras.append(Para(name, "label", weight=600, air=5))
        paras.append(Para(level.text.in_language(first), "label", "text2"))
        both = tr("comparison.level_other", name=level.short.in_language(second), text=level.text.in_language(second))
        paras.append(Para(both, "meta", "text3"))
    return paras


def _history(view: ComparisonView) -> list[Para]:
    paras: list[Para] = []
    for turn in view.place.history:
        head = tr("comparison.turn_asked", number=turn.number)
        paras.append(Para(head, "meta", "text3", air=6 if paras else 0))
        if turn.question:
            paras.append(Para(turn.question, "body", weight=500))
        paras.append(Para(turn.reference, "label", "text2", bar=True, air=2))
    return paras
