"""Fields for words: one event for one thought, and nothing while an input method composes."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from annotator.ui import fonts
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, key_text

QUIET_MS = 1000
_DONE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)


class Typing(QObject):
    """When a typed text is meant: on leaving, when told, or a second after the last key; never amid a composed word.

    Signals:
        committed(text): the value changed and is meant.
        drafted(text): what is being typed, at each change.
    """

    committed = Signal(str)
    drafted = Signal(str)

    def __init__(self, field: QWidget) -> None:
        super().__init__(field)
        self.saved = ""
        self.composing = False
        self._now = ""
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self.commit)

    @property
    def dirty(self) -> bool:
        """Whether something is typed that was not said yet."""
        return self._now != self.saved

    def settle(self, saved: str, now: str) -> None:
        """Take what is saved and what the field shows."""
        self.saved, self._now = saved, now
        if not self.dirty:
            self._quiet.stop()

    def typed(self, text: str) -> None:
        """A key changed the text."""
        if text == self._now:
            return
        self._now = text
        self.drafted.emit(text)
        if not self.composing:
            self._quiet.start()

    def compose(self, composing: bool) -> None:
        """An input method began or finished a word; the clock stands still meanwhile."""
        self.composing = composing
        if composing:
            self._quiet.stop()
        elif self.dirty:
            self._quiet.start()

    def commit(self) -> None:
        """Say the text if it changed; an unfinished word waits."""
        self._quiet.stop()
        if self.composing:
            return
        if self.dirty:
            self.saved = self._now
            self.committed.emit(self.saved)

    def leave(self) -> None:
        """The keyboard goes elsewhere: an input method has handed over what it held."""
        self.composing = False
        self.commit()

    def stop(self) -> None:
        """Forget the clock."""
        self._quiet.stop()


# A line edit cuts pasted text at 32,767 characters unless told otherwise, and without a word.
LONGEST = 2_000_000


class ReasonEdit(Live, QLineEdit):
    """One line of words.

    Signals:
        committed(text), drafted(text): see `Typing`.
        left(): the person is done here (Enter, Ctrl+Enter, Esc) and the keyboard may go back.
    """

    committed = Signal(str)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setMaxLength(LONGEST)
        self.typing = Typing(self)
        self.typing.committed.connect(self.committed)
        self.typing.drafted.connect(self.drafted)
        self.textEdited.connect(self.typing.typed)
        self.go_live()

    def set_value(self, saved: str, draft: str | None = None) -> None:
        """Show what is saved, or a draft over it; what is being typed right now is never replaced."""
        wanted = saved if draft is None else draft
        if self.hasFocus() and (self.typing.dirty or self.typing.composing):
            self.typing.settle(saved, self.text())
            return
        if self.hasFocus() and self.text().strip() == wanted.strip():
            wanted = self.text()  # a pause behind a blank is no reason to move the caret of somebody who writes on
        if self.text() != wanted:
            self.setText(wanted)
        if not self.hasFocus():
            self.setCursorPosition(0)  # the beginning of a long reason is what is read
        self.typing.settle(saved, wanted)

    def commit(self) -> None:
        """Say what is typed."""
        self.typing.commit()

    def forget(self) -> None:
        """Drop what was typed without saying it: the field is about to belong to something else."""
        self.typing.stop()
        self.typing.composing = False
        self.setText(self.typing.saved)
        self.typing.settle(self.typing.saved, self.typing.saved)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether a word is being composed."""
        self.typing.composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        self.typing.compose(bool(event.preeditString()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc are done with the field, unless they belong to the input method."""
        if event.key() in _DONE and not self.typing.composing:
            self.commit()
            self.left.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving says the value; a menu over the field is no leaving."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.typing.leave()

    def remeasure(self) -> None:
        """The font of controls."""
        self.setFont(fonts.font("body"))
        super().remeasure()

    def _shows_key(self) -> bool:
        return bool(key_text(self._key)) and not self.text() and not self.hasFocus() and not self.isReadOnly()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, with the key that leads into it while it is empty; the hint ends before the key."""
        cap = key_text(self._key)
        margin = paint.keycap_width(cap) + 7 if self._shows_key() else 0
        if self.textMargins().right() != margin:
            self.setTextMargins(0, 0, margin, 0)
        super().paintEvent(event)
        if self._shows_key():
            painter = QPainter(self)
            x = self.width() - paint.keycap_width(cap) - 7
            paint.draw_keycap(painter, x, round((self.height() - paint.keycap_height()) / 2), cap)


class NoteEdit(Live, QPlainTextEdit):
    """Several lines of words; Enter makes a line, Ctrl+Enter and Esc are done.

    Signals:
        committed(text), drafted(text), left(): as with `ReasonEdit`.
    """

    committed = Signal(str)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._setting = False
        self.typing = Typing(self)
        self.typing.committed.connect(self.committed)
        self.typing.drafted.connect(self.drafted)
        self.textChanged.connect(self._changed)
        self.setTabChangesFocus(True)
        self.go_live()

    def set_value(self, saved: str, draft: str | None = None) -> None:
        """Show what is saved, or a draft over it; what is being typed right now is never replaced."""
        wanted = saved if draft is None else draft
        if self.hasFocus() and (self.typing.dirty or self.typing.composing):
            self.typing.settle(saved, self.toPlainText())
            return
        if self.hasFocus() and self.toPlainText().strip() == wanted.strip():
            wanted = self.toPlainText()  # as with one line
        if self.toPlainText() != wanted:
            self._setting = True
            self.setPlainText(wanted)
            self._setting = False
        self.typing.settle(saved, wanted)

    def commit(self) -> None:
        """Say what is typed."""
        self.typing.commit()

    def forget(self) -> None:
        """Drop what was typed without saying it."""
        self.typing.stop()
        self.typing.composing = False
        self.typing.settle(self.typing.saved, self.typing.saved)
        self.set_value(self.typing.saved)

    def _changed(self) -> None:
        if not self._setting:
            self.typing.typed(self.toPlainText())

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether a word is being composed."""
        self.typing.composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        self.typing.compose(bool(event.preeditString()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Enter and Esc are done with the field."""
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        done = event.key() == Qt.Key.Key_Escape or (event.key() in _DONE and control)
        if done and not self.typing.composing:
            self.commit()
            self.left.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving says the value; a menu over the field is no leaving."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.typing.leave()

    def remeasure(self) -> None:
        """The font of controls."""
        self.setFont(fonts.font("body"))
        super().remeasure()
