"""Preference data out of a workspace: for each item what people say of it, else what its source says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from annotator import __version__
from annotator.cancel import CancelToken, check
from annotator.domain.comparisons import SOURCE_RATER, Comparison
from annotator.domain.comparisons_records import Saying
from annotator.domain.comparisons_sheet import ComparisonSheet
from annotator.errors import WorldError
from annotator.report.pairs import FORMATS, kept_back, records, terms
from annotator.report.writing import meta_file, write_lines
from annotator.store import CurrentLabel, Store
from annotator.workspace.assets import AssetBook
from annotator.workspace.comparisons_said import SETTLED, sheets_of
from annotator.workspace.exporting import Exported
from annotator.workspace.intake_comparisons import comparisons_in


def chosen(comparison: Comparison, labels: Iterable[CurrentLabel], first: str, only: str | None) -> tuple[str, Saying]:
    """Who speaks for an item, and what is said: the settled word, else a person who ranked, else the source.

    Of several people the workspace's own rater (`first`) comes first, then names in their order; `only` asks for one.
    """
    labels = list(labels)
    source = (SOURCE_RATER, Saying.of_source(comparison))
    if only == SOURCE_RATER:
        return source
    about = (comparison.item_id, len(comparison.responses))
    people = sheets_of(*about, labels)
    settled = {k: v for s in sheets_of(*about, labels, (SETTLED,)).values() for k, v in s.cells.items()}
    names = sorted((n for n in people if only in (None, n)), key=lambda name: (name != first, name))
    ranked = [name for name in names if people[name].ranking is not None] or names
    if settled and only is None:
        base = people[ranked[0]].cells if ranked else {}
        sheet = ComparisonSheet(about[0], SETTLED, about[1], cells={**base, **settled})
        return SETTLED, Saying.of_sheet(comparison, sheet)
    for name in ranked:
        saying = Saying.of_sheet(comparison, people[name])
        if not saying.empty:
            return name, saying
    return source if only is None else (only, _NOTHING)


_NOTHING: Final = Saying((), (), None, ())


@dataclass(slots=True)
class _Told:
    """What went by, for the file beside the export."""

    by_rater: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    evaluation: bool = False


def export_comparisons(
    store: Store,
    file: Path,
    format_name: str,
    *,
    include_evaluation_only: bool = False,
    rater: str | None = None,
    token: CancelToken | None = None,
) -> Exported:
    """Write preference data as JSON Lines, with a `.meta.json` beside them; replaces older ones.

    Hidden repeats and items with media under takedown are left out, and so is what nobody scored or ranked. Items of
    the benchmark are left out of shapes for training unless `include_evaluation_only`; their lines then say so.

    Raises:
        WorldError: no such format, or a file that cannot be written; Cancelled: nothing was written.
    """
    if format_name not in FORMATS:
        raise WorldError(f'There is no format "{format_name}" of preference data: use one of {", ".join(FORMATS)}.')
    told = _Told()

    def meta(count: int, digest: str) -> dict[str, Any]:
        return {
            **terms(told.evaluation),
            "file": file.name,
            "sha256": digest,
            "format": format_name,
            "content": "preference data",
            "lines": count,
            "items": told.by_rater.total(),
            "by_rater": dict(sorted(told.by_rater.items())),
            "left_out": dict(sorted(told.left_out.items())),
            "workspace": store.desk.workspace_id,
            "app": f"rubric-annotator {__version__}",
        }

    def said() -> Iterator[tuple[Comparison, Saying]]:
        book = AssetBook(store)
        for comparison in comparisons_in(store):
            check(token)
            why = _why_not(comparison, format_name, include_evaluation_only, book)
            if why is None:
                labels = store.labels.current(item_id=comparison.item_id)
                who, saying = chosen(comparison, labels, store.desk.rater, rater)
                given_back = saying.own and comparison.form == format_name
                why = "unsaid" if saying.empty and not given_back else None
            if why is not None:
                told.left_out[why] += 1
                continue
            told.by_rater[who] += 1
            told.evaluation = told.evaluation or comparison.evaluation_only
            yield comparison, saying

    count, _ = write_lines(file, records(said(), format_name), token, meta)
    return Exported(file, meta_file(file), count)


def _why_not(comparison: Comparison, format_name: str, include: bool, book: AssetBook) -> str | None:
    if comparison.repeat_of is not None:
        return "repeats"
    if kept_back(comparison, format_name, include):
        return "evaluation_only"
    taken = any(asset.raw is not None and book.taken_down(asset.raw) for asset in comparison.media)
    return "taken_down" if taken else None
