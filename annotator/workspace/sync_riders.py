"""Error attributions and drawn spot-checks: what else rides along in bundles, so that a lead's draw reaches raters.

Each is told apart by its content: a bundle carries what the folder lacks, and what is here already is not taken twice.
Nothing of it is handed to a rater: on a rater's device it goes where blind connections may not read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from annotator.domain.base import content_hash
from annotator.domain.ids import REFERENCE, item_id
from annotator.domain.judge import Attribution, JudgeRecord
from annotator.domain.labels import turn_index
from annotator.domain.report import ImportReport
from annotator.store import ImportWriter, Store
from annotator.store.attributions import AttributionWriter
from annotator.workspace.spots import keep_draw
from annotator.workspace.sync_views import Told

ATTRIBUTION: Final = "a"
DRAW: Final = "d"
Line = list[Any]


def attribution_name(one: Attribution) -> str:
    """What tells an attribution from others: its judgement, its program and its content."""
    return content_hash([one.judgement_id, one.judge, one.raw])[:16]


def all_attributions(store: Store) -> list[tuple[str, Line]]:
    """(name, line) of all that count and of those that wait for their dialogue."""
    with store.database.seeing():  # bundles carry them; no rater reads a bundle
        held = [
            (head.item_id, one) for head in store.items.heads("dialogue") for one in store.attributions.of(head.item_id)
        ]
        held += [("", one) for one in store.attributions.waiting()]
    return [(attribution_name(one), [ATTRIBUTION, item, one.model_dump(mode="json")]) for item, one in held]


def all_draws(store: Store) -> list[tuple[str, Line]]:
    """(name, line) of all spot-checks that were drawn."""
    with store.database.seeing():
        return [(digest, [DRAW, body]) for digest, body in sorted(store.spots.bodies().items())]


def is_there(store: Store, writer: ImportWriter, item: str, about: Attribution | JudgeRecord) -> bool:
    """Whether what a travelled record is about is in the workspace; the rest waits for the import that brings it."""
    head = store.items.head(item) if item else None
    if head is None:
        return False
    index = turn_index(about.target)
    fits = index is None or index < head.parts
    return fits and (about.responder == REFERENCE or writer.known_responder(item, about.responder) is not None)


@dataclass(slots=True)
class OtherRiders:
    """Takes attributions and draws, and says which of them a folder lacks.

    Attributes:
        seen: the names of those that lie in the folder.
        attributions, draws: taken in; `differ`: attributions left out, since another text is here under their id.
        notices: what is to be told.
    """

    store: Store
    seen: set[str] = field(default_factory=set)
    attributions: int = 0
    waiting: int = 0
    draws: int = 0
    differ: int = 0
    unknown: int = 0
    notices: list[Told] = field(default_factory=list)

    def to_send(self, *, imports: bool) -> list[tuple[str, Line]]:
        """What the folder lacks; attributions only where something was imported since the last time (`imports`)."""
        held = [*all_draws(self.store), *(all_attributions(self.store) if imports else ())]
        return [(name, line) for name, line in held if name not in self.seen]

    def take(self, lines: Iterable[Sequence[Any]], source: str) -> None:
        """Take the lines of one bundle; attributions go through an import of their own.

        Raises:
            WorldError: an import is running, or it could not be saved.
        """
        found: dict[str, tuple[str, Attribution]] = {}
        for line in lines:
            try:
                if line[0] == DRAW:
                    self._draw(line[1])
                else:
                    one = Attribution.model_validate(line[2])
                    named = item_id("dialogue", one.source_id, one.modality) if one.modality else ""
                    found[attribution_name(one)] = (str(line[1]) or named, one)
            except (IndexError, KeyError, TypeError, ValueError, ValidationError):
                self.unknown += 1
        new = {name: held for name, held in found.items() if name not in self.seen}
        if new:
            self._import(list(new.values()), source)
            self.seen.update(new)

    def _draw(self, body: dict[str, Any]) -> None:
        for unit in body["units"]:
            *place, weight = unit
            if len(place) != 3 or not all(isinstance(part, str) for part in place) or not float(weight) > 0:
                raise ValueError("no drawn unit")
        named = keep_draw(self.store, {**body, "project": str(body["project"]), "strata": list(body["strata"])})
        self.seen.add(content_hash(body))
        self.draws += bool(named)
        if len(named) > 1:
            names = ", ".join(sorted(named.values()))
            why = f"Several devices drew a spot-check of the same name; they are told apart here and there as {names}."
            self.notices.append(Told("spot_names", why, names))

    def _import(self, found: Sequence[tuple[str, Attribution]], source: str) -> None:
        report, differ = ImportReport(kind="attributions", source=source, attributions=len(found)), 0
        with self.store.imports.begin("attributions", source) as writer:
            own = AttributionWriter(self.store.database, writer)
            known = own.known()
            for item, one in found:
                before = known.get((one.judgement_id, one.judge))
                if before is not None:
                    differ += before != content_hash(one.raw)
                elif is_there(self.store, writer, item, one):
                    own.put(item, one)
                    report.matched += 1
                else:
                    own.put_waiting(one)
                    report.waiting += 1
            report.new = report.matched + report.waiting
            report.unchanged = len(found) - report.new - differ
            report.accepted = report.new + report.unchanged
            if report.new:
                writer.publish(report)
        self.attributions += report.new
        self.waiting += report.waiting
        self.differ += differ
        if differ:
            why = f"{differ} error attributions have another text here; what was here stays."
            self.notices.append(Told("attributions_differ", why, source, differ))
