"""The effort section: minutes, pace, rushed work and drift, for planning; a rater sees the own work alone."""

from __future__ import annotations

from typing import ClassVar, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.statistics import effort_cards as cards
from annotator.ui.statistics.charts import Bars, Forest
from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Sentences, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section, Wanted
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import reason, value_name
from annotator.ui.widgets import EmptyState
from annotator.workspace.figures_own import ALL, OWN, behind_effort
from annotator.workspace.figures_room import FigureRoom, Question

NARROW: Final = 1080
"""Below this width, cards stand under one another."""
CARDS: Final = ("head", "raters", "rushed", "drift", "weeks", "scenarios")
WIDE: Final = (
    ("head", 0, 0, 12), ("raters", 1, 0, 7), ("rushed", 1, 7, 5), ("drift", 2, 0, 7), ("weeks", 2, 7, 5),
    ("scenarios", 3, 0, 12),
)  # fmt: skip
EXPLAINED: Final = {
    "head": ("minutes_per_item", "labels_per_hour", "rushed"), "raters": ("minutes_per_item", "labels_per_hour"),
    "rushed": ("rushed",), "drift": ("drift",), "weeks": ("minutes_per_item",), "scenarios": ("minutes_per_item",),
}  # fmt: skip
FIELD: Final = {"raters": "rater", "rushed": "rater", "weeks": "week", "scenarios": "scenario"}


class EffortSection(Section):
    """How raters work."""

    NAME = "effort"
    FILTERS: ClassVar[tuple[str, ...]] = (
        "rater", "week", "scenario", "modality", "language", "source", "resamples",
    )  # fmt: skip

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: Answers | None = None
        self.head, self.rushed, self.drift = Tiles(), Bars(1.0), Forest(at=0.0)
        self.minutes = {name: Forest(0.0) for name in ("raters", "weeks", "scenarios")}
        self.notices = Sentences()
        charts = {"head": self.head, "rushed": self.rushed, "drift": self.drift, **self.minutes}
        self.cards = {name: FigureCard(charts[name]) for name in CARDS}
        self.empty = EmptyState("clock")
        for name, card in self.cards.items():
            card.setObjectName(f"card_{name}")
        self.cards["head"].body.insertWidget(1, self.notices)
        self.head.activated.connect(self._head_opened)
        self.rushed.activated.connect(self._rushed_opened)
        self.drift.activated.connect(self._drift_opened)
        for name, opened in (
            ("raters", self._rater_opened), ("weeks", self._week_opened), ("scenarios", self._scenario_opened),
        ):  # fmt: skip
            self.minutes[name].activated.connect(opened)
        self._lay_out()
        self.go_live()

    # --- layout ---------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        self._grid = CardGrid(self.cards, WIDE, NARROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(10)
        column.addLayout(self._grid)
        column.addWidget(self.empty)
        column.addStretch(1)
        self._grid.fit(self.width())

    # --- questions ------------------------------------------------------------------------------------------------
    def ask(self, view: View, name: str) -> Question:
        """The question of a card."""
        if name == "drift":
            return view.ask("drift", "rater", "week", fields=self.FILTERS)
        by = (FIELD[name],) if name in FIELD else ()
        return view.ask("effort", *by, fields=self.FILTERS)

    def questions(self, view: View) -> tuple[Question, ...]:
        """All together first."""
        return tuple(dict.fromkeys(self.ask(view, name) for name in CARDS))

    # --- items ----------------------------------------------------------------------------------------------------
    def _want(self, card: str, name: str, by: dict[str, str], title: str) -> None:
        question = self.ask(self.view, card)

        def find(room: FigureRoom) -> object:
            return behind_effort(room, question, name, by)

        self.behind_wanted.emit(Wanted(find, title))

    def _head_opened(self, key: str) -> None:
        self._want("head", key, {}, tr(f"effort.behind.{'rushed' if key == 'rushed' else 'timed'}"))

    def _rushed_opened(self, rater: str) -> None:
        self._want("rushed", "rushed", {"rater": rater}, tr("effort.behind.rushed_by", rater=rater))

    def _rater_opened(self, rater: str) -> None:
        self._of_part("raters", rater)

    def _week_opened(self, week: str) -> None:
        self._of_part("weeks", week)

    def _scenario_opened(self, scenario: str) -> None:
        self._of_part("scenarios", scenario)

    def _of_part(self, card: str, value: str) -> None:
        field = FIELD[card]
        name = value_name(field, value, self.view.names)
        self._want(card, "minutes_per_item", {field: value}, tr("effort.behind.part", part=name))

    def _drift_opened(self, key: tuple[str, str]) -> None:
        rater, week = key
        title = tr("effort.behind.part", part=f"{rater} {week}")
        self._want("drift", "minutes_per_item", {"rater": rater, "week": week}, title)

    # --- showing --------------------------------------------------------------------------------------------------
    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now."""
        self.view, self._answers = view, answers
        self._show()

    def _known(self, name: str) -> Lookup:
        return Lookup(self._answers.get(self.ask(self.view, name)) if self._answers is not None else None)

    def _points(self, name: str) -> bool:
        return self._answers is not None and not self._answers.whole(self.ask(self.view, name))

    def _show(self) -> None:
        pooled = self._known("head")
        overall = pooled.get("minutes_per_item")
        self.head.set_tiles(cards.head_tiles(pooled))
        heads = tuple(tr(f"effort.head.{name}") for name in ("minutes", "hours", "pace", "sittings"))
        for name, chart in self.minutes.items():
            rows = cards.minutes_rows(FIELD[name], self._known(name), overall, self.view.names)
            chart.set_rows(rows, heads, points_only=self._points(name))
            self.cards[name].legend.set_parts(("band", tr("retention.band")))
        self.rushed.set_bars(cards.rushed_bars(self._known("rushed")), points_only=self._points("rushed"))
        heads = tuple(tr(f"effort.head.{name}") for name in ("bias", "scores", "drift"))
        self.drift.set_rows(cards.drift_rows(self._known("drift")), heads, points_only=self._points("drift"))
        self._show_words(pooled)

    def _show_words(self, pooled: Lookup) -> None:
        for name, card in self.cards.items():
            title = tr(f"effort.card.{name}")
            told = explained(title, EXPLAINED[name], self._commands(name), [tr("effort.rule")])
            card.set_card(title, tr(f"effort.note.{name}"), told, tr(f"effort.hint.{name}"))
        found = self._answers.get(self.ask(self.view, "head")) if self._answers is not None else None
        notes = found.notes if found is not None else ()
        said = {ALL: ("info", tr("effort.all")), OWN: ("info", tr("effort.own"))}
        self.notices.set_sentences([said.get(note, ("text2", reason(note))) for note in notes])
        whole = pooled.get("labels")
        nothing = whole is not None and not whole.value
        for name, card in self.cards.items():
            card.setVisible(not nothing or name == "head")
        self.head.setVisible(not nothing)
        self.empty.setVisible(nothing)
        self.empty.set_texts(tr("effort.empty"), tr("effort.empty_why"))

    def _commands(self, name: str) -> list[str]:
        if self._answers is None:
            return []
        question = self.ask(self.view, name)
        if name == "drift":
            fields = tuple(one for one in self.FILTERS if one not in ("rater", "week"))
            question = self.view.ask("agreement", "rater", "week", fields=fields)
        return [question.command(self._answers.folder)]

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """What is in this view."""
        pooled = self._known("head")
        labels, whole = pooled.get("labels"), pooled.get("minutes")
        if labels is None or whole is None:
            return []
        return [
            (tr("effort.fact.labels"), str(int(labels.value))),
            (tr("effort.fact.items"), str(whole.n_clusters or 0)),
        ]

    def remeasure(self) -> None:
        """Not narrower than its charts."""
        super().remeasure()
        self.setMinimumWidth(density.scaled(560))

    def retranslate(self) -> None:
        """Read the texts again."""
        if self._answers is not None:  # before, there is nothing that could be shown in any language
            self._show()
