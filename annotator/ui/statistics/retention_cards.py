"""What the cards of retention show, made from figures: tiles, stages, rows, bars, the curve and the 2x2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.domain.rubric import verdict_reason_names
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts import Bar, Cell, Line, Mark, Point, Row, Stage
from annotator.ui.statistics.definitions import Definition, define
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import DASH, exact, interval, number, reason, value_name
from annotator.workspace.figures_room import Figure

CELLS: Final = ("both_keep", "saved_by_people", "missed_by_judge", "both_drop")
STAGES: Final = ("imported", "media_complete", "heard", "two_raters", "decided", "kept")
VERDICT_ROLES: Final = (("keep", "ok"), ("revise", "warn"), ("reject", "error"))
BOUNDS: Final = ("wilson_keep_undecided_lost", "wilson_keep_undecided_kept")

define(
    "wilson_keep",
    Definition("wilson_keep", "k / n,  n = keep + revise + reject;  Wilson score interval", "Wilson 1927"),
)
define("funnel", Definition("funnel", "imported ⊇ heard ⊇ decided ⊇ kept;  heard ⊇ two raters", ""))
define("reason_", Definition("reason", "[reason said] / [revise or reject]", ""))
define("verdict_", Definition("verdict", "α (nominal), AC1, [equal pairs] / [pairs]", "Krippendorff 2011; Gwet 2008"))
define(
    "judge_keep", Definition("judge_keep", "[mean judge score ≥ t] / [judged];  Wilson score interval", "Wilson 1927")
)
define("two_by_two", Definition("two_by_two", "McNemar: b ~ Binomial(b + c, ½)", "McNemar 1947"))
define("rogan_gladen", Definition("rogan_gladen", "(p + sp − 1) / (se + sp − 1)", "Rogan & Gladen 1978"))


def share(figure: Figure | None, decimals: int = 1) -> str:
    """A rate in percent; a dash where there is none."""
    return number(None if figure is None else figure.value, percent=True, decimals=decimals)


def ends(figure: Figure | None) -> str:
    """Its interval in percent, or why there is none."""
    if figure is None:
        return ""
    return interval(figure, percent=True, decimals=1) or reason(figure.why)


def head_tiles(pooled: Lookup, at: Figure | None, *, judged: bool = True) -> list[Tile]:
    """The rate, its bounds, agreement on the verdict, and (with `judged`) the two cells that start a conversation."""
    keep, agreed = pooled.get("wilson_keep"), pooled.get("verdict_alpha_nominal")
    if keep is None:
        return []
    decided = tr("retention.of_decided", k=i18n.count(int(keep.more.get("k", 0))), n=i18n.count(keep.n))
    low, high = (pooled.get(name) for name in BOUNDS)
    undecided = int(keep.more.get("undecided", 0))
    tiles = [
        Tile("wilson_keep", share(keep), decided, ends(keep), exact(tr("retention.stage.kept"), keep), keep.n > 0),
        Tile(
            "undecided", _between(low, high), tr("retention.bounds", n=i18n.count(undecided)),
            tr("retention.heard", n=i18n.count(keep.n + undecided)),
            _both_ways(low, high), undecided > 0,
        ),
        Tile(
            "verdict_alpha_nominal", number(None if agreed is None else agreed.value), tr("retention.agreement"),
            "" if agreed is None else _alpha(agreed),
            "" if agreed is None else exact(tr("retention.agreement"), agreed), agreed is not None and agreed.n > 0,
        ),
    ]  # fmt: skip
    table: Mapping[str, int] = at.more["table"] if at is not None and at.value is not None else {}
    for name in ("saved_by_people", "missed_by_judge") if judged else ():
        count = table.get(name)
        words = DASH if count is None else i18n.count(count)
        note = tr(f"retention.{name}_why") if table else "" if at is None else reason(at.why)
        tiles.append(Tile(name, words, tr(f"retention.{name}"), note, "", bool(count)))
    return tiles


def _both_ways(low: Figure | None, high: Figure | None) -> str:
    named = ((tr("retention.undecided_lost"), low), (tr("retention.undecided_kept"), high))
    return " · ".join(exact(name, one) for name, one in named if one is not None)


def _alpha(agreed: Figure) -> str:
    ends = interval(agreed)
    return tr("retention.alpha", ends=ends) if ends else reason(agreed.why)


def _between(low: Figure | None, high: Figure | None) -> str:
    if low is None or high is None or low.value is None or high.value is None:
        return DASH
    return tr("statistics.to", low=f"{100 * low.value:.1f}", high=number(high.value, percent=True, decimals=1))


def stages(pooled: Lookup) -> list[Stage]:
    """From imported to kept; the last bar is parted by verdict."""
    keep = pooled.get("wilson_keep")
    if keep is None:
        return []
    counts = {name: int(figure.value) for name in STAGES if (figure := pooled.get(f"funnel_{name}")) is not None}
    verdicts: Mapping[str, int] = keep.more.get("counts", {})
    lost = {
        "media_complete": counts["imported"] - counts["media_complete"],
        "heard": counts["imported"] - counts["heard"],
        "two_raters": counts["heard"] - counts["two_raters"],
        "decided": counts["heard"] - counts["decided"],
    }
    out = []
    for name in STAGES:
        note = tr(f"retention.lost.{name}", n=i18n.count(lost[name])) if lost.get(name) else ""
        parts: tuple[tuple[str, int], ...] = ()
        if name == "kept":
            parts = tuple((role, verdicts.get(verdict, 0)) for verdict, role in VERDICT_ROLES)
            note = tr(
                "retention.verdicts", keep=verdicts.get("keep", 0), revise=verdicts.get("revise", 0),
                reject=verdicts.get("reject", 0),
            )  # fmt: skip
        label = tr(f"retention.stage.{name}")
        text = " · ".join(part for part in (f"{label} {i18n.count(counts[name])}", note) if part)
        out.append(Stage(f"funnel_{name}", label, counts[name], note, parts, text, counts[name] > 0))
    return out


def rate_rows(field: str, parted: Lookup, overall: Figure | None, names: Mapping[str, str]) -> list[Row]:
    """The rate of each value of a field before the band of all together, with what was decided and what was not."""
    band = None
    if overall is not None and overall.low is not None and overall.high is not None:
        band = (float(overall.low), float(overall.high))
    rows = []
    for figure in parted.named("wilson_keep"):
        value = str(figure.by[field])
        low, high = (parted.get(name, **{field: value}) for name in BOUNDS)
        undecided = int(figure.more.get("undecided", 0))
        name = value_name(field, value, names)
        between = _between(low, high) if undecided else ""
        told = [exact(name, figure), *([tr("retention.open_both", ends=between)] if between else [])]
        rows.append(
            Row(
                key=value, label=name, marks=(Mark("a", figure.value, figure.low, figure.high),), band=band,
                cells=(
                    (share(figure), "text"), (_short_ends(figure), "text2"),
                    (f"{i18n.count(int(figure.more.get('k', 0)))} / {i18n.count(figure.n)}", "text2"),
                    (i18n.count(undecided) if undecided else "", "text2"), (between, "text3"),
                ),
                why=reason(figure.why) if figure.value is None else "",
                text=" · ".join(told),
                opens=figure.n > 0,
            )
        )  # fmt: skip
    return rows


def _short_ends(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f"{100 * figure.low:.0f}–{100 * figure.high:.0f}"


def reason_bars(pooled: Lookup) -> list[Bar]:
    """Why dialogues are not kept, the most frequent first."""
    language = i18n.language()
    bars = []
    for code, text in verdict_reason_names().items():
        figure = pooled.get(f"reason_{code}")
        if figure is None:
            continue
        count = int(figure.more.get("k", 0))
        name = text.in_language(language)
        told = exact(name, figure) if figure.value is not None else f"{name} · {reason(figure.why)}"
        bars.append(Bar(f"reason_{code}", name, count, i18n.count(count), text=told, opens=count > 0))
    return sorted(bars, key=lambda bar: -(bar.value or 0))


def curve_lines(kept: Sequence[Figure]) -> list[Line]:
    """What each threshold would keep, with its band."""
    points = tuple(
        Point(
            figure.more["threshold"], figure.more["threshold"], figure.value, figure.low, figure.high,
            exact(tr("retention.at_least", t=f"{figure.more['threshold']:.2f}"), figure), False,
        )
        for figure in kept
        if figure.value is not None
    )  # fmt: skip
    return [Line("a", points, marked=False)] if points else []


def reading(at: Figure | None, true: Figure | None, keep: Figure | None) -> list[Tile]:
    """Threshold, what it would keep, how far that is from people, and the rate corrected by the judge's faults."""
    if at is None:
        return []
    threshold = f"{at.more['threshold']:.2f}"
    apart = DASH
    if at.value is not None and keep is not None and keep.value is not None:
        apart = number(100 * (at.value - keep.value), decimals=1, sign=True)
    return [
        Tile("threshold", threshold, tr("retention.threshold"), "", tr("retention.at_least", t=threshold)),
        Tile("kept", share(at), tr("retention.would_keep"), ends(at), exact(tr("retention.would_keep"), at)),
        Tile("apart", apart, tr("retention.than_people"), tr("retention.people_short", share=share(keep))),
        Tile(
            "rogan_gladen", share(true), tr("retention.corrected"), ends(true),
            "" if true is None else exact(tr("retention.corrected"), true),
        ),
    ]  # fmt: skip


def table_cells(at: Figure | None) -> list[list[Cell]]:
    """People down, the judge across; the two cells that start a conversation are green and amber."""
    if at is None or at.value is None or not sum(at.more["table"].values()):
        return []
    kinds = dict(zip(CELLS, ("plain", "ok", "warn", "plain"), strict=True))
    table = at.more["table"]
    cells = [
        Cell(
            name,
            table[name],
            kinds[name],
            tr(f"retention.{name}"),
            f"{tr(f'retention.{name}')} {i18n.count(table[name])}",
        )
        for name in CELLS
    ]
    return [cells[:2], cells[2:]]
