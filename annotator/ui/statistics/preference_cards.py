"""What the preference cards show: figures become rows, cells and tiles, each with its exact values in one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts import SERIES, Cell, Mark, Row
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import (
    DASH,
    counts,
    exact,
    few,
    interval,
    number,
    reason,
    responder_name,
    value_name,
)
from annotator.workspace.figures_room import Figure

POLICIES: Final = ("half", "drop", "loss")
HEADLINES: Final = ("ceiling_half", "kendall_w", "self_agreement", "position_flip", "tie_rate", "full_tie_rate")
CHECKS: Final = (
    "position_first", "position_flip", "self_agreement", "score_consistency", "transitivity_rater",
    "transitivity_majority",
)  # fmt: skip
RATERS: Final = ("tie_rate", "full_tie_rate", "position_first", "score_consistency", "self_agreement")
RATES: Final = ("wilson_rta", "wilson_asr", "wilson_ratio", "wilson_original")
BENCH: Final = ("reward_acc", "reward_acc_plus")
_SIGNS: Final = {"wilson_rta": "a", "wilson_asr": "b", "wilson_ratio": "c"}
# Where a share of one half says that there is nothing to see.
EVEN: Final = ("position_first",)


def name_of(figure: str) -> str:
    """A figure in words."""
    return tr(f"statistics_preference.figure.{figure}")


def shares(figure: Figure | None) -> str:
    """A share as it stands in a column."""
    return number(figure.value if figure else None, percent=True, decimals=1)


def in_words(figure: Figure, name: str = "") -> str:
    """One line of exact values."""
    return exact(name or name_of(figure.name), figure)


def short_names(responders: Sequence[str], names: Mapping[str, str]) -> dict[str, str]:
    """What may be shown of those who answered; their task too where one name stands for several."""
    shown = {one: responder_name(one, names) for one in responders}
    plain = [name for name, _ in shown.values()]
    return {
        one: name if plain.count(name) == 1 or not task else f"{name} · {task}" for one, (name, task) in shown.items()
    }


# ------------------------------------------------------------------------------------------------------------ headline
def tiles(pooled: Lookup) -> list[Tile]:
    """How much people agree, with others and with themselves."""
    found = []
    for name in HEADLINES:
        figure = pooled.get(name)
        if figure is None:
            continue
        share = name != "kendall_w"
        places = 1 if share else 2
        note = interval(figure, percent=share, decimals=places) or reason(figure.why) or counts(figure)
        shown = number(figure.value, percent=share, decimals=places)
        found.append(Tile(("all", name), shown, name_of(name), note, in_words(figure), opens=figure.n > 0))
    return found


# ------------------------------------------------------------------------------------------------------------ strength
def order_of(pooled: Lookup) -> list[str]:
    """Those who answered, the strongest first; by name where strengths cannot be told."""
    figure = pooled.get("davidson")
    items = [str(one) for one in figure.more.get("items", ())] if figure is not None else []
    if figure is not None and figure.value is not None:
        held = dict(zip(items, figure.value, strict=True))
        return sorted(items, key=lambda one: (-held[one], one))
    compared = {str(one) for f in pooled.named("win_rate_half") for one in f.more.get("responders", ())}
    return sorted({*items, *compared})


def strength_rows(pooled: Lookup, names: Mapping[str, str]) -> list[Row]:
    """One row for each responder; a single hatched one where strengths cannot be told."""
    figure = pooled.get("davidson")
    if figure is None:
        return []
    order = order_of(pooled)
    shown = short_names(order, names)
    if figure.value is None:
        return [
            Row(
                ("strength", one), shown.get(one, ""), why=reason(figure.why), text=in_words(figure), cells=_no_cells(3)
            )
            for one in order or [""]
        ]
    place = {str(one): at for at, one in enumerate(figure.more["items"])}
    rows = []
    for one in order:
        at = place[one]
        low = high = None
        if figure.low is not None and figure.high is not None:
            low, high = figure.low[at], figure.high[at]
        text = number(figure.value[at], sign=True)
        ends = tr("statistics.to", low=number(low, sign=True), high=number(high, sign=True)) if low is not None else ""
        line = f"{shown[one]} · {figure.value[at]:.4f}"
        if low is not None and high is not None:
            line += " · " + tr("statistics.to", low=f"{low:.4f}", high=f"{high:.4f}")
        cells = ((text, "text"), (ends or DASH, "text2"), (i18n.count(figure.n), "text3"))
        rows.append(
            Row(
                ("strength", one), shown[one], (Mark("a", figure.value[at], low, high),), cells=cells,
                text=f"{line} · {counts(figure)}", few=few(figure),
            )
        )  # fmt: skip
    return rows


def _no_cells(count: int) -> tuple[tuple[str, str], ...]:
    return ((DASH, "text3"),) * count


# -------------------------------------------------------------------------------------------------------------- matrix
def matrix(pooled: Lookup, names: Mapping[str, str]) -> tuple[list[list[Cell]], list[str]]:
    """(cells, names): how often the row's responder was preferred to the column's; ties stand in the note."""
    order = order_of(pooled)
    shown = short_names(order, names)
    of_pair: dict[tuple[str, str], Figure] = {}
    for figure in pooled.named("win_rate_half"):
        one, two = (str(name) for name in figure.more["responders"])
        of_pair[one, two] = figure
    cells = []
    for one in order:
        row = []
        for two in order:
            row.append(_cell(one, two, of_pair, shown))
        cells.append(row)
    return cells, [shown[one] for one in order]


def _cell(one: str, two: str, of_pair: Mapping[tuple[str, str], Figure], shown: Mapping[str, str]) -> Cell:
    key = ("beats", one, two)
    figure = of_pair.get((one, two)) or of_pair.get((two, one))
    if figure is None:
        same = one == two
        never = "" if same else tr("statistics_preference.never_met", one=shown[one], two=shown[two])
        return Cell(key, 0, text=never or shown[one])
    turned = (one, two) not in of_pair
    wins, losses = (figure.more[name] for name in (("losses", "wins") if turned else ("wins", "losses")))
    value, low, high = figure.value, figure.low, figure.high
    if turned and value is not None:
        value, low, high = 1 - value, None if high is None else 1 - high, None if low is None else 1 - low
    words = {"one": shown[one], "two": shown[two], "wins": wins, "losses": losses, "ties": figure.more["ties"]}
    text = tr("statistics_preference.met", **words, share=number(value, percent=True, decimals=1))
    if low is not None:
        text += " · " + tr("statistics.to", low=f"{100 * low:.1f}", high=number(high, percent=True, decimals=1))
    note = tr("statistics_preference.cell", share=number(value, percent=True, decimals=0), ties=figure.more["ties"])
    kind = "same" if wins > losses else "near" if wins == losses else "far"
    return Cell(key, wins, kind, note, f"{text} · {counts(figure)}")


# ---------------------------------------------------------------------------------------------------------- prediction
def prediction_rows(pooled: Lookup) -> list[Row]:
    """For each way of counting ties: both predictors before the band of people."""
    rows = []
    for policy in POLICIES:
        found = [pooled.get(f"prediction_{which}_{policy}") for which in ("accuracy", "twelve", "ceiling")]
        one, two, people = found
        if one is None or two is None:
            continue
        band = None
        if people is not None and people.value is not None:
            ends = (people.low, people.high)
            band = (people.value, people.value) if None in ends else ends
        defined = one.value is not None or two.value is not None
        marks = tuple(Mark(sign, figure.value, figure.low, figure.high) for sign, figure in (("a", one), ("b", two)))
        cells = (
            (shares(one), SERIES["a"][0]), (shares(two), SERIES["b"][0]), (shares(people), "text2"),
            (i18n.count(two.n), "text3"), (i18n.count(two.n_clusters or 0), "text3"),
        )  # fmt: skip
        lines = [
            in_words(figure, tr(f"statistics_preference.predictor.{which}"))
            for which, figure in zip(("accuracy", "twelve", "ceiling"), found, strict=True)
            if figure is not None
        ]
        words = tr(f"statistics_preference.policy.{policy}")
        rows.append(
            Row(
                ("prediction", policy), words, marks if defined else (), band=band, cells=cells,
                why="" if defined else reason(two.why), text=f"{words}: {'; '.join(lines)}", few=few(two),
            )
        )  # fmt: skip
    return rows


# ------------------------------------------------------------------------------------------------------- checks, rates
def share_rows(lookup: Lookup, names: Sequence[str], kind: str, by: Mapping[str, str] | None = None) -> list[Row]:
    """One row for each figure that is a share."""
    rows = []
    for name in names:
        figure = lookup.get(name, **(by or {}))
        if figure is None:
            continue
        rows.append(_share_row((kind, name), name_of(name), figure))
    return rows


def _share_row(key: tuple[str, ...], label: str, figure: Figure) -> Row:
    cells = (
        (shares(figure), "text"), (interval(figure, percent=True, decimals=1) or DASH, "text2"),
        (i18n.count(figure.n), "text3"),
    )  # fmt: skip
    defined = figure.value is not None
    marks = (Mark("a", figure.value, figure.low, figure.high),) if defined else ()
    why = "" if defined else reason(figure.why)
    return Row(
        key, label, marks, cells=cells, why=why, text=in_words(figure, label), few=few(figure), opens=figure.n > 0
    )


def grouped_rows(lookup: Lookup, field: str, names: Sequence[str], signs: Mapping[str, str]) -> list[Row]:
    """One row for each value of a field, with a mark for each of some shares."""
    rows = []
    for value in dict.fromkeys(v for name in names for v in lookup.values(field, name)):
        found = [lookup.get(name, **{field: value}) for name in names]
        marks = tuple(
            Mark(signs[name], figure.value if figure else None, figure.low if figure else None,
                 figure.high if figure else None)
            for name, figure in zip(names, found, strict=True)
        )  # fmt: skip
        roles = [SERIES[signs[name]][0] for name in names]
        first = next((figure for figure in found if figure is not None), None)
        cells = [(shares(figure), role) for figure, role in zip(found, roles, strict=True)]
        cells.append((i18n.count(first.n if first else 0), "text3"))
        defined = any(mark.value is not None for mark in marks)
        label = value_name(field, value)
        lines = [in_words(figure) for figure in found if figure is not None]
        why = "" if defined or first is None else reason(first.why)
        rows.append(
            Row(
                (field, value), label, marks if defined else (), cells=tuple(cells), why=why,
                text=f"{label}: {'; '.join(lines)}", few=first is not None and few(first),
            )
        )  # fmt: skip
    return rows


def rate_rows(by_task: Lookup) -> list[Row]:
    """One row for each task of a safety set: refused, unsafe, risk named."""
    return grouped_rows(by_task, "task", tuple(_SIGNS), _SIGNS)


def rater_rows(by_rater: Lookup) -> list[Row]:
    """One row for each rater: ties, what is shown first, own scores."""
    return grouped_rows(
        by_rater, "rater", ("tie_rate", "position_first", "score_consistency"),
        {"tie_rate": "a", "position_first": "b", "score_consistency": "c"},
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------------------- words
def sentences(pooled: Lookup) -> list[tuple[str, str]]:
    """What the figures say, in sentences: only what their intervals bear out."""
    found: list[tuple[str, str]] = []
    gain, twelve, one = (
        pooled.get(name) for name in ("prediction_gain", "prediction_twelve_half", "prediction_accuracy_half")
    )
    if gain is not None and twelve is not None and one is not None and gain.value is not None:
        words: dict[str, Any] = {
            "twelve": shares(twelve), "one": shares(one),
            "gain": number(100 * abs(gain.value), decimals=1),
        }  # fmt: skip
        kind = "better" if (gain.low or 0) > 0 else "worse" if (gain.high or 0) < 0 else "unclear"
        found.append(("ok" if kind == "better" else "info", tr(f"statistics_preference.gain.{kind}", **words)))
    first = pooled.get("position_first")
    if first is not None and first.low is not None and first.high is not None:
        biased = not first.low <= 0.5 <= first.high
        word = "biased" if biased else "even"
        found.append(("warn" if biased else "ok", tr(f"statistics_preference.first.{word}", share=shares(first))))
    circles = pooled.get("transitivity_majority")
    if circles is not None and circles.value is not None:
        bad = round(circles.n * (1 - circles.value))
        word = "circle" if bad else "none"
        text = tr(f"statistics_preference.circles.{word}", n=i18n.count(bad), of=i18n.count(circles.n))
        found.append(("warn" if bad else "ok", text))
    strength = pooled.get("davidson")
    if strength is not None and strength.value is None and strength.why:
        found.append(("info", tr("statistics_preference.no_strength", why=reason(strength.why))))
    return found
