"""Pictures of the page of comparisons in its states, to be looked at beside the mock-up.

Run: python -m tests.ui.comparison.preview FOLDER [NAME-PART]
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from annotator.app import make_application
from annotator.ui import i18n, theme
from tests.helpers.driver import Driver, spin
from tests.ui.comparison import sample

SIZES = ((1366, 768), (1600, 1000), (2560, 1440))


def states(driver: Driver, size: tuple[int, int], name: str, into: Path) -> None:
    from PySide6.QtCore import Qt

    page = driver.window.comparison.page

    def shot(what: str) -> None:
        driver.wait(lambda: not page.stage.loader.busy)
        spin(120)
        driver.window.grab().save(str(into / f"{name}-{what}.png"))

    desk = page.desk
    desk.open(desk.queue.rows[0].item_id)
    driver.settle()
    shot("new")
    if not desk.view.sheet.cells:
        driver.press("234555123345")
    driver.settle()
    page.way.to_ranking()
    for key in ("b", Qt.Key.Key_Left, "d", Qt.Key.Key_Left, "="):
        driver.key(key)
    driver.settle()
    shot("ranked")
    driver.window.messages.clear()
    page.way.to_scores()
    driver.press("dl")
    shot("differences")
    driver.press("d\x1b")
    page.way.key("differences")
    for number, what in ((2, "mcq"), (3, "safety"), (4, "video"), (5, "pair")):
        desk.open(desk.queue.rows[number].item_id)
        driver.settle()
        if what == "mcq":
            page.way.to_ranking()
            page.ranking.say_all_bad()
            driver.settle()
        shot(what)
    page.panels.toggle_queue()
    shot("queue")
    page.panels.toggle_queue()


def main(into: Path, part: str = "") -> None:
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["ANNOTATOR_CONFIG_DIR"] = str(Path(scratch, "config"))
        app = make_application([])
        folder = sample.workspace(Path(scratch))
        driver = Driver(app, folder)
        driver.settle()
        for size in SIZES:
            for lang in ("zh_CN", "en"):
                for look in ("light", "dark"):
                    name = f"{size[0]}-{lang}-{look}"
                    if part not in name:
                        continue
                    driver.window.resize(*size)
                    i18n.set_language(lang)  # type: ignore[arg-type]
                    theme.set_theme(app, look)  # type: ignore[arg-type]
                    driver.settle()
                    states(driver, size, name, into)
        driver.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
