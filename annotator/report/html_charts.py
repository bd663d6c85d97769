"""The charts of a report's sections, by subject, as SVG and small tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from annotator.domain.ids import model_of
from annotator.domain.rubric import load_rubric, scenario_name
from annotator.report.html_text import definition, words
from annotator.report.reasons import reason
from annotator.report.svg import Mark, curve, forest, heat

Json = Mapping[str, Any]
Say = Mapping[str, str]


def named(figures: Sequence[Json], *names: str) -> list[Json]:
    """The figures of these names."""
    return [figure for figure in figures if figure["name"] in names]


def said_of(figure: Json, lang: str, *, short: bool = True) -> str:
    """What a figure is of, in words; `short` names models and judges by their own name alone."""
    parts = []
    for name, value in figure["by"].items():
        every = [_value(name, str(one), lang, short=short) for one in (value if isinstance(value, list) else [value])]
        parts.append(" | ".join(every))
    return ", ".join(parts)


def _value(name: str, value: str, lang: str, *, short: bool) -> str:
    if name == "dimension":
        dimension = load_rubric().dimension(value)
        return value if dimension is None else dimension.name.in_language(lang)
    if name == "scenario":
        return scenario_name(value, lang)
    if short and name in ("judge", "model", "responders"):
        return model_of(value)
    say = words(lang)
    return say.get(f"{name}.{value}", say.get(f"value.{value}", value))


def link_of(figure: Json) -> str:
    """Where the page lists the items behind a figure; "" where they are too many to list."""
    return figure["behind"] if isinstance(figure.get("behind"), str) else ""


def marks_of(figures: Sequence[Json], say: Say, lang: str, *, by_name: bool) -> list[Mark]:
    """Figures as rows of a chart; `by_name` names each figure beside what it is of."""
    marks = []
    for figure in figures:
        of = said_of(figure, lang)
        why = reason(str(figure["why"] or ""), lang)
        marks.append(
            Mark(
                label=f"{figure['name']} {of}".strip() if by_name else of or figure["name"],
                value=figure["value"],
                low=figure["low"],
                high=figure["high"],
                note=_beside_it(figure, say),
                why=f"{say['undefined']}{why}",
                link=link_of(figure),
            )
        )
    return marks


def _beside_it(figure: Json, say: Say) -> str:
    """The value in digits, since paper cannot be pointed at; and what it stands on."""
    value = f"{figure['value']:.3f} · " if isinstance(figure["value"], float) else ""
    clusters = f", {say['clusters']} {figure['n_clusters']:,}" if figure["n_clusters"] else ""
    return f"{value}n {figure['n']:,}{clusters}"


def fields_of(by: Sequence[str], say: Say) -> str:
    """Fields in words."""
    return say["and"].join(say.get(f"field.{name}", name) for name in by)


def _agreement(section: Json, say: Say, lang: str) -> Iterator[str]:
    wanted = ("ac_quadratic", "alpha_ordinal") if section["by"] else (
        "exact", "within_1", "ac_quadratic", "ac_ordinal", "alpha_ordinal", "icc_2_1", "icc_2_k", "kappa_quadratic"
    )  # fmt: skip
    for name in wanted if section["by"] else ("",):
        figures = named(section["figures"], name) if name else named(section["figures"], *wanted)
        if figures:
            title = f"{name} {fields_of(section['by'], say)}".strip() or say["people"]
            yield f'<p class="small">{escape(name)} {definition(name, lang) if name else ""}</p>'
            yield forest(marks_of(figures, say, lang, by_name=not name), _floor(figures, 0.0), 1.0, title)


def _floor(figures: Sequence[Json], otherwise: float) -> float:
    """The left end of an axis: agreement below chance makes room for itself."""
    ends = [figure[part] for figure in figures for part in ("value", "low") if isinstance(figure[part], float)]
    return -1.0 if min(ends, default=otherwise) < otherwise else otherwise


def _calibration(section: Json, say: Say, lang: str) -> Iterator[str]:
    figures = section["figures"]
    if section["by"] == ["judge"]:
        names = ("ceiling_ac_quadratic", "ac_quadratic", "ceiling_alpha_ordinal", "alpha_ordinal", "kappa_quadratic",
                 "ceiling_exact", "exact", "ceiling_within_1", "within_1")  # fmt: skip
        agreeing = [figure for name in names for figure in named(figures, name)]
        yield forest(marks_of(agreeing, say, lang, by_name=True), _floor(agreeing, 0.0), 1.0, say["judge"])
        for figure in named(figures, "alternative_annotator_test"):
            if figure["value"] is None:
                verdict = f"{say['undefined']}{reason(str(figure['why']), lang)}"
            else:
                answer = say["yes" if figure["passes"] else "no"]
                verdict = f"{answer}: {figure['value']:.0%} (epsilon {figure['epsilon']:g})"
            yield f"<p>{say['replace']} {escape(said_of(figure, lang))}: {escape(verdict)}</p>"
    yield f'<div class="grid"><p class="small">{say["confusion"]}</p>'
    for figure in named(figures, "confusion"):
        if figure["value"] is not None:
            drawn = heat(figure["value"], say["confusion"], say["judge_says"], say["people_say"])
            yield f"<figure>{drawn}<figcaption>{escape(said_of(figure, lang))}, n {figure['n']:,}</figcaption></figure>"
    yield "</div>"
    for figure in named(figures, "reliability") if section["by"] == ["judge"] else ():
        if figure["value"] is not None:
            yield f'<p class="small">{say["reliability"]}: {escape(said_of(figure, lang))}, n {figure["n"]:,}</p>'
            yield curve(_points(figure), say["reliability"], low=1, high=5, bottom=1, top=5, diagonal=True)
    leaning = named(figures, "bias")
    if leaning:
        yield f'<p class="small">{say["bias_chart"]}</p>'
        yield forest(marks_of(leaning, say, lang, by_name=False), -2, 2, say["bias_chart"], at=0)
    means = [f for one in figures if one["name"] == "ppi_mean" for f in _beside(figures, one)]
    if means:
        yield f'<p class="small">{say["means"]}</p>'
        yield forest(marks_of(means, say, lang, by_name=True), 1, 5, say["means"])
    yield from _next(named(figures, "ppi_mean"), say, lang)


def _beside(figures: Sequence[Json], corrected: Json) -> list[Json]:
    return [one for one in named(figures, "mean_human", "mean_judge", "ppi_mean") if one["by"] == corrected["by"]]


def _points(figure: Json) -> list[tuple[float, float, float | None, float | None]]:
    none = [None] * len(figure["value"])
    rows = zip(figure["judge"], figure["value"], figure["low"] or none, figure["high"] or none, strict=True)
    return [(at, value, low, high) for at, value, low, high in rows if value is not None]


def _next(figures: Sequence[Json], say: Say, lang: str) -> Iterator[str]:
    wide = sorted((f for f in figures if f["low"] is not None), key=lambda f: f["low"] - f["high"])[:5]
    if len(wide) > 1:
        rows = "".join(
            f"<li>{escape(said_of(figure, lang))}: {figure['low']:.2f} – {figure['high']:.2f}; "
            f"{figure['dialogues_to_halve']:,} {say['more']}</li>"
            for figure in wide
        )
        yield f"<p>{say['next']}</p><ol>{rows}</ol>"


CHARTS: Final[dict[str, Callable[[Json, Say, str], Iterator[str]]]] = {
    "agreement": _agreement,
    "calibration": _calibration,
}
"""Subject -> its charts. `html_charts_more` adds those of candidates, preferences and questions."""
