"""Who may see keys and outputs of questions before answering them.

The project is blind or open. A rater who wants to see figures over all questions first opens the questions for
themselves: from then on they are as in an open project, so whatever they still answer is said with the key at hand
(phase `open`) and is no blind answer. Nothing takes that back.
"""

from __future__ import annotations

from typing import Final, Literal

from annotator.store import Store

ProjectPhase = Literal["blind", "open"]
PHASE: Final = "question_phase"
LOOKED: Final = "question_open_for"


def phase_of(store: Store, rater: str) -> ProjectPhase:
    """`blind`: this rater sees the key after the answer; `open`: from the beginning."""
    return "open" if store.desk.get(PHASE, "blind") == "open" or rater in store.desk.get(LOOKED, []) else "blind"


def open_for(store: Store, rater: str) -> None:
    """Open all questions for one rater, for good.

    Raises:
        WorldError: when the workspace cannot be written.
    """
    held = store.desk.get(LOOKED, [])
    if rater not in held:
        store.desk.set(LOOKED, sorted({*held, rater}))
