"""Pressing keys without hands: the events that a keyboard would send, to whatever has the focus.

It drives the real window where nobody sits before it: the tour, the fault machine, pictures.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui import key_match

_NONE = Qt.KeyboardModifier.NoModifier


class Typist:
    """Types into one window."""

    def __init__(self, window: QWidget, *, wait: bool = True) -> None:
        """Keys go to the widget with the focus, else to the window; `wait` lets what follows happen after each."""
        self._window = window
        self._wait = wait
        self._loop = QEventLoop()
        self.pressed = 0

    def press(self, *sequences: str) -> None:
        """Press and release keys, named as in the table of keys (`4`, `[`, `Ctrl+Enter`)."""
        for sequence in sequences:
            code, modifiers = key_match.parse(sequence)
            plain = not modifiers & ~Qt.KeyboardModifier.ShiftModifier
            text = chr(code).lower() if plain and 0x20 <= code < 0x7F else ""
            self._send(code, modifiers, text)

    def write(self, text: str) -> None:
        """Type a text, as an input method or a keyboard would commit it character by character."""
        for character in text:
            known = character.isascii() and character.isalnum()
            self._send(ord(character.upper()) if known else int(Qt.Key.Key_unknown), _NONE, character)

    def rest(self) -> None:
        """Let everything happen that is due now."""
        QTimer.singleShot(0, self._loop, self._loop.quit)
        self._loop.exec()

    def _send(self, code: int, modifiers: Qt.KeyboardModifier, text: str) -> None:
        self.pressed += 1
        target = QApplication.focusWidget() or self._window
        # Qt asks the focus first whether a press is its own; the router answers that question too.
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            QCoreApplication.sendEvent(target, QKeyEvent(kind, code, modifiers, text))
        still = QApplication.focusWidget() or self._window
        QCoreApplication.sendEvent(still, QKeyEvent(QEvent.Type.KeyRelease, code, modifiers, text))
        if self._wait:
            self.rest()
