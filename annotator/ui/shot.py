"""Pictures of the window: wait until everything it asked for has come and is painted, then save what is seen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QEventLoop, QIODevice, QTimer
from PySide6.QtWidgets import QWidget

from annotator.errors import WorldError
from annotator.ui.media_loader import MediaLoader
from annotator.ui.window import MainWindow

TICK_MS = 25
# Quiet for as long as the longest animation and the late words of the saved mark take.
QUIET_TICKS = 8
TIMEOUT_MS = 30_000


class Settling:
    """Waits, in an event loop of its own, until lanes and media are idle and stay so.

    One object may wait many times, one after the other.
    """

    def __init__(self, window: MainWindow) -> None:
        """Watch this window."""
        self._window = window
        self._loop = QEventLoop()
        self._timer = QTimer()
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._quiet = 0
        self._left = 0

    def wait(self, timeout_ms: int = TIMEOUT_MS) -> bool:
        """Wait; False when it did not come to rest in time."""
        self._quiet, self._left = 0, timeout_ms // TICK_MS
        self._timer.start()
        self._loop.exec()
        self._timer.stop()
        return self._quiet >= QUIET_TICKS

    def _tick(self) -> None:
        self._left -= 1
        self._quiet = 0 if busy(self._window) else self._quiet + 1
        if self._quiet >= QUIET_TICKS or self._left <= 0:
            self._loop.quit()


def busy(window: MainWindow) -> bool:
    """Whether anything that the window asked for has not come yet."""
    return window.lanes.busy or any(loader.busy for loader in window.findChildren(MediaLoader))


def show_statistics(window: MainWindow, section: str) -> None:
    """Bring a section of the statistics page to the front."""
    from annotator.ui.statistics.page import StatisticsPage

    window.show_page("statistics")
    page = window.pages.get("statistics")
    if isinstance(page, StatisticsPage):
        page.show_section(section)


def settle(window: MainWindow, timeout_ms: int = TIMEOUT_MS) -> None:
    """Wait until the window is at rest.

    Raises:
        WorldError: it is not within the time.
    """
    if not Settling(window).wait(timeout_ms):
        raise WorldError(f"The window was still at work after {timeout_ms // 1000} seconds: no picture was made.")


def row_of(window: MainWindow, item_id: str) -> tuple[str, str]:
    """The queue row that opening this item would show: its first unfinished one, else its first.

    Raises:
        WorldError: the item has no row.
    """
    queue = window.desk.queue
    rows = [row for row in queue.rows if row.item_id == item_id] if queue is not None else []
    if not rows:
        raise WorldError(f"{item_id} has no row in the queue: nobody answered it, and the reference is not rated here.")
    return next((row for row in rows if not row.finished), rows[0]).key


def save_picture(widget: QWidget, file: Path) -> tuple[int, int]:
    """Save what a widget shows as a PNG, whole or not at all; returns its width and height in pixels.

    Raises:
        WorldError: the file cannot be written.
    """
    from annotator.media.snapshot import write_whole

    picture = widget.grab()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if file.is_dir() or not picture.save(buffer, "PNG"):
        raise WorldError(f"{file} is a folder: name the PNG to write.", path=str(file))
    buffer.close()
    write_whole(bytes(data.data()), file)
    return picture.width(), picture.height()
