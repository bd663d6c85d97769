"""Sound of any container as samples; damage, gaps, waveforms."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import av
import numpy as np
import PIL.Image
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.media import sound
from annotator.media.clip import Clip
from annotator.media.probe import probe
from annotator.media.sound import Sound, decode_pcm, peaks
from tests.unit.media.clips import make_clip

RATE = 48_000


def tone(seconds: float, hertz: float = 440.0, rate: int = RATE, channels: int = 1) -> np.ndarray:
    wavelength = np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate) * 12_000
    return np.repeat(wavelength.astype(np.int16)[:, None], channels, axis=1)


def write_wav(path: Path, samples: np.ndarray, rate: int = RATE) -> Path:
    with wave.open(str(path), "wb") as out:
        out.setnchannels(samples.shape[1])
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.tobytes())
    return path


def encode(path: Path, samples: np.ndarray, codec: str, rate: int = RATE) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=rate, layout="mono" if samples.shape[1] == 1 else "stereo")
        for at in range(0, samples.shape[0], 1024):
            block = np.ascontiguousarray(samples[at : at + 1024]).reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(block, "s16", "mono" if samples.shape[1] == 1 else "stereo")
            frame.sample_rate, frame.pts = rate, at
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def pitch(heard: Sound) -> float:
    spectrum = np.abs(np.fft.rfft(heard.pcm[:, 0].astype(float)))
    return float(np.argmax(spectrum) * heard.rate / heard.pcm.shape[0])


def test_a_wav_comes_back_sample_by_sample(tmp_path: Path) -> None:
    samples = tone(0.5, channels=2)
    heard = decode_pcm(write_wav(tmp_path / "a.wav", samples))
    assert (heard.pcm == samples).all() and heard.pcm.dtype == np.int16 and heard.pcm.flags.c_contiguous
    assert (heard.rate, heard.damaged, heard.why, float(heard.duration)) == (RATE, False, "", 0.5)


@pytest.mark.parametrize(
    ("name", "codec"),
    [("a.mp3", "libmp3lame"), ("a.m4a", "aac"), ("a.ogg", "libopus"), ("a.opus", "libopus"), ("a.flac", "flac")],
)
def test_each_kind_keeps_length_and_pitch(tmp_path: Path, name: str, codec: str) -> None:
    heard = decode_pcm(encode(tmp_path / name, tone(1.0), codec))
    assert not heard.damaged, heard.why
    assert float(heard.duration) == pytest.approx(1.0, abs=0.08)
    assert pitch(heard) == pytest.approx(440, abs=3)
    assert heard.pcm.shape[1] == 1 and 6_000 < int(np.abs(heard.pcm).max()) < 20_000


def test_another_rate_is_resampled(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", tone(1.0, rate=16_000), 16_000)
    heard = decode_pcm(path, rate=44_100)
    assert heard.rate == 44_100 and float(heard.duration) == pytest.approx(1.0, abs=0.01)
    assert pitch(heard) == pytest.approx(440, abs=3)


def test_the_sound_track_of_a_clip(media_root: Path) -> None:
    heard = decode_pcm(media_root / "videos" / "M44-audiolonger.mp4")
    assert float(heard.duration) == pytest.approx(3.0, abs=0.1) and not heard.damaged
    seen = probe(media_root / "videos" / "M37-audio.mp4")
    assert (seen.kind, seen.codec, seen.width, seen.frames) == ("audio", "aac", None, None)
    assert seen.duration == pytest.approx(2.0, abs=0.1)


def test_a_cut_file_gives_what_can_be_heard_and_says_so(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "a.wav", tone(4.0))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    heard = decode_pcm(path)
    assert float(heard.duration) == pytest.approx(2.0, abs=0.05)
    assert heard.damaged and "a.wav is incomplete: 2.0 of 4.0 s can be heard" == heard.why


def test_a_garbled_file_is_marked_and_stays_in_step(tmp_path: Path) -> None:
    path = encode(tmp_path / "a.flac", tone(4.0), "flac")
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + len(data) // 20] = b"\x55" * (len(data) // 20)
    path.write_bytes(bytes(data))
    heard = decode_pcm(path)
    assert heard.damaged and "a.flac" in heard.why
    assert 3.0 < float(heard.duration) < 4.2


@pytest.mark.parametrize("content", [b"", b"<html><body>404</body></html>", b"nothing of sound " * 50])
def test_what_is_no_sound_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "voice.wav"
    path.write_bytes(content)
    with pytest.raises(WorldError, match=r"voice\.wav"):
        decode_pcm(path)


def test_a_silent_film_and_a_missing_file_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match=r"mute\.mp4 holds no sound"):
        decode_pcm(make_clip(tmp_path / "mute.mp4", 5, "libx264"))
    with pytest.raises(WorldError, match=r"gone\.wav is not there"):
        decode_pcm(tmp_path / "gone.wav")


def test_cancelling_stops_decoding(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        decode_pcm(write_wav(tmp_path / "a.wav", tone(1.0)), token=token)


def test_too_long_a_sound_is_cut_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_wav(tmp_path / "a.wav", tone(3.0))
    monkeypatch.setattr(sound, "MAX_SECONDS", 1)
    heard = decode_pcm(path)
    assert 1.0 <= float(heard.duration) < 2.0 and heard.damaged and "left out" in heard.why


def test_a_waveform_shows_the_extremes_of_each_stretch() -> None:
    pcm = np.zeros((1000, 2), np.int16)
    pcm[250, 0], pcm[750, 1] = 16384, -32768
    shape = peaks(Sound(pcm, RATE), 4)
    assert shape.dtype == np.float32 and shape.tolist() == [[0, 0], [0, 0.5], [0, 0], [-1, 0]]
    assert peaks(Sound(pcm[:3], RATE), 10).shape == (10, 2)
    with pytest.raises(ValueError, match="bucket"):
        peaks(Sound(pcm, RATE), 0)


def test_more_than_two_channels_are_mixed_down(tmp_path: Path) -> None:
    path = write_wav(tmp_path / "six.wav", tone(0.2, channels=6))
    assert decode_pcm(path).pcm.shape[1] == 2


def test_music_with_a_cover_is_sound_and_no_film(tmp_path: Path) -> None:
    path = encode(tmp_path / "song.mp3", tone(1.0), "libmp3lame")
    cover = io.BytesIO()
    PIL.Image.fromarray(np.full((64, 64, 3), 99, np.uint8)).save(cover, "JPEG")
    body = b"\0image/jpeg\0\3\0" + cover.getvalue()
    frame = b"APIC" + len(body).to_bytes(4, "big") + b"\0\0" + body
    size = len(frame)
    tag = b"ID3\3\0\0" + bytes((size >> shift) & 127 for shift in (21, 14, 7, 0)) + frame
    data = path.read_bytes()
    old = 10 + sum(byte << shift for byte, shift in zip(data[6:10], (21, 14, 7, 0), strict=True))
    path.write_bytes(tag + (data[old:] if data.startswith(b"ID3") else data))
    with av.open(str(path)) as container:
        assert len(container.streams.video) == 1
    seen = probe(path)
    assert (seen.kind, seen.width, seen.damaged) == ("audio", None, False)
    with pytest.raises(WorldError, match=r"song\.mp3 holds sound only, no picture"):
        Clip(path)
