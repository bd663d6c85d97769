"""What a revise verdict proposes: other words, another place or category for a turn, beside what stands there now."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.items import Turn
from annotator.ui import density, fonts
from annotator.ui.i18n import tr
from annotator.ui.reason import NoteEdit, ReasonEdit
from annotator.ui.textcolumn import TextColumn
from annotator.ui.widgets import ElidedLabel
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

FIELDS: Final = ("question", "reference", "timestamp", "category")
LONG: Final = frozenset({"question", "reference"})


def original(turn: Turn, name: str) -> str:
    """What stands in the data for a field that can be edited."""
    if name == "question":
        return turn.question
    if name == "reference":
        return turn.reference
    if name == "timestamp":
        return "" if turn.timestamp.raw is None else str(turn.timestamp.raw)
    return turn.category.primary or "" if turn.category else ""


class EditsPanel(Live, QScrollArea):
    """Four fields of the open turn, old beside new.

    A proposal equal to what stands there is none, and withdraws what was proposed. Signals:
        said(target, field, value): `turn:<k>` with `edit:<name>`.
        draft(target, field, text): a proposal as it is typed.
        left(): the keyboard may go back to the grid.
    """

    said = Signal(str, str, object)
    draft = Signal(str, str, str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("editsPanel")
        self._view: ReviewView | None = None
        self._turn: int | None = None
        self._own: dict[tuple[str, str], str | None] = {}
        self.inner = QWidget(self)
        self.inner.setProperty("ground", "panel")
        self.hint = ElidedLabel(style="label", role="text3")
        self.names = {name: ElidedLabel(style="label", role="text3", weight=600) for name in FIELDS}
        self.states = {name: ElidedLabel(style="meta", role="text3") for name in FIELDS}
        self.old = {name: TextColumn() for name in FIELDS}
        self.new: dict[str, NoteEdit | ReasonEdit] = {
            name: NoteEdit() if name in LONG else ReasonEdit() for name in FIELDS
        }
        column = QVBoxLayout(self.inner)
        column.setContentsMargins(14, 5, 12, 6)
        column.setSpacing(6)
        column.addWidget(self.hint)
        self._short = short = QHBoxLayout()
        short.setSpacing(6)
        for name in FIELDS:
            if name in LONG:
                column.addLayout(self._row(name))
            else:
                short.addLayout(self._row(name), 1)
        column.addLayout(short)
        column.addStretch(1)
        self.setWidget(self.inner)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.go_live()

    def _row(self, name: str) -> QHBoxLayout:
        label = QVBoxLayout()
        label.setSpacing(0)
        label.addWidget(self.names[name])
        label.addWidget(self.states[name])
        label.addStretch(1)
        field = self.new[name]
        field.setObjectName(f"edit_{name}")
        field.committed.connect(self._committed)
        field.drafted.connect(self._drafted)
        field.left.connect(self.left)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addLayout(label)
        row.addWidget(self.old[name], 1)
        row.addWidget(field, 1)
        return row

    def show_turn(self, view: ReviewView, turn: int | None) -> None:
        """Show a turn's texts and the proposals for them (None = the session view, which has none)."""
        same_row = self._view is not None and self._view.row.key == view.row.key
        if not same_row or turn != self._turn:
            if same_row:
                self.flush()
            for field in self.new.values():
                field.forget()
        if not same_row:
            self._own.clear()
        self._own = {key: v for key, v in self._own.items() if view.sheet.value(*key) != v}
        self._view, self._turn = view, turn
        self._refresh()

    def proposals(self) -> int:
        """How many edits are proposed for the whole dialogue."""
        if self._view is None:
            return 0
        keys = {(f"turn:{k}", f"edit:{n}") for k in range(len(self._view.turns)) for n in FIELDS}
        return sum(self._value(target, field) is not None for target, field in keys)

    def flush(self) -> None:
        """Say what is typed but not said."""
        for field in self.new.values():
            field.commit()

    def focus_first(self) -> None:
        """Bring the keyboard into the first field."""
        self.new["question"].setFocus()

    def _value(self, target: str, field: str) -> str | None:
        if (target, field) in self._own:
            return self._own[(target, field)]
        value = None if self._view is None else self._view.sheet.value(target, field)
        return value if isinstance(value, str) else None

    def _refresh(self) -> None:
        view, turn = self._view, self._turn
        shown = view is not None and turn is not None
        for name in FIELDS:
            for widget in (self.names[name], self.states[name], self.old[name], self.new[name]):
                widget.setVisible(shown)
        if view is None or turn is None:
            self.hint.set_text(tr("verdict.edit.only_turns"))
            return
        revising = view.sheet.value("item", "verdict") == "revise"
        turn_hint = tr("verdict.edit.turn", turn=turn + 1)
        self.hint.set_text(turn_hint if revising else tr("verdict.edit.not_revising"))
        target = f"turn:{turn}"
        for name in FIELDS:
            before, proposed = original(view.turns[turn], name), self._value(target, f"edit:{name}")
            self.old[name].set_texts((("", before or tr("verdict.edit.none"), "text2" if before else "text3"),))
            draft = view.drafts.get((target, f"edit:{name}"))
            now = before if proposed is None else proposed
            unsaid = None if draft == now or (target, f"edit:{name}") in self._own else draft
            self.new[name].set_value(now, unsaid)
            if self.new[name].isReadOnly() != view.read_only:
                self.new[name].setReadOnly(view.read_only)
            self.states[name].set_text(tr("verdict.edit.unchanged") if proposed is None else tr("verdict.edit.changed"))
            self.states[name].set_role("text3" if proposed is None else "warn")

    def _committed(self, text: str) -> None:
        name = self._sender_name()
        if self._view is None or self._turn is None or name is None or self._view.read_only:
            return
        target, field = f"turn:{self._turn}", f"edit:{name}"
        value = None if text == original(self._view.turns[self._turn], name) else text
        if value != self._value(target, field):
            self._own[(target, field)] = value
            self._refresh()
            self.said.emit(target, field, value)

    def _drafted(self, text: str) -> None:
        name = self._sender_name()
        if self._turn is not None and name is not None:
            self.draft.emit(f"turn:{self._turn}", f"edit:{name}", text)

    def _sender_name(self) -> str | None:
        sender = self.sender()
        return next((name for name, field in self.new.items() if field is sender), None)

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("verdict.edit.name"))
        for name in FIELDS:
            word = tr(f"verdict.edit.field.{name}")
            self.names[name].set_text(word)
            self.new[name].setAccessibleName(tr("verdict.edit.new_of", field=word))
            self.old[name].setAccessibleName(tr("verdict.edit.old_of", field=word))
        self._refresh()

    def remeasure(self) -> None:
        """Two lines for texts, one for the rest."""
        for name in FIELDS:
            height = fonts.px(19) * 3 + 12 if name in LONG else fonts.px(18) + 12
            self.old[name].setFixedHeight(height)
            self.new[name].setFixedHeight(height)
            self.names[name].setFixedWidth(fonts.px(72))
        narrow = density.current() is density.Density.SMALL
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._short.setDirection(down if narrow else across)
        super().remeasure()

    def sizeHint(self) -> QSize:
        """All four rows."""
        return QSize(520, self.inner.sizeHint().height() + 2)
