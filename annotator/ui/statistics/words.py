"""How figures are written on the page: numbers, intervals, names of judges and models, and a line of exact values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.rubric import load_rubric, scenario_name
from annotator.ui import i18n
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.statistics.reasons import reason
from annotator.workspace.figures_room import Figure

__all__ = [
    "DASH", "FEW_CLUSTERS", "counts", "dimension_name", "exact", "few", "interval", "judge_name", "number", "reason",
    "responder_name", "short_judges", "value_name",
]  # fmt: skip

DASH = "–"
FEW_CLUSTERS = 20


def number(value: Any, *, percent: bool = False, decimals: int = 2, sign: bool = False) -> str:
    """A value as it stands in a column: `0.79`, `+0.35`, `72.9 %`; a dash where there is none."""
    if value is None:
        return DASH
    if percent:
        return f"{100 * value:.{decimals}f} %"
    plus = "+" if sign and value > 0 else ""
    return f"{plus}{value:.{decimals}f}".replace("-", "\u2212")


def interval(figure: Figure, *, percent: bool = False, decimals: int = 2, sign: bool = False) -> str:
    """`0.71 to 0.83`, or nothing where there is no interval."""
    if figure.low is None or figure.high is None or isinstance(figure.low, tuple | list):
        return ""
    if percent:
        low, high = f"{100 * figure.low:.{decimals}f}", number(figure.high, percent=True, decimals=decimals)
    else:
        low, high = (number(end, decimals=decimals, sign=sign) for end in (figure.low, figure.high))
    return tr("statistics.to", low=low, high=high)


def counts(figure: Figure) -> str:
    """`n 1,184 · dialogues 148`."""
    if figure.n_clusters is None:
        return tr("statistics.n", n=i18n.count(figure.n))
    return tr("statistics.n_clusters", n=i18n.count(figure.n), clusters=i18n.count(figure.n_clusters))


def exact(name: str, figure: Figure) -> str:
    """One line of exact values: value and interval to four decimals, n, clusters, and why there is none."""
    parts = [name, _four(figure.value)]
    if figure.low is not None and not isinstance(figure.low, tuple | list):
        parts.append(tr("statistics.to", low=_four(figure.low), high=_four(figure.high)))
    parts.append(counts(figure))
    if figure.why:
        parts.append(reason(figure.why))
    return " · ".join(parts)


def _four(value: Any) -> str:
    if value is None:
        return tr("statistics.undefined")
    if isinstance(value, tuple | list):
        return ", ".join(_four(part) for part in value)
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def few(figure: Figure) -> bool:
    """Whether its clusters are fewer than a bootstrap wants."""
    return figure.n_clusters is not None and figure.n_clusters < FEW_CLUSTERS


def judge_name(judge: str) -> str:
    """`backend::model::prompt` as `model · prompt`."""
    parts = judge.split("::")
    return f"{parts[1].rpartition('/')[2]} · {parts[2]}" if len(parts) >= 3 else judge


def dimension_name(dimension: str, language: str) -> str:
    """A dimension in words; "" where the rubric has none of that id."""
    found = next((one for one in load_rubric().dimensions if one.id == dimension), None)
    return "" if found is None else found.small.in_language(language)


def short_judges(judges: Sequence[str]) -> dict[str, str]:
    """Names for legends and titles: the model alone where that tells the judges apart."""
    bare = {judge: judge_name(judge).partition(" · ")[0] for judge in judges}
    return {judge: name if list(bare.values()).count(name) == 1 else judge_name(judge) for judge, name in bare.items()}


def responder_name(responder: str, names: Mapping[str, str]) -> tuple[str, str]:
    """What may be shown of a tested model, and the task it answered: one model may have answered in several ways."""
    alias = names.get(responder, "")
    parts = responder.split("::")
    if not alias:
        return tr("queue.reference"), ""
    return tr("queue.model", name=alias.rstrip("0123456789") or alias), parts[2].removeprefix("omnibench_") if len(
        parts
    ) >= 3 else ""


def value_name(field: str, value: str, names: Mapping[str, str] | None = None) -> str:
    """A field's value in words. `names` are what the window may show of tested models."""
    if field == "dimension":
        return dimension_name(value, i18n.language()) or value
    if field == "scenario":
        return scenario_name(value, i18n.language())
    if field == "judge":
        return judge_name(value)
    if field == "model":
        return " · ".join(part for part in responder_name(value, names or {}) if part)
    if field == "modality" and i18n.has(f"queue.kind.{value}"):
        return tr(f"queue.kind.{value}")
    if field == "language" and i18n.has(f"statistics.language.{value}"):
        return tr(f"statistics.language.{value}")
    if field in ("task", "domain", "split"):
        return name_of(field, value)
    if value in ("(none)", "(session)"):
        return tr("statistics.value.none") if value == "(none)" else tr("statistics.value.session")
    return value
