"""What the window gets to see of comparisons: frozen values, without names and without what a source says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from annotator.domain.comparisons_sheet import ComparisonSheet, Review
from annotator.domain.items import Asset
from annotator.domain.sheet import Status
from annotator.workspace.comparisons_place import ComparisonPlace


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One row of the queue; a hidden repeat looks like any other."""

    item_id: str
    source_id: str
    title: str
    form: str
    subset: str
    modality: str
    responses: int
    status: Status
    missing_media: int

    @property
    def finished(self) -> bool:
        """Whether nothing is left to say."""
        return self.status == "complete"


@dataclass(frozen=True, slots=True)
class ComparisonFilter:
    """Which rows are wanted; an empty value asks for nothing, `unfinished` for those with something left to say.

    `only`: the item ids that a figure stands on, or that wait for a reviewer.
    """

    project: str = ""
    status: str = ""
    subset: str = ""
    form: str = ""
    search: str = ""
    unfinished: bool = False
    only: frozenset[str] = frozenset()

    def accepts(self, row: ComparisonRow) -> bool:
        """Whether a row fits what it says itself; project and search are looked up elsewhere."""
        if (self.unfinished and row.finished) or (self.only and row.item_id not in self.only):
            return False
        return self.status in ("", row.status) and self.subset in ("", row.subset) and self.form in ("", row.form)


@dataclass(frozen=True, slots=True)
class ComparisonQueueView:
    """The rows that were asked for, with counts over all; `facets`: field of the filter -> value -> how many rows."""

    rows: tuple[ComparisonRow, ...]
    total: int
    complete: int
    facets: Mapping[str, Counter[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownResponse:
    """One response where it is shown.

    Attributes:
        place: in source order; labels of it have the target `response:<place>`.
        letter: A, B, … by the place on the screen.
        text: with its own writer's name covered, unless this rater looked beneath.
        covered: how many names are covered; `unmasked`: this rater looked.
        responder: who answered, only where names are shown.
    """

    place: int
    letter: str
    text: str
    covered: int
    unmasked: bool
    responder: str | None = None

    @property
    def target(self) -> str:
        """What labels of it are about."""
        return f"response:{self.place}"


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """One comparison as this rater may see it now.

    Attributes:
        reference: what the source calls the answer; None too where it is one of the responses.
        media: each file, or folder of frames, with where it is (None: not here).
        responses: in shown order; `order` their places in source order.
        contradictions: (better, worse) places that the scores order the other way round: a notice, never a block.
        reviews: what reviewers said of this rater's labels, the latest last.
        dialogue, turn: what the item was made from, for items made from dialogues.
        place: the media behind their gate, and what was said before.
        names_hidden: whether it is hidden who answered.
    """

    row: ComparisonRow
    prompt: str
    reference: str | None
    media: tuple[tuple[Asset, Path | None], ...]
    responses: tuple[ShownResponse, ...]
    order: tuple[int, ...]
    sheet: ComparisonSheet
    contradictions: tuple[tuple[int, int], ...]
    reviews: tuple[Review, ...]
    dialogue: str | None
    turn: int | None
    evaluation_only: bool
    read_only: bool
    place: ComparisonPlace
    names_hidden: bool = True
    drafts: Mapping[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One rater's labels on one item, for a reviewer; `fresh`: nobody reviewed what they say now."""

    item_id: str
    rater: str
    title: str
    status: Status
    review: Review | None
    fresh: bool = True


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What one rater says of the item that a reviewer has open, and what was made of it; `fresh` as in `ReviewRow`."""

    rater: str
    sheet: ComparisonSheet
    status: Status
    reviews: tuple[Review, ...]
    fresh: bool
