"""Where questions meet the window: whether there are any, when their page comes to the front, and making it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from annotator.ui.choice_desk import QuestionDesk
from annotator.ui.desk import Desk

if TYPE_CHECKING:
    from annotator.ui.choice_page import ChoicePage
    from annotator.ui.window import MainWindow

PAGE = "choice"


class ChoiceEntry(QObject):
    """Offers the page of questions where a workspace has any, and opens on it where it has nothing else."""

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        """Nothing is counted yet."""
        super().__init__(window)
        self._window = window
        self._page: ChoicePage | None = None
        self._just_opened = False
        self.count = 0
        self.desk = QuestionDesk(desk)
        self.desk.counted.connect(self._counted)
        self.desk.come_forward.connect(self._come_forward)
        desk.opened.connect(self._opened)
        desk.closed.connect(self._closed)
        desk.moved.connect(self._dialogue_moved)

    def make_page(self) -> QWidget:
        """The page, with its foot in the window."""
        from annotator.ui.choice_page import ChoicePage

        window = self._window
        page = ChoicePage(self.desk, window.router, window.status, window.messages)
        page.foot.hide()
        window.foot.addWidget(page.foot)
        self._page = page
        return page

    # --- what the workspace holds -------------------------------------------------------------------------------
    def _opened(self) -> None:
        self.count = 0
        self._just_opened = True
        self._window.rail.offer(PAGE, False)

    def _closed(self) -> None:
        self.count = 0

    def _counted(self, n: int) -> None:
        self.count = n
        self._window.rail.offer(PAGE, n > 0)
        if not n:
            return
        info = self.desk.desk.info
        if self._just_opened and info is not None and not info.dialogues:
            self._window.show_page(PAGE)
        elif self.desk.queue is not None:
            self.desk.reload()
        self._just_opened = False

    # --- which page is in front -----------------------------------------------------------------------------------
    def _is_front(self) -> bool:
        return self._page is not None and self._window.stack.currentWidget() is self._page

    def _come_forward(self) -> None:
        if not self._is_front():
            self._window.show_page(PAGE)

    def _dialogue_moved(self) -> None:
        if self._is_front():
            self._window.show_page("review")
