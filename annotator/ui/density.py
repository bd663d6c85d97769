"""Size classes and the heights that follow from them, decided in this one place by the window's own size.

Widths and heights are device-independent pixels. A text scale of 150 % or more behaves as the next smaller
width, and every height that holds text grows with the scale, so that nothing is cut; columns of text grow too, up to a
share of the window.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QObject, QSize, Signal

WIDE_FROM = 2200
NORMAL_FROM = 1500
QUEUE_FROM = 1280
SHORT_BELOW = 820
TEXT_SCALES = (80, 200)
_STEP_DOWN_AT = 150
_STEP_PX = 64
# Up to which share of the window a column grows with its text.
_QUEUE_SHARE, _RIGHT_SHARE = 0.14, 0.47


class Density(Enum):
    """How much room there is: ``small`` below 1500 px, ``wide`` from 2200 px, else ``normal``."""

    SMALL = "small"
    NORMAL = "normal"
    WIDE = "wide"


class Metrics(NamedTuple):
    """Every fixed height and column of the window, in device-independent pixels, and what a size class leaves out."""

    status_bar: int
    item_bar: int
    page_bar: int
    verdict_bar: int
    panel_head: int
    transport: int
    timeline: int
    frames_lane: int
    rail: int
    rail_button: int
    keycap: int
    chip: int
    queue_row: int
    score_row: int
    session_row: int
    active_row_extra: int
    choice_row_blind: int
    choice_row_revealed: int
    table_row: int
    table_head: int
    future_turn: int
    button: int
    button_small: int
    segmented: int
    message_bar: int
    cell_width: int
    cell_height: int
    queue_width: int
    queue_min: int
    queue_max: int
    right_width: int
    right_min: int
    right_max: int
    evidence_card: int
    queue_scenario: bool
    second_language: bool
    level_texts: bool
    key_hints: bool
    filters_fold: bool
    reasons_fold: bool
    tray_folded: bool
    past_turn_one_line: bool
    past_turn_reference: bool


class DensityBus(QObject):
    """Tells the widgets that sizes or the text scale changed. Lives on the GUI thread."""

    changed = Signal()


class _State:
    size = QSize(1600, 1000)
    scale = 100
    held: tuple[Density, Metrics] | None = None  # what follows from both; a full paint asks a thousand times


@cache
def bus() -> DensityBus:
    """The one bus of size changes."""
    return DensityBus()


def tier(width: int, scale: int = 100) -> int:
    """3 wide, 2 normal, 1 small, 0 small without its queue; ``scale`` in percent takes one step down from 150."""
    step = sum(width >= edge for edge in (QUEUE_FROM, NORMAL_FROM, WIDE_FROM))
    return max(0, step - 1) if scale >= _STEP_DOWN_AT else step


def of(width: int, scale: int = 100) -> Density:
    """The size class of a window ``width`` px wide at a text scale of ``scale`` percent."""
    return (Density.SMALL, Density.SMALL, Density.NORMAL, Density.WIDE)[tier(width, scale)]


def current() -> Density:
    """The size class in force."""
    return _held()[0]


def _held() -> tuple[Density, Metrics]:
    if _State.held is None:
        density = of(_State.size.width(), _State.scale)
        _State.held = (density, _metrics(density, is_short(), _State.scale, _room()))
    return _State.held


def _room() -> int:
    """The window's width in steps of 64 px where columns follow it, which they do for large text; else 0."""
    return _State.size.width() // _STEP_PX * _STEP_PX if _State.scale > 100 else 0


def queue_closes() -> bool:
    """Whether the queue panel closes and the item bar drops its chips (below 1280 px)."""
    return tier(_State.size.width(), _State.scale) == 0


def is_short() -> bool:
    """Whether the timeline folds: frames lane 36, speech and clips lanes in one (below 820 px of height)."""
    return _State.size.height() < SHORT_BELOW


def text_scale() -> int:
    """The text scale in percent, 80 to 200."""
    return _State.scale


def set_text_scale(percent: int) -> None:
    """Set the text scale (clamped to 80-200 %) and tell everybody."""
    percent = max(TEXT_SCALES[0], min(TEXT_SCALES[1], percent))
    if percent != _State.scale:
        _State.scale, _State.held = percent, None
        bus().changed.emit()


def update_for(size: QSize) -> None:
    """Take the window's new size; the bus speaks only if a class or the short flag changed."""
    before = (tier(_State.size.width(), _State.scale), is_short(), _room())
    _State.size, _State.held = QSize(size), None
    if before != (tier(size.width(), _State.scale), is_short(), _room()):
        bus().changed.emit()


def metrics() -> Metrics:
    """The measures in force."""
    return _held()[1]


def scaled(px: int) -> int:
    """A height that holds one line of text, grown with the text scale and never shrunk."""
    return px if _State.scale <= 100 else round(px * _State.scale / 100)


@cache
def _metrics(density: Density, short: bool, scale: int, room: int) -> Metrics:
    grow = max(100, scale) / 100

    def pick(small: int, normal: int, wide: int) -> int:
        return round({Density.SMALL: small, Density.NORMAL: normal, Density.WIDE: wide}[density] * grow)

    def same(px: int) -> int:
        return round(px * grow)

    def column(px: int, share: float) -> int:
        return max(px, min(same(px), round(room * share)))

    right_width = column({Density.SMALL: 520, Density.NORMAL: 572, Density.WIDE: 760}[density], _RIGHT_SHARE)
    small, wide = density is Density.SMALL, density is Density.WIDE
    frames = 36 if short else 50
    lanes = same(16) + same(24) + (same(16) if short else 2 * same(16))
    return Metrics(
        status_bar=same(26), item_bar=same(36), page_bar=same(44), verdict_bar=same(46), panel_head=same(34),
        transport=same(38), timeline=lanes + frames + 17, frames_lane=frames, rail=same(52), rail_button=same(44),
        keycap=same(17), chip=same(20), queue_row=same(48), score_row=pick(28, 34, 40), session_row=pick(50, 58, 58),
        active_row_extra=pick(38, 70, 70), choice_row_blind=same(36), choice_row_revealed=same(33),
        table_row=same(28), table_head=same(24), future_turn=same(25), button=same(28), button_small=same(24),
        segmented=same(26), message_bar=same(32), cell_width=pick(27, 30, 30), cell_height=pick(20, 24, 24),
        queue_width=column({Density.SMALL: 204, Density.NORMAL: 236, Density.WIDE: 300}[density], _QUEUE_SHARE),
        queue_min=204, queue_max=column(320, 2 * _QUEUE_SHARE),
        right_width=right_width, right_min=column(480, _RIGHT_SHARE), right_max=max(780, right_width),
        evidence_card=same(150 if wide else 92), queue_scenario=not small, second_language=not small,
        level_texts=not small, key_hints=not small, filters_fold=small, reasons_fold=small, tray_folded=small,
        past_turn_one_line=small, past_turn_reference=wide,
    )  # fmt: skip
