"""What the cards of effort show, made from figures: tiles, rows of minutes, bars of rushed work, bias by week."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts import Bar, Mark, Row
from annotator.ui.statistics.definitions import Definition, define
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import DASH, exact, few, interval, number, reason, value_name
from annotator.workspace.figures_room import Figure

PER_HOUR: Final = 60

define("minutes_per_item", Definition("minutes_per_item", "[active minutes] / [sittings with a known time]", ""))
define("labels_per_hour", Definition("labels_per_hour", "[labels] / [active hours]", ""))
define("rushed", Definition("rushed", "[all scores equal, in under 3 s] / [turns and sessions scored whole]", ""))
define("drift", Definition("drift", "mean(rater − mean of the others), by week;  last week − first week", ""))


def head_tiles(pooled: Lookup) -> list[Tile]:
    """Minutes of an item, pace, hours in all, and the share that was rushed."""
    each, pace, whole, rushed = (
        pooled.get(name) for name in ("minutes_per_item", "labels_per_hour", "minutes", "rushed")
    )
    if each is None or pace is None or whole is None or rushed is None:
        return []
    labels = pooled.get("labels")
    hours = number(None if not whole.n else whole.value / PER_HOUR, decimals=1)
    said = i18n.count(int(labels.value)) if labels is not None else DASH
    return [
        _tile("minutes_per_item", each, number(each.value), interval(each) or reason(each.why)),
        _tile("labels_per_hour", pace, _whole(pace.value), reason(pace.why)),
        Tile("minutes", hours, tr("effort.hours"), tr("effort.items", n=i18n.count(whole.n_clusters or 0)),
             tr("effort.hours_text", hours=hours, labels=said), whole.n > 0),
        _tile("rushed", rushed, number(rushed.value, percent=True, decimals=1), _share_ends(rushed)),
    ]  # fmt: skip


def _tile(name: str, figure: Figure, value: str, note: str) -> Tile:
    return Tile(
        name, value, tr(f"effort.figure.{name}"), note, exact(tr(f"effort.figure.{name}"), figure), figure.n > 0
    )


def _whole(value: float | None) -> str:
    return DASH if value is None else i18n.count(round(value))


def _share_ends(figure: Figure) -> str:
    return interval(figure, percent=True, decimals=1) or reason(figure.why)


def minutes_rows(field: str, parted: Lookup, overall: Figure | None, names: Mapping[str, str]) -> list[Row]:
    """Minutes of an item by a field, before the band of all together; hours, items and pace beside it."""
    band = None
    if overall is not None and overall.low is not None and overall.high is not None:
        band = (float(overall.low), float(overall.high))
    rows = []
    for figure in parted.named("minutes_per_item"):
        value = str(figure.by[field])
        pace, whole = (parted.get(name, **{field: value}) for name in ("labels_per_hour", "minutes"))
        name = value_name(field, value, names)
        rows.append(
            Row(
                key=value, label=name, marks=(Mark("a", figure.value, figure.low, figure.high),), band=band,
                cells=(
                    (number(figure.value), "text"),
                    (number(None if whole is None or not whole.n else whole.value / PER_HOUR, decimals=1), "text2"),
                    (_whole(None if pace is None else pace.value), "text2"), (i18n.count(figure.n), "text2"),
                ),
                why=reason(figure.why) if figure.value is None else "", text=exact(name, figure), few=few(figure),
                opens=figure.n > 0,
            )
        )  # fmt: skip
    return rows


def rushed_bars(parted: Lookup) -> list[Bar]:
    """The share that each rater scored in a rush."""
    bars = []
    for figure in parted.named("rushed"):
        rater = str(figure.by["rater"])
        shown = number(figure.value, percent=True, decimals=1)
        bars.append(
            Bar(
                rater, rater, figure.value, shown, low=_part(figure.low), high=_part(figure.high),
                why=reason(figure.why), text=exact(rater, figure), opens=bool(figure.value),
            )
        )  # fmt: skip
    return bars


def _part(end: object) -> float | None:
    return end if isinstance(end, float) else None


def drift_rows(drift: Lookup) -> list[Row]:
    """Each rater's bias against the others, week by week; beside the last one, how far it is from the first."""
    rows: list[Row] = []
    for rater in drift.values("rater", "bias"):
        weeks = [figure for figure in drift.named("bias") if figure.by["rater"] == rater]
        whole = drift.get("drift", rater=rater)
        for place, figure in enumerate(weeks):
            week, bias = str(figure.by["week"]), number(figure.value, sign=True)
            last = place == len(weeks) - 1
            change = number(whole.value, sign=True) if last and whole is not None and whole.value is not None else ""
            rows.append(
                Row(
                    key=(rater, week), label=rater if not place else "", aside=week,
                    marks=(Mark("a", figure.value, figure.low, figure.high),),
                    cells=((bias, "text"), (i18n.count(figure.n), "text2"), (change, "text")),
                    why=reason(figure.why) if figure.value is None else "", text=exact(f"{rater} {week}", figure),
                    few=few(figure), gap=not place, opens=figure.n > 0,
                )
            )  # fmt: skip
    return rows
