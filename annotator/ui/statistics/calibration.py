"""The calibration section, in the order of the argument: people first, then the judge, then what follows."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui.i18n import tr
from annotator.ui.statistics.parts import FigureCard, Tile, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import counts, exact, interval, number
from annotator.workspace.figures_room import Question

CEILING: Final = ("ac_quadratic", "alpha_ordinal", "exact", "within_1")


class CalibrationSection(Section):
    """Agreement among people and of judges with people."""

    NAME = "calibration"
    FILTERS: ClassVar[tuple[str, ...]] = (
        "judge", "scenario", "capability", "modality", "language", "model", "rater", "week", "source", "project",
        "phase", "resamples",
    )  # fmt: skip

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ceiling = FigureCard(Tiles())
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(10)
        column.addWidget(self.ceiling)
        column.addStretch(1)
        self.go_live()

    def _people(self, view: View) -> Question:
        return view.ask("agreement", fields=tuple(name for name in self.FILTERS if name != "judge"))

    def questions(self, view: View) -> tuple[Question, ...]:
        """People first."""
        return (self._people(view),)

    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known."""
        found = answers.get(self._people(view))
        figures = {one.name: one for one in found.figures} if found else {}
        tiles = [
            Tile(
                name, number(one.value), tr(f"statistics.figure.{name}"), interval(one) or counts(one), exact(name, one)
            )
            for name in CEILING
            if (one := figures.get(name)) is not None
        ]
        assert isinstance(self.ceiling.chart, Tiles)
        self.ceiling.chart.set_tiles(tiles)
        self.ceiling.set_card(tr("statistics.people.title"), "", explained(tr("statistics.people.title"), CEILING, []))
