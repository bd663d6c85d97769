"""What travels between the media engine and the window: answers turned into things that can be shown.

They are made where the engine completed its future, beside the window wherever that is possible.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from annotator.cancel import Cancelled
from annotator.errors import WorldError
from annotator.ui.media_gate import Permit
from annotator.ui.media_picture import ShownPicture, wrap

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts

Kind = Literal["part", "preview", "whole", "tiles", "tile", "facts", "frame", "thumb"]
THUMB_BOX = (320, 240)
_PYRAMID_FROM_PX = 640
_BOX_STEP = 64
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FrameShown:
    """A frame on its way to the stage: its picture, and which frame it is."""

    picture: ShownPicture
    index: int
    time: Fraction
    exact: bool


@dataclass(frozen=True, slots=True)
class Parcel:
    """One answer on its way home: to which request, under which permit; the value made of it, or the error."""

    kind: Kind
    ticket: int
    permit: Permit | None
    value: Any = None
    error: BaseException | None = None
    tag: Any = None


def frame_index(permit: Permit, facts: FilmFacts) -> int:
    """The frame that a permit means: whose interval holds its instant, never one that begins after its limit."""
    last = len(facts.times) - 1
    wanted = last if permit.at is None else facts.index_at(permit.at)
    return wanted if permit.until is None else min(wanted, facts.index_at(permit.until))


def within(permit: Permit | None, time: Fraction | None) -> bool:
    """Whether what came back lies inside the permit: an open group's key frame may begin after what was asked for."""
    return permit is None or permit.until is None or time is None or time <= permit.until


def pack(
    kind: Kind, ticket: int, permit: Permit | None, future: Future[Any], tag: Any, stage: QSize | None = None
) -> Parcel | None:
    """The parcel to send home, its picture made where the future was completed; None for what was given up.

    `stage`: the device pixels into which the picture will be fitted, where it will be.
    """
    try:
        error = future.exception()
    except CancelledError:
        return None
    if isinstance(error, Cancelled):
        return None
    if error is not None:
        return Parcel(kind, ticket, permit, error=error, tag=tag)
    return Parcel(kind, ticket, permit, _made(kind, future.result(), stage), tag=tag)


def part_of(picture: Any, ticket: int, permit: Permit, stage: QSize | None) -> Parcel:
    """The parcel of a picture that is not all there yet, made in the thread that decodes it."""
    return Parcel("part", ticket, permit, _made("preview", picture, stage))


def fit_zoom(stage: QSize | None, width: int, height: int) -> float | None:
    """The zoom at which a picture will be fitted, where that shrinks it."""
    if stage is None or stage.isEmpty() or not width or not height:
        return None
    zoom = min(stage.width() / width, stage.height() / height)
    return zoom if zoom < 1 else None


def _made(kind: Kind, value: Any, stage: QSize | None) -> Any:
    if kind == "preview":
        full = QSize(value.full_width_px, value.full_height_px)
        shown = ShownPicture([value.pixels], full, damaged=value.damaged, why=value.why, notes=value.notes)
        return _prepared(shown, stage)
    if kind == "whole":
        return _prepared(ShownPicture(value.levels), stage, keep=True)
    if kind == "frame":
        return _frame_made(value, stage)
    if kind == "thumb":
        return _thumb_made(value)
    return value


def _prepared(picture: ShownPicture, stage: QSize | None, *, keep: bool = False) -> ShownPicture:
    zoom = fit_zoom(stage, picture.full.width(), picture.full.height())
    if zoom is not None:
        picture.prepare(zoom, keep)
    return picture


def _frame_made(frame: Any, stage: QSize | None) -> FrameShown:
    if isinstance(frame, FrameShown):
        return frame  # made ready ahead of its time
    from annotator.media import pyramid

    height, width = frame.pixels.shape[:2]
    zoom = fit_zoom(stage, width, height)
    # Fitted at more than a half, a frame is painted from its own pixels: while it plays its halvings would be for none.
    halves = width > _PYRAMID_FROM_PX and (zoom is None or zoom <= 0.5)
    levels = pyramid.build(frame.pixels).levels if halves else (frame.pixels,)
    picture = ShownPicture(levels, damaged=frame.damaged, why=frame.why, notes=frame.notes)
    return FrameShown(_prepared(picture, stage), frame.index, frame.time, frame.exact)


def _thumb_made(value: Any) -> tuple[QImage, Fraction | None, float | None, bool]:
    """A small image, the frame's time, the size of a still picture in megapixels, whether it is the very frame."""
    full = getattr(value, "full_width_px", 0) * getattr(value, "full_height_px", 0) / 1e6
    exact = bool(getattr(value, "exact", True))
    return thumb_image(value.pixels), getattr(value, "time", None), full or None, exact


def thumb_image(pixels: Any, box: tuple[int, int] = THUMB_BOX) -> QImage:
    """A display buffer fitted into a small box, as an image that owns its pixels."""
    from annotator.media import display

    height, width = pixels.shape[:2]
    return wrap(display.resize(pixels, *display.fit_size(width, height, *box))).copy()


def code_of(error: BaseException) -> str:
    """The short name of the world's fault, empty for a bug."""
    return error.code if isinstance(error, WorldError) else ""


def sentence_of(error: BaseException) -> str:
    """What to tell a person; what is no fault of the world is logged as a bug."""
    if isinstance(error, WorldError):
        return error.sentence
    _log.error("The media engine failed.", exc_info=error)
    return f"{type(error).__name__}: {error}"


def rounded_up(side: int) -> int:
    """A side of the stage rounded up, so that a prepared preview still fits after a small change."""
    return max(_BOX_STEP, -(-side // _BOX_STEP) * _BOX_STEP)


def urgency_of(level: int) -> Any:
    """The engine's own name of an urgency: 0 now, 1 soon, 2 later."""
    from annotator.media.workers import Urgency

    return Urgency(level)
