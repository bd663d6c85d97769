"""The accuracy section: models on questions, under the profile that is chosen, beside people and beside the paper.

Whoever answers blind sees figures over the questions that they have answered; a button opens all of them, for good.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui import density, i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics import accuracy_cards as cards
from annotator.ui.statistics.accuracy_items import AccuracyItems
from annotator.ui.statistics.accuracy_open import look_at_all
from annotator.ui.statistics.accuracy_words import hidden, model_name
from annotator.ui.statistics.charts import Bars, Forest, Heat
from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Sentences, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import reason
from annotator.ui.widgets import Button, Combo, EmptyState, PlainLabel, Segmented
from annotator.workspace.figures_room import Question

NARROW: Final = 1000
"""Below this width, cards stand under one another."""
CARDS: Final = ("head", "models", "profiles", "domains", "wrong", "categories", "e", "conditions", "kinds")
WIDE: Final = (
    ("head", 0, 0, 12), ("models", 1, 0, 7), ("profiles", 1, 7, 5), ("domains", 2, 0, 7), ("wrong", 2, 7, 5),
    ("categories", 3, 0, 7), ("e", 3, 7, 5), ("conditions", 4, 0, 7), ("kinds", 4, 7, 5),
)  # fmt: skip
NOTED: Final = ("models", "domains", "e")
EXPLAINED: Final = {
    "head": ("accuracy", "accuracy_people", "accuracy_mended"), "models": ("avg", "avg_c", "accuracy_mended"),
    "profiles": ("accuracy", "accuracy_mended"), "domains": ("avg", "avg_c", "accuracy_people"),
    "wrong": ("confusion_choices",), "categories": ("accuracy",), "e": ("e_answered",),
    "conditions": ("accuracy", "accuracy_people"), "kinds": ("share_",),
}  # fmt: skip


class AccuracySection(Section):
    """Models (and people) on questions."""

    NAME = "accuracy"
    FILTERS: ClassVar[tuple[str, ...]] = ("task", "domain", "category", "language", "split", "resamples")
    UNIT: ClassVar[str] = "image"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: Answers | None = None
        self._opened = False
        self.best = ""
        self.profile, self.chooser = Segmented(), Combo()
        self.head, self.models, self.profiles = Tiles(), Forest(percent=True), Forest(percent=True)
        self.domains, self.categories = Forest(percent=True), Forest(percent=True)
        self.e, self.conditions = Forest(percent=True), Forest(percent=True)
        self.wrong, self.kinds = Heat(square=False), Bars()
        charts = (
            self.head, self.models, self.profiles, self.domains, self.wrong, self.categories, self.e, self.conditions,
            self.kinds,
        )  # fmt: skip
        self.cards = {name: FigureCard(chart) for name, chart in zip(CARDS, charts, strict=True)}
        self.notices, self.open_all = Sentences(), Button("", icon="eye", small=True)
        self.empty = EmptyState("list-checks")
        self._fill()
        self.items = AccuracyItems(self)
        self._lay_out()
        self.go_live()

    def _fill(self) -> None:
        for name, card in self.cards.items():
            card.setObjectName(f"card_{name}")
        for profile in cards.PROFILES:
            self.profile.add(profile, "").setObjectName(f"accuracy_{profile}")
        self.profile.set_current("careful")
        self.chooser.setObjectName("accuracy_model")
        self.chooser.addItem("", "")
        self.open_all.setObjectName("accuracy_open_all")
        self.profile.chosen.connect(self._chosen)
        self.chooser.activated.connect(self._chosen)
        self.open_all.clicked.connect(self._look_at_all)
        self.empty.activated.connect(self._empty_acted)

    # --- layout ---------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        self.profile_label, self.model_label = PlainLabel("", "label", "text2"), PlainLabel("", "label", "text2")
        self.bar = QWidget()
        row = QHBoxLayout(self.bar)
        row.setContentsMargins(2, 0, 2, 0)
        row.setSpacing(6)
        for widget in (self.profile_label, self.profile, self.model_label, self.chooser):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.open_all)
        self.cards["head"].body.insertWidget(1, self.notices)
        self._grid = CardGrid(self.cards, WIDE, NARROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 10)
        column.setSpacing(8)
        column.addWidget(self.bar)
        column.addLayout(self._grid)
        column.addWidget(self.empty)
        column.addStretch(1)
        self._grid.fit(self.width())

    # --- questions ------------------------------------------------------------------------------------------------
    @property
    def model(self) -> str:
        """The model that is looked at closer; "" for all together."""
        return str(self.chooser.currentData() or "")

    def _ask(self, view: View, *by: str, profile: bool = True, model: bool = False) -> Question:
        where = view
        if profile:
            where = where.choosing("profile", frozenset({self.profile.current()}))
        if model and self.model:
            where = where.choosing("model", frozenset({self.model}))
        if self._opened:  # other answers than those from before
            where = replace(where, phase="open")
        asked = where.ask("accuracy", *by, fields=(*self.FILTERS, "profile", "model"))
        return replace(asked, project=None)

    def pooled(self, view: View) -> Question:
        """All models together."""
        return self._ask(view)

    def of_models(self, view: View) -> Question:
        """Each model."""
        return self._ask(view, "model")

    def by_profile(self, view: View) -> Question:
        """The model that is looked at closer, under each profile."""
        return self._ask(view, "profile", profile=False, model=True)

    def close_up(self, view: View, *by: str) -> Question:
        """About the model that is looked at closer."""
        return self._ask(view, *by, model=True)

    def questions(self, view: View) -> tuple[Question, ...]:
        """Models first."""
        close = (("task",), ("task", "domain"), (), ("task", "domain", "category"))
        conditions = ((name,) for name in cards.CONDITIONS)
        return (
            self.of_models(view), self.pooled(view), *(self.close_up(view, *by) for by in close),
            self.by_profile(view), *(self.close_up(view, *by) for by in conditions),
        )  # fmt: skip

    def _chosen(self) -> None:
        self._show()
        self.changed.emit()

    def _look_at_all(self) -> None:
        look_at_all(self, self._all_opened)

    def _all_opened(self) -> None:
        self._opened = True
        self._chosen()

    def _empty_acted(self) -> None:
        if self._counts()[1]:
            self._look_at_all()
        else:
            self.page_wanted.emit("import")

    # --- showing --------------------------------------------------------------------------------------------------
    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now."""
        self.view, self._answers = view, answers
        self._show()

    def _known(self, question: Question) -> Lookup:
        return Lookup(self._answers.get(question) if self._answers is not None else None)

    def _points(self, *questions: Question) -> bool:
        return self._answers is not None and any(not self._answers.whole(q) for q in questions)

    def _counts(self) -> tuple[int, int]:
        """(questions that figures stand on, all)."""
        found = self._answers.get(self.of_models(self.view)) if self._answers is not None else None
        told = found.records.get("questions", {}) if found is not None else {}
        return told.get("shown", 0), told.get("all", 0)

    def _show(self) -> None:
        view = self.view
        models, pooled = self._known(self.of_models(view)), self._known(self.pooled(view))
        self._fill_models([m for m in models.values("model", "accuracy") if m])
        rated = [f for f in models.named("accuracy") if f.value is not None]
        self.best = str(max(rated, key=lambda f: float(f.value)).by.get("model", "")) if rated else ""
        people = pooled.get("accuracy_people")
        self.head.points_only = self._points(self.pooled(view))
        self.head.set_tiles(cards.tiles(pooled, models, view.names))
        heads = ("Avg", "Avg-C", tr("accuracy.head.mended"), tr("accuracy.head.claimed"), "n")
        rows = [row for row in cards.model_rows(models, view.names, people) if row.key[1]]  # type: ignore[index]
        self.models.set_rows(rows, heads, points_only=self._points(self.of_models(view)))
        self.cards["models"].legend.set_parts(("a", "Avg"), ("b", "Avg-C"), ("band", tr("accuracy.people")))
        self._show_close_up()
        self._show_conditions()
        self._show_words(people is not None)

    def _show_close_up(self) -> None:
        view = self.view
        by_task, by_domain = self.close_up(view, "task"), self.close_up(view, "task", "domain")
        tasks, domains = self._known(by_task), self._known(by_domain)
        printed = cards.may_print(self.model, self._models(), view.names)
        heads = ("Avg", tr("accuracy.head.paper"), "Avg-C", tr("accuracy.head.paper"), tr("accuracy.people"), "n")
        rows = cards.domain_rows(tasks, domains, printed)
        self.domains.set_rows(rows, heads, points_only=self._points(by_task, by_domain))
        self.cards["domains"].legend.set_parts(("a", tr("accuracy.models")), ("people", tr("accuracy.people")))
        self.e.set_rows(cards.e_rows(tasks, domains), (tr("accuracy.head.says_e"), tr("accuracy.head.is_e")),
                        points_only=self._points(by_task, by_domain))  # fmt: skip
        self.cards["e"].legend.set_parts(("a", tr("accuracy.head.says_e")), ("people", tr("accuracy.head.is_e")))
        question = self.by_profile(view)
        profiles = self._known(question)
        columns = (tr("accuracy.head.accuracy"), tr("accuracy.head.mended"), tr("accuracy.head.read"))
        self.profiles.set_rows(cards.profile_rows(profiles), columns, points_only=self._points(question))
        self.profile.part("confirmed").setVisible("confirmed" in profiles.values("profile"))
        self.cards["profiles"].legend.set_parts(("a", tr("accuracy.head.accuracy")), ("c", tr("accuracy.head.mended")))
        pooled = self._known(self.close_up(view))
        table = pooled.get("confusion")
        cells, keys, letters = cards.wrong_cells(table)
        why = tr("statistics.wait") if table is None else reason(table.why)
        self.wrong.set_cells(cells, keys, letters, (tr("accuracy.key_side"), tr("accuracy.letter_side")), why)
        self.kinds.set_bars(cards.kind_bars(pooled))

    def _show_conditions(self) -> None:
        view = self.view
        question = self.close_up(view, "task", "domain", "category")
        self.categories.set_rows(cards.category_rows(self._known(question)), (tr("accuracy.head.accuracy"), "n"),
                                 points_only=self._points(question))  # fmt: skip
        asked = {name: self.close_up(view, name) for name in cards.CONDITIONS}
        rows = cards.condition_rows({name: self._known(one) for name, one in asked.items()})
        heads = (tr("accuracy.head.accuracy"), tr("accuracy.people"), "n")
        self.conditions.set_rows(rows, heads, points_only=self._points(*asked.values()))
        self.cards["conditions"].legend.set_parts(("a", tr("accuracy.models")), ("people", tr("accuracy.people")))

    def _show_words(self, answered: bool) -> None:
        view, name = self.view, model_name(self.model, self.view.names)
        questions: dict[str, Question] = dict.fromkeys(CARDS, self.close_up(view))
        questions |= {
            "head": self.pooled(view), "models": self.of_models(view), "profiles": self.by_profile(view),
            "domains": self.close_up(view, "task", "domain"), "e": self.close_up(view, "task", "domain"),
            "categories": self.close_up(view, "task", "domain", "category"),
            "conditions": self.close_up(view, "resolution"),
        }  # fmt: skip
        secret = hidden(self.model, view.names)
        for card, question in questions.items():
            title = tr(f"accuracy.card.{card}", model=name)
            commands = [question.command(self._answers.folder)] if self._answers is not None and not secret else []
            told = explained(title, EXPLAINED[card], commands, [tr("accuracy.rule")])
            note = tr(f"accuracy.note.{card}") if card in NOTED else ""
            self.cards[card].set_card(title, note, told, tr(f"accuracy.hint.{card}"))
        shown, every = self._counts()
        blind = shown < every
        found = self._answers.get(self.pooled(view)) if self._answers is not None else None
        notes = [("info", reason(note)) for note in (found.notes if found is not None else ())]
        if blind and shown:
            words = tr("accuracy.blind", shown=i18n.count(shown), all=i18n.count(every))
            notes.insert(0, ("warn", words))
        self.notices.set_sentences(notes)
        self.open_all.setVisible(blind and shown > 0)
        none = found is not None and (not shown or not self._models())
        for card_widget in self.cards.values():
            card_widget.setVisible(not none)
        self.bar.setVisible(not none)
        self.empty.setVisible(none)
        state = "nothing" if not every else "outputs" if shown else "blind"
        self.empty.set_icon("lock" if state == "blind" else "list-checks")
        action = tr("accuracy.look_at_all") if state == "blind" else tr("statistics.empty.import")
        self.empty.set_texts(tr(f"accuracy.empty.{state}"), tr(f"accuracy.empty.{state}_why"), action)

    def _models(self) -> list[str]:
        return [str(self.chooser.itemData(place)) for place in range(1, self.chooser.count())]

    def _fill_models(self, models: Sequence[str]) -> None:
        if models and self._models() != list(models):
            chosen = self.model
            while self.chooser.count() > 1:
                self.chooser.removeItem(1)
            for model in models:
                self.chooser.addItem("", model)
            self.chooser.setCurrentIndex(max(0, self.chooser.findData(chosen)))
        self.chooser.setItemText(0, tr("accuracy.all_models"))
        for place, model in enumerate(self._models(), 1):
            self.chooser.setItemText(place, model_name(model, self.view.names))

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """What is in this view."""
        shown, every = self._counts()
        pooled = self._known(self.pooled(self.view)).get("accuracy")
        told: list[tuple[str, Any]] = [("questions", shown), ("all_questions", every), ("models", len(self._models()))]
        if pooled is not None:
            told.append(("outputs", pooled.n))
        return [(tr(f"accuracy.fact.{name}"), i18n.count(value)) for name, value in told]

    def remeasure(self) -> None:
        """Not narrower than its charts."""
        super().remeasure()
        self.setMinimumWidth(density.scaled(560))

    def retranslate(self) -> None:
        """Read the texts again."""
        for profile in cards.PROFILES:
            self.profile.set_text(profile, tr(f"accuracy.profile.{profile}"))
        self.profile_label.set_text(tr("accuracy.read_by"))
        self.model_label.set_text(tr("accuracy.model"))
        self.chooser.setAccessibleName(tr("accuracy.model"))
        self.open_all.set_text(tr("accuracy.look_at_all"))
        self._show()
