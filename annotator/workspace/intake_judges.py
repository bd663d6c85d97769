"""Judge records into the workspace: joined to dialogue and turn in any order, the last of a judgement counting."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.cancel import check
from annotator.domain.base import content_hash
from annotator.domain.items import Answer, Responder
from annotator.domain.judge import JudgeRecord
from annotator.domain.labels import turn_index
from annotator.domain.report import Choice, Problem, ReportLine
from annotator.importers.judgements import JudgeFound
from annotator.importers.scales import Tally
from annotator.store import Store
from annotator.workspace.intake import Run, problem_id

_HELD_PAIRS: Final = 500
SCALE_CHOICES: Final[tuple[Choice, ...]] = ("map-scale", "drop")


def scale_problem(judge: str) -> str:
    """The id of the question which scale a judge used."""
    return problem_id("scale_suspect", judge)


@dataclass(frozen=True, slots=True)
class Scales:
    """What is known of judges that used another scale: confirmed ones, dropped ones, and those that still wait."""

    mapped: dict[str, tuple[float, float]]
    dropped: frozenset[str]
    waiting: frozenset[str]

    @property
    def silenced(self) -> frozenset[str]:
        """Judges whose scores do not count, or not yet."""
        return self.dropped | self.waiting

    @classmethod
    def of(cls, store: Store) -> Scales:
        """Read the problems of a workspace and what was decided about them."""
        decisions = store.imports.decisions()
        mapped: dict[str, tuple[float, float]] = {}
        dropped: set[str] = set()
        waiting: set[str] = set()
        for problem in store.imports.problems(open_only=False):
            if problem.code != "scale_suspect":
                continue
            judge = str(problem.detail["judge"])
            choice = decisions.get(problem.id)
            if choice == "map-scale":
                mapped[judge] = (float(problem.detail["low"]), float(problem.detail["high"]))
            else:
                (waiting if choice is None else dropped).add(judge)
        return cls(mapped, frozenset(dropped), frozenset(waiting))


@dataclass(slots=True)
class _Held:
    """The last record of one judgement by one judge, without its body."""

    source_id: str
    file: str
    number: int
    line: int | None
    judge: str
    before: str | None
    digest: str
    lines: tuple[ReportLine, ...]
    values: tuple[float, ...]
    accepted: int
    rejected: int
    counts: int
    matched: bool
    records: int = 1
    written: int = 1


@dataclass(slots=True)
class JudgeIntake:
    """Takes the records of judge files; `finish` counts, once the last record of each judgement is known."""

    run: Run
    tallies: dict[str, Tally] = field(default_factory=dict)
    _held: dict[tuple[str, str], _Held] = field(default_factory=dict)
    _places: dict[str, list[str]] | None = None
    _parts: dict[str, tuple[str, int]] = field(default_factory=dict)
    _answers: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)

    def take(self, found: JudgeFound) -> None:
        """Keep one record; an earlier one of the same judgement and judge no longer counts."""
        record = found.record
        digest = content_hash(record.raw)
        held = self._held.get(found.key)
        before = held.before if held is not None else self.run.writer.known_judge(*found.key)
        item = self.item_of(record)
        if held is not None:
            self.tallies[record.judge].remove(held.values)
        self.tallies.setdefault(record.judge, Tally()).add(found.values)
        self._held[found.key] = _Held(
            source_id=record.source_id,
            file=record.file,
            number=found.number,
            line=record.line,
            judge=record.judge,
            before=before,
            digest=digest,
            lines=found.lines,
            values=found.values,
            accepted=found.accepted,
            rejected=found.rejected,
            counts=len(record.scores),
            matched=item is not None,
            records=1 if held is None else held.records + 1,
            written=1 if held is None else held.written + 1,
        )
        if before is None or before != digest or held is not None:
            self._keep(record, item)

    def _keep(self, record: JudgeRecord, item: str | None) -> None:
        if item is None:
            self.run.writer.put_waiting([record])
            return
        self.run.writer.put_judge_records([(item, record)])
        self.answer(item, record)

    # ------------------------------------------------------------------------------------------------- the item
    def item_of(self, record: JudgeRecord) -> str | None:
        """The item and turn that a record speaks about, None where it is not there."""
        return self.item_for(record.source_id, record.modality, record.target)

    def item_for(self, source_id: str, wanted: str | None, target: str) -> str | None:
        """The item of a source id (of one modality, unless that is None) that has the target."""
        if self._places is None:
            self._places = self.run.writer.known_source_ids()
            self._parts = {h.item_id: (h.modality, h.parts) for h in self.run.store.items.heads("dialogue")}
        for item in self._places.get(source_id, []):
            modality, parts = self._about(item)
            if wanted is not None and modality != wanted:
                continue
            index = turn_index(target)
            return item if index is None or index < parts else None
        return None

    def _about(self, item: str) -> tuple[str, int]:
        """Modality and number of turns, as this import leaves them."""
        return self.run.brought.get(item) or self._parts.get(item) or ("", 0)

    # --------------------------------------------------------------------------------------------- the responder
    def answer(self, item: str, record: JudgeRecord) -> None:
        """Where the tested model's answer is not there, the record's own makes it."""
        index = turn_index(record.target)
        if index is None or record.prediction is None:
            return
        pair = (item, record.responder)
        known = self.run.answered.get(pair)
        if known is None:
            there = self.run.store.items.responder(*pair) if self.run.writer.known_responder(*pair) else None
            known = self.run.answered[pair] = frozenset(a.index for a in there.answers) if there else frozenset()
        if index in known:
            return
        self.run.answered[pair] = known | {index}
        self._answers.setdefault(pair, {})[index] = record.prediction
        if len(self._answers) > _HELD_PAIRS:
            self.put_answers()

    def put_answers(self) -> None:
        """Write the answers that judge records brought."""
        pairs, self._answers = self._answers, {}
        made: list[Responder] = []
        for (item, responder), texts in pairs.items():
            known = self.run.writer.known_responder(item, responder)
            there = self.run.writer.responder(item, responder) if known is not None else None
            before = () if there is None else there.answers
            new = [Answer(index=k, text=text) for k, text in texts.items()]
            answers = tuple(sorted((*before, *new), key=lambda a: a.index))
            base = there or Responder(item_id=item, responder=responder)
            made.append(base.model_copy(update={"answers": answers}))
        self.run.writer.put_responders(made)

    # ------------------------------------------------------------------------------------------------ the waiting
    def join(self, source_ids: Iterable[str]) -> None:
        """Give waiting records the items that this import brought."""
        for source_id in dict.fromkeys(source_ids):
            check(self.run.token)
            joined: list[int] = []
            for place, record in self.run.writer.waiting(source_id):
                item = self.item_of(record)
                if item is not None:
                    self.run.writer.put_judge_records([(item, record)])
                    self.answer(item, record)
                    joined.append(place)
            self.run.writer.join(joined)
            self.run.report.joined += len(joined)
        self.put_answers()

    def _tidy(self) -> None:
        """Of one judgement by one judge only the last record waits."""
        again = [
            h for h in self._held.values() if not h.matched and (h.written > 1 or h.before not in (None, h.digest))
        ]
        for source_id in dict.fromkeys(h.source_id for h in again):
            places: dict[tuple[str, str], int] = {}
            outdone: list[int] = []
            for place, record in self.run.writer.waiting(source_id):
                key = (record.judgement_id, record.judge)
                if key in places:
                    outdone.append(places[key])
                places[key] = place
            self.run.writer.join(outdone)

    # ---------------------------------------------------------------------------------------------------- the end
    def suspects(self, settled: Scales) -> dict[str, tuple[float, float]]:
        """Judges whose values look like another scale, and about whom nothing was decided yet; asks about each."""
        known = settled.mapped.keys() | settled.dropped
        for judge in self.tallies.keys() & known:
            self.run.settled["map-scale" if judge in settled.mapped else "drop"] += 1
        found = {j: s for j, t in self.tallies.items() if j not in known and (s := t.suspect()) is not None}
        for judge, (low, high) in sorted(found.items()):
            self._ask(judge, low, high)
        return found

    def _ask(self, judge: str, low: float, high: float) -> None:
        first = next(h for h in self._held.values() if h.judge == judge)
        values = self.tallies[judge].shown()
        reason = (
            f"{judge} gave {values}: that looks like a scale from {low:g} to {high:g}; its scores wait for a decision"
        )
        problem = Problem(
            id=scale_problem(judge),
            code="scale_suspect",
            file=first.file,
            line=first.line,
            reason=reason,
            choices=SCALE_CHOICES,
            detail={"scale": f"{low:g}-{high:g}", "judge": judge, "low": low, "high": high, "values": values},
        )
        self.run.wait(problem, ReportLine(code="scale_suspect", file=first.file, field="scores", reason=reason))

    def is_last(self, found: JudgeFound) -> bool:
        """Whether this record is the one that counts."""
        held = self._held[found.key]
        return (held.file, held.number) == (found.record.file, found.number)

    def silence(self, found: JudgeFound) -> None:
        """Keep a record again, without scores that wait for a decision."""
        held = self._held[found.key]
        held.counts = 0
        held.written += 1
        self._keep(found.record, self.item_of(found.record))

    def finish(self) -> None:
        """Count what was read, and say what there is to say about the records that count."""
        self.put_answers()
        self._tidy()
        report = self.run.report
        for (judgement, _), held in self._held.items():
            for line in held.lines:
                self.run.say(line)
            about: dict[str, Any] = {"file": held.file, "line": held.line, "record": held.number}
            if held.records > 1:
                reason = f'{held.records} records of "{judgement}" by one judge; the last one counts'
                self.run.say(ReportLine(code="judge_retry", field="judgement_id", reason=reason, **about))
            if held.matched:
                report.matched += 1
                report.score_values += held.counts
            else:
                report.waiting += 1
                other = self.run.resembled(held.source_id)
                reason = f'"{judgement}" judges a dialogue or round that is not imported; it waits'
                if other is not None:
                    reason += f' (its dialogue "{held.source_id}" resembles "{other}")'
                self.run.say(ReportLine(code="judge_unmatched", reason=reason, **about))
            report.accepted += held.accepted
            report.rejected += held.rejected
            if held.before is None:
                report.new += 1
            elif held.before == held.digest:
                report.unchanged += 1
            else:
                report.revised += 1
