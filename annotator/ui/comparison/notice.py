"""A gentle word after the ranking, where the same rater's scores say the opposite. It blocks nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.ui.comparison.words import notice_of
from annotator.ui.i18n import tr

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.workspace.comparisons_views import ComparisonView

KEY = "contradiction"


class Notice(QObject):
    """Tells of a contradiction when it arises on the page, not when an old item is opened; made by the page."""

    def __init__(self, page: ComparisonPage) -> None:
        """Nothing told."""
        super().__init__(page)
        self._page = page
        self._told: tuple[tuple[int, int], ...] = ()
        page.window_.messages.acted.connect(self._acted)

    def begin(self, view: ComparisonView) -> None:
        """Another item: what stands in it already is no news."""
        self.end()
        self._told = view.contradictions

    def look(self, view: ComparisonView) -> None:
        """The item's sheet changed."""
        if view.contradictions == self._told:
            return
        self._told = view.contradictions
        if not self._told:
            self.end()
        elif self._page.isVisible():
            self._page.telling.tell("info", notice_of(view), KEY, (("show", tr("comparison.show_scores")),))

    def end(self) -> None:
        """Take it away."""
        self._page.window_.messages.dismiss(KEY)

    def _acted(self, key: str, action: str) -> None:
        if (key, action) == (KEY, "show") and self._told:
            self._page.go_to(f"response:{self._told[0][1]}", "faithfulness")
            self.end()
