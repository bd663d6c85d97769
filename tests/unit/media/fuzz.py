"""Break the case files in every way and open what comes out: `python -m tests.unit.media.fuzz FOLDER SEED COUNT`.

Runs as a process of its own, for a crash of a decoder would take the tests with it. Prints one JSON line: what went
well, what was refused, and everything that went wrong.
"""

from __future__ import annotations

import faulthandler
import json
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from annotator.errors import WorldError
from annotator.media.opening import open_film
from annotator.media.pictures import load_preview
from annotator.media.probe import probe
from annotator.media.sound import decode_pcm
from annotator.media.tiles import in_original, make

SLOWEST_S = 15.0
HANG_S = 60
ROOM_BYTES = (1 << 30) + 150 * 2**20  # a broken header may claim gigabytes: no copy of more than 150 MB


def broken(data: bytearray, other: bytes, rng: random.Random) -> tuple[str, bytes]:
    """One way of breaking a file."""
    way = rng.choice(("cut", "flip", "header", "splice"))
    if way == "cut":
        return way, bytes(data[: rng.randrange(1, len(data) + 1)])
    if way == "flip":
        for _ in range(rng.randrange(1, 40)):
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        return way, bytes(data)
    if way == "header":
        data[rng.randrange(min(len(data), 300))] = rng.randrange(256)
        return way, bytes(data)
    return way, bytes(data[: rng.randrange(len(data))]) + other[rng.randrange(len(other)) :]


def watch(path: Path, rng: random.Random) -> None:
    """Frames of a film, out of order, each of the size that was promised."""
    with open_film(path) as film:
        for index in (0, len(film) - 1, *(rng.randrange(len(film)) for _ in range(4))):
            shape = film.frame(index).pixels.shape
            if shape != (film.height, film.width, 4):
                raise AssertionError(f"frame of {shape}, promised {film.width} x {film.height}")
        film.preview_at(film.duration / 2)


def look(path: Path) -> None:
    """A preview that keeps to its box."""
    picture = load_preview(path, 50, 50)
    if max(picture.pixels.shape[:2]) > 50:
        raise AssertionError(f"preview of {picture.pixels.shape}")


def lay(path: Path) -> None:
    """Tiles of a picture, the first and the last, each of the size that was promised."""
    copy = path.with_suffix(".tiles")
    try:
        held = in_original(path) or make(path, copy, ROOM_BYTES)
        columns, rows = held.grid(0)
        for place in ((0, 0), (columns - 1, rows - 1)):
            _, _, width, height = held.box(0, *place)
            shape = held.tile(0, *place).shape
            if shape != (height, width, 4):
                raise AssertionError(f"tile of {shape}, promised {width} x {height}")
    finally:
        copy.unlink(missing_ok=True)


def main(folder: Path, seed: int, count: int) -> None:
    rng = random.Random(seed)
    sources = sorted(p for kind in ("images", "videos", "videos") for p in (folder / kind).iterdir())
    contents = [(p.suffix, data) for p in sources if 0 < len(data := p.read_bytes()) < 60_000]
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(count):
            suffix, data = rng.choice(contents)
            way, made = broken(bytearray(data), rng.choice(contents)[1], rng)
            path = Path(scratch) / f"{seed}_{number}_{way}{suffix}"
            path.write_bytes(made)
            faulthandler.dump_traceback_later(HANG_S, exit=True)
            ways: tuple[Callable[[], object], ...] = (
                lambda path=path: probe(path),  # type: ignore[misc]
                lambda path=path: look(path),  # type: ignore[misc]
                lambda path=path: lay(path),  # type: ignore[misc]
                lambda path=path: watch(path, rng),  # type: ignore[misc]
                lambda path=path: decode_pcm(path),  # type: ignore[misc]
            )
            for work in ways:
                started = time.monotonic()
                try:
                    work()
                    tally["shown"] += 1
                except WorldError as refused:
                    tally["refused"] += 1
                    if path.name not in refused.sentence:
                        wrong.append(f"{path.name}: refused without its name: {refused.sentence}")
                except Exception:  # noqa: BLE001 - anything but a refusal is what is looked for
                    wrong.append(f"{path.name}: {traceback.format_exc(limit=-2)}")
                if time.monotonic() - started > SLOWEST_S:
                    wrong.append(f"{path.name}: took {time.monotonic() - started:.1f} s")
            path.unlink()
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps({"tally": tally, "wrong": wrong}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
