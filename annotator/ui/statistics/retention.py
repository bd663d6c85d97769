"""The retention section: how many candidates survive, by what, why others do not, what a judge would have kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.statistics import retention_cards as cards
from annotator.ui.statistics.charts import Bars, Curve, Forest, Funnel, Heat
from annotator.ui.statistics.grid import CardGrid
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import FigureCard, Sentences, Tiles
from annotator.ui.statistics.popover import explained
from annotator.ui.statistics.retention_items import RetentionItems
from annotator.ui.statistics.retention_parts import ThresholdSlider
from annotator.ui.statistics.runner import Answers
from annotator.ui.statistics.sections import Section
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import number, reason, short_judges
from annotator.ui.widgets import Combo, EmptyState
from annotator.workspace.figures_own import OWN
from annotator.workspace.figures_room import Figure, Question

NARROW: Final = 1080
"""Below this width, cards stand under one another."""
FIELDS: Final = ("scenario", "capability", "modality", "language", "source", "rater", "week")
OF_JUDGES: Final = ("what_if", "table")
CARDS: Final = ("head", "funnel", "rates", "reasons", "what_if", "table")
WIDE: Final = (
    ("head", 0, 0, 12), ("funnel", 1, 0, 4), ("rates", 1, 4, 8), ("reasons", 2, 0, 3), ("what_if", 2, 3, 5),
    ("table", 2, 8, 4),
)  # fmt: skip
EXPLAINED: Final = {
    "head": ("wilson_keep", "verdict_alpha_nominal"), "funnel": ("funnel",), "rates": ("wilson_keep",),
    "reasons": ("reason_",), "what_if": ("judge_keep", "rogan_gladen"), "table": ("judge_keep", "two_by_two"),
}  # fmt: skip


class RetentionSection(Section):
    """Verdicts of dialogues."""

    NAME = "retention"
    FILTERS: ClassVar[tuple[str, ...]] = (
        "scenario", "capability", "modality", "language", "rater", "week", "source", "resamples",
    )  # fmt: skip

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answers: Answers | None = None
        self.field, self.judge = Combo(), Combo()
        self.field.setObjectName("retention_field")
        self.judge.setObjectName("retention_judge")
        self.head, self.reading = Tiles(), Tiles()
        self.funnel, self.rates, self.reasons = Funnel(), Forest(0.0, 1.0, percent=True), Bars()
        self.curve, self.table = Curve((1, 5), (0, 1), percent=True), Heat(square=False)
        self.slider = ThresholdSlider(self.curve)
        self.notices = Sentences()
        charts = (self.head, self.funnel, self.rates, self.reasons, self.curve, self.table)
        self.cards = {name: FigureCard(chart) for name, chart in zip(CARDS, charts, strict=True)}
        self.empty = EmptyState("funnel")
        self._fill()
        self.items = RetentionItems(self)
        self._lay_out()
        self.go_live()

    def _fill(self) -> None:
        for name, card in self.cards.items():
            card.setObjectName(f"card_{name}")
        for field in FIELDS:
            self.field.addItem("", field)
        self.judge.addItem("", "")
        self.cards["rates"].head.insertWidget(3, self.field)
        self.cards["what_if"].head.insertWidget(3, self.judge)
        self.cards["what_if"].body.insertWidget(0, self.reading)
        self.cards["what_if"].body.insertWidget(2, self.slider)
        self.cards["head"].body.insertWidget(1, self.notices)
        self.reading.pointed.connect(self.cards["what_if"].tell)
        self.field.activated.connect(self._field_chosen)
        self.judge.activated.connect(self._moved)
        self.slider.moved.connect(self._moved)

    # --- layout ---------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        self._grid = CardGrid(self.cards, WIDE, NARROW)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(10)
        column.addLayout(self._grid, 1)
        column.addWidget(self.empty)
        for row, stretch in enumerate((0, 3, 4)):  # a tall window is the curve's and the table's
            self._grid.setRowStretch(row, stretch)
        self._grid.fit(self.width())

    # --- questions ------------------------------------------------------------------------------------------------
    def _ask(self, view: View, subject: str, *by: str) -> Question:
        return view.ask(subject, *by, fields=self.FILTERS)

    def pooled(self, view: View) -> Question:
        """All together."""
        return self._ask(view, "retention")

    def parted(self, view: View) -> Question:
        """By the field that is chosen."""
        return self._ask(view, "retention", self.field.currentData() or FIELDS[0])

    def what_if(self, view: View) -> Question:
        """The judge's threshold at every step."""
        return self._ask(view, "what_if")

    def questions(self, view: View) -> tuple[Question, ...]:
        """The rate first."""
        return (self.pooled(view), self.parted(view), self.what_if(view))

    def _field_chosen(self) -> None:
        self._show()
        self.changed.emit()

    def _moved(self) -> None:
        self._show()

    # --- showing --------------------------------------------------------------------------------------------------
    def show_answers(self, view: View, answers: Answers) -> None:
        """Show what is known by now."""
        self.view, self._answers = view, answers
        self._show()

    def _known(self, question: Question) -> Lookup:
        return Lookup(self._answers.get(question) if self._answers is not None else None)

    def _closed(self) -> bool:
        """Whether this rater scores a spot-check blind: what stands on judges is hidden for as long."""
        return self._answers is not None and bool(self._answers.closed)

    def _points(self, question: Question) -> bool:
        return self._answers is not None and not self._answers.whole(question)

    def at(self, name: str, what_if: Lookup | None = None) -> Figure | None:
        """A figure of the what-if at the slider's threshold, of the judge that is chosen."""
        found = self._known(self.what_if(self.view)) if what_if is None else what_if
        judge = str(self.judge.currentData() or "")
        return found.get(f"{name}_{self.slider.threshold():g}", **({"judge": judge} if judge else {}))

    def _show(self) -> None:
        view = self.view
        pooled, what_if = self._known(self.pooled(view)), self._known(self.what_if(view))
        self._fill_judges(what_if.values("judge"))
        keep, at = pooled.get("wilson_keep"), self.at("judge_keep", what_if)
        self.head.points_only = self._points(self.pooled(view))
        self.head.set_tiles(cards.head_tiles(pooled, at, judged=not self._closed()))
        self.funnel.set_stages(cards.stages(pooled))
        self.reasons.set_bars(cards.reason_bars(pooled))
        self._show_rates(keep)
        self._show_what_if(what_if, at, keep)
        self._show_words(pooled, keep, at)

    def _fill_judges(self, judges: Sequence[str]) -> None:
        held = [self.judge.itemData(place) for place in range(1, self.judge.count())]
        if held != list(judges):
            chosen = self.judge.currentData()
            while self.judge.count() > 1:
                self.judge.removeItem(1)
            for judge in judges:
                self.judge.addItem("", judge)
            self.judge.setCurrentIndex(max(0, self.judge.findData(chosen)))
            self._name_judges()
        self.judge.setVisible(len(judges) > 1)

    def _name_judges(self) -> None:
        every = [str(self.judge.itemData(place)) for place in range(1, self.judge.count())]
        names = short_judges(every)
        self.judge.setItemText(0, tr("retention.all_judges"))
        for place, judge in enumerate(every, 1):
            self.judge.setItemText(place, names[judge])

    def _show_rates(self, keep: Figure | None) -> None:
        field, question = self.field.currentData() or FIELDS[0], self.parted(self.view)
        heads = tuple(tr(f"retention.head.{name}") for name in ("kept", "interval", "decided", "open", "bounds"))
        rows = cards.rate_rows(field, self._known(question), keep, self.view.names)
        self.rates.set_rows(rows, heads, points_only=self._points(question))
        self.cards["rates"].legend.set_parts(("band", tr("retention.band")))

    def _show_what_if(self, what_if: Lookup, at: Figure | None, keep: Figure | None) -> None:
        judge = str(self.judge.currentData() or "")
        kept = [
            figure
            for figure in (what_if.get(name, **({"judge": judge} if judge else {})) for name in _names(what_if))
            if figure is not None
        ]
        why = tr("statistics.wait") if at is None else reason(at.why)
        sides = (tr("retention.axis"), tr("retention.would_keep"))
        self.curve.set_lines(cards.curve_lines(kept), sides, why)
        people = tr("retention.people", share=cards.share(keep))
        value = None if keep is None else keep.value
        self.curve.set_level(
            value, keep.low if keep is not None else None, keep.high if keep is not None else None, people
        )
        self.curve.set_at(self.slider.threshold())
        self.reading.set_tiles(cards.reading(at, self.at("rogan_gladen", what_if), keep))
        self.slider.setEnabled(bool(kept))
        sides = (tr("retention.people_side"), tr("retention.judge_side"))
        none = reason(at.why) if at is not None and at.value is None else tr("retention.no_both")
        self.table.set_cells(
            cards.table_cells(at), (tr("retention.people_keep"), tr("retention.people_drop")),
            (tr("retention.judge_keeps"), tr("retention.judge_drops")), sides, none if at is not None else why,
        )  # fmt: skip

    def _show_words(self, pooled: Lookup, keep: Figure | None, at: Figure | None) -> None:
        view = self.view
        notes = dict.fromkeys(CARDS, "")
        notes["head"] = tr("retention.how")
        notes["funnel"] = tr("retention.dialogues")
        notes["rates"] = tr("retention.rates_note")
        lost = pooled.get("reason_content")
        notes["reasons"] = tr("retention.reasons_note", n=lost.n if lost is not None else 0)
        notes["what_if"] = tr("retention.what_if_note")
        notes["table"] = "" if at is None else tr("retention.at_least", t=f"{at.more['threshold']:.2f}")
        hints = {name: tr(f"retention.hint.{name}") for name in CARDS}
        if at is not None and at.value is not None and at.more.get("mcnemar_p") is not None:
            n = sum(at.more["table"].values())
            p = float(at.more["mcnemar_p"])
            said = "< 0.001" if p < 0.001 else f"= {number(p, decimals=3)}"
            hints["table"] = tr("retention.mcnemar", p=said, n=n)
        for name, card in self.cards.items():
            question = self.parted(view) if name == "rates" else self.pooled(view)
            words = {"field": self.field.currentText()} if name == "rates" else {}
            title = tr(f"retention.card.{name}", **words)
            told = explained(title, EXPLAINED[name], self._commands(question, name), [tr("retention.verdict_rule")])
            card.set_card(title, notes[name], told, hints[name])
        nobody = keep is not None and not _heard(pooled)
        closed = self._closed()  # the strip above says why
        for name, card in self.cards.items():
            card.setVisible(not (closed and name in OF_JUDGES) and not (nobody and name == "head"))
        self.empty.setVisible(nobody)
        self.empty.set_texts(tr("retention.empty"), tr("retention.empty_why"))
        found = self._answers.get(self.pooled(view)) if self._answers is not None else None
        told_notes = [
            ("info", tr("retention.own_alone") if note == OWN else reason(note))
            for note in (found.notes if found is not None else ())
        ]
        if keep is not None and not nobody and not closed:
            told_notes.append(("text2", tr("retention.published")))
        self.notices.set_sentences(told_notes)

    def _commands(self, question: Question, name: str) -> list[str]:
        if self._answers is None:
            return []
        if name in ("what_if", "table"):
            question = self._ask(self.view, "retention", "judge")
        return [question.command(self._answers.folder)]

    def facts(self, answers: Answers) -> list[tuple[str, str]]:
        """What is in this view."""
        pooled = self._known(self.pooled(self.view))
        keep = pooled.get("wilson_keep")
        if keep is None:
            return []
        imported = pooled.get("funnel_imported")
        return [
            (tr("retention.fact.imported"), str(int(imported.value)) if imported is not None else ""),
            (tr("retention.fact.decided"), str(keep.n)),
            (tr("retention.fact.undecided"), str(keep.more.get("undecided", 0))),
        ]

    def remeasure(self) -> None:
        """Not narrower than its charts."""
        super().remeasure()
        self.setMinimumWidth(density.scaled(560))

    def retranslate(self) -> None:
        """Read the texts again."""
        for place, field in enumerate(FIELDS):
            self.field.setItemText(place, tr(f"statistics.field.{field}"))
        self.field.setAccessibleName(tr("retention.by_field"))
        self.judge.setAccessibleName(tr("statistics.field.judge"))
        self._name_judges()
        if self._answers is not None:  # before, there is nothing that could be shown in any language
            self._show()


def _names(what_if: Lookup) -> list[str]:
    """`judge_keep_<t>` of all steps, rising."""
    return [name for name in what_if.names() if name.startswith("judge_keep_")]


def _heard(pooled: Lookup) -> bool:
    heard = pooled.get("funnel_heard")
    return heard is not None and bool(heard.value)
