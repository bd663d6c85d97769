"""MME-RealWorld records, in the official shape and in that of its repackagings, as questions.

A question's identity is its place (file hash, row): `Question_id` repeats. Pictures inside a record are handed on as
they came; whoever takes the question decides where they are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, cast

from annotator.domain.ids import item_id
from annotator.domain.items import Asset, AssetStatus
from annotator.domain.questions import Choice, Finding, Language, Question, Split
from annotator.domain.report import ReportLine
from annotator.importers.base import Context, Located, Record, Sayings, kind_of, written
from annotator.importers.mme_categories import canonical
from annotator.importers.mme_choices import read_choices
from annotator.importers.mme_truth import read_key, twins, usual
from annotator.importers.tables import cell_text, index_text

REFERENCE_LENGTH: Final = 64  # a picture cell this short names another row by its index
_OUTPUTS: Final = ("Output", "output", "prediction")
_CN_NAME: Final = re.compile(r"(?:^|[^A-Za-z])CN(?:[^A-Za-z]|$)")
_LITE_NAME: Final = re.compile(r"(?:^|[^a-z])lite(?:[^a-z]|$)", re.IGNORECASE)
_CHUNK: Final = re.compile(r"(?:[_-]base64)?[_-]\d+(?:[_-]\d+)?$|-\d{5}-of-\d{5}$", re.IGNORECASE)
_CJK: Final = re.compile("[\u3400-\u9fff]")
_LATIN: Final = re.compile("[A-Za-z]")
MISSING: Final = Finding(code="image_missing")


def is_question(has: Callable[[str], bool]) -> bool:
    """Whether a record's fields (or a table's columns) are those of a question, with or without an answer to it."""
    official = has("Answer choices") and (has("Text") or has("Question_id"))
    options = has("multi-choice options") or all(map(has, "ABCD"))
    return official or has("Question_id") or (options and has("question") and (has("answer") or has("l2-category")))


def has_output(has: Callable[[str], bool]) -> bool:
    """Whether they hold a model's output."""
    return any(map(has, _OUTPUTS))


class QuestionFound(NamedTuple):
    """One question, with the picture that came inside its record.

    Attributes:
        picture: base64 text, or bytes, as it came; None where the record names a file or nothing.
        refers: the index of the row whose picture this one shares.
    """

    question: Question
    record: int
    line: int | None
    picture: str | bytes | None = None
    refers: str | None = None


@dataclass(slots=True)
class QuestionReader:
    """Reads question records of one file.

    Attributes:
        file_hash: of the file; with the row it makes the identity.
    """

    context: Context
    file_hash: str
    notes: list[str] = field(default_factory=list)
    _seen: dict[str, dict[int, int]] = field(default_factory=dict)
    _collection: str = ""
    _chinese: bool = False
    _split: Split = "full"

    def __post_init__(self) -> None:
        """Read what the file's name says, once."""
        self._collection = collection_of(self.context.stem, self.file_hash)
        self._chinese = _CN_NAME.search(self.context.file) is not None
        self._split = "lite" if _LITE_NAME.search(self.context.file) else "full"

    def read(self, record: Record) -> Iterator[QuestionFound | ReportLine]:
        """The question of a record, and lines about what was odd in it."""
        sayings = Sayings(self.context.file, record.record, record.line)
        value = record.value
        official = "multi-choice options" not in value and ("Answer choices" in value or "Text" in value)
        found = self._official(record, sayings) if official else self._repackaged(record, sayings)
        yield from sayings.lines
        yield found

    # ----------------------------------------------------------------------------------------------------- two shapes
    def _official(self, record: Record, sayings: Sayings) -> QuestionFound:
        value = record.value
        name = "Question_id" if "Question_id" in value else "Question id"
        own = _text(value.get(name), name, sayings)
        raw = (
            _text(value.get("Task"), "Task", sayings),
            _text(value.get("Subtask"), "Subtask", sayings),
            _text(value.get("Category"), "Category", sayings),
        )
        truth = value.get("Ground truth", value.get("Ground Truth"))
        text = _text(value.get("Text"), "Text", sayings)
        choices = read_choices(value.get("Answer choices"), value, sayings, listed=True)
        image = self._file(value.get("Image"), "Image", sayings)
        question = self._question(record, sayings, own, None, text, choices, truth, raw, image, value.get("Dataset"))
        return QuestionFound(question, record.record, record.line)

    def _repackaged(self, record: Record, sayings: Sayings) -> QuestionFound:
        value = record.value
        index = index_text(value.get("index"))
        text = _text(value.get("question"), "question", sayings)
        choices = read_choices(value.get("multi-choice options"), value, sayings, listed=False)
        both = _text(value.get("category"), "category", sayings)
        task, _, subtask = both.partition("/")
        raw = (task, subtask, _text(value.get("l2-category"), "l2-category", sayings))
        picture, refers = _picture(value)
        named = value.get("path") or value.get("image_path")
        image = self._file(named, "path" if value.get("path") else "image_path", sayings) if named else None
        question = self._question(
            record, sayings, "", index, text, choices, value.get("answer"), raw, image, value.get("Dataset")
        )
        return QuestionFound(question, record.record, record.line, picture, refers)

    def _file(self, raw: Any, name: str, sayings: Sayings) -> Asset | None:
        if raw is not None and not isinstance(raw, str):
            sayings.say("field_type", f"expected a path, found {kind_of(raw)}; no file is taken from it", name)
            return Asset(role="image", raw=None, field=name, status="missing")
        if raw is None or not raw.strip():
            return None
        found: Located = self.context.locate(raw)
        if found.status == "refused":
            sayings.say("path_refused", f'"{raw[:200]}": {found.reason or "it leaves the data root"}', name)
        elif found.status == "missing" and self.context.stated_roots:
            sayings.say("path_missing", f'"{raw[:200]}" is not in the data root', name)
        status = cast(AssetStatus, found.status)
        return Asset.unchecked(role="image", raw=raw, field=name, status=status, inside=found.inside, root=found.root)

    # ------------------------------------------------------------------------------------------------------ the value
    def _question(
        self, record: Record, sayings: Sayings, own: str, index: str | None, text: str, choices: tuple[Choice, ...],
        truth: Any, raw: tuple[str, str, str], image: Asset | None, dataset: Any,
    ) -> Question:  # fmt: skip
        if not text.strip():
            sayings.say("empty_text", "the question is blank", "Text")
        key, key_raw, findings = read_key(truth, choices, sayings)
        source_id = own if own.strip() else index if index is not None else str(record.record)
        content = (text, choices, key_raw, raw, image.raw if image else None)
        if not usual(choices):
            findings = [*twins(choices, key, sayings), *findings]
        findings += self._repeated(source_id, content, record, sayings)
        if image is None or not image.found:
            findings.append(MISSING)
        return Question.unchecked(
            item_id=item_id("question", self.file_hash, record.record),
            source_id=source_id,
            source=self.context.file,
            row=record.record,
            collection=self._collection,
            index=index,
            text=text,
            choices=choices,
            key=key,
            key_raw=key_raw,
            task=raw[0],
            subtask=raw[1],
            category=raw[2],
            canonical=canonical(*raw),
            dataset=dataset if isinstance(dataset, str) and dataset.strip() else None,
            language=self._language(text),
            split=self._split,
            image=image,
            findings=tuple(findings),
            revision=1,
        )

    def _repeated(
        self, source_id: str, content: tuple[Any, ...], record: Record, sayings: Sayings
    ) -> tuple[Finding, ...]:
        """Say where an id was met before in this file; every row stays a question of its own."""
        digest = hash(content)  # texts of tens of thousands of rows are not held for this
        held = self._seen.get(source_id)
        if held is None:
            self._seen[source_id] = {digest: record.record}
            return ()
        first = held.get(digest)
        if first is not None:
            sayings.say("dup_exact", f'equals record {first} with the same id "{source_id}"; kept as a row of its own')
            return (Finding(code="dup_exact", detail=str(first)),)
        other = next(iter(held.values()))
        sayings.say(
            "dup_conflict", f'other content under the id "{source_id}" of record {other}; kept as a row of its own'
        )
        held[digest] = record.record
        return (Finding(code="dup_conflict", detail=str(other)),)

    def _language(self, text: str) -> Language:
        if self._chinese:
            return "zh"
        if text.isascii():
            return "en"
        chinese = len(_CJK.findall(text))
        return "zh" if chinese and 3 * chinese >= len(_LATIN.findall(text)) else "en"


def collection_of(stem: str, file_hash: str) -> str:
    """The name that the files of one set share: parts of one export by their common stem, else a name of its own."""
    common = _CHUNK.sub("", stem)
    return common if common != stem and common else f"{stem}#{file_hash[:8]}"


def _text(value: Any, name: str, sayings: Sayings) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    text, number = cell_text(value) if not isinstance(value, (list, dict)) else (written(value), False)
    code = "id_not_text" if name.startswith("Question") else "cell_number" if number else "field_type"
    sayings.say(code, f"expected a text, found {kind_of(value)}; kept as the text {text[:60]!r}", name)
    return text


def _picture(value: dict[str, Any]) -> tuple[str | bytes | None, str | None]:
    """(the picture inside a record, or the index of the row that holds it)."""
    held = value.get("image")
    if held is None:
        held = value.get("bytes")
    if isinstance(held, dict):  # as some tables of pictures are written
        held = held.get("bytes")
    if isinstance(held, bytes):
        return (held or None), None
    if isinstance(held, (int, float)) and not isinstance(held, bool):
        return None, index_text(held)
    if not isinstance(held, str) or not held.strip():
        return None, None
    if len(held) <= REFERENCE_LENGTH:
        return None, index_text(held)
    return held, None
