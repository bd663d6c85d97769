"""Where questions meet the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from annotator.ui.choice_desk import QuestionDesk
from annotator.ui.desk import Desk
from annotator.ui.item_entry import ItemEntry

if TYPE_CHECKING:
    from annotator.ui.choice_page import ChoicePage
    from annotator.ui.window import MainWindow


class ChoiceEntry(ItemEntry):
    """Offers the page of questions where a workspace has any, and opens on it where it has nothing else."""

    PAGE: ClassVar = "choice"

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        """Nothing is counted yet."""
        super().__init__(window, desk, QuestionDesk(desk))

    def build_page(self) -> ChoicePage:
        """The page of questions."""
        from annotator.ui.choice_page import ChoicePage

        window = self._window
        return ChoicePage(self.desk, window.router, window.status, window.messages)
