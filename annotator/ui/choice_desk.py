"""The question on this person's desk: what is shown, what was said of it, what comes next.

It shares workspace, lanes and outbox with the desk of dialogues, so that there is one way to the disk, one saved mark
and one history to undo. Nothing of key or predictions is here before the workspace hands it out, which it does only
once the rater's own answer is durable.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.domain.question_sheet import QuestionFilter, QuestionRow
from annotator.ui import i18n
from annotator.ui.choice_places import QuestionPlaces
from annotator.ui.choice_words import with_said
from annotator.ui.desk import Desk
from annotator.ui.outbox import Letter
from annotator.ui.shelf import ActiveClock
from annotator.workspace.views import Changes, Intent

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionQueueView, Questions, QuestionView
    from annotator.workspace.workspace import Workspace

KEPT_VIEWS = 8
KIND = "question"


def _questions(workspace: Workspace) -> Questions:
    from annotator.workspace.questions import Questions

    return Questions(workspace)


class QuestionDesk(QObject):
    """The questions of the open workspace and the one that is shown.

    Signals:
        counted(n): how many questions there are.
        queue_changed: QuestionQueueView; row_changed: (QuestionRow, rows complete).
        question_ready: the QuestionView of another question; sheet_changed: the same one's with a newer sheet.
        saved(field): said of the shown question and on disk.
        hint: a key of the texts for the message bar; nothing_left: no unfinished question follows.
        moved(field): to be brought into view, after undo and redo; come_forward: it is on this page.
        read_ahead: the QuestionView of one that may come next.
    """

    counted = Signal(int)
    queue_changed = Signal(object)
    row_changed = Signal(object, int)
    question_ready = Signal(object)
    sheet_changed = Signal(object)
    saved = Signal(str)
    hint = Signal(str)
    nothing_left = Signal()
    moved = Signal(str)
    come_forward = Signal()
    read_ahead = Signal(object)

    def __init__(self, desk: Desk, make: Callable[[Workspace], Questions] = _questions) -> None:
        """`make` gives the workspace's questions."""
        super().__init__(desk)
        self.desk = desk
        self.questions: Questions | None = None
        self.queue: QuestionQueueView | None = None
        self.view: QuestionView | None = None
        self.filter = QuestionFilter()
        self.clock = ActiveClock()
        self.spent_ms: dict[str, int] = {}  # until the answer, by question
        self._make = make
        self._lanes, self._outbox = desk.lanes, desk.outbox
        self._views: OrderedDict[str, QuestionView] = OrderedDict()
        self._places = QuestionPlaces()
        self._wanted: str | None = None
        self._asked = 0
        desk.opened.connect(self._opened)
        desk.closed.connect(self._closed)
        desk.problems_changed.connect(self._count)  # after opening, importing and deciding
        desk.elsewhere[KIND] = self._stepped_back
        self._outbox.saved.connect(self._on_saved)

    # --- opening and closing -----------------------------------------------------------------------------------
    def _opened(self, _info: object) -> None:
        self._forget()
        workspace = self.desk.workspace
        self.questions = self._make(workspace) if workspace is not None else None

    def _closed(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.questions = self.queue = self.view = self._wanted = None
        self.filter = QuestionFilter()
        self._views.clear()
        self._places = QuestionPlaces()
        self.spent_ms.clear()

    def _count(self, _n: int = 0) -> None:
        questions = self.questions
        if questions is not None:
            self._lanes.quick(questions.count, self._counted)

    def _counted(self, n: int) -> None:
        if self.questions is not None:
            self.counted.emit(n)

    @property
    def can_write(self) -> bool:
        """Whether anything can be said of the shown question."""
        return self.desk.can_write and self.view is not None and not self.view.read_only

    # --- the queue ----------------------------------------------------------------------------------------------
    def set_filter(self, new: QuestionFilter) -> None:
        """Show other rows."""
        self.filter = new
        self.refresh_queue()

    def refresh_queue(self, *, fresh: bool = False) -> None:
        """Read the queue (again); the first question with something left to do is opened where none is."""
        questions = self.questions
        if questions is None:
            return
        self._asked += 1
        asked, wanted = self._asked, self.filter

        def arrived(view: QuestionQueueView) -> None:
            if asked == self._asked and questions is self.questions:
                self._take_queue(view)
                if self.view is None:
                    self.open_first()

        self._lanes.quick(lambda: questions.queue(wanted, fresh=fresh), arrived)

    def reload(self) -> None:
        """Read everything again: after an import."""
        self._views.clear()
        self.refresh_queue(fresh=True)
        if self.view is not None and self.questions is not None:
            self._fetch(self.questions, self.view.row.item_id, self._refreshed)

    def _take_queue(self, view: QuestionQueueView) -> None:
        self.queue = view
        self._places.read(view)
        if self.view is not None and self._outbox.waiting:
            self._replace_row(self.view.row, tell=False)  # what is said and not on disk lies over what the store says
        self.queue_changed.emit(self.queue)

    def _replace_row(self, row: QuestionRow, *, tell: bool = True) -> None:
        if self.queue is not None:
            self.queue = self._places.replaced(self.queue, row)
            if tell:
                self.row_changed.emit(row, self.queue.complete)

    def open_first(self) -> None:
        """Open the first question with something left to do, else the first one."""
        rows = self.queue.rows if self.queue else ()
        row = next((r for r in rows if not r.finished), rows[0] if rows else None)
        if row is not None:
            self.open(row.item_id)

    # --- the shown question ---------------------------------------------------------------------------------------
    def open(self, item_id: str) -> None:
        """Show a question; at once where it was read ahead."""
        self.desk.leaving.emit()
        self._wanted = item_id
        held, questions = self._views.get(item_id), self.questions
        if held is not None:
            self._show(held)
        elif questions is not None:
            self._fetch(questions, item_id, self._show_wanted)

    def _fetch(self, questions: Questions, item_id: str, then: Callable[[QuestionView], None]) -> None:
        def arrived(view: QuestionView) -> None:
            if questions is self.questions:
                then(self._keep(view))

        self._lanes.quick(lambda: questions.question(item_id), arrived)

    def _show_wanted(self, view: QuestionView) -> None:
        if view.row.item_id == self._wanted:
            self._show(view)

    def _keep(self, view: QuestionView) -> QuestionView:
        item = view.row.item_id
        unsaved = self._outbox.unsaved(item, "")
        kept = with_said(view, unsaved) if unsaved else view
        self._views[item] = kept
        self._views.move_to_end(item)
        while len(self._views) > KEPT_VIEWS:
            self._views.popitem(last=False)
        return kept

    def _show(self, view: QuestionView) -> None:
        self.desk.leaving.emit()
        self.view = view
        self.clock.take()
        self.question_ready.emit(view)
        self._read_ahead(view)

    def _read_ahead(self, view: QuestionView) -> None:
        questions = self.questions
        queue, here = self.queue, self._wanted
        near = [self._places.step(queue, here, by) for by in (1, -1)]
        near.insert(1, self._places.unfinished(queue, here))
        for item in dict.fromkeys(r.item_id for r in near if r is not None):
            held = self._views.get(item)
            if held is not None:
                self.read_ahead.emit(held)
            elif questions is not None:
                self._fetch(questions, item, self.read_ahead.emit)

    def go(self, by: int) -> None:
        """The next or previous question of the filtered order."""
        row = self._places.step(self.queue, self._wanted, by)
        if row is None:
            self.hint.emit("choice.last_question" if by > 0 else "choice.first_question")
        else:
            self.open(row.item_id)

    def go_next_unfinished(self) -> bool:
        """The next question with something left to do; False where there is none."""
        row = self._places.unfinished(self.queue, self._wanted)
        if row is None:
            self.nothing_left.emit()
            return False
        self.open(row.item_id)
        return True

    # --- saying -------------------------------------------------------------------------------------------------
    def say(self, said: Sequence[tuple[str, object]]) -> bool:
        """State (field, value) pairs about the shown question; shown at once as pending, on disk soon after."""
        view, questions = self.view, self.questions
        if view is None or questions is None or not said or not self.can_write:
            return False
        intents = tuple(Intent("item", field, value) for field, value in said)
        spent, item = self.clock.take(), view.row.item_id
        if any(field == "answer" and value is not None for field, value in said):
            self.spent_ms[item] = spent
        self._outbox.post(Letter(item, "", intents, spent, i18n.language(), _sender(questions)))
        self._take(self._keep(with_said(view, intents)))
        return True

    def _take(self, view: QuestionView) -> None:
        self.view = view
        self._replace_row(view.row)
        self.sheet_changed.emit(view)

    def _on_saved(self, letter: Letter, _changes: Changes) -> None:
        item, questions = letter.item_id, self.questions
        if not item.startswith(KIND) or questions is None:
            return
        waiting = {i.field for i in self._outbox.unsaved(item, "")}
        shown = self.view is not None and self.view.row.item_id == item
        for intent in letter.intents:
            if shown and intent.field not in waiting:
                self.saved.emit(intent.field)
        # Only the store knows what an answer reveals, and what others said: read what it hands out now.
        self._fetch(questions, item, self._refreshed)

    def _refreshed(self, view: QuestionView) -> None:
        if self.view is not None and self.view.row.item_id == view.row.item_id:
            self._take(view)
        else:
            self._replace_row(view.row)

    # --- undo ---------------------------------------------------------------------------------------------------
    def _stepped_back(self, changes: Changes) -> None:
        if changes.moved_to is None or self.questions is None:
            return
        item, field = changes.moved_to[0], changes.moved_to[3]
        self._views.pop(item, None)
        self._wanted = item
        self.come_forward.emit()

        def arrived(view: QuestionView) -> None:
            if self.view is not None and self.view.row.item_id == item:
                self._take(view)
            else:
                self._replace_row(view.row)
                self._show_wanted(view)
            self.moved.emit(field)

        self._fetch(self.questions, item, arrived)


def _sender(questions: Questions) -> Callable[[Letter], Changes]:
    """How a letter reaches the questions it was written for."""

    def send(letter: Letter) -> Changes:
        changes = questions.say(letter.item_id, letter.intents, letter.active_ms, letter.lang)
        # The queue of dialogues knows none of these rows.
        return replace(changes, rows=frozenset())

    return send
