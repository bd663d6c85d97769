"""What a picture file says about itself, read without decoding its pixels."""

from __future__ import annotations

import contextlib
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import PIL.Image
import pyvips

from annotator.errors import WorldError
from annotator.media.colour import Profile, usable_profile
from annotator.media.display import oriented_size
from annotator.media.sniff import PICTURE_FORMATS, name_of, read_head, sniff, world_error

# Pillow's own guard is a process-wide number that warns at one size and raises at another. Every size is checked here
# against a stated budget before a pixel is decoded, so its guard is switched off.
PIL.Image.MAX_IMAGE_PIXELS = None

# Whole pictures are held in memory up to here: 480 MB of display buffer. Beyond, only reductions and crops are made.
FULL_PIXEL_BUDGET = 120_000_000

# Beyond this nothing is decoded at all: 1,000 megapixels take seconds even when they hold one colour.
HARD_PIXEL_BUDGET = 1_000_000_000

# No camera, scanner or stitched panorama is wider or taller; broken headers are.
LONGEST_SIDE_PX = 200_000

# Deflate cannot shrink further than this: a PNG that claims more than its bytes can hold has a broken header.
_DEFLATE_LIMIT = 1032

_VIPS_LOADERS = {"jpeg": "jpegload", "png": "pngload", "webp": "webpload", "tiff": "tiffload", "avif": "heifload"}

# What Pillow raises for a file it cannot make sense of; it has no base class of its own.
PILLOW_ERRORS = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    struct.error,
    zlib.error,
)


@dataclass(frozen=True)
class Header:
    """A picture file before its pixels: `width` and `height` as stored, before the orientation is applied.

    `levels` counts the sizes of a pyramid kept in the file, each half the one before; 1 where there is none.
    """

    path: str
    format: str
    width: int
    height: int
    orientation: int
    bits: int
    channels: int
    alpha: bool
    colour: str
    frames: int
    levels: int
    profile: Profile | None
    notes: tuple[str, ...]

    @property
    def displayed(self) -> tuple[int, int]:
        """Width and height as displayed."""
        return oriented_size(self.width, self.height, self.orientation)

    @property
    def pixels(self) -> int:
        """How many pixels the whole picture has."""
        return self.width * self.height

    @property
    def through_vips(self) -> bool:
        """Whether libvips reads the format (row by row); Pillow reads the rest, L*a*b* of eight bits among it."""
        return self.format in _VIPS_LOADERS and (self.colour, self.bits) != ("lab", 8)


def refuse(path: str | os.PathLike[str], what: str, code: str = "media_damaged") -> WorldError:
    """The sentence of a refusal: the file's name, then what is wrong with it and what to do."""
    return WorldError(f"{name_of(path)} {what}", code=code, path=os.fspath(path))


def picture_format(path: str | os.PathLike[str]) -> str:
    """The format of a picture file by its content; a sentence for what is no picture or not supported."""
    kind = sniff(read_head(path))
    if kind == "heic":
        raise refuse(path, "is a HEIC picture, which is not supported: convert it to JPEG or PNG.", "media_unsupported")
    if kind == "markup":
        raise refuse(path, "is a web page, not a picture: the download went wrong, get it again.", "media_not_media")
    if kind not in PICTURE_FORMATS:
        raise refuse(path, "is not a picture of any known format: get the file again.", "media_not_media")
    return kind


def read_header(path: str | os.PathLike[str]) -> Header:
    """Read a picture's header; WorldError if it is no picture, damaged beyond use, or over the hard pixel budget."""
    kind = picture_format(path)
    header = _vips_header(path, kind) if kind in _VIPS_LOADERS else _pillow_header(path, kind)
    if max(header.width, header.height) > LONGEST_SIDE_PX or _is_hollow(header):
        raise refuse(path, f"claims {header.width} x {header.height} pixels: its header is damaged, get it again.")
    if header.pixels > HARD_PIXEL_BUDGET:
        raise refuse(
            path,
            f"is {header.width} x {header.height} pixels ({header.pixels / 1e6:,.0f} megapixels), over the limit of "
            f"{HARD_PIXEL_BUDGET / 1e6:,.0f} megapixels: make a smaller copy.",
            "media_too_large",
        )
    return header


def _is_hollow(header: Header) -> bool:
    """Whether a huge PNG cannot possibly hold the pixels it claims; small ones are simply decoded."""
    if header.format != "png" or not FULL_PIXEL_BUDGET < header.pixels <= HARD_PIXEL_BUDGET:
        return False
    head = read_head(header.path)
    samples = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(head[25], 1)
    row_bytes = (header.width * head[24] * samples) // 8
    return row_bytes * header.height > os.path.getsize(header.path) * _DEFLATE_LIMIT


def check_budget(header: Header, pixel_budget: int) -> None:
    """Raise the sentence for a picture which is too large to be held whole."""
    if header.pixels > pixel_budget:
        raise refuse(
            header.path,
            f"is {header.width} x {header.height} pixels ({header.pixels / 1e6:,.0f} megapixels), more than the "
            f"{pixel_budget / 1e6:,.0f} megapixels that are held whole: it is shown reduced, and in native crops.",
            "media_over_budget",
        )


def open_vips(path: str | os.PathLike[str], kind: str, *, strict: bool = True, page: int = 0, access: str = "") -> Any:
    """A libvips image of the file; raises pyvips.Error.

    The loader is called by name: `new_from_file` would read a part in brackets of the file's name as options.
    """
    options: dict[str, Any] = {"access": access or "sequential", "fail_on": "warning" if strict else "none"}
    if page and kind in ("tiff", "webp"):
        options["page"] = page
    load = getattr(pyvips.Image, _VIPS_LOADERS[kind])
    return load(os.fsencode(path), **options)


def _vips_header(path: str | os.PathLike[str], kind: str) -> Header:
    try:
        image = open_vips(path, kind, strict=False)
    except pyvips.Error as error:
        if kind == "tiff" and _is_lab(path):
            return _pillow_header(path, kind)
        raise refuse(path, "is damaged or incomplete, nothing of it can be shown: get the file again.") from error
    fields = set(image.get_fields())
    alpha = bool(image.hasalpha())
    channels = int(image.bands) - int(alpha)
    profile_data = image.get("icc-profile-data") if "icc-profile-data" in fields else None
    profile, note = usable_profile(bytes(profile_data) if profile_data else None, channels)
    if profile_data is None and kind == "png" and b"iCCP" in read_head(path):
        note = "the embedded colour profile cannot be read and was ignored"
    pages = int(image.get("n-pages")) if "n-pages" in fields else 1
    notes = [note] if note else []
    levels = _levels(path, image, pages) if kind == "tiff" else 1
    if kind == "tiff" and pages > levels:
        notes.append(f"the first of {pages} pages")
    orientation = int(image.get("orientation")) if "orientation" in fields else 1
    return Header(
        path=os.fspath(path),
        format=kind,
        width=int(image.width),
        height=int(image.height),
        orientation=orientation if 1 <= orientation <= 8 else 1,
        bits=_bits(image, fields),
        channels=channels,
        alpha=alpha,
        colour=str(image.interpretation),
        frames=pages if kind == "webp" else 1,
        levels=levels,
        profile=profile,
        notes=tuple(notes),
    )


def _is_lab(path: str | os.PathLike[str]) -> bool:
    """Whether Pillow reads the file as L*a*b*."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with PIL.Image.open(path) as image:
                return image.mode == "LAB"
    except PILLOW_ERRORS:
        return False


def _levels(path: str | os.PathLike[str], image: Any, pages: int) -> int:
    """How many of a TIFF's pages are its first one at half, a quarter and so on of its size."""
    level = 1
    while level < pages:
        try:
            page = open_vips(path, "tiff", strict=False, page=level)
        except pyvips.Error:
            break
        halved = (int(image.width) >> level, int(image.height) >> level)
        if abs(int(page.width) - halved[0]) > 1 or abs(int(page.height) - halved[1]) > 1:
            break
        level += 1
    return level


def _bits(image: Any, fields: set[str]) -> int:
    if "bits-per-sample" in fields:
        return int(image.get("bits-per-sample"))
    return {"ushort": 16, "short": 16, "uint": 32, "int": 32, "float": 32, "double": 64}.get(str(image.format), 8)


@contextlib.contextmanager
def opened_by_pillow(path: str | os.PathLike[str]) -> Iterator[PIL.Image.Image]:
    """An image opened by Pillow, its remarks about odd files silenced, its errors a sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image = PIL.Image.open(path)
    except FileNotFoundError as error:
        raise world_error(path, error) from error
    except PILLOW_ERRORS as error:
        raise refuse(path, "is damaged or incomplete, nothing of it can be shown: get the file again.") from error
    with image:
        yield image


def frame_count(image: PIL.Image.Image) -> int:
    """The frames of a moving picture; of a broken one those up to the break, without decoding any."""
    try:
        return int(getattr(image, "n_frames", 1))
    except PILLOW_ERRORS:
        pass
    count = 1
    try:
        while True:
            image.seek(count)
            count += 1
    except PILLOW_ERRORS:
        image.seek(0)
    return count


def _pillow_header(path: str | os.PathLike[str], kind: str) -> Header:
    with opened_by_pillow(path) as image:
        try:
            frames = frame_count(image) if kind == "gif" else 1
            orientation = int(image.getexif().get(274, 1))
        except PILLOW_ERRORS:
            frames, orientation = 1, 1
        channels = {"1": 1, "L": 1, "LA": 1, "I": 1, "F": 1, "CMYK": 4}.get(image.mode, 3)
        # L*a*b* says its colours without a profile.
        embedded = image.info.get("icc_profile") if image.mode != "LAB" else None
        profile, note = usable_profile(embedded, channels)
        width, height = image.size
        return Header(
            path=os.fspath(path),
            format=kind,
            width=width,
            height=height,
            orientation=orientation if 1 <= orientation <= 8 else 1,
            bits={"1": 1, "I": 32, "F": 32, "I;16": 16}.get(image.mode, 8),
            channels=channels,
            alpha="A" in image.mode or "transparency" in image.info,
            colour=image.mode.lower(),
            frames=frames,
            levels=1,
            profile=profile if channels != 4 else None,
            notes=(note,) if note else (),
        )
