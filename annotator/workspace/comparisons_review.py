"""The reviewer of comparisons: accepts, corrects or returns each rater's labels, with a comment."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from annotator.domain.comparisons import Comparison
from annotator.domain.comparisons_sheet import Review, ReviewState
from annotator.domain.ids import uuid7
from annotator.errors import WorldError
from annotator.store import Draft
from annotator.workspace.comparisons import SAW_OTHERS, Comparisons
from annotator.workspace.comparisons_making import order_seed
from annotator.workspace.comparisons_said import (
    REVIEW,
    RUBRIC,
    SETTLED,
    check_intent,
    heads_of,
    is_returned,
    labels_by_item,
    reviews_of,
    sheets_of,
    shown_mark,
)
from annotator.workspace.comparisons_views import Reviewed, ReviewRow
from annotator.workspace.views import Changes, Intent
from annotator.workspace.workspace import Workspace

REVIEWERS: Final = "comparison_reviewers"


class ComparisonReviews:
    """Other raters' labels on comparisons, for the workspace's rater as their reviewer."""

    def __init__(self, workspace: Workspace, comparisons: Comparisons) -> None:
        """`comparisons` are those of the same workspace; their rows follow what is said here."""
        self._workspace = workspace
        self._store = workspace.store
        self._comparisons = comparisons
        self._lock = threading.RLock()

    @property
    def comparisons(self) -> Comparisons:
        """The comparisons whose labels are reviewed."""
        return self._comparisons

    @property
    def rater(self) -> str:
        """Who reviews."""
        return self._workspace.rater

    # ------------------------------------------------------------------------------------------------------ the role
    @property
    def is_reviewer(self) -> bool:
        """Whether this person has taken the reviewer's part in this workspace."""
        held = self._store.desk.get(REVIEWERS, [])
        return isinstance(held, list) and self.rater in held

    def set_reviewer(self, on: bool) -> None:
        """Take the reviewer's part, or lay it down."""
        held = self._store.desk.get(REVIEWERS, [])
        others = {str(name) for name in held if name != self.rater} if isinstance(held, list) else set()
        self._store.desk.set(REVIEWERS, sorted(others | ({self.rater} if on else set())))

    # --------------------------------------------------------------------------------------------- what there is to see
    def of_item(self, item_id: str) -> tuple[Reviewed, ...]:
        """Everybody else's labels on one item, those that nobody reviewed since they were said first."""
        held = Comparison.model_validate(self._store.items.body(item_id))
        labels = self._store.labels.current(item_id=item_id)
        found = []
        sheets = sheets_of(item_id, len(held.responses), labels, reasons=self._comparisons.reasons)
        for rater, sheet in sheets.items():
            heads = heads_of(labels, rater)
            if rater == self.rater or not heads:
                continue
            reviews = reviews_of(labels, rater)
            fresh = not reviews or set(reviews[-1].of) != set(heads)
            found.append(Reviewed(rater, sheet, sheet.status(is_returned(labels, rater)), reviews, fresh))
        return tuple(sorted(found, key=lambda one: (not one.fresh, one.rater)))

    def look(self, item_id: str, lang: str = "") -> tuple[Reviewed, ...]:
        """The same, to be shown: that they were seen is an event, and what this person says from now on is `open`."""
        found = self.of_item(item_id)
        if found and not self._store.read_only:
            self._comparisons.say(item_id, [Intent("item", SAW_OTHERS, True)], lang=lang)
        return found

    def to_review(self) -> tuple[ReviewRow, ...]:
        """Each other rater's labels on each item, those that nobody reviewed since they were said first."""
        heads = {head.item_id: head for head in self._store.items.heads("comparison")}
        found: list[tuple[bool, ReviewRow]] = []
        for item, labels in labels_by_item(self._store).items():
            head = heads.get(item)
            for rater, sheet in (
                sheets_of(item, head.parts, labels, reasons=self._comparisons.reasons).items() if head else ()
            ):
                if rater == self.rater or head is None or not heads_of(labels, rater):
                    continue
                latest = next(reversed(reviews_of(labels, rater)), None)
                fresh = latest is None or set(latest.of) != set(heads_of(labels, rater))
                status = sheet.status(is_returned(labels, rater))
                found.append((not fresh, ReviewRow(item, rater, head.title, status, latest, fresh)))
        return tuple(row for _, row in sorted(found, key=lambda pair: (pair[0], pair[1].rater, pair[1].item_id)))

    def review(
        self,
        item_id: str,
        rater: str,
        state: ReviewState,
        comment: str = "",
        corrections: Sequence[Intent] = (),
        lang: str = "",
    ) -> Changes:
        """Accept, correct or return a rater's labels; corrections are said as settled, the rater's stay as they are.

        Raises:
            WorldError: own labels, nothing to review, a return without a comment, a correction without a value.
        """
        with self._lock:
            held = Comparison.model_validate(self._store.items.body(item_id))
            heads = heads_of(self._store.labels.current(item_id=item_id), rater)
            if rater == self.rater:
                raise WorldError("Nobody reviews their own labels: let somebody else do it.", code="review")
            if not heads:
                raise WorldError(f"{rater} said nothing of this comparison: there is nothing to review.", code="review")
            if state == "returned" and not comment.strip():
                raise WorldError("Say why it goes back: a return needs a comment.", code="review")
            if (state == "corrected") != bool(corrections):
                raise WorldError("A correction says what is right, and nothing else does.", code="review")
            for intent in corrections:
                check_intent(held, intent)
            extra = shown_mark(held, self.rater, order_seed(self._store, held), uuid7())
            value = Review(self.rater, state, comment.strip(), heads).value()
            said = [(Intent("item", REVIEW + rater, value), "open"), *((intent, SETTLED) for intent in corrections)]
            drafts = [
                Draft(
                    rater=self.rater, item_id=item_id, target=intent.target, field=intent.field, value=intent.value,
                    phase=phase, rubric=RUBRIC, lang=lang, extra=extra,
                )
                for intent, phase in said
            ]  # fmt: skip
            changes = self._workspace.append(drafts)
            self._comparisons.row(item_id)
            return changes
