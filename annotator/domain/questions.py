"""Multiple-choice questions on one image, and what models put out for each.

The identity of a question is its place in its source: the file's hash and the row. `Question_id` is an attribute, since
published files repeat it. Nothing here decides which letter an output means; that is `letters`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from json.encoder import encode_basestring as _quoted
from typing import Any, Final, Literal

from pydantic import Field

from annotator.domain.base import Value, hash_of_json
from annotator.domain.items import Asset

Language = Literal["en", "zh"]
Split = Literal["full", "lite"]
OutputState = Literal["bare_letter", "letter_with_text", "text_only", "refused", "cut_off", "failed", "blank"]
OUTPUT_STATES: Final[tuple[OutputState, ...]] = (
    *("bare_letter", "letter_with_text", "text_only", "refused", "cut_off", "failed", "blank"),
)
# What no rule may read a letter from: the runner's own words, and nothing at all.
NO_ANSWER: Final[frozenset[str]] = frozenset({"failed", "blank"})

# The benchmark's rule: what is asked for covers at most a tenth of the image, of a driving scene a hundredth.
SHARE_BOUND: Final = 1 / 10
SHARE_BOUND_DRIVING: Final = 1 / 100
DRIVING: Final = "Autonomous_Driving"


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice as it is shown.

    Attributes:
        letter: its letter; None where the source gave it none.
        text: without the letter's mark, otherwise as it came.
    """

    letter: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a program noticed about a question; it may tell the key, so it is shown after the answer.

    Attributes:
        code: `choice_twin`, `truth_twin` (the truth's text stands under two letters), `choice_dup_letter`,
            `choice_count`, `choice_missing`, `truth_bad`, `image_missing`, `image_reduced`, `dup_exact`,
            `dup_conflict`.
        letters: the letters it is about.
        detail: what else is to be said, in words of the data (sizes, a row number).
    """

    code: str
    letters: tuple[str, ...] = ()
    detail: str = ""


class Question(Value):
    """One question of the benchmark.

    Attributes:
        item_id: the internal id, of (file hash, row).
        source_id: `Question_id`, else the index, else the row.
        source, row: the file's name and the record's number in it, from 0.
        collection: the files that make one set (parts of one export) share this name.
        index: the integer index of the repackagings, as text.
        text: the question alone.
        choices: in order; normally five.
        key: the letter that the source calls right; None where it names none that is there.
        key_raw: what stood in the source.
        task, subtask, category: as they stood in the source; `domain` is the paper's word for `Subtask`.
        canonical: (task, domain, category) in one spelling.
        dataset: of driving scenes, the set they come from.
        language, split: which set it belongs to.
        image: the picture; `inside` begins with `media/` where the workspace itself keeps it.
        findings: what was noticed on import.
        revision: 1 for the first content seen.
    """

    item_id: str
    source_id: str
    source: str = ""
    row: int = 0
    collection: str = ""
    index: str | None = None
    text: str = ""
    choices: tuple[Choice, ...] = ()
    key: str | None = None
    key_raw: str = ""
    task: str = ""
    subtask: str = ""
    category: str = ""
    canonical: tuple[str, str, str] = ("", "", "")
    dataset: str | None = None
    language: Language = "en"
    split: Split = "full"
    image: Asset | None = None
    findings: tuple[Finding, ...] = ()
    revision: int = 1

    def content(self) -> dict[str, Any]:
        """What a label judged, without local facts and without what a program noticed."""
        return {
            "text": self.text,
            "choices": [[c.letter, c.text] for c in self.choices],
            "key": self.key_raw,
            "category": [self.task, self.subtask, self.category],
            "image": self.image.raw if self.image else None,
        }

    def content_hash(self) -> str:
        """The hash of `content()`; its JSON is put together by hand, in half the time, as tens of thousands come."""
        choices = ",".join(
            [f"[{'null' if c.letter is None else _quoted(c.letter)},{_quoted(c.text)}]" for c in self.choices]
        )
        image = "null" if self.image is None or self.image.raw is None else _quoted(self.image.raw)
        category = f"[{_quoted(self.task)},{_quoted(self.subtask)},{_quoted(self.category)}]"
        return hash_of_json(
            f'{{"category":{category},"choices":[{choices}],"image":{image},"key":{_quoted(self.key_raw)},'
            f'"text":{_quoted(self.text)}}}'
        )

    def letters(self) -> tuple[str, ...]:
        """The letters that can be answered, each once, in order."""
        return tuple(dict.fromkeys(c.letter for c in self.choices if c.letter))

    def positions(self, letter: str | None) -> tuple[int, ...]:
        """The places of the choices under a letter; more than one where a letter stands twice."""
        return tuple(i for i, c in enumerate(self.choices) if letter and c.letter == letter)

    @property
    def share_bound(self) -> float:
        """The largest share of the image that what is asked for may cover."""
        return SHARE_BOUND_DRIVING if self.canonical[1] == DRIVING else SHARE_BOUND


class Prediction(Value):
    """What one model put out for one question.

    Attributes:
        output: raw; None where the record held null.
        state: what kind of output it is; nothing is ever read from `failed` and `blank`.
        official, vlmevalkit, careful: the letter under each profile, None for none.
        claims: what the file itself says of it (`score`, `letter`), never trusted.
    """

    item_id: str
    model: str
    output: str | None
    state: OutputState
    official: str | None = None
    vlmevalkit: str | None = None
    careful: str | None = None
    claims: dict[str, Any] = Field(default_factory=dict)

    def letter(self, profile: str) -> str | None:
        """The letter that counts under a profile: none for what is no answer."""
        if self.state in NO_ANSWER:
            return None
        held: str | None = getattr(self, profile)
        return held

    @property
    def disagree(self) -> bool:
        """Whether the profiles read different letters out of it; what is no answer is read by none."""
        return self.state not in NO_ANSWER and len({self.official, self.vlmevalkit, self.careful}) > 1


def box_share(box: Sequence[float], width_px: int, height_px: int) -> float:
    """The share of the image that a box [x, y, w, h] covers, its part outside left out."""
    x, y, w, h = box
    inside_w = max(0.0, min(x + w, width_px) - max(x, 0))
    inside_h = max(0.0, min(y + h, height_px) - max(y, 0))
    area = width_px * height_px
    return inside_w * inside_h / area if area else 0.0
