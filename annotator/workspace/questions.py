"""Questions through the one door: the queue, one question as a rater may see it, and what the rater says of it.

Blind first: until the rater's own answer is durable, nothing of key, findings or predictions leaves this module, unless
the project is in its open phase. Which phase a statement belongs to is decided here, by what its maker could see.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from annotator.domain import labels as label_rules
from annotator.domain.ids import uuid7
from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import (
    FACETS,
    NO_LETTER,
    QuestionFilter,
    QuestionRow,
    QuestionSheet,
    question_facets,
)
from annotator.domain.questions import Prediction, Question, box_share
from annotator.domain.queue import fold_text
from annotator.errors import WorldError
from annotator.store import Draft
from annotator.workspace.questions_blind import PHASE, ProjectPhase, open_for, phase_of
from annotator.workspace.questions_pictures import picture_path
from annotator.workspace.questions_said import Said, row_of, said_of
from annotator.workspace.questions_views import Other, PredictionView, QuestionQueueView, QuestionView
from annotator.workspace.saying import forget_drafts
from annotator.workspace.undo import FACTS, Mark
from annotator.workspace.views import Changes, Intent
from annotator.workspace.workspace import Workspace

__all__ = ["Other", "PredictionView", "QuestionQueueView", "QuestionView", "Questions"]

RUBRIC: Final = "question@1"
# What cannot be said of a key that was not seen.
_AFTER_ANSWER: Final = ("key_verdict", "key_letter", "letter:")


class Questions:
    """The questions of an open workspace, for its rater; safe to call from several threads."""

    def __init__(self, workspace: Workspace) -> None:
        """Nothing is read until it is asked for."""
        self._workspace = workspace
        self._store = workspace.store
        self._lock = threading.RLock()
        self._rows: dict[str, QuestionRow] | None = None
        self._facets: dict[str, Counter[str]] = {}
        self._disagreeing: dict[str, tuple[str, ...]] = {}
        self._texts: dict[str, str] | None = None

    @property
    def rater(self) -> str:
        """Whose answers are made here."""
        return self._workspace.rater

    def count(self) -> int:
        """How many questions the workspace holds."""
        return self._store.items.count("question")

    # ------------------------------------------------------------------------------------------------- the project
    @property
    def phase(self) -> ProjectPhase:
        """`blind`: the key is seen after the answer; `open`: from the beginning, for all or for this rater."""
        return phase_of(self._store, self.rater)

    def set_phase(self, phase: ProjectPhase) -> None:
        """Choose it, for everybody.

        Raises:
            WorldError: when the workspace cannot be written.
        """
        self._store.desk.set(PHASE, phase)
        with self._lock:
            self._rows = None

    def look_at_all(self) -> None:
        """See keys and outputs of all questions: this rater answers none of them blind any more.

        Raises:
            WorldError: when the workspace cannot be written.
        """
        open_for(self._store, self.rater)
        with self._lock:
            self._rows = None

    # --------------------------------------------------------------------------------------------------- the queue
    def queue(self, wanted: QuestionFilter, *, fresh: bool = False) -> QuestionQueueView:
        """The filtered rows with counts over all; `fresh` reads everything again (after an import)."""
        with self._lock:
            rows = self._all_rows(fresh)
            hits = self._hits(wanted.search) if wanted.search else None
            shown = wanted.chosen(rows.values() if hits is None else [rows[i] for i in rows if i in hits])
            if wanted.letters_open:
                shown.sort(key=lambda r: -r.letters_open)
            complete = self._facets["status"]["complete"]
            return QuestionQueueView(
                tuple(shown), len(rows), complete, {n: Counter(c) for n, c in self._facets.items()}
            )

    def _hits(self, search: str) -> set[str]:
        """Where a text stands; the folded texts are read once, since a search goes on with each letter typed."""
        if self._texts is None:
            self._texts = self._store.items.search_texts("question")
        needle = fold_text(search)
        return {item for item, text in self._texts.items() if needle in text}

    def row(self, item_id: str) -> QuestionRow | None:
        """One row as it stands now; the queue's copy is refreshed with it."""
        with self._lock:
            head = self._store.items.head(item_id)
            if head is None or head.kind != "question":
                return None
            if self._rows is None:
                self._all_rows(False)
            said = self._said(item_id)
            row = row_of(head, said, self.rater, self._disagreeing.get(item_id, ()), open_phase=self.phase == "open")
            self._replace(row)
            return row

    def _all_rows(self, fresh: bool) -> dict[str, QuestionRow]:
        if self._rows is None or fresh:
            self._texts = None
            said = said_of(self._store.labels.current())
            self._disagreeing = self._store.predictions.disagreements()
            is_open = self.phase == "open"
            self._rows = {
                h.item_id: row_of(
                    h, said.get(h.item_id), self.rater, self._disagreeing.get(h.item_id, ()), open_phase=is_open
                )
                for h in self._store.items.heads("question")
            }
            self._facets = question_facets(self._rows.values())
        return self._rows

    def _replace(self, row: QuestionRow) -> None:
        rows = self._rows
        old = rows.get(row.item_id) if rows is not None else None
        if rows is None or old is None:
            return
        for name in FACETS:
            self._facets[name][getattr(old, name)] -= 1
            self._facets[name][getattr(row, name)] += 1
        rows[row.item_id] = row

    def _said(self, item_id: str) -> Said:
        return said_of(self._store.labels.current(item_id=item_id)).get(item_id, Said())

    # ------------------------------------------------------------------------------------------------ one question
    def question(self, item_id: str) -> QuestionView:
        """One question as this rater may see it now.

        Raises:
            WorldError: no such question.
        """
        question = self._question(item_id)
        row = self.row(item_id)
        if row is None:
            raise WorldError(f'There is no question "{item_id}" in this workspace.', code="unknown_item")
        said = self._said(item_id)
        sheet = said.sheet(item_id, self.rater)
        revealed = sheet.answered or self.phase == "open"
        verdicts = said.verdicts(item_id)
        others = tuple(Other(r, *v) for r, v in sorted(verdicts.items()) if r != self.rater)
        evidence = sheet.value("evidence")
        shown = question if revealed else question.model_copy(update={"key": None, "key_raw": "", "findings": ()})
        return QuestionView(
            row=row,
            question=shown,
            image_path=picture_path(question.image, self._store.folder),
            sheet=sheet,
            revealed=revealed,
            predictions=self._predictions(question, sheet) if revealed else (),
            cross=row.cross,
            others=others if self.rater in verdicts else (),
            share=evidence.get("share") if isinstance(evidence, dict) and sheet.value("box") is not None else None,
            share_bound=question.share_bound,
            read_only=self._store.read_only,
            drafts=self._store.desk.drafts(self.rater, item_id, ""),
            answer_ms=self._answer_ms(item_id) if sheet.answered else None,
            n_findings=len(question.findings),
            n_predictions=self._store.predictions.count_of(item_id),
        )

    def _answer_ms(self, item_id: str) -> int | None:
        """The time that belongs to this rater's first answer; none for what came from elsewhere without it."""
        events = self._store.labels.events(item_id=item_id, rater=self.rater)
        first = next((e for e in events if e.field == "answer" and e.value is not None), None)
        return first.active_ms if first is not None and first.active_ms else None

    def _question(self, item_id: str) -> Question:
        return Question.model_validate(self._store.items.body(item_id))

    def _predictions(self, question: Question, sheet: QuestionSheet) -> tuple[PredictionView, ...]:
        aliases = self._store.desk.aliases(self.rater)
        hide, spoken = self._workspace.hide_names, sheet.letters()
        views = [
            _view(p, aliases.get(p.model, "?") if hide else p.model, spoken, question.key)
            for p in self._store.predictions.of(question.item_id)
        ]
        return tuple(sorted(views, key=lambda v: (len(v.alias), v.alias) if hide else (0, v.alias)))

    def next_letter(self, item_id: str, after_model: str | None = None) -> str | None:
        """The next model whose letter this rater has not said, behind `after_model` and then from the top.

        Outputs that the profiles read differently come first. None while blind, and where all is said.
        """
        views = self.question(item_id).predictions
        ordered = [v.model for v in sorted(views, key=lambda v: not v.disagree)]
        wanted = {v.model for v in views if not v.said}
        start = ordered.index(after_model) + 1 if after_model in ordered else 0
        return next((m for m in [*ordered[start:], *ordered[:start]] if m in wanted), None)

    def evidence(self, item_id: str, box: Sequence[float], width_px: int, height_px: int) -> dict[str, Any]:
        """The value of the field `evidence` that belongs to a box: which picture, and how much of it is covered."""
        question = self._question(item_id)
        image = question.image
        return {
            "asset": None if image is None else image.raw or image.inside,
            "time": None,
            "frame": None,
            "box": list(box),
            "share": round(box_share(box, width_px, height_px), 6),
            "bound": question.share_bound,
            "width": width_px,
            "height": height_px,
        }

    # ---------------------------------------------------------------------------------------------- what is said
    def say(self, item_id: str, intents: Sequence[Intent], active_ms: int = 0, lang: str = "") -> Changes:
        """Append statements as one transaction; returns when they are durable.

        A first answer is `blind`; said again it is `revised`, since the key was seen in between. What is said of the
        key and of models' outputs is `open`. Values that stand already are not said again.

        Raises:
            WorldError: nothing was saved (the answer is missing, a value that does not fit, disk full, read only).
        """
        with self._lock:
            said = self._said(item_id)
            sheet = said.sheet(item_id, self.rater)
            answering = any(i.field == "answer" and i.value is not None for i in intents)
            group = uuid7() if len(intents) > 1 else ""
            drafts: list[Draft] = []
            for intent in intents:
                phase = self._phase_of(intent, item_id, sheet, answering)
                held = said.cells.get(self.rater, {}).get(phase, {}).get(intent.field)
                standing = sheet.cell(intent.field)
                settled = not standing.stale and not standing.conflict
                same = settled and standing.value == intent.value and (standing.value is not None or held is None)
                if same and intent.field not in FACTS:
                    continue
                drafts.append(self._draft(item_id, intent, phase, 0 if drafts else active_ms, lang, group))
            changes = self._workspace.append(drafts) if drafts else Changes()
            forget_drafts(self._store, self.rater, item_id, "", intents)
            if not drafts:
                return changes
            self.row(item_id)
            return changes

    def _phase_of(self, intent: Intent, item_id: str, sheet: QuestionSheet, answering: bool) -> str:
        if self.phase == "open":
            return "open"
        if intent.field == "answer":
            before = any(e.field == "answer" for e in self._store.labels.events(item_id=item_id, rater=self.rater))
            return "revised" if before else "blind"
        if sheet.answered or answering:
            return "open" if sheet.answered or intent.field.startswith(_AFTER_ANSWER) else "blind"
        if intent.field.startswith(_AFTER_ANSWER) and intent.value is not None:
            raise WorldError("Answer the question first: the key is judged after your own answer.", code="blind")
        return "blind"

    def _draft(self, item_id: str, intent: Intent, phase: str, active_ms: int, lang: str, group: str) -> Draft:
        try:
            label_rules.check_target("question", intent.target, 0)
            label_rules.check_value(intent.target, intent.field, intent.value)
        except label_rules.LabelError as error:
            raise WorldError(f"Not saved: {error}.") from error
        return Draft(
            rater=self.rater, item_id=item_id, target=intent.target, field=intent.field, value=intent.value,
            phase=phase, rubric=RUBRIC, lang=lang, active_ms=active_ms, extra=Mark(group=group).text(),
        )  # fmt: skip


def _view(prediction: Prediction, alias: str, spoken: dict[str, str | None], key: str | None) -> PredictionView:
    said = prediction.model in spoken
    letter = spoken.get(prediction.model)
    return PredictionView(
        model=prediction.model,
        alias=alias,
        output=prediction.output,
        state=prediction.state,
        official=prediction.official,
        vlmevalkit=prediction.vlmevalkit,
        careful=prediction.careful,
        confirmed=None if letter == NO_LETTER else letter,
        said=said,
        right={profile: key is not None and prediction.letter(profile) == key for profile in PROFILES},
        disagree=prediction.disagree,
        claims=prediction.claims,
    )
