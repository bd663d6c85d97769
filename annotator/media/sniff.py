"""What a file is, told by its first bytes. Suffixes lie: downloads are renamed, error pages are saved as pictures."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from annotator.errors import WorldError

HEAD_BYTES = 4096

_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),
    (b"MM\x00+", "tiff"),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", "jp2"),
    (b"\xff\x4f\xff\x51", "jp2"),
    (b"\x00\x00\x01\x00", "ico"),
    (b"P1", "pnm"),
    (b"P2", "pnm"),
    (b"P3", "pnm"),
    (b"P4", "pnm"),
    (b"P5", "pnm"),
    (b"P6", "pnm"),
    (b"8BPS", "psd"),
    (b"qoif", "qoi"),
)

PICTURE_FORMATS = frozenset(
    {"jpeg", "png", "gif", "webp", "tiff", "bmp", "jp2", "avif", "heic", "ico", "pnm", "psd", "qoi"}
)

# The endings of pictures that may stand in a folder of frames; contents are still judged by their bytes.
FRAME_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".avif", ".jp2", ".gif"})


def read_head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file; a sentence if it cannot be opened, is empty, or is no file but a pipe or a device."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            # Opening a pipe waits for a writer, and a device may never end.
            raise WorldError(
                f"{name_of(path)} is a device or a pipe, not a file.", code="media_not_media", path=os.fspath(path)
            )
        with open(path, "rb") as handle:
            head = handle.read(HEAD_BYTES)
    except OSError as error:
        raise world_error(path, error) from error
    if not head:
        raise WorldError(f"{name_of(path)} is empty: get the file again.", code="media_empty", path=os.fspath(path))
    return head


def sniff(head: bytes) -> str:
    """The name of a picture format, `markup` for a saved web page, or an empty string for anything else."""
    for magic, name in _MAGIC:
        if head.startswith(magic) and not (name == "pnm" and not head[2:3].isspace()):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[:2] == b"BM" and len(head) > 18 and head[6:10] == b"\0\0\0\0":
        return "bmp"
    if head[4:8] == b"ftyp":
        return _sniff_heif(head)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:64].lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<svg")):
        return "markup"
    return ""


def is_text(head: bytes) -> bool:
    """Whether a file that is no media begins as text does: proper UTF-8 without control characters but white space."""
    text = head.decode("utf-8", "replace").rstrip("\ufffd")  # the last character may be cut in two
    return "\ufffd" not in text and all(c.isprintable() or c in "\t\r\n\f\ufeff" for c in text)


def _sniff_heif(head: bytes) -> str:
    """HEIC and AVIF share a box layout with MP4; the brands tell them apart."""
    size = int.from_bytes(head[:4], "big")
    brands = [head[8:12]] + [head[i : i + 4] for i in range(16, min(size, len(head)), 4)]
    if brands[0] in _AVIF_BRANDS or (brands[0] in (b"mif1", b"msf1") and _AVIF_BRANDS & set(brands)):
        return "avif"
    if brands[0] in _HEIC_BRANDS or (brands[0] in (b"mif1", b"msf1") and _HEIC_BRANDS & set(brands)):
        return "heic"
    return ""


def name_of(path: str | os.PathLike[str]) -> str:
    """The base name of a file, fit for a sentence: undecodable bytes become visible marks instead of errors."""
    name = Path(path).name or os.fspath(path)
    return os.fsencode(name).decode("utf-8", "replace")


def world_error(path: str | os.PathLike[str], error: OSError) -> WorldError:
    """The sentence for a file that cannot be opened or read."""
    name, where = name_of(path), os.fspath(path)
    if isinstance(error, FileNotFoundError):
        return WorldError(f"{name} is not there: check the media folder.", code="media_missing", path=where)
    if isinstance(error, IsADirectoryError):
        return WorldError(f"{name} is a folder, not a file.", code="media_folder", path=where)
    if isinstance(error, PermissionError):
        return WorldError(f"{name} may not be read: check its permissions.", code="media_denied", path=where)
    reason = error.strerror or type(error).__name__
    return WorldError(f"{name} cannot be read ({reason}): check the disk or share.", code="media_io", path=where)
