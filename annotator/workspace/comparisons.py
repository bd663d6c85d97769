"""Comparisons through the one door: the queue, one comparison as a rater may see it, what is said, and its review.

Names are hidden, what a source says of its responses never leaves this module, and the order of responses is shuffled
for each rater by the project's seed; the order is stored with each label, which is itself in source order.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

from annotator.domain.comparisons import Comparison, shown_order
from annotator.domain.comparisons_masking import masked, self_names
from annotator.domain.comparisons_sheet import ComparisonSheet
from annotator.domain.ids import REFERENCE, uuid7
from annotator.domain.ids import item_id as make_id
from annotator.errors import WorldError
from annotator.store import CurrentLabel, Draft, ItemHead
from annotator.workspace.comparisons_making import PREFIX, SEED, order_seed, projects, workspace_seed
from annotator.workspace.comparisons_place import place_of
from annotator.workspace.comparisons_said import (
    OWN_PHASES,
    RUBRIC,
    check_intent,
    labels_by_item,
    reasons_wanted,
    reviews_of,
    sheets_of,
    shown_mark,
    status_of,
)
from annotator.workspace.comparisons_views import (
    ComparisonFilter,
    ComparisonQueueView,
    ComparisonRow,
    ComparisonView,
    ShownResponse,
)
from annotator.workspace.intake_comparisons import REPEAT
from annotator.workspace.onshow import OnShow
from annotator.workspace.saying import forget_drafts
from annotator.workspace.undo import FACTS
from annotator.workspace.views import Changes, Intent, asset_path
from annotator.workspace.workspace import Workspace

UNMASKED: Final = "unmasked"
SAW_OTHERS: Final = "flag:saw_others"


class Comparisons:
    """The comparisons of an open workspace, for its rater; safe to call from several threads."""

    def __init__(self, workspace: Workspace) -> None:
        """Nothing is read until it is asked for."""
        self._workspace = workspace
        self._store = workspace.store
        self._lock = threading.RLock()
        self._rows: dict[str, ComparisonRow] | None = None

    @property
    def rater(self) -> str:
        """Whose labels are made here."""
        return self._workspace.rater

    def count(self) -> int:
        """How many comparisons the workspace holds."""
        return self._store.items.count("comparison")

    # --------------------------------------------------------------------------------------------------- the project
    @property
    def seed(self) -> int:
        """What the shown order is made from, where no set says so."""
        return workspace_seed(self._store)

    def set_seed(self, seed: int) -> None:
        """Choose it; orders stored with earlier labels stay what they were."""
        self._store.desk.set(SEED, seed)

    @property
    def reasons(self) -> bool:
        """Whether a reason is asked for with each response and with the ranking."""
        return reasons_wanted(self._store)

    def set_reasons(self, wanted: bool) -> None:
        """Choose it, for everybody."""
        self._store.desk.set("comparison_reasons", wanted)
        with self._lock:
            self._rows = None

    def projects(self) -> list[str]:
        """The sets that were made from dialogues."""
        return projects(self._store)

    # ----------------------------------------------------------------------------------------------------- the queue
    def queue(self, wanted: ComparisonFilter, *, fresh: bool = False) -> ComparisonQueueView:
        """The filtered rows with counts over all; `fresh` reads everything again (after an import)."""
        with self._lock:
            rows = self._all_rows(fresh)
            hits = {item for item, _ in self._store.items.search(wanted.search)} if wanted.search else None
            mine = self._items_of(wanted.project) if wanted.project else None
            shown = tuple(
                row
                for row in rows.values()
                if wanted.accepts(row)
                and (hits is None or row.item_id in hits)
                and (mine is None or row.item_id in mine)
            )
            complete = sum(row.finished for row in rows.values())
            return ComparisonQueueView(shown, len(rows), complete, self._facets(rows.values()))

    def _items_of(self, project: str) -> set[str]:
        held = self._store.desk.get(PREFIX + project, {})
        return {*held.get("items", ()), *held.get("repeats", ())}

    def _facets(self, rows: Collection[ComparisonRow]) -> dict[str, Counter[str]]:
        found = {name: Counter(getattr(row, name) for row in rows) for name in ("status", "subset", "form")}
        found["project"] = Counter({name: len(self._items_of(name)) for name in self.projects()})
        return found

    def _all_rows(self, fresh: bool) -> dict[str, ComparisonRow]:
        if self._rows is None or fresh:
            said = labels_by_item(self._store)
            heads = _apart(self._store.items.heads("comparison"))
            self._rows = {head.item_id: self._row(head, said.get(head.item_id, [])) for head in heads}
        return self._rows

    def _row(self, head: ItemHead, labels: Sequence[CurrentLabel]) -> ComparisonRow:
        return ComparisonRow(
            item_id=head.item_id,
            source_id=head.source_id.removesuffix("#again") if REPEAT in head.categories else head.source_id,
            title=head.title,
            form=head.categories[0] if head.categories else "",
            subset=head.scenario,
            modality=head.modality,
            responses=head.parts,
            status=status_of(head.item_id, head.parts, labels, self.rater, reasons=self.reasons),
            missing_media=head.missing,
        )

    def row(self, item_id: str) -> ComparisonRow:
        """One row as it stands now; the queue's copy is refreshed with it.

        Raises:
            WorldError: no such comparison.
        """
        head = self._store.items.head(item_id)
        if head is None or head.kind != "comparison":
            raise WorldError(f'There is no comparison "{item_id}" in this workspace.', code="unknown_item")
        with self._lock:
            row = self._row(head, self._store.labels.current(item_id=item_id))
            if self._rows is not None and item_id in self._rows:
                self._rows[item_id] = row
            return row

    # ------------------------------------------------------------------------------------------------ one comparison
    def comparison(self, item_id: str) -> ComparisonView:
        """One comparison as this rater may see it now.

        Raises:
            WorldError: no such comparison.
        """
        row = self.row(item_id)
        held = self._comparison(item_id)
        labels = self._store.labels.current(item_id=item_id)
        sheet = self._sheet(held, labels, self.rater)
        order = shown_order(held, self.rater, order_seed(self._store, held))
        return ComparisonView(
            row=row,
            prompt=held.prompt,
            reference=None if any(r.responder == REFERENCE for r in held.responses) else held.reference,
            media=tuple((asset, asset_path(asset)) for asset in held.media),
            responses=tuple(self._shown(held, sheet, place, at) for at, place in enumerate(order)),
            order=order,
            sheet=sheet,
            contradictions=sheet.contradictions(),
            reviews=reviews_of(labels, self.rater),
            dialogue=held.dialogue,
            turn=held.turn,
            evaluation_only=held.evaluation_only,
            read_only=self._store.read_only and not isinstance(self._workspace, OnShow),
            place=place_of(self._workspace, held),
            names_hidden=self._workspace.hide_names,
            drafts=self._store.desk.drafts(self.rater, item_id, ""),
        )

    def _comparison(self, item_id: str) -> Comparison:
        return Comparison.model_validate(self._store.items.body(item_id))

    def _sheet(self, held: Comparison, labels: Sequence[CurrentLabel], rater: str) -> ComparisonSheet:
        count = len(held.responses)
        found = sheets_of(held.item_id, count, labels, reasons=self.reasons).get(rater)
        return found or ComparisonSheet(held.item_id, rater, count, self.reasons)

    def sheet_of(self, item_id: str, rater: str) -> ComparisonSheet:
        """What a rater said, for a reviewer."""
        return self._sheet(self._comparison(item_id), self._store.labels.current(item_id=item_id), rater)

    def _shown(self, held: Comparison, sheet: ComparisonSheet, place: int, at: int) -> ShownResponse:
        response = held.responses[place]
        open_ = not self._workspace.hide_names
        looked = _looked(sheet, place)
        return ShownResponse(
            place=place,
            letter=chr(ord("A") + at),
            text=response.text if open_ or looked else masked(response.text),
            covered=0 if open_ or looked else len(self_names(response.text)),
            unmasked=looked,
            responder=response.responder if open_ else None,
        )

    # ---------------------------------------------------------------------------------------------- what is said
    def say(self, item_id: str, intents: Sequence[Intent], active_ms: int = 0, lang: str = "") -> Changes:
        """Append statements as one transaction; returns when they are durable.

        The phase follows from what the rater could see: `revised` after a review, `open` where names were seen, else
        `blind`. Values that stand already are not said again; None withdraws in whichever phase a value stands.

        Raises:
            WorldError: nothing was saved (a value that does not fit, disk full, read only).
        """
        with self._lock:
            held = self._comparison(item_id)
            labels = self._store.labels.current(item_id=item_id)
            sheet = self._sheet(held, labels, self.rater)
            phase = self._phase(held, sheet, labels)
            extra = shown_mark(held, self.rater, order_seed(self._store, held), uuid7() if len(intents) > 1 else "")
            drafts: list[Draft] = []
            for intent in intents:
                check_intent(held, intent)
                for at in self._phases_of(intent, sheet, labels, phase):
                    spent = 0 if drafts else active_ms
                    drafts.append(
                        Draft(
                            rater=self.rater,
                            item_id=item_id,
                            target=intent.target,
                            field=intent.field,
                            value=intent.value,
                            phase=at,
                            rubric=RUBRIC,
                            lang=lang,
                            active_ms=spent,
                            extra=extra,
                        )
                    )
            changes = self._workspace.append(drafts) if drafts else Changes()
            forget_drafts(self._store, self.rater, item_id, "", intents)
            if not drafts:
                return changes
            self.row(item_id)
            return changes

    def look_beneath(self, item_id: str, place: int, lang: str = "") -> Changes:
        """Show the names covered in a response: an event, and what is said from now on is `open`."""
        return self.say(item_id, [Intent(f"response:{place}", "peek", {UNMASKED: True})], lang=lang)

    def _phase(self, held: Comparison, sheet: ComparisonSheet, labels: Sequence[CurrentLabel]) -> str:
        if reviews_of(labels, self.rater):
            return "revised"
        looked = bool(sheet.value("item", SAW_OTHERS)) or any(
            _looked(sheet, place) for place in range(len(held.responses))
        )
        return "open" if looked or not self._workspace.hide_names else "blind"

    def _phases_of(
        self, intent: Intent, sheet: ComparisonSheet, labels: Sequence[CurrentLabel], phase: str
    ) -> tuple[str, ...]:
        """The phases in which an intent has to be said; none where it stands already."""
        if intent.value is None:
            return tuple(
                c.current.key.phase
                for c in labels
                if c.current.key[:1] == (self.rater,)
                and (c.current.key.target, c.current.key.field) == (intent.target, intent.field)
                and c.current.key.phase in OWN_PHASES
                and (c.current.value is not None or c.current.in_conflict)
            )
        standing = sheet.cell(intent.target, intent.field)
        same = standing.value == intent.value and not standing.stale and not standing.conflict
        return () if same and intent.field not in FACTS else (phase,)


def _looked(sheet: ComparisonSheet, place: int) -> bool:
    value: Any = sheet.value(f"response:{place}", "peek")
    return isinstance(value, dict) and bool(value.get(UNMASKED))


def _apart(heads: Sequence[ItemHead]) -> list[ItemHead]:
    """The queue's order: as imported, each hidden repeat half a queue behind the item that it shows again."""
    first = [head for head in heads if REPEAT not in head.categories]
    at = {make_id("comparison", head.item_id, REPEAT): place for place, head in enumerate(first)}
    half = len(first) / 2
    key = {head.item_id: (float(place), 0) for place, head in enumerate(first)}
    key |= {item: (place + half, 1) for item, place in at.items()}
    return sorted(heads, key=lambda head: key.get(head.item_id, (float(len(first)), 1)))
