"""The keyboard: the table of keys (see ``key_table``) and the router that turns key events into action ids."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from annotator.ui import key_match
from annotator.ui.key_table import (
    BY_ID,
    GROUPS,
    KEYS,
    Context,
    Group,
    Key,
    can_bind,
    caps,
    complete_key,
    description,
    label,
    sequences,
    set_complete_key,
)

__all__ = [
    "BY_ID", "GROUPS", "KEYS", "Context", "Group", "Key", "KeyRouter", "can_bind", "caps", "complete_key",
    "description", "label", "sequences", "set_complete_key",
]  # fmt: skip

TAP_MS = 300
_TEXT_FIELDS = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_K = Qt.Key
_PRESS = frozenset(
    {int(k) for k in (_K.Key_Space, _K.Key_Return, _K.Key_Enter, _K.Key_Tab, _K.Key_Backtab, _K.Key_Select)}
)
_ARROWS = (_K.Key_Up, _K.Key_Down, _K.Key_Left, _K.Key_Right)
_PAGES = (_K.Key_Home, _K.Key_End, _K.Key_PageUp, _K.Key_PageDown)
_WALK = _PRESS | {int(k) for k in (*_ARROWS, *_PAGES)}
_TABS = frozenset({int(k) for k in (_K.Key_Left, _K.Key_Right, _K.Key_Tab, _K.Key_Backtab)})
_KEPT: tuple[tuple[type[QWidget], frozenset[int]], ...] = (
    (QAbstractButton, _PRESS),
    (QComboBox, _WALK),
    (QAbstractSlider, _WALK),
    (QAbstractItemView, _WALK - {int(_K.Key_Space)}),
    (QTabBar, _TABS),
)
_WATCHED = frozenset({
    QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride, QEvent.Type.MouseButtonPress,
    QEvent.Type.WindowDeactivate,
})  # fmt: skip


class KeyRouter(QObject):
    """Gives one window's key presses to its actions before any widget can swallow them.

    It filters the events of the window and of whatever in it has the keyboard: a filter of the whole application would
    ask Python about every event there is, some two hundred for one key, and wait for the interpreter each time.

    Nothing fires while a text field, a menu, another window or an input method has the keyboard. Plain controls keep
    the keys they are worked with (``keepsKeys`` and ``routesKeys`` properties change that for one widget).
    """

    triggered = Signal(str)
    held = Signal(str, bool)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._context: Context = "none"
        self._holds: dict[int, tuple[str, ...]] = {}
        self._taps: dict[int, str] = {}
        self._clock = QElapsedTimer()
        self._clock.start()
        self._pressed_at: dict[int, int] = {}
        self._focus: QWidget | None = None
        window.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._follow_focus)
            app.applicationStateChanged.connect(self._application_changed)
            self._follow_focus(None, window.focusWidget())

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Keys go to the widget that has the keyboard first, so that is where they are caught."""
        if now is self._focus or not isValid(self._window):
            return
        if self._focus is not None and isValid(self._focus):
            self._focus.removeEventFilter(self)
        inside = now is not None and now is not self._window and self._window.isAncestorOf(now)
        self._focus = now if inside else None
        if self._focus is not None:
            self._focus.installEventFilter(self)

    def _application_changed(self, state: Qt.ApplicationState) -> None:
        if state is not Qt.ApplicationState.ApplicationActive:
            self.release_all()

    def _watch_everything(self, on: bool) -> None:
        """While a key is held, its release counts wherever it comes, and a press of the pointer makes a tap a drag."""
        app = QApplication.instance()
        if app is not None:
            (app.installEventFilter if on else app.removeEventFilter)(self)

    def context(self) -> Context:
        """Where the keyboard is."""
        return self._context

    def set_context(self, context: Context) -> None:
        """Change what the keys mean; keys held down are let go first."""
        if context != self._context:
            self.release_all()
            self._context = context

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the key events of the window that mean an action; everything else goes its way."""
        kind = event.type()
        if kind not in _WATCHED:
            return False
        if kind == QEvent.Type.MouseButtonPress:
            self._taps.clear()
            return False
        if kind == QEvent.Type.WindowDeactivate:
            self.release_all()
            return False
        if not isinstance(event, QKeyEvent) or not isinstance(watched, QWidget):
            return False
        if kind == QEvent.Type.KeyRelease:
            return self._release(event)
        found = self._actions(watched, event)
        if not found:
            return False
        event.accept()
        if kind == QEvent.Type.KeyPress:
            self._press(event, found)
        return True

    def release_all(self) -> None:
        """Let go of every held key: the window lost the keyboard or the place changed."""
        for code in list(self._holds):
            self._let_go(code)
        self._taps.clear()

    def _actions(self, watched: QWidget, event: QKeyEvent) -> tuple[Key, ...]:
        if QApplication.activePopupWidget() is not None or watched.window() is not self._window:
            return ()
        modal = QApplication.activeModalWidget()
        if modal is not None and modal is not self._window:
            return ()
        found = key_match.match(event, self._context)
        if not found:
            return ()
        focus = self._window.focusWidget() if watched is self._window else watched
        plain = not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if plain and int(event.key()) in kept_keys(focus):
            return ()
        if is_text_field(focus) or is_text_field(watched):
            return tuple(key for key in found if key.in_text)
        return found

    def _press(self, event: QKeyEvent, found: tuple[Key, ...]) -> None:
        code = int(event.key())
        holds = tuple(key.id for key in found if key.hold)
        if not holds:
            for key in found:
                if key.repeat or not event.isAutoRepeat():
                    self.triggered.emit(key.id)
            return
        if event.isAutoRepeat() or code in self._holds:
            return
        self._watch_everything(True)
        self._holds[code] = holds
        self._pressed_at[code] = self._clock.elapsed()
        for key in found:
            if not key.hold:
                self._taps[code] = key.id
        for action in holds:
            self.held.emit(action, True)

    def _release(self, event: QKeyEvent) -> bool:
        code = int(event.key())
        if code not in self._holds:
            return False
        if not event.isAutoRepeat():
            tap = self._taps.pop(code, None)
            short = self._clock.elapsed() - self._pressed_at.get(code, 0) <= TAP_MS
            self._let_go(code)
            if tap is not None and short:
                self.triggered.emit(tap)
        return True

    def _let_go(self, code: int) -> None:
        for action in self._holds.pop(code, ()):
            self.held.emit(action, False)
        self._pressed_at.pop(code, None)
        if not self._holds:
            self._watch_everything(False)


def is_text_field(widget: QWidget | None) -> bool:
    """Whether keys typed here are text.

    Fields, spin boxes, editable combos and anything an input method may compose in.
    """
    if widget is None:
        return False
    if isinstance(widget, _TEXT_FIELDS):
        return True
    if isinstance(widget, QComboBox):
        return widget.isEditable()
    if isinstance(widget, QAbstractItemView):
        return False
    return widget.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)


def kept_keys(widget: QWidget | None) -> frozenset[int]:
    """The unmodified keys a focused control works with, which the router leaves to it."""
    if widget is None or widget.property("routesKeys"):
        return frozenset()
    own = widget.property("keepsKeys")
    if own:
        return frozenset(int(code) for code in own)
    return next((keys for kind, keys in _KEPT if isinstance(widget, kind)), frozenset())
