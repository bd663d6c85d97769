"""The fields of preference records: scores, rankings in their three spellings, reasons, and where media lie."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from annotator.domain.comparisons import SUBSETS, Origin, competition
from annotator.domain.items import Asset
from annotator.importers.base import Context, Located, Sayings, asset_of, kind_of, text_of

_CONSTRUCTED: Final = re.compile(
    r"\s*[\[(（【]?\s*(?:(?:a\s+|an?\s+)?(?:constructed|made[- ]up)\s+)?"
    r"(?:(?P<n>negative|负)|(?P<p>positive|正))\s*(?:sample|example|样本|样例|例子?)",
    re.IGNORECASE,
)
_RANK_MARKS: Final = re.compile(r"\s*([>＞=＝])\s*")
_NUMBERED: Final = re.compile(r"(?:r|m|model|response|answer|模型|回答)?\s*_?(\d{1,2})", re.IGNORECASE | re.ASCII)
_HIGHEST: Final = 1_000


def listed(value: Any) -> Any:
    """A list, also where it was written down as the text of one; anything else as it is."""
    if isinstance(value, str) and value.strip().startswith("["):
        try:
            held = json.loads(value)
        except ValueError:
            return value
        return held if isinstance(held, list) else value
    return value


def scores_of(value: Any, count: int, name: str, sayings: Sayings) -> list[int | None]:
    """One score per response, None where there is none; only whole levels from 1 to 5 count, nothing is rounded."""
    held = listed(value)
    if held is None:
        return [None] * count
    if not isinstance(held, list):
        sayings.say("field_type", f"expected a list of scores, found {kind_of(value)}; left out", name)
        return [None] * count
    if len(held) > count:
        sayings.say("list_surplus", f"{len(held)} scores for {count} responses; the surplus is kept as it is", name)
    found: list[int | None] = [None] * count
    for place, entry in enumerate(held[:count]):
        number = _number(entry)
        if entry is None:
            continue
        if number is None or not 1 <= number <= 5:
            sayings.say("score_rejected", f"{str(entry)[:40]!r} is no level from 1 to 5; it does not count", name)
        elif not number.is_integer():
            sayings.say("score_fraction", f"{entry} lies between two levels; it does not count", name)
        else:
            found[place] = int(number)
    return found


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if abs(number) < 1e9 else None


def real(value: Any) -> float | None:
    """A finite number, however it was written down; None for anything else."""
    return None if isinstance(value, str) else _number(value)


def ranking_of(value: Any, count: int, name: str, sayings: Sayings) -> list[int] | None:
    """The rank of each response, 1 is best: from a list of ranks, a list of groups, or a text such as `1>2=3>4`."""
    held = listed(value)
    if held is None or held in ("", []):
        return None
    if isinstance(held, list) and held and all(isinstance(entry, list) for entry in held):
        found = _grouped([[_whole(n) for n in group] for group in held], count)
    elif isinstance(held, list):
        ranks = [_whole(entry) for entry in held]
        found = [r for r in ranks if r is not None] if len(ranks) == count and None not in ranks else None
        if found is not None and (min(found) < 0 or max(found) > _HIGHEST):
            found = None
        elif found is not None and min(found) == 0:  # counted from 0
            found = [rank + 1 for rank in found]
    else:
        found = _grouped(_written(held), count) if isinstance(held, str) else None
    if found is None:
        sayings.say("ranking_odd", f"no ranking of {count} responses: {str(value)[:60]!r}; it does not count", name)
    return found


def _whole(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number.is_integer() else None


def _written(text: str) -> list[list[int | None]]:
    parts = _RANK_MARKS.split(text.strip())
    groups: list[list[int | None]] = [[]]
    for place, part in enumerate(parts):
        if place % 2:
            if part in ">＞":
                groups.append([])
            continue
        number = _NUMBERED.fullmatch(part.strip())
        groups[-1].append(int(number[1]) if number else None)
    return groups


def _grouped(groups: list[list[int | None]], count: int) -> list[int] | None:
    """Ranks from groups of responses counted from 1, best first; None where they are not each named once."""
    named = [n for group in groups for n in group]
    if sorted(n for n in named if n is not None) != list(range(1, count + 1)) or None in named:
        return None
    place = {n: rank for rank, group in enumerate(groups) for n in group}
    return competition([place[k] for k in range(1, count + 1)])


def reasons_of(value: Any, count: int, name: str, sayings: Sayings) -> tuple[list[str | None], tuple[str, ...]]:
    """(a reason per response by position, the surplus ones)."""
    held = listed(value)
    if held is None:
        return [None] * count, ()
    if not isinstance(held, list):
        sayings.say("field_type", f"expected a list of reasons, found {kind_of(value)}; left out", name)
        return [None] * count, ()
    texts = [None if entry is None else text_of(entry, name, sayings, blank=False) for entry in held]
    if len(texts) > count:
        surplus = len(texts) - count
        what = "reason stands" if surplus == 1 else "reasons stand"
        sayings.say("list_surplus", f"{surplus} {what} behind those of the {count} responses; kept with the item", name)
    elif len(texts) < count:
        sayings.say("list_short", f"{len(texts)} reasons for {count} responses; the others have none", name)
    padded: list[str | None] = [*texts[:count], *[None] * (count - len(texts))]
    return padded, tuple(text or "" for text in texts[count:])


def origin_of(reason: str | None) -> Origin:
    """Whether the source's own reason calls the response a constructed sample; else a model's."""
    match = _CONSTRUCTED.match(reason or "")
    if match is None:
        return "model"
    return "constructed_negative" if match["n"] else "constructed_positive"


def media_of(value: dict[str, Any], context: Context, sayings: Sayings) -> tuple[Asset, ...]:
    """Every image and folder of frames that a record names, under whichever key."""
    found: list[Asset] = []
    for name in ("image", "images", "video", "videos"):
        held = value.get(name)
        clip = name.startswith("video")
        for raw in held if isinstance(held, list) else [held]:
            if raw is None or raw == "":
                continue
            locate = (context.locate_folder or context.locate) if clip else context.locate
            near = replace(context, locate=_by_tail(locate))
            found.append(asset_of(raw, "clip" if clip else "image", name, near, sayings))
    return tuple(found)


def _by_tail(locate: Callable[[Any], Located]) -> Callable[[Any], Located]:
    """Archives may bring a folder of their own name, or be unpacked without it: the longest tail there is counts."""

    def look(raw: Any) -> Located:
        found = locate(raw)
        if found.status != "missing" or not isinstance(raw, str) or raw.startswith("/") or "/" not in raw:
            return found
        parts = [part for part in raw.split("/") if part not in ("", ".")]
        for tried in ([parts[0], *parts], *(parts[k:] for k in range(1, len(parts)))):
            other = locate("/".join(tried))
            if other.status == "ok":
                return Located("remapped", other.inside, other.root)
        return found

    return look


def subset_of(media: tuple[Asset, ...]) -> str:
    """The first part of a path that is a subset's name; a name inside a file's name is none."""
    for asset in media:
        for part in (asset.raw or "").replace("\\", "/").split("/")[:-1]:
            if part in SUBSETS:
                return part
    return ""


def plain(value: Any) -> Any:
    """A value of a record as ordinary JSON; bytes are left out."""
    if isinstance(value, dict):
        return {str(key): plain(held) for key, held in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(held) for held in value]
    if isinstance(value, float):
        return float(value)
    return value if isinstance(value, (str, int, bool)) else None
