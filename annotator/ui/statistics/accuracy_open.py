"""Where accuracy meets the window: the queue of questions holds a figure's questions, and questions are opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from annotator.ui.statistics.wiring import StatisticsWiring
    from annotator.workspace.figures_behind import Behind


def open_questions(wiring: StatisticsWiring, behind: Behind, title: str) -> None:
    """The queue of questions holds exactly these; the first one is open."""
    window = wiring.window
    window.show_page("choice")
    filters = window.choice.page.queue.filters
    desk = window.choice.desk
    desk.set_filter(filters.set_only(frozenset(item for item, _, _ in behind.places), title))
    desk.open(behind.places[0][0])


def look_at_all(widget: QWidget, then: Callable[[], None]) -> None:
    """Open all questions for this rater, for good; `then` once that is on disk."""
    window: Any = widget.window()
    desk = window.choice.desk
    source = desk.source
    if source is None:
        return

    def opened(_nothing: None) -> None:
        desk.reload()
        then()

    desk.desk.lanes.quick(source.look_at_all, opened)
