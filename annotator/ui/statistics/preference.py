"""The preference section: who is preferred, how well scores foretell it, how far people's rankings can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density, i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics import preference_cards as cards
from annotator.ui.statistics.charts import Forest, Heat
from annotator.ui.statistics.definitions import Definition, define
from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Sentences, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.preference_items import PreferenceItems
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import counts, reason
from annotator.ui.widgets import EmptyState
from annotator.workspace.figures_room import Question

NARROW: Final = 900
CARDS: Final = ("people", "matrix", "strength", "prediction", "words", "checks", "raters", "safety", "bench")
WIDE: Final = (
    ("people", 0, 0, 2), ("matrix", 1, 0, 1), ("strength", 1, 1, 1), ("prediction", 2, 0, 1),
    ("words", 2, 1, 1), ("checks", 3, 0, 1), ("raters", 3, 1, 1), ("safety", 4, 0, 1), ("bench", 4, 1, 1),
)  # fmt: skip
_FIELDS: Final = ("subset", "task", "level", "form", "rater")
_DEFINITIONS: Final[dict[str, Definition]] = {
    "davidson": Definition("davidson", "P(i) : P(j) : P(tie) = eˢⁱ : eˢʲ : ν √(eˢⁱ eˢʲ),  Σ s = 0", "Davidson 1970"),
    "win_rate": Definition("win_rate", "(wins + ties / 2) / compared", "MM-RLHF"),
    "tie_rate": Definition("tie_rate", "[pairs of equal rank] / [pairs]", ""),
    "full_tie_rate": Definition("full_tie_rate", "[items where all ranks are equal] / [items]", ""),
    "kendall_w": Definition("kendall_w", "W = 12 S / (m² (n³ − n) − m Σ T), mean over items", "Kendall & Smith 1939"),
    "half": Definition("human_ceiling", "mean over pairs of [same order], a tie on either side ½", ""),
    "prediction": Definition(
        "prediction", "sign(wᵀ (x − y)), w logistic, 5 folds by dialogue, ridge 1", "RUBRIC-MME"
    ),
    "position_first": Definition("position_first", "[shown before and preferred] / [decided]", "Zheng et al. 2023"),
    "position_flip": Definition("position_flip", "[order reversed] / [pairs decided both times]", "Wang et al. 2023"),
    "self_agreement": Definition("self_agreement", "[same outcome in the repeat] / [pairs]", ""),
    "score_consistency": Definition("score_consistency", "[scores order as the ranking] / [both decide]", ""),
    "transitivity": Definition("transitivity", "[triples, no circle] / [decided triples]", "Kendall & Smith 1940"),
    "wilson_rta": Definition("rta", "[refused] / [responses]", "Zhang et al. 2024 (MultiTrust)"),
    "wilson_asr": Definition("asr", "[harmful or adversarial content shown] / [responses]", "MultiTrust"),
    "wilson_ratio": Definition("ratio", "[risk named] / [responses]", "MM-RLHF"),
    "wilson_original": Definition("original", "[original content shown] / [responses]", "MM-RLHF"),
    "reward_acc": Definition("reward_acc", "[reward of the chosen > reward of the rejected] / [pairs]", "MM-RLHF"),
    "reward_acc_plus": Definition("reward_acc_plus", "[ids with every pair right] / [ids]", "MM-RLHF"),
}  # fmt: skip
for _name, _definition in _DEFINITIONS.items():
    define(_name, _definition)


class PreferenceSection(Section):
    """Rankings of comparisons in figures."""

    NAME: ClassVar = "preference"
    FILTERS: ClassVar = (*_FIELDS, "resamples")

    def __init__(self, parent: QWidget | None = None) -> None:
        """Cards without figures."""
        super().__init__(parent)
        self._answers: Answers | None = None
        self.people, self.heat, self.words = Tiles(), Heat(square=False), Sentences()
        self.strength = Forest(at=0.0)
        self.prediction = Forest(0.5, 1.0, percent=True)
        self.checks, self.raters, self.safety, self.bench = (Forest(0.0, 1.0, percent=True) for _ in range(4))
        charts = {
            "people": self.people, "matrix": self.heat, "strength": self.strength, "prediction": self.prediction,
            "words": None, "checks": self.checks, "raters": self.raters, "safety": self.safety, "bench": self.bench,
        }  # fmt: skip
        self.cards = {name: FigureCard(charts[name]) for name in CARDS}
        for name, card in self.cards.items():
            card.setObjectName(f"card_{name}")
        self.cards["words"].body.insertWidget(0, self.words)
        self.empty = EmptyState("columns-3")
        self.empty.activated.connect(self._go_compare)
        self.items = PreferenceItems(self)
        self._grid = CardGrid(self.cards, WIDE, NARROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(10)
        column.addLayout(self._grid)
        column.addWidget(self.empty)
        column.addStretch(1)
        self._grid.fit(self.width())
        self.go_live()

    # --- layout ---------------------------------------------------------------------------------------------------
    # --- questions ------------------------------------------------------------------------------------------------
    def of(self, view: View, *by: str) -> Question:
        """About rankings; spot-checks and phases are of scores and restrict nothing here."""
        return replace(view.ask("preference", *by, fields=_FIELDS), project=None, phase="blind")

    def questions(self, view: View) -> tuple[Question, ...]:
        """All together first."""
        return self.of(view), self.of(view, "task"), self.of(view, "rater")

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """How much is ranked."""
        pooled = Lookup(answers.get(self.of(self.view)))
        rankings, pairs, again = (pooled.get(name) for name in ("full_tie_rate", "tie_rate", "self_agreement"))
        if rankings is None or pairs is None or again is None:
            return []
        held = {"rankings": rankings.n, "clusters": rankings.n_clusters or 0, "pairs": pairs.n, "repeated": again.n}
        return [(tr(f"statistics_preference.total.{name}"), i18n.count(n)) for name, n in held.items()]

    # --- showing --------------------------------------------------------------------------------------------------
    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now."""
        self.view, self._answers = view, answers
        self._show()

    def _known(self, *by: str) -> Lookup:
        return Lookup(self._answers.get(self.of(self.view, *by)) if self._answers is not None else None)

    def _points(self, *by: str) -> bool:
        return self._answers is not None and not self._answers.whole(self.of(self.view, *by))

    def _show(self) -> None:
        pooled, by_task, by_rater = self._known(), self._known("task"), self._known("rater")
        names = self.view.names
        self._show_people(pooled)
        self._show_matrix(pooled)
        interval, n = tr("statistics.interval"), "n"
        heads = (tr("statistics_preference.strength"), interval, n)
        self.strength.set_rows(cards.strength_rows(pooled, names), heads, points_only=self._points())
        self._card("strength", self._nu(pooled), ["davidson"])
        self._show_prediction(pooled)
        self.words.set_sentences(cards.sentences(pooled) or [("info", tr("statistics.wait"))])
        self._card("words", "", ["prediction", "position_first", "transitivity"])
        share = (tr("statistics_preference.share"), interval, n)
        self.checks.set_rows(cards.share_rows(pooled, cards.CHECKS, "check"), share, points_only=self._points())
        self._card("checks", "", cards.CHECKS, tr("statistics.hint.rows"))
        self._show_groups(by_task, by_rater)
        self.bench.set_rows(cards.share_rows(pooled, cards.BENCH, "bench"), share, points_only=self._points())
        self._card("bench", "", cards.BENCH)
        self._show_empty(pooled)

    def _card(self, name: str, note: str, figures: Sequence[str], hint: str = "", *by: str) -> None:
        title = tr(f"statistics_preference.card.{name}")
        folder = self._answers.folder if self._answers is not None else None
        commands = [self.of(self.view, *by).command(folder)] if folder is not None else []
        notes = [tr("statistics_preference.of_blind")]
        self.cards[name].set_card(title, note, explained(title, figures, commands, notes), hint)

    def _show_people(self, pooled: Lookup) -> None:
        self.people.points_only = self._points()
        self.people.set_tiles(cards.tiles(pooled))
        first = pooled.get("full_tie_rate")
        note = tr("statistics_preference.rankings", counts=counts(first)) if first is not None else ""
        self._card("people", note, cards.HEADLINES, tr("statistics_preference.hint.people"))

    def _show_matrix(self, pooled: Lookup) -> None:
        cells, names = cards.matrix(pooled, self.view.names)
        figure = pooled.get("davidson")
        why = tr("statistics.wait") if figure is None else reason(figure.why)
        sides = (tr("statistics_preference.preferred"), tr("statistics_preference.to_these"))
        self.heat.set_cells(cells, names, names, sides, why)
        self._card("matrix", "", ["win_rate"], tr("statistics_preference.hint.matrix"))

    @staticmethod
    def _nu(pooled: Lookup) -> str:
        figure = pooled.get("davidson")
        nu = figure.more.get("nu") if figure is not None else None
        return "" if nu is None else tr("statistics_preference.nu", nu=f"{nu:.2f}")

    def _show_prediction(self, pooled: Lookup) -> None:
        heads = ("●", "▲", tr("statistics.people_word"), "n", tr("statistics.dialogues"))
        self.prediction.set_rows(cards.prediction_rows(pooled), heads, points_only=self._points())
        signs = (("a", "accuracy"), ("b", "twelve"))
        parts = [(sign, tr(f"statistics_preference.predictor.{name}")) for sign, name in signs]
        self.cards["prediction"].legend.set_parts(("band", tr("statistics.ceiling")), *parts)
        self._card("prediction", "", ["prediction", "ceiling_half"], tr("statistics_preference.hint.prediction"))

    def _show_groups(self, by_task: Lookup, by_rater: Lookup) -> None:
        heads = ("●", "▲", "■", "n")
        rows = cards.rate_rows(by_task)
        self.safety.set_rows(rows, heads, points_only=self._points("task"))
        self.cards["safety"].legend.set_parts(
            *((sign, tr(f"statistics_preference.short.{name}")) for sign, name in zip("abc", cards.RATES, strict=False))
        )
        self._card("safety", "", cards.RATES, tr("statistics.hint.rows"), "task")
        self.cards["safety"].setVisible(bool(rows))
        self.raters.set_rows(cards.rater_rows(by_rater), heads, points_only=self._points("rater"))
        names = ("tie_rate", "position_first", "score_consistency")
        self.cards["raters"].legend.set_parts(
            *((sign, tr(f"statistics_preference.short.{name}")) for sign, name in zip("abc", names, strict=True))
        )
        self._card("raters", "", names, tr("statistics.hint.rows"), "rater")

    def _show_empty(self, pooled: Lookup) -> None:
        asked = self._answers is not None and self._answers.get(self.of(self.view)) is not None
        first = pooled.get("full_tie_rate")
        ranked = first is not None and first.n > 0
        bench = pooled.get("reward_acc") is not None
        for name, card in self.cards.items():
            if name == "bench":
                card.setVisible(bench)
            elif name != "safety":
                card.setVisible(ranked or not asked)
        self.empty.setVisible(asked and not ranked)
        part = "part" if self.view.narrows else "nothing"
        action = "" if part == "part" else tr("statistics_preference.empty.compare")
        title, why = (tr(f"statistics_preference.empty.{part}{end}") for end in ("", "_why"))
        self.empty.set_texts(title, why, action)

    def _go_compare(self) -> None:
        self.page_wanted.emit("compare")

    def remeasure(self) -> None:
        """As wide as its rows need."""
        super().remeasure()
        self.setMinimumWidth(density.scaled(560))

    def retranslate(self) -> None:
        """Read the texts again."""
        self._show()
