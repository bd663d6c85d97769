"""The reviewer's part on the page of comparisons: the panel for who takes it, and the way from one waiting item on.

What others say is read only for a reviewer, and that it was seen is an event. The rater sees what became of it in a
bar over the responses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from annotator.errors import WorldError
from annotator.ui import i18n
from annotator.ui.comparison.review_panel import ReviewPanel
from annotator.ui.comparison.review_parts import ReviewBar
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button

if TYPE_CHECKING:
    from annotator.domain.comparisons_sheet import ReviewState
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.workspace.comparisons_review import ComparisonReviews
    from annotator.workspace.comparisons_views import ComparisonView, Reviewed, ReviewRow

STATES: Final[dict[str, ReviewState]] = {
    "review_accept": "accepted", "review_correct": "corrected", "review_return": "returned",
}  # fmt: skip


class ReviewMode(QObject):
    """The child of one page; a helper of its keys."""

    def __init__(self, page: ComparisonPage) -> None:
        """Put panel, bar and button into the page; nothing shows before somebody takes the part."""
        super().__init__(page)
        self._page, self._desk = page, page.desk
        self._reviews: ComparisonReviews | None = None
        self._rows: tuple[ReviewRow, ...] = ()
        self._wanted: tuple[str, str] | None = None
        self.on = False
        self.panel, self.bar = ReviewPanel(), ReviewBar()
        self.tool = Button("", icon="clipboard-check", key="review_mode", small=True)
        self.tool.setObjectName("reviewMode")
        self.tool.setCheckable(True)
        self.tool.hide()
        page.panels.add_beside(self.panel)
        page.panels.add_above(self.bar)
        page.itembar.add_tool(self.tool)
        page.helpers.append(self)
        self.tool.clicked.connect(self.toggle)
        self.panel.decided.connect(self.decide)
        page.shown.connect(self._item_shown)
        self._desk.sheet_changed.connect(self._tell_rater)
        self._desk.counted.connect(self._look_around)
        self._desk.desk.closed.connect(self._closed)
        i18n.bus().changed.connect(self.retranslate)
        self.retranslate()
        self._look_around()

    # --- the part -------------------------------------------------------------------------------------------------
    def reviews(self) -> ComparisonReviews | None:
        """The reviewer's door to the open workspace."""
        workspace, source = self._desk.desk.workspace, self._desk.comparisons
        if workspace is None or source is None:
            return None
        if self._reviews is None or self._reviews.comparisons is not source:
            from annotator.workspace.comparisons_review import ComparisonReviews

            self._reviews = ComparisonReviews(workspace, source)
        return self._reviews

    def _look_around(self, _queue: object = None) -> None:
        """Whether this person is a reviewer, and what waits; asked in a lane."""
        reviews = self.reviews()
        if reviews is None:
            return
        self._ask(lambda: (reviews.is_reviewer, reviews.to_review()), self._looked_around)

    def _looked_around(self, answer: tuple[bool, tuple[ReviewRow, ...]]) -> None:
        on, self._rows = answer
        self.tool.setVisible(on or bool(self._rows))
        self.panel.set_waiting(self._waiting())
        if on != self.on:
            self._turn(on)
        self.retranslate()

    def _waiting(self) -> int:
        return sum(row.fresh for row in self._rows)

    def toggle(self) -> None:
        """Take the part, or lay it down."""
        reviews = self.reviews()
        if reviews is None:
            return
        on = not self.on
        self._turn(on)
        if self._desk.desk.can_write:
            self._ask(lambda: reviews.set_reviewer(on), self._look_around)

    def _turn(self, on: bool) -> None:
        self.on = on
        self.tool.setChecked(on)
        self.panel.setVisible(on)
        self.retranslate()
        self._item_shown("")
        self._page.panels.remeasure()

    def _closed(self) -> None:
        self._reviews, self._rows, self._wanted = None, (), None
        self.on = False
        self.tool.setChecked(False)
        self.tool.hide()
        self.panel.hide()
        self.bar.show_review(None, returned=False)

    # --- the shown item -------------------------------------------------------------------------------------------
    def _item_shown(self, _item: str) -> None:
        view = self._desk.view
        if view is None:
            return
        self._tell_rater(view)
        if not self.on:
            self.panel.show_found(None, ())
            return
        self._fetch(view)

    def _fetch(self, view: ComparisonView) -> None:
        reviews = self.reviews()
        if reviews is None:
            return
        item, lang = view.row.item_id, i18n.language()

        def arrived(found: tuple[Reviewed, ...]) -> None:
            now = self._desk.view
            if self.on and now is not None and now.row.item_id == item:
                rater = self._wanted[1] if self._wanted is not None and self._wanted[0] == item else None
                self.panel.show_found(now, found, rater, self._waiting())

        self._ask(lambda: reviews.look(item, lang), arrived)

    def _tell_rater(self, view: ComparisonView) -> None:
        latest = view.reviews[-1] if view.reviews else None
        self.bar.show_review(latest, returned=view.row.status == "returned")

    # --- what is done ---------------------------------------------------------------------------------------------
    def handle(self, action: str) -> bool:
        """Keys of this part; whether it was one."""
        if action == "review_mode":
            self.toggle()
        elif action == "review_next" and self.on:
            self.go_next()
        elif action in STATES and self.on:
            self.panel.decide(STATES[action])
        else:
            return action in STATES or action == "review_next"
        return True

    def decide(self, state: ReviewState) -> None:
        """Accept, correct or return the labels that are shown."""
        one, view, reviews = self.panel.reviewed, self._desk.view, self.reviews()
        if one is None or view is None or reviews is None or self.panel.draft is None:
            return
        item, rater, lang = view.row.item_id, one.rater, i18n.language()
        comment = self.panel.comment.toPlainText().strip()
        corrections = self.panel.draft.intents() if state == "corrected" else []

        def done(_changes: object) -> None:
            self._page.telling.tell("info", tr(f"comparison_review.done.{state}", rater=rater), "reviewed")
            self._wanted = None
            self._look_around()
            now = self._desk.view
            if now is not None and now.row.item_id == item:
                self._fetch(now)
            self._desk.refresh_queue()

        self._ask(lambda: reviews.review(item, rater, state, comment, corrections, lang), done)

    def go_next(self) -> None:
        """Open the next labels that wait, behind the shown item first."""
        waiting = [row for row in self._rows if row.fresh]
        if not waiting:
            self._page.telling.tell("info", tr("comparison_review.none_waits"), "reviewed")
            return
        view = self._desk.view
        here = view.row.item_id if view is not None else ""
        shown = self.panel.reviewed
        now = (here, shown.rater if shown is not None else "")
        places = [(row.item_id, row.rater) for row in waiting]
        at = places.index(now) + 1 if now in places else 0
        self._wanted = places[at % len(places)]
        if self._wanted[0] == here and view is not None:
            self._fetch(view)
        else:
            self._desk.open(self._wanted[0])

    def _ask(self, call: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self._desk.desk.lanes.quick(call, then, self._failed)

    def _failed(self, error: WorldError) -> None:
        self._page.window_.tell_error(error)

    def retranslate(self) -> None:
        """Read the texts again."""
        waiting = self._waiting() if self.on else 0
        self.tool.set_text(tr("comparison_review.tool_n", n=waiting) if waiting else tr("comparison_review.tool"))
