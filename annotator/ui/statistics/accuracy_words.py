"""How figures of accuracy are written: percents, images instead of dialogues, models by what may be shown of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annotator.domain.ids import model_of
from annotator.ui import i18n
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.statistics.definitions import Definition, define
from annotator.ui.statistics.words import number, reason
from annotator.workspace.figures_room import Figure

UNKNOWN: Final = "unknown"
_IN_WORDS: Final = ("task", "domain", "language", "split")

define("accuracy", Definition("accuracy", "[letter = key] / [outputs]", "MME-RealWorld, arXiv:2408.13257"))
define("avg", Definition("avg", "Σ right / Σ items", "MME-RealWorld, arXiv:2408.13257"))
define("avg_c", Definition("avg_c", "mean over domains (in one domain: over categories)", "arXiv:2408.13257"))
define("accuracy_mended", Definition("accuracy_mended", "[letter = mended key] / [outputs]", ""))
define("accuracy_proposed", Definition("accuracy_proposed", "[letter = proposed key] / [outputs]", ""))
define("accuracy_people", Definition("accuracy_people", "[blind answer = key] / [blind answers]", ""))
define("e_answered", Definition("e_answered", "[letter = E] / [outputs]  ·  [key = E] / [outputs]", ""))
define("share_", Definition("output_kind", "[outputs of a kind] / [outputs]", ""))
define("confusion_choices", Definition("wrong_choices", "nᵢⱼ = [key = i, letter = j]", ""))


def share(figure: Figure | None, decimals: int = 1) -> str:
    """A share in percent; a dash where there is none."""
    return number(None if figure is None else figure.value, percent=True, decimals=decimals)


def counted(figure: Figure) -> str:
    """`n 1,184 · images 148`."""
    if figure.n_clusters is None:
        return tr("statistics.n", n=i18n.count(figure.n))
    return tr("accuracy.n_images", n=i18n.count(figure.n), images=i18n.count(figure.n_clusters))


def exactly(name: str, figure: Figure | None) -> str:
    """One line of exact values."""
    if figure is None:
        return ""
    value = tr("statistics.undefined") if figure.value is None else f"{figure.value:.4f}"
    parts = [name, value]
    if figure.low is not None and figure.high is not None:
        parts.append(tr("statistics.to", low=f"{figure.low:.4f}", high=f"{figure.high:.4f}"))
    parts.append(counted(figure))
    if figure.why:
        parts.append(reason(figure.why))
    return " · ".join(parts)


def hidden(model: str, names: Mapping[str, str]) -> bool:
    """Whether a model's own name may not be shown here."""
    return names.get(model, model) not in (model, model_of(model))


def model_name(model: str, names: Mapping[str, str]) -> str:
    """What may be shown of a model; "" are all together."""
    if not model:
        return tr("accuracy.all_models")
    return tr("queue.model", name=names[model]) if hidden(model, names) else model


def value_words(field: str, value: str) -> str:
    """A value of a question's field in words."""
    if field in _IN_WORDS:
        return name_of(field, value)
    if field in ("resolution", "share"):
        return tr(f"accuracy.{field}.{UNKNOWN if value == UNKNOWN else value[:1]}")
    return value
