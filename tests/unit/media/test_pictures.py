"""One decode path: preview, whole, crop and export agree; colours, windows, transparency, budgets, pages."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.Image
import PIL.ImageCms
import pytest
import pyvips
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.media import decode, display, header, pictures, pyramid
from annotator.media.animation import Animation
from annotator.media.pictures import Picture, adjust, crop, load_full, load_preview, to_rgb
from annotator.media.probe import probe
from annotator.media.snapshot import save_png

FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "BMP")


def scene(width: int, height: int, seed: int = 3) -> np.ndarray:
    """uint8 RGB with smooth ramps, an edge and a little noise."""
    rows, columns = np.mgrid[0:height, 0:width]
    rgb = np.stack([columns * 255 // max(1, width - 1), rows * 255 // max(1, height - 1), (columns + rows) % 256], -1)
    rgb = rgb.astype(np.uint8)
    rgb[height // 3 : height // 2, width // 4 : width // 2] = (250, 20, 30)
    return rgb


def stored(rgb: np.ndarray, orientation: int) -> np.ndarray:
    """What a camera stores so that `orientation` turns it into `rgb`: the inverse, by numpy alone."""
    turned = {
        1: rgb,
        2: rgb[:, ::-1],
        3: rgb[::-1, ::-1],
        4: rgb[::-1],
        5: rgb.transpose(1, 0, 2),
        6: np.rot90(rgb, 1),
        7: rgb[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(rgb, -1),
    }[orientation]
    return np.ascontiguousarray(turned)


def write(path: Path, rgb: np.ndarray, kind: str, orientation: int = 1, **options: Any) -> Path:
    image = PIL.Image.fromarray(stored(rgb, orientation))
    exif = PIL.Image.Exif()
    exif[274] = orientation
    if kind == "BMP":
        image.save(path, kind)
        return path
    if kind == "JPEG":
        options = {"quality": 95, "subsampling": 0, **options}
    if kind == "WEBP":
        options = {"lossless": True, **options}
    image.save(path, kind, exif=exif, **options)
    return path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    width=st.integers(1, 150),
    height=st.integers(1, 150),
    kind=st.sampled_from(FORMATS),
    orientation=st.integers(1, 8),
    box=st.tuples(st.integers(1, 90), st.integers(1, 90)),
    data=st.data(),
)
def test_preview_whole_crop_and_export_agree(
    tmp_path: Path, width: int, height: int, kind: str, orientation: int, box: tuple[int, int], data: st.DataObject
) -> None:
    orientation = 1 if kind == "BMP" else orientation
    rgb = scene(width, height)
    path = write(tmp_path / f"p.{kind.lower()}", rgb, kind, orientation)
    whole = load_full(path)
    assert (whole.full_width_px, whole.full_height_px, whole.scale) == (width, height, 1.0)
    if kind != "JPEG":
        assert (to_rgb(whole.pixels) == rgb).all()
    else:
        assert np.abs(to_rgb(whole.pixels).astype(int) - rgb).mean() < 12
    preview = load_preview(path, *box)
    shown_h, shown_w = preview.pixels.shape[:2]
    assert 1 <= shown_w <= min(width, box[0]) and 1 <= shown_h <= min(height, box[1])
    assert (preview.full_width_px, preview.full_height_px) == (width, height)
    averaged = display.resize(whole.pixels, shown_w, shown_h).astype(int)
    differs = np.abs(preview.pixels.astype(int) - averaged)
    assert differs.max() == 0
    x = data.draw(st.integers(0, width - 1))
    y = data.draw(st.integers(0, height - 1))
    w = data.draw(st.integers(1, width))
    h = data.draw(st.integers(1, height))
    cut = crop(whole, x, y, w, h)
    assert (cut == whole.pixels[y : y + h, x : x + w]).all()
    assert (crop(path, x, y, w, h) == cut).all()
    assert (pyramid.build(whole).crop(x, y, w, h) == cut).all()
    save_png(cut, tmp_path / "out.png")
    assert (load_full(tmp_path / "out.png").pixels == cut).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_jpeg_preview_in_a_smaller_scale_lies_where_the_whole_does(tmp_path: Path, orientation: int) -> None:
    rgb = np.full((1280, 1920, 3), 40, np.uint8)
    rgb[80:400, 1200:1760] = (230, 30, 30)
    path = write(tmp_path / "big.jpg", rgb, "JPEG", orientation)
    whole, preview = load_full(path), load_preview(path, 300, 300)
    assert preview.pixels.shape == (200, 300, 4) and preview.scale == pytest.approx(300 / 1920)
    averaged = display.resize(whole.pixels, 300, 200).astype(int)
    assert np.abs(preview.pixels.astype(int) - averaged).mean() < 1.5
    assert to_rgb(preview.pixels)[35, 230].tolist() == pytest.approx([230, 30, 30], abs=6)


def test_over_the_budget_a_crop_is_the_same_as_from_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rgb = scene(300, 200)
    for orientation in range(1, 9):
        path = write(tmp_path / f"o{orientation}.png", rgb, "PNG", orientation)
        whole = load_full(path)
        monkeypatch.setattr(pictures, "FULL_PIXEL_BUDGET", 1000)
        assert (crop(path, 120, 30, 70, 50) == whole.pixels[30:80, 120:190]).all()
        preview = load_preview(path, 60, 60)
        assert preview.pixels.shape == (40, 60, 4)
        assert np.abs(preview.pixels.astype(int) - display.resize(whole.pixels, 60, 40)).mean() < 4
        monkeypatch.undo()


def test_transparency_lies_over_one_checker_in_wholes_crops_and_shrunk_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rgba = np.zeros((80, 120, 4), np.uint8)
    rgba[:, :, 0] = 200
    rgba[:, 60:, 3] = 128
    rgba[40:, :, 3] = 255
    path = tmp_path / "a.png"
    PIL.Image.fromarray(rgba).save(path)
    whole = to_rgb(load_full(path).pixels)
    assert whole[0, 0].tolist() == [255, 255, 255] and whole[0, 8].tolist() == [235, 235, 235]
    assert whole[8, 0].tolist() == [235, 235, 235] and whole[50, 10].tolist() == [200, 0, 0]
    assert whole[0, 64].tolist() == [227, 127, 127]
    monkeypatch.setattr(pictures, "FULL_PIXEL_BUDGET", 100)
    assert (to_rgb(crop(path, 13, 5, 60, 30)) == whole[5:35, 13:73]).all()


def test_an_embedded_profile_is_converted_to_srgb(tmp_path: Path) -> None:
    # A profile with swapped primaries: pure red in the file is green on the screen.
    swapped = _profile_with_swapped_primaries()
    rgb = np.zeros((40, 40, 3), np.uint8)
    rgb[:, :] = (255, 0, 0)
    for name, kind in (("p.png", "PNG"), ("p.jpg", "JPEG"), ("p.tif", "TIFF")):
        path = tmp_path / name
        PIL.Image.fromarray(rgb).save(path, kind, icc_profile=swapped, **({"quality": 95} if kind == "JPEG" else {}))
        for picture in (load_full(path), load_preview(path, 20, 20)):
            seen = to_rgb(picture.pixels)[10, 10].tolist()
            assert seen[1] > 200 and seen[0] < 60, (name, seen)
            assert picture.notes == ("shown in sRGB, converted from the embedded colour profile",)


def _profile_with_swapped_primaries() -> bytes:
    data = bytearray(PIL.ImageCms.ImageCmsProfile(PIL.ImageCms.createProfile("sRGB")).tobytes())
    count = int.from_bytes(data[128:132], "big")
    tags = {}
    for i in range(count):
        at = 132 + 12 * i
        tags[bytes(data[at : at + 4])] = int.from_bytes(data[at + 4 : at + 8], "big")
    red, green = tags[b"rXYZ"], tags[b"gXYZ"]
    data[red + 8 : red + 20], data[green + 8 : green + 20] = data[green + 8 : green + 20], data[red + 8 : red + 20]
    return bytes(
        data.replace(b"s\0R\0G\0B", b"o\0d\0d\0!").replace(b"\0s\0R\0G\0B", b"\0o\0d\0d\0!").replace(b"sRGB", b"odd!")
    )


def test_an_srgb_profile_changes_nothing(tmp_path: Path) -> None:
    rgb = scene(60, 40)
    profile = PIL.ImageCms.ImageCmsProfile(PIL.ImageCms.createProfile("sRGB")).tobytes()
    path = tmp_path / "s.png"
    PIL.Image.fromarray(rgb).save(path, icc_profile=profile)
    picture = load_full(path)
    assert (to_rgb(picture.pixels) == rgb).all() and picture.notes == ()


def test_a_float_tiff_is_shown_through_the_window_of_its_values(tmp_path: Path) -> None:
    values = np.linspace(-2.0, 6.0, 256, dtype=np.float32)[None].repeat(8, 0)
    path = tmp_path / "f.tif"
    pyvips.Image.new_from_array(values).cast("float").write_to_file(str(path))
    picture = load_full(path)
    row = picture.pixels[4, :, 0].astype(int)
    assert row[0] == 0 and row[-1] == 255 and (np.diff(row) >= 0).all()
    assert picture.notes == ("values -2 to 6 shown from black to white",)


def test_sixteen_bit_colour_with_alpha(tmp_path: Path) -> None:
    values = np.zeros((16, 16, 4), np.uint16)
    values[:, :, 0] = 65535
    values[:, :8, 3] = 65535
    path = tmp_path / "d.png"
    cv2.imwrite(str(path), values[:, :, [2, 1, 0, 3]])
    rgb = to_rgb(load_full(path).pixels)
    assert rgb[2, 2].tolist() == [255, 0, 0] and rgb[2, 9].tolist() == [235, 235, 235]


def test_the_first_page_of_a_tiff_is_shown_and_said(tmp_path: Path) -> None:
    pages = [PIL.Image.fromarray(np.full((20, 30, 3), value, np.uint8)) for value in (10, 90, 170)]
    path = tmp_path / "pages.tif"
    pages[0].save(path, save_all=True, append_images=pages[1:])
    picture = load_full(path)
    assert int(picture.pixels[0, 0, 0]) == 10 and picture.notes == ("the first of 3 pages",)


def test_tiled_tiffs_are_read(tmp_path: Path) -> None:
    rgb = scene(700, 500)
    path = tmp_path / "t.tif"
    image = pyvips.Image.new_from_memory(rgb.tobytes(), 700, 500, 3, "uchar")
    image.tiffsave(str(path), tile=True, tile_width=128, tile_height=128, pyramid=True, compression="lzw")
    whole = load_full(path)
    assert (to_rgb(whole.pixels) == rgb).all()
    assert whole.notes == ()
    seen = header.read_header(path)
    assert seen.levels == 4
    for factor in (1, 2, 3, 4, 8, 9):
        shrunk = decode.decode_shrunk(seen, None, factor).pixels
        assert 700 // factor - 4 <= shrunk.shape[1] <= 2 * (700 // factor)
        averaged = display.resize(whole.pixels, shrunk.shape[1], shrunk.shape[0]).astype(int)
        assert np.abs(shrunk.astype(int) - averaged).mean() < 4


def test_an_animated_webp_has_frames(tmp_path: Path) -> None:
    frames = [PIL.Image.fromarray(np.full((30, 40, 3), value, np.uint8)) for value in (20, 120, 220)]
    path = tmp_path / "w.webp"
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=[50, 150, 100], lossless=True)
    with Animation(path) as moving:
        assert moving.durations_ms == (50, 150, 100)
        assert [int(moving.frame(i).pixels[5, 5, 0]) for i in (2, 0, 1)] == [220, 20, 120]
        assert moving.frame_at(0.06).index == 1
    seen = probe(path)
    assert (seen.kind, seen.frames, seen.duration) == ("image", 3, pytest.approx(0.3))
    assert int(load_full(path, frame=1).pixels[5, 5, 0]) == 120
    with pytest.raises(WorldError, match=r"w\.webp has no frame 3"):
        load_full(path, frame=3)


def test_heic_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes((24).to_bytes(4, "big") + b"ftypheic\0\0\0\0mif1heic" + b"\0" * 200)
    for look in (load_full, probe, lambda p: load_preview(p, 9, 9)):
        with pytest.raises(WorldError, match=r"photo\.jpg is a HEIC picture, which is not supported: convert it"):
            look(path)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "TIFF", "WEBP", "BMP"])
def test_a_truncated_picture_is_marked_or_refused_and_never_silent(tmp_path: Path, kind: str) -> None:
    data = io.BytesIO()
    noise = np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)
    PIL.Image.fromarray(noise).save(data, kind)
    whole = data.getvalue()
    path = tmp_path / f"cut.{kind.lower()}"
    seen: set[str] = set()
    sentences: list[str] = []
    for share in (0.2, 0.5, 0.8, 0.97):
        path.write_bytes(whole[: int(len(whole) * share)])
        try:
            picture = load_full(path)
        except WorldError as refused:
            sentences.append(refused.sentence)
            seen.add("refused")
        else:
            assert picture.damaged and picture.why
            assert load_preview(path, 60, 60).damaged
            seen.add("marked")
    assert all(path.name in sentence for sentence in sentences)
    assert seen and (kind not in ("JPEG", "PNG") or "marked" in seen)


def test_what_was_decoded_of_a_cut_png_is_right(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 300, 3), np.uint8)
    data = io.BytesIO()
    PIL.Image.fromarray(noise).save(data, "PNG")
    path = tmp_path / "cut.png"
    path.write_bytes(data.getvalue()[: data.tell() // 2])
    picture = load_full(path)
    assert picture.damaged and (to_rgb(picture.pixels)[:200] == noise[:200]).all()


def test_a_picture_over_the_budget_is_refused_with_its_size(tmp_path: Path) -> None:
    path = write(tmp_path / "p.png", scene(100, 50), "PNG")
    with pytest.raises(WorldError, match=r"p\.png is 100 x 50 pixels"):
        load_full(path, pixel_budget=4999)
    assert load_full(path, pixel_budget=5000).scale == 1.0


def test_a_name_with_brackets_is_a_name(tmp_path: Path) -> None:
    for name in ("img[5].png", "a:b.png", "bad_\udcff.png", "%d.png"):
        path = str(tmp_path) + "/" + name
        with open(path, "wb") as handle:
            PIL.Image.fromarray(scene(20, 10)).save(handle, "PNG")
        assert load_full(path).full_width_px == 20


def test_a_file_replaced_under_its_name_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    write(path, np.full((10, 10, 3), 9, np.uint8), "PNG")
    assert int(load_full(path).pixels[0, 0, 0]) == 9
    write(path, np.full((10, 10, 3), 99, np.uint8), "PNG")
    assert int(load_full(path).pixels[0, 0, 0]) == 99


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "BMP"])
def test_a_cancelled_load_stops(tmp_path: Path, kind: str) -> None:
    path = write(tmp_path / "p.bin", scene(400, 300), kind)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        load_full(path, token)
    with pytest.raises(Cancelled):
        load_preview(path, 50, 50, token)


def test_a_load_is_cancelled_between_strips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "p.png", scene(64, 2000), "PNG")
    token = CancelToken()
    monkeypatch.setattr(decode, "STRIP_ROWS", 100)
    done: list[int] = []
    real = decode.finish_into

    def counting(*args: Any, **kwargs: Any) -> Any:
        done.append(1)
        token.cancel()
        return real(*args, **kwargs)

    monkeypatch.setattr(decode, "finish_into", counting)
    with pytest.raises(Cancelled):
        load_full(path, token)
    assert len(done) == 1


def test_a_rectangle_outside_is_refused_and_one_across_the_edge_is_cut(tmp_path: Path) -> None:
    whole = load_full(write(tmp_path / "p.png", scene(40, 30), "PNG"))
    assert crop(whole, -5, -5, 10, 10).shape == (5, 5, 4)
    assert crop(whole, 35, 25, 100, 100).shape == (5, 5, 4)
    with pytest.raises(WorldError, match="outside"):
        crop(whole, 40, 0, 5, 5)
    with pytest.raises(ValueError, match="preview"):
        crop(Picture(whole.pixels, 80, 60, 0.5), 0, 0, 1, 1)


def test_a_crop_outlives_its_picture(tmp_path: Path) -> None:
    whole = load_full(write(tmp_path / "p.png", scene(40, 30), "PNG"))
    cut = crop(whole, 3, 3, 4, 4)
    before = cut.copy()
    whole.pixels[:] = 0
    assert (cut == before).all()


def test_adjusting_changes_what_is_seen_and_not_the_data(tmp_path: Path) -> None:
    whole = load_full(write(tmp_path / "p.png", scene(64, 64), "PNG"))
    before = whole.pixels.copy()
    assert adjust(whole.pixels, 0.0, 1.0, 1.0) is whole.pixels
    brighter = adjust(whole.pixels, brightness=0.2)
    steeper = adjust(whole.pixels, contrast=2.0)
    lifted = adjust(whole.pixels, gamma=2.2)
    assert (whole.pixels == before).all()
    assert (brighter[:, :, :3].astype(int) >= before[:, :, :3]).all() and brighter.mean() > before.mean()
    assert lifted[:, :, :3].mean() > before[:, :, :3].mean()
    value = np.full((1, 1, 4), 64, np.uint8)
    assert adjust(value, contrast=2.0)[0, 0].tolist() == [0, 0, 0, 255]
    assert int(steeper[:, :, 3].min()) == 255


@settings(max_examples=80, deadline=None)
@given(
    width=st.integers(1, 60),
    height=st.integers(1, 60),
    orientation=st.integers(1, 8),
    data=st.data(),
)
def test_a_rectangle_is_found_in_the_stored_picture(
    width: int, height: int, orientation: int, data: st.DataObject
) -> None:
    raw = np.random.default_rng(0).integers(0, 255, (height, width, 4), np.uint8)
    shown = display.orient(raw, orientation)
    x = data.draw(st.integers(0, shown.shape[1] - 1))
    y = data.draw(st.integers(0, shown.shape[0] - 1))
    w = data.draw(st.integers(1, shown.shape[1] - x))
    h = data.draw(st.integers(1, shown.shape[0] - y))
    sx, sy, sw, sh = display.stored_rect((x, y, w, h), width, height, orientation)
    assert (display.orient(raw[sy : sy + sh, sx : sx + sw], orientation) == shown[y : y + h, x : x + w]).all()


def test_the_levels_of_a_pyramid() -> None:
    pixels = np.zeros((1000, 3000, 4), np.uint8)
    levels = pyramid.build(pixels)
    assert [level.shape[:2] for level in levels.levels] == [
        (1000, 3000),
        (500, 1500),
        (250, 750),
        (125, 375),
        (62, 187),
    ]
    assert levels.levels[0] is pixels
    assert [levels.level_for(zoom) for zoom in (2.0, 1.0, 0.6, 0.5, 0.26, 0.25, 0.01)] == [0, 0, 0, 1, 1, 2, 4]
    assert pyramid.build(np.zeros((1, 5000, 4), np.uint8)).levels[-1].shape == (1, 156, 4)


def test_a_snapshot_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"x\.png cannot be written"):
        save_png(np.zeros((2, 2, 4), np.uint8), tmp_path / "no" / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_reading_a_header_decodes_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "p.jpg", scene(200, 100), "JPEG", 6)
    seen = header.read_header(path)
    assert (seen.width, seen.height, seen.displayed, seen.format) == (100, 200, (200, 100), "jpeg")


def test_a_pipe_and_a_device_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    (tmp_path / "zero.png").symlink_to("/dev/zero")
    for name in ("pipe.png", "zero.png"):
        for look in (load_full, probe):
            with pytest.raises(WorldError, match=rf"{name} is a device or a pipe"):
                look(tmp_path / name)


def test_a_folder_and_a_forbidden_file_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="is a folder"):
        load_full(tmp_path)
    (tmp_path / "loop.png").symlink_to("loop.png")
    with pytest.raises(WorldError, match=r"loop\.png cannot be read"):
        load_full(tmp_path / "loop.png")
