"""From a mark of the preference section to the comparisons behind it, and these on the page of comparisons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QBoxLayout

from annotator.ui.i18n import tr
from annotator.ui.queue_only import OnlyChip
from annotator.ui.statistics import preference_cards as cards
from annotator.ui.statistics.sections import Wanted
from annotator.ui.statistics.wiring import OPENERS, StatisticsWiring
from annotator.ui.statistics.words import responder_name
from annotator.workspace.comparisons_safety import RATES
from annotator.workspace.comparisons_views import ComparisonFilter
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_preference import Outcome, behind, behind_flags
from annotator.workspace.figures_room import FigureRoom

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.ui.statistics.preference import PreferenceSection

# What stands on hidden repeats.
_AGAIN = ("position_flip", "self_agreement")


class PreferenceItems:
    """Says for each mark what to look for and what to call it; the section hands it on."""

    def __init__(self, section: PreferenceSection) -> None:
        """Connect the section's charts."""
        self._section = section
        section.people.activated.connect(self.figure)
        section.checks.activated.connect(self.figure)
        section.prediction.activated.connect(self.prediction)
        section.heat.activated.connect(self.cell)
        section.strength.activated.connect(self.responder)
        section.raters.activated.connect(self.rater)
        section.safety.activated.connect(self.task)

    def _want(self, title: str, find: Callable[[FigureRoom], Behind]) -> None:
        self._section.behind_wanted.emit(Wanted(find, title))

    def _name(self, responder: str) -> str:
        return responder_name(responder, self._section.view.names)[0]

    def figure(self, key: tuple[str, str]) -> None:
        """What a figure over all rankings stands on."""
        question, again = self._section.of(self._section.view), key[1] in _AGAIN
        self._want(cards.name_of(key[1]), lambda room: behind(room, question, {}, again=again))

    def prediction(self, key: tuple[str, str]) -> None:
        """All rankings: which of them have all scores is told by their own page."""
        question = self._section.of(self._section.view)
        self._want(tr("statistics_preference.card.prediction"), lambda room: behind(room, question, {}))

    def cell(self, key: tuple[str, str, str]) -> None:
        """The comparisons in which somebody preferred one to the other."""
        outcome: Outcome = (key[1], key[2], 1)
        title = tr("statistics_preference.behind.beats", one=self._name(key[1]), two=self._name(key[2]))
        self._of_outcome(title, outcome)

    def responder(self, key: tuple[str, str]) -> None:
        """The comparisons in which a responder took part."""
        self._of_outcome(self._name(key[1]), (key[1], key[1], 0))

    def _of_outcome(self, title: str, outcome: Outcome) -> None:
        question = self._section.of(self._section.view)
        self._want(title, lambda room: behind(room, question, {}, outcome))

    def rater(self, key: tuple[str, str]) -> None:
        """What one person ranked."""
        question = self._section.of(self._section.view, "rater")
        self._want(key[1], lambda room: behind(room, question, {"rater": key[1]}))

    def task(self, key: tuple[str, str]) -> None:
        """The comparisons of a task in which somebody saw something."""
        question = self._section.of(self._section.view)
        flags = tuple(flag for names in RATES.values() for flag in names)
        title = tr("statistics_preference.behind.task", task=key[1])
        self._want(title, lambda room: behind_flags(room, question, key[1], flags))


def open_comparisons(wiring: StatisticsWiring, found: Behind, title: str) -> None:
    """The queue of comparisons holds exactly these; the first of them is open."""
    window = wiring.window
    window.show_page("compare")
    page = window.comparison.page
    if page is not None:
        only_of(page).show_only([item for item, _, _ in found.places], title)


class ComparisonsOnly(QObject):
    """The chip over the queue of comparisons while it holds certain items alone; lives as long as its page."""

    def __init__(self, page: ComparisonPage) -> None:
        """Under the search field; hidden until it has something to say."""
        super().__init__(page)
        self._page = page
        self.chip = OnlyChip()
        filters = page.queue.filters
        layout = filters.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(1, self.chip)
        self.chip.clicked.connect(filters.clear)
        page.desk.queue_changed.connect(self._queue_changed)

    def show_only(self, items: Sequence[str], title: str) -> None:
        """Show these items, the first of them open."""
        desk = self._page.desk
        self.chip.set_title(title)
        desk.set_filter(ComparisonFilter(only=frozenset(items)))
        desk.open(items[0])

    def _queue_changed(self, _view: object) -> None:
        self.chip.setVisible(bool(self._page.desk.filter.only))


def only_of(page: ComparisonPage) -> ComparisonsOnly:
    """The page's chip, made when it is wanted for the first time."""
    return page.findChild(ComparisonsOnly) or ComparisonsOnly(page)


OPENERS["comparison"] = open_comparisons
