"""The pages beside welcome and audit: each made by one function when it is first shown, and registered here by name.

A page is any widget; what it may have beyond that is in `Shown` and `Keyed`. The window shows and hides; this table
knows how to make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from PySide6.QtWidgets import QStackedWidget, QWidget

if TYPE_CHECKING:
    from annotator.ui.importpage import ImportPage
    from annotator.ui.problemspage import ProblemsPage
    from annotator.ui.window import MainWindow

Maker = Callable[["MainWindow"], QWidget]


@runtime_checkable
class Shown(Protocol):
    """A page that wants to know when it comes to the front: it reads anew and takes the keyboard."""

    def page_shown(self) -> None:
        """It is in front now."""


@runtime_checkable
class Keyed(Protocol):
    """A page with keys of its own: `key_context` names the router's context, `key` does what an action means."""

    key_context: str

    def key(self, action: str) -> None:
        """Do what a key means on this page."""


@runtime_checkable
class Busy(Protocol):
    """A page that holds media or work of its own, and lets go of it when the window closes."""

    def shut_down(self) -> None:
        """The window closes."""


def _import(window: MainWindow) -> QWidget:
    from annotator.ui.importpage import ImportPage

    page: ImportPage = ImportPage()
    window.flows.connect_import(page)
    return page


def _problems(window: MainWindow) -> QWidget:
    from annotator.ui.media_check_panel import MediaCheckPanel
    from annotator.ui.media_marked import MarkedPanel
    from annotator.ui.problemspage import ProblemsPage

    page: ProblemsPage = ProblemsPage()
    window.flows.connect_problems(page)
    page.put_above(MediaCheckPanel(window.desk))
    marked = MarkedPanel(window.desk)
    page.put_above(marked)
    page.wanted.connect(marked.refresh)

    def show_rows(keys: tuple[tuple[str, str], ...], title: str) -> None:
        from annotator.domain.queue import QueueFilter  # after the first paint: it needs the domain

        wanted = QueueFilter(only=frozenset(keys))
        window.review.queue.filters.set_only(wanted, title)
        window.desk.set_filter(wanted)
        window.show_page("review")
        window.desk.open_row(*keys[0])

    marked.rows_wanted.connect(show_rows)
    return page


def _fetch(window: MainWindow) -> QWidget:
    from annotator.ui.fetch_flow import FetchFlow
    from annotator.ui.fetchpage import FetchPage

    page: FetchPage = FetchPage()
    FetchFlow(window, page)  # the page's child, and with it as long as the window
    return page


def _sync(window: MainWindow) -> QWidget:
    from annotator.ui.sync_page import SyncPage

    page: SyncPage = SyncPage()
    window.sync.connect_page(page)
    return page


def _choice(window: MainWindow) -> QWidget:
    return window.choice.make_page()


def _compare(window: MainWindow) -> QWidget:
    return window.comparison.make_page()


def _statistics(window: MainWindow) -> QWidget:
    from annotator.ui.statistics.page import StatisticsPage
    from annotator.ui.statistics.wiring import StatisticsWiring

    page: StatisticsPage = StatisticsPage(window.lanes)
    StatisticsWiring(window, page)  # the page's child
    return page


MAKERS: dict[str, Maker] = {
    "statistics": _statistics,
    "import": _import, "problems": _problems, "fetch": _fetch, "sync": _sync, "choice": _choice, "compare": _compare,
}  # fmt: skip


class Pages:
    """The pages made so far, in the window's stack."""

    def __init__(self, window: MainWindow, stack: QStackedWidget) -> None:
        """None is made yet."""
        self._window = window
        self._stack = stack
        self._made: dict[str, QWidget] = {}

    def get(self, name: str) -> QWidget:
        """A page, made when it is asked for the first time."""
        if name not in self._made:
            page = MAKERS[name](self._window)
            self._made[name] = page
            self._stack.addWidget(page)
        return self._made[name]

    def shown(self) -> QWidget | None:
        """The page in front, if it is one of these."""
        current = self._stack.currentWidget()
        return current if current in self._made.values() else None

    def shut_down(self, *others: QWidget | None) -> None:
        """The window closes: these pages and `others` let go of what they hold."""
        for page in (*self._made.values(), *others):
            if isinstance(page, Busy):
                page.shut_down()
