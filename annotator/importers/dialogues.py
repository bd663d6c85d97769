"""The benchmark's two dataset files: one dialogue a record, of streaming video or of images."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.ids import item_id
from annotator.domain.items import Dialogue, Entry, Modality, Turn
from annotator.domain.report import ReportLine
from annotator.importers.base import (
    Context,
    Record,
    Sayings,
    category_of,
    environment_of,
    kind_of,
    source_id,
    text_of,
    timestamp_of,
    written,
)
from annotator.importers.evidence import audio_of, evidence_of, frames_of

ID: Final = "_ai_unique_id_"
_STREAM, _IMAGE = "stream_conversation", "image_conversation"


@dataclass(frozen=True, slots=True)
class DialogueFound:
    """A dialogue as the dataset has it, and how many of its questions nobody answered."""

    dialogue: Dialogue
    unanswered: int
    record: int
    line: int | None


@dataclass(slots=True)
class _Built:
    """A conversation taken apart."""

    turns: list[Turn] = field(default_factory=list)
    loose: list[Entry] = field(default_factory=list)
    unanswered: int = 0
    spoken: bool = False


class DialogueReader:
    """Reads the records of one dataset file; what it remembers is the modality of the records before."""

    def __init__(self, context: Context) -> None:
        """`context` belongs to one file."""
        self._context = context
        self._last: Modality = "image" if "image" in context.stem.lower() else "video"
        self.notes: list[str] = []

    def read(self, record: Record) -> Iterator[DialogueFound | ReportLine]:
        """The dialogue of a record, after the lines about it."""
        sayings = Sayings(self._context.file, record.record, record.line)
        found = self._dialogue(record, sayings)
        yield from sayings.lines
        if found is not None:
            yield found

    def _dialogue(self, record: Record, sayings: Sayings) -> DialogueFound | None:
        name = source_id(record, ID, sayings)
        if name is None:
            return None
        modality, conversations = self._conversation(record.value, sayings)
        spoken_of = _video_turns if _has_speakers(conversations, modality) else _image_turns
        built = spoken_of(conversations, modality, self._context, sayings)
        environment, scenario, detail = environment_of(record.value.get("environment"), sayings, self.notes)
        goal, persona = _setup(record.value.get("interaction_setup"), sayings)
        meta = record.value.get("conversation_meta")
        if meta is not None and not isinstance(meta, dict):
            sayings.say("field_type", f"expected an object, found {kind_of(meta)}; kept", "conversation_meta")
        dialogue = Dialogue(
            item_id=item_id("dialogue", name, modality),
            source_id=name,
            modality=modality,
            environment=environment,
            scenario=scenario,
            detail=detail,
            goal=goal,
            persona=persona,
            meta=meta,
            turns=tuple(built.turns),
            unanswered=tuple(built.loose),
            spoken=built.spoken,
            source=self._context.file,
            record=record.record,
        )
        return DialogueFound(dialogue, built.unanswered, record.record, record.line)

    def _conversation(self, value: dict[str, Any], sayings: Sayings) -> tuple[Modality, list[Any]]:
        """The modality and the entries; a conversation that is no list counts as empty, and is said."""
        keys = [k for k in (_STREAM, _IMAGE) if value.get(k) is not None]
        keys = keys or [k for k in (_STREAM, _IMAGE) if k in value]
        if len(keys) == 2:
            filled = [k for k in keys if _entries(value[k])]
            keys = filled[:1] or keys[:1]
            sayings.say("field_type", f"the record has two conversations; only {keys[0]} is read", keys[0])
        key = keys[0] if keys else (_STREAM if self._last == "video" else _IMAGE)
        self._last = "video" if key == _STREAM else "image"
        entries = _entries(value.get(key))
        if not entries:
            inner = value.get(key)
            held = inner.get("conversations") if isinstance(inner, dict) else inner
            why = (
                "it is missing" if held is None else f"it is {kind_of(held)}" if not isinstance(held, list) else "empty"
            )
            sayings.say("no_conversation", f"the dialogue has no entry ({why}); kept", f"{key}.conversations")
        return self._last, entries or []


def _entries(conversation: Any) -> list[Any] | None:
    inner = conversation.get("conversations") if isinstance(conversation, dict) else conversation
    return inner if isinstance(inner, list) else None


def _has_speakers(entries: list[Any], modality: Modality) -> bool:
    """Whether the entries alternate by speaker; decided by the entries, else by the modality."""
    for entry in entries:
        if isinstance(entry, dict):
            if "speaker" in entry:
                return True
            if "human" in entry:
                return False
    return modality == "video"


def _setup(value: Any, sayings: Sayings) -> tuple[Any, Any]:
    """Goal and persona: free-form objects or texts."""
    if value is None:
        return None, None
    if isinstance(value, dict):
        return value.get("interaction_goal"), value.get("user_persona")
    sayings.say("field_type", f"expected an object, found {kind_of(value)}; kept as the goal", "interaction_setup")
    return value, None


# ----------------------------------------------------------------------------------------------------------- video


def _video_turns(entries: list[Any], modality: Modality, context: Context, sayings: Sayings) -> _Built:
    """Turns out of alternating entries: each `ai` entry with the last `user` entry before it."""
    built = _Built()
    pending: list[Entry] = []  # entries that the next turn takes along
    question: tuple[str, Any] | None = None  # the last user entry's text and timestamp
    open_question, shared, asked = False, False, ""
    for index, entry in enumerate(entries):
        name = f"{_STREAM if modality == 'video' else _IMAGE}.conversations[{index}]"
        if not isinstance(entry, dict):
            sayings.say("entry_not_object", f"expected an object, found {kind_of(entry)}; kept as text", name)
            pending.append(Entry(speaker=None, text=written(entry)))
            continue
        speaker = entry.get("speaker")
        if speaker not in ("user", "ai"):
            sayings.say(
                "unknown_speaker", f"the speaker is {written(speaker)[:40]}; kept, makes no turn", f"{name}.speaker"
            )
            # What has no text is kept whole: another shape of entry is no reason to lose what it says.
            told = text_of(entry["text"], f"{name}.text", sayings, blank=False) if "text" in entry else written(entry)
            pending.append(_entry(entry, told))
            continue
        text = text_of(entry.get("text"), f"{name}.text", sayings)
        kept = _entry(entry, text)
        pending.append(kept)
        if speaker == "user":
            if open_question:
                sayings.say(
                    "superseded_user", "another question follows before any answer; kept, no turn of its own", name
                )
            question, open_question, shared, asked = (text, entry.get("timestamp")), True, False, name
            continue
        if question is None:
            sayings.say("empty_question", "an answer without a question before it; its question is empty", name)
        elif shared:
            sayings.say("shared_question", "a second answer to the same question; a turn of its own", name)
        built.turns.append(
            _turn(len(built.turns), entry, question, text, tuple(pending), name, modality, context, sayings)
        )
        built.spoken = built.spoken or built.turns[-1].audio is not None
        pending, open_question, shared = [], False, question is not None
    if open_question:
        built.unanswered = 1
        sayings.say("unanswered", "the last question has no answer; kept, not counted as a turn", asked)
    built.loose = pending
    return built


def _entry(entry: dict[str, Any], text: str) -> Entry:
    speaker = entry.get("speaker")
    return Entry(speaker=None if speaker is None else written(speaker), timestamp=entry.get("timestamp"), text=text)


def _turn(
    index: int,
    entry: dict[str, Any],
    question: tuple[str, Any] | None,
    reference: str,
    entries: tuple[Entry, ...],
    name: str,
    modality: Modality,
    context: Context,
    sayings: Sayings,
) -> Turn:
    stamps = [entry.get("timestamp")] if question is None else [question[1], entry.get("timestamp")]
    key = "vqa_category" if "vqa_category" in entry else "mimt_category"
    return Turn(
        index=index,
        question="" if question is None else question[0],
        reference=reference,
        timestamp=timestamp_of(stamps, f"{name}.timestamp", sayings),
        category=category_of(entry.get(key), f"{name}.{key}", sayings),
        evidence=evidence_of(entry, modality, name, context, sayings),
        audio=audio_of(entry, name, context, sayings),
        frames=frames_of(entry, name, context, sayings),
        entries=entries,
    )


# ----------------------------------------------------------------------------------------------------------- images


def _image_turns(entries: list[Any], modality: Modality, context: Context, sayings: Sayings) -> _Built:
    """One turn for each entry: a question, an answer and the image they are about."""
    built = _Built()
    loose: list[Entry] = []  # what makes no turn, kept with the next one
    for index, entry in enumerate(entries):
        name = f"{_IMAGE if modality == 'image' else _STREAM}.conversations[{index}]"
        if not isinstance(entry, dict):
            sayings.say("entry_not_object", f"expected an object, found {kind_of(entry)}; kept as text", name)
            loose.append(Entry(speaker=None, text=written(entry)))
            continue
        stamp = entry.get("timestamp")
        if "speaker" in entry and not {"human", "ai"} & entry.keys():
            reason = "an entry by its speaker among questions and answers; kept, makes no turn"
            sayings.say("unknown_speaker", reason, f"{name}.speaker")
            loose.append(_entry(entry, text_of(entry.get("text"), f"{name}.text", sayings, blank=False)))
            continue
        question = text_of(entry.get("human"), f"{name}.human", sayings)
        reference = text_of(entry.get("ai"), f"{name}.ai", sayings)
        both = (
            Entry(speaker="user", timestamp=stamp, text=question),
            Entry(speaker="ai", timestamp=stamp, text=reference),
        )
        asked = (question, stamp)
        kept = (*loose, *both)
        built.turns.append(_turn(len(built.turns), entry, asked, reference, kept, name, modality, context, sayings))
        built.spoken = built.spoken or built.turns[-1].audio is not None
        loose = []
    built.loose = loose
    return built
