"""The calibration section, in the order of the argument: people first, then the judge by dimension, then where it errs,
corrected means, a verdict in words, biases, several judges, and where to label next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.statistics import calibration_cards as cards
from annotator.ui.statistics import calibration_words as said
from annotator.ui.statistics.calibration_items import CalibrationItems
from annotator.ui.statistics.calibration_people import PeopleCards
from annotator.ui.statistics.charts import Bars, Curve, Forest, Heat
from annotator.ui.statistics.choosing import Closer
from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Sentences, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import counts, reason, short_judges
from annotator.ui.widgets import Combo, EmptyState
from annotator.workspace.figures_room import Figures, Question

NARROW: Final = 1000
"""Below this width, cards stand under one another."""
CARDS: Final = ("agreement", "confusion", "means", "words", "reliability", "bias", "judges", "next")
OF_PEOPLE: Final = ("people", "groups", "raters", "pairs")
WIDE: Final = (
    ("people", 0, 0, 5), ("agreement", 1, 0, 3), ("confusion", 1, 3, 2), ("means", 2, 0, 3), ("words", 2, 3, 2),
    ("reliability", 3, 0, 2), ("bias", 3, 2, 3), ("next", 4, 0, 5), ("judges", 5, 0, 5), ("groups", 6, 0, 5),
    ("raters", 7, 0, 3), ("pairs", 7, 3, 2),
)  # fmt: skip


class CalibrationSection(Section):
    """Agreement among people, and of judges with people."""

    NAME = "calibration"
    FILTERS: ClassVar[tuple[str, ...]] = (
        "judge", "scenario", "capability", "modality", "language", "model", "rater", "week", "source", "project",
        "phase", "resamples",
    )  # fmt: skip

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: Answers | None = None
        self.judges: list[str] = []
        self._family = ""
        self._lookups: dict[Question, tuple[Figures | None, Lookup]] = {}
        self.closer = Closer()
        self.statistic = Combo()
        self.statistic.setObjectName("statistic")
        self.forest, self.means, self.bias = Forest(), Forest(1.0, 5.0), Forest(at=0.0)
        self.judges_apart, self.next = Forest(at=0.0), Bars()
        self.heat, self.curve = Heat(), Curve((1, 5), (1, 5), diagonal=True)
        self.under_heat, self.cuts = Tiles(), Tiles()
        self.words = Sentences()
        charts = (
            self.forest, self.heat, self.means, None, self.curve, self.bias, self.judges_apart, self.next,
        )  # fmt: skip
        self.people = PeopleCards(self)
        self.cards = self.people.cards | {name: FigureCard(chart) for name, chart in zip(CARDS, charts, strict=True)}
        self.empty = EmptyState("gauge")
        self.empty.activated.connect(self._go_import)
        self._fill_cards()
        self._connect()
        self._lay_out()
        self.go_live()

    def _fill_cards(self) -> None:
        for name, card in self.cards.items():
            card.setObjectName(f"card_{name}")
        for statistic in cards.STATISTICS:
            self.statistic.addItem("", statistic.name)
        self.cards["agreement"].head.insertWidget(3, self.statistic)
        self.cards["confusion"].head.insertWidget(3, self.closer)
        self.cards["confusion"].body.insertWidget(1, self.under_heat)
        self.cards["confusion"].body.insertWidget(2, self.cuts)
        self.cards["words"].body.insertWidget(0, self.words)

    def _connect(self) -> None:
        self.closer.changed.connect(self._closer_changed)
        self.statistic.activated.connect(self._statistic_changed)
        self.people.field.activated.connect(self._closer_changed)
        self.items = CalibrationItems(self)
        for tiles in (self.under_heat, self.cuts):
            tiles.pointed.connect(self.cards["confusion"].tell)

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
    def of_people(self, view: View, *by: str) -> Question:
        """About people alone."""
        return view.ask("agreement", *by, fields=tuple(name for name in self.FILTERS if name != "judge"))

    def of_judges(self, view: View, *by: str) -> Question:
        """About judges against people."""
        return view.ask("calibration", "judge", *by)

    def close_up(self, view: View, *by: str) -> Question:
        """About the dimension that is looked at closer."""
        chosen = self.closer.dimension
        return self.of_judges(view.choosing("dimension", frozenset({chosen})) if chosen else view, *by)

    def questions(self, view: View) -> tuple[Question, ...]:
        """People first."""
        return (
            self.of_people(view), self.of_people(view, "dimension"), self.of_judges(view, "dimension"),
            self.of_judges(view), self.close_up(view), self.close_up(view, "model"), self.close_up(view, "modality"),
            self.close_up(view, "language"), *self.people.questions(view),
        )  # fmt: skip

    def _closer_changed(self) -> None:
        self._show()
        self.changed.emit()

    def _statistic_changed(self) -> None:
        self._show()

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """How much is in view."""
        people = Lookup(answers.get(self.of_people(self.view)))
        judged = answers.get(self.of_judges(self.view))
        return cards.facts_lines(people, Lookup(judged), judged.records if judged is not None else {})

    # --- showing --------------------------------------------------------------------------------------------------
    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now."""
        self.view, self._answers = view, answers
        self._show()

    def known(self, question: Question) -> Lookup:
        """The figures of a question that are known by now."""
        figures = self._answers.get(question) if self._answers is not None else None
        held = self._lookups.get(question)
        if held is None or held[0] is not figures:
            held = self._lookups[question] = (figures, Lookup(figures))
        return held[1]

    def points(self, *questions: Question) -> bool:
        """Whether intervals of these are still to come."""
        return self._answers is not None and any(not self._answers.whole(q) for q in questions)

    def _show(self) -> None:
        view = self.view
        people, pooled = self.known(self.of_people(view)), self.known(self.of_judges(view))
        by_dimension = self.known(self.of_judges(view, "dimension"))
        every = pooled.values("judge") or by_dimension.values("judge")
        self.judges = every[: len(cards.LETTERS)]
        self._family = said.families(self.judges, pooled)
        self.closer.set_choices(by_dimension.values("dimension"), self.judges)
        self.people.show(people)
        self._show_agreement(by_dimension)
        self._show_confusion()
        self._show_means()
        self._show_words(pooled, by_dimension, len(every) - len(self.judges))
        self._show_reliability()
        self._show_bias()
        self._show_others(by_dimension)
        self._show_empty(people, pooled)

    def _commands(self, *questions: Question) -> list[str]:
        return [q.command(self._answers.folder) for q in questions] if self._answers is not None else []

    def card(
        self, name: str, note: str, figures: Sequence[str], questions: Sequence[Question], hint: str = "", **words: Any
    ) -> None:
        """Title, definition, command and notice of a card."""
        title = tr(f"statistics.card.{name}", **words)
        told = explained(title, figures, self._commands(*questions), [tr("statistics.of_blind")])
        self.cards[name].set_card(title, note, told, hint)
        self.cards[name].set_notice(tr("statistics.one_family"), "" if name in OF_PEOPLE else self._family)

    def _show_agreement(self, by_dimension: Lookup) -> None:
        questions = [self.of_people(self.view, "dimension"), self.of_judges(self.view, "dimension")]
        statistic = cards.BY_NAME[self.statistic.currentData() or "ac_quadratic"]
        of_people = statistic.name not in ("bias", "mae", "kappa_quadratic")
        people = self.known(questions[0]) if of_people else Lookup(None)
        self.forest.set_axis(statistic.low, statistic.high, statistic.at, percent=statistic.percent)
        rows = cards.agreement_rows(self.judges, people, by_dimension, statistic)
        signs = [("●", "▲", "■")[place] for place in range(len(self.judges))]
        heads = (*signs, tr("statistics.people_word"), "n", tr("statistics.dialogues"))
        self.forest.set_rows(rows, heads, points_only=self.points(*questions))
        names = short_judges(self.judges)
        legend = [(cards.LETTERS[place], names[judge]) for place, judge in enumerate(self.judges)]
        self.cards["agreement"].legend.set_parts(("band", tr("statistics.ceiling")), *legend)
        self.card("agreement", "", [statistic.name], questions, tr("statistics.hint.rows"))

    def _show_confusion(self) -> None:
        question, judge = self.close_up(self.view), self.closer.judge
        judged = self.known(question)
        figure = judged.get("confusion", judge=judge)
        levels = [str(level) for level in range(1, 6)]
        why = tr("statistics.wait") if figure is None else reason(figure.why)
        sides = (tr("statistics.judge_side"), tr("statistics.people_side"))
        self.heat.set_cells(cards.confusion_cells(figure), levels[::-1], levels, sides, why)
        words = self.closer.judge_words()
        for tiles, shown in zip((self.under_heat, self.cuts), cards.judge_tiles(judged, judge), strict=True):
            tiles.set_tiles(shown)
            tiles.set_title(tr("statistics.card.confusion", judge=words))
        figures = ["confusion", "exact", "within_1", "bias", "mae", "sensitivity", "specificity"]
        note = counts(figure) if figure is not None else ""
        self.card("confusion", note, figures, [question], tr("statistics.hint.cells"), judge=words)

    def _show_means(self) -> None:
        question = self.close_up(self.view, "model")
        judged = self.known(question)
        rows = cards.means_rows(self.closer.judge, judged, self.view.names)
        heads = (
            tr("statistics.mean.short_judge"), tr("statistics.mean.short_corrected"), tr("statistics.interval"),
            tr("statistics.people_word"), "n",
        )  # fmt: skip
        values = [v for row in rows for m in row.marks for v in (m.value, m.low, m.high) if v is not None]
        low = max(1.0, min(values) - 0.15) if values else 1.0
        self.means.set_axis(low, min(5.0, max(values) + 0.15) if values else 5.0)
        self.means.set_rows(rows, heads, points_only=self.points(question))
        parts = [("judge", "mean_judge"), ("c", "ppi_mean"), ("people", "mean_human")]
        self.cards["means"].legend.set_parts(*((series, tr(f"statistics.mean.{name}")) for series, name in parts))
        figures = ["mean_judge", "ppi_mean", "mean_human"]
        self.card("means", "", figures, [question], tr("statistics.hint.rows"), dimension=self.closer.dimension_words())

    def _show_words(self, pooled: Lookup, by_dimension: Lookup, left: int) -> None:
        """Verdict, bias and notices in sentences, about all dimensions."""
        question = self.of_judges(self.view, "dimension")
        sentences = said.verdicts(self.judges, by_dimension)
        names = short_judges(self.judges)
        for judge in self.judges:
            sentences += said.biases(judge, names[judge], pooled, by_dimension)
        found = self._answers.get(self.of_judges(self.view)) if self._answers is not None else None
        if found is not None:
            sentences += said.notices(self.judges, pooled, found.records, found.notes, left)
        self.words.set_sentences(sentences or [("info", tr("statistics.wait"))])
        figures = ["alternative_annotator_test", "bias", "bland_altman", "pearson_length"]
        self.card("words", "", figures, [question, self.of_judges(self.view)])

    def _show_reliability(self) -> None:
        question, judge = self.close_up(self.view), self.closer.judge
        judged = self.known(question)
        figure = judged.get("reliability", judge=judge)
        why = reason(figure.why) if figure is not None else tr("statistics.wait")
        lines = cards.reliability_lines(figure, judged.get("isotonic", judge=judge))
        sides = (tr("statistics.judge_score"), tr("statistics.people_mean"))
        self.curve.set_lines(lines, sides, why, points_only=self.points(question))
        self.cards["reliability"].legend.set_parts(
            ("a", tr("statistics.legend.people_mean")), ("c", tr("statistics.legend.map"))
        )
        figures = ["reliability", "isotonic", "calibration_error"]
        hint = said.errors_of_map(judge, {}, judged) or tr("statistics.hint.points")
        self.card("reliability", "", figures, [question], hint, dimension=self.closer.dimension_words())

    def _show_bias(self) -> None:
        fields = ("modality", "language", "model")
        questions = [self.close_up(self.view, field) for field in fields]
        groups = [(field, self.known(question)) for field, question in zip(fields, questions, strict=True)]
        pooled = self.known(self.close_up(self.view))
        rows = cards.bias_rows(pooled, groups, self.closer.judge, self.view.names)
        heads = (tr("statistics.figure.bias"), tr("statistics.interval"), "n")
        self.bias.set_rows(rows, heads, points_only=self.points(*questions))
        words = self.closer.dimension_words()
        self.card("bias", "", ["bias"], questions, tr("statistics.hint.rows"), dimension=words)

    def _show_others(self, by_dimension: Lookup) -> None:
        question = self.close_up(self.view)
        rows = cards.difference_rows(self.known(question))
        self.judges_apart.set_rows(
            rows, (tr("statistics.difference"), tr("statistics.interval"), "n"), points_only=self.points(question)
        )
        self.card("judges", "", ["difference"], [question], "" if rows else tr("statistics.one_judge"))
        question = self.of_judges(self.view, "dimension")
        bars = cards.next_bars(by_dimension, self.closer.judge)
        self.next.set_bars(bars)
        self.card("next", "", ["ppi_mean", "next"], [question], tr("statistics.hint.next"))

    def _show_empty(self, people: Lookup, pooled: Lookup) -> None:
        answers = self._answers
        closed = answers is not None and bool(answers.closed)
        asked = closed or (answers is not None and answers.get(self.of_judges(self.view)) is not None)
        labels = people.get("mean")
        nobody = asked and (labels is None or not labels.n)
        judged = bool(pooled) and not closed
        for name, card in self.cards.items():
            card.setVisible((name in OF_PEOPLE and not nobody) or judged or not asked)
        self.cards["judges"].setVisible(judged and len(self.judges) > 1)
        self.empty.setVisible(asked and not closed and (nobody or not judged))
        part = "part" if self.view.narrows else "labels" if nobody and judged else "nothing" if nobody else "judges"
        action = "" if part in ("labels", "part") else tr("statistics.empty.import")
        self.empty.set_texts(tr(f"statistics.empty.{part}"), tr(f"statistics.empty.{part}_why"), action)

    def _go_import(self) -> None:
        self.page_wanted.emit("import")

    def remeasure(self) -> None:
        """Second names come and go with the size."""
        super().remeasure()
        self.setMinimumWidth(density.scaled(560))

    def retranslate(self) -> None:
        """Read the texts again."""
        for place, statistic in enumerate(cards.STATISTICS):
            self.statistic.setItemText(place, tr(f"statistics.figure.{statistic.name}"))
        self.people.retranslate()
        self.statistic.setAccessibleName(tr("statistics.statistic"))
        if self._answers is not None:  # before, there is nothing that could be shown in any language
            self._show()
