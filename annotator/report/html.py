"""The report as one HTML page: style, charts and numbers in one file that asks nobody for anything, and prints."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

from annotator import resources
from annotator.domain.ids import model_of
from annotator.domain.rubric import load_rubric
from annotator.report.html_text import definition, words
from annotator.report.svg import Mark, bars, curve, forest, heat

ROLES: Final = ("window", "panel", "hair", "line", "text", "text2", "accent", "series-b", "warn-soft", "warn")
_PARTS: Final = (("people", "agreement"), ("judge", "calibration"), ("keep", "retention"))
_STYLE: Final = """
body{background:var(--window);color:var(--text);font:14px/1.5 system-ui,"Noto Sans","Noto Sans CJK SC",sans-serif;
margin:0}main{max-width:960px;margin:0 auto;padding:24px}h1{font-size:24px}h2{font-size:19px;margin-top:40px;
border-bottom:1px solid var(--line)}h3{font-size:15px;margin:24px 0 6px}table{border-collapse:collapse;width:100%;
font-size:12px}th,td{text-align:left;padding:3px 8px;border-bottom:1px solid var(--hair);vertical-align:top}
td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}svg{max-width:100%;height:auto;
background:var(--panel);border:1px solid var(--hair);margin:4px 0}svg text{font-size:12px;fill:var(--text)}
svg .label{text-anchor:end}svg .tick,svg .count{text-anchor:middle}svg .tick,svg .note{fill:var(--text2)}
svg .side{text-anchor:middle;fill:var(--text2)}svg .why{fill:var(--warn);font-style:italic}svg .grid{stroke:var(--hair)}
svg .zero{stroke:var(--text2);stroke-dasharray:4 3}svg .whisker{stroke:var(--accent);stroke-width:2}svg .dot,svg .bar,
svg .cell{fill:var(--accent)}svg .same{fill:var(--series-b)}svg .line{fill:none;stroke:var(--accent);stroke-width:2}
svg .band{fill:var(--accent);fill-opacity:.15}.notice{background:var(--warn-soft);padding:4px 10px}
.grid{display:flex;flex-wrap:wrap;gap:12px}.grid p{width:100%;margin:8px 0 0}figure{margin:0;width:300px}
figcaption{font-size:12px;color:var(--text2)}.small{color:var(--text2);font-size:12px}summary{cursor:pointer}
@media print{body{background:none}h2{break-before:page}svg,tr{break-inside:avoid}details>*{display:revert}}
"""
Json = Mapping[str, Any]


def page(told: Json, lang: str = "en") -> str:
    """The page of a report's numbers (see `workspace.reporting`), in `en` or `zh_CN`."""
    say = words(lang)
    body = [f"<h1>{say['title']}</h1>", _made(told, say)]
    for title, subject in _PARTS:
        body.append(f"<h2>{say[title]}</h2>")
        for section in told["sections"]:
            if section["subject"] == subject:
                body += _section(section, say, lang)
    body.append(f"<h2>{say['limits']}</h2>")
    body += [f"<p>{escape(text)}</p>" for text in (*told["limits"], told["use"], told["citation"])]
    return (
        f'<!DOCTYPE html><html lang="{lang.replace("_", "-")}"><head><meta charset="utf-8"><meta name="viewport" '
        f'content="width=device-width"><title>{say["title"]}</title><style>{_colours()}{_STYLE}</style></head>'
        f"<body><main>{''.join(body)}</main></body></html>\n"
    )


def _colours() -> str:
    """The colours that the page uses, as the window has them."""
    light = tomllib.loads(resources.path("theme/tokens.toml").read_text(encoding="utf-8"))["light"]
    return ":root{" + ";".join(f"--{role}:{light[role]}" for role in ROLES) + "}"


def _made(told: Json, say: Mapping[str, str]) -> str:
    sources = told["sources"]
    facts = (
        f"{told['software']} · {told['rubric']} · seed {told['seed']} · {told['resamples']:,} resamples",
        f"{sources['events']:,} label events · SHA-256 {sources['events_sha256'][:16]}… · items "
        f"{sources['items_sha256'][:16]}… · judges {sources['judges_sha256'][:16]}…",
        ", ".join(f"{one['kind']}: {one['source']}" for one in sources["imports"]),
    )
    return f'<p class="small">{say["made"]}: {"<br>".join(escape(fact) for fact in facts)}</p>'


def _section(section: Json, say: Mapping[str, str], lang: str) -> Iterator[str]:
    by = ", ".join(section["by"])
    yield f"<h3>{say['by'] + ' ' + escape(by) if by else say['all']}</h3>"
    for note in section["notes"]:
        yield f'<p class="notice">{escape(note)}</p>'
    for judge, counts in section.get("judge_records", {}).items() if section["by"] == ["judge"] else ():
        told = ", ".join(f"{status} {count:,}" for status, count in counts.items())
        yield f'<p class="small">{say["records"]}: {escape(judge)}: {escape(told)}</p>'
    for notice in sorted({figure["notice"] for figure in section["figures"] if "notice" in figure}):
        yield f'<p class="notice">{escape(notice)}</p>'
    yield from _CHARTS[section["subject"]](section, say, lang)
    yield _table(section["figures"], say, lang)


def _named(figures: Sequence[Json], *names: str) -> list[Json]:
    return [figure for figure in figures if figure["name"] in names]


def _of(figure: Json, lang: str, *, short: bool = True) -> str:
    """What a figure is of, in words; `short` names models and judges by their own name alone."""
    parts = []
    for name, value in figure["by"].items():
        dimension = load_rubric().dimension(value) if name == "dimension" else None
        shown = [dimension.name.in_language(lang)] if dimension is not None else value
        every = [str(one) for one in (shown if isinstance(shown, list) else [shown])]
        if short and name in ("judge", "model"):
            every = [model_of(one) for one in every]
        parts.append(" | ".join(every))
    return ", ".join(parts)


def _marks(figures: Sequence[Json], say: Mapping[str, str], lang: str, *, named: bool) -> list[Mark]:
    marks = []
    for figure in figures:
        of = _of(figure, lang)
        why = str(figure["why"] or "").removeprefix("undefined: ")
        marks.append(
            Mark(
                label=f"{figure['name']} {of}".strip() if named else of,
                value=figure["value"],
                low=figure["low"],
                high=figure["high"],
                note=f"n {figure['n']:,}"
                + (f", {say['clusters']} {figure['n_clusters']:,}" if figure["n_clusters"] else ""),
                why=f"{say['undefined']} {why}",
            )
        )
    return marks


def _agreement(section: Json, say: Mapping[str, str], lang: str) -> Iterator[str]:
    wanted = ("ac_quadratic", "alpha_ordinal") if section["by"] else (
        "exact", "within_1", "ac_quadratic", "ac_ordinal", "alpha_ordinal", "icc_2_1", "icc_2_k", "kappa_quadratic"
    )  # fmt: skip
    for name in wanted if section["by"] else ("",):
        figures = _named(section["figures"], name) if name else _named(section["figures"], *wanted)
        if figures:
            title = f"{name} {', '.join(section['by'])}".strip() or say["people"]
            yield f'<p class="small">{escape(name)} {definition(name, lang) if name else ""}</p>'
            yield forest(_marks(figures, say, lang, named=not name), _floor(figures, 0.0), 1.0, title)


def _floor(figures: Sequence[Json], otherwise: float) -> float:
    """The left end of an axis: agreement below chance makes room for itself."""
    ends = [figure[part] for figure in figures for part in ("value", "low") if isinstance(figure[part], float)]
    return -1.0 if min(ends, default=otherwise) < otherwise else otherwise


def _calibration(section: Json, say: Mapping[str, str], lang: str) -> Iterator[str]:
    figures = section["figures"]
    if section["by"] == ["judge"]:
        names = ("ceiling_ac_quadratic", "ac_quadratic", "ceiling_alpha_ordinal", "alpha_ordinal", "kappa_quadratic",
                 "ceiling_exact", "exact", "ceiling_within_1", "within_1")  # fmt: skip
        agreeing = [figure for name in names for figure in _named(figures, name)]
        yield forest(_marks(agreeing, say, lang, named=True), _floor(agreeing, 0.0), 1.0, say["judge"])
        for figure in _named(figures, "alternative_annotator_test"):
            if figure["value"] is None:
                verdict = f"{say['undefined']} {str(figure['why']).removeprefix('undefined: ')}"
            else:
                answer = say["yes" if figure["passes"] else "no"]
                verdict = f"{answer}: {figure['value']:.0%} (epsilon {figure['epsilon']:g})"
            yield f"<p>{say['replace']} {escape(_of(figure, lang))}: {escape(verdict)}</p>"
    yield f'<div class="grid"><p class="small">{say["confusion"]}</p>'
    for figure in _named(figures, "confusion"):
        if figure["value"] is not None:
            drawn = heat(figure["value"], say["confusion"], say["judge_says"], say["people_say"])
            yield f"<figure>{drawn}<figcaption>{escape(_of(figure, lang))}, n {figure['n']:,}</figcaption></figure>"
    yield "</div>"
    for figure in _named(figures, "reliability") if section["by"] == ["judge"] else ():
        if figure["value"] is not None:
            yield f'<p class="small">{say["reliability"]}: {escape(_of(figure, lang))}, n {figure["n"]:,}</p>'
            yield curve(_points(figure), say["reliability"], low=1, high=5, bottom=1, top=5, diagonal=True)
    leaning = _named(figures, "bias")
    if leaning:
        yield f'<p class="small">{say["bias_chart"]}</p>'
        yield forest(_marks(leaning, say, lang, named=False), -2, 2, say["bias_chart"], at=0)
    means = [f for one in figures if one["name"] == "ppi_mean" for f in _beside(figures, one)]
    if means:
        yield f'<p class="small">{say["means"]}</p>'
        yield forest(_marks(means, say, lang, named=True), 1, 5, say["means"])
    yield from _next(_named(figures, "ppi_mean"), say, lang)


def _beside(figures: Sequence[Json], corrected: Json) -> list[Json]:
    return [one for one in _named(figures, "mean_human", "mean_judge", "ppi_mean") if one["by"] == corrected["by"]]


def _points(figure: Json) -> list[tuple[float, float, float | None, float | None]]:
    none = [None] * len(figure["value"])
    rows = zip(figure["judge"], figure["value"], figure["low"] or none, figure["high"] or none, strict=True)
    return [(at, value, low, high) for at, value, low, high in rows if value is not None]


def _next(figures: Sequence[Json], say: Mapping[str, str], lang: str) -> Iterator[str]:
    wide = sorted((f for f in figures if f["low"] is not None), key=lambda f: f["low"] - f["high"])[:5]
    if len(wide) > 1:
        rows = "".join(
            f"<li>{escape(_of(figure, lang))}: {figure['low']:.2f} – {figure['high']:.2f}; "
            f"{figure['dialogues_to_halve']:,} {say['more']}</li>"
            for figure in wide
        )
        yield f"<p>{say['next']}</p><ol>{rows}</ol>"


def _retention(section: Json, say: Mapping[str, str], lang: str) -> Iterator[str]:
    figures = section["figures"]
    if section["by"]:
        rates = _named(figures, "wilson_keep")
        if rates:
            yield forest(_marks(rates, say, lang, named=False), 0, 1, f"wilson_keep {', '.join(section['by'])}")
        return
    stages = [figure for figure in figures if figure["name"].startswith("funnel_")]
    yield f'<p class="small">{say["funnel"]}</p>'
    yield bars([(figure["name"].removeprefix("funnel_"), figure["value"]) for figure in stages], say["funnel"])
    rates = [figure for figure in figures if figure["name"].startswith("wilson_")]
    yield forest(_marks(rates, say, lang, named=True), 0, 1, say["keep"])
    reasons = [figure for figure in figures if figure["name"].startswith("reason_")]
    yield f'<p class="small">{say["reasons"]}</p>'
    yield bars([(one["name"].removeprefix("reason_"), one.get("k", 0)) for one in reasons], say["reasons"])
    what_if = [one for one in figures if one["name"].startswith("judge_keep_") and one["value"] is not None]
    if what_if:
        yield f'<p class="small">{say["what_if"]}, n {what_if[0]["n"]:,}</p>'
        points = [(one["threshold"], one["value"], one["low"], one["high"]) for one in what_if]
        yield curve(points, say["what_if"], low=1, high=5, bottom=0, top=1)
        rows = "".join(
            f"<tr><td>{one['threshold']:g}</td>"
            + "".join(f'<td class="number">{one["table"][cell]}</td>' for cell in one["table"])
            + "</tr>"
            for one in what_if
        )
        head = "".join(f"<th>{escape(cell)}</th>" for cell in what_if[0]["table"])
        yield f"<p>{say['saved']}, {say['missed']}</p><table><tr><th>≥</th>{head}</tr>{rows}</table>"


_CHARTS: Final = {"agreement": _agreement, "calibration": _calibration, "retention": _retention}


def _table(figures: Sequence[Json], say: Mapping[str, str], lang: str) -> str:
    """Every figure with n, definition and interval, or the reason why there is none."""
    head = "".join(f"<th>{say[name]}</th>" for name in ("figure", "of", "value", "interval", "n", "clusters", "why"))
    rows = []
    for figure in figures:
        why = f"{definition(figure['name'], lang)} {figure['why'] or ''}".strip()
        ends = "" if figure["low"] is None else f"{_shown(figure['low'])} – {_shown(figure['high'])}"
        clusters = "" if figure["n_clusters"] is None else f"{figure['n_clusters']:,}"
        cells = (_shown(figure["value"]), ends, f"{figure['n']:,}", clusters)
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        rows.append(
            f"<tr><td>{escape(figure['name'])}</td><td>{escape(_of(figure, lang, short=False))}</td>{numbers}"
            f"<td>{escape(why)}</td></tr>"
        )
    summary = f"<summary>{say['numbers']} ({len(figures):,})</summary>"
    return f"<details>{summary}<table><tr>{head}</tr>{''.join(rows)}</table></details>"


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return "…" if value and isinstance(value[0], list) else ", ".join(_shown(part) for part in value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)
