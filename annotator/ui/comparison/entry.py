"""Where comparisons meet the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from annotator.ui.comparison.desk import ComparisonDesk
from annotator.ui.desk import Desk
from annotator.ui.item_entry import ItemEntry

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.ui.window import MainWindow


class ComparisonEntry(ItemEntry):
    """Offers the page where a workspace has comparisons, or answers that some can be made from."""

    PAGE: ClassVar = "compare"

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        """Nothing is counted yet."""
        super().__init__(window, desk, ComparisonDesk(desk))

    def offered(self, count: int) -> bool:
        """Also where they can be made."""
        return count > 0 or self.desk.can_make

    def build_page(self) -> ComparisonPage:
        """The page of comparisons."""
        from annotator.ui.comparison.page import ComparisonPage
        from annotator.ui.comparison.review_mode import ReviewMode

        page = ComparisonPage(self.desk, self._window)
        ReviewMode(page)
        return page
