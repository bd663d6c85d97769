"""The calibration in sentences: may the judge stand in for a person, how is it biased, what is to be known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.lookup import Lookup
from annotator.ui.statistics.words import dimension_name, interval, number, reason, short_judges
from annotator.workspace.figures_room import Figure

Sentence = tuple[str, str]
"""Kind (ok, warn, error, info, text2) and text."""


def verdicts(judges: Sequence[str], judged: Lookup) -> list[Sentence]:
    """For each judge: on which dimensions it may stand in for a rater, or why that cannot be told."""
    out: list[Sentence] = []
    names = short_judges(judges)
    for judge in judges:
        tests = [
            (dimension, figure)
            for dimension in judged.values("dimension", "alternative_annotator_test")
            if (figure := judged.get("alternative_annotator_test", judge=judge, dimension=dimension)) is not None
        ]
        told = [(dimension, figure) for dimension, figure in tests if figure.value is not None]
        if not tests:
            continue
        if not told:
            why = reason(tests[0][1].why)
            out.append(("info", tr("statistics.replace.unknown", judge=names[judge], why=why)))
            continue
        passed = [_name(dimension) for dimension, figure in told if figure.more.get("passes")]
        key = "some" if passed else "none"
        text = tr(
            f"statistics.replace.{key}", judge=names[judge], n=len(passed), of=len(told), names=_listed(passed),
            epsilon=f"{told[0][1].more['epsilon']:.2f}",
        )  # fmt: skip
        out.append(("ok" if passed else "warn", text))
        missing = len(tests) - len(told)
        if missing:
            out.append(("info", tr("statistics.replace.rest", n=missing)))
    return out


def _name(dimension: str) -> str:
    return dimension_name(dimension, i18n.language())


def _listed(names: Sequence[str]) -> str:
    return tr("statistics.comma").join(names)


def biases(judge: str, name: str, pooled: Lookup, judged: Lookup) -> list[Sentence]:
    """Harsh or soft, on which dimensions for sure, and whether length plays a part."""
    out: list[Sentence] = []
    figure = pooled.get("bias", judge=judge)
    if figure is not None and figure.value is not None:
        sure = figure.low is not None and (figure.low > 0 or figure.high < 0)
        key = "unsure" if not sure else "soft" if figure.value > 0 else "harsh"
        text = tr(
            f"statistics.lean.{key}", judge=name, by=number(figure.value, sign=True),
            interval=interval(figure, sign=True) or reason(figure.why),
        )  # fmt: skip
        out.append(("warn" if sure else "info", text))
    marked = [
        f"{_name(dimension)} {number(one.value, sign=True)}"
        for dimension in judged.values("dimension", "bias")
        if (one := judged.get("bias", judge=judge, dimension=dimension)) is not None
        and one.more.get("p_adjusted") is not None
        and one.more["p_adjusted"] < 0.05
    ]
    if marked:
        out.append(("warn", tr("statistics.lean.dimensions", judge=name, names=_listed(marked))))
    out += _length(name, pooled.get("pearson_length", judge=judge))
    limits = pooled.get("bland_altman", judge=judge)
    if limits is not None and limits.value is not None:
        low, high = limits.value[1], limits.value[2]
        slope = limits.more.get("slope")
        text = tr(
            "statistics.limits",
            judge=name,
            low=number(low, sign=True),
            high=number(high, sign=True),
            slope=number(slope, sign=True),
        )
        out.append(("info", text))
    return out


def _length(name: str, figure: Figure | None) -> list[Sentence]:
    if figure is None:
        return []
    if figure.value is None:
        return [("info", tr("statistics.length.unknown", judge=name, why=reason(figure.why)))]
    sure = figure.low is not None and (figure.low > 0 or figure.high < 0)
    key = ("longer" if figure.value > 0 else "shorter") if sure else "none" if figure.low is not None else "unsure"
    text = tr(
        f"statistics.length.{key}",
        judge=name,
        r=number(figure.value, sign=True),
        interval=interval(figure, sign=True) or reason(figure.why),
    )
    return [("warn" if sure else "info", text)]


def errors_of_map(judge: str, group: Mapping[str, str], judged: Lookup) -> str:
    """The calibration error before and after the map, in one line."""
    before = judged.get("calibration_error", judge=judge, **group)
    after = judged.get("calibration_error_cross_fitted", judge=judge, **group)
    if before is None or after is None:
        return ""
    told = number(after.value, decimals=3) if after.value is not None else reason(after.why)
    return tr("statistics.map_error", before=number(before.value, decimals=3), after=told)


def families(judges: Sequence[str], pooled: Lookup) -> str:
    """A sentence where a judge and a tested model are of one family; "" where none is."""
    names = short_judges(judges)
    found = [
        names[judge]
        for judge in judges
        if (figure := pooled.get("bias", judge=judge)) is not None and figure.more.get("notice")
    ]
    return tr("statistics.notice.family", judge=_listed(found)) if found else ""


def notices(
    judges: Sequence[str], pooled: Lookup, records: Mapping[str, Mapping[str, int]], notes: Sequence[str], left: int
) -> list[Sentence]:
    """What must be known beside the figures: families, records without a score, labels left out."""
    out: list[Sentence] = []
    if family := families(judges, pooled):
        out.append(("warn", family))
    names = short_judges(list(records))
    for judge, counts in records.items():
        failed = {status: n for status, n in counts.items() if status != "success"}
        if failed:
            named = _listed([f"{status} {i18n.count(n)}" for status, n in failed.items()])
            text = tr("statistics.notice.records", judge=names[judge], n=i18n.count(sum(failed.values())), named=named)
            out.append(("info", text))
    if left > 0:
        out.append(("info", tr("statistics.notice.judges_left", n=left)))
    out += [("info", reason(note)) for note in notes]
    return out
