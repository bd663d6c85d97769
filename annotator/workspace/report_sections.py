"""The sections of a report: which questions it asks, in which order, and what answers each of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, NamedTuple

from annotator.report.figures import Asked
from annotator.store import Store
from annotator.workspace.figures import Figures, Held, figures_of
from annotator.workspace.figures_items import Tracer

MOST_LISTED: Final = 3_000
"""A group of more items than this is not listed in the report: its command lists them."""


class Section(NamedTuple):
    """One question: its id in the report, the subject, the fields it is asked by, and the kind of items it is about."""

    id: str
    subject: str
    by: tuple[str, ...]
    kind: str


def _sections(subject: str, kind: str, *asked: tuple[str, ...]) -> tuple[Section, ...]:
    named = ("_and_".join(by) for by in asked)
    return tuple(
        Section(f"{subject}_by_{name}" if by else subject, subject, by, kind)
        for name, by in zip(named, asked, strict=True)
    )


SECTIONS: Final[tuple[Section, ...]] = (
    *_sections(
        "agreement", "dialogue",
        (), ("dimension",), ("scenario",), ("modality",), ("language",), ("capability",),
    ),
    Section("calibration_by_judge", "calibration", ("judge",), "dialogue"),
    *(
        Section(f"calibration_by_{name}", "calibration", ("judge", name), "dialogue")
        for name in ("dimension", "model", "modality", "language")
    ),
    *_sections(
        "retention", "dialogue",
        (), ("scenario",), ("capability",), ("modality",), ("language",), ("source",),
        ("rater",), ("judge",), ("week",),
    ),
    *_sections("preference", "comparison", (), ("level",), ("subset",)),
    *_sections(
        "accuracy", "question",
        (), ("model",), ("model", "task"), ("task", "domain"), ("model", "domain"), ("model", "category"),
        ("model", "language"), ("model", "profile"), ("model", "share"),
    ),
)  # fmt: skip
"""In the order in which they are read: people first, then judges, candidates, preferences, questions.

All stand on the database alone, so that a report can be verified where the media are not at hand: accuracy by the
pictures' resolution is left to its command.
"""


def sections_of(store: Store) -> list[Section]:
    """The sections that a workspace has something to say to; of dialogues always, of the others where there are any."""
    kinds = {"dialogue", *(kind for kind in ("comparison", "question") if store.items.heads(kind))}
    return [section for section in SECTIONS if section.kind in kinds]


def answer(store: Store, section: Section, asked: Asked, held: Held) -> tuple[Figures, str]:
    """The figures of a section, and the rubric that they stand on."""
    from annotator.domain.rubric import load_rubric

    asked = replace(asked, by=section.by, progress=None)
    if section.subject == "accuracy":
        from annotator.workspace.figures_accuracy import accuracy_of
        from annotator.workspace.questions import RUBRIC

        figures, notes = accuracy_of(store, asked)
        return Figures("accuracy", figures, asked, notes), RUBRIC
    if section.subject == "preference":
        from annotator.workspace.comparisons_figures import preference_of

        return preference_of(store, asked), load_rubric().name
    return figures_of(store, section.subject, asked, held=held), load_rubric().name


class Listed:
    """The items behind a report's figures: equal lists are kept once, under a name of their own."""

    def __init__(self, store: Store) -> None:
        """Nothing is listed yet."""
        self._store = store
        self._names: dict[tuple[str, ...], str] = {}

    def trace(self, section: Section, raw: list[dict[str, Any]], asked: Asked, held: Held) -> None:
        """Add `behind` to each raw figure: the name of its list, or how many there are where they are too many."""
        tracer = Tracer(self._store, section.subject, replace(asked, by=section.by), held=held)
        for figure in raw:
            # Pairs of raters and of responders are many, and their lists nearly alike: the group's stands for them.
            by = {name: figure["by"][name] for name in section.by}
            ids = tracer.items(figure["name"], by)
            figure["behind"] = len(ids) if len(ids) > MOST_LISTED else self._name(ids)

    def _name(self, ids: tuple[str, ...]) -> str:
        return self._names.setdefault(ids, f"items-{len(self._names) + 1}")

    def every(self) -> set[str]:
        """All items that are listed somewhere."""
        return {item_id for ids in self._names for item_id in ids}

    def raw(self) -> dict[str, list[str]]:
        """Name -> ids."""
        return {name: list(ids) for ids, name in self._names.items()}
