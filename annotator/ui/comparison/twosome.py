"""Marking where two responses differ: which two, in a lane, and away again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.cancel import CancelToken
from annotator.ui.comparison.differences import Spans, work

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage


class Twosome(QObject):
    """The two columns whose differences are marked, if any; made by the page."""

    def __init__(self, page: ComparisonPage) -> None:
        """None are."""
        super().__init__(page)
        self._page = page
        self._pair: tuple[int, int] | None = None
        self._token: CancelToken | None = None
        page.itembar.shown_as.connect(self._shown_as)

    @property
    def on(self) -> bool:
        """Whether two are marked."""
        return self._pair is not None

    @property
    def pair(self) -> tuple[int, int] | None:
        """Their columns, counted from 0."""
        return self._pair

    def turn(self) -> None:
        """The active response with the next one, then with the one after; after the last, none."""
        panel = self._page.panel
        count, active = panel.count(), panel.active
        if count < 2:
            return
        if self._pair is None or self._pair[0] != active:
            self._begin(active, (active + 1) % count)
            return
        other = (self._pair[1] + 1) % count
        if other == active:
            self.end()
        else:
            self._begin(active, other)

    def _shown_as(self, mode: str) -> None:
        if mode == "side":
            self.end()
        else:
            self.turn()

    def _begin(self, first: int, second: int) -> None:
        page, view = self._page, self._page.desk.view
        if view is None:
            return
        self._stop()
        self._pair = (first, second)
        left, right = sorted((first, second))
        one, two = view.responses[left], view.responses[right]
        page.panel.show_differences({})
        page.panel.set_pair((one.place, two.place), ("↔", "↔"))
        page.itembar.show_pair((one.letter, two.letter))
        texts = (one.text, two.text)

        def arrived(found: tuple[Spans, Spans]) -> None:
            now = page.desk.view
            if self._pair == (first, second) and now is not None:
                if (now.responses[left].text, now.responses[right].text) == texts:
                    page.panel.show_differences({left: found[0], right: found[1]})

        self._token = page.desk.desk.lanes.bulk(work(*texts), arrived)

    def _stop(self) -> None:
        if self._token is not None:
            self._token.cancel()
            self._token = None

    def end(self) -> None:
        """Mark nothing any more."""
        self._stop()
        if self._pair is not None:
            self._pair = None
            self._page.panel.show_differences({})
            self._page.show_pair()
        self._page.itembar.show_pair(None)
