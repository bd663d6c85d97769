"""What figures of preference can be grouped by and narrowed to, as one comparison has it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final

from annotator.domain.comparisons import Comparison

NONE: Final = "(none)"


def fields_of(comparison: Comparison) -> dict[str, str]:
    """The values of one comparison; the rater is not its own."""
    return {
        "subset": comparison.subset or NONE,
        "task": task_of(comparison) or NONE,
        "level": comparison.level or NONE,
        "form": comparison.form,
    }


def task_of(comparison: Comparison) -> str:
    """The folders between a set's own and the file: `typographic` of `safety/typographic/0001.png`; "" for none."""
    if comparison.dialogue is not None:
        return ""
    for asset in comparison.media:
        parts = PurePosixPath((asset.raw or "").replace("\\", "/")).parts
        if comparison.subset in parts:
            return "/".join(parts[parts.index(comparison.subset) + 1 : -1])
    return ""
