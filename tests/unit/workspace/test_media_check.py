"""Every file decoded once: what fails is listed with its dialogues, what is damaged told, and it can be stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.workspace.assets import AssetBook
from annotator.workspace.checking import check_workspace
from annotator.workspace.media_check import check_media
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import bring, video, workspace, write
from tests.ui.media.material import make_clip, make_sound


def made(folder: Path) -> Path:
    """A dialogue of two clips, the second cut in the middle, and one with a picture, a sound and what is no media."""
    root = folder / "root"
    make_clip(root / "clips/0.mp4", 2)
    whole = make_clip(root / "clips/1.mp4", 3, size=(640, 360)).read_bytes()
    (root / "clips/1.mp4").write_bytes(whole[: len(whole) * 2 // 3])
    second = video("d2", 1)
    answer = second["stream_conversation"]["conversations"][1]
    answer |= {"clip_path": "notes.mp4", "gpt_frame_paths": ["frames/a.png"], "user_tts_path": "q.wav"}
    (root / "notes.mp4").write_bytes(b"this is no film at all" * 50)
    (root / "frames").mkdir()
    cv2.imwrite(str(root / "frames/a.png"), np.zeros((20, 30, 3), np.uint8))
    make_sound(root / "q.wav")
    return write(root / "d.json", [video("d1"), second])


def test_what_would_fail_is_listed_with_its_dialogues(tmp_path: Path) -> None:
    source = made(tmp_path)
    with workspace(tmp_path) as store:
        bring(store, source, source.parent)
        steps: list[tuple[int, int]] = []
        found = check_media(store, progress=lambda done, total: steps.append((done, total)))
        assert found["files"] == 5 and steps[-1] == (5, 5)
        bad = {Path(e["path"]).name: e for e in [*found["faults"], *found["damaged"]]}
        assert set(bad) == {"1.mp4", "notes.mp4"}
        assert bad["notes.mp4"]["items"] == ["d2"] and "notes.mp4" in bad["notes.mp4"]["why"]
        assert found["ok"] == 3 and found["frames"] >= 21
        whole = check_workspace(store, media=True)
        assert not whole["ok"] and whole["media"] == found
        assert any("notes.mp4" in sentence for sentence in whole["problems"])


def test_a_frame_in_the_middle_that_cannot_be_decoded_is_found(tmp_path: Path) -> None:
    source = made(tmp_path)
    clip = tmp_path / "root/clips/0.mp4"
    data = bytearray(clip.read_bytes())
    start = data.find(b"mdat") + 4
    middle = start + (len(data) - start) // 2
    data[middle : middle + 400] = bytes(400)
    clip.write_bytes(bytes(data))
    with workspace(tmp_path) as store:
        bring(store, source, source.parent)
        found = check_media(store)
        entry = next(e for e in [*found["damaged"], *found["faults"]] if e["path"].endswith("0.mp4"))
        assert "0.mp4" in entry["why"] and entry["items"] == ["d1"]


def test_what_is_taken_down_is_not_opened_and_a_bound_copy_is_compared(tmp_path: Path) -> None:
    source = made(tmp_path)
    copy = make_clip(tmp_path / "copy.mp4", 1)
    entries: list[dict[str, Any]] = [
        {"path": "notes.mp4", "source": "s", "terms": "t", "takedown": True},
        {"path": "clips/0.mp4", "source": "s", "terms": "t", "release_form": "reference"},
    ]
    (tmp_path / "root/clips/0.mp4").unlink()
    with workspace(tmp_path) as store:
        bring(store, source, source.parent)
        bring(store, write(tmp_path / "m.json", entries))
        AssetBook(store).bind("clips/0.mp4", copy)
        found = Workspace(store).check_media()
        assert found["takedown"] == 1 and found["files"] == 4
        assert not any("notes.mp4" in e["path"] or "copy.mp4" in e["path"] for e in found["faults"])
        make_clip(copy, 2)
        faults = Workspace(store).check_media()["faults"]
        told = {Path(e["path"]).name: e["why"] for e in faults}
        assert "bind it again" in told["copy.mp4"]


def test_it_stops_when_told(tmp_path: Path) -> None:
    source = made(tmp_path)
    with workspace(tmp_path) as store:
        bring(store, source, source.parent)
        token = CancelToken()

        def stop(done: int, _total: int) -> None:
            if done == 1:
                token.cancel()

        with pytest.raises(Cancelled):
            check_media(store, token, stop)
