"""Kinds of pictures beyond the case files, each against values worked out beside the decoder."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import PIL.Image
import pytest
import pyvips

from annotator.media import pictures, tiles
from annotator.media.display import checker

HEIGHT, WIDTH = 40, 56


def shown(path: Path) -> np.ndarray:
    """RGB as displayed, whole."""
    picture = pictures.load_full(path)
    assert not picture.damaged
    return picture.pixels[:, :, [2, 1, 0]].astype(int)


def over(rgb: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    back = checker(*alpha.shape)[..., None].astype(float)
    return np.round((rgb * alpha[..., None] + back * (255 - alpha[..., None])) / 255)


def values(*shape: int, top: int = 256) -> np.ndarray:
    return np.random.default_rng(5).integers(0, top, shape)


def png(path: Path, colour: int, bits: int, rows: list[bytes], chunks: tuple[tuple[bytes, bytes], ...] = ()) -> Path:
    """A PNG put together by hand, so that no library decides what it means."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, colour, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows)))
    middle = b"".join(chunk(*extra) for extra in chunks)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + head + middle + body + chunk(b"IEND", b""))
    return path


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_small_palettes_with_and_without_all_of_their_transparency(tmp_path: Path, bits: int) -> None:
    index = values(HEIGHT, WIDTH, top=2**bits)
    packed = np.zeros((HEIGHT, WIDTH * bits // 8), np.uint8)
    for place in range(8 // bits):
        packed |= (index[:, place :: 8 // bits] << (8 - bits * (place + 1))).astype(np.uint8)
    rows = [row.tobytes() for row in packed]
    palette, alpha = values(2**bits, 3).astype(np.uint8), values(2**bits).astype(np.uint8)
    for told in (2**bits, 1):
        chunks = ((b"PLTE", palette.tobytes()), (b"tRNS", alpha[:told].tobytes()))
        full = np.r_[alpha[:told], np.full(2**bits - told, 255)].astype(float)
        got = shown(png(tmp_path / f"p{told}.png", 3, bits, rows, chunks))
        assert np.abs(got - over(palette[index].astype(float), full[index])).max() <= 1
    grey = index * 255 // (2**bits - 1)
    got = shown(png(tmp_path / "g.png", 0, bits, rows, ((b"tRNS", struct.pack(">H", 1)),)))
    assert np.abs(got - over(np.dstack([grey] * 3).astype(float), np.where(index == 1, 0.0, 255.0))).max() <= 1


@pytest.mark.parametrize("channels", [2, 4])
def test_sixteen_bits_with_sixteen_bits_of_alpha(tmp_path: Path, channels: int) -> None:
    deep = values(HEIGHT, WIDTH, channels, top=65536).astype(np.uint16)
    deep[0, 0] = 65535
    path = png(tmp_path / "d.png", {2: 4, 4: 6}[channels], 16, [row.astype(">u2").tobytes() for row in deep])
    colour = np.dstack([deep[..., k] >> 8 for k in ((0, 0, 0) if channels == 2 else (0, 1, 2))]).astype(float)
    assert np.abs(shown(path) - over(colour, (deep[..., -1] >> 8).astype(float))).max() <= 2


def test_one_colour_that_is_transparent(tmp_path: Path) -> None:
    rgb = values(HEIGHT, WIDTH, 3).astype(np.uint8)
    clear = rgb[3, 4]
    key = struct.pack(">HHH", *(int(value) for value in clear))
    path = png(tmp_path / "k.png", 2, 8, [row.tobytes() for row in rgb], ((b"tRNS", key),))
    alpha = np.where((rgb == clear).all(2), 0.0, 255.0)
    assert np.array_equal(shown(path), over(rgb.astype(float), alpha))


def test_alpha_beside_floats_runs_from_nought_to_one(tmp_path: Path) -> None:
    colour = values(HEIGHT, WIDTH, 3) / 255.0
    colour[0, 0], colour[0, 1] = 0.0, 1.0
    alpha = np.random.default_rng(6).integers(0, 256, (HEIGHT, WIDTH))
    array = np.dstack([colour, alpha / 255.0]).astype(np.float32)
    pyvips.Image.new_from_array(array).write_to_file(str(tmp_path / "f.tif"))
    want = over(np.round(colour * 255), alpha.astype(float))
    assert np.abs(shown(tmp_path / "f.tif") - want).max() <= 2
    held = tiles.make(tmp_path / "f.tif", tmp_path / "copy", 1 << 31)
    assert np.abs(held.tile(0, 0, 0)[:, :, [2, 1, 0]].astype(int) - want).max() <= 2, "row by row too"


def test_lab_of_eight_bits(tmp_path: Path) -> None:
    """L* by 255, a* and b* as signed bytes: grey has none of either, and red, green and blue lie apart."""
    lab = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    lab[:, :14] = (255, 128, 128)
    lab[:, 14:28] = (136, 128, 128)  # 53.4 of 100: the middle grey of sRGB
    lab[:, 28:42] = (138, 208, 200)
    lab[:, 42:] = (0, 128, 128)
    PIL.Image.fromarray(lab, "LAB").save(tmp_path / "l.tif")  # stores a* and b* less 128
    got = shown(tmp_path / "l.tif")
    assert np.abs(got[0, 0] - 255).max() <= 1 and np.abs(got[0, 20] - 127).max() <= 2 and got[0, 50].max() <= 1
    red, green, blue = got[0, 30]
    assert red > 240 and green < 20 and blue < 20
    assert not pictures.load_full(tmp_path / "l.tif").notes


@pytest.mark.parametrize(("kind", "low"), [("int8", -128), ("int16", -32768), ("uint32", 0), ("float32", -3)])
def test_kinds_of_numbers_without_a_natural_range_get_that_of_their_values(tmp_path: Path, kind: str, low: int) -> None:
    grey = (values(HEIGHT, WIDTH) + low).astype(kind)
    pyvips.Image.new_from_array(grey).write_to_file(str(tmp_path / "n.tif"))
    span = grey.astype(float) - float(grey.min())
    want = np.dstack([np.round(span / span.max() * 255)] * 3)
    assert np.abs(shown(tmp_path / "n.tif") - want).max() <= 1


def test_inks_of_sixteen_bits(tmp_path: Path) -> None:
    inks = values(HEIGHT, WIDTH, 4).astype(np.uint8)
    image = pyvips.Image.new_from_array(inks.astype(np.uint16) * 257).copy(interpretation="cmyk")
    image.write_to_file(str(tmp_path / "c.tif"))
    light = 255.0 - inks
    assert np.abs(shown(tmp_path / "c.tif") - np.round(light[..., :3] * light[..., 3:] / 255)).max() <= 2


def test_a_bitmap_of_32_bits_whose_fourth_is_nothing_is_opaque(tmp_path: Path) -> None:
    rgb = values(HEIGHT, WIDTH, 3).astype(np.uint8)
    head = struct.pack(
        "<2sIHHIIiiHHIIiiII", b"BM", 54 + HEIGHT * WIDTH * 4, 0, 0, 54, 40, WIDTH, HEIGHT, 1, 32, 0,
        HEIGHT * WIDTH * 4, 0, 0, 0, 0,
    )  # fmt: skip
    body = np.dstack([rgb[::-1, :, ::-1], np.zeros((HEIGHT, WIDTH), np.uint8)]).tobytes()
    (tmp_path / "b.bmp").write_bytes(head + body)
    assert np.array_equal(shown(tmp_path / "b.bmp"), rgb)
