"""Comparisons made from dialogues: several responders' answers to the same turn or session.

What is drawn follows from the seed and the items alone, so that every machine with the same dialogues draws the same.
Each stratum (scenario and modality) gets its share of the set, so that figures over the set speak of all dialogues.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.comparisons import FEWEST, MOST, Comparison, Level, Response, drawn_for_repeat
from annotator.domain.ids import item_id, model_of, rank_hash
from annotator.domain.items import Asset, Dialogue, Responder
from annotator.domain.report import ImportReport
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.comparisons_repeats import KIND, put_new, put_repeat

PREFIX: Final = "comparisons:"
PROJECTS: Final = "comparison_projects"
SEED: Final = "comparison_seed"


@dataclass(frozen=True, slots=True)
class Stratum:
    """One scenario and modality: how many comparisons are possible, and how many were drawn."""

    scenario: str
    modality: str
    population: int
    drawn: int


@dataclass(frozen=True, slots=True)
class Made:
    """What was made, as it is kept in the workspace.

    Attributes:
        items: in the order of drawing; `repeats` those that show one of them again, a share `rate` by the same seed.
    """

    project: str
    level: Level
    seed: int
    responders: tuple[str, ...]
    population: int
    strata: tuple[Stratum, ...]
    items: tuple[str, ...]
    repeats: tuple[str, ...]
    notes: tuple[str, ...]
    rate: float = 0.0

    def raw(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def make_comparisons(
    store: Store,
    responders: Sequence[str],
    size: int,
    *,
    level: Level = "turn",
    seed: int = 0,
    project: str,
    repeats: float = 0.0,
    token: CancelToken | None = None,
) -> Made:
    """Draw turns (or sessions) that all of these responders answered, and keep each as an item to compare.

    The history and the gate are the dialogue's own: a responder that saw other texts of a turn is not compared there.
    A comparison that is there already from another set is the same item.

    Raises:
        WorldError: the name is taken, an unknown responder, too few or too many of them, or more than there is to draw.
    """
    if project in projects(store):
        raise WorldError(f'There is a set of comparisons "{project}" already: choose another name.')
    chosen = _resolved(store, responders)
    found, differing = _possible(store, chosen, level, token)
    if not 1 <= size <= len(found):
        raise WorldError(
            f"A set of {size} does not fit: {len(found)} {level}s were answered by all of {', '.join(chosen)}."
        )
    picked, strata = _drawn(found, size, seed, project)
    notes = [f"{differing} {level}s are left out, where a responder saw other texts."] if differing else []
    items: list[str] = []
    again: list[str] = []
    report = ImportReport(kind=KIND, source=project)
    with store.imports.begin(KIND, project) as writer:
        for unit in picked:
            check(token)
            comparison = unit.comparison.model_copy(update={"project": project})
            items.append(comparison.item_id)
            report.new += put_new(writer, comparison)
            if drawn_for_repeat(comparison.item_id, repeats, seed):
                again.append(put_repeat(writer, comparison))
        report.comparisons = len(items)
        report.records = report.accepted = len(items)
        writer.publish(report)
    made = Made(project, level, seed, chosen, len(found), strata, tuple(items), tuple(again), tuple(notes), repeats)
    store.desk.set(PREFIX + project, made.raw())
    store.desk.set(PROJECTS, [*projects(store), project])
    return made


def order_seed(store: Store, comparison: Comparison) -> int:
    """What the order on the screen is made from: the seed of the set an item was made for, else the workspace's."""
    held = store.desk.get(PREFIX + comparison.project, {}) if comparison.project else {}
    seed = held.get("seed") if isinstance(held, dict) else None
    return seed if isinstance(seed, int) else workspace_seed(store)


def workspace_seed(store: Store) -> int:
    """The seed of the order of items that came with a source."""
    held = store.desk.get(SEED, 0)
    return held if isinstance(held, int) else 0


def projects(store: Store) -> list[str]:
    """The names of all sets, in order of making."""
    held = store.desk.get(PROJECTS, [])
    return [str(name) for name in held] if isinstance(held, list) else []


# ----------------------------------------------------------------------------------------------------- who and where
def _resolved(store: Store, named: Sequence[str]) -> tuple[str, ...]:
    """The ids of responders, sorted, so that each set of responders makes the same items whoever asks.

    Raises:
        WorldError: one that is not there or stands for several, or a number of them that does not fit.
    """
    known = [*store.items.responder_ids(), "reference"]
    found: list[str] = []
    for name in named:
        fitting = [name] if name in known else [one for one in known if model_of(one) == name]
        if len(fitting) != 1:
            what = "no responder" if not fitting else f"{len(fitting)} responders ({', '.join(fitting)})"
            raise WorldError(f'"{name}" stands for {what} in this workspace: name one by its id.', code="responder")
        found += fitting
    if len(set(found)) != len(found) or not FEWEST <= len(found) <= MOST:
        raise WorldError(f"Name {FEWEST} to {MOST} different responders to compare, not {', '.join(named) or 'none'}.")
    return tuple(sorted(found))


@dataclass(frozen=True, slots=True)
class _Unit:
    comparison: Comparison
    stratum: tuple[str, str]


def _possible(
    store: Store, responders: tuple[str, ...], level: Level, token: CancelToken | None
) -> tuple[list[_Unit], int]:
    """Every comparison that could be made, and how many were left out because texts differ."""
    found: list[_Unit] = []
    differing = 0
    again = store.desk.repeats()
    for head in store.items.heads("dialogue"):
        check(token)
        if head.item_id in again:
            continue
        answers = [store.items.responder(head.item_id, name) for name in responders]
        whole = [answer for answer in answers if answer is not None]
        if len(whole) < len(responders):
            continue
        dialogue = store.items.dialogue(head.item_id)
        places: list[int | None] = [None] if level == "session" else [turn.index for turn in dialogue.turns]
        for place in places:
            texts = [_text(dialogue, one, place) for one in whole]
            if any(text is None for text in texts):
                continue
            if any(_differs(dialogue, one, place) for one in whole):
                differing += 1
                continue
            said = dict(zip(responders, (text or "" for text in texts), strict=True))
            found.append(_Unit(_made(dialogue, place, said), (dialogue.scenario, dialogue.modality)))
    return found, differing


def _text(dialogue: Dialogue, responder: Responder, place: int | None) -> str | None:
    """What is compared of one responder; None where it did not answer (all of) it."""
    if place is not None:
        answer = responder.answer(place)
        if answer is None or answer.error or not (answer.text or "").strip():
            return None
        return answer.text
    texts = [_text(dialogue, responder, turn.index) for turn in dialogue.turns]
    return None if None in texts or not texts else _numbered([text or "" for text in texts])


def _numbered(texts: Sequence[str]) -> str:
    return "\n\n".join(f"[{number}] {text}" for number, text in enumerate(texts, start=1))


def _differs(dialogue: Dialogue, responder: Responder, place: int | None) -> bool:
    """Whether the responder saw other texts up to the turn that is compared."""
    if responder.turns is None:
        return False
    last = len(dialogue.turns) if place is None else place + 1
    ours = [(t.question, t.reference) for t in dialogue.turns[: last - 1]]
    theirs = [(t.question, t.reference) for t in responder.turns[: last - 1]]
    asked = (
        [t.question for t in dialogue.turns[last - 1 : last]],
        [t.question for t in responder.turns[last - 1 : last]],
    )
    return ours != theirs or asked[0] != asked[1]


def _made(dialogue: Dialogue, place: int | None, said: Mapping[str, str]) -> Comparison:
    turns = dialogue.turns if place is None else (dialogue.turns[place],)
    media: dict[str, Asset] = {}
    for asset in (asset for turn in turns for asset in turn.evidence):
        media.setdefault(asset.raw or "", asset)
    where = "session" if place is None else f"turn:{place}"
    return Comparison(
        item_id=item_id("comparison", dialogue.item_id, where, *said),
        source_id=f"{dialogue.source_id}#{where}#{rank_hash(*said)[:6]}",
        form="rubric-mme",
        prompt=turns[0].question if place is not None else _numbered([turn.question for turn in turns]),
        reference=turns[0].reference if place is not None else _numbered([turn.reference for turn in turns]),
        media=tuple(media.values()),
        subset=dialogue.scenario,
        responses=tuple(Response(text=text, responder=name) for name, text in said.items()),
        dialogue=dialogue.item_id,
        turn=place,
        source=dialogue.source,
        record=dialogue.record,
    )


# ------------------------------------------------------------------------------------------------------ the drawing
def _drawn(units: Sequence[_Unit], size: int, seed: int, project: str) -> tuple[list[_Unit], tuple[Stratum, ...]]:
    """Each stratum's share by largest remainders; inside it whoever comes first in an order made from the seed."""
    strata: dict[tuple[str, str], list[_Unit]] = defaultdict(list)
    for unit in units:
        strata[unit.stratum].append(unit)
    exact = {name: size * len(held) / len(units) for name, held in strata.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_remainder = sorted(strata, key=lambda name: (shares[name] - exact[name], name))
    for name in by_remainder[: size - sum(shares.values())]:
        shares[name] += 1

    def place(unit: _Unit) -> str:
        return rank_hash("compare", str(seed), project, unit.comparison.item_id)

    picked = [unit for name, held in strata.items() for unit in sorted(held, key=place)[: shares[name]]]
    told = tuple(Stratum(*name, len(strata[name]), shares[name]) for name in sorted(strata))
    return sorted(picked, key=place), told
