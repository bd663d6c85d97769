"""Error attributions into the workspace: joined to dialogue and turn in any order, the last of a judgement counting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from annotator.cancel import check
from annotator.domain.base import content_hash
from annotator.domain.judge import Attribution
from annotator.domain.report import ReportLine
from annotator.importers.attributions import AttributionFound
from annotator.store.attributions import AttributionWriter
from annotator.workspace.intake import Run
from annotator.workspace.intake_judges import JudgeIntake


@dataclass(slots=True)
class _Held:
    """The last record of one judgement, and how it relates to what was there."""

    found: AttributionFound
    item: str | None
    digest: str
    records: int


@dataclass(slots=True)
class AttributionIntake:
    """Takes the records of attribution files; written at the end, when the last of each judgement is known."""

    run: Run
    judges: JudgeIntake
    _held: dict[tuple[str, str], _Held] = field(default_factory=dict)
    _writer: AttributionWriter | None = None

    @property
    def writer(self) -> AttributionWriter:
        """Writes them in this import."""
        if self._writer is None:
            self._writer = AttributionWriter(self.run.store.database, self.run.writer)
        return self._writer

    def take(self, found: AttributionFound) -> None:
        """Keep one record; an earlier one of the same judgement no longer counts."""
        held = self._held.get(found.key)
        item = self._item_of(found.attribution)
        digest = content_hash(found.attribution.raw)
        self._held[found.key] = _Held(found, item, digest, 1 if held is None else held.records + 1)

    def _item_of(self, attribution: Attribution) -> str | None:
        return self.judges.item_for(attribution.source_id, attribution.modality, attribution.target)

    def finish(self) -> None:
        """Write what counts, and say what there is to say."""
        report, known = self.run.report, self.writer.known()
        outdone: set[tuple[str, str]] = set()
        for key, held in self._held.items():
            check(self.run.token)
            for line in held.found.lines:
                self.run.say(line)
            before = known.get(key)
            if before == held.digest:
                report.unchanged += 1
            else:
                report.new += before is None
                report.revised += before is not None
                if before is not None:
                    outdone.add(key)
                self._write(held)
            self._tell(held)
        self._drop_outdone(outdone)
        report.attributions += len(self._held)
        report.accepted += len(self._held)

    def _write(self, held: _Held) -> None:
        if held.item is None:
            self.writer.put_waiting(held.found.attribution)
        else:
            self.writer.put(held.item, held.found.attribution)

    def _tell(self, held: _Held) -> None:
        kept, report = held.found.attribution, self.run.report
        about: dict[str, Any] = {"file": kept.file, "line": kept.line, "record": held.found.number}
        if held.records > 1:
            reason = f'{held.records} attributions of "{kept.judgement_id}"; the last one counts'
            self.run.say(ReportLine(code="attribution_retry", field="candidate_id", reason=reason, **about))
        if held.item is not None:
            report.matched += 1
            return
        report.waiting += 1
        reason = f'"{kept.judgement_id}" is about a dialogue or round that is not imported; it waits'
        self.run.say(ReportLine(code="attribution_unmatched", reason=reason, **about))

    def _drop_outdone(self, keys: set[tuple[str, str]]) -> None:
        """Of one judgement only the last attribution waits."""
        places: dict[tuple[str, str], int] = {}
        gone: list[int] = []
        for place, one in self.writer.waiting() if keys else ():
            key = (one.judgement_id, one.judge)
            if key in keys and key in places:
                gone.append(places[key])
            places[key] = place
        self.writer.join(gone)

    def join(self, source_ids: Iterable[str]) -> None:
        """Give waiting attributions the items that this import brought."""
        for source_id in dict.fromkeys(source_ids):
            check(self.run.token)
            joined: list[int] = []
            for place, one in self.writer.waiting(source_id):
                item = self._item_of(one)
                if item is not None:
                    self.writer.put(item, one)
                    joined.append(place)
            self.writer.join(joined)
            self.run.report.joined += len(joined)
