"""What the cards of accuracy show, made from figures: tiles, rows, cells and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.domain.questions import OUTPUT_STATES
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.accuracy_words import counted, exactly, hidden, model_name, share, value_words
from annotator.ui.statistics.charts import Bar, Cell, Mark, Row
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.parts import Tile
from annotator.ui.statistics.words import DASH, few, interval, number, reason
from annotator.workspace.figures_room import Figure

PROFILES: Final = ("official", "vlmevalkit", "careful", "confirmed")
CONDITIONS: Final = ("language", "split", "resolution", "share")
_DASH_CELL: Final = (DASH, "text3")


def mark(series: str, figure: Figure | None) -> Mark:
    """A figure as a dot with its interval."""
    if figure is None or figure.value is None:
        return Mark(series, None)
    return Mark(series, figure.value, figure.low, figure.high)


def tiles(pooled: Lookup, models: Lookup, names: Mapping[str, str]) -> list[Tile]:
    """All models together, the best of them, people's blind answers, and what mended keys change."""
    found = []
    every = pooled.get("accuracy")
    if every is not None:
        count = len(models.values("model"))
        name = tr("accuracy.tile.all", n=i18n.count(count))
        found.append(_tile("all", every, name))
    rated = [f for f in models.named("accuracy") if f.value is not None]
    if rated:
        best = max(rated, key=lambda figure: float(figure.value))
        name = tr("accuracy.tile.best", model=model_name(str(best.by["model"]), names))
        found.append(_tile("best", best, name))
    people = pooled.get("accuracy_people")
    if people is not None:
        found.append(_tile("people", people, tr("accuracy.tile.people")))
    else:
        found.append(Tile("people", DASH, tr("accuracy.tile.people"), tr("accuracy.nobody_answered")))
    mended = pooled.get("accuracy_mended")
    if mended is not None:
        found.append(_tile("mended", mended, tr("accuracy.tile.mended")))
    elif (proposed := pooled.get("accuracy_proposed")) is not None:
        found.append(_tile("mended", proposed, tr("accuracy.tile.proposed")))
    else:
        found.append(Tile("mended", DASH, tr("accuracy.tile.mended"), tr("accuracy.nothing_mended")))
    return found


def _tile(key: str, figure: Figure, name: str) -> Tile:
    note = interval(figure, percent=True, decimals=1) or reason(figure.why) or counted(figure)
    return Tile(key, share(figure), name, note, exactly(name, figure), opens=figure.n > 0)


def model_rows(models: Lookup, names: Mapping[str, str], people: Figure | None) -> list[Row]:
    """Each model, the best first, before the band of people; Avg-C, mended and claimed in columns."""
    rows = []
    rated = sorted(models.named("accuracy"), key=lambda f: -(f.value if f.value is not None else -1.0))
    for figure in rated:
        model = str(figure.by["model"])
        plain, mended = models.get("avg_c", model=model), models.get("accuracy_mended", model=model)
        claimed = figure.more.get("claimed")
        lines = (exactly("Avg", figure), exactly("Avg-C", plain), exactly(tr("accuracy.head.mended"), mended))
        told = "; ".join(line for line in lines if line)
        rows.append(
            Row(
                key=("model", model),
                label=model_name(model, names),
                marks=(mark("a", figure), mark("b", plain)) if figure.value is not None else (),
                band=_band(people),
                cells=(
                    (share(figure), "series-a"), (share(plain), "series-b"),
                    (share(mended), "text2") if mended is not None else _DASH_CELL,
                    (number(claimed, percent=True, decimals=1), "text2") if claimed is not None else _DASH_CELL,
                    (i18n.count(figure.n), "text3"),
                ),
                why=reason(figure.why) if figure.value is None else "",
                text=f"{model_name(model, names)}: {told}",
                few=few(figure),
            )
        )  # fmt: skip
    return rows


def _band(figure: Figure | None) -> tuple[float, float] | None:
    if figure is None or figure.value is None:
        return None
    if figure.low is None or figure.high is None:
        return (figure.value, figure.value)
    return (figure.low, figure.high)


def profile_rows(by_profile: Lookup) -> list[Row]:
    """One model under each profile, its keys mended too."""
    rows = []
    for profile in PROFILES:
        figure = by_profile.get("accuracy", profile=profile)
        if figure is None:
            continue
        mended, read = by_profile.get("accuracy_mended", profile=profile), by_profile.get("answered", profile=profile)
        name = tr(f"accuracy.profile.{profile}")
        rows.append(
            Row(
                key=("profile", profile), label=name, marks=(mark("a", figure), mark("c", mended)),
                cells=(
                    (share(figure), "series-a"), (share(mended), "series-c") if mended is not None else _DASH_CELL,
                    (share(read), "text2"),
                ),
                why=reason(figure.why) if figure.value is None else "",
                text=f"{exactly(name, figure)}; {exactly(tr('accuracy.head.mended'), mended)}".strip("; "),
                few=few(figure),
            )
        )  # fmt: skip
    return rows


def domain_rows(tasks: Lookup, domains: Lookup, show_printed: bool) -> list[Row]:
    """Each task, and its domains under it: accuracy, people's, Avg-C, and what the paper prints."""
    rows: list[Row] = []
    for task in tasks.values("task"):
        rows.append(_domain_row(tasks, {"task": task}, value_words("task", task), show_printed, gap=bool(rows)))
        for figure in domains.named("accuracy"):
            if figure.by["task"] == task:
                name = "   " + value_words("domain", str(figure.by["domain"]))
                rows.append(_domain_row(domains, {k: str(v) for k, v in figure.by.items()}, name, show_printed))
    return rows


def _domain_row(found: Lookup, by: Mapping[str, str], name: str, show_printed: bool, *, gap: bool = False) -> Row:
    figure, plain, people = (found.get(n, **by) for n in ("accuracy", "avg_c", "accuracy_people"))
    printed = figure.more.get("printed") if figure is not None and show_printed else None
    printed_c = plain.more.get("printed") if plain is not None and show_printed else None
    return Row(
        key=("part", tuple(by.items())),
        label=name,
        marks=(mark("a", figure), mark("people", people)) if figure is not None and figure.value is not None else (),
        cells=(
            (share(figure), "series-a"), (_printed(printed), "text2"), (share(plain), "text"),
            (_printed(printed_c), "text2"), (share(people), "text2"),
            (i18n.count(figure.n) if figure is not None else DASH, "text3"),
        ),
        why=reason(figure.why) if figure is not None and figure.value is None else "",
        text="; ".join(
            line
            for line in (
                exactly(name.strip(), figure), exactly("Avg-C", plain), exactly(tr("accuracy.people"), people),
                tr("accuracy.printed_is", value=_printed(printed)) if printed is not None else "",
            )
            if line
        ),
        few=figure is not None and few(figure),
        gap=gap,
    )  # fmt: skip


def _printed(value: float | None) -> str:
    return DASH if value is None else f"{100 * value:.2f}"


def category_rows(categories: Lookup) -> list[Row]:
    """Every category, under its task and domain."""
    rows: list[Row] = []
    before = ""
    order = sorted(categories.named("accuracy"), key=lambda f: tuple(str(f.by[n]) for n in ("task", "domain")))
    for figure in order:
        by = {name: str(value) for name, value in figure.by.items()}
        place = f"{value_words('task', by['task'])} · {value_words('domain', by['domain'])}"
        rows.append(
            Row(
                key=("part", tuple(by.items())), label=by["category"] or DASH, aside=place,
                marks=(mark("a", figure),) if figure.value is not None else (),
                cells=((share(figure), "series-a"), (i18n.count(figure.n), "text3")),
                why=reason(figure.why) if figure.value is None else "",
                text=exactly(f"{place} · {by['category']}", figure), few=few(figure),
                gap=bool(rows) and place != before,
            )
        )  # fmt: skip
        before = place
    return rows


def e_rows(tasks: Lookup, domains: Lookup) -> list[Row]:
    """How often E is said, beside how often it is the key."""
    rows: list[Row] = []
    for task in tasks.values("task"):
        rows.append(_e_row(tasks, {"task": task}, value_words("task", task), gap=bool(rows)))
        for figure in domains.named("e_answered"):
            if figure.by["task"] == task:
                name = "   " + value_words("domain", str(figure.by["domain"]))
                rows.append(_e_row(domains, {k: str(v) for k, v in figure.by.items()}, name))
    return rows


def _e_row(found: Lookup, by: Mapping[str, str], name: str, *, gap: bool = False) -> Row:
    said, truth = found.get("e_answered", **by), found.get("e_truth", **by)
    none = said is None or said.value is None
    return Row(
        key=("part", tuple(by.items())), label=name, marks=() if none else (mark("a", said), mark("people", truth)),
        cells=((share(said), "series-a"), (share(truth), "text2")),
        why=reason(said.why) if said is not None and none else "",
        text=f"{exactly(name.strip(), said)}; {tr('accuracy.e_truth', share=share(truth))}",
        few=said is not None and few(said), gap=gap,
    )  # fmt: skip


def condition_rows(found: Mapping[str, Lookup]) -> list[Row]:
    """Accuracy by language, set, size of the picture and share of the box."""
    rows: list[Row] = []
    for field in CONDITIONS:
        figures = found[field].named("accuracy")
        for place, figure in enumerate(figures):
            value = str(figure.by[field])
            name = value_words(field, value)
            people = found[field].get("accuracy_people", **{field: value})
            aside = tr(f"accuracy.field.{field}") if not place else ""
            rows.append(
                Row(
                    key=("part", ((field, value),)), label=name, aside=aside,
                    marks=(mark("a", figure), mark("people", people)) if figure.value is not None else (),
                    cells=((share(figure), "series-a"), (share(people), "text2"), (i18n.count(figure.n), "text3")),
                    why=reason(figure.why) if figure.value is None else "",
                    text="; ".join(filter(None, (exactly(name, figure), exactly(tr("accuracy.people"), people)))),
                    few=few(figure), gap=bool(rows) and not place,
                )
            )  # fmt: skip
    return rows


def wrong_cells(figure: Figure | None) -> tuple[list[list[Cell]], list[str], list[str]]:
    """(cells, names of rows, names of columns): keys down, letters across, none at the right."""
    if figure is None or not figure.value:
        return [], [], []
    letters: Sequence[str] = figure.more["letters"]
    columns = [*letters, ""]
    cells = [
        [
            Cell(
                (key, letter), figure.value[row][column], "same" if key == letter else "far" if letter else "plain",
                text=tr("accuracy.cell", key=key, letter=letter or DASH, n=i18n.count(figure.value[row][column])),
            )
            for column, letter in enumerate(columns)
        ]
        for row, key in enumerate(letters)
    ]  # fmt: skip
    return cells, list(letters), [*letters, DASH]


def kind_bars(pooled: Lookup) -> list[Bar]:
    """How many outputs are of each kind."""
    bars = []
    for state in OUTPUT_STATES:
        figure = pooled.get(f"share_{state}")
        if figure is None:
            continue
        count = round((figure.value or 0.0) * figure.n)
        name = tr(f"accuracy.kind.{state}")
        role = "error" if state in ("failed", "blank") else "warn" if state in ("refused", "cut_off") else "series-a"
        bars.append(
            Bar(
                state, name, figure.value, share(figure), aside=i18n.count(count), role=role, opens=count > 0,
                text=tr("accuracy.kind_is", kind=name, n=i18n.count(count), of=i18n.count(figure.n)),
            )
        )  # fmt: skip
    return bars


def may_print(model: str, models: Sequence[str], names: Mapping[str, str]) -> bool:
    """Whether the paper's figures may stand beside a model: they would name it."""
    return bool(model) and model in models and not hidden(model, names)
