"""From a mark of the accuracy section to exactly the questions behind it: one click."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from annotator.ui.i18n import tr
from annotator.ui.statistics.accuracy_words import model_name, value_words
from annotator.ui.statistics.sections import Wanted
from annotator.workspace.figures_accuracy_room import cell_behind, outputs_behind, people_behind
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_room import FigureRoom, Question

if TYPE_CHECKING:
    from annotator.ui.statistics.accuracy import AccuracySection


class AccuracyItems:
    """Says for each mark what to look for and what to call it; the section hands it on."""

    def __init__(self, section: AccuracySection) -> None:
        """Connect the section's charts."""
        self._section = section
        section.head.activated.connect(self.tile)
        section.models.activated.connect(self.model)
        section.profiles.activated.connect(self.profile)
        for chart in (section.domains, section.categories, section.conditions):
            chart.activated.connect(self.part)
        section.e.activated.connect(self.e_part)
        section.wrong.activated.connect(self.cell)
        section.kinds.activated.connect(self.kind)

    def _want(self, title: str, find: Callable[[FigureRoom], Behind]) -> None:
        self._section.behind_wanted.emit(Wanted(find, title))

    def _outputs(self, question: Question, by: Mapping[str, str], what: str, title: str) -> None:
        self._want(title, lambda room: outputs_behind(room, question, by, what))

    def _model(self) -> str:
        return model_name(self._section.model, self._section.view.names)

    def tile(self, key: str) -> None:
        """All that models got wrong, or all that people answered."""
        section = self._section
        question = section.pooled(section.view)
        if key == "people":
            self._want(tr("accuracy.behind.people"), lambda room: people_behind(room, question, {}))
        elif key == "best":
            self.model(("model", section.best))
        else:
            self._outputs(question, {}, "wrong", tr("accuracy.behind.wrong", model=tr("accuracy.all_models")))

    def model(self, key: tuple[str, str]) -> None:
        """What one model got wrong."""
        section = self._section
        title = tr("accuracy.behind.wrong", model=model_name(key[1], section.view.names))
        self._outputs(section.of_models(section.view), {"model": key[1]}, "wrong", title)

    def profile(self, key: tuple[str, str]) -> None:
        """What the model got wrong under one profile."""
        section = self._section
        title = tr("accuracy.behind.profile", model=self._model(), profile=tr(f"accuracy.profile.{key[1]}"))
        self._outputs(section.by_profile(section.view), {"profile": key[1]}, "wrong", title)

    def part(self, key: tuple[str, tuple[tuple[str, str], ...]]) -> None:
        """What the model got wrong in one part."""
        section, by = self._section, dict(key[1])
        title = tr("accuracy.behind.part", model=self._model(), part=_words(by))
        self._outputs(section.close_up(section.view), by, "wrong", title)

    def e_part(self, key: tuple[str, tuple[tuple[str, str], ...]]) -> None:
        """Where the model said E."""
        section, by = self._section, dict(key[1])
        self._outputs(
            section.close_up(section.view), by, "E", tr("accuracy.behind.e", model=self._model(), part=_words(by))
        )

    def cell(self, cell: tuple[str, str]) -> None:
        """Exactly the questions of one cell."""
        section, (key, letter) = self._section, cell
        question = section.close_up(section.view)
        title = tr("accuracy.behind.cell", model=self._model(), key=key, letter=letter or "–")
        self._want(title, lambda room: cell_behind(room, question, {}, key, letter))

    def kind(self, state: str) -> None:
        """The outputs of one kind."""
        section = self._section
        title = tr("accuracy.behind.kind", model=self._model(), kind=tr(f"accuracy.kind.{state}"))
        self._outputs(section.close_up(section.view), {}, f"state:{state}", title)


def _words(by: Mapping[str, str]) -> str:
    return " · ".join(value_words(field, value) for field, value in by.items())
