"""The page of questions on a window of its own, with an invented workspace behind it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.choice_desk import QuestionDesk
from annotator.ui.choice_page import ChoicePage
from annotator.ui.desk import Desk
from annotator.ui.keys import KeyRouter
from annotator.ui.lanes import Lanes
from annotator.ui.statusbar import StatusBar
from annotator.ui.widgets import MessageBar
from annotator.workspace.views import Changes, WorkspaceInfo
from tests.helpers.driver import NAMED, spin
from tests.ui.choice.invented import FakeQuestions


class FakeWorkspace:
    """A workspace without dialogues."""

    def __init__(self, questions: FakeQuestions) -> None:
        self.questions = questions
        self.kept: list[tuple[Any, ...]] = []

    def undo(self, _lang: str) -> Changes | None:
        return self.questions.undo()

    def redo(self, _lang: str) -> Changes | None:
        return None

    def undo_state(self) -> tuple[bool, bool]:
        return False, False

    def save_draft(self, *what: Any) -> None:
        self.kept.append(what)

    def problems(self) -> list[Any]:
        return []

    def close(self) -> None:
        """Nothing is open."""


class Bench(QMainWindow):
    """Page, message bar, foot and status bar, as the window has them."""

    def __init__(self, questions: FakeQuestions, size: tuple[int, int] = (1600, 1000)) -> None:
        super().__init__()
        density.update_for(QSize(*size))
        self.questions = questions
        self.lanes = Lanes()
        self.dialogues = Desk(self.lanes, self)
        self.router = KeyRouter(self)
        self.status, self.messages = StatusBar(), MessageBar()
        self.desk = QuestionDesk(self.dialogues, make=lambda _workspace: questions)  # type: ignore[arg-type,return-value]
        self.page = ChoicePage(self.desk, self.router, self.status, self.messages)
        self.router.triggered.connect(self.page.key)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget, stretch in ((self.page, 1), (self.messages, 0), (self.page.foot, 0), (self.status, 0)):
            column.addWidget(widget, stretch)
        self.setCentralWidget(body)
        self.resize(*size)
        self.show()
        QTest.qWaitForWindowExposed(self)
        self.activateWindow()
        self.workspace = FakeWorkspace(questions)
        self.dialogues.workspace = self.workspace  # type: ignore[assignment]
        self.dialogues.info = WorkspaceInfo(Path("w"), "w", "lin", False, "", True, 0, 0)
        self.dialogues.opened.emit(self.dialogues.info)
        self.page.page_shown()
        self.settle()

    # --- hands --------------------------------------------------------------------------------------------------
    def press(self, text: str, *, settle: bool = True) -> None:
        for char in text:
            target = QApplication.focusWidget() or self
            QTest.keyClick(target, NAMED.get(char, char))
        if settle:
            self.settle()

    def control(self, key: Qt.Key) -> None:
        QTest.keyClick(QApplication.focusWidget() or self, key, Qt.KeyboardModifier.ControlModifier)
        self.settle()

    # --- patience -----------------------------------------------------------------------------------------------
    def settle(self, ms: int = 20_000) -> None:
        spin(0)
        waited = 0
        while self.busy():
            assert waited < ms, "it did not come in time"
            spin(5)
            waited += 5
        spin(0)

    def busy(self) -> bool:
        outbox = self.dialogues.outbox
        return self.lanes.busy or self.page.stage.loader.busy or (outbox.waiting > 0 and not outbox.failing)

    @property
    def view(self) -> Any:
        assert self.desk.view is not None
        return self.desk.view

    def shut(self) -> None:
        self.page.shut_down()
        self.lanes.shutdown()
        self.close()
        self.deleteLater()
