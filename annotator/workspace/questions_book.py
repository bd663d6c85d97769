"""The questions of a workspace as an import needs them: found by id, index, place or content."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from annotator.domain.questions import Question
from annotator.importers.mme_choices import MARK as CHOICE_MARK
from annotator.workspace.intake import Run

_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?", re.ASCII)


class Entry(NamedTuple):
    """What joins an output to a question."""

    item_id: str
    source_id: str
    index_text: str | None
    row: int
    collection: str
    text: str
    choices: tuple[str, ...]
    marked: tuple[str, ...]
    key: str | None
    image: str | None


def entry_of(question: Question) -> Entry:
    """The entry of a question."""
    return Entry(
        question.item_id,
        question.source_id,
        question.index,
        question.row,
        question.collection,
        same(question.text),
        tuple(same_choice(c.text) for c in question.choices),
        tuple(f"({c.letter}) {c.text}" for c in question.choices),
        question.key,
        question.image.raw if question.image is not None else None,
    )


def same(text: str) -> str:
    """A text as it is compared: Unicode form, case and blanks aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def same_choice(text: str) -> str:
    """A choice as it is compared, without its mark; a number however a spreadsheet writes it."""
    mark = CHOICE_MARK.match(text)
    folded = same(text[mark.end() :] if mark else text)
    if _NUMBER.fullmatch(folded):
        return repr(float(folded))
    return folded


@dataclass(slots=True)
class Collection:
    """The questions of one set, in order."""

    name: str
    entries: list[Entry] = field(default_factory=list)
    by_text: dict[str, list[Entry]] = field(default_factory=dict)
    by_id: dict[str, list[Entry]] = field(default_factory=dict)
    by_index: dict[str, list[Entry]] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Add one."""
        self.entries.append(entry)
        self.by_text.setdefault(entry.text, []).append(entry)
        self.by_id.setdefault(entry.source_id, []).append(entry)
        if entry.index_text is not None:
            self.by_index.setdefault(entry.index_text, []).append(entry)


class QuestionBook:
    """All questions by their sets, those of the import that is under way included; read when first asked for."""

    def __init__(self, run: Run) -> None:
        """Nothing is read until it is needed."""
        self._run = run
        self._sets: dict[str, Collection] | None = None

    def forget(self) -> None:
        """A question came: what was read before is no longer all."""
        self._sets = None

    def sets(self) -> dict[str, Collection]:
        """The sets by name."""
        if self._sets is None:
            self._run.writer.flush()
            sets: dict[str, Collection] = {}
            for _, body in self._run.store.items.bodies("question", self._run.writer.import_id):
                question = Question.model_validate(body)
                sets.setdefault(question.collection, Collection(question.collection)).add(entry_of(question))
            self._sets = sets
        return self._sets


def fits(entry: Entry, text: str | None, choices: Sequence[str], truth: str | None) -> bool:
    """Whether a record's content is that of a question; what the record does not repeat cannot speak against it.

    Spreadsheets and tools damage single choices, so half of them must agree.
    """
    if text is not None and same(text) != entry.text:
        return False
    if choices:
        wanted = [same_choice(c) for c in choices]
        equal = sum(a == b for a, b in zip(wanted, entry.choices, strict=False))
        return 2 * equal >= max(len(wanted), len(entry.choices))
    return text is not None or truth is None or entry.key is None or truth.strip("() ").upper() == entry.key


def first_free(entries: Iterable[Entry], taken: set[str]) -> Entry | None:
    """The first that no output of this file has taken."""
    return next((e for e in entries if e.item_id not in taken), None)
