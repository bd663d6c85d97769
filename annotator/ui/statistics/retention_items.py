"""From a mark of the retention section to the dialogues behind it: one click."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from annotator.domain.rubric import verdict_reason_names
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.sections import Wanted
from annotator.ui.statistics.words import value_name
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_keeping import CELLS, behind_candidates
from annotator.workspace.figures_room import FigureRoom, Question

if TYPE_CHECKING:
    from annotator.ui.statistics.retention import RetentionSection


class RetentionItems:
    """Says for each mark what to look for and what to call it; the section hands it on."""

    def __init__(self, section: RetentionSection) -> None:
        """Connect the section's charts."""
        self._section = section
        section.head.activated.connect(self.pooled)
        section.funnel.activated.connect(self.pooled)
        section.reasons.activated.connect(self.reason)
        section.rates.activated.connect(self.part)
        section.table.activated.connect(self.pooled)

    def _want(self, title: str, question: Question, name: str, by: Mapping[str, str]) -> None:
        section = self._section
        judge, threshold = str(section.judge.currentData() or ""), section.slider.threshold()

        def find(room: FigureRoom) -> Behind:
            return behind_candidates(room, question, name, by, judge, threshold)

        section.behind_wanted.emit(Wanted(find, title))

    def pooled(self, key: str) -> None:
        """A headline, a stage or a cell."""
        section = self._section
        if key in CELLS:
            title = tr("retention.behind.cell", cell=tr(f"retention.{key}"), t=f"{section.slider.threshold():.2f}")
        else:
            title = tr(f"retention.behind.{key}")
        self._want(title, section.pooled(section.view), key, {})

    def reason(self, key: str) -> None:
        """Those that are not kept for one reason."""
        name = verdict_reason_names()[key.removeprefix("reason_")].in_language(i18n.language())
        section = self._section
        self._want(tr("retention.behind.reason", reason=name), section.pooled(section.view), key, {})

    def part(self, value: str) -> None:
        """The decided dialogues of one row."""
        section = self._section
        question = section.parted(section.view)
        field = question.by[0]
        title = tr("retention.behind.part", part=value_name(field, value, section.view.names))
        self._want(title, question, "wilson_keep", {field: value})
