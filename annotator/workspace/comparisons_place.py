"""Where the responses of a comparison stand: the media they are about, behind the same gate, and what was said before.

A comparison made from a dialogue shows the dialogue's own history and is gated as its turn is; any other is about its
own media, all of them open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.assets import AssetTerms
from annotator.domain.comparisons import Comparison
from annotator.domain.gate import Strip
from annotator.domain.items import Turn
from annotator.domain.timecode import parse
from annotator.errors import WorldError
from annotator.workspace.views import marked_safety
from annotator.workspace.workspace import Workspace

SAFETY: Final = "safety"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn before the one that is compared: what was asked, and the benchmark's own answer."""

    number: int
    question: str
    reference: str


@dataclass(frozen=True, slots=True)
class ComparisonPlace:
    """What stands around the responses.

    Attributes:
        strip: the media in order, with their gates.
        turn: the turn whose gate holds; None where everything is open (a session).
        history: the turns before it.
        terms: what the asset manifest says of the files, by the name the source gives them.
        safety: it belongs to a safety set: media open blurred.
    """

    strip: Strip
    turn: int | None = 0
    history: tuple[PastTurn, ...] = ()
    terms: Mapping[str, AssetTerms] = field(default_factory=dict)
    safety: bool = False


def place_of(workspace: Workspace, held: Comparison) -> ComparisonPlace:
    """The place of one comparison; where its dialogue is gone, its own media stand for it."""
    if held.dialogue is not None:
        try:
            return _in_dialogue(workspace, held.dialogue, held.turn)
        except WorldError:
            pass
    alone = Turn(index=0, question=held.prompt, reference="", timestamp=parse(None), evidence=held.media)
    turns, terms = workspace.assets.apply_turns((alone,))
    clip = any(asset.role == "clip" for asset in held.media)
    safety = held.subset == SAFETY or any(term.safety for term in terms.values())
    return ComparisonPlace(Strip("video" if clip else "image", turns), 0, (), terms, safety)


def _in_dialogue(workspace: Workspace, dialogue_id: str, turn: int | None) -> ComparisonPlace:
    dialogue, terms = workspace.assets.apply(workspace.store.items.dialogue(dialogue_id))
    before = dialogue.turns[:turn] if turn is not None else ()
    history = tuple(PastTurn(t.index + 1, t.question, t.reference) for t in before)
    safety = marked_safety(dialogue) or any(term.safety for term in terms.values())
    return ComparisonPlace(Strip(dialogue.modality, dialogue.turns), turn, history, terms, safety)
