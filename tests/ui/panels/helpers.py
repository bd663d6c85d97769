"""A desk to put panels on, and small tools to press, compose and listen with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from annotator.ui import keys

QUIET_MS = 150  # how long the quiet second lasts in these tests
Said = list[tuple[str, str, Any]]


class Desk(QWidget):
    """A window with the key router in it, that hands actions to the panels it was given, as the review does."""

    def __init__(self, *panels: QWidget) -> None:
        super().__init__()
        self.panels = panels
        self.actions: list[str] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for panel in panels:
            column.addWidget(panel)
        self.router = keys.KeyRouter(self)
        self.router.set_context("dialogue")
        self.router.triggered.connect(self.act)

    def act(self, action: str) -> None:
        self.actions.append(action)
        for panel in self.panels:
            if panel.handle(action):
                return


def collect(panel: QObject) -> Said:
    """The list that a panel's intents will be appended to."""
    said: Said = []

    def take(target: str, field: str, value: Any) -> None:
        said.append((target, field, value))

    panel.said.connect(take)  # type: ignore[attr-defined]
    return said


def compose(field: QWidget, preedit: str, commit: str = "") -> None:
    """What an input method sends: a word in the making, or the finished one."""
    event = QInputMethodEvent(preedit, [])
    if commit:
        event.setCommitString(commit)
    QApplication.sendEvent(field, event)


def case_texts(name: str) -> list[tuple[str, str, str]]:
    """(question, answer, reference) of each turn of a case's dialogue; the answer is the reference's own text."""
    path = Path(__file__).parents[2] / "data" / "text" / f"{name}.json"
    entries = json.loads(path.read_text(encoding="utf-8"))[0]["stream_conversation"]["conversations"]
    asked = [e["text"] for e in entries if e["speaker"] == "user"]
    given = [e["text"] for e in entries if e["speaker"] == "ai"]
    return [(q, a, a) for q, a in zip(asked, given, strict=False)]
