"""What the workspace hands to those who show: frozen values with everything one screen needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from annotator.domain.assets import AssetTerms
from annotator.domain.gate import Strip
from annotator.domain.items import Answer, Asset, Dialogue, Responder, Turn, judged_hash, judged_session_hash
from annotator.domain.judge import Attribution
from annotator.domain.labels import CANDIDATE_FIELDS, judges_nothing, turn_index
from annotator.domain.queue import Facets, QueueRow, row_after
from annotator.domain.rubric import Rubric
from annotator.domain.sheet import Sheet

# none: no spot-check drew of this row; closed: to be scored blind; committed: locked, not shown yet; open: shown; off:
# this spot-check shows nothing.
RevealState = Literal["none", "closed", "committed", "open", "off"]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge said of one target.

    Attributes:
        judge: a short name; `status`: without `success` there are no scores.
        scores, reasons: by dimension; `summary`: in words.
    """

    judge: str
    status: str
    scores: Mapping[str, int]
    reasons: Mapping[str, str]
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Reveal:
    """What a rater may know of the judges of a row; empty but for the state until it is open.

    Attributes:
        state: how far it is; `drawn`: the targets that spot-checks drew.
        opinions, attributions: by target, in order of import.
    """

    state: RevealState = "none"
    drawn: frozenset[str] = frozenset()
    opinions: Mapping[str, tuple[Opinion, ...]] = field(default_factory=dict)
    attributions: Mapping[str, tuple[Attribution, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpotState:
    """A spot-check as the queue shows it: turns and sessions drawn, and those that this rater has said."""

    name: str
    drawn: int
    done: int


@dataclass(frozen=True, slots=True)
class WorkspaceInfo:
    """What is true of an open workspace.

    Attributes:
        folder: the workspace's folder; `name`: its last part.
        rater: whose labels are made here.
        read_only: whether another window (or the medium) keeps it from being written; `why`: a sentence.
        hide_names: whether tested models are shown by alias only.
        dialogues: distinct dialogues; `events`: label events in the log.
        network_share: the folder lies on a network file system.
        warnings: sentences found at opening, to be told once.
        reveals: in spot-checks the judge is shown after the commit, unless one of them says otherwise.
        judges_closed: figures of judges are closed to this rater while a spot-check is scored blind.
    """

    folder: Path
    name: str
    rater: str
    read_only: bool
    why: str
    hide_names: bool
    dialogues: int
    events: int
    network_share: bool = False
    warnings: tuple[str, ...] = ()
    reveals: bool = True
    judges_closed: bool = False


@dataclass(frozen=True, slots=True)
class QueueView:
    """The queue as filtered, with counts over everything."""

    rows: tuple[QueueRow, ...]
    total: int
    complete: int
    facets: Facets
    aliases: dict[str, str] = field(default_factory=dict)
    spots: tuple[SpotState, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewView:
    """One queue row opened for audit.

    Attributes:
        row: the queue row.
        dialogue: the item; `turns`: its turns as this responder saw them (texts may differ); `answers[k]`: what was
            answered at turn k, None where nothing was.
        responders: (responder id, shown name) of all rows of this dialogue, in shown order.
        sheet: this rater's labels on it.
        strip: the evidence with its gates.
        rubric: what is scored.
        drafts: texts being written when the window was last left, by (target, field).
        read_only: whether labels can be made.
        terms: what the asset manifest says of the files, by the name the source gives them.
        safety: it belongs to a safety set: media open blurred.
        reveal: what is known of its judges.
    """

    row: QueueRow
    dialogue: Dialogue
    turns: tuple[Turn, ...]
    answers: tuple[Answer | None, ...]
    responders: tuple[tuple[str, str], ...]
    sheet: Sheet
    strip: Strip
    rubric: Rubric
    drafts: dict[tuple[str, str], str] = field(default_factory=dict)
    read_only: bool = False
    terms: dict[str, AssetTerms] = field(default_factory=dict)
    safety: bool = False
    reveal: Reveal = field(default_factory=Reveal)

    def judged(self, target: str, field: str) -> str:
        """The hash of what a label said now would judge: what the person saw, whatever was imported since."""
        if judges_nothing(field):
            return ""
        index = turn_index(target)
        if field in CANDIDATE_FIELDS:
            return self.dialogue.content_hash() if index is None else judged_hash(_at(self.dialogue.turns, index), None)
        texts = [None if a is None else a.text for a in self.answers]
        if index is not None:
            return judged_hash(_at(self.turns, index), texts[index] if index < len(texts) else None)
        return judged_session_hash(self.turns, texts)

    def after(self, intents: Sequence[Intent]) -> ReviewView:
        """The row as it stands once this is said; a text that was being written is said now, or is older than it."""
        sheet, drafts = self.sheet, dict(self.drafts)
        for intent in intents:
            sheet = sheet.with_value(intent.target, intent.field, intent.value)
            drafts.pop((intent.target, intent.field), None)
        return replace(self, sheet=sheet, row=row_after(self.row, sheet), drafts=drafts)


def _at(turns: Sequence[Turn], index: int) -> Turn | None:
    return turns[index] if 0 <= index < len(turns) else None


@dataclass(frozen=True, slots=True)
class Intent:
    """What a person wants to say: one field of one target; None withdraws."""

    target: str
    field: str
    value: Any


@dataclass(frozen=True, slots=True)
class Changes:
    """What a call changed, so that each view can decide for itself whether it is touched.

    Attributes:
        rows: the queue rows (item id, responder) whose status or progress changed.
        cells: (item id, responder, target, field) of each changed value.
        items: items added or changed.
        moved_to: where to go to see it (undo and redo): (item id, responder, target, field).
        events: how many events were appended.
        undo: whether there is now something to undo, and something to redo; None where that did not change.
    """

    rows: frozenset[tuple[str, str]] = frozenset()
    cells: tuple[tuple[str, str | None, str, str], ...] = ()
    items: bool = False
    moved_to: tuple[str, str | None, str, str] | None = None
    events: int = 0
    undo: tuple[bool, bool] | None = None


def asset_path(asset: Asset | None) -> Path | None:
    """The local file of an asset, None where it was not found."""
    if asset is None or not asset.found or asset.root is None or asset.inside is None:
        return None
    return Path(asset.root, *asset.inside.split("/"))


def shown_turn(turns: Sequence[Turn], index: int) -> int:
    """A turn index clamped to what is there."""
    return max(0, min(index, len(turns) - 1))


def answers_of(turns: Sequence[Turn], answered: Responder) -> tuple[Answer | None, ...]:
    """What was answered at each turn, None where nothing was."""
    by_index = {a.index: a for a in answered.answers}
    return tuple(by_index.get(t.index) for t in turns)


def marked_safety(dialogue: Dialogue) -> bool:
    """Whether the source says of the dialogue itself that it belongs to a safety set."""
    meta = dialogue.meta
    return isinstance(meta, dict) and any(bool(meta.get(name)) for name in ("safety", "safety_set", "is_safety"))
