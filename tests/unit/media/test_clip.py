"""Seeks on clips made here: open groups of pictures, containers without times, stretched pixels, damage, cancelling."""

from __future__ import annotations

import gc
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.media import clip as clip_module
from annotator.media.clip import Clip, as_time
from annotator.media.packets import PacketIndex
from annotator.media.probe import probe
from annotator.media.reader import Reader
from tests.unit.media.clips import make_clip, numbered, read_number

X264_OPEN = "open-gop=1:keyint=12:min-keyint=12:scenecut=0:bframes=3:b-pyramid=2"
X265_OPEN = "open-gop=1:keyint=12:min-keyint=12:scenecut=0:bframes=3:log-level=none"

Maker = Callable[[Path], Path]


def h264(path: Path, count: int = 60, **options: object) -> Path:
    return make_clip(path, count, "libx264", options={"x264-params": X264_OPEN, "crf": "20"}, **options)  # type: ignore[arg-type]


MAKERS: dict[str, Maker] = {
    "h264-open-gop-mp4": lambda folder: h264(folder / "open.mp4"),
    "h264-open-gop-mkv": lambda folder: h264(folder / "open.mkv"),
    "h264-open-gop-ts": lambda folder: h264(folder / "open.ts"),
    "h264-fragmented": lambda folder: h264(
        folder / "frag.mp4", container_options={"movflags": "frag_keyframe+empty_moov"}
    ),
    "hevc-open-gop": lambda folder: make_clip(
        folder / "open.mp4", 60, "libx265", options={"x265-params": X265_OPEN, "crf": "18"}
    ),
    "hevc-10-bit": lambda folder: make_clip(
        folder / "ten.mkv", 40, "libx265", pix_fmt="yuv420p10le", options={"x265-params": X265_OPEN, "crf": "18"}
    ),
    "h264-b-frames-avi": lambda folder: make_clip(
        folder / "b.avi", 60, "libx264", options={"x264-params": "keyint=12:bframes=3:scenecut=0", "crf": "20"}
    ),
    "mpeg4-b-frames-avi": lambda folder: make_clip(
        folder / "asp.avi", 60, "mpeg4", options={"bf": "2", "g": "12", "qscale": "3", "flags": "+qscale"}
    ),
    "h264-elementary-stream": lambda folder: h264(folder / "raw.h264"),
    "mpeg2-ts": lambda folder: make_clip(
        folder / "m2.ts", 50, "mpeg2video", fps=25, options={"bf": "2", "g": "12", "qscale": "2", "flags": "+qscale"}
    ),
    "h264-variable-rate": lambda folder: make_clip(
        folder / "vfr.mp4",
        40,
        "libx264",
        pts=[n + (n // 7) * 3 + (n % 3 == 2) * 0 for n in range(40)],
        options={"x264-params": X264_OPEN, "crf": "20"},
    ),
    "vp9-webm": lambda folder: make_clip(
        folder / "v.webm", 40, "libvpx-vp9", options={"crf": "20", "b": "0", "g": "15", "cpu-used": "8"}
    ),
}


@pytest.fixture(scope="module", params=sorted(MAKERS))
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return MAKERS[request.param](tmp_path_factory.mktemp("made"))


def test_no_seek_shows_a_wrong_frame(made: Path) -> None:
    order = random.Random(11)
    with Clip(made) as clip:
        truth = [read_number(clip.frame(i).pixels) for i in range(len(clip))]
        assert truth == list(range(len(clip))) and len(clip) in (40, 50, 60)
        for _ in range(60):
            index = order.randrange(len(clip))
            frame = clip.frame(index)
            assert (read_number(frame.pixels), frame.index, frame.exact, frame.damaged) == (index, index, True, False)
        assert [read_number(clip.frame(i).pixels) for i in reversed(range(len(clip)))] == truth[::-1]


def test_no_cold_seek_shows_a_wrong_frame(made: Path) -> None:
    with Clip(made) as clip:
        index, count = clip.packet_index, len(clip)
    for number in random.Random(5).sample(range(count), 6):
        with Clip(made, index=index) as cold:
            assert read_number(cold.frame(number).pixels) == number


def test_previews_of_any_moment_are_frames_of_the_clip(made: Path) -> None:
    with Clip(made) as clip:
        for i, t in enumerate(clip.times):
            preview = clip.preview_at(t)
            assert read_number(preview.pixels) == preview.index
            assert preview.exact == (preview.index == i)


def test_the_skipping_of_frames_is_really_used_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_clip(
        tmp_path / "long.mp4", 60, "libx264", options={"x264-params": "keyint=60:bframes=3:scenecut=0", "crf": "20"}
    )
    seen: list[int] = []
    real = Reader.run_to

    def counting(self: Reader, *args: object, **kwargs: object) -> object:
        for frame, clean in real(self, *args, **kwargs):  # type: ignore[arg-type]
            seen.append(frame.pts or 0)
            yield frame, clean

    with Clip(path) as clip:
        monkeypatch.setattr(Reader, "run_to", counting)
        assert read_number(clip.frame(50).pixels) == 50
        assert len(seen) < 40


@pytest.mark.parametrize(
    ("given", "meant"),
    [(0.3, Fraction(3, 10)), (1, Fraction(1)), (Fraction(1, 30), Fraction(1, 30)), ("2.5", Fraction(5, 2))],
)
def test_a_float_means_the_decimal_it_prints_as(given: float | int | Fraction | str, meant: Fraction) -> None:
    assert as_time(given) == meant


def test_stretched_pixels_are_shown_square(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "wide.mkv", 5, "libx264", options={"crf": "15"}, aspect=Fraction(4, 3))
    with Clip(path) as clip:
        assert (clip.width, clip.height) == (256, 112)
        frame = clip.frame(3)
        assert frame.pixels.shape == (112, 256, 4) and frame.exact
    seen = probe(path)
    assert (seen.width, seen.height) == (256, 112)


def test_untagged_hd_is_read_as_bt709_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "hd.mkv"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=10)
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv444p"
        frame = av.VideoFrame(1280, 720, "yuv444p")
        for plane, value in zip(frame.planes, (150, 90, 180), strict=True):
            plane.update(bytes([value]) * plane.buffer_size)
        frame.pts = 0
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with Clip(path) as clip:
        blue, green, red = (int(v) for v in clip.frame(0).pixels[10, 10, :3])
        assert abs(red - 249) <= 3 and abs(green - 136) <= 3 and abs(blue - 76) <= 3
        assert "BT.709" in clip.colour


def test_a_clip_cut_inside_its_last_packet_gives_the_nearest_earlier_frame(tmp_path: Path) -> None:
    path = h264(tmp_path / "front.mp4", container_options={"movflags": "faststart"})
    whole = path.read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: int(len(whole) * 0.7)])
    with Clip(cut) as clip:
        last = clip.frame(len(clip) - 1)
        assert read_number(last.pixels) == last.index
        assert clip.damaged and "incomplete" in clip.why and "cut.mp4" in clip.why
        for i in range(len(clip)):
            frame = clip.frame(i)
            assert frame.exact == (frame.index == i) and frame.index <= i
            assert frame.exact or (frame.damaged and "is shown in its place" in frame.why)
            if not frame.damaged:
                assert read_number(frame.pixels) == i


def test_a_frame_whose_data_is_gone_is_replaced_by_the_one_before_and_later_ones_keep_their_time(
    tmp_path: Path,
) -> None:
    path = make_clip(
        tmp_path / "hole.mkv", 40, "libx264", options={"x264-params": "keyint=10:bframes=0:scenecut=0", "crf": "20"}
    )
    with av.open(str(path)) as container:
        packets = [(p.pos, p.size) for p in container.demux(video=0) if p.size]
    data = bytearray(path.read_bytes())
    position, size = packets[20]
    begin = data.find(b"", position)
    data[begin + 12 : begin + size] = b"\xff" * (size - 12)
    broken = tmp_path / "broken.mkv"
    broken.write_bytes(bytes(data))
    with Clip(broken) as clip:
        assert len(clip) == 40
        frame = clip.frame(22)
        assert frame.damaged and frame.why and "broken.mkv" in frame.why
        for good in (0, 19, 30, 39):
            kept = clip.frame(good)
            assert (read_number(kept.pixels), kept.exact, kept.damaged) == (good, True, False)
        assert set(clip.damaged_frames()) <= set(range(20, 30)) and clip.damaged_frames()


def test_cancelling_stops_the_way_to_a_frame(tmp_path: Path) -> None:
    path = h264(tmp_path / "c.mp4")
    token = CancelToken()
    token.cancel()
    with Clip(path) as clip:
        with pytest.raises(Cancelled):
            clip.frame(40, token)
        assert read_number(clip.frame(40).pixels) == 40


def test_cancelling_stops_the_indexing(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "many.mkv", 300, "mpeg2video", fps=25, options={"g": "12"}, size=(192, 112))
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        Clip(path, token)


def test_steps_backward_come_from_the_window(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_clip(
        tmp_path / "gop.mp4", 60, "libx264", options={"x264-params": "keyint=60:bframes=2:scenecut=0", "crf": "20"}
    )
    with Clip(path) as clip:
        clip.frame(50)
        clip.frame(49)
        clip.frame(48)
        runs: list[int] = []
        real = Reader.run_to

        def counting(self: Reader, packet: int, *args: object, **kwargs: object) -> object:
            runs.append(packet)
            return real(self, packet, *args, **kwargs)  # type: ignore[arg-type]

        monkeypatch.setattr(Reader, "run_to", counting)
        assert [read_number(clip.frame(i).pixels) for i in range(47, 20, -1)] == list(range(47, 20, -1))
        assert runs == []


def test_the_window_stays_within_its_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_module, "WINDOW_BYTES", 10 * 192 * 112 * 3 // 2)
    with Clip(h264(tmp_path / "w.mp4")) as clip:
        for i in range(len(clip)):
            clip.frame(i)
        held = sum(plane.buffer_size for frame, _ in clip._window.values() for plane in frame.planes)
        assert held <= 12 * 192 * 112 * 3 // 2


def test_a_name_that_looks_like_an_address_is_a_name(tmp_path: Path) -> None:
    path = make_clip(tmp_path / "concat:a|b %03d?.mp4", 5, "libx264", options={"crf": "20"})
    with Clip(path) as clip:
        assert read_number(clip.frame(4).pixels) == 4


def test_a_name_that_is_not_text_opens(tmp_path: Path) -> None:
    plain = make_clip(tmp_path / "plain.mp4", 5, "libx264", options={"crf": "20"})
    odd = str(tmp_path) + "/bad_\udcff\udcfe.mp4"
    Path(odd).write_bytes(plain.read_bytes())
    with Clip(odd) as clip:
        assert read_number(clip.frame(4).pixels) == 4


def test_a_missing_clip_and_a_text_file_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"gone\.mp4 is not there"):
        Clip(tmp_path / "gone.mp4")
    text = tmp_path / "notes.mp4"
    text.write_text("not a video at all\n" * 100)
    with pytest.raises(WorldError, match=r"notes\.mp4"):
        Clip(text)


def test_asking_beyond_the_frames_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with Clip(h264(tmp_path / "e.mp4")) as clip, pytest.raises(IndexError):
        clip.frame(60)


def test_an_index_is_used_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = h264(tmp_path / "i.mp4")
    with Clip(path) as clip:
        index = clip.packet_index
    assert isinstance(index, PacketIndex)

    def never(*_: object) -> PacketIndex:
        raise AssertionError("indexed again")

    monkeypatch.setattr(clip_module, "build_index", never)
    with Clip(path, index=index) as again:
        assert read_number(again.frame(33).pixels) == 33


def test_the_numbers_of_the_test_clips_read_back() -> None:
    assert [read_number(numbered(n)) for n in (0, 1, 2047, 4095)] == [0, 1, 2047, 4095]


MATRICES = [(1, 0, 0, 1), (-1, 0, 0, -1), (0, 1, -1, 0), (0, -1, 1, 0), (-1, 0, 0, 1), (1, 0, 0, -1), (0, 1, 1, 0),
            (0, -1, -1, 0)]  # fmt: skip


@pytest.mark.parametrize("signs", MATRICES)
def test_each_display_matrix_turns_and_mirrors_as_it_says(tmp_path: Path, signs: tuple[int, int, int, int]) -> None:
    path = make_clip(tmp_path / "m.mp4", 3, "libx264", options={"crf": "12"})
    with Clip(path) as clip:
        stored = clip.frame(1).pixels
    a, b, c, d = signs
    data = bytearray(path.read_bytes())
    at = data.find(b"tkhd") + 4 + 40
    struct.pack_into(">9i", data, at, a << 16, b << 16, 0, c << 16, d << 16, 0, 0, 0, 1 << 30)
    path.write_bytes(bytes(data))
    with Clip(path) as clip:
        shown = clip.frame(1).pixels
        assert (clip.width, clip.height) == (shown.shape[1], shown.shape[0])
    height, width = stored.shape[:2]
    for x, y in ((3, 5), (100, 20), (190, 110), (7, 90)):
        # across = a x + c y, down = b x + d y; what falls below zero is shifted back into the picture.
        across, down = a * x + c * y, b * x + d * y
        across += (width if a < 0 else height if c < 0 else 0) - (1 if a < 0 or c < 0 else 0)
        down += (width if b < 0 else height if d < 0 else 0) - (1 if b < 0 or d < 0 else 0)
        assert shown[down, across].tolist() == stored[y, x].tolist()


def test_a_frame_with_a_colour_profile_does_not_crash_the_collector(tmp_path: Path, media_root: Path) -> None:
    script = (
        "import gc, sys\n"
        "from annotator.media.clip import Clip\n"
        "with Clip(sys.argv[1]) as clip:\n"
        "    clip.frame(0)\n"
        "gc.collect()\n"
    )
    picture = media_root / "images" / "M19-bad-icc.png"
    done = subprocess.run([sys.executable, "-c", script, str(picture)], check=False, cwd=Path(__file__).parents[3])
    assert done.returncode == 0


def test_frames_that_are_held_stay_as_they_were(tmp_path: Path) -> None:
    for size in ((192, 112), (204, 112)):
        path = make_clip(tmp_path / f"{size[0]}.mp4", 12, "libx264", options={"crf": "20"}, size=size)
        clip = Clip(path)
        held = [clip.frame(i) for i in range(12)]
        clip.close()
        del clip
        gc.collect()
        assert [read_number(frame.pixels) for frame in held] == list(range(12))
        assert all(frame.pixels.flags.c_contiguous and int(frame.pixels[:, :, 3].min()) == 255 for frame in held)
