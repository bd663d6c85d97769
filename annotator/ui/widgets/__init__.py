"""Base widgets: they show a value and emit an intent, and read texts, colours and measures again when those change."""

from __future__ import annotations

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
