"""The panel over the real media engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.media.service import MediaService
from annotator.sample.counter import read_counter
from annotator.ui import density, i18n, theme
from annotator.ui.media_panel import MediaPanel
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import own, pictures, shared

MakePanel = Callable[[object], MediaPanel]


def counter(panel: MediaPanel) -> int:
    """The frame number burnt into what is on the stage."""
    assert panel.stage.picture is not None
    image = panel.stage.picture.native_image()
    assert image is not None
    shape = (image.height(), image.bytesPerLine() // 4, 4)
    return read_counter(np.frombuffer(image.constBits(), np.uint8).reshape(shape)[:, : image.width()])


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return material.make_clip(tmp_path_factory.mktemp("clips") / "clips" / "walk.mp4", seconds=6, fps=10)


def shown(panel: MediaPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)


def test_a_turn_opens_at_the_exact_frame_of_its_end(
    make_panel: MakePanel, service: MediaService, clip: Path, qtbot: QtBot
) -> None:
    panel = make_panel(service)
    asset = material.found(clip.parent.parent, "clips/walk.mp4")
    times = ("0.55", "1.2-2.0", "00:03", "4.44", "99")
    panel.show_review(material.review("video", [[asset]] * 5, times))
    for turn, frame in enumerate((5, 20, 30, 44, 59)):
        panel.show_turn(turn)
        shown(panel, qtbot)
        assert (counter(panel), panel.session.index) == (frame, frame)
    panel.show_turn(1)
    shown(panel, qtbot)
    for action, frame in (("segment_start", 5), ("frame_forward", 6), ("second_forward", 16), ("segment_end", 20)):
        panel.handle(action)
        qtbot.waitUntil(lambda frame=frame: panel.session.index == frame, timeout=5000)
        assert counter(panel) == frame


def test_clips_of_their_own_open_at_their_last_frame(
    make_panel: MakePanel, service: MediaService, clip: Path, qtbot: QtBot
) -> None:
    panel = make_panel(service)
    panel.show_review(material.review("video", [[material.found(clip.parent, "walk.mp4")], []], ("1", "2")))
    panel.show_turn(0)
    shown(panel, qtbot)
    assert counter(panel) == 59 and panel.session.at == Fraction(59, 10)


def test_a_picture_is_shown_sharp_and_its_pixels_are_told(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "p.png", 1200, 900, 3)
    array = material.picture_pixels(1200, 900, 3)
    panel = make_panel(service)
    panel.show_review(material.review("image", [[material.found(tmp_path, "p.png", "image")]]))
    panel.show_turn(0)
    shown(panel, qtbot)
    told: list[tuple[int, int, Any]] = []
    panel.pixel.connect(lambda x, y, colour: told.append((x, y, colour)))
    panel.handle("actual_size")
    qtbot.mouseMove(panel.stage, panel.stage.rect().center())
    x, y, colour = told[-1]
    assert (colour.blue(), colour.green(), colour.red()) == tuple(array[y, x])
    qtbot.waitUntil(lambda: panel.viewing(0)["seen_full"] > 0.1)
    assert panel.viewing(0)["opened"] == 1.0


def test_the_status_bar_hears_the_zoom(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    said: list[str] = []
    panel.zoom_changed.connect(said.append)
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    assert said[-1].startswith("fit ")
    for action, text in (
        ("actual_size", "100 %"),
        ("double_size", "200 %"),
        ("zoom_in", "300 %"),
        ("zoom_out", "200 %"),
    ):
        panel.handle(action)
        assert said[-1] == text
    panel.handle("fit")
    i18n.set_language("zh_CN")
    assert said[-1].startswith("适应 ")


@pytest.mark.parametrize(
    ("asset", "title", "why"),
    [
        (None, "No evidence with this turn", "The dataset names no picture or clip here."),
        (
            material.broken("missing", "runs/Model_B/v1/clip.mp4"),
            "Clip not found",
            "runs/•••/v1/clip.mp4 is not in a data folder. Add the folder that holds it, then import again.",
        ),
        (
            material.broken("refused", "../x.png", "image"),
            "Path refused",
            "../x.png leads out of the data folder, so it is not opened.",
        ),
        (material.broken("url", "https://a.example/x.png", "image"), "Remote address, not fetched", "https://a.example/x.png"),
    ],
)  # fmt: skip
def test_where_there_is_no_picture_a_sentence_says_why(
    make_panel: MakePanel, fake: FakeService, asset: Any, title: str, why: str
) -> None:
    panel = make_panel(fake)
    panel.show_review(material.review("video", [[asset] if asset else []], ("1",)))
    panel.show_turn(0)
    assert panel.stage.picture is None and panel.stage.state is not None
    assert panel.stage.state.texts()[:2] == (title, why)
    assert not fake.asked, "nothing is fetched for it"
    assert panel.stage._sentences[0].isVisible()


def test_a_stop_beyond_the_gate_shows_a_lock_where_nothing_else_is_shown(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    view = material.review("image", [[], [material.found(tmp_path, "b.png", "image")]])
    panel.show_review(view)
    panel.show_turn(0)
    wanted: list[Any] = []
    panel.peek_wanted.connect(wanted.append)
    assert not panel.session.go(0)
    assert panel.stage.state is not None and panel.stage.state.locked and panel.stage._sentences[1].isVisible()
    panel.stage.activated.emit()
    assert wanted == [{"turn": 0, "stop": 0, "at": None}]
    panel.open_peek()
    assert panel.stage.picture is not None


def test_a_damaged_picture_is_shown_and_marked(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    whole = material.make_picture(tmp_path / "w.jpg", 800, 600).read_bytes()
    (tmp_path / "d.jpg").write_bytes(whole[: len(whole) * 2 // 3])
    panel = make_panel(service)
    panel.show_review(material.review("image", [[material.found(tmp_path, "d.jpg", "image")]]))
    panel.show_turn(0)
    shown(panel, qtbot)
    qtbot.waitUntil(lambda: panel.tools._damaged.isVisible(), timeout=3000)
    assert panel.tools._damaged.toolTip()


def test_a_file_that_is_no_picture_says_so(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    (tmp_path / "n.png").write_bytes(b"this is no picture at all, whatever its name says")
    panel = make_panel(service)
    panel.show_review(material.review("image", [[material.found(tmp_path, "n.png", "image")]]))
    panel.show_turn(0)
    qtbot.waitUntil(lambda: panel.stage.state is not None, timeout=3000)
    assert panel.stage.state is not None and panel.stage.state.why == "failed" and "n.png" in panel.stage.state.name
    i18n.set_language("zh_CN")
    assert panel.stage.state.texts()[1] == "n.png 不是媒体文件，可能下载出错，请重新获取。"


def test_the_next_items_first_picture_is_prepared(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "a.png", 900, 700)
    material.make_picture(tmp_path / "b.png", 900, 700, 5)
    panel = make_panel(service)
    panel.show_review(material.review("image", [[material.found(tmp_path, "a.png", "image")]]))
    panel.show_turn(0)
    shown(panel, qtbot)
    after = material.review("image", [[material.found(tmp_path, "b.png", "image")]], item="dialogue:ff")
    panel.prefetch(after)
    box = panel.loader._box()
    qtbot.waitUntil(lambda: service.peek_preview(tmp_path / "b.png", *box) is not None, timeout=3000)
    panel.show_review(after)
    panel.show_turn(0)
    assert panel.stage.picture is not None, "there at once, without an event loop"


def test_the_stage_changes_first_and_the_rest_follows(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    for name in ("a.png", "b.png"):
        material.make_picture(tmp_path / name, 300, 200)
    assets = [[material.found(tmp_path, name, "image")] for name in ("a.png", "b.png")]
    panel = make_panel(service)
    view = material.review("image", assets)
    panel.show_review(view)
    panel.show_turn(0)
    shown(panel, qtbot)
    scene, opened = panel.timeline.scene, []
    panel.turn_opened.connect(lambda: opened.append(True))
    after = material.review("image", assets, item="dialogue:ff")
    panel.show_review(after, later=True)
    panel.show_turn(1, later=True)
    assert panel.timeline.scene is scene and not opened, "the strip still shows the dialogue before, shut as it was"
    qtbot.waitUntil(lambda: panel.stage.picture is not None)
    assert panel.session.gate.turn == 1 and panel.timeline.scene is scene
    panel.refresh(after)
    assert panel.timeline.scene is not scene and panel.timeline.scene is not None and panel.timeline.scene.current == 1
    assert len(opened) == 1 and "b.png" in panel.tools._note.text()
    panel.refresh(after)
    assert len(opened) == 2, "later it means other labels, as before"


def test_nothing_is_done_on_the_gui_thread_while_a_picture_is_decoded(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotator.media import pictures as engine

    threads: list[str] = []
    before = engine.load_full
    monkeypatch.setattr(
        engine, "load_full", lambda *a, **b: (threads.append(threading.current_thread().name), before(*a, **b))[1]
    )
    material.make_picture(tmp_path / "a.png", 900, 700)
    panel = make_panel(service)
    panel.show_review(material.review("image", [[material.found(tmp_path, "a.png", "image")]]))
    panel.show_turn(0)
    shown(panel, qtbot)
    assert threads and all(name.startswith("media-") for name in threads)


def test_labels_change_sparks_and_nothing_else(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    clip = material.found(tmp_path, "a.mp4")
    panel.show_review(material.review("video", [[clip]] * 3, ("1", "2", "3")))
    panel.show_turn(1)
    place, count = panel.session.at, len(fake.asked)
    panel.refresh(material.review("video", [[clip]] * 3, ("1", "2", "3"), scores=2))
    assert panel.session.at == place and len(fake.of("frame", "facts")) <= count
    assert panel.timeline.scene is not None and panel.timeline.scene.marks[1].scores[0] is not None


def test_theme_and_language_switch_live(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qapp: QApplication
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    light = panel.grab().toImage()
    theme.set_theme(qapp, "dark")
    dark = panel.grab().toImage()
    strip = panel.timeline.geometry()
    assert light.pixelColor(strip.left() + 3, strip.bottom() - 3) == theme.tables()["light"]["panel"]
    assert dark.pixelColor(strip.left() + 3, strip.bottom() - 3) == theme.tables()["dark"]["panel"]
    i18n.set_language("zh_CN")
    assert panel.tools._note.text() == "第 3 轮 · a.mp4"
    assert panel.transport._peek.text() == "偷看之后的画面会记录"
    assert panel.timeline.accessibleName() == "证据时间线" and panel.stage.accessibleName() == "本轮画面"


@pytest.mark.parametrize("size", [QSize(1366, 768), QSize(1600, 1000), QSize(2560, 1440)])
def test_nothing_is_cut_in_any_size(make_panel: MakePanel, fake: FakeService, tmp_path: Path, size: QSize) -> None:
    density.update_for(size)
    panel = make_panel(fake)
    panel.resize({1366: 590, 1600: 741, 2560: 1400}[size.width()], size.height() - 140)
    for language in i18n.LANGUAGES:
        i18n.set_language(language)
        for make in (shared, pictures):
            panel.show_review(make(tmp_path))
            panel.show_turn(1)
            panel.grab()
            for bar in (panel.tools, panel.transport):
                assert bar.minimumSizeHint().width() <= panel.width()
            assert panel.minimumSizeHint().width() <= panel.width()
            assert panel.timeline.geometry().bottom() == panel.height() - 1


def test_viewing_facts_are_told_when_the_turn_is_left(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    told: list[dict[str, Any]] = []
    panel.shown.connect(told.append)
    panel.show_review(own(tmp_path))
    panel.show_turn(0)
    panel.show_turn(1)
    assert told[-1]["turn"] == 0 and told[-1]["opened"] == 1.0 and 0 < told[-1]["played"] < 0.02


class TestSound:
    def test_the_question_is_decoded_and_played(
        self,
        make_panel: MakePanel,
        service: MediaService,
        tmp_path: Path,
        qtbot: QtBot,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        material.make_sound(tmp_path / "q.wav", 0.25)
        panel = make_panel(service)
        played: list[tuple[Any, int]] = []
        monkeypatch.setattr(panel.sound.player, "play", lambda pcm, rate: played.append((pcm, rate)))
        audio = material.found(tmp_path, "q.wav", "audio")
        panel.show_review(material.review("image", [[]], audio=[audio]))
        panel.show_turn(0)
        assert panel.transport._audio.isVisible()
        qtbot.mouseClick(panel.transport._audio, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(played), timeout=3000)
        pcm, rate = played[0]
        assert pcm.dtype == np.int16 and abs(pcm.shape[0] / rate - 0.25) < 0.01

    def test_without_a_device_it_says_so(self, make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
        panel = make_panel(fake)
        said: list[str] = []
        panel.message.connect(lambda _kind, text: said.append(text))
        audio = material.found(tmp_path, "q.wav", "audio")
        panel.show_review(material.review("image", [[]], audio=[audio]))
        panel.show_turn(0)
        panel.play_audio()
        assert said[-1].startswith("No sound device here")
        assert not panel.sound.on

    def test_a_missing_sound_is_named(self, make_panel: MakePanel, fake: FakeService) -> None:
        panel = make_panel(fake)
        said: list[str] = []
        panel.message.connect(lambda _kind, text: said.append(text))
        panel.show_review(
            material.review("image", [[], []], audio=[material.broken("missing", "tts/model-b/q.wav", "audio")])
        )
        panel.show_turn(0)
        panel.play_audio()
        assert said[-1] == "The sound of the question, tts/•••/q.wav, is not in a data folder."
        panel.show_turn(1)
        assert not panel.transport._audio.isVisible()
        panel.play_audio()
        assert said[-1] == "This turn has no spoken question."


def test_actions_that_are_not_ours_are_left_alone(make_panel: MakePanel, fake: FakeService) -> None:
    panel = make_panel(fake)
    assert not panel.handle("score_1") and not panel.hold("score_1", True)
    assert panel.handle("fit") and panel.hold("pan", True) and panel.hold("pan", False)


def test_a_peek_where_nothing_is_shut_is_answered(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    said: list[str] = []
    panel.message.connect(lambda _kind, text: said.append(text))
    panel.show_review(own(tmp_path))
    panel.show_turn(3)
    panel.handle("peek")
    assert said == ["Nothing is locked here: this turn sees everything."]
