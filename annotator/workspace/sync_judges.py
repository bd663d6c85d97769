"""Judge records, items' identities and rubrics beside the labels: what rides along in bundles, both ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from annotator.domain.base import content_hash
from annotator.domain.ids import item_id
from annotator.domain.judge import JudgeRecord
from annotator.domain.report import ImportReport
from annotator.domain.rubric import Rubric, load_rubric
from annotator.store import Store
from annotator.workspace.sync_riders import ATTRIBUTION, DRAW, OtherRiders, is_there
from annotator.workspace.sync_views import Told


def record_name(record: JudgeRecord) -> str:
    """What tells a judge record from others: its judgement, its judge and its content."""
    return content_hash([record.judgement_id, record.judge, record.raw])[:16]


def all_records(store: Store) -> list[tuple[str, JudgeRecord]]:
    """(item id or "" while it waits, record) of all judge records that count."""
    with store.database.seeing():  # bundles carry them; no rater reads a bundle
        held = [(head.item_id, r) for head in store.items.heads("dialogue") for r in store.judges.records(head.item_id)]
        return [*held, *(("", record) for record in store.judges.waiting())]


def identity(store: Store, item: str) -> dict[str, Any] | None:
    """What an item is, for a device that does not have it."""
    head = store.items.head(item)
    if head is None:
        return None
    return {
        "item_id": head.item_id, "kind": head.kind, "source_id": head.source_id, "revision": head.revision,
        "content_hash": head.content_hash, "title": head.title, "parts": head.parts,
    }  # fmt: skip


def rubric_line(rubric: Rubric) -> dict[str, Any]:
    """A rubric with its whole text."""
    body = rubric.model_dump(mode="json")
    return {"name": rubric.name, "hash": content_hash(body), "body": body}


@dataclass(slots=True)
class Riders:
    """Takes what rides along with events.

    Attributes:
        items: identity by item id; `judges`: names of records seen; `rubrics`: `name#hash` seen.
        taken, waiting, differ: judge records taken in, those of them whose dialogue is missing, those left out.
        notices: what is to be told. others: takes attributions and draws. lost: some may lie in the folder no more.
    """

    store: Store
    others: OtherRiders
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    judges: set[str] = field(default_factory=set)
    rubrics: set[str] = field(default_factory=set)
    taken: int = 0
    waiting: int = 0
    differ: int = 0
    unknown: int = 0
    lost: bool = False
    notices: list[Told] = field(default_factory=list)

    def seen(self) -> tuple[int, int, int]:
        """How many judge records, rubrics, and other riders lie in the folder as far as is known."""
        return (len(self.judges), len(self.rubrics), len(self.others.seen))

    def forget(self) -> None:
        """A bundle is gone from the folder, and with it perhaps riders: all are written again, which harms nobody."""
        for seen in (self.judges, self.rubrics, self.others.seen):
            seen.clear()
        self.lost = True

    def take(self, lines: Iterable[Sequence[Any]], source: str) -> None:
        """Take the lines of one bundle; judge records go through an import of their own.

        Raises:
            WorldError: an import is running, or it could not be saved.
        """
        records: list[tuple[str, JudgeRecord]] = []
        others = []
        for line in lines:
            if line[0] in (ATTRIBUTION, DRAW):
                others.append(line)
                continue
            try:
                self._one(line, records)
            except (IndexError, KeyError, TypeError, ValidationError):
                self.unknown += 1
        new = {name: held for held in records if (name := record_name(held[1])) not in self.judges}
        if new:
            self._import(list(new.values()), source)
            self.judges.update(new)
        self.others.take(others, source)

    def _one(self, line: Sequence[Any], records: list[tuple[str, JudgeRecord]]) -> None:
        if line[0] == "j":
            record = JudgeRecord.model_validate(line[2])
            named = item_id("dialogue", record.source_id, record.modality) if record.modality else ""
            records.append((str(line[1]) or named, record))
        elif line[0] == "i":
            self.items[str(line[1]["item_id"])] = dict(line[1])
        else:
            self._rubric(line[1])

    def _rubric(self, said: dict[str, Any]) -> None:
        name, digest = str(said["name"]), str(said["hash"])
        self.rubrics.add(f"{name}#{digest}")
        ours = rubric_line(load_rubric())
        if name == ours["name"] and digest != ours["hash"]:
            why = f"Another device scores by another text of the rubric {name}: bring both programs to one version."
            self.notices.append(Told("rubric_text", why, name))
        elif name != ours["name"]:
            why = f"Labels came that were made by the rubric {name}; this program has {ours['name']}."
            self.notices.append(Told("rubric_other", why, name))

    def _import(self, records: Sequence[tuple[str, JudgeRecord]], source: str) -> None:
        report = ImportReport(kind="judge", source=source)
        with self.store.imports.begin("judge", source) as writer:
            for item, record in records:
                known = writer.known_judge(record.judgement_id, record.judge)
                if known is not None:
                    same = known == content_hash(record.raw)
                    self.differ += not same
                    report.unchanged += same
                    continue
                if is_there(self.store, writer, item, record):
                    writer.put_judge_records([(item, record)])
                    report.matched += 1
                else:
                    writer.put_waiting([record])
                    report.waiting += 1
                report.new += 1
            report.records = len(records)
            report.accepted = report.new + report.unchanged
            if report.new:
                writer.publish(report)
        self.taken += report.new
        self.waiting += report.waiting
