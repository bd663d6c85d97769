"""Where items that are no dialogues meet the window: whether there are any, and when their page comes forward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from annotator.ui.desk import Desk
from annotator.ui.item_desk import ItemDesk

if TYPE_CHECKING:
    from annotator.ui.choice_entry import ChoiceEntry
    from annotator.ui.comparison.entry import ComparisonEntry
    from annotator.ui.window import MainWindow


class ItemEntry(QObject):
    """Offers the page of one kind of item where a workspace has any, and opens on it where it has nothing else."""

    PAGE: ClassVar[str]

    def __init__(self, window: MainWindow, desk: Desk, items: ItemDesk) -> None:
        """Nothing is counted yet."""
        super().__init__(window)
        self._window = window
        self.page: Any = None
        self._just_opened = False
        self.count = 0
        self.desk: Any = items
        items.counted.connect(self._counted)
        items.come_forward.connect(self._come_forward)
        desk.opened.connect(self._opened)
        desk.closed.connect(self._closed)
        desk.moved.connect(self._dialogue_moved)

    def build_page(self) -> Any:
        """The page; subclasses say which."""
        raise AssertionError("an entry says what its page is")

    def make_page(self) -> QWidget:
        """The page, with its foot in the window."""
        self.page = page = self.build_page()
        page.foot.hide()
        self._window.foot.addWidget(page.foot)
        found: QWidget = page
        return found

    # --- what the workspace holds -----------------------------------------------------------------------------
    def offered(self, count: int) -> bool:
        """Whether the page is offered in the rail."""
        return count > 0

    def _opened(self) -> None:
        self.count = 0
        self._just_opened = True
        self._window.rail.offer(self.PAGE, False)

    def _closed(self) -> None:
        self.count = 0

    def _counted(self, n: int) -> None:
        self.count = n
        self._window.rail.offer(self.PAGE, self.offered(n))
        if not n:
            return
        info = self.desk.desk.info
        if self._just_opened and info is not None and not info.dialogues and self._is_first():
            self._window.show_page(self.PAGE)
        elif self.desk.queue is not None:
            self.desk.reload()
        self._just_opened = False

    def _is_first(self) -> bool:
        """Whether no page of items is shown already: a workspace opens on the first kind that it has."""
        entries = (self._window.choice, self._window.comparison)
        front = self._window.stack.currentWidget()
        return all(entry.page is None or entry.page is not front for entry in entries)

    # --- which page is in front -------------------------------------------------------------------------------
    def _is_front(self) -> bool:
        return self.page is not None and self._window.stack.currentWidget() is self.page

    def _come_forward(self) -> None:
        if not self._is_front():
            self._window.show_page(self.PAGE)

    def _dialogue_moved(self) -> None:
        if self._is_front():
            self._window.show_page("review")


def entries(window: MainWindow, desk: Desk) -> tuple[ChoiceEntry, ComparisonEntry]:
    """The entries of a window, in the order in which a workspace opens on them."""
    from annotator.ui.choice_entry import ChoiceEntry
    from annotator.ui.comparison.entry import ComparisonEntry

    return ChoiceEntry(window, desk), ComparisonEntry(window, desk)
