"""The keyboard's way through comparisons: what keys mean when, where they lead, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from annotator.domain.rubric import CANNOT_JUDGE
from annotator.ui import i18n
from annotator.ui.comparison.words import first_gap, place_of
from annotator.ui.i18n import tr
from annotator.ui.key_table import Context

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.workspace.comparisons_views import ComparisonView

_PAIRS = {"pairwise_1": -1, "pairwise_2": 1, "pairwise_0": 0}


class ComparisonWay(QObject):
    """Moves through one page; made by it, once its panels are there."""

    def __init__(self, page: ComparisonPage) -> None:
        """Connect what leads elsewhere, and what is told."""
        super().__init__(page)
        self._page, self._desk = page, page.desk
        self.ranking = False
        self._desk.moved.connect(page.go_to)
        self._desk.hint.connect(self._hint)
        self._desk.nothing_left.connect(self._nothing_left)
        page.panel.left.connect(self.to_scores)
        page.panel.reason_left.connect(self._reason_left)
        page.panel.said.connect(self._scored_by_hand)
        page.aside.left.connect(self.take_keyboard)
        page.ranking.entered.connect(self.to_ranking)
        page.ranking.left.connect(self.to_ranking)
        bar, foot = page.itembar, page.foot
        bar.queue_wanted.connect(page.panels.toggle_queue)
        bar.setup_wanted.connect(self.set_up)
        bar.linked.connect(self._link)
        bar.undo_wanted.connect(self.undo)
        bar.redo_wanted.connect(self.redo)
        bar.gone.connect(self._go)
        foot.complete_wanted.connect(self.complete)
        self._commands = self._made()

    def _made(self) -> dict[str, Callable[[], object]]:
        page, panel, ranking = self._page, self._page.panel, self._page.ranking
        return {
            "item_next": lambda: self._go(1), "item_prev": lambda: self._go(-1), "complete_next": self.complete,
            "next_gap": self.next_gap, "undo": self.undo, "redo": self.redo, "search": self.search,
            "toggle_queue": page.panels.toggle_queue, "toggle_tray": panel.toggle_media, "grid": self.escape,
            "cannot_judge": lambda: self.score(CANNOT_JUDGE), "reason": self.reason, "peek": self._uncover,
            "row_up": lambda: panel.go_to(panel.active, panel.row - 1), "row_down": self._row_down,
            "column_left": lambda: panel.go_to(panel.active - 1, panel.row),
            "column_right": lambda: panel.go_to(panel.active + 1, panel.row),
            "levels": page.aside.toggle_levels, "reference": page.aside.toggle_reference,
            "history": page.aside.toggle_history, "differences": page.twosome.turn,
            "link_scroll": lambda: self._link(not panel.linked),
            "scroll_up": lambda: self._scroll(-1), "scroll_down": lambda: self._scroll(1),
            "ranking": self.to_ranking, "pairs": ranking.toggle_mode, "rank_left": lambda: ranking.move(-1),
            "rank_right": lambda: ranking.move(1), "tie": ranking.tie, "rank_confirm": ranking.confirm,
            "all_good": ranking.say_all_good, "all_bad": ranking.say_all_bad, "pair_back": ranking.pair_back,
        }  # fmt: skip

    # --- keys -------------------------------------------------------------------------------------------------
    def context(self) -> Context:
        """What keys mean now."""
        return "comparison_ranking" if self.ranking else "comparison"

    def key(self, action: str) -> None:
        """Do what an action id means."""
        name, _, end = action.rpartition("_")
        if self._page.panels.is_empty() and action not in ("search", "toggle_queue"):
            return
        if action in self._commands:
            self._commands[action]()
        elif action in _PAIRS:
            self._page.ranking.answer_pair(_PAIRS[action])
        elif name == "score":
            self.score(int(end))
        elif name == "pick":
            self._page.ranking.pick("abcde".index(end))
        elif name == "response_flag":
            self._page.panel.toggle_flag(int(end) - 1)
        else:
            self._page.stage.handle(action)

    def begin(self, view: ComparisonView) -> None:
        """Another item: to its first gap."""
        gap = first_gap(view)
        self.to_scores()
        if gap is None:
            return
        place = place_of(gap.target)
        if place is None:
            self.to_ranking()
        else:
            self._page.panel.go_to_place(place, gap.field)

    # --- scores -----------------------------------------------------------------------------------------------
    def score(self, value: int | str) -> None:
        """Score the current cell and step on: down the response, to its reason where one is asked for, to the next."""
        page, panel, view = self._page, self._page.panel, self._desk.view
        if view is None or not self._desk.can_write:
            return
        target, scale = panel.current()
        page.say_one(target, scale, value)
        last_of_response = panel.row == len(view.sheet.scores(0)) - 1
        wants = view.sheet.reasons and not panel.columns[panel.active].reason.edit.text().strip()
        if last_of_response and wants:
            self.reason()
        elif not panel.step():
            self.to_ranking()

    def _scored_by_hand(self, _target: str, field: str, _value: object) -> None:
        if field != "note":  # a reason is said at every pause, while somebody is writing it
            self.take_keyboard()

    def _row_down(self) -> None:
        panel = self._page.panel
        panel.go_to(panel.active, panel.row + 1)

    def reason(self) -> None:
        """The keyboard goes into the reason of the active response."""
        panel = self._page.panel
        panel.columns[panel.active].reason.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _reason_left(self, number: int) -> None:
        """A reason is done: on to the next response with something left, where this one is scored."""
        page, view = self._page, self._desk.view
        panel = page.panel
        if view is None:
            return
        place = panel.columns[number].place
        if any(gap.target == f"response:{place}" for gap in view.sheet.gaps() if gap.field != "note"):
            self.to_scores()
            panel.go_to(number, panel.row)
        elif number + 1 < panel.count():
            self.to_scores()
            panel.go_to(number + 1, 0)
        else:
            self.to_ranking()

    def _uncover(self) -> None:
        page, view = self._page, self._desk.view
        response = view.responses[page.panel.active] if view is not None else None
        if response is None or not response.covered:
            page.telling.tell("info", tr("comparison.nothing_covered"), "nothing_covered")
        else:
            self._desk.look_beneath(response.place)

    # --- where the keyboard is --------------------------------------------------------------------------------
    def to_scores(self) -> None:
        """Digits score."""
        self._enter(ranking=False)

    def to_ranking(self) -> None:
        """Letters pick, arrows move."""
        self._enter(ranking=True)

    def _enter(self, *, ranking: bool) -> None:
        self.ranking = ranking
        self._page.panel.set_scoring(not ranking)
        self.take_keyboard()
        self._page.show_pair()
        self._page.set_context()

    def take_keyboard(self) -> None:
        """The keyboard is where keys mean what the moment asks for."""
        if self._page.isVisible():
            # Pair by pair the cards are hidden, and what is hidden cannot take the keyboard out of a text.
            if self.ranking and self._page.ranking.view.isVisible():
                self._page.ranking.take_keyboard()
            else:
                self._page.take_focus()

    def escape(self) -> None:
        """Leave the innermost of what is open; from the ranking back to the scores."""
        page = self._page
        if page.stage.escape() or page.aside.escape():
            return
        page.flush()
        if page.window_.focusWidget() not in (None, page.panel, page.ranking.view):
            self.take_keyboard()
        elif self.ranking:
            self.to_scores()

    def search(self) -> None:
        """The keyboard goes to the search field."""
        self._page.panels.show_queue()
        self._page.queue.filters.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _scroll(self, by: int) -> None:
        page = self._page
        if not page.aside.scroll_page(by):
            page.panel.scroll_page(by)

    def _link(self, on: bool) -> None:
        self._page.panel.linked = on
        self._page.itembar.set_linked(on)

    # --- moving -----------------------------------------------------------------------------------------------
    def chosen(self, item_id: str) -> None:
        """A row of the queue was picked."""
        self._desk.open(item_id)
        self.take_keyboard()

    def _go(self, by: int) -> None:
        self._page.flush()
        self._desk.go(by)

    def complete(self) -> None:
        """To the next item with something left, where nothing is left in this one."""
        view = self._desk.view
        self._page.flush()
        view = self._desk.view
        if view is None:
            return
        gaps = view.sheet.gaps()
        if gaps and not view.read_only:
            self.next_gap()
            self._page.telling.tell("info", tr("messages.gaps_left", n=i18n.count(len(gaps))), "gaps")
        else:
            self._page.say_viewing()
            self._desk.go_next_unfinished()

    def next_gap(self) -> None:
        """To what is missing: a score, a reason, the ranking, its reason, the example; else the next item."""
        view, page = self._desk.view, self._page
        gap = first_gap(view) if view is not None else None
        if gap is None:
            self._desk.go_next_unfinished()
            return
        place = place_of(gap.target)
        if place is not None:
            self.to_scores()
            page.panel.go_to_place(place, gap.field)
            if gap.field == "note":
                self.reason()
            return
        self.to_ranking()
        if gap.field == "ranking_reason":
            page.ranking.reason.setFocus(Qt.FocusReason.ShortcutFocusReason)
        elif gap.field == "constructed":
            page.ranking.example.take_keyboard()

    def undo(self) -> None:
        """Take the last statement back."""
        self._page.flush()
        self._desk.desk.undo()

    def redo(self) -> None:
        """Say it again."""
        self._page.flush()
        self._desk.desk.redo()

    # --- making -----------------------------------------------------------------------------------------------
    def fill(self) -> None:
        """Where there is nothing: make comparisons, or import some."""
        if self._desk.can_make:
            self.make()
        else:
            self._page.window_.show_page("import")

    def make(self) -> None:
        """Ask which responders to compare."""
        from annotator.ui.comparison.making import MakeDialog

        MakeDialog(self._desk, self._page.window_).open()

    def set_up(self) -> None:
        """What can be set up of comparisons."""
        from annotator.ui.comparison.making import set_up_menu

        set_up_menu(self._page)

    # --- telling ----------------------------------------------------------------------------------------------
    def _hint(self, key: str) -> None:
        self._page.telling.tell("info", tr(key), key)

    def _nothing_left(self) -> None:
        self._page.telling.tell("ok", tr("comparison.nothing_left"), "nothing_left")
