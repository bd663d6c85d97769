"""A workspace whose verdicts, weeks and working times are known to the last one: for retention and effort."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.rubric import TURN_DIMENSIONS
from annotator.store import Draft, Store, create_store
from tests.helpers.imports import TASK, bring, judged, sample, video, write

SCENES = ("personal_living_space-kitchen", "outdoor_public_space-park", "work_and_office_environment-desk")
RESPONDER = f"p::m::{TASK}"
DIALOGUES = 24
WEEKS = ("2026-03-02", "2026-03-09", "2026-03-16")
VERDICTS = {"li": "kkkkkkkkkkkkkkrrrrxxkk", "wu": "kkkkkkkkkkkkrrrrrxxxrr", "zoe": "kkkkkkkkkkkkkk"}
"""One letter for each dialogue from the first: keep, revise (r), reject (x). The last dialogues are heard by none."""
WORDS = {"k": "keep", "r": "revise", "x": "reject"}


def build(folder: Path, rater: str = "li", *, lead: bool = False) -> Path:
    """24 dialogues of one turn: judge `j` scores them 5 to 2 in falling order, `k` one less; see `VERDICTS`.

    Dialogues 0-13 have at least two keeps (12 and 13 against one revise), 14-19 are sent back or rejected by both
    (17: one revises, one rejects: undecided), 20 and 21 stand one to one, 22 and 23 wait. With `lead` the rater has
    settled dialogue 20 as kept.
    """
    names = [f"d{k:02d}" for k in range(DIALOGUES)]
    made, place = folder / "made", folder / "workspace"
    with create_store(place, rater=rater) as store:
        scenes = [SCENES[k % len(SCENES)] for k in range(DIALOGUES)]
        bring(store, write(made / "v.json", [video(n, 1, environment=s) for n, s in zip(names, scenes, strict=True)]))
        samples = [sample(n, "m", 1, environment=s) for n, s in zip(names, scenes, strict=True)]
        bring(store, write(made / "s.jsonl", samples))
        scores = [(judge, name, 5 - 3 * k // DIALOGUES - down) for k, name in enumerate(names)
                  for down, judge in enumerate(("j", "k"))]  # fmt: skip
        records = [judged(name, 0, judge=judge, model="m", scores={"accuracy": {"score": score, "reason": ""}})
                   for judge, name, score in scores]  # fmt: skip
        bring(store, write(made / "j.jsonl", records))
        drafts = [draft for who, letters in VERDICTS.items() for k, letter in enumerate(letters)
                  for draft in _said(store, who, k, WORDS[letter])]  # fmt: skip
        if lead:
            drafts.append(_draft(store, rater, 20, "verdict", "keep", WEEKS[2], phase="adjudicated"))
        store.labels.append(drafts)
    return place


def _said(store: Store, who: str, k: int, verdict: str) -> list[Draft]:
    """A verdict with its reason, and eight scores: zoe's are equal and made in a moment, wu is harsher in the end."""
    week = WEEKS[k * len(WEEKS) // DIALOGUES]
    fast = who == "zoe"
    worth = {"keep": 5, "revise": 3, "reject": 2}[verdict]
    drafts = [_draft(store, who, k, "verdict", verdict, week)]
    if verdict != "keep":
        drafts.append(_draft(store, who, k, "verdict_reasons", ["content"] if k % 2 else ["content", "privacy"], week))
    for place, name in enumerate(TURN_DIMENSIONS):
        score = 4 if fast else max(1, worth - (place % 2) - (who == "wu" and week == WEEKS[2]))
        ms = 200 if fast else 6_000 + 1_000 * place + 500 * (k % 4)
        drafts.append(_draft(store, who, k, name, score, week, target="turn:0", responder=RESPONDER, active_ms=ms))
    return drafts


def _draft(store: Store, who: str, k: int, field: str, value: object, week: str, **more: object) -> Draft:
    told = {"target": "item", "active_ms": 2_000 if who != "zoe" else 100, "at": f"{week}T10:00:{k:02d}.000000Z"} | more
    return Draft(rater=who, item_id=store.items.resolve(f"d{k:02d}"), field=field, value=value, **told)  # type: ignore[arg-type]
