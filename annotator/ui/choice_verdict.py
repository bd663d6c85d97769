"""The verdict on the key (objectName `keyVerdict`): seven digits, the right letter where it is wrong, a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from annotator.domain.labels import KEY_VERDICTS
from annotator.ui import density, fonts
from annotator.ui.choice_section import Section
from annotator.ui.choice_words import CANNOT, LETTERS, answer_word, default_letter
from annotator.ui.i18n import tr
from annotator.ui.reason import ReasonEdit
from annotator.ui.widgets import Button, ElidedLabel
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView

_ROLE = {"right": "ok", "wrong": "warn", "broken": "error"}


class RightLetter(Live, QWidget):
    """Which letter is right (objectName `keyLetter`): `A`-`E` while it has the keyboard, or a click.

    Signals:
        picked(letter): a letter was chosen.
    """

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """No letters yet."""
        super().__init__(parent)
        self.setObjectName("keyLetter")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.label = ElidedLabel(style="label", role="text2")
        self.buttons = {letter: Button(letter, kind="verdict", role="warn", small=True) for letter in LETTERS}
        row = QHBoxLayout(self)
        row.setContentsMargins(3, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.label)
        row.addSpacing(6)
        for letter, button in self.buttons.items():
            button.setObjectName(f"key_letter_{letter}")
            button.setProperty("letter", letter)
            button.clicked.connect(self._clicked)
            row.addWidget(button)
        row.addStretch(1)
        self.go_live()

    def show_letters(self, letters: tuple[str, ...], chosen: str | None, *, writable: bool) -> None:
        """Show the letters that the question has, and which one is said to be right."""
        for letter, button in self.buttons.items():
            button.setVisible(letter in letters)
            button.setChecked(letter == chosen)
            button.setEnabled(writable)
        self.label.set_role("text2" if chosen else "warn")

    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button):
            self.picked.emit(str(sender.property("letter")))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A letter is chosen by its key."""
        letter = chr(event.key()) if ord("A") <= event.key() <= ord("E") else ""
        if letter and not self.buttons[letter].isHidden() and not event.modifiers():
            self.picked.emit(letter)
            event.accept()
            return
        super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Its words."""
        self.label.set_text(tr("choice.right_letter"))
        self.setAccessibleName(tr("choice.right_letter"))
        for letter, button in self.buttons.items():
            button.setAccessibleName(tr("choice.right_letter_is", letter=letter))


class VerdictButton(Button):
    """A verdict that gives way where the column is narrow: its word elides, its name stays whole."""

    def minimumSizeHint(self) -> QSize:
        """Room for icon, some letters and the digit."""
        return QSize(fonts.px(110), self.sizeHint().height())

    def set_text(self, text: str) -> None:
        """Change the word; the whole of it is in the tooltip too."""
        super().set_text(text)
        self.setToolTip(text)


class KeyVerdictPanel(Section):
    """The seven verdicts in two columns.

    Signals:
        said(pairs): a list of (field, value).
        drafted(text): the note while it is typed.
        left(): the keyboard may go back.
    """

    said = Signal(object)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing revealed yet."""
        super().__init__(parent=parent)
        self.setObjectName("keyVerdict")
        self._view: QuestionView | None = None
        self.compared = ElidedLabel(style="label", role="text2")
        self.head.addWidget(self.compared)
        grid = QGridLayout()
        grid.setHorizontalSpacing(0)
        grid.setVerticalSpacing(0)
        grid.setContentsMargins(-3, 0, -3, 0)
        self.buttons: dict[str, VerdictButton] = {}
        for number, verdict in enumerate(KEY_VERDICTS):
            grid.addWidget(self._button(number, verdict), number // 2, number % 2)
        self.letter = RightLetter()
        self.letter.picked.connect(self._letter_picked)
        last = len(KEY_VERDICTS) // 2
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        self.body.addLayout(grid)
        self.note_edit = ReasonEdit()
        self.note_edit.setObjectName("reason_note")
        self.note_edit.committed.connect(self._note_said)
        self.note_edit.drafted.connect(self.drafted)
        self.note_edit.left.connect(self.left)
        note = QHBoxLayout()
        note.setContentsMargins(3, 0, 3, 0)
        note.addWidget(self.note_edit)
        grid.addLayout(note, last, 1)
        grid.addWidget(self.letter, last + 1, 0, 1, 2)
        self.go_live()

    def _button(self, number: int, verdict: str) -> VerdictButton:
        role = _ROLE.get(verdict, "warn")
        button = VerdictButton("", kind="verdict", icon="circle", key=f"key_verdict_{number + 1}", role=role)
        button.setObjectName(f"key_verdict_{verdict}")
        button.setProperty("verdict", verdict)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.clicked.connect(self._clicked)
        self.buttons[verdict] = button
        return button

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_question(self, view: QuestionView, draft: str | None = None) -> None:
        """Show the verdict of a revealed question; `draft`: a note that was being written."""
        if self._view is not None and self._view.row.item_id != view.row.item_id:
            self.note_edit.forget()
        self._view = view
        sheet = view.sheet
        chosen, letter = sheet.value("key_verdict"), sheet.value("key_letter")
        for verdict, button in self.buttons.items():
            button.setChecked(verdict == chosen)
            button.set_icon("circle-check" if verdict == chosen else "circle")
            button.setEnabled(not view.read_only)
        self.letter.setVisible(chosen == "wrong")
        self.letter.show_letters(view.question.letters(), letter, writable=not view.read_only)
        self.note_edit.set_value(str(sheet.value("note") or ""), draft)
        self.note_edit.setReadOnly(view.read_only)
        self.retranslate()

    def say(self, verdict: str) -> bool:
        """Say a verdict; a wrong key takes the rater's own other answer as the right letter. False: it stands."""
        view = self._view
        if view is None or view.read_only or not view.revealed:
            return False
        sheet = view.sheet
        if verdict == sheet.value("key_verdict") and not sheet.cell("key_verdict").stale:
            self.show_question(view)
            if verdict == "wrong" and sheet.value("key_letter") is None:
                self.letter.setFocus(Qt.FocusReason.ShortcutFocusReason)
            return False
        pairs: list[tuple[str, Any]] = [("key_verdict", verdict)]
        if verdict == "wrong" and sheet.value("key_letter") is None and default_letter(view) is not None:
            pairs.append(("key_letter", default_letter(view)))
        elif verdict != "wrong" and sheet.value("key_letter") is not None:
            pairs.append(("key_letter", None))
        self.said.emit(pairs)
        if verdict == "wrong" and self.letter_missing():
            self.letter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        return True

    def letter_missing(self) -> bool:
        """Whether a wrong key has no right letter yet."""
        sheet = self._view.sheet if self._view is not None else None
        return sheet is not None and sheet.value("key_verdict") == "wrong" and sheet.value("key_letter") is None

    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        number = action.removeprefix("key_verdict_")
        if action.startswith("key_verdict_") and number.isdigit():
            self.say(KEY_VERDICTS[int(number) - 1])
            return True
        return False

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.note_edit.commit()

    def clear(self) -> None:
        """Another question, still blind: nothing of the last one stays here."""
        self._view = None
        self.compared.set_text("")
        self.note_edit.set_value("")
        for verdict, button in self.buttons.items():
            button.setChecked(False)
            button.set_text(tr(f"choice.verdict.{verdict}"))

    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, Button):
            self.say(str(sender.property("verdict")))
            if self._view is not None:
                self.show_question(self._view)

    def _letter_picked(self, letter: str) -> None:
        view = self._view
        if view is not None and not view.read_only and view.sheet.value("key_letter") != letter:
            self.said.emit([("key_letter", letter)])
        self.left.emit()

    def _note_said(self, text: str) -> None:
        self.said.emit([("note", text.strip() or None)])

    def retranslate(self) -> None:
        """Read all texts again."""
        self.set_title(tr("choice.key_check"))
        self.note_edit.setPlaceholderText(tr("choice.note"))
        self.note_edit.setAccessibleName(tr("choice.note"))
        view = self._view
        for verdict, button in self.buttons.items():
            button.set_text(tr(f"choice.verdict.{verdict}"))
        if view is None:
            return
        letter = view.sheet.value("key_letter")
        if view.sheet.value("key_verdict") == "wrong" and letter is not None:
            self.buttons["wrong"].set_text(tr("choice.verdict_wrong_is", letter=letter))
        own = view.sheet.value("answer")
        mine = tr("choice.cannot") if own == CANNOT else answer_word(own)
        self.compared.set_text(tr("choice.compared", key=view.question.key or "–", own=mine))
        self.compared.set_role("ok" if own == view.question.key else "warn")

    def remeasure(self) -> None:
        """The note's height."""
        self.note_edit.setFixedHeight(density.metrics().button)
        super().remeasure()
