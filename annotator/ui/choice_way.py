"""The keyboard's way through questions: what keys mean when, where they lead, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from annotator.ui import i18n
from annotator.ui.choice_words import CANNOT, open_models, page_gaps
from annotator.ui.i18n import tr
from annotator.ui.key_table import Context

if TYPE_CHECKING:
    from annotator.ui.choice_page import ChoicePage


class ChoiceWay(QObject):
    """Moves through one page; made by it, once its panels are there."""

    def __init__(self, page: ChoicePage) -> None:
        """Connect what leads elsewhere, and what is told."""
        super().__init__(page)
        self._page, self._desk = page, page.desk
        self._desk.moved.connect(self._moved)
        self._desk.hint.connect(self._hint)
        self._desk.nothing_left.connect(self._nothing_left)
        page.column.letters.all_confirmed.connect(self._all_confirmed)
        page.stage.box_refused.connect(self._box_refused)
        self._commands: dict[str, Callable[[], object]] = {
            "item_next": self.next, "item_prev": self.previous, "next_question": self.next,
            "complete_next": self.complete, "next_gap": self.next_gap, "undo": self.undo, "redo": self.redo,
            "search": self.search, "toggle_queue": page.panels.toggle_queue, "toggle_tray": page.tray.toggle,
            "grid": self.escape, "answer_cannot": self._cannot,
        }  # fmt: skip

    # --- keys ---------------------------------------------------------------------------------------------------
    def context(self) -> Context:
        """What keys mean now: answering, judging, or confirming a letter."""
        view = self._desk.view
        if view is None or not view.sheet.answered:
            return "question"
        return "question_letter" if self._page.column.letters.current is not None else "question_open"

    def key(self, action: str) -> None:
        """Do what an action id means."""
        page = self._page
        if action in self._commands:
            self._commands[action]()
        elif action.startswith("answer_"):
            page.answer(action.removeprefix("answer_").upper())
        else:
            any(panel.handle(action) for panel in (page.column.verdict, page.column.letters, page.stage))

    def _cannot(self) -> None:
        self._page.answer(CANNOT)

    def escape(self) -> None:
        """Leave the innermost of what is open; the keyboard is on the choices again."""
        page = self._page
        if not (page.stage.escape() or page.column.letters.leave()):
            page.flush()
        page.take_keyboard()

    def search(self) -> None:
        """The keyboard goes to the search field."""
        self._page.panels.show_queue()
        self._page.queue.filters.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- moving -------------------------------------------------------------------------------------------------
    def chosen(self, item_id: str) -> None:
        """A row of the queue was picked."""
        self._desk.open(item_id)
        self._page.take_keyboard()

    def next(self) -> None:
        """The next question of the filtered order."""
        self._page.flush()
        self._desk.go(1)

    def previous(self) -> None:
        """The previous question."""
        self._page.flush()
        self._desk.go(-1)

    def complete(self) -> None:
        """To the next question with something left, where nothing is left in this one."""
        view = self._desk.view
        self._page.flush()
        gaps = page_gaps(view) if view is not None else ()
        if gaps:
            self.next_gap()
            self._page.telling.tell("info", tr("messages.gaps_left", n=i18n.count(len(gaps))), "gaps")
        else:
            self._desk.go_next_unfinished()

    def next_gap(self) -> None:
        """To what is missing: the answer, the verdict, the right letter, the models' letters, the next question."""
        view, column = self._desk.view, self._page.column
        if view is None:
            return
        gaps = page_gaps(view)
        if gaps and gaps[0] == "answer":
            self._page.take_keyboard()
        elif gaps:
            column.show_part(column.verdict)
            if gaps[0] == "key_letter":
                column.verdict.letter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif open_models(view):
            column.letters.go_next()
        else:
            self._desk.go_next_unfinished()

    def undo(self) -> None:
        """Take the last statement back."""
        self._page.flush()
        self._desk.desk.undo()

    def redo(self) -> None:
        """Say it again."""
        self._page.flush()
        self._desk.desk.redo()

    def _moved(self, _target: str, field: str) -> None:
        column = self._page.column
        if field.startswith("letter:"):
            column.show_part(column.letters)
        elif field in ("key_verdict", "key_letter", "note"):
            column.show_part(column.verdict)
        elif field in ("box", "evidence"):
            column.show_part(column.box)

    # --- telling ------------------------------------------------------------------------------------------------
    def _hint(self, key: str) -> None:
        self._page.telling.tell("info", tr(key), key)

    def _nothing_left(self) -> None:
        self._page.telling.tell("ok", tr("choice.nothing_left"), "nothing_left")

    def _all_confirmed(self) -> None:
        self._page.telling.tell("info", tr("choice.all_confirmed"), "all_confirmed")

    def _box_refused(self) -> None:
        self._page.telling.tell("info", tr("choice.box_refused"), "box_refused")
