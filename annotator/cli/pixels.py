"""Commands about one media file: what it is, and the picture that the viewer would show."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from annotator.cli import say
from annotator.cli.options import Json
from annotator.errors import WorldError

if TYPE_CHECKING:
    from annotator.media.display import Pixels

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A picture, clip, sound or folder of frames.", show_default=False, readable=False
    ),
]


class Rect(NamedTuple):
    """A rectangle in pixels of the displayed picture."""

    x: int
    y: int
    w: int
    h: int


class Shown(NamedTuple):
    """What is to be saved: the pixels, and a sentence about damage ("" = none)."""

    pixels: Pixels
    why: str


def _seconds(text: str) -> Fraction:
    try:
        return Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter(f'"{text}" is no number of seconds.') from error


def _rate(text: str) -> Fraction:
    try:
        rate = Fraction(text.strip())
    except (ValueError, ZeroDivisionError) as error:
        raise typer.BadParameter(f'"{text}" is no number of frames per second.') from error
    if rate <= 0:
        raise typer.BadParameter("frames per second must be above zero.")
    return rate


def _rectangle(text: str) -> Rect:
    try:
        x, y, w, h = (int(part) for part in text.split(","))
    except ValueError as error:
        raise typer.BadParameter(f'"{text}" is no rectangle: give X,Y,W,H in whole pixels.') from error
    if w <= 0 or h <= 0:
        raise typer.BadParameter("a rectangle needs a width and a height above zero.")
    return Rect(x, y, w, h)


def probe(file: File, json: Json = False) -> None:
    """Tell what a media file is: size, frames, times, damage."""
    from annotator.media.probe import probe as look

    seen = look(file)
    if json:
        say.as_json(seen.as_json())
    else:
        shown = {**seen.as_json(), "notes": "; ".join(seen.notes)}
        say.table(("what", "value"), [(k, v) for k, v in shown.items() if v not in (None, "")])
    if seen.damaged:
        say.complain(seen.why)


def frame(
    file: File,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE.png", help="The PNG to write.", show_default=False, readable=False
        ),
    ],
    at: Annotated[
        Fraction | None,
        typer.Option(parser=_seconds, metavar="SECONDS", help="Seconds after the first presented frame."),
    ] = None,
    index: Annotated[int | None, typer.Option(metavar="N", min=0, help="The number of the frame, from 0.")] = None,
    fps: Annotated[
        Fraction | None, typer.Option(parser=_rate, metavar="N", help="Frames per second, for a folder of frames.")
    ] = None,
    rect: Annotated[
        Rect | None, typer.Option(parser=_rectangle, metavar="X,Y,W,H", help="Only this rectangle, in native pixels.")
    ] = None,
) -> None:
    """Save the picture that the viewer would show."""
    if at is not None and index is not None:
        raise typer.BadParameter("give --at or --index, not both.")
    from annotator.media.snapshot import save_png

    if output.is_dir():
        raise WorldError(f"{output} is a folder: name the PNG to write.", path=str(output))
    shown = _still(file, index or 0, rect) if _is_still(file) else _of_film(file, at, index or 0, fps, rect)
    save_png(shown.pixels, output)
    say.line(f"Wrote {output} ({shown.pixels.shape[1]} x {shown.pixels.shape[0]} pixels).")
    if shown.why:
        say.complain(shown.why)


def _is_still(file: Path) -> bool:
    from annotator.media.header import read_header
    from annotator.media.sniff import PICTURE_FORMATS, read_head, sniff

    if file.is_dir():
        return False
    kind = sniff(read_head(file))
    return kind == "markup" or (kind in PICTURE_FORMATS and read_header(file).frames <= 1)


def _still(file: Path, index: int, rect: Rect | None) -> Shown:
    from annotator.media.pictures import crop, load_full

    if index:
        raise WorldError(f"{file.name} has no frame {index}: it is a single picture.", path=str(file))
    if rect is not None:
        from annotator.media.header import FULL_PIXEL_BUDGET, read_header

        if read_header(file).pixels > FULL_PIXEL_BUDGET:
            return Shown(crop(file, *rect), "")
    picture = load_full(file)
    pixels = picture.pixels if rect is None else crop(picture, *rect)
    return Shown(pixels, _named(file, picture.why) if picture.damaged else "")


def _of_film(file: Path, at: Fraction | None, index: int, fps: Fraction | None, rect: Rect | None) -> Shown:
    from annotator.media.opening import open_film
    from annotator.media.pictures import Picture, crop

    with open_film(file, fps) as film:
        if index >= len(film):
            raise WorldError(f"{file.name} has no frame {index}: it has {len(film)}, counted from 0.", path=str(file))
        got = film.frame(index) if at is None else film.frame_at(at)
        why = got.why if got.damaged or not got.exact else film.why if film.damaged else ""
    pixels = got.pixels
    if rect is not None:
        height, width = pixels.shape[:2]
        pixels = crop(Picture(pixels, width, height, 1.0), *rect)
    return Shown(pixels, _named(file, why))


def _named(file: Path, why: str) -> str:
    """The sentence, with the file's name in it."""
    return f"{file.name}: {why}" if why and file.name not in why else why
