"""What the transcript shows of a dialogue while one turn is open, as values: the gate for text is kept here.

The text of a turn beyond the open one is not copied into any entry, so no role, tooltip or selection can hold it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from annotator.domain.items import Answer, Turn
from annotator.domain.rubric import Rubric, dimensions_of
from annotator.domain.timecode import clock
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.workspace.views import ReviewView

State = Literal["past", "current", "future", "open"]
PartName = Literal["earlier", "question", "answer", "reference"]
LOW = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One text of a turn; `kind` says whether it is a text of the data or a statement of ours about its absence."""

    name: PartName
    text: str
    kind: Literal["text", "absent", "error"] = "text"


@dataclass(frozen=True, slots=True)
class Entry:
    """One turn as the transcript shows it.

    Attributes:
        index: the turn, from 0; `state`: what of it may be shown and how.
        place: its time or picture; `spoken`: "" or how it was asked; `audio`: whether there is a question to play.
        category: "" or the capability it probes.
        scores: the eight values, for the spark; `warning`: the error tag or score to warn of, "" if there is none. Both
            are left out of the current turn, whose grid is beside it.
        parts: its texts; empty beyond the gate.
        stale: whether labels on it were made on an older text.
        locked: the line that stands for a future turn.
        loose: no turn at all: what was said in the end and never answered, or that there is no turn.
    """

    index: int
    state: State
    place: str = ""
    spoken: str = ""
    audio: bool = False
    category: str = ""
    scores: tuple[Any, ...] = ()
    warning: str = ""
    parts: tuple[Part, ...] = ()
    stale: bool = False
    locked: str = ""
    loose: bool = False

    @property
    def number(self) -> str:
        """The turn's number as people count; "" for what is no turn."""
        return "" if self.loose else str(self.index + 1)

    def text(self, reference: bool) -> str:
        """What is to be read of this turn, in reading order."""
        if self.state == "future":
            return f"{self.number} {self.locked}"
        head = " ".join(t for t in (self.number, self.place, self.spoken, self.warning, self.category) if t)
        texts = (p.text for p in self.parts if reference or p.name != "reference")
        return "\n".join((head, *texts))


def build_entries(view: ReviewView, turn: int | None) -> tuple[Entry, ...]:
    """All turns of a dialogue with `turn` open (None = the session view, where all are, and what nobody answered)."""
    turns = tuple(_entry(view, k, turn) for k in range(len(view.turns)))
    return turns if turn is not None else turns + _loose(view)


def _loose(view: ReviewView) -> tuple[Entry, ...]:
    """What the source holds beside the turns: seen with the whole session, scored by nobody."""
    first, held = len(view.turns), view.dialogue.unanswered
    if not first and not held:
        return (Entry(0, "open", parts=(Part("question", tr("transcript.no_turns"), "absent"),), loose=True),)
    unanswered = Part("answer", tr("transcript.unanswered"), "absent")
    return tuple(
        Entry(
            first + k,
            "open",
            place=" · ".join(t for t in (_stranger(entry.speaker), _raw(entry.timestamp)) if t),
            parts=(Part("question", entry.text), unanswered),
            loose=True,
        )
        for k, entry in enumerate(held)
    )


def _stranger(speaker: str | None) -> str:
    return "" if speaker is None or speaker == "user" else speaker


def _raw(stamp: Any) -> str:
    return "" if stamp is None else " ".join(str(stamp).split())


def _entry(view: ReviewView, k: int, turn: int | None) -> Entry:
    if turn is not None and k > turn:
        locked = tr("transcript.opens_after", turn=turn + 1) if k == turn + 1 else tr("transcript.not_yet")
        return Entry(k, "future", locked=locked)
    seen = view.turns[k]
    target = f"turn:{k}"
    cells = [view.sheet.cell(target, d) for d in dimensions_of(target)]
    state: State = "open" if turn is None else "current" if k == turn else "past"
    return Entry(
        index=k,
        state=state,
        place=place_text(view, k),
        spoken=tr("transcript.spoken") if seen.audio is not None else "",
        audio=seen.audio is not None and seen.audio.found,
        category=category_text(seen),
        scores=() if state == "current" else tuple(c.value for c in cells),
        warning="" if state == "current" else warning_text(view, target),
        parts=parts_of(view, k),
        stale=any(c.stale and c.value is not None for c in cells),
    )


def parts_of(view: ReviewView, k: int) -> tuple[Part, ...]:
    """The texts of one turn in the order in which they are read."""
    turn = view.turns[k]
    earlier = [e.text for e in turn.entries if e.text.strip() and e.text not in (turn.question, turn.reference)]
    replaced = (Part("earlier", "\n".join(earlier)),) if earlier else ()
    question = Part("question", turn.question)
    if not turn.question.strip():
        question = Part("question", tr("transcript.unasked"), "absent")
    answer = view.answers[k] if k < len(view.answers) else None
    if view.row.responder == "reference":
        text = answer.text if answer is not None and answer.text is not None else turn.reference
        return (*replaced, question, _answer_part(Answer(index=k, text=text)))
    reference = Part("reference", turn.reference)
    if not turn.reference.strip():
        reference = Part("reference", tr("transcript.no_reference"), "absent")
    return (*replaced, question, _answer_part(answer), reference)


def _answer_part(answer: Answer | None) -> Part:
    if answer is not None and answer.error is not None:
        return Part("answer", tr("transcript.runner_error", error=answer.error), "error")
    if answer is None or answer.text is None:
        return Part("answer", tr("transcript.no_answer"), "absent")
    if not answer.text.strip():
        return Part("answer", tr("transcript.empty_answer"), "absent")
    return Part("answer", answer.text)


def place_text(view: ReviewView, k: int) -> str:
    """Where a turn lies: its time on the clip, its picture's number, or the source's own words."""
    stamp = view.turns[k].timestamp
    start, end = stamp.start_exact, stamp.end_exact
    if start is not None and end is not None:
        time = clock(start, 1) if stamp.end is None else f"{clock(start, 1)}–{clock(end, 1)}"
    else:
        time = _raw(stamp.raw)
    if view.dialogue.modality != "image":
        return time
    stops = view.strip.stops_of(k)
    picture = tr("transcript.picture", number=stops[-1] + 1) if stops else tr("transcript.no_picture")
    return f"{picture} · {time}" if time else picture


def category_text(turn: Turn) -> str:
    """The capability of a turn, with a word where it needs the turns before."""
    category = turn.category
    if category is None or not category.primary:
        return ""
    if category.requires_history:
        return tr("transcript.needs_history", category=category.primary)
    return category.primary


def warning_text(view: ReviewView, target: str) -> str:
    """The first error tag of a low score of this target, else that score with its dimension's name, else ""."""
    first = ""
    for dimension in dimensions_of(target):
        value = view.sheet.value(target, dimension)
        if not isinstance(value, int) or value > LOW:
            continue
        tags = view.sheet.value(target, f"tags:{dimension}") or ()
        if tags:
            return tag_name(view.rubric, str(tags[0]))
        first = first or tr("transcript.low_score", name=dimension_name(view.rubric, dimension), score=value)
    return first


def tag_name(rubric: Rubric, tag_id: str) -> str:
    """An error tag in the window's language; an unknown id shows itself."""
    tag = next((t for t in rubric.tags if t.id == tag_id), None)
    return tag_id if tag is None or i18n.language() == "zh_CN" else tag.gloss


def dimension_name(rubric: Rubric, dimension_id: str) -> str:
    """A dimension's name in the window's language; an unknown id shows itself."""
    found = rubric.dimension(dimension_id)
    return dimension_id if found is None else found.name.in_language(i18n.language())


class TranscriptModel(QAbstractListModel):
    """The entries as a list model; `DisplayRole` is the visible text of a row."""

    EntryRole = Qt.ItemDataRole.UserRole + 1

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()
        self.reference = True

    def set_entries(self, entries: Sequence[Entry]) -> bool:
        """Show other entries; a list of equal length is updated in place, so that the view keeps its scroll.

        Returns whether anything is other than before.
        """
        entries = tuple(entries)
        if len(entries) == len(self._entries):
            changed = [i for i, (old, new) in enumerate(zip(self._entries, entries, strict=True)) if old != new]
            self._entries = entries
            if changed:
                self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
            return bool(changed)
        self.beginResetModel()
        self._entries = entries
        self.endResetModel()
        return True

    def entries(self) -> tuple[Entry, ...]:
        """What is shown."""
        return self._entries

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:
        """How many turns there are."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The visible text, or the entry itself."""
        if not index.isValid() or index.row() >= len(self._entries):
            return None
        entry = self._entries[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return entry.text(self.reference)
        return entry if role == self.EntryRole else None
