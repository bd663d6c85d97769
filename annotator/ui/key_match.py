"""From a key event to an action: by the key's own meaning first, then by its place on the keyboard.

The place counts where a layout or an input method gives the key another meaning.

Scan codes: Linux (X11 and Wayland) reports evdev codes plus 8; Windows reports set 1 codes, equal to evdev for the main
block; macOS reports its own virtual key codes (Carbon ``kVK_ANSI_*``).
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence

from annotator.ui import key_table
from annotator.ui.key_table import Context, Key

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_NONE = Qt.KeyboardModifier.NoModifier
_RELEVANT = (
    _SHIFT | Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
)
_EVDEV = dict(zip((*range(2, 14), *range(16, 28), *range(30, 41), *range(44, 54)),
                  "1234567890-=" "QWERTYUIOP[]" "ASDFGHJKL;'" "ZXCVBNM,./", strict=True))  # fmt: skip
_MAC = dict(zip(
    (18, 19, 20, 21, 23, 22, 26, 28, 25, 29, 27, 24, 12, 13, 14, 15, 17, 16, 32, 34, 31, 35, 33, 30,
     0, 1, 2, 3, 5, 4, 38, 40, 37, 41, 39, 6, 7, 8, 9, 11, 45, 46, 43, 47, 44),
    "1234567890-=" "QWERTYUIOP[]" "ASDFGHJKL;'" "ZXCVBNM,./", strict=True))  # fmt: skip
_TEXT = {
    "。": ".",
    "、": "/",
    "【": "[",
    "】": "]",
    "「": "[",
    "」": "]",
    "《": "<",
    "》": ">",
    "—": "-",
    "——": "-",
    "……": "^",
}
_SHIFTED = {Qt.Key.Key_Less: Qt.Key.Key_Comma, Qt.Key.Key_Greater: Qt.Key.Key_Period}
Combination = tuple[int, Qt.KeyboardModifier]


def parse(sequence: str) -> Combination:
    """A portable key text as (key code, modifiers); ``Enter`` means the main one, the keypad's is folded into it."""
    read: Any = QKeySequence.fromString(sequence, QKeySequence.SequenceFormat.PortableText)
    return _fold(read[0])


def _fold(combination: QKeyCombination) -> Combination:
    key, modifiers = combination.key(), combination.keyboardModifiers() & _RELEVANT
    if key is Qt.Key.Key_Enter:
        key = Qt.Key.Key_Return
    if key is Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    if key in _SHIFTED and modifiers & _SHIFT:
        key = _SHIFTED[key]
    return int(key), modifiers


@cache
def _table(context: Context, complete: str | None) -> dict[Combination, tuple[Key, ...]]:
    found: dict[Combination, tuple[Key, ...]] = {}
    for key in key_table.KEYS:
        if context in key.contexts:
            for sequence in key_table.sequences(key.id):
                place = parse(sequence)
                found[place] = (*found.get(place, ()), key)
    return found


def match(event: QKeyEvent, context: Context) -> tuple[Key, ...]:
    """The actions of a key press in a context: none, one, or two (a hold and its tap on one key)."""
    table = _table(context, key_table.complete_key())
    own = _fold(event.keyCombination())
    tries: tuple[Callable[[], Combination | None], ...] = (
        lambda: own,
        lambda: _without_shift(own),
        lambda: _by_text(event, own[1]),
        lambda: _by_place(event, own),
    )
    for attempt in tries:
        place = attempt()
        if place is not None and place in table:
            return table[place]
    return ()


def _is_latin(code: int) -> bool:
    return int(Qt.Key.Key_A) <= code <= int(Qt.Key.Key_Z) or int(Qt.Key.Key_0) <= code <= int(Qt.Key.Key_9)


def _without_shift(own: Combination) -> Combination | None:
    """``?`` and ``+`` need Shift on some layouts and not on others: the sign counts, not how it was reached."""
    code, modifiers = own
    is_sign = 0x20 < code < 0x7F and not _is_latin(code)
    return (code, modifiers & ~_SHIFT) if is_sign and modifiers & _SHIFT else None


def _by_text(event: QKeyEvent, modifiers: Qt.KeyboardModifier) -> Combination | None:
    """Full-width letters, digits and Chinese punctuation that an input method hands on."""
    text = event.text()
    plain = _TEXT.get(text) or unicodedata.normalize("NFKC", text)
    if plain == text or len(plain) != 1 or not 0x20 < ord(plain) < 0x7F:
        return None
    rest = modifiers if plain.isalpha() else modifiers & ~_SHIFT
    return ord(plain.upper()), rest


def _by_place(event: QKeyEvent, own: Combination) -> Combination | None:
    """The key at this place of an American keyboard, where the key itself means nothing to us (Greek.

    AZERTY digits, …).
    """
    if _is_latin(own[0]):
        return None
    sign = place_of(event)
    return (ord(sign), own[1]) if sign is not None else None


def place_of(event: QKeyEvent, platform: str | None = None) -> str | None:
    """What an American keyboard has printed where the pressed key is; None outside the main block."""
    name = platform if platform is not None else _platform()
    if name == "cocoa":
        return _MAC.get(event.nativeVirtualKey()) if event.nativeVirtualKey() or event.nativeScanCode() else None
    code = event.nativeScanCode()
    return _EVDEV.get(code if name == "windows" else code - 8)


def _platform() -> str:
    return QGuiApplication.platformName() or {"darwin": "cocoa", "win32": "windows"}.get(sys.platform, "xcb")
