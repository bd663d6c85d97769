"""The sections of the statistics page, registered by name; each is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.view import View
from annotator.ui.widgets import Ground
from annotator.workspace.figures_room import FigureRoom, Question


@dataclass(frozen=True)
class Wanted:
    """The items behind a figure: `call` finds them in the lane of figures; `title` names them in the queue."""

    call: Callable[[FigureRoom], Any]
    title: str


class Section(Ground):
    """One section: says its questions, shows the answers. Texts, colours and measures follow `Live` as everywhere.

    Class attributes:
        NAME: its key in `SECTIONS`; FILTERS: the fields that the rail offers, in their order (`project` and `phase`
        among them where they apply). UNIT: what is resampled whole, a word of `statistics.made`.

    Signals:
        changed: its questions are others now. behind_wanted: a `Wanted`, when a figure was opened.
        page_wanted: the name of another page, where there is nothing to show here yet.
    """

    NAME: ClassVar[str] = ""
    FILTERS: ClassVar[tuple[str, ...]] = ()
    UNIT: ClassVar[str] = "dialogue"
    changed = Signal()
    behind_wanted = Signal(object)
    page_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.view = View()
        self._grid: CardGrid | None = None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cards stand beside one another where there is room."""
        super().resizeEvent(event)
        if self._grid is not None:
            self._grid.fit(self.width())

    def questions(self, view: View) -> tuple[Question, ...]:
        """What it wants to know of this part, the most important first."""
        return ()

    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now: values alone at first (`answers.whole(q)` is False), then with intervals."""

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """(name, value) lines for the rail's "in this view"; empty: the totals of the workspace."""
        return []


Maker = Callable[[], Section]


def _calibration() -> Section:
    from annotator.ui.statistics.calibration import CalibrationSection

    return CalibrationSection()


def _retention() -> Section:
    from annotator.ui.statistics.retention import RetentionSection

    return RetentionSection()


def _preference() -> Section:
    from annotator.ui.statistics.preference import PreferenceSection

    return PreferenceSection()


def _effort() -> Section:
    from annotator.ui.statistics.effort import EffortSection

    return EffortSection()


def _accuracy() -> Section:
    from annotator.ui.statistics.accuracy import AccuracySection

    return AccuracySection()


SECTIONS: Final[dict[str, Maker]] = {
    "calibration": _calibration,
    "retention": _retention,
    "effort": _effort,
    "accuracy": _accuracy,
    "preference": _preference,
}
"""Name -> maker, in the order of the tabs; the tab's word is `statistics.section.<name>`."""
