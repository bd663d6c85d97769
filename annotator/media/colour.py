"""Embedded profiles to sRGB, and windows for sixteen bits.

A profile that does not belong to the pixels (a Lab profile in an RGB file) or cannot be read is ignored, and said.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

# libvips writes its warnings about odd files to stderr; what matters of them is said in our own sentences.
os.environ.setdefault("VIPS_WARNING", "0")

import pyvips

from annotator.media.display import Pixels, as_pixels

# The operation cache would hand out old pixels when a file is replaced under the same name, and hold memory for it.
pyvips.cache_set_max(0)

# The colour-space field of a profile's header, by the number of colour channels it describes.
_SPACES = {b"RGB ": 3, b"GRAY": 1, b"CMYK": 4}


@dataclass(frozen=True)
class Profile:
    """An embedded profile which was checked to fit its picture."""

    data: bytes
    channels: int


def usable_profile(data: bytes | None, channels: int) -> tuple[Profile | None, str]:
    """The profile to apply, or None, and a note for the person (empty if there is nothing to say)."""
    if not data:
        return None, ""
    space = data[16:20]
    if len(data) < 128 or data[36:40] != b"acsp" or _SPACES.get(space) != channels:
        return None, "the embedded colour profile does not fit the picture and was ignored"
    if _is_srgb(data):
        return None, ""
    profile = Profile(data, channels)
    try:
        _transform(profile, np.zeros((1, 1, channels), np.uint8))
    except pyvips.Error:
        return None, "the embedded colour profile cannot be read and was ignored"
    return profile, "shown in sRGB, converted from the embedded colour profile"


def _is_srgb(data: bytes) -> bool:
    """Whether the profile names itself sRGB: by far the most common one, and then there is nothing to convert."""
    plain = data.replace(b"\0", b"")
    return b"sRGB" in plain and data[16:20] == b"RGB "


def _transform(profile: Profile, values: npt.NDArray[np.uint8]) -> Pixels:
    """uint8 (h, w, channels) in the profile's space to uint8 (h, w, 3) sRGB; raises pyvips.Error."""
    height, width, channels = values.shape
    image: Any = pyvips.Image.new_from_memory(values.tobytes(), width, height, channels, "uchar")
    image = image.copy(interpretation={1: "b-w", 3: "srgb", 4: "cmyk"}[channels])
    image.set_type(pyvips.GValue.blob_type, "icc-profile-data", profile.data)
    out = image.icc_transform("srgb", embedded=True, intent="relative", black_point_compensation=True)
    return as_pixels(np.frombuffer(out.write_to_memory(), np.uint8).reshape(height, width, 3))


def apply_profile(profile: Profile, bgrx: Pixels) -> Pixels:
    """A display buffer converted to sRGB; the fourth byte (alpha or filler) is kept as it was."""
    if profile.channels == 1:
        rgb = _transform(profile, as_pixels(bgrx[:, :, :1]))
    else:
        rgb = _transform(profile, as_pixels(cv2.cvtColor(bgrx, cv2.COLOR_BGRA2RGB)))
    out = as_pixels(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGRA))
    out[:, :, 3] = bgrx[:, :, 3]
    return out


def inks_to_srgb(profile: Profile | None, cmyk: npt.NDArray[np.uint8]) -> Pixels:
    """uint8 (h, w, 4) inks (255 is full ink) to a display buffer: by the profile, else by plain multiplication."""
    if profile is not None:
        return as_pixels(cv2.cvtColor(_transform(profile, cmyk), cv2.COLOR_RGB2BGRA))
    light = 255 - cmyk.astype(np.uint16)
    out = np.empty(cmyk.shape, np.uint8)
    for channel in range(3):
        out[:, :, 2 - channel] = (light[:, :, channel] * light[:, :, 3] + 127) // 255
    out[:, :, 3] = 255
    return out


def lab_to_srgb(lab: npt.NDArray[np.uint8]) -> Pixels:
    """uint8 (h, w, 3) of CIE L*a*b* (L* over all values, a* and b* about 128, white D50) to uint8 (h, w, 3) sRGB."""
    height, width, _ = lab.shape
    image: Any = pyvips.Image.new_from_memory(as_pixels(lab).tobytes(), width, height, 3, "uchar")
    image = image.linear([100.0 / 255.0, 1.0, 1.0], [0.0, -128.0, -128.0]).copy(interpretation="lab")
    out = image.icc_export(output_profile="srgb", intent="relative", pcs="lab", depth=8)
    return as_pixels(np.frombuffer(out.write_to_memory(), np.uint8).reshape(height, width, 3))


@dataclass(frozen=True)
class Window:
    """The range of values that is spread over black to white."""

    low: float
    high: float
    note: str

    def to_bytes(self, values: npt.NDArray[Any]) -> Pixels:
        """Values of any kind, through the window, to uint8 of the same shape."""
        if values.dtype == np.uint16 and (self.low, self.high) == (0.0, 65535.0):
            return as_pixels(values >> 8)
        span = (self.high - self.low) or 1.0
        scaled = (values.astype(np.float32) - np.float32(self.low)) * np.float32(255.0 / span)
        return as_pixels(np.clip(np.nan_to_num(scaled), 0.0, 255.0))


def window_for(dtype: np.dtype[Any], low: float, high: float) -> Window:
    """The window for values beyond eight bits, given their extremes.

    Sixteen bits are shown whole, unless nothing exceeds 12 bits: then the picture comes from a 10- or 12-bit sensor,
    would be all but black, and the window is that sensor's range. Other kinds (float, 32 bits) have no natural range
    and get that of the values. The note says which, for a picture must not look brighter than it is in silence.
    """
    if dtype == np.uint16:
        for bits in (8, 10, 12):
            if high < 2**bits:
                top = 2**bits - 1
                return Window(0.0, float(top), f"16-bit picture, values 0 to {top} shown from black to white")
        return Window(0.0, 65535.0, "16-bit picture, shown with 8 bits per channel")
    return Window(low, high, f"values {low:g} to {high:g} shown from black to white")
