"""Everything a window holds: the texts of its widgets and models, and the Python objects behind them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QWidget

from tests.ui.choice.bench import FakeWorkspace
from tests.ui.choice.invented import FakeQuestions

READ = ("text", "toolTip", "accessibleName", "accessibleDescription", "windowTitle", "placeholderText", "toPlainText")
ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)


def texts(window: QWidget) -> Iterator[str]:
    """Every text of a window's widgets, hidden ones too, and of the models of its item views."""
    for widget in [window, *window.findChildren(QWidget)]:
        for name in READ:
            read = getattr(widget, name, None)
            if callable(read):
                yield str(read())
        if isinstance(widget, QAbstractItemView) and widget.model() is not None:
            yield from _model_texts(widget.model())


def _model_texts(model: QAbstractItemModel) -> Iterator[str]:
    for row in range(model.rowCount()):
        for role in ROLES:
            yield str(model.data(model.index(row, 0), role))


def objects(*roots: Any) -> Iterator[Any]:
    """Every Python value that can be reached from some objects without asking the workspace."""
    seen: set[int] = set()
    held: list[Any] = []
    waiting = list(roots)
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, (type, FakeQuestions, FakeWorkspace)):
            continue
        seen.add(id(value))
        held.append(value)  # keeps it alive, so that no other value gets its id
        yield value
        waiting.extend(_parts(value))


def _parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    found = list(vars(value).values()) if hasattr(value, "__dict__") else []
    if dataclasses.is_dataclass(value):
        found += [getattr(value, f.name) for f in dataclasses.fields(value)]
    if isinstance(value, QObject):
        found += value.children()
    return found
