"""The picture under the hand, 1920 x 1080 offscreen: the next picture, panning at any zoom, the loupe, playing.

Key or pointer to the end of the paint. Beside each: the naive way (a whole QPixmap scaled by the painter) on the same
picture, or the blit of as many pixels.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Row, quantile

STAGE = (1920, 1080)
PANS = 120
ZOOMS = (0.25, 0.37, 0.75, 1.0, 2.0, 4.0)


def run() -> list[Row]:
    """All rows, on two pictures of 42 megapixels and a film made for the purpose."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            os.environ[f"ANNOTATOR_{name}_DIR"] = str(Path(folder) / name.lower())
        import PIL.Image

        from annotator.app import make_application
        from annotator.ui import collector
        from tests.benchmarks import media_images, media_video

        app = make_application([])
        sys.setswitchinterval(0.001)  # as annotator.app.main does
        collector.start()
        root = Path(folder)
        image = PIL.Image.fromarray(media_images.scene())
        for name in ("a.jpg", "b.jpg"):
            image.save(root / name, quality=90)
        media_video.make(root / "hd.mp4")
        return [*pictures(app, root), *under_the_hand(app, root), *played(app, root)]


def paint_of(widget: Any) -> float:
    """Milliseconds of one paint of a widget."""
    start = time.perf_counter()
    widget.repaint()
    return 1000 * (time.perf_counter() - start)


def panel_on(root: Path, names: list[str], kind: str, make: Callable[[], Any]) -> Any:
    """A media panel with one turn for each file."""
    from annotator.ui.media_panel import MediaPanel
    from tests.ui.media import material

    role = "image" if kind == "image" else "clip"
    panel = MediaPanel(make)
    panel.resize(*STAGE)
    panel.show()
    panel.show_review(material.review(kind, [[material.found(root, name, role)] for name in names]))
    return panel


def wait(app: Any, done: Callable[[], bool], seconds: float = 60) -> None:
    """Run the event loop until something is so."""
    limit = time.monotonic() + seconds
    while not done():
        if time.monotonic() > limit:
            raise TimeoutError("the panel did not answer")
        app.processEvents()
        if not done():
            time.sleep(0.0002)


# ------------------------------------------------------------------------------------------------------- the next one
def pictures(app: Any, root: Path) -> list[Row]:
    """A prepared neighbour, a cold picture with a preview on disk, and the memory of it all."""
    from PySide6.QtGui import QPixmap

    from annotator.media.service import MediaService

    disk = root / "disk"
    taken: dict[str, list[float]] = {"ready": [], "disk": [], "qt": []}
    for part in range(7):
        with MediaService(disk=disk) as service:
            panel = panel_on(root, ["a.jpg", "b.jpg"], "image", lambda service=service: service)
            app.processEvents()  # the window stands and is painted; what comes is a picture, not a window
            panel.grab()
            start = time.perf_counter()
            panel.show_turn(0)
            wait(app, lambda panel=panel: panel.stage.picture is not None)
            paint_of(panel.stage)
            if part:  # the first one had nothing on disk yet
                taken["disk"].append(1000 * (time.perf_counter() - start))
            panel.show_turn(1)
            wait(app, lambda panel=panel, service=service: _native(panel) and not service.busy)
            for turn in (0, 1) * 4:
                start = time.perf_counter()
                panel.show_turn(turn)
                assert panel.stage.picture is not None and panel.stage.picture.native
                paint_of(panel.stage)
                taken["ready"].append(1000 * (time.perf_counter() - start))
                wait(app, lambda service=service: not service.busy)
            panel.close_media()
            panel.deleteLater()
        if part < 3:
            start = time.perf_counter()
            QPixmap(str(root / "a.jpg")).size()
            taken["qt"].append(1000 * (time.perf_counter() - start))
    beside = f"QPixmap loads the same in {statistics.median(taken['qt']):.0f} ms"
    return [
        Row("next 42 MP picture, prefetched, key to painted, p95", quantile(taken["ready"], 0.95), "ms", 8.0, beside,
            f"p50 {statistics.median(taken['ready']):.1f} ms of {len(taken['ready'])}",
            "It is painted from what was fitted beforehand; what is left is the strip and the bar, painted with it."),
        Row("42 MP picture, cold, with a preview on disk, key to painted", statistics.median(taken["disk"]), "ms", 16.0,
            beside, f"longest {max(taken['disk']):.1f} ms of {len(taken['disk'])}; its own pixels follow",
            "The preview takes a millisecond or two of it; what is left is the turn: bar, strip, texts and the paint."),
    ]  # fmt: skip


def _native(panel: Any) -> bool:
    picture = panel.stage.picture
    return picture is not None and picture.native


# ----------------------------------------------------------------------------------------------------- under the hand
def under_the_hand(app: Any, root: Path) -> list[Row]:
    """Panning and the loupe, over the pyramid."""
    from PySide6.QtCore import QPointF, QRectF
    from PySide6.QtGui import QImage, QPainter, QPixmap

    from annotator.media import pictures as engine
    from annotator.media import pyramid
    from annotator.ui.media_picture import ShownPicture
    from annotator.ui.mediaview import MediaView

    whole = engine.load_full(root / "a.jpg")
    stage = MediaView()
    stage.resize(*STAGE)
    stage.show()
    app.processEvents()
    stage.show_picture(ShownPicture(pyramid.build(whole).levels))
    naive = QPixmap(str(root / "a.jpg"))
    canvas = QImage(*STAGE, QImage.Format.Format_RGB32)
    taken, plain = [], []
    for zoom in ZOOMS:
        stage.zoom_to(zoom)
        for step in range(PANS // len(ZOOMS)):
            start = time.perf_counter()
            stage.viewport.look_at(QPointF(600 + 37 * step, 700 + 61 * step))
            stage._moving = True
            stage._changed()
            stage.repaint()
            taken.append(1000 * (time.perf_counter() - start))
            start = time.perf_counter()
            painter = QPainter(canvas)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(0, 0, *STAGE), naive, stage.viewport.visible())
            painter.end()
            plain.append(1000 * (time.perf_counter() - start))
    stage.zoom_to(0.25)
    stage._pointer = QPointF(900, 500)
    stage.set_loupe(True)
    app.processEvents()
    loupe = []
    for step in range(300):
        start = time.perf_counter()
        stage.loupe.point_at(QPointF(400 + 3 * step, 300 + step), stage.viewport)
        stage.loupe.repaint()
        loupe.append(1000 * (time.perf_counter() - start))
    stage.close()
    app.processEvents()
    return [
        Row(
            "pan at 25 to 400 %, 1920 x 1080, p95", quantile(taken, 0.95), "ms", 8.0,
            f"a whole QPixmap, scaled: p95 {quantile(plain, 0.95):.1f} ms",
            f"p50 {statistics.median(taken):.1f} ms; smooth again 70 ms after the hand rests",
        ),
        Row(
            "loupe follows the pointer, p99", quantile(loupe, 0.99), "ms", 2.0,
            f"whole stage, the naive way: {statistics.median(plain):.1f} ms", f"p50 {statistics.median(loupe):.2f} ms",
            "The worst of 300: the process is interrupted there, for the work itself is the same at every step.",
        ),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------------------- played
def played(app: Any, root: Path) -> list[Row]:
    """1080p30 with painting: which frames were left out."""
    from annotator.media.service import MediaService

    with MediaService() as service:
        panel = panel_on(root, ["hd.mp4"], "video", lambda: service)
        panel.show_turn(None)
        wait(app, lambda: panel.session.film() is not None and panel.session.index is not None)
        panel.session.go_index(0)
        wait(app, lambda: panel.session.index == 0)
        seen = [0]  # on the stage already
        panel.session.moved.connect(lambda: seen.append(panel.session.index))
        panel.handle("play")
        wait(app, lambda: seen[-1] is not None and seen[-1] >= 150)
        panel.handle("play")
        panel.close_media()
        panel.deleteLater()
    shown = sorted({index for index in seen if index is not None and index <= 150})
    dropped = 151 - len(shown)
    note = "5 s; frames that would come late are left out, so that picture and sound keep step"
    why = "A goal: decoding, converting and painting without a graphics processor share two cores; sound is never late."
    what = "1080p30 H.264 played and painted: frames left out of 151"
    return [Row(what, float(dropped), "frames", 0.0, "", note, why)]
