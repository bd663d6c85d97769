"""The field that a reason is typed into: one event for one thought, and nothing while an input method composes."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from annotator.ui import fonts
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, key_text

QUIET_MS = 1000


class ReasonEdit(Live, QLineEdit):
    """One line of text that says its value when left, on Ctrl+Enter, or a second after the last key.

    Signals:
        committed(text): the value changed and is meant.
        drafted(text): what is being typed, at each change.
        left(): the person is done here (Enter, Ctrl+Enter, Esc) and the keyboard may go back.
    """

    committed = Signal(str)
    drafted = Signal(str)
    left = Signal()

    def __init__(self, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._saved = ""
        self._composing = False
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self.commit)
        self.textEdited.connect(self._edited)
        self.go_live()

    def set_value(self, saved: str, draft: str | None = None) -> None:
        """Show what is saved, or a draft over it; what is being typed right now is never replaced."""
        typing = self.hasFocus() and (self.dirty or self._composing)
        self._saved = saved
        wanted = saved if draft is None else draft
        if not typing and self.text() != wanted:
            self.setText(wanted)
            self.setCursorPosition(0)

    def value(self) -> str:
        """What was last meant."""
        return self._saved

    @property
    def dirty(self) -> bool:
        """Whether something is typed that was not said yet."""
        return self.text() != self._saved

    @property
    def composing(self) -> bool:
        """Whether an input method holds an unfinished word."""
        return self._composing

    def commit(self) -> None:
        """Say the text if it changed; an unfinished word waits."""
        self._quiet.stop()
        if self._composing:
            self._quiet.start()
        elif self.dirty:
            self._saved = self.text()
            self.committed.emit(self._saved)

    def forget(self) -> None:
        """Drop what was typed without saying it: the field is about to belong to something else."""
        self._quiet.stop()
        self.setText(self._saved)

    def _edited(self, text: str) -> None:
        self._quiet.start()
        self.drafted.emit(text)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether a word is being composed; the clock stands still meanwhile."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        if self._composing:
            self._quiet.stop()
        elif self.dirty:
            self._quiet.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc are done with the field, unless they belong to the input method."""
        done = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        if done and not self._composing:
            self.commit()
            self.left.emit()
            event.accept()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving says the value; another window in front is no leaving."""
        super().focusOutEvent(event)
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._composing = False
            self.commit()

    def remeasure(self) -> None:
        """The font of small texts."""
        self.setFont(fonts.font("body"))
        super().remeasure()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The field, with the key that leads into it while it is empty."""
        super().paintEvent(event)
        cap = key_text(self._key)
        if cap and not self.text() and not self.hasFocus() and not self.isReadOnly():
            painter = QPainter(self)
            x = self.width() - paint.keycap_width(cap) - 7
            paint.draw_keycap(painter, x, round((self.height() - paint.keycap_height()) / 2), cap)

    def caret(self) -> QPoint:
        """Where the caret is, for a popup beside it."""
        return self.cursorRect().bottomLeft()
