"""The charts of what becomes of items: candidates kept, responses preferred, questions answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, Final

from annotator.domain.ids import model_of
from annotator.domain.rubric import verdict_reason_names
from annotator.report.html_charts import CHARTS, Json, Say, fields_of, link_of, marks_of, named, said_of
from annotator.report.html_text import definition
from annotator.report.reasons import reason
from annotator.report.svg import Mark, bars, curve, forest

CELLS: Final = ("both_keep", "saved_by_people", "missed_by_judge", "both_drop")


def _caption(text: str) -> str:
    return f'<p class="small">{escape(text)}</p>'


def _named_like(figures: Sequence[Json], beginning: str) -> list[Json]:
    return [figure for figure in figures if figure["name"].startswith(beginning)]


# ----------------------------------------------------------------------------------------------------------- retention
def _retention(section: Json, say: Say, lang: str) -> Iterator[str]:
    figures, by = section["figures"], section["by"]
    if by == ["judge"]:
        for judge in dict.fromkeys(figure["by"]["judge"] for figure in figures):
            yield f"<h4>{escape(model_of(judge))}</h4>"
            yield from _what_if([one for one in figures if one["by"]["judge"] == judge], say, lang)
        return
    if by:
        rates = named(figures, "wilson_keep")
        if rates:
            yield forest(marks_of(rates, say, lang, by_name=False), 0, 1, f"wilson_keep {fields_of(by, say)}")
            yield _rates(figures, rates, say, lang)
        return
    yield from _kept(figures, say, lang)
    yield from _what_if(figures, say, lang)


def _kept(figures: Sequence[Json], say: Say, lang: str) -> Iterator[str]:
    yield _caption(say["funnel"])
    stages = _named_like(figures, "funnel_")
    yield bars([_bar(one, say[one["name"].replace("_", ".", 1)], one["value"]) for one in stages], say["funnel"])
    yield _caption(f"{say['rates']} {say['published_keep']}")
    yield forest(marks_of(_named_like(figures, "wilson_"), say, lang, by_name=True), 0, 1, say["keep"])
    yield _caption(say["verdict_agreement"])
    agreeing = _named_like(figures, "verdict_")
    low = -1.0 if any((one["low"] or one["value"] or 0) < 0 for one in agreeing) else 0.0
    yield forest(marks_of(agreeing, say, lang, by_name=True), low, 1, say["verdict_agreement"])
    yield _caption(say["reasons"])
    names = verdict_reason_names()
    reasons = [
        _bar(one, names[one["name"].removeprefix("reason_")].in_language(lang), one.get("k", 0))
        for one in _named_like(figures, "reason_")
    ]
    yield bars(reasons, say["reasons"])


def _bar(figure: Json, label: str, count: float) -> Mark:
    return Mark(label, count, link=link_of(figure))


def _rates(figures: Sequence[Json], rates: Sequence[Json], say: Say, lang: str) -> str:
    """Beside each rate: how many were decided and undecided, and the rate with the undecided counted either way."""
    bounds = {
        (one["name"], said_of(one, lang)): one["value"]
        for one in named(figures, "wilson_keep_undecided_lost", "wilson_keep_undecided_kept")
    }
    rows = []
    for one in rates:
        of = said_of(one, lang)
        ends = [bounds.get((f"wilson_keep_undecided_{way}", of)) for way in ("lost", "kept")]
        between = " – ".join("–" if end is None else f"{end:.1%}" for end in ends)
        cells = (_share(one["value"]), f"{one.get('k', 0):,} / {one['n']:,}", f"{one.get('undecided', 0):,}", between)
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        rows.append(f"<tr><td>{_link(one, of)}</td>{numbers}</tr>")
    head = "".join(f"<th>{say[name]}</th>" for name in ("of", "kept", "of_decided", "undecided", "bounds"))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _link(figure: Json, text: str) -> str:
    link = link_of(figure)
    return f'<a href="#{link}">{escape(text)}</a>' if link else escape(text)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _what_if(figures: Sequence[Json], say: Say, lang: str) -> Iterator[str]:
    kept = [one for one in _named_like(figures, "judge_keep_") if one["value"] is not None]
    if not kept:
        return
    yield _caption(f"{say['what_if']}, n {kept[0]['n']:,}")
    points = [(one["threshold"], one["value"], one["low"], one["high"]) for one in kept]
    yield curve(points, say["what_if"], low=1, high=5, bottom=0, top=1)
    true = {one["threshold"]: one for one in _named_like(figures, "rogan_gladen_")}
    rows = []
    for one in kept:
        cells = [f"{one['table'][cell]:,}" for cell in CELLS]
        p = one.get("mcnemar_p")
        cells += [
            "–" if p is None else "&lt; 0.001" if p < 0.001 else f"{p:.3f}",
            _corrected(true.get(one["threshold"]), lang),
        ]
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in cells)
        share = f'<td class="number">{_share(one["value"])}</td>'
        rows.append(f"<tr><td>{_link(one, format(one['threshold'], 'g'))}</td>{share}{numbers}</tr>")
    head = "".join(f"<th>{say[name]}</th>" for name in ("threshold", "would_keep", *CELLS, "mcnemar", "corrected"))
    yield f"{_caption(say['two_by_two'])}<table><tr>{head}</tr>{''.join(rows)}</table>"


def _corrected(figure: Json | None, lang: str) -> str:
    if figure is None or figure["value"] is None:
        return "–" if figure is None else escape(reason(str(figure["why"]), lang))
    ends = "" if figure["low"] is None else f" ({figure['low']:.1%} – {figure['high']:.1%})"
    return f"{figure['value']:.1%}{ends}"


# ---------------------------------------------------------------------------------------------------------- preference
def _preference(section: Json, say: Say, lang: str) -> Iterator[str]:
    figures = section["figures"]
    for figure in named(figures, "davidson"):
        if figure["value"] is not None:
            marks = list(_strengths(figure, lang))
            reach = max(abs(end) for mark in marks for end in (mark.value or 0, mark.low or 0, mark.high or 0)) or 1.0
            yield _caption(f"{definition('davidson', lang)} {said_of(figure, lang)}".strip())
            yield forest(marks, -round(reach + 0.5), round(reach + 0.5), "davidson", at=0)
    wins = named(figures, "win_rate_half")
    if wins:
        yield _caption(f"win_rate_half: {definition('win_rate', lang)}")
        yield forest(marks_of(wins, say, lang, by_name=False), 0, 1, "win_rate_half", at=0.5)
    foretold = named(figures, "prediction_accuracy_half", "prediction_twelve_half", "prediction_ceiling_half")
    if foretold:
        yield _caption(f"{say['prediction']} {say['published_prediction']}")
        yield forest(marks_of(foretold, say, lang, by_name=True), 0, 1, say["prediction"], at=0.5)
    checks = named(
        figures, "tie_rate", "kendall_w", "position_first", "position_flip", "self_agreement", "transitivity_majority",
        "transitivity_rater", "score_consistency",
    )  # fmt: skip
    if checks:
        yield _caption(say["checks"])
        yield forest(marks_of(checks, say, lang, by_name=True), 0, 1, say["checks"])


def _strengths(figure: Json, lang: str) -> Iterator[Mark]:
    size = len(figure["items"])
    low, high = (figure[end] or [None] * size for end in ("low", "high"))
    for name, value, one, two in zip(figure["items"], figure["value"], low, high, strict=True):
        yield Mark(model_of(name), value, one, two, link=link_of(figure))


# ------------------------------------------------------------------------------------------------------------ accuracy
def _accuracy(section: Json, say: Say, lang: str) -> Iterator[str]:
    figures, by = section["figures"], section["by"]
    if not by:
        yield _caption(say["accuracy_all"])
        held = named(figures, "accuracy", "avg_c", "accuracy_mended", "accuracy_people", "avg_c_people")
        yield forest(marks_of(held, say, lang, by_name=True), 0, 1, say["accuracy_all"])
        return
    shown = ("accuracy",) if len(by) > 1 else ("accuracy", "avg", "avg_c", "accuracy_mended")
    for name in shown:
        held = named(figures, name)
        if held:
            yield _caption(f"{name}: {definition(name, lang)}")
            yield forest(marks_of(held, say, lang, by_name=False), 0, 1, f"{name} {fields_of(by, say)}")
    if any("printed" in figure for figure in figures):
        yield _printed(figures, say, lang)
    if by == ["task", "domain"]:
        yield _caption(f"accuracy_people: {definition('accuracy_people', lang)}")
        people = named(figures, "accuracy_people")
        yield forest(marks_of(people, say, lang, by_name=False), 0, 1, f"accuracy_people {fields_of(by, say)}")
    if by in (["model"], ["task", "domain"]):
        yield _caption(say["option_e"])
        rows = named(figures, "e_answered", "e_truth")
        yield forest(marks_of(rows, say, lang, by_name=True), 0, 1, say["option_e"])
    if by == ["model"]:
        for figure in named(figures, "confusion"):
            yield _letters(figure, say, lang)


def _printed(figures: Sequence[Json], say: Say, lang: str) -> str:
    """Ours beside the paper's, for the models that are in it."""
    head = (
        f"<tr><th>{say['of']}</th><th>{say['figure']}</th><th>{say['value']}</th><th>{say['printed_value']}</th></tr>"
    )
    rows = "".join(
        f"<tr><td>{escape(said_of(figure, lang))}</td><td>{escape(figure['name'])}</td>"
        f'<td class="number">{100 * figure["value"]:.2f}</td><td class="number">{100 * figure["printed"]:.2f}</td></tr>'
        for figure in figures
        if "printed" in figure and figure["value"] is not None
    )
    return f"{_caption(say['printed'])}<table>{head}{rows}</table>"


def _letters(figure: Json, say: Say, lang: str) -> str:
    letters: Sequence[Any] = figure["letters"]
    head = "".join(f'<th class="number">{escape(str(one))}</th>' for one in (*letters, say["no_letter"]))
    rows = "".join(
        f"<tr><th>{escape(str(letter))}</th>" + "".join(f'<td class="number">{count:,}</td>' for count in row) + "</tr>"
        for letter, row in zip(letters, figure["value"], strict=True)
    )
    told = f"{say['letters']}: {said_of(figure, lang)}, n {figure['n']:,}"
    return f"{_caption(told)}<table><tr><th></th>{head}</tr>{rows}</table>"


ALL_CHARTS: Final = {**CHARTS, "retention": _retention, "preference": _preference, "accuracy": _accuracy}
