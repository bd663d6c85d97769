"""The score grid: eight rows for a turn, four for the session; one of them open, and the keyboard in it.

What was said since stands over the sheet it was given, so that a score is on screen in the same frame as its key.
"""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.labels import turn_index
from annotator.domain.rubric import CANNOT_JUDGE, Level
from annotator.ui import density
from annotator.ui.grid_area import GridArea, lacking
from annotator.ui.grid_head import GridHead
from annotator.ui.grid_rows import GridRows
from annotator.ui.grid_state import GridState, Where
from annotator.ui.i18n import tr
from annotator.ui.reveal_panel import RevealPanel, with_offered
from annotator.ui.score_row import ScoreRow
from annotator.ui.tags_popup import TagPopup
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

Score = int | Literal["cannot_judge"]
UNBOUND = 16_777_215  # px: as high as a widget can be


class ScoreGrid(Live, QWidget):
    """The rows of one target.

    Signals:
        said(target, field, value): an intent; None withdraws.
        draft(target, field, text): a reason as it is typed.
        row_changed(dimension): the cursor moved.
        turn_done(target): a score completed the target.
    """

    said = Signal(str, str, object)
    draft = Signal(str, str, str)
    row_changed = Signal(str)
    turn_done = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scoreGrid")
        self._state = GridState()
        self._current = 0
        self._full = False
        self._room = UNBOUND
        self.head = GridHead(self)
        self.head.levels_toggled.connect(self.toggle_levels)
        self.head.reaffirm_wanted.connect(self.reaffirm)
        self.popup: TagPopup | None = None
        self._rows = GridRows(self)
        self._rows.pressed.connect(self._row_pressed)
        self._rows.scored.connect(self._row_scored)
        self._rows.reasoned.connect(self._row_reasoned)
        self._rows.drafted.connect(self._row_drafted)
        self._rows.left.connect(self.focus_grid)
        self._rows.tags_wanted.connect(self.open_tags)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        self._area = GridArea(self._rows, self)
        column.addWidget(self._area)
        self.beside = RevealPanel(self)
        self.beside.agreed.connect(self.score_current)
        self.beside.kept.connect(self.keep_current)
        self.beside.tag_wanted.connect(self._tag_offered)
        column.addWidget(self.beside)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("routesKeys", True)
        self.go_live()

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_sheet(self, view: ReviewView, target: str) -> None:
        """Show a target (`turn:<k>` or `session`) of a review.

        Another target of the same row first says what is still typed. For another row call `flush` before: from here it
        could only be said about the wrong dialogue, so it is left to the draft.
        """
        if self._state.view is view and self._state.target == target:
            return
        same = self._state.is_same_row(view)
        moved = not same or target != self._state.target
        if moved:
            if same:
                self.flush()
            elif self.popup is not None:
                self.popup.abandon()
            for row in self.rows():
                row.reason.forget()
        self._rows.build(view.rubric)
        self._state.take(view, target)
        self._rows.show_level(self._level())
        self._refresh(anew=moved)
        if moved:
            self.set_current(self._first_open())

    def rows(self) -> list[ScoreRow]:
        """The rows of the target that is shown."""
        return self._rows.rows()

    def target(self) -> str:
        """The target that is shown."""
        return self._state.target

    def current(self) -> int:
        """The cursor's row, from 0."""
        return self._current

    def current_dimension(self) -> str:
        """The dimension under the cursor; "" before anything is shown."""
        rows = self.rows()
        return rows[self._current].dimension.id if self._current < len(rows) else ""

    def set_current(self, row: int) -> None:
        """Move the cursor; outside the rows it stops at the end."""
        rows = self.rows()
        if not rows:
            return
        row = max(0, min(row, len(rows) - 1))
        self._rows.open_row(row)
        self._current = row
        self._show_beside()
        self._fit()
        self.row_changed.emit(rows[row].dimension.id)

    def go_to(self, dimension: str) -> None:
        """Move the cursor to a dimension of the shown target."""
        ids = [row.dimension.id for row in self.rows()]
        if dimension in ids:
            self.set_current(ids.index(dimension))

    def _first_open(self) -> int:
        return next((i for i, row in enumerate(self.rows()) if not self._state.counts(row.dimension.id)), 0)

    # -- what is said -------------------------------------------------------------------------------------------------

    def score_current(self, value: Score) -> None:
        """Score the row under the cursor and step to the next one; after the last row the cursor stays."""
        if self._state.writable and self.rows():
            last = self._current + 1 >= len(self.rows())
            self._score(self.current_dimension(), value)
            if not last:
                self.set_current(self._current + 1)

    def keep_current(self) -> None:
        """Let the first score stand as the second opinion too."""
        cell = self._state.cell(self.current_dimension())
        first = cell.first if cell.second else cell.value
        if first is not None and self._state.opinions():
            self.score_current(first)

    def withdraw_current(self) -> None:
        """Take the score under the cursor back."""
        dimension = self.current_dimension()
        if self._state.writable and self._state.cell(dimension).value is not None:
            self._say(dimension, None)

    def reaffirm(self) -> None:
        """Say every value of this target again that was made on an older text."""
        if not self._state.writable:
            return
        for name in self._state.stale_fields():
            self._say(name, self._state.cell(name).value)

    def flush(self) -> None:
        """Say what is typed but not said; call it before another dialogue is shown or the window closes."""
        self._close_popup()
        for row in self.rows():
            row.reason.commit()

    def handle(self, action: str) -> bool:
        """Do what an action id of the key table means here; False where it is none of ours."""
        if action.startswith("score_") and action[6:].isdigit():
            self.score_current(int(action[6:]))
            return True
        known = {
            "cannot_judge": self._cannot_judge, "row_up": self._up, "row_down": self._down, "reason": self.focus_reason,
            "tags": self.open_tags, "grid": self.focus_grid, "levels": self.toggle_levels,
            "agree": self.beside.say_agree, "keep_mine": self.beside.say_keep, "judge_next": self.beside.next_judge,
        }  # fmt: skip
        if action not in known:
            return False
        known[action]()
        return True

    def focus_grid(self) -> None:
        """Bring the keyboard back from the reason field or the tags."""
        self._close_popup()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_reason(self) -> None:
        """Bring the keyboard into the reason field of the current row."""
        if self.rows():
            self.rows()[self._current].reason.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def open_tags(self) -> None:
        """Open the error tags of the current row."""
        view = self._state.view
        if self._state.writable and self.rows() and view is not None:
            row = self.rows()[self._current]
            beside = self._state.beside(row.dimension)
            tags = with_offered(view.rubric.tags_of(self._level()), beside.offered() if beside else ())
            self._popup().open_for(row.tags, tags, row.state.tags)

    def toggle_levels(self) -> None:
        """Whole sentences for the five levels, or short ones."""
        self._full = not self._full
        self.head.set_levels(self._full)
        self._rows.set_full(self._full)
        self._fit()

    # -- on its way to the disk ---------------------------------------------------------------------------------------

    def mark_pending(self, target: str, field: str) -> None:
        """A value of ours is being written."""
        self._mark(target, field, "pending")

    def mark_saved(self, target: str, field: str) -> None:
        """A value of ours is on disk; the sheet that holds it may come later."""
        self._mark(target, field, "saved")

    def mark_failed(self, target: str, field: str) -> None:
        """A value of ours could not be written; it stays on screen."""
        self._mark(target, field, "failed")

    def _mark(self, target: str, field: str, where: Where) -> None:
        if self._state.mark(target, field, where) and target == self._state.target:
            self._show_field(field)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _level(self) -> Level:
        return "session" if self._state.target == "session" else "turn"

    def _refresh(self, anew: bool = False) -> None:
        if self._state.view is None:
            return
        for row in self.rows():
            self._show_row(row, anew)
        self._show_whole()

    def _show_field(self, field: str) -> None:
        """Show the one row that a field belongs to: a score touches it twice on its way to the disk, and no other."""
        if self._state.view is not None:
            name = field.rpartition(":")[2]
            for row in self.rows():
                if row.dimension.id == name:
                    self._show_row(row)
            self._show_whole()

    def _show_row(self, row: ScoreRow, anew: bool = False) -> None:
        state = self._state.row(row.dimension.id)
        if anew or state != row.state:
            row.show_state(state)

    def _show_whole(self) -> None:
        if self._state.view is None:
            return
        self._show_beside()
        stale, read_only = len(self._state.stale_fields()), self._state.view.read_only
        self.head.show_state(
            turn_index(self._state.target), self._state.done(), len(self.rows()), stale, read_only, self._state.spot()
        )

    def _score(self, dimension: str, value: Score) -> None:
        before, cell = self._state.complete(), self._state.cell(dimension)
        if cell.value != value or cell.stale or cell.conflict or self._state.due(dimension):
            self._say(dimension, value)
        if not before and self._state.complete():
            self.turn_done.emit(self._state.target)

    def _say(self, field: str, value: Any) -> None:
        self._state.say(field, value)
        self._show_field(field)
        self.said.emit(self._state.target, field, value)

    def _row_pressed(self, row: int) -> None:
        self.set_current(row)
        self.setFocus(Qt.FocusReason.MouseFocusReason)

    def _row_scored(self, row: int, value: object) -> None:
        if self._state.writable and (isinstance(value, int) or value == CANNOT_JUDGE):
            self.set_current(row)
            self._score(self.current_dimension(), value if isinstance(value, int) else "cannot_judge")

    def _row_reasoned(self, dimension: str, text: str) -> None:
        if self._state.writable:
            self._say(f"reason:{dimension}", text or None)

    def _row_drafted(self, dimension: str, text: str) -> None:
        self.draft.emit(self._state.target, f"reason:{dimension}", text)

    def _tag_offered(self, tag: str) -> None:
        row = self.rows()[self._current]
        if self._state.writable and tag not in row.state.tags:
            self._say(f"tags:{row.dimension.id}", [*row.state.tags, tag])

    def _tagged(self, tags: list[str]) -> None:
        row = self.rows()[self._current]
        if self._state.writable and tuple(tags) != row.state.tags:
            self._say(f"tags:{row.dimension.id}", tags or None)

    def _popup(self) -> TagPopup:
        if self.popup is None:
            self.popup = TagPopup(self.window())
            self.popup.chosen.connect(self._tagged)
            self.popup.closed.connect(self._popup_closed)
        return self.popup

    def _popup_closed(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_popup(self) -> None:
        if self.popup is not None:
            self.popup.dismiss()

    def _cannot_judge(self) -> None:
        self.score_current("cannot_judge")

    def _up(self) -> None:
        self.set_current(self._current - 1)

    def _down(self) -> None:
        self.set_current(self._current + 1)

    def _show_beside(self) -> None:
        rows = self.rows()
        shown = self._state.beside(rows[self._current].dimension) if self._current < len(rows) else None
        if (shown is None) != self.beside.isHidden():
            self.beside.show_beside(shown)
            self.beside.remeasure()
            self._fit()
        else:
            self.beside.show_beside(shown)

    def set_room(self, height: int) -> None:
        """How high the grid may be, px; with large text its rows then scroll."""
        if height != self._room:
            self._room = height
            self._fit()

    def _fit(self) -> None:
        rows, lacks = self._rows.wanted_height(self._current), self._lacks()
        self._rows.setFixedHeight(rows)
        self._area.setFixedHeight(rows - lacks)
        self.setFixedHeight(self.wanted_height() - lacks)
        if lacks and self._current < len(self.rows()):
            self._area.show_row(self.rows()[self._current])

    def _lacks(self) -> int:
        each = density.metrics().score_row
        return lacking(self.wanted_height(), self._rows.wanted_height(self._current), each, self._room)

    def wanted_height(self) -> int:
        """Head, rows and the open row's extra, px: one height for a level, whichever row is open."""
        return density.metrics().panel_head + self._rows.wanted_height(self._current) + self.beside.wanted_height()

    def retranslate(self) -> None:
        """Tags are shown in the other language."""
        self.setAccessibleName(tr("grid.name"))
        self._refresh(anew=True)

    def remeasure(self) -> None:
        """The grid's height follows the size class."""
        self._fit()

    def event(self, event: QEvent) -> bool:
        """What a judge said may ask for more room once it is laid out; the rows must not pay for it."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.height() != self.wanted_height() - self._lacks():
            self._fit()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Whole sentences break otherwise at another width."""
        super().resizeEvent(event)
        if self._full:
            self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter reaffirms, Delete withdraws; the rest are actions of the window."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._state.stale_fields():
            self.reaffirm()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.withdraw_current()
        else:
            event.ignore()
