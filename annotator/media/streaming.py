"""Pictures too large to be held, row by row: finished as they will be shown, and never more of them than a strip.

The same values as of a picture held whole: the window of deep pictures is that of all their values, found in a first
pass, whatever part is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyvips

from annotator.cancel import CancelToken, check
from annotator.media import colour, decode, display
from annotator.media.display import Pixels
from annotator.media.header import Header, refuse

_FULL = colour.Window(0.0, 65535.0, "")


def streams(header: Header) -> bool:
    """Whether a picture can be read row by row at all."""
    return header.through_vips


def window_of(header: Header, token: CancelToken | None, *, strict: bool = True) -> colour.Window | None:
    """The window by which a deep picture is shown, from all of its values; None for eight bits."""
    image, _ = decode.prepared(header, 0, strict=strict)
    if str(image.format) == "uchar":
        return None
    image, dtype = decode.deep(image, alpha=header.alpha)
    low, high = np.inf, -np.inf
    for _, strip in decode.strips(image, token, dtype):
        shown = strip[:, :, : header.channels] if header.alpha else strip
        finite = shown[np.isfinite(shown)] if dtype == np.float32 else shown
        if finite.size:
            low, high = min(low, float(finite.min())), max(high, float(finite.max()))
    if low > high:
        low = high = 0.0
    if dtype == np.uint16 and header.profile is not None:
        high = 65535.0
    return colour.window_for(dtype, low, high)


def finished(
    header: Header, token: CancelToken | None, window: colour.Window | None, *, strict: bool
) -> Iterator[tuple[int, Pixels]]:
    """The stored picture from top to bottom as (first row, display rows); raises pyvips.Error where it breaks."""
    image, inks = decode.prepared(header, 0, strict=strict)
    if window is None:
        for top, strip in decode.strips(image, token):
            out = display.empty(strip.shape[0], strip.shape[1])
            decode.finish_into(out, header, strip, top, (0, 0), inks=inks)
            yield top, out
        return
    image, dtype = decode.deep(image, alpha=header.alpha)
    for top, strip in decode.strips(image, token, dtype):
        out = display.empty(strip.shape[0], strip.shape[1])
        decode.finish_into(out, header, eight_bits(strip, header, window), top, (0, 0), inks=inks)
        yield top, out


def eight_bits(strip: Any, header: Header, window: colour.Window) -> Any:
    """A deep strip within its window; transparency is never stretched."""
    eight = window.to_bytes(strip)
    if header.alpha:
        eight[:, :, -1] = _FULL.to_bytes(strip[:, :, -1])
    return eight


def rows(header: Header, token: CancelToken | None) -> Iterator[tuple[int, Pixels, bool]]:
    """All rows as (first row, display rows, whether damage was met); after damage they come again from the top.

    Raises WorldError where nothing can be decoded.
    """
    try:
        window = window_of(header, token)
        for top, out in finished(header, token, window, strict=True):
            yield top, out, False
    except pyvips.Error:
        check(token)
    else:
        return
    try:
        window = window_of(header, token, strict=False)
        for top, out in finished(header, token, window, strict=False):
            yield top, out, True
    except pyvips.Error as error:
        raise refuse(header.path, "is damaged, nothing of it can be shown: get the file again.") from error
