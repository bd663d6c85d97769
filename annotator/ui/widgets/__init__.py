"""Base widgets: they show a value and emit an intent, and read texts, colours and measures again when those change.

A name is imported when it is first asked for: the first window needs a third of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from annotator.ui.widgets.base import Live, PaintedButton
    from annotator.ui.widgets.buttons import Button, FilterChip, IconButton
    from annotator.ui.widgets.chips import Chip, Segmented
    from annotator.ui.widgets.fields import CheckBox, Combo, Menu, SearchField
    from annotator.ui.widgets.frames import Card, EmptyState, Ground, PanelHead, Separator, Splitter
    from annotator.ui.widgets.marks import MiniScore, Spark
    from annotator.ui.widgets.message import Message, MessageBar
    from annotator.ui.widgets.saved import SavedLabel
    from annotator.ui.widgets.score import ScoreStrip
    from annotator.ui.widgets.text import ElidedLabel, Keycap, PlainLabel, plain_tooltip

__all__ = [
    "Button", "Card", "CheckBox", "Chip", "Combo", "ElidedLabel", "EmptyState", "FilterChip", "Ground", "IconButton",
    "Keycap", "Live", "Menu", "Message", "MessageBar", "MiniScore", "PaintedButton", "PanelHead", "PlainLabel",
    "SavedLabel", "ScoreStrip", "SearchField", "Segmented", "Separator", "Spark", "Splitter", "plain_tooltip",
]  # fmt: skip

_HOMES = {
    "base": ("Live", "PaintedButton"),
    "buttons": ("Button", "FilterChip", "IconButton"),
    "chips": ("Chip", "Segmented"),
    "fields": ("CheckBox", "Combo", "Menu", "SearchField"),
    "frames": ("Card", "EmptyState", "Ground", "PanelHead", "Separator", "Splitter"),
    "marks": ("MiniScore", "Spark"),
    "message": ("Message", "MessageBar"),
    "saved": ("SavedLabel",),
    "score": ("ScoreStrip",),
    "text": ("ElidedLabel", "Keycap", "PlainLabel", "plain_tooltip"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Import what is asked for, once."""
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    return found
