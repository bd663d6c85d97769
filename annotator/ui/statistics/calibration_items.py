"""From a mark on the calibration page to the items behind it: one click."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from annotator.ui.i18n import tr
from annotator.ui.statistics.sections import Wanted
from annotator.ui.statistics.words import judge_name, value_name
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_room import FigureRoom, Question

if TYPE_CHECKING:
    from annotator.ui.statistics.calibration import CalibrationSection


class CalibrationItems:
    """Says for each mark what to look for and what to call it; the section hands it on."""

    def __init__(self, section: CalibrationSection) -> None:
        """Connect the section's charts."""
        self._section = section
        section.people.tiles.activated.connect(self.people)
        section.people.groups.activated.connect(self.people_group)
        section.people.pairs.activated.connect(self.raters)
        section.forest.activated.connect(self.group)
        section.means.activated.connect(self.group)
        section.bias.activated.connect(self.group)
        section.people.raters.activated.connect(self.rater)
        section.heat.activated.connect(self.cell)
        section.curve.activated.connect(self.level)
        section.judges_apart.activated.connect(self.pair)
        section.next.activated.connect(self.next)

    def _want(self, title: str, find: Callable[[FigureRoom], Behind]) -> None:
        self._section.behind_wanted.emit(Wanted(find, title))

    def _group(
        self, question: Question, by: Mapping[str, str], title: str, cell: tuple[int | None, int | None] | None = None
    ) -> None:
        self._want(title, lambda room: room.behind(question, by, cell))

    def people(self, key: tuple[str, str]) -> None:
        """All that people scored."""
        section = self._section
        self._group(section.of_people(section.view), {}, tr(f"statistics.figure.{key[1]}"))

    def people_group(self, key: tuple[str, str]) -> None:
        """What people scored in a part."""
        section, (field, value) = self._section, key
        name = value_name(field, value, section.view.names)
        self._group(section.of_people(section.view, field), {field: value}, name)

    def raters(self, key: tuple[str, str]) -> None:
        """What two raters both scored."""
        question = self._section.of_people(self._section.view)
        title = tr("statistics.behind.pair", one=key[0], two=key[1])
        self._want(title, lambda room: room.behind_raters(question, key))

    def rater(self, key: tuple[str, str]) -> None:
        """All that one rater scored."""
        section = self._section
        self._group(section.of_people(section.view, "rater"), {"rater": key[1]}, key[1])

    def group(self, key: tuple[str, str]) -> None:
        """A dimension, or a part of the close-up: what people and the judge both scored."""
        section, (field, value) = self._section, key
        if not field:
            title = section.closer.dimension_words()
            self._group(section.close_up(section.view), {"judge": section.closer.judge}, title)
            return
        name = value_name(field, value, section.view.names)
        if field == "dimension":
            self._group(section.of_judges(section.view, "dimension"), {field: value}, name)
            return
        title = tr("statistics.behind.group", dimension=section.closer.dimension_words(), group=name)
        self._group(section.close_up(section.view, field), {field: value, "judge": section.closer.judge}, title)

    def cell(self, cell: tuple[int, int]) -> None:
        """Exactly the units of one cell."""
        section = self._section
        words = section.closer.dimension_words()
        title = tr("statistics.behind.cell", dimension=words, judge=cell[0], people=cell[1])
        self._group(section.close_up(section.view), {"judge": section.closer.judge}, title, cell)

    def level(self, key: tuple[str, int]) -> None:
        """The units that the judge put on one level."""
        section, level = self._section, key[1]
        title = tr("statistics.behind.level", dimension=section.closer.dimension_words(), judge=level)
        self._group(section.close_up(section.view), {"judge": section.closer.judge}, title, (level, None))

    def pair(self, key: tuple[str, str, str]) -> None:
        """What two judges and people all scored."""
        section, pair = self._section, key[1:]
        title = tr("statistics.behind.pair", one=judge_name(pair[0]), two=judge_name(pair[1]))
        question = section.close_up(section.view)
        self._want(title, lambda room: room.behind_both(question, pair))

    def next(self, key: tuple[str, str]) -> None:
        """What the judge scored and no person did, in the cell to label next."""
        section = self._section
        title = tr("statistics.behind.next", dimension=value_name("dimension", key[1]))
        question = section.of_judges(section.view, "dimension")
        by = {"dimension": key[1], "judge": section.closer.judge}
        self._want(title, lambda room: room.unlabelled(question, by))
