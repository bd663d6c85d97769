"""Model answers: Phase 1 samples, Phase 2 dialogues (one dialogue a record) and rounds (one round a record).

A sample names its dialogue and carries what the model saw of it. Where the dataset is there, only the answers matter;
where it is not, the dialogue is made from the sample.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.ids import item_id, responder_id
from annotator.domain.items import Answer, Asset, AssetRole, Dialogue, Modality, Turn
from annotator.domain.report import ReportLine
from annotator.importers.base import (
    Context,
    Record,
    Sayings,
    asset_of,
    category_of,
    environment_of,
    is_whole,
    kind_of,
    optional_text,
    source_id,
    timestamp_of,
    written,
)

ID: Final = "dialogue_id"
NO_ROUND: Final = "round_unknown"
MAX_ROUNDS: Final = 10_000  # an index beyond it is a mistake, and would make a dialogue of empty turns
_ROUND: Final = re.compile(r"round_(\d{1,4})$", re.ASCII)
_DIGITS: Final = re.compile(r"\s*\d{1,4}\s*", re.ASCII)
_CHUNK: Final = re.compile(r"(?:_samples)?(?:_chunk\d+_of_\d+|_\d+_\d+|_\d+)?$", re.ASCII)
_MODALITY: Final = re.compile(r"(video|stream)|(image)", re.IGNORECASE)
_IMAGE_NAME: Final = re.compile(r"\.(jpe?g|png|webp|bmp|gif|tiff?|avif|heic)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SampleFound:
    """One model's answers to one dialogue (or to some of its rounds).

    Attributes:
        source_id: the dialogue's own id; `modality`: None where nothing in the record tells it.
        responder: `provider::model_name::task_name`.
        seen: the rounds as the model saw them, by `round_index`; "" for a text that the record does not carry.
        answers: by `round_index`, ascending.
        header: the dialogue as the record describes it, without turns; used where the dataset is not imported.
        item_lines: lines that only matter where the dialogue is made from this record.
        record, line: where it stands.
    """

    source_id: str
    modality: Modality | None
    responder: str
    seen: dict[int, Turn]
    answers: tuple[Answer, ...]
    header: dict[str, Any]
    item_lines: tuple[ReportLine, ...]
    record: int
    line: int | None

    def dialogue(self, modality: Modality, source: str) -> Dialogue:
        """The dialogue made from this record; rounds that it does not carry are empty turns."""
        last = max(self.seen, default=-1)
        turns = tuple(self.seen.get(k) or blank_turn(k) for k in range(last + 1))
        return Dialogue(
            item_id=item_id("dialogue", self.source_id, modality),
            source_id=self.source_id,
            modality=modality,
            turns=turns,
            spoken=any(t.audio for t in turns) or bool(self.header.get("spoken")),
            source=source,
            record=self.record,
            from_answers=True,
            **{k: v for k, v in self.header.items() if k != "spoken"},
        )


def blank_turn(index: int) -> Turn:
    """A turn of which nothing is known."""
    return Turn(index=index, question="", reference="", timestamp=timestamp_of([], "", Sayings("", None, None)))


@dataclass(slots=True)
class SampleReader:
    """Reads the records of one file of samples, or of rounds.

    Attributes:
        context: of the file.
        notes: remarks on the way.
    """

    context: Context
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[SampleFound | ReportLine]:
        """The answers of a record, after the lines about it."""
        sayings = Sayings(self.context.file, record.record, record.line)
        found = self._sample(record, sayings)
        yield from sayings.lines
        if found is not None:
            yield found

    def _sample(self, record: Record, sayings: Sayings) -> SampleFound | None:
        name = source_id(record, ID, sayings)
        if name is None:
            return None
        value = record.value
        items = Sayings(self.context.file, record.record, record.line)
        modality = modality_of(value)
        rounds = value.get("rounds") if "rounds" in value else [value]
        if not isinstance(rounds, list):
            sayings.say("field_type", f"expected a list, found {kind_of(rounds)}; no round is read", "rounds")
            rounds = []
        seen: dict[int, Turn] = {}
        answers: dict[int, Answer] = {}
        for position, entry in enumerate(rounds):
            place = f"rounds[{position}]" if "rounds" in value else ""
            if not isinstance(entry, dict):
                sayings.say("entry_not_object", f"expected an object, found {kind_of(entry)}; left out", place)
                continue
            index = round_index(entry, position if "rounds" in value else None, place, sayings)
            if index is None:
                return None  # a record of one round, and nothing says which
            answer = _answer(entry, index, place, sayings)
            held = answers.get(index)
            if held is not None:
                if held.text != answer.text:
                    sayings.say(
                        "dup_conflict", f"round {index} occurs twice with another answer; the first stays", place
                    )
                continue
            answers[index] = answer
            seen[index] = _seen(entry, index, modality, place, self.context, items)
        header = self._header(value, items)
        return SampleFound(
            source_id=name,
            modality=modality,
            responder=responder_of(value, self.context, sayings),
            seen=seen,
            answers=tuple(answers[k] for k in sorted(answers)),
            header=header,
            item_lines=tuple(items.lines),
            record=record.record,
            line=record.line,
        )

    def _header(self, value: dict[str, Any], sayings: Sayings) -> dict[str, Any]:
        environment, scenario, detail = environment_of(value.get("environment"), sayings, self.notes)
        setup = value.get("interaction_setup")
        return {
            "environment": environment,
            "scenario": scenario,
            "detail": detail,
            "goal": setup.get("interaction_goal") if isinstance(setup, dict) else setup,
            "persona": setup.get("user_persona") if isinstance(setup, dict) else None,
            "meta": value.get("conversation_meta"),
            "spoken": value.get("question_mode") == "tts" or str(value.get("task_name")).endswith("_tts"),
        }


def modality_of(value: dict[str, Any]) -> Modality | None:
    """`video` or `image`, by the first field that tells it."""
    for key in ("media_mode", "task_name", "task_mode", "tested_task_name", "source_type", "source_dataset_file"):
        text = value.get(key)
        match = _MODALITY.search(text) if isinstance(text, str) else None
        if match is not None:
            return "video" if match.group(1) else "image"
    rounds = value.get("rounds")
    for entry in rounds if isinstance(rounds, list) else [value]:
        path = entry.get("media_local_path") or entry.get("media_rel_path") if isinstance(entry, dict) else None
        if isinstance(path, str):
            return "image" if _IMAGE_NAME.search(path) else "video"
    return None


def responder_of(value: dict[str, Any], context: Context, sayings: Sayings) -> str:
    """`provider::model_name::task_name`; the model is the one given by hand, the record's, or the file's name."""
    names = {k: optional_text(value.get(k), k, sayings) for k in ("provider", "model_name", "task_name")}
    model = context.model or names["model_name"] or (_CHUNK.sub("", context.stem) or context.stem)
    task = names["task_name"]
    if task is None:
        mode = modality_of(value)
        spoken = "tts" if value.get("question_mode") == "tts" else "text"
        task = (
            "unknown" if mode is None else f"omnibench_{'video_stream' if mode == 'video' else 'image_multi'}_{spoken}"
        )
    return responder_id(names["provider"] or "unknown", model, task)


def round_index(value: dict[str, Any], position: int | None, place: str, sayings: Sayings) -> int | None:
    """The round's index from 0: as stated, by its id, by its number, or by its place in the list."""
    prefix = f"{place}." if place else ""
    stated = value.get("round_index")
    name = value.get("round_id")
    match = _ROUND.search(name) if isinstance(name, str) else None
    named = None if match is None else int(match.group(1))
    if is_whole(stated) and 0 <= stated < MAX_ROUNDS:
        if named not in (None, stated):
            reason = f"round {stated} by its index, {named} by its id; the index leads"
            sayings.say("round_differs", reason, f"{prefix}round_id")
        return stated
    if stated is not None:
        as_text = isinstance(stated, str) and _DIGITS.fullmatch(stated)
        reason = f"expected an index from 0, found {written(stated)[:40]}"
        if as_text:
            reason = f'expected an index from 0, found the text "{stated}"; read as a number'
        sayings.say("field_type", reason, f"{prefix}round_index")
        if as_text:
            return int(stated)
    if named is not None:
        return named
    if position is None:
        sayings.say(NO_ROUND, "the record does not say which round it is; left out", f"{prefix}round_index")
    return position


def _answer(entry: dict[str, Any], index: int, place: str, sayings: Sayings) -> Answer:
    prefix = f"{place}." if place else ""
    error = entry.get("error")
    why = written(error) if error not in (None, "", False, {}, []) else ""
    if not why and entry.get("has_error") is True:
        why = written(entry.get("error_type") or entry.get("error_info") or "error")
    text = optional_text(entry.get("prediction"), f"{prefix}prediction", sayings)
    if why:
        sayings.say("pred_failed", f"round {index}: the runner failed ({why[:120]})", f"{prefix}error")
    elif text is None:
        sayings.say("pred_blank", f"round {index}: the answer is blank", f"{prefix}prediction")
    return Answer(index=index, text=text, error=why or None)


def _seen(
    entry: dict[str, Any], index: int, modality: Modality | None, place: str, context: Context, sayings: Sayings
) -> Turn:
    """The round as the model saw it."""
    prefix = f"{place}." if place else ""
    reference = entry.get("reference_answer")
    if reference is None:
        reference = entry.get("answer_text")
    category: Any = entry.get("category")
    if entry.get("primary_category") is not None:
        category = {
            "primary_category": entry.get("primary_category"),
            "secondary_categories": entry.get("secondary_categories"),
            "requires_history": entry.get("category_requires_history"),
            "reasoning": entry.get("category_reasoning"),
        }
    return Turn(
        index=index,
        question=optional_text(entry.get("question_text"), f"{prefix}question_text", sayings) or "",
        reference=optional_text(reference, f"{prefix}reference_answer", sayings) or "",
        timestamp=timestamp_of([entry.get("timestamp")], f"{prefix}timestamp", sayings),
        category=category_of(category, f"{prefix}category", sayings),
        evidence=_media(entry, modality, prefix, context, sayings),
        audio=_audio(entry, prefix, context, sayings),
    )


def _media(
    entry: dict[str, Any], modality: Modality | None, prefix: str, context: Context, sayings: Sayings
) -> tuple[Asset, ...]:
    keys = ("media_rel_path", "media_local_path", "media_remote_url", "media_cloud_path")
    key = next((k for k in keys if entry.get(k) not in (None, "")), None)
    role: AssetRole = "image" if modality == "image" else "clip"
    return () if key is None else (asset_of(entry[key], role, f"{prefix}{key}", context, sayings),)


def _audio(entry: dict[str, Any], prefix: str, context: Context, sayings: Sayings) -> Asset | None:
    keys = ("question_audio_rel_path", "question_audio_local_path")
    key = next((k for k in keys if entry.get(k) not in (None, "")), None)
    return None if key is None else asset_of(entry[key], "audio", f"{prefix}{key}", context, sayings)
