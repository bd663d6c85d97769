"""Labels in words, as the sync page shows them beside each other."""

from __future__ import annotations

import json
from typing import Any

from annotator.domain.labels import VERDICTS, turn_index
from annotator.domain.rubric import CANNOT_JUDGE, load_rubric
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.workspace.sync_views import Conflict, Told, Trouble

_LONGEST = 400
_PARTS = ("reason", "tags", "span")


def field_words(field: str) -> str:
    """What a label says something about."""
    if field == "verdict":
        return tr("verdict.title")
    prefix, colon, rest = field.rpartition(":")
    dimension = load_rubric().dimension(rest)
    if dimension is None:
        return field
    name = dimension.name.in_language(i18n.language())
    return tr(f"sync.part.{prefix}", name=name) if colon and prefix in _PARTS else name


def target_words(target: str) -> str:
    """Which part of the dialogue."""
    index = turn_index(target)
    if index is not None:
        return tr("sync.conflicts.turn", n=index + 1)
    return tr("sync.conflicts.session") if target == "session" else tr("sync.conflicts.item")


def about_words(conflict: Conflict) -> str:
    """What a conflict is about, in one line."""
    where = " · ".join(p for p in (conflict.source_id, conflict.shown, target_words(conflict.target)) if p)
    return tr("sync.conflicts.about", what=field_words(conflict.field), where=where)


def value_words(value: Any) -> str:
    """A value in words."""
    if value is None:
        return tr("sync.value.withdrawn")
    if isinstance(value, bool):
        return tr("sync.value.yes") if value else tr("sync.value.no")
    if value == CANNOT_JUDGE:
        return tr("common.mini_cannot")
    if isinstance(value, str):
        known = tr(f"verdict.{value}") if value in VERDICTS else value
        return known[:_LONGEST] or tr("sync.value.empty")
    if isinstance(value, list):
        return ", ".join(map(str, value))[:_LONGEST] or tr("sync.value.empty")
    return json.dumps(value, ensure_ascii=False)[:_LONGEST]


def trouble_words(trouble: Trouble) -> str:
    """What is wrong with a file of the folder."""
    return tr(f"sync.trouble.{trouble.kind}", place=trouble.place)


def told_words(told: Told) -> str:
    """What is to be known of a sync."""
    who = f"…{told.who[-8:]}" if told.kind in ("clock", "log", "renamed") else told.who
    if told.kind in ("clock", "clock_own"):
        way = "ahead" if told.n > 0 else "behind"
        return tr(f"sync.notice.{told.kind}_{way}", who=who, span=_span(abs(told.n)))
    return tr(f"sync.notice.{told.kind}", who=who, n=i18n.count(told.n), of=i18n.count(told.of))


def _span(seconds: int) -> str:
    if seconds >= 172_800:
        return tr("sync.span.days", n=round(seconds / 86_400))
    if seconds >= 5400:
        return tr("sync.span.hours", n=round(seconds / 3600))
    return tr("sync.span.minutes", n=round(seconds / 60))
