"""Evidence pins: a place in the media that shows why a score or a verdict's reason is what it is.

Each pin is a label of its own, so that pins made on two devices never contradict each other: the first of a target
stands in the field `evidence`, further ones in `evidence:<8 hex>`. Its value is `{asset, time, frame, box}` with, where
they are known, `dimension` or `reason` (what it is evidence for) and `share` (of the picture, 0 to 1).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QRect

from annotator.domain.gate import Strip
from annotator.domain.items import Asset
from annotator.domain.labels import turn_index
from annotator.domain.sheet import Sheet
from annotator.workspace.views import ReviewView

FIELD = "evidence"
# The reasons of a verdict that a place in the media can show.
REASONS = ("visual_mismatch", "privacy")


@dataclass(frozen=True, slots=True)
class Pin:
    """One pin as it is stored.

    Attributes:
        target, field: where it stands in the sheet.
        asset: the file, as the source names it.
        at: seconds in the clip, None for pictures; `frame`: its number.
        box: in pixels of the oriented picture, None for all of it.
        dimension: the dimension it belongs to; `reason`: the verdict's reason.
        share: of the picture that the box covers.
    """

    target: str
    field: str
    asset: str
    at: Fraction | None = None
    frame: int | None = None
    box: QRect | None = None
    dimension: str | None = None
    reason: str | None = None
    share: float | None = None

    @property
    def key(self) -> tuple[str, str]:
        """Target and field."""
        return self.target, self.field

    @property
    def turn(self) -> int | None:
        """The turn it belongs to; None for the session and the verdict."""
        return turn_index(self.target)

    def value(self) -> dict[str, Any]:
        """The value of its label."""
        box = self.box
        made: dict[str, Any] = {
            "asset": self.asset,
            "time": None if self.at is None else float(self.at),
            "frame": self.frame,
            "box": None if box is None else [box.x(), box.y(), box.width(), box.height()],
        }
        extra = {"dimension": self.dimension, "reason": self.reason, "share": self.share}
        return made | {name: held for name, held in extra.items() if held is not None}


def pins_of(view: ReviewView) -> tuple[Pin, ...]:
    """All pins of a row: turns in order, then the session's, then the verdict's; each by time."""
    found = [
        pin
        for (target, field), cell in view.sheet.cells.items()
        if is_field(field) and (pin := read_pin(target, field, cell.value)) is not None
    ]
    last = len(view.turns)
    rank = {"session": last, "item": last + 1}
    return tuple(sorted(found, key=lambda p: (rank.get(p.target, p.turn or 0), p.asset, p.at or Fraction(0), p.field)))


def is_field(field: str) -> bool:
    """Whether a field holds a pin."""
    return field == FIELD or field.startswith(f"{FIELD}:")


def read_pin(target: str, field: str, value: Any) -> Pin | None:
    """A pin out of a label's value; None where it is none that can be read."""
    if not isinstance(value, dict) or not isinstance(value.get("asset"), str):
        return None
    return Pin(
        target, field, value["asset"], _seconds(value.get("time")), _whole(value.get("frame")), _box(value.get("box")),
        _text(value.get("dimension")), _text(value.get("reason")), _share(value.get("share")),
    )  # fmt: skip


def free_field(sheet: Sheet, target: str) -> str:
    """The field of a new pin: `evidence` where that is free, else one that nobody else will choose."""
    return FIELD if sheet.value(target, FIELD) is None else f"{FIELD}:{secrets.token_hex(4)}"


def asset_named(view: ReviewView, pin: Pin) -> tuple[int | None, int, Asset | None]:
    """Where a pin's file stands: (stop, -1, asset) on the strip, (None, turn, asset) among frames given at a turn."""
    stop = stop_named(view.strip, pin.asset)
    if stop is not None:
        return stop, -1, view.strip.stops[stop].asset
    for turn in view.turns:
        for asset in turn.frames:
            if pin.asset in (asset.raw, asset.inside):
                return None, turn.index, asset
    return None, -1, None


def stop_named(strip: Strip, name: str) -> int | None:
    """The stop whose file has a name."""
    return next((n for n, s in enumerate(strip.stops) if name in (s.asset.raw, s.asset.inside)), None)


def _seconds(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e7:
        return None
    return Fraction(value).limit_denominator(1_000_000)


def _whole(value: Any) -> int | None:
    return value if type(value) is int and value >= 0 else None


def _box(value: Any) -> QRect | None:
    good = isinstance(value, list) and len(value) == 4 and all(type(v) in (int, float) and abs(v) < 1e6 for v in value)
    box = QRect(*(round(v) for v in value)) if good else QRect()
    return None if box.isEmpty() else box


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _share(value: Any) -> float | None:
    return float(value) if type(value) in (int, float) and 0 <= value <= 1 else None
