"""What the choice page works out of a question's values: the right letter, votes, the order of letters, names in words.

Nothing here draws or asks; everything takes a `QuestionView` and gives plain values.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import NO_LETTER, QuestionSheet
from annotator.domain.questions import NO_ANSWER
from annotator.domain.sheet import Cell
from annotator.ui.i18n import has, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from annotator.workspace.questions import PredictionView, QuestionView
    from annotator.workspace.views import Intent

CANNOT: Final = "cannot_tell"
LETTERS: Final = "ABCDE"
FLAGS: Final = ("wording", "image_mismatch")


def with_said(view: QuestionView, intents: Iterable[Intent]) -> QuestionView:
    """The view with statements that are on their way to the disk laid over its sheet; it reveals nothing."""
    sheet = view.sheet
    cells, phases, drafts = dict(sheet.cells), dict(sheet.phases), dict(view.drafts)
    for intent in intents:
        drafts.pop((intent.target, intent.field), None)  # what was being written is said now, or is older than it
        cells[intent.field] = Cell(intent.value)
    said = QuestionSheet(sheet.item_id, sheet.rater, cells, phases)
    row = replace(view.row, status=said.status(), answered=said.answered)
    return replace(view, sheet=said, row=row, drafts=drafts)


def truth(view: QuestionView) -> str | None:
    """The letter that counts as right: what this rater put in the place of a wrong key, else the key."""
    if view.sheet.value("key_verdict") == "wrong" and view.sheet.value("key_letter") is not None:
        return str(view.sheet.value("key_letter"))
    return view.question.key


def counts(prediction: PredictionView) -> bool:
    """Whether anything may be read out of an output: the runner's errors and blanks are no answers."""
    return prediction.state not in NO_ANSWER


def model_name(prediction: PredictionView) -> str:
    """What a model is called here: its own name, or its alias where names are hidden."""
    return prediction.alias if prediction.alias == prediction.model else tr("queue.model", name=prediction.alias)


def letters_of(prediction: PredictionView) -> tuple[str | None, ...]:
    """The letter under each profile, in their order."""
    if not counts(prediction):
        return (None,) * len(PROFILES)
    return tuple(getattr(prediction, name) for name in PROFILES)


def differs(prediction: PredictionView) -> bool:
    """Whether the profiles read different letters."""
    return len(set(letters_of(prediction))) > 1


def odd_ones(prediction: PredictionView) -> tuple[bool, ...]:
    """Which profiles differ from what most of them read; all of them where each reads something else."""
    letters = letters_of(prediction)
    if len(set(letters)) == 1:
        return (False,) * len(letters)
    letter, most = Counter(letters).most_common(1)[0]
    return tuple(most == 1 or each != letter for each in letters)


def said_letter(view: QuestionView, model: str) -> str | None:
    """The letter that this rater confirmed or corrected; `none`: there is none in it; None: nothing was said."""
    value = view.sheet.value(f"letter:{model}")
    return None if value is None else str(value)


def proposal(prediction: PredictionView) -> str:
    """What confirming would say: the letter that the careful profile reads, `none` without one."""
    return prediction.careful or NO_LETTER


def read_letter(view: QuestionView, prediction: PredictionView) -> str | None:
    """The letter a model's output is taken for: a person's, else the careful profile's."""
    said = said_letter(view, prediction.model)
    if said is not None:
        return None if said == NO_LETTER else said
    return prediction.careful if counts(prediction) else None


def open_models(view: QuestionView) -> tuple[str, ...]:
    """The models whose letter nobody confirmed, those first whose profiles disagree."""
    held = [p for p in view.predictions if counts(p) and said_letter(view, p.model) is None]
    return tuple(p.model for p in (*filter(differs, held), *(p for p in held if not differs(p))))


def next_model(view: QuestionView, after: str | None) -> str | None:
    """The next model to confirm after one, round and round; None where all are."""
    waiting = open_models(view)
    if not waiting:
        return None
    order = [p.model for p in view.predictions if differs(p)] + [p.model for p in view.predictions if not differs(p)]
    start = order.index(after) + 1 if after in order else 0
    return next(m for m in (*order[start:], *order[:start]) if m in waiting)


def votes(view: QuestionView) -> tuple[Counter[str], int]:
    """How many models answered each letter, and how many outputs count at all."""
    counted = [p for p in view.predictions if counts(p)]
    return Counter(letter for p in counted if (letter := read_letter(view, p))), len(counted)


def default_letter(view: QuestionView) -> str | None:
    """The right letter that a wrong key suggests: the rater's own answer, where it is another one."""
    own: Any = view.sheet.value("answer")
    return str(own) if own not in (None, CANNOT) and own != view.question.key else None


def page_gaps(view: QuestionView) -> tuple[str, ...]:
    """What is still to be said about question and key, in order."""
    return view.sheet.gaps()


# ---------------------------------------------------------------------------------------------------------- in words
def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def name_of(kind: str, value: str) -> str:
    """A task, domain or other code in words; one that nobody foresaw reads as it stands in the data."""
    if has(f"choice.{kind}.{_slug(value)}"):
        return tr(f"choice.{kind}.{_slug(value)}")
    return value.replace("_", " ")


def answer_word(answer: str | None) -> str:
    """An answer as one sign."""
    return "–" if answer in (CANNOT, NO_LETTER, None) else str(answer)
