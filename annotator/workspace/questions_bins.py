"""Two things that accuracy is looked at against: how large a picture is, and how much of it the box covers."""

from __future__ import annotations

from typing import Final

from annotator.cancel import CancelToken, check
from annotator.domain.questions import Question
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.questions_pictures import picture_path
from annotator.workspace.questions_said import Said

UNKNOWN: Final = "unknown"
_MEGAPIXELS: Final = ((1, "1: under 1 MP"), (4, "2: 1 to 4 MP"), (16, "3: 4 to 16 MP"))
_LARGEST: Final = "4: 16 MP and more"
_SHARES: Final = ((0.001, "1: up to 1/1000"), (0.01, "2: up to 1/100"), (0.1, "3: up to 1/10"))
_WIDEST: Final = "4: over 1/10"


def image_sizes(store: Store, token: CancelToken | None = None) -> dict[str, int]:
    """The pixels of each question's picture, read from its header; pictures that are missing are left out."""
    from annotator.media.header import read_header

    seen: dict[str, int | None] = {}
    found: dict[str, int] = {}
    for item_id, body in store.items.bodies("question"):
        check(token)
        path = picture_path(Question.model_validate(body).image, store.folder)
        if path is None:
            continue
        name = str(path)
        if name not in seen:
            try:
                seen[name] = read_header(path).pixels
            except WorldError:
                seen[name] = None
        size = seen[name]
        if size is not None:
            found[item_id] = size
    return found


def resolution_of(pixels: int | None) -> str:
    """The bin of a picture's size."""
    if pixels is None:
        return UNKNOWN
    return next((name for limit, name in _MEGAPIXELS if pixels < limit * 1_000_000), _LARGEST)


def share_of(said: Said | None) -> str:
    """The bin of the mean share that people's boxes cover."""
    shares = []
    for rater in said.cells if said is not None else ():
        evidence = said.sheet("", rater).value("evidence") if said is not None else None
        if isinstance(evidence, dict) and isinstance(evidence.get("share"), (int, float)):
            shares.append(float(evidence["share"]))
    if not shares:
        return UNKNOWN
    mean = sum(shares) / len(shares)
    return next((name for limit, name in _SHARES if mean <= limit), _WIDEST)
