"""The statistics page by itself, on lanes of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.ui.lanes import Lanes
from annotator.ui.statistics.charts import Chart
from annotator.ui.statistics.page import StatisticsPage
from annotator.ui.statistics.sections import Section
from tests.helpers.driver import PATIENCE_MS, STEP_MS, spin

NAMES = {f"p::{model}::{task}": letter for letter, model in (("A", "m"), ("B", "n"))
         for task in ("omnibench_video_stream_text", "omnibench_image_multi_text")}  # fmt: skip


class Bench:
    """A shown page; `found` collects what it wants to be shown elsewhere."""

    def __init__(self, folder: Path | None, size: tuple[int, int], section: str, resamples: int = 2_000) -> None:
        self.lanes = Lanes()
        self.page = StatisticsPage(self.lanes)
        self.found: list[tuple[Any, str]] = []
        self.failed: list[Any] = []
        self.pages: list[str] = []
        self.page.items_wanted.connect(self._items)
        self.page.failed.connect(self.failed.append)
        self.page.page_wanted.connect(self.pages.append)
        self.page.resize(*size)
        self.page.show()
        QTest.qWaitForWindowExposed(self.page)
        if folder is not None:
            self.page.set_workspace(folder, NAMES)
            self.page.view = replace(self.page.view, resamples=resamples)
            self.page.rail.set_view(self.page.view)
            self.page.bar.tabs.set_current(section)
            self.page.page_shown()
            spin(0)  # a section that is made for the first time asks in the next pass

    def _items(self, behind: Any, title: str) -> None:
        self.found.append((behind, title))

    @property
    def section(self) -> Section:
        return self.page.section()

    def wait(self, done: Callable[[], bool]) -> None:
        waited = 0
        while not done():
            assert waited < PATIENCE_MS, "it did not come in time"
            spin(STEP_MS)
            waited += STEP_MS

    def settle(self) -> None:
        spin(0)
        self.wait(lambda: not self.lanes.busy)
        spin(0)

    def click(self, chart: Chart, key: object) -> None:
        """Click the mark of a key, where it is painted."""
        hit = next(hit for hit in chart.hits() if hit.key == key)
        at = hit.area.center()
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(at.x()), round(at.y())))
        self.settle()

    def shut(self) -> None:
        self.page.shut_down()
        self.lanes.shutdown()
        self.page.close()
        self.page.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        spin(0)
