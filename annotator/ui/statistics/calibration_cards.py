"""What the calibration cards show: figures become rows, cells and points, each with its exact values in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annotator.domain.rubric import SESSION_DIMENSIONS, load_rubric
from annotator.ui import density, i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts import SERIES, Bar, Cell, Line, Mark, Point, Row
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import (
    DASH,
    dimension_name,
    exact,
    few,
    interval,
    judge_name,
    number,
    reason,
    responder_name,
    short_judges,
    value_name,
)
from annotator.workspace.figures_room import Figure

LETTERS: Final = ("a", "b", "c")
"""The series of the judges shown; more than three are left out of charts, and said so."""


@dataclass(frozen=True)
class Statistic:
    """How a coefficient is shown: ends of the axis, a line to compare with, as a share, with its sign."""

    name: str
    low: float | None = None
    high: float | None = None
    at: float | None = None
    percent: bool = False
    sign: bool = False

    def text(self, value: Any) -> str:
        """A value in a column."""
        return number(value, percent=self.percent, decimals=1 if self.percent else 2, sign=self.sign)


STATISTICS: Final = (
    Statistic("ac_quadratic", None, 1.0),
    Statistic("alpha_ordinal", None, 1.0),
    Statistic("kappa_quadratic", None, 1.0),
    Statistic("exact", None, 1.0, percent=True),
    Statistic("within_1", None, 1.0, percent=True),
    Statistic("spearman", None, 1.0),
    Statistic("kendall_tau_b", None, 1.0),
    Statistic("bias", at=0.0, sign=True),
    Statistic("mae", 0.0),
)
BY_NAME: Final = {one.name: one for one in STATISTICS}


def facts_lines(people: Lookup, judged: Lookup, records: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str]]:
    """How much the figures in view stand on."""
    mean, cannot, exact_ = people.get("mean"), people.get("cannot_judge"), people.get("exact")
    if mean is None:
        return []
    lines = [
        (tr("statistics.total.dialogues"), i18n.count(mean.n_clusters or 0)),
        (tr("statistics.total.places"), i18n.count(mean.n)),
    ]
    if exact_ is not None:
        lines.append((tr("statistics.total.raters"), i18n.count(exact_.more.get("n_raters") or 0)))
    if cannot is not None:
        lines.append((tr("statistics.total.labels"), i18n.count(cannot.n)))
        lines.append((tr("statistics.figure.cannot_judge"), number(cannot.value, percent=True, decimals=1)))
    both = sum(one.n for one in judged.named("bias"))
    lines.append((tr("statistics.total.both"), i18n.count(both)))
    failed = sum(n for counted in records.values() for status, n in counted.items() if status != "success")
    lines.append((tr("statistics.total.failed"), i18n.count(failed)))
    return lines


def judge_mark(series: str, figure: Figure | None) -> Mark:
    """A figure as a dot with its interval."""
    if figure is None or figure.value is None:
        return Mark(series, None)
    return Mark(series, figure.value, figure.low, figure.high)


def agreement_rows(judges: Sequence[str], people: Lookup, judged: Lookup, statistic: Statistic) -> list[Row]:
    """One row for each dimension: judges before the band of people."""
    rows = []
    present = judged.values("dimension") or people.values("dimension")
    for dimension in present:
        found = {judge: judged.get(statistic.name, judge=judge, dimension=dimension) for judge in judges}
        figures = [figure for figure in found.values() if figure is not None]
        ceiling = people.get(statistic.name, dimension=dimension)
        first = next((one for one in figures if one.value is not None), figures[0] if figures else ceiling)
        lines = [exact(judge_name(judge), figure) for judge, figure in found.items() if figure is not None]
        if ceiling is not None:
            lines.append(exact(tr("statistics.people_word"), ceiling))
        cells = [
            (statistic.text(one.value) if one else DASH, SERIES[LETTERS[at]][0])
            for at, one in enumerate(found.values())
        ]
        cells.append((statistic.text(ceiling.value) if ceiling else DASH, "text2"))
        cells.append((i18n.count(first.n) if first else DASH, "text3"))
        cells.append((i18n.count(first.n_clusters or 0) if first else DASH, "text3"))
        defined = [one for one in figures if one.value is not None]
        rows.append(
            Row(
                key=("dimension", dimension),
                label=dimension_name(dimension, i18n.language()),
                aside=_aside(dimension),
                marks=tuple(judge_mark(LETTERS[at], one) for at, one in enumerate(found.values())) if defined else (),
                band=_band(ceiling),
                cells=tuple(cells),
                why="" if defined or not figures else reason(figures[0].why),
                text=f"{dimension_name(dimension, i18n.language())}: {'; '.join(lines)}",
                few=first is not None and few(first),
                gap=dimension == SESSION_DIMENSIONS[0],
            )
        )
    return rows


def _aside(dimension: str) -> str:
    if not density.metrics().second_language:
        return ""
    found = load_rubric().dimension(dimension)
    return found.small.in_language(i18n.other_language()) if found is not None else ""


def _band(ceiling: Figure | None) -> tuple[float, float] | None:
    if ceiling is None or ceiling.value is None:
        return None
    if ceiling.low is None or ceiling.high is None:
        return (ceiling.value, ceiling.value)
    return (ceiling.low, ceiling.high)


def confusion_cells(figure: Figure | None) -> list[list[Cell]]:
    """The 5 by 5 table from the judge's 5 down; columns are people's 1 to 5."""
    if figure is None or figure.value is None:
        return []
    levels = len(figure.value)
    return [
        [_confused(judge + 1, people + 1, figure.value[judge][people]) for people in range(levels)]
        for judge in reversed(range(levels))
    ]


def _confused(judge: int, people: int, count: float) -> Cell:
    kind = ("same", "near", "far")[min(2, abs(judge - people))]
    shown = i18n.count(round(count)) if float(count).is_integer() else f"{count:.1f}"
    return Cell((judge, people), count, kind, text=tr("statistics.confused", judge=judge, people=people, n=shown))


def judge_tiles(judged: Lookup, judge: str) -> tuple[list[Tile], list[Tile]]:
    """What stands under the confusion: how often equal and near, bias and error; and the cuts of the pipeline."""
    tiles, cuts = [], []
    for name in ("exact", "within_1", "bias", "mae"):
        figure = judged.get(name, judge=judge)
        if figure is not None:
            one = BY_NAME[name]
            title = tr(f"statistics.figure.{name}")
            note = interval(figure, percent=one.percent, decimals=1 if one.percent else 2, sign=one.sign)
            short = tr(f"statistics.tile.{name}")
            tiles.append(Tile(name, one.text(figure.value), short, note, exact(title, figure)))
    for cut in ("below_4", "at_most_3", "at_most_2"):
        pair = [judged.get(f"{side}_{cut}", judge=judge) for side in ("sensitivity", "specificity")]
        if pair[0] is None or pair[1] is None:
            continue
        shown = " / ".join(number(one.value) for one in pair if one is not None)
        title = tr(f"statistics.cut.{cut}")
        lines = "; ".join(
            exact(tr(f"statistics.figure.{side}"), one)
            for side, one in zip(("sensitivity", "specificity"), pair, strict=True)
            if one is not None
        )
        cuts.append(Tile(cut, shown, title, tr("statistics.cut.note"), f"{title}: {lines}"))
    return tiles, cuts


def means_rows(judge: str, judged: Lookup, names: Mapping[str, str]) -> list[Row]:
    """One row for each responder: judge alone, corrected, people alone."""
    rows = []
    for model in judged.values("model", "ppi_mean"):
        group = {"judge": judge, "model": model}
        three = {name: judged.get(name, **group) for name in ("mean_judge", "ppi_mean", "mean_human")}
        corrected = three["ppi_mean"]
        if corrected is None:
            continue
        label, task = responder_name(model, names)
        lines = [exact(tr(f"statistics.mean.{name}"), one) for name, one in three.items() if one is not None]
        naive, people = three["mean_judge"], three["mean_human"]
        shown = [one.value if one is not None else None for one in (naive, corrected, people)]
        rows.append(
            Row(
                key=("model", model),
                label=label,
                aside=task,
                marks=(judge_mark("judge", naive), judge_mark("c", corrected), judge_mark("people", people)),
                cells=(
                    (number(shown[0]), "series-a"),
                    (number(shown[1]), "series-c"),
                    (interval(corrected) or DASH, "text3"),
                    (number(shown[2]), "text2"),
                    (i18n.count(corrected.n), "text3"),
                ),
                why=reason(corrected.why) if all(value is None for value in shown) else "",
                text=f"{label}: {'; '.join(lines)}",
                few=few(corrected),
            )
        )
    return sorted(rows, key=lambda row: (row.label, row.aside))


def reliability_lines(figure: Figure | None, risen: Figure | None) -> list[Line]:
    """People's mean at each of the judge's levels, and the rising map through them."""
    lines = []
    if figure is not None and figure.value is not None:
        lows, highs = (_ends(end, len(figure.value)) for end in (figure.low, figure.high))
        pairs = zip(figure.more["judge"], figure.value, lows, highs, figure.more["counts"], strict=True)
        points = tuple(
            Point(
                ("level", round(x)), x, y, low, high,
                tr("statistics.reliable", judge=f"{x:g}", people=number(y), n=i18n.count(round(n))),
            )
            for x, y, low, high, n in pairs
        )  # fmt: skip
        lines.append(Line("a", points))
    if risen is not None and risen.value is not None:
        points = tuple(
            Point(("map", x), x, y, text=tr("statistics.mapped", judge=f"{x:g}", people=number(y)), opens=False)
            for x, y in zip(risen.more["knots"], risen.value, strict=True)
        )
        lines.append(Line("c", points, marked=False))
    return lines


def _ends(end: Any, size: int) -> Sequence[float | None]:
    return end if isinstance(end, tuple | list) and len(end) == size else [None] * size


def bias_rows(pooled: Lookup, groups: Sequence[tuple[str, Lookup]], judge: str, names: Mapping[str, str]) -> list[Row]:
    """Judge less people over all, and in each value of those fields that have several."""
    rows: list[Row] = []
    for field, judged in (("", pooled), *groups):
        values = [""] if not field else judged.values(field, "bias")
        if field == "model":
            values.sort(key=lambda value: responder_name(value, names))
        for place, value in enumerate(values if not field or len(values) > 1 else []):
            figure = judged.get("bias", judge=judge, **({field: value} if field else {}))
            if figure is None:
                continue
            label, aside = part_name(field, value, names)
            rows.append(
                Row(
                    key=(field, value),
                    label=label,
                    aside=aside,
                    marks=(judge_mark("a", figure),) if figure.value is not None else (),
                    cells=(
                        (number(figure.value, sign=True), "series-a"),
                        (interval(figure, sign=True) or DASH, "text3"),
                        (i18n.count(figure.n), "text3"),
                    ),
                    why=reason(figure.why) if figure.value is None else "",
                    text=exact(label, figure),
                    few=few(figure),
                    gap=place == 0 and bool(rows),
                )
            )
    return rows


def part_name(field: str, value: str, names: Mapping[str, str]) -> tuple[str, str]:
    """A part in words, and its aside; without a field all together."""
    if not field:
        return tr("statistics.all_together"), ""
    return responder_name(value, names) if field == "model" else (value_name(field, value, names), "")


def difference_rows(judged: Lookup) -> list[Row]:
    """Two judges on the same units: first less second, for each pair and figure."""
    rows = []
    for name in ("difference_bias", "difference_mae", "difference_exact"):
        for figure in judged.named(name):
            pair = figure.by["judge"]
            title = tr(f"statistics.figure.{name.removeprefix('difference_')}")
            names = short_judges(pair)
            one, two = names[pair[0]], names[pair[1]]
            label = tr("statistics.less", one=one, two=two, figure=title)
            rows.append(
                Row(
                    key=(name, *pair),
                    label=title,
                    aside=tr("statistics.less_short", one=one, two=two),
                    marks=(judge_mark("a", figure),) if figure.value is not None else (),
                    cells=(
                        (number(figure.value, sign=True, decimals=3), "series-a"),
                        (interval(figure, sign=True, decimals=3) or DASH, "text3"),
                        (i18n.count(figure.n), "text3"),
                    ),
                    why=reason(figure.why) if figure.value is None else "",
                    text=exact(label, figure),
                    few=few(figure),
                )
            )
    return rows


def next_bars(judged: Lookup, judge: str, shown: int = 8) -> list[Bar]:
    """Where the corrected mean is least certain: no interval at all first, then the widest."""
    cells = []
    for dimension in judged.values("dimension", "ppi_mean"):
        figure = judged.get("ppi_mean", judge=judge, dimension=dimension)
        if figure is not None:
            known = figure.low is not None and figure.high is not None
            cells.append((known, -(figure.high - figure.low) if known else 0.0, dimension, figure))
    bars = []
    for known, width, dimension, figure in sorted(cells, key=lambda cell: cell[:2])[:shown]:
        name = dimension_name(dimension, i18n.language())
        more = figure.more.get("dialogues_to_halve")
        told = tr("statistics.next.more", n=i18n.count(more)) if more is not None else ""
        why = reason(figure.why) or tr("statistics.next.unknown")
        bars.append(
            Bar(
                ("next", dimension),
                name,
                -width if known else None,
                shown=f"± {-width / 2:.2f}   {told}" if known else "",
                why=why,
                text=f"{exact(name, figure)}{' · ' + told if told else ''}",
            )
        )
    return bars
