"""The verdict bar: keep, revise or reject with reasons, what is still missing, and the way to the next item."""

from __future__ import annotations

from collections import Counter
from typing import Any

from PySide6.QtCore import QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from annotator.domain.labels import VERDICT_REASONS, VERDICTS
from annotator.domain.rubric import verdict_reason_names
from annotator.domain.sheet import Cell
from annotator.ui import density, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button, ElidedLabel, FilterChip, Keycap, Menu, Separator, paint
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

_COMPLETE = {"closed": "reveal.lock", "committed": "reveal.compare", "open": "reveal.go_on"}
_LOOK = {"keep": ("check", "ok"), "revise": ("pencil", "warn"), "reject": ("x", "error")}


class IconMark(Live, QWidget):
    """An icon beside a word, in the colour of a role."""

    def __init__(self, icon: str, role: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._role = icon, role
        self.setFixedSize(16, 16)
        self.go_live()

    def set_look(self, icon: str, role: str) -> None:
        """Show another icon."""
        self._icon, self._role = icon, role
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon."""
        icons.paint(QPainter(self), self._icon, 0, 0, self._role)


class VerdictBar(Live, QWidget):
    """The candidate's verdict by this rater; a verdict belongs to the dialogue, whoever answered it.

    Signals:
        said(target, field, value): `item` with `verdict` or `verdict_reasons`.
        gap_wanted(): go to what is missing.
        complete_wanted(): complete, and go to the next item.
        complete_refused(sentence): it was asked for while something is missing.
        revising(on): the verdict became, or stopped being, `revise`.
        hint(text key): a score was pressed while the keyboard is on the verdicts, where it would hit a row unseen.
    """

    said = Signal(str, str, object)
    gap_wanted = Signal()
    complete_wanted = Signal()
    complete_refused = Signal(str)
    revising = Signal(bool)
    hint = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("verdictBar")
        self._view: ReviewView | None = None
        self._own: dict[str, Any] = {}
        self._missing: Counter[str] = Counter()
        self.title = ElidedLabel(weight=600, parent=self)
        self.buttons = {v: self._verdict_button(v) for v in VERDICTS}
        self.reasons_label = ElidedLabel(style="label", role="text3", parent=self)
        self.chips = {r: self._chip(r) for r in VERDICT_REASONS}
        self.menu = Menu(parent=self)
        self._menu_actions = {r: self._menu_action(r) for r in VERDICT_REASONS}
        self.fold = FilterChip(menu=True, parent=self)
        self.fold.setObjectName("verdict_reasons")
        self.fold.clicked.connect(self._open_menu)
        self.mark = IconMark("circle-dashed", "warn", self)
        self.missing = ElidedLabel(style="label", role="text2", parent=self)
        self.missing.setObjectName("missingLabel")
        self.gap_key = Keycap("next_gap", self)
        self.complete = Button("", kind="primary", key="complete_next", parent=self)
        self.complete.setObjectName("completeNext")
        self.complete.clicked.connect(self.complete_wanted)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def _verdict_button(self, verdict: str) -> Button:
        icon, role = _LOOK[verdict]
        button = Button("", kind="verdict", icon=icon, key=f"verdict_{verdict}", role=role, parent=self)
        button.setObjectName(f"verdict_{verdict}")
        button.clicked.connect(self._verdict_clicked)
        return button

    def _chip(self, reason: str) -> FilterChip:
        chip = FilterChip(parent=self)
        chip.setObjectName(f"reason_code_{reason}")
        chip.clicked.connect(self._reason_clicked)
        return chip

    def _menu_action(self, reason: str) -> QAction:
        action = self.menu.addAction("")
        action.setCheckable(True)
        action.setData(reason)
        action.triggered.connect(self._reason_picked)
        return action

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 7, 0)
        row.setSpacing(1)
        row.addWidget(self.title)
        row.addSpacing(3)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addSpacing(3)
        self.line = Separator(vertical=True, parent=self)
        self.line.setFixedHeight(16)
        row.addWidget(self.line)
        row.addSpacing(6)
        row.addWidget(self.reasons_label)
        row.addSpacing(3)
        for chip in (*self.chips.values(), self.fold):
            row.addWidget(chip)
        row.addStretch(1)
        for widget in (self.mark, self.missing, self.gap_key, self.complete):
            row.addSpacing(3)
            row.addWidget(widget)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_sheet(self, view: ReviewView) -> None:
        """Show the verdict, its reasons and what is missing of a review."""
        if self._view is None or self._view.row.key != view.row.key:
            self._own.clear()
        self._own = {f: v for f, v in self._own.items() if view.sheet.value("item", f) != v}
        self._view = view
        self._refresh()

    def verdict(self) -> str | None:
        """The verdict as it stands."""
        value = self._value("verdict")
        return value if isinstance(value, str) else None

    def has_keyboard(self) -> bool:
        """Whether the keyboard is on one of the verdicts: `G` may have brought it there."""
        return any(button.hasFocus() for button in self.buttons.values())

    def reasons(self) -> tuple[str, ...]:
        """The reasons as they stand, in the order of the chips."""
        said = self._value("verdict_reasons") or ()
        return tuple(r for r in VERDICT_REASONS if r in said)

    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        if (action.startswith("score_") or action == "cannot_judge") and self.has_keyboard():
            self.hint.emit("messages.on_verdict")
            return True
        verdict = action.removeprefix("verdict_")
        if action.startswith("verdict_") and verdict in VERDICTS:
            self.say_verdict(verdict)
            return True
        if action == "complete_next":
            if self.complete.isEnabled():
                self.complete_wanted.emit()
            else:
                self.complete_refused.emit(self.missing.text())
            return True
        return False

    def say_verdict(self, verdict: str) -> None:
        """Say keep, revise or reject; the same again says nothing."""
        if not self._writable() or (verdict == self.verdict() and not self._cell().stale):
            self._refresh()
            return
        before = self.verdict()
        self._say("verdict", verdict)
        if "revise" in (before, verdict):
            self.revising.emit(verdict == "revise")

    def toggle_reason(self, reason: str) -> None:
        """Add or take away a reason."""
        if self._writable():
            wanted = set(self.reasons()) ^ {reason}
            self._say("verdict_reasons", [r for r in VERDICT_REASONS if r in wanted] or None)

    def _say(self, field: str, value: Any) -> None:
        self._own[field] = value
        if field == "verdict":
            self._missing.pop("verdict", None)
        self._refresh()
        self.said.emit("item", field, value)

    def _value(self, field: str) -> Any:
        if field in self._own:
            return self._own[field]
        return None if self._view is None else self._view.sheet.value("item", field)

    def _cell(self) -> Cell:
        """The verdict's cell with its troubles, which a verdict said here has put right."""
        if self._view is None or "verdict" in self._own:
            return Cell(None)
        return self._view.sheet.cell("item", "verdict")

    def _writable(self) -> bool:
        return self._view is not None and not self._view.read_only

    def _refresh(self) -> None:
        view = self._view
        verdict, writable = self.verdict(), self._writable()
        for name, button in self.buttons.items():
            button.setChecked(name == verdict)
            button.setEnabled(writable)
        self._missing = Counter() if view is None else Counter(_kind(g.target) for g in view.sheet.gaps())
        if verdict is not None and not self._cell().stale:
            self._missing.pop("verdict", None)
        for reason, chip in self.chips.items():
            chip.setChecked(reason in self.reasons())
            chip.setEnabled(writable)
            self._menu_actions[reason].setChecked(reason in self.reasons())
        self.fold.setEnabled(writable)
        self._words()

    # -- words --------------------------------------------------------------------------------------------------------

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("verdict.name"))
        self.title.set_text(tr("verdict.title"))
        for name, button in self.buttons.items():
            button.set_text(tr(f"verdict.{name}"))
        for reason, text in verdict_reason_names().items():
            word = text.in_language(i18n.language())
            self.chips[reason].set_text(word)
            self._menu_actions[reason].setText(word)
        self._words()

    def _words(self) -> None:
        self.missing.set_text(self._missing_text())
        whole = self._view is not None and not +self._missing
        self.mark.set_look("circle-check" if whole else "circle-dashed", "ok" if whole else "warn")
        self.gap_key.setVisible(not whole and self._view is not None)
        self.complete.setEnabled(whole and self._writable())
        state = "none" if self._view is None else self._view.reveal.state
        self.complete.set_text(tr(_COMPLETE.get(state, "verdict.complete_next")))
        reasons = self.reasons()
        first = verdict_reason_names()[reasons[0]].in_language(i18n.language()) if reasons else ""
        text = tr("verdict.reasons_some", count=len(reasons), first=first) if reasons else tr("verdict.reasons_none")
        self.fold.set_text(text)
        self.fold.set_active(bool(reasons))
        self.reasons_label.set_text(self._note()[0])
        self.reasons_label.set_role(self._note()[1])
        self._arrange()

    def _note(self) -> tuple[str, str]:
        """The words beside the verdict and their role: a trouble with it, else what its reasons are about."""
        cell = self._cell()
        if cell.conflict:
            values = " | ".join(tr(f"verdict.{v}") if v in VERDICTS else str(v) for v in cell.conflict)
            return (tr("verdict.conflict", values=values), "warn")
        if cell.stale and cell.value is not None:
            return (tr("verdict.stale"), "warn")
        if self.verdict() == "keep":
            return (tr("verdict.reasons_not_needed"), "text3")
        return (tr("verdict.reasons"), "text3")

    def _missing_text(self) -> str:
        if self._view is None:
            return ""
        if self._view.read_only:
            return tr("verdict.read_only")
        kinds = "_".join(k for k in ("turn", "session", "verdict") if self._missing[k])
        if not kinds:
            return tr("verdict.missing.nothing")
        return tr(f"verdict.missing.{kinds}", turns=self._missing["turn"], session=self._missing["session"])

    # -- room ---------------------------------------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Reasons as chips where they fit, else folded into a menu; none before there is a verdict to explain."""
        wanted = self.verdict() in ("revise", "reject")
        folded = density.metrics().reasons_fold or not self._chips_fit()
        for chip in self.chips.values():
            chip.setVisible(wanted and not folded)
        self.fold.setVisible(wanted and folded)
        trouble = self._note()[1] == "warn"
        self.reasons_label.setVisible((wanted and not folded) or self.verdict() == "keep" or trouble)
        self.line.setVisible(self.verdict() is not None)

    def _chips_fit(self) -> bool:
        return self.needed_width(folded=False) <= self.width()

    def needed_width(self, *, folded: bool) -> int:
        """The width at which nothing of the bar is cut, px."""
        shown: list[QWidget] = [
            self.title,
            *self.buttons.values(),
            self.mark,
            self.missing,
            self.gap_key,
            self.complete,
        ]
        shown += [self.fold] if folded else [self.reasons_label, *self.chips.values()]
        return sum(w.sizeHint().width() + 1 for w in shown) + 52

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fold or unfold the reasons."""
        super().resizeEvent(event)
        self._arrange()

    def remeasure(self) -> None:
        """The bar's height; the reasons may fold."""
        self.setFixedHeight(density.metrics().verdict_bar)
        self._arrange()
        super().remeasure()

    def sizeHint(self) -> QSize:
        """As wide as it needs with the reasons folded."""
        return QSize(self.needed_width(folded=True), density.metrics().verdict_bar)

    def minimumSizeHint(self) -> QSize:
        """It may be narrower than its words; then the missing text is elided."""
        return QSize(320, density.metrics().verdict_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, 0, self.width(), 1, "line")

    # -- pointer ------------------------------------------------------------------------------------------------------

    def _verdict_clicked(self) -> None:
        sender = self.sender()
        verdict = next((v for v, button in self.buttons.items() if button is sender), None)
        if verdict is not None:
            self.say_verdict(verdict)

    def _reason_clicked(self) -> None:
        sender = self.sender()
        reason = next((r for r, chip in self.chips.items() if chip is sender), None)
        if reason is not None:
            self.toggle_reason(reason)

    def _reason_picked(self) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            self.toggle_reason(str(sender.data()))

    def _open_menu(self) -> None:
        self.fold.set_active(bool(self.reasons()))
        height = self.menu.sizeHint().height()
        self.menu.popup(self.fold.mapToGlobal(QPoint(2, -height - 2)))


def _kind(target: str) -> str:
    return {"item": "verdict", "session": "session"}.get(target, "turn")
