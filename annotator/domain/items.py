"""Items as they were imported: dialogues with their turns, evidence and answers.

A `Dialogue` is what the dataset says; a `Responder` is one tested model's answers to it (or the reference). Local facts
about files (found, missing, where) ride on `Asset` and are no part of the content hash, so that an item is the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from annotator.domain.base import Value, content_hash
from annotator.domain.timecode import Timestamp

Modality = Literal["video", "image"]
AssetStatus = Literal["ok", "remapped", "missing", "refused", "url", "takedown"]
AssetRole = Literal["clip", "image", "audio", "frame"]


class Asset(Value):
    """One media file that a record names.

    Attributes:
        role: what it is to the turn.
        raw: the path as it stood in the source (None where the field was empty or no text).
        field: the source field it came from.
        status: `ok`, `remapped` (found by its tail), `missing`, `refused` (leaves the root), `url` (never fetched),
            `takedown` (the manifest says that it must not be shown).
        inside: the path inside the data root, with forward slashes, where found.
        root: the data root it was found in (absolute), where found.
    """

    role: AssetRole
    raw: str | None
    field: str
    status: AssetStatus
    inside: str | None = None
    root: str | None = None

    @property
    def found(self) -> bool:
        """Whether there is a local file to show."""
        return self.status in ("ok", "remapped")


class Category(Value):
    """The capability that a turn probes: a plain name, or the object form of the dataset."""

    primary: str | None = None
    secondary: tuple[str, ...] = ()
    requires_history: bool | None = None
    reasoning: str | None = None


class Entry(Value):
    """One entry of the source's conversation list, kept as it came."""

    speaker: str | None
    timestamp: Any = None
    text: str = ""


class Turn(Value):
    """One turn of a dialogue: a reference answer, with the last question before it.

    Attributes:
        index: `round_index`, from 0.
        question: "" for a proactive answer.
        reference: the reference answer.
        timestamp: the user's, else the ai's.
        category: the capability, if stated.
        evidence: the clip or image(s) that this turn reveals, in order.
        audio: the spoken question, if any.
        frames: the frames that a model was given, where the source lists them.
        entries: the source's entries that make up this turn, superseded questions included.
    """

    index: int
    question: str
    reference: str
    timestamp: Timestamp
    category: Category | None = None
    evidence: tuple[Asset, ...] = ()
    audio: Asset | None = None
    frames: tuple[Asset, ...] = ()
    entries: tuple[Entry, ...] = ()

    def content(self) -> dict[str, Any]:
        """What a label on this turn judged, without local facts: texts, place and evidence names."""
        return {
            "question": self.question,
            "reference": self.reference,
            "timestamp": self.timestamp.raw,
            "category": self.category.model_dump() if self.category else None,
            "evidence": [a.raw for a in self.evidence],
            "audio": self.audio.raw if self.audio else None,
            "frames": [a.raw for a in self.frames],
        }


class Dialogue(Value):
    """One dialogue of the benchmark.

    Attributes:
        item_id: the internal id.
        source_id: the source's own id, as text.
        modality: `video` or `image`.
        environment: as it stood; `scenario` and `detail` are its two parts (split at the first `-`, else `unknown`).
        goal, persona, meta: free-form JSON of the source (None where absent).
        turns: in order; `turns[k].index == k`.
        unanswered: user entries without an answer, and entries of unknown speakers.
        spoken: whether the questions are spoken (the `_tts` tasks).
        source: the file it came from (name only) and `record`, its position there from 0.
        from_answers: made from a model's answers; the dataset's own record takes its place when it comes.
        revision: 1 for the first content seen, then counting up.
    """

    item_id: str
    source_id: str
    modality: Modality
    environment: str = ""
    scenario: str = "unknown"
    detail: str = "unknown"
    goal: Any = None
    persona: Any = None
    meta: Any = None
    turns: tuple[Turn, ...] = ()
    unanswered: tuple[Entry, ...] = ()
    spoken: bool = False
    source: str = ""
    record: int = 0
    from_answers: bool = False
    revision: int = 1

    def content(self) -> dict[str, Any]:
        """What makes one content equal another, without local facts."""
        return {
            "source_id": self.source_id,
            "modality": self.modality,
            "environment": self.environment,
            "goal": self.goal,
            "persona": self.persona,
            "meta": self.meta,
            "turns": [t.content() for t in self.turns],
            "unanswered": [e.model_dump() for e in self.unanswered],
        }

    def content_hash(self) -> str:
        """The hash of `content()`."""
        return content_hash(self.content())

    def title(self) -> str:
        """A line to know it by: the goal's first text, else the first question, else the id."""
        text = first_text(self.goal) or next((t.question for t in self.turns if t.question.strip()), "")
        return " ".join(text.split()) or self.source_id

    def capabilities(self) -> tuple[str, ...]:
        """The distinct primary categories of its turns, in order."""
        names = (t.category.primary for t in self.turns if t.category and t.category.primary)
        return tuple(dict.fromkeys(n for n in names if n))


class Answer(Value):
    """What a responder answered at one turn.

    Attributes:
        index: the turn.
        text: None where nothing was answered.
        error: the runner's error, where there was one (such text is no answer).
    """

    index: int
    text: str | None
    error: str | None = None


class Responder(Value):
    """One responder's answers to one dialogue.

    Attributes:
        item_id: the dialogue.
        responder: `reference` or `provider::model_name::task_name`.
        answers: by turn; a turn that is not there was not answered.
        turns: the turn texts as this responder saw them, where they differ from the dialogue's (None = equal).
        revision: counts this responder's contents.
    """

    item_id: str
    responder: str
    answers: tuple[Answer, ...] = ()
    turns: tuple[Turn, ...] | None = None
    revision: int = 1

    def answer(self, index: int) -> Answer | None:
        """The answer at a turn, or None."""
        return next((a for a in self.answers if a.index == index), None)

    def content_hash(self) -> str:
        """The hash of what was answered, and of the texts it was answered to where they differ."""
        turns = None if self.turns is None else [t.content() for t in self.turns]
        return content_hash({"answers": [[a.index, a.text, a.error] for a in self.answers], "turns": turns})


def judged_hash(turn: Turn | None, answer: str | None) -> str:
    """The hash of what a turn label judged: the turn's content and the answer it was about."""
    return content_hash([turn.content() if turn else None, answer])


def judged_session_hash(turns: Sequence[Turn], answers: Sequence[str | None]) -> str:
    """The hash of what a session label judged: all turns and what was answered at each (None = nothing)."""
    return content_hash([[turn.content() for turn in turns], list(answers)])


def first_text(value: Any) -> str:
    """The first non-blank string inside free-form JSON, depth first; "" where there is none."""
    if isinstance(value, str):
        return value.strip()
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((found for found in map(first_text, inner) if found), "")
