"""What all parts of one import share: the writer, the report, earlier decisions, and what was met so far."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from annotator.cancel import CancelToken
from annotator.domain.base import canonical_json
from annotator.domain.items import Asset, Dialogue, Responder
from annotator.domain.report import PUBLISHED, Choice, ImportReport, Problem, ReportLine
from annotator.importers.base import SCENARIOS, lookalike
from annotator.store import ImportWriter, Store

_HELD_CHARACTERS: Final = 1_000_000


def problem_id(code: str, *parts: str) -> str:
    """A short id that is the same each time the same sources are imported."""
    return f"{code}-{hashlib.sha256(canonical_json(list(parts)).encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


@dataclass(slots=True)
class Run:
    """One import under way.

    Attributes:
        store, writer: where things go; nothing is visible before the writer publishes.
        report: filled on the way.
        decisions: what was decided before, by the problem's id.
        turns: the distinct items of this source, with how many turns each has.
        source_ids: the ids met, in order; `ids`: the first of each, by what lookalikes have in common.
        brought: modality and number of turns of the dialogues that this import wrote.
        answered: the rounds that a responder has an answer for, of pairs met in this import.
        settled: problems met again that were settled before, by choice.
    """

    store: Store
    writer: ImportWriter
    report: ImportReport
    decisions: dict[str, Choice]
    token: CancelToken | None = None
    turns: dict[str, int] = field(default_factory=dict)
    source_ids: dict[str, None] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    brought: dict[str, tuple[str, int]] = field(default_factory=dict)
    answered: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict)
    settled: Counter[str] = field(default_factory=Counter)
    _held: int = 0
    _looked: bool = False

    def say(self, line: ReportLine) -> None:
        """Put a line into the report."""
        self.report.lines.append(line)

    def put(self, dialogue: Dialogue) -> None:
        """Write a dialogue."""
        self.writer.put_dialogues([dialogue])
        self.brought[dialogue.item_id] = (dialogue.modality, len(dialogue.turns))
        self._wrote(sum(len(t.question) + len(t.reference) for t in dialogue.turns))

    def put_answers(self, responder: Responder) -> None:
        """Write a responder's answers."""
        self.writer.put_responders([responder])
        self._wrote(sum(len(a.text or "") for a in responder.answers))

    def _wrote(self, characters: int) -> None:
        """Have the writer write down what it holds before long texts pile up in it."""
        self._held += characters
        if self._held > _HELD_CHARACTERS:
            self.writer.flush()
            self._held = 0

    def wait(self, problem: Problem, line: ReportLine) -> None:
        """Leave something for a person to decide, unless it was decided before."""
        if problem.id in self.decisions:
            self.settled[self.decisions[problem.id]] += 1
            return
        self.say(line)
        self.writer.put_problems([problem])

    def met(self, source_id: str, file: str, line: int | None, record: int) -> None:
        """Remember an id, and say where it resembles another one, of this import or an earlier one."""
        self.source_ids[source_id] = None
        other = self.resembled(source_id)
        self.ids.setdefault(lookalike(source_id), source_id)
        if other is not None:
            reason = f'the id "{source_id}" resembles "{other}"; both are kept'
            self.say(ReportLine(code="id_lookalike", file=file, line=line, record=record, reason=reason))

    def resembled(self, source_id: str) -> str | None:
        """The first dialogue id that differs from this one only by blanks, case or Unicode form; None if there is none.

        The order is that of the imports, so that an import that is repeated says the same.
        """
        if not self._looked:
            self._looked = True
            for head in self.store.items.heads("dialogue"):
                self.ids.setdefault(lookalike(head.source_id), head.source_id)
        other = self.ids.get(lookalike(source_id))
        return other if other != source_id else None

    def count_assets(self, dialogue: Dialogue) -> None:
        """Count the files that a dialogue names by where they were found."""
        counts = self.report.assets
        for asset in assets_of(dialogue):
            name = "remote" if asset.status == "url" else asset.status
            setattr(counts, name, getattr(counts, name) + 1)

    def remark(self) -> None:
        """Put what was settled before into the notes."""
        for choice, count in sorted(self.settled.items()):
            if count == 1:
                self.report.notes.append(f"1 open question was settled before ({choice}).")
            else:
                self.report.notes.append(f"{count} open questions were settled before ({choice}).")


@dataclass(slots=True)
class Totals:
    """What the dataset files hold, to be compared with what was published."""

    dialogues: Counter[str] = field(default_factory=Counter)
    turns: Counter[str] = field(default_factory=Counter)
    scenarios: set[str] = field(default_factory=set)
    categories: set[str] = field(default_factory=set)

    def add(self, dialogue: Dialogue) -> None:
        """Count one distinct dialogue."""
        self.dialogues[dialogue.modality] += 1
        self.turns[dialogue.modality] += len(dialogue.turns)
        if dialogue.scenario in SCENARIOS:
            self.scenarios.add(dialogue.scenario)
        self.categories.update(dialogue.capabilities())

    def compared(self) -> dict[str, dict[str, int]]:
        """Each published total beside what was found."""
        found = {
            "dialogues": self.dialogues.total(),
            "turns": self.turns.total(),
            "video_dialogues": self.dialogues["video"],
            "video_turns": self.turns["video"],
            "image_dialogues": self.dialogues["image"],
            "image_turns": self.turns["image"],
            "scenarios": len(self.scenarios),
            "categories": len(self.categories),
        }
        return {name: {"found": found[name], "published": published} for name, published in PUBLISHED.items()}


def assets_of(dialogue: Dialogue) -> Iterable[Asset]:
    """Every file that a dialogue names."""
    for turn in dialogue.turns:
        yield from turn.evidence
        if turn.audio is not None:
            yield turn.audio
        yield from turn.frames


def with_found_media(old: Dialogue, new: Dialogue) -> Dialogue | None:
    """The new record of an unchanged dialogue, if it knows more about where its files are; else None.

    Files that were found once are not forgotten because an import looked elsewhere.
    """
    before, after = list(assets_of(old)), list(assets_of(new))
    if [(a.status, a.inside, a.root) for a in before] == [(a.status, a.inside, a.root) for a in after]:
        return None
    if sum(a.found for a in after) < sum(a.found for a in before):
        return None
    return new.model_copy(update={"revision": old.revision})
