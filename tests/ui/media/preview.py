"""Draw the media panel in its states, both themes and languages, into PNG files, to be looked at.

python -m tests.ui.media.preview OUT_FOLDER
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QSize
from PySide6.QtWidgets import QApplication

from annotator.media.service import MediaService
from annotator.ui import density, i18n, theme
from annotator.ui.media_panel import MediaPanel
from annotator.workspace.views import ReviewView
from tests.ui.media import material


def settle(app: QApplication, seconds: float = 0.6) -> None:
    """Let pictures come home."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        app.processEvents()
        time.sleep(0.005)


def views(root: Path) -> dict[str, ReviewView]:
    """The dialogues to draw."""
    material.make_clip(root / "clips/street_walk.mp4", 134.6, 10, (960, 540), 50)
    for number in range(3):
        material.make_clip(root / f"clips/part_{number + 1}.mp4", 6 + 3 * number, 10, (640, 360))
    sizes = ((3300, 2500), (4000, 3000), (1600, 1200), (7952, 5304), (900, 1600), (4000, 3000))
    for number, (width, height) in enumerate(sizes):
        material.make_picture(root / f"images/image_{number + 1:02d}.jpg", width, height, number)
    sound = material.found(root, "audio/q.wav", "audio")
    material.make_sound(root / "audio/q.wav")
    times = ("00:03.0", "00:13.6", "00:24.4", "35.4-47", "00:58.2", "01:12", "01:26", "01:44", "02:02.5")
    street = material.found(root, "clips/street_walk.mp4")
    parts = [[material.found(root, f"clips/part_{k + 1}.mp4")] for k in range(3)]
    images = [[material.found(root, f"images/image_{k + 1:02d}.jpg", "image")] for k in range(6)]
    bad = [
        [material.broken("missing", "clips/0415_07_model-b_cut.mp4")],
        [material.broken("url", "https://media.example.org/clip_2.mp4")],
        [material.broken("refused", "../../other/clip_3.mp4")],
        [],
    ]
    return {
        "video": material.review("video", [[street]] * 9, times, [sound] * 9, scores=3),
        "clips": material.review("video", [*parts, [parts[2][0]], []], ("1", "2", "3", "soon", ""), [sound], scores=1),
        "images": material.review("image", images, (), [sound], scores=4),
        "bad": material.review("video", bad, ("1", "2", "3", "4")),
    }


def main(out: Path) -> None:
    """Draw everything."""
    out.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    with tempfile.TemporaryDirectory() as folder, MediaService() as service:
        made = views(Path(folder))
        for name, size, window in (
            ("small", QSize(590, 628), QSize(1366, 768)),
            ("normal", QSize(741, 754), QSize(1600, 1000)),
        ):
            for look, language in (("light", "zh_CN"), ("dark", "en")):
                i18n.set_language(language)
                theme.set_theme(app, look)
                density.update_for(window)
                panel = MediaPanel(lambda: service)
                panel.resize(size)
                panel.show()
                for key, turn in (
                    ("video", 3),
                    ("clips", 1),
                    ("images", 2),
                    ("images", None),
                    ("video", None),
                    *(("bad", k) for k in range(4)),
                ):
                    panel.show_review(made[key])
                    panel.show_turn(turn)
                    settle(app, 1.2 if key == "video" else 0.7)
                    panel.grab().save(str(out / f"{name}-{look}-{key}-{'session' if turn is None else turn}.png"))
                panel.show_review(made["images"])
                panel.show_turn(3)
                settle(app, 1.0)
                panel.handle("navigator")
                panel.stage.fill()
                panel.stage._pointer = QPointF(180, 200)
                panel.hold("loupe", True)
                settle(app, 0.3)
                panel.grab().save(str(out / f"{name}-{look}-loupe.png"))
                panel.close_media()
                panel.close()
                panel.deleteLater()
                app.processEvents()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
