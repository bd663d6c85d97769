"""Where the statistics page meets the window: which workspace is open, and where a figure's items are shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from annotator.domain.labels import turn_index
from annotator.domain.queue import QueueFilter
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.page import StatisticsPage
from annotator.workspace.figures_behind import Behind

if TYPE_CHECKING:
    from annotator.ui.window import MainWindow
    from annotator.workspace.views import QueueView, ReviewView


class StatisticsWiring(QObject):
    """The page's child: lives as long as it."""

    def __init__(self, window: MainWindow, page: StatisticsPage) -> None:
        """Connect; the workspace that is open is the page's."""
        super().__init__(page)
        self._window, self._page = window, page
        self._target: tuple[tuple[str, str], str] | None = None
        self._waiting: tuple[QueueFilter, Behind] | None = None
        page.items_wanted.connect(self._items_wanted)
        page.failed.connect(window.tell_error)
        page.page_wanted.connect(self._page_wanted)
        page.report_wanted.connect(self.ask_report)
        page.runner.reported.connect(self._reported)
        window.desk.opened.connect(self._opened)
        window.desk.closed.connect(self._closed)
        window.desk.review_ready.connect(self._shown)
        window.desk.queue_changed.connect(self._queue_changed)
        self._opened()

    @property
    def window(self) -> MainWindow:
        """The window that the page is in."""
        return self._window

    def _opened(self) -> None:
        workspace = self._window.desk.workspace
        if workspace is not None:
            self._page.set_workspace(workspace.store.folder, dict(workspace.names()))

    def _in_front(self, _place: int) -> None:
        """Models that came since are named as everywhere."""
        if self._window.stack.currentWidget() is self._page:
            self._opened()

    def _closed(self) -> None:
        self._page.set_workspace(None)

    def _page_wanted(self, name: str) -> None:
        if name == "settings":
            self._window.show_settings()
        else:
            self._window.show_page(name)

    def ask_report(self) -> None:
        """Ask where the report shall be, and write it."""
        workspace = self._window.desk.workspace
        if workspace is None:
            return
        from PySide6.QtWidgets import QFileDialog

        place = workspace.store.folder.parent / f"{workspace.store.folder.name}-report.html"
        kinds = tr("statistics.report_kind")
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, tr("statistics.report_title"), str(place), f"{kinds} (*.html)"
        )
        if chosen:
            self._page.runner.report(Path(chosen).with_suffix(".html"), i18n.language())

    def _reported(self, file: Path, figures: int) -> None:
        self._window.tell("ok", "statistics.report_written", file=file.name, n=i18n.count(figures))

    def _items_wanted(self, behind: Any, title: str) -> None:
        if not behind.places:
            self._window.tell("info", "statistics.nothing_behind")
            return
        kind = behind.places[0][0].partition(":")[0]
        OPENERS.get(kind, _open_dialogues)(self, behind, title)

    def open_dialogues(self, behind: Behind, title: str) -> None:
        """The queue holds exactly these rows; the first turn concerned is open."""
        window = self._window
        wanted = QueueFilter(only=behind.keys)
        self._waiting = (wanted, behind)
        window.review.queue.filters.set_only(wanted, title)
        window.desk.set_filter(wanted)
        window.show_page("review")

    def _queue_changed(self, queue: QueueView) -> None:
        """The rows are there: the first of them, at the first turn that the figure stands on."""
        if self._waiting is None or self._window.desk.filter != self._waiting[0]:
            return
        behind = self._waiting[1]
        self._waiting = None
        if not queue.rows:
            self._window.tell("info", "statistics.nothing_behind")
            return
        key = queue.rows[0].key
        target = next((where for item_id, who, where in behind.places if (item_id, who) == key), "item")
        self._target = (key, target)
        self._window.desk.open_row(*key)

    def _shown(self, view: ReviewView) -> None:
        if self._target is None:
            return
        key, target = self._target
        self._target = None
        if view.row.key == key and target != "item":
            self._window.review.open_turn(turn_index(target))


def _open_dialogues(wiring: StatisticsWiring, behind: Any, title: str) -> None:
    wiring.open_dialogues(behind, title)


def _open_questions(wiring: StatisticsWiring, behind: Any, title: str) -> None:
    from annotator.ui.statistics.accuracy_open import open_questions

    open_questions(wiring, behind, title)


OPENERS: Final[dict[str, Callable[[StatisticsWiring, Any, str], None]]] = {
    "dialogue": _open_dialogues,
    "question": _open_questions,
}
"""Kind of item -> who shows these items: `behind.places` are (item id, responder, target), the title names them."""
