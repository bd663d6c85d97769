"""What models put out, in the shapes of the tools that ran them, as outputs beside what tells their question.

Nothing is scored here, and no file of objects (`.pkl`) is ever loaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from annotator.domain.report import ReportLine
from annotator.importers.base import Context, Record, Sayings, written
from annotator.importers.mme_choices import COLUMNS, split_text
from annotator.importers.tables import cell_text, index_text

_CHUNK_OF: Final = re.compile(r"_chunk(\d{1,4})_of_(\d{1,4})$")
_CHUNK_TWO: Final = re.compile(r"_(\d{1,4})_(\d{1,4})$")
_CHUNK_ONE: Final = re.compile(r"_(\d{1,4})$")
_SCORED: Final = "_score"
_RUN_STEM: Final = re.compile(r"\d{8}[_T]\d{6}.*_samples_")
_MODEL_FIELDS: Final = ("model", "model_name", "model_id")
_UNKNOWN_PARTS: Final = -1
_SCORE: Final = "mme_realworld_score"
_PROMPT_HEAD: Final = re.compile(r"(?:the choices are listed below|选项如下)", re.IGNORECASE)


class Chunk(NamedTuple):
    """Which part of a run a file is: its stem without the mark, the part, and how many there are.

    0 of 0 for a whole file; -1 parts where the name does not say how many.
    """

    stem: str
    part: int
    parts: int


def chunk_of(stem: str) -> Chunk:
    """Read the mark of a part (`_chunk<k>_of_<n>`, `_<n>_<k>`, `_<k>`) off a file's stem."""
    named = _CHUNK_OF.search(stem)
    if named:
        return Chunk(stem[: named.start()], int(named[1]), int(named[2]))
    two = _CHUNK_TWO.search(stem)
    if two and int(two[2]) <= int(two[1]) and two.start():
        return Chunk(stem[: two.start()], int(two[2]), int(two[1]))
    one = _CHUNK_ONE.search(stem)
    if one and one.start():
        return Chunk(stem[: one.start()], int(one[1]), _UNKNOWN_PARTS)
    return Chunk(stem, 0, 0)


def is_prediction(has: Callable[[str], bool]) -> bool:
    """Whether a record's fields (or a table's columns) are those of an output for a question."""
    if has("doc_id") and (has("filtered_resps") or has("resps") or has(_SCORE)):
        return True
    if has("problem_w_choices") and has("response"):
        return True
    if has("prediction") and has("question") and (has("l2-category") or has("multi-choice options") or has("A")):
        return True
    return (has("Output") or has("output")) and (has("Answer choices") or has("Question_id") or has("Text"))


def is_rating(has: Callable[[str], bool]) -> bool:
    """Whether an object's fields are those of a tool's own table of accuracies."""
    return (has("Overall") and (has("Perception") or has("Reasoning"))) or (has("results") and has("configs"))


@dataclass(frozen=True, slots=True)
class PredictionFound:
    """One output, and what its record says of the question it belongs to.

    Attributes:
        model: the record's own word on who it was, else None.
        output: as text; None where the record held null or nothing.
        source_id, index, place: how the question may be found: `Question_id`, the integer index, the row.
        text: the question's; None where the record does not repeat it. `prompt`: a prompt that begins with it.
        choices: texts with their marks, or bare; empty where the record does not repeat them.
        truth: the letter that the record calls right.
        image: the picture's path in the record.
        claims: the record's own score or letter.
    """

    model: str | None
    output: str | None
    record: int
    line: int | None
    source_id: str | None = None
    index: str | None = None
    place: int | None = None
    text: str | None = None
    prompt: bool = False
    choices: tuple[str, ...] = ()
    truth: str | None = None
    claims: dict[str, Any] = field(default_factory=dict)
    image: str | None = None


@dataclass(slots=True)
class PredictionReader:
    """Reads the outputs of one file."""

    context: Context
    notes: list[str] = field(default_factory=list)

    def model(self) -> str:
        """Who it was by the file's name: its stem without the mark of a part (and of a scored copy)."""
        return model_of_stem(self.context.stem)

    def read(self, record: Record) -> Iterator[PredictionFound | ReportLine]:
        """The output of a record, and lines about what was odd in it."""
        sayings = Sayings(self.context.file, record.record, record.line)
        value = record.value
        if "doc_id" in value:
            found = _of_harness(record, sayings)
        elif "problem_w_choices" in value:
            found = _of_reexport(record, sayings)
        elif "prediction" in value and "Answer choices" not in value:
            found = _of_table(record, sayings)
        else:
            found = _of_official(record, sayings)
        yield from sayings.lines
        yield found


def model_of_stem(stem: str) -> str:
    """The model that a file's stem names."""
    chunk = chunk_of(stem.removesuffix(_SCORED))
    return chunk.stem


def is_harness_run(stem: str) -> bool:
    """Whether a stem names a run by its time, so that the model stands in the folder's name."""
    return _RUN_STEM.match(stem) is not None


def _model(value: dict[str, Any]) -> str | None:
    named = (value.get(name) for name in _MODEL_FIELDS)
    return next((n for n in named if isinstance(n, str) and n.strip()), None)


def _output(value: Any, name: str, sayings: Sayings) -> str | None:
    """An output as text; what came as a number or a boolean is said."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (list, dict)):
        return written(value)
    text, number = cell_text(value)
    if number:
        sayings.say("cell_number", f"the output came as a number or a boolean; kept as the text {text!r}", name)
    return text


def _texts(value: Any) -> tuple[str, ...]:
    """Choices of any shape as texts."""
    if isinstance(value, str):
        value = split_text(value) if value.strip() else []
    return tuple(cell_text(part)[0] for part in value) if isinstance(value, (list, tuple)) else ()


def _optional(value: Any) -> str | None:
    text = cell_text(value)[0] if value is not None and not isinstance(value, (list, dict)) else ""
    return text if text.strip() else None


def _of_official(record: Record, sayings: Sayings) -> PredictionFound:
    value = record.value
    name = "Output" if "Output" in value else "output"
    return PredictionFound(
        model=_model(value),
        output=_output(value.get(name), name, sayings),
        record=record.record,
        line=record.line,
        source_id=_optional(value.get("Question_id")),
        place=record.record,
        text=_optional(value.get("Text")),
        choices=_texts(value.get("Answer choices")),
        truth=_optional(value.get("Ground truth", value.get("Ground Truth"))),
        image=_optional(value.get("Image")),
    )


def _of_table(record: Record, sayings: Sayings) -> PredictionFound:
    value = record.value
    choices = _texts(value.get("multi-choice options"))
    if not choices:
        choices = tuple(cell_text(value[c])[0] for c in COLUMNS if value.get(c) is not None)
    claims = {"score": value["score"]} if isinstance(value.get("score"), (int, float, str)) else {}
    return PredictionFound(
        model=_model(value),
        output=_output(value.get("prediction"), "prediction", sayings),
        record=record.record,
        line=record.line,
        index=index_text(value.get("index")),
        place=record.record,
        text=_optional(value.get("question")),
        choices=choices,
        truth=_optional(value.get("answer")),
        claims=claims,
    )


def _of_harness(record: Record, sayings: Sayings) -> PredictionFound:
    value = record.value
    name = "filtered_resps" if value.get("filtered_resps") not in (None, []) else "resps"
    held: Any = value.get(name)
    depth = 0
    while isinstance(held, list) and held and depth < 3:
        held, depth = held[0], depth + 1
    score = value.get(_SCORE) if isinstance(value.get(_SCORE), dict) else {}
    doc: Any = value.get("doc")
    doc = doc if isinstance(doc, dict) else {}
    prompt = value.get("input")
    text = _optional(doc.get("question"))
    prompted = text is None and isinstance(prompt, str)
    index = score.get("question_id") if isinstance(score, dict) else None
    claims = {"letter": score.get("pred_answer")} if isinstance(score, dict) and "pred_answer" in score else {}
    place = value.get("doc_id")
    return PredictionFound(
        model=_model(value),
        output=_output(None if held == [] else held, name, sayings),
        record=record.record,
        line=record.line,
        index=index_text(index if index is not None else doc.get("index")),
        place=place if isinstance(place, int) and not isinstance(place, bool) else record.record,
        text=_PROMPT_HEAD.split(prompt, maxsplit=1)[0].strip() if prompted and isinstance(prompt, str) else text,
        prompt=prompted,
        choices=_texts(doc.get("multi-choice options")),
        truth=_optional(value.get("target")),
        claims=claims,
        image=_optional(doc.get("path")),
    )


def _of_reexport(record: Record, sayings: Sayings) -> PredictionFound:
    value = record.value
    held: Any = value.get("response")
    if isinstance(held, list):
        held = held[0] if held else None
    whole = value.get("problem_w_choices")
    return PredictionFound(
        model=_model(value),
        output=_output(held, "response", sayings),
        record=record.record,
        line=record.line,
        source_id=_optional(value.get("id")),
        place=record.record,
        text=_optional(value.get("problem")),
        choices=tuple(str(c) for c in split_text(whole)) if isinstance(whole, str) else (),
        truth=(_optional(value.get("answer_w_choices")) or "").strip("( ")[:1] or None,
    )
