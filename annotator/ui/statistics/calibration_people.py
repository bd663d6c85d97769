"""The part of the calibration section that speaks of people alone: the ceiling, its parts, each rater, each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from annotator.ui.i18n import tr
from annotator.ui.statistics import calibration_people_rows as cards
from annotator.ui.statistics.charts import Forest
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Tiles
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import counts
from annotator.ui.widgets import Combo
from annotator.workspace.figures_room import Question

if TYPE_CHECKING:
    from annotator.ui.statistics.calibration import CalibrationSection

FIELDS: Final = ("scenario", "capability", "modality", "language", "model", "week")


class PeopleCards:
    """Four cards of the section: `people`, `groups`, `raters`, `pairs`."""

    def __init__(self, section: CalibrationSection) -> None:
        """Make the charts; the section places the cards."""
        self._section = section
        self.tiles, self.groups = Tiles(140), Forest(None, 1.0)
        self.raters, self.pairs = Forest(at=0.0), Forest(None, 1.0)
        self.field = Combo()
        self.field.setObjectName("people_field")
        for name in FIELDS:
            self.field.addItem("", name)
        charts = {"people": self.tiles, "groups": self.groups, "raters": self.raters, "pairs": self.pairs}
        self.cards = {name: FigureCard(chart) for name, chart in charts.items()}
        self.cards["groups"].head.insertWidget(3, self.field)

    @property
    def by(self) -> str:
        """The field whose values the groups are."""
        return str(self.field.currentData())

    def questions(self, view: View) -> tuple[Question, ...]:
        """What these cards stand on beside the pooled figures."""
        return (self._section.of_people(view, self.by), self._section.of_people(view, "rater"))

    def show(self, people: Lookup) -> None:
        """Show what is known."""
        section = self._section
        question = section.of_people(section.view)
        self.tiles.points_only = section.points(question)
        self.tiles.set_tiles(cards.people_tiles(people))
        first = people.get("exact")
        note = counts(first) if first is not None else ""
        section.card("people", note, cards.PEOPLE, [question], tr("statistics.hint.people"))
        self._show_pairs(question, people)
        self._show_groups()
        self._show_raters()

    def _show_groups(self) -> None:
        section = self._section
        question = section.of_people(section.view, self.by)
        rows = cards.group_rows(section.known(question), self.by, section.view.names)
        heads = ("AC2", tr("statistics.interval"), "α", tr("statistics.short.exact"), "n", tr("statistics.dialogues"))
        self.groups.set_rows(rows, heads, points_only=section.points(question))
        figures = ["ac_quadratic", "alpha_ordinal", "exact"]
        section.card("groups", "", figures, [question], tr("statistics.hint.rows"))

    def _show_raters(self) -> None:
        section = self._section
        question = section.of_people(section.view, "rater")
        self.raters.set_rows(
            cards.rater_rows(section.known(question)),
            (*(tr(f"statistics.short.{name}") for name in cards.RATER), "n"),
            points_only=section.points(question),
        )
        section.card("raters", "", ["bias", "exact", "cannot_judge"], [question], tr("statistics.hint.rows"))

    def _show_pairs(self, question: Question, people: Lookup) -> None:
        section = self._section
        rows, left = cards.pair_rows(people)
        self.pairs.set_rows(rows, ("κ", tr("statistics.interval"), "n"), points_only=section.points(question))
        note = tr("statistics.pairs_left", n=left) if left else ""
        section.card("pairs", note, ["kappa_quadratic"], [question], tr("statistics.hint.rows"))

    def retranslate(self) -> None:
        """Read the texts again."""
        for place, name in enumerate(FIELDS):
            self.field.setItemText(place, tr(f"statistics.field.{name}"))
        self.field.setAccessibleName(tr("statistics.people_field"))
