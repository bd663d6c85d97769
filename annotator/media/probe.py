"""What a file is, in the words of the command line: kind, size as displayed, frames, times, damage."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.media import sound
from annotator.media.animation import Animation
from annotator.media.clip import Clip
from annotator.media.display import rotation_of
from annotator.media.folder import FrameFolder
from annotator.media.header import FULL_PIXEL_BUDGET, read_header
from annotator.media.pictures import load_full
from annotator.media.sniff import PICTURE_FORMATS, name_of, read_head, sniff

# A clip of up to this many pixels, all frames together, is decoded whole by a probe (a second or two): only so is
# damage found. Longer ones are judged by their packets and first frame.
PROBE_DECODE_PIXELS = 400_000_000


@dataclass(frozen=True)
class Probe:
    """What a media file is.

    Attributes:
        kind: `image`, `video`, `frames` (a folder of them) or `audio`.
        width: pixels as displayed; None for sound.
        height: pixels as displayed; None for sound.
        frames: number of presented frames; 1 for a still picture, None for sound.
        start: the container's own time of the first frame or sample, in seconds; None where there is no time.
        duration: seconds; None where there is no time.
        rotation: degrees, counter-clockwise, by which the stored picture was turned for display.
        codec: the codec or picture format.
        colour: how colours are stored, in a few words.
        bits: bits per channel; None for sound.
        alpha: whether there is transparency.
        damaged: whether part of it cannot be decoded.
        why: a sentence about the damage, or empty.
        notes: what a person should know about how it is shown.
    """

    kind: str
    width: int | None
    height: int | None
    frames: int | None
    start: float | None
    duration: float | None
    rotation: int
    codec: str
    colour: str
    bits: int | None
    alpha: bool
    damaged: bool
    why: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The fields as plain values, in their order."""
        return {**asdict(self), "notes": list(self.notes)}


def probe(path: str | os.PathLike[str], fps: Fraction | float | None = None, token: CancelToken | None = None) -> Probe:
    """Look at a file or a folder of frames; WorldError, with a sentence, for what is no media or cannot be shown."""
    if Path(path).is_dir():
        return _probe_folder(path, fps, token)
    kind = sniff(read_head(path))
    if kind in PICTURE_FORMATS or kind == "markup":
        return _probe_picture(path, token)
    try:
        with Clip(path, token) as clip:
            return _probe_clip(clip, token)
    except WorldError as error:
        if error.code == "media_no_picture" and sound.has_sound(path):
            return _probe_sound(path, token)
        if error.code in ("media_damaged", "media_undecodable") and Path(path).suffix.lower() in _PICTURE_SUFFIXES:
            raise WorldError(
                f"{name_of(path)} is not a picture of any known format: get the file again.",
                code="media_not_media",
                path=os.fspath(path),
            ) from error
        raise


_PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif", ".avif", ".jp2"})


def _probe_picture(path: str | os.PathLike[str], token: CancelToken | None) -> Probe:
    header = read_header(path)
    width, height = header.displayed
    damaged, why, notes = False, "", header.notes
    if header.pixels <= FULL_PIXEL_BUDGET:
        picture = load_full(path, token)
        damaged, why, notes = picture.damaged, picture.why, picture.notes
    else:
        notes = (*notes, "not decoded: over the pixel budget of whole pictures")
    duration: float | None = None
    frames = header.frames
    if header.frames > 1:
        with Animation(path, token) as moving:
            duration, frames = float(moving.duration), len(moving)
            damaged, why = damaged or moving.damaged, why or moving.why
    return Probe(
        kind="image",
        width=width,
        height=height,
        frames=frames,
        start=0.0 if header.frames > 1 else None,
        duration=duration,
        rotation=rotation_of(header.orientation),
        codec=header.format,
        colour=header.colour,
        bits=header.bits,
        alpha=header.alpha,
        damaged=damaged,
        why=f"{name_of(path)}: {why}" if why and not why.startswith(name_of(path)) else why,
        notes=notes,
    )


def _probe_clip(clip: Clip, token: CancelToken | None) -> Probe:
    damaged, why = clip.damaged, clip.why
    if not damaged and len(clip) * clip.width * clip.height <= PROBE_DECODE_PIXELS:
        bad = clip.damaged_frames(token)
        if bad:
            damaged = True
            why = f"{name_of(clip.path)}: {len(bad)} of {len(clip)} frames are damaged, the first is frame {bad[0]}"
    return Probe(
        kind="video",
        width=clip.width,
        height=clip.height,
        frames=len(clip),
        start=float(clip.start),
        duration=float(clip.duration),
        rotation=clip.rotation,
        codec=clip.codec,
        colour=clip.colour,
        bits=clip.bits,
        alpha=clip.alpha,
        damaged=damaged,
        why=why,
        notes=clip.notes,
    )


def _probe_folder(path: str | os.PathLike[str], fps: Fraction | float | None, token: CancelToken | None) -> Probe:
    with FrameFolder(path, fps, token) as folder:
        first = read_header(folder.files[0])
        return Probe(
            kind="frames",
            width=folder.width,
            height=folder.height,
            frames=len(folder),
            start=0.0 if folder.fps is not None else None,
            duration=float(folder.duration) if folder.fps is not None else None,
            rotation=0,
            codec=first.format,
            colour=first.colour,
            bits=first.bits,
            alpha=first.alpha,
            damaged=folder.damaged,
            why=folder.why,
            notes=folder.notes,
        )


def _probe_sound(path: str | os.PathLike[str], token: CancelToken | None) -> Probe:
    heard = sound.decode_pcm(path, token=token)
    return Probe(
        kind="audio",
        width=None,
        height=None,
        frames=None,
        start=float(heard.start),
        duration=float(heard.duration),
        rotation=0,
        codec=heard.codec,
        colour="",
        bits=None,
        alpha=False,
        damaged=heard.damaged,
        why=heard.why,
        notes=(),
    )
