"""What the cards about people show: the ceiling in headline numbers, parts, raters, pairs of raters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.calibration_cards import judge_mark, part_name
from annotator.ui.statistics.charts import Row
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import DASH, counts, exact, few, interval, number, reason

PEOPLE: Final = ("ac_quadratic", "alpha_ordinal", "icc_2_1", "exact", "within_1", "self_exact", "cannot_judge")
RATER: Final = ("bias", "mean", "spread", "exact", "self_exact", "cannot_judge")
PAIRS_SHOWN: Final = 12


def people_tiles(people: Lookup) -> list[Tile]:
    """The human ceiling in headline numbers."""
    tiles = []
    for name in PEOPLE:
        figure = people.get(name)
        if figure is None:
            continue
        share = name in ("exact", "within_1", "self_exact", "cannot_judge")
        places = 1 if share else 2
        note = interval(figure, percent=share, decimals=places) or reason(figure.why) or counts(figure)
        title = tr(f"statistics.figure.{name}")
        shown = number(figure.value, percent=share, decimals=places)
        tiles.append(Tile(("people", name), shown, title, note, exact(title, figure), opens=figure.n > 0))
    return tiles


def rater_rows(raters: Lookup) -> list[Row]:
    """Each rater against the others."""
    rows = []
    for rater in raters.values("rater"):
        found = {name: raters.get(name, rater=rater) for name in RATER}
        bias, mean = found["bias"], found["mean"]
        if bias is None:
            continue
        lines = [exact(tr(f"statistics.figure.{name}"), one) for name, one in found.items() if one is not None]
        value = {name: one.value if one is not None else None for name, one in found.items()}
        rows.append(
            Row(
                key=("rater", rater),
                label=rater,
                marks=(judge_mark("a", bias),) if bias.value is not None else (),
                cells=(
                    (number(value["bias"], sign=True), "series-a"),
                    (number(value["mean"]), "text2"),
                    (number(value["spread"]), "text2"),
                    (number(value["exact"], percent=True, decimals=0), "text2"),
                    (number(value["self_exact"], percent=True, decimals=0), "text2"),
                    (number(value["cannot_judge"], percent=True, decimals=1), "text3"),
                    (i18n.count(mean.n if mean is not None else bias.n), "text3"),
                ),
                why=reason(bias.why) if bias.value is None else "",
                text=f"{rater}: {'; '.join(lines)}",
                few=few(bias),
            )
        )
    return rows


def pair_rows(people: Lookup) -> tuple[list[Row], int]:
    """Pairs of raters, the ones that agree least first; and how many are left out."""
    pairs = [figure for figure in people.named("kappa_quadratic") if "raters" in figure.by]
    pairs.sort(key=lambda figure: (figure.value is not None, figure.value or 0.0))
    rows = []
    for figure in pairs[:PAIRS_SHOWN]:
        one, two = figure.by["raters"]
        label = tr("statistics.pair", one=one, two=two)
        rows.append(
            Row(
                key=(one, two),
                label=label,
                marks=(judge_mark("a", figure),) if figure.value is not None else (),
                cells=(
                    (number(figure.value), "series-a"),
                    (interval(figure) or DASH, "text3"),
                    (i18n.count(figure.n), "text3"),
                ),
                why=reason(figure.why) if figure.value is None else "",
                text=exact(label, figure),
                few=few(figure),
            )
        )
    return rows, len(pairs) - len(rows)


def group_rows(people: Lookup, field: str, names: Mapping[str, str]) -> list[Row]:
    """Agreement among people in each value of a field."""
    rows = []
    for value in people.values(field):
        found = {name: people.get(name, **{field: value}) for name in ("ac_quadratic", "alpha_ordinal", "exact")}
        first = found["ac_quadratic"]
        if first is None:
            continue
        label, aside = part_name(field, value, names)
        lines = [exact(tr(f"statistics.figure.{name}"), one) for name, one in found.items() if one is not None]
        value_of = {name: one.value if one is not None else None for name, one in found.items()}
        rows.append(
            Row(
                key=(field, value),
                label=label,
                aside=aside,
                marks=(judge_mark("a", first),) if first.value is not None else (),
                cells=(
                    (number(first.value), "series-a"),
                    (interval(first) or DASH, "text3"),
                    (number(value_of["alpha_ordinal"]), "text2"),
                    (number(value_of["exact"], percent=True, decimals=0), "text2"),
                    (i18n.count(first.n), "text3"),
                    (i18n.count(first.n_clusters or 0), "text3"),
                ),
                why=reason(first.why) if first.value is None else "",
                text=f"{label}: {'; '.join(lines)}",
                few=few(first),
            )
        )
    return rows
