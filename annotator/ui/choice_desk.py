"""The question on this person's desk: what is shown, what was said of it, what comes next.

Nothing of key or predictions is here before the workspace hands it out, which it does only once the rater's own answer
is durable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from annotator.domain.question_sheet import QuestionFilter
from annotator.ui.choice_words import with_said
from annotator.ui.desk import Desk
from annotator.ui.item_desk import ItemDesk
from annotator.workspace.views import Intent

if TYPE_CHECKING:
    from annotator.workspace.questions import Questions, QuestionView
    from annotator.workspace.workspace import Workspace


def _questions(workspace: Workspace) -> Questions:
    from annotator.workspace.questions import Questions

    return Questions(workspace)


class QuestionDesk(ItemDesk):
    """The questions of the open workspace and the one that is shown."""

    KIND: ClassVar = "question"
    LAST: ClassVar = "choice.last_question"
    FIRST: ClassVar = "choice.first_question"

    def __init__(self, desk: Desk, make: Callable[[Workspace], Questions] = _questions) -> None:
        """`make` gives the workspace's questions."""
        super().__init__(desk, make)
        self.spent_ms: dict[str, int] = {}  # until the answer, by question

    def _no_filter(self) -> QuestionFilter:
        return QuestionFilter()

    def _read(self, source: Questions, item_id: str) -> QuestionView:
        return source.question(item_id)

    def _laid_over(self, view: QuestionView, intents: Sequence[Intent]) -> QuestionView:
        return with_said(view, intents)

    def _forget(self) -> None:
        super()._forget()
        self.spent_ms.clear()

    def ask_undo(self) -> None:
        """Have it told what can be undone: the page may be younger than what was said."""
        workspace, desk = self.desk.workspace, self.desk
        if workspace is not None:
            self._lanes.quick(workspace.undo_state, lambda state: desk.undo_changed.emit(*state))

    def say(self, said: Sequence[tuple[str, object]]) -> bool:
        """State (field, value) pairs about the shown question; shown at once as pending, on disk soon after."""
        if self.view is None or self.source is None or not said or not self.can_write:
            return False
        spent = self.clock.take()
        if any(field == "answer" and value is not None for field, value in said):
            self.spent_ms[self.view.row.item_id] = spent
        self._state([Intent("item", field, value) for field, value in said], spent)
        return True
