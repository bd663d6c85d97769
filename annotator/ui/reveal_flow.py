"""From the lock to the reveal: a completed row of a spot-check goes to disk, then what judges said is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from annotator.domain.rubric import dimensions_of
from annotator.domain.sheet import Gap
from annotator.ui import i18n, keys
from annotator.ui.i18n import tr
from annotator.ui.shelf import Key
from annotator.workspace.views import Changes, Intent, ReviewView

if TYPE_CHECKING:
    from annotator.ui.review import ReviewPage


class RevealFlow(QObject):
    """Completes rows; of a spot-check it then asks for the reveal and brings the first judged row under the cursor."""

    def __init__(self, page: ReviewPage) -> None:
        """Nothing is asked for yet."""
        super().__init__(page)
        self._page = page
        self._desk = page.desk
        self._wanted: Key | None = None
        self._desk.outbox.state_changed.connect(self._go)
        self._desk.closed.connect(self._forget)

    def complete(self) -> None:
        """Complete the shown row; then show its judge where there is one to be shown, else go on."""
        view = self._desk.view
        if view is None:
            return
        if view.reveal.state != "open":
            self._desk.say([Intent("item", "complete", True)])
        if view.reveal.state in ("closed", "committed") and self._desk.can_write:
            self._wanted = view.row.key
            self._go()
        else:
            self._desk.go_next_unfinished()

    def next_due(self, after: Gap) -> Gap | None:
        """The next row that judges scored and that has no second opinion yet, wrapping round; None before a reveal."""
        view = self._desk.view
        if view is None or not view.reveal.opinions:
            return None
        opinions = view.reveal.opinions
        order = [Gap(t, d) for t in view.sheet.targets() for d in dimensions_of(t)]
        due = [
            gap for gap in order
            if any(gap.field in o.scores for o in opinions.get(gap.target, ())) and not view.sheet.cell(*gap).second
        ]  # fmt: skip
        place = order.index(after) if after in order else -1
        return next((gap for gap in due if order.index(gap) > place), due[0] if due else None)

    def _forget(self) -> None:
        self._wanted = None

    def _go(self) -> None:
        workspace, key = self._desk.workspace, self._wanted
        if key is None or workspace is None or self._desk.outbox.waiting:
            return
        self._wanted = None
        language = i18n.language()

        def call() -> tuple[Changes | None, ReviewView]:
            changes = workspace.reveal(*key, language)
            return changes, workspace.review(*key)

        def arrived(answer: tuple[Changes | None, ReviewView]) -> None:
            if workspace is self._desk.workspace:
                self._arrived(*answer)

        self._desk.lanes.quick(call, arrived)

    def _arrived(self, changes: Changes | None, view: ReviewView) -> None:
        desk = self._desk
        if changes is not None and changes.undo is not None:
            desk.undo_changed.emit(*changes.undo)
        if desk.view is None or desk.view.row.key != view.row.key:
            return
        desk.take_fresh(view)
        if view.reveal.state != "open":  # nothing is there to be shown
            desk.go_next_unfinished()
            return
        due, label = self.next_due(Gap("", "")), keys.label
        if due is not None:
            self._page.go_to(due)
        text = tr("reveal.shown", agree=label("agree"), keep=label("keep_mine"), next=label("complete_next"))
        self._page.telling.tell("info", text, "revealed")
