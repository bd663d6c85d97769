"""Responses side by side: media and question left, one column for each response, rows aligned over all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.comparisons_scales import scales
from annotator.domain.comparisons_sheet import SAFETY_FLAGS
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.ui import density, i18n
from annotator.ui.comparison.aside import ComparisonAside
from annotator.ui.comparison.column import ResponseColumn, Waiting
from annotator.ui.comparison.differences import Spans
from annotator.ui.comparison.stage import ComparisonStage
from annotator.ui.comparison.words import MOST
from annotator.ui.density import Density
from annotator.ui.i18n import tr
from annotator.ui.widgets import ElidedLabel, Ground, IconButton, Keycap
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonView

LEFT_WIDTH = {Density.SMALL: 272, Density.NORMAL: 340, Density.WIDE: 560}


def left_width() -> int:
    """The width of the left column, px."""
    return LEFT_WIDTH[density.current()]


class RowName(Ground):
    """The name of a row at the left: in both languages where there is room, with a button or a key."""

    def __init__(self, scale: str = "", key: str = "") -> None:
        """The row of a scale, or of something else."""
        super().__init__("window", ("top",), "hair")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.first = ElidedLabel("", "body", weight=600)
        self.second = ElidedLabel("", "meta", "text3")
        self.book = IconButton("book-open", key="levels")
        self.book.setObjectName(f"levels_{scale}")
        self.book.setVisible(bool(scale))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self.first)
        row.addWidget(self.second, 1)
        if key:
            row.addWidget(Keycap(key))
        row.addWidget(self.book)
        self.go_live()

    def set_texts(self, first: str, second: str) -> None:
        """Both words."""
        self.first.set_text(first)
        self.second.set_text(second)
        self.second.setVisible(bool(second))


class ComparisonPanel(Live, QWidget):
    """Media, question, responses and scores (objectName `comparisonPanel`).

    Signals:
        said(target, field, value): what a person says. drafted(target, field, text): is being written.
        scored(value): of the current cell. moved(): another cell is current.
        uncover(place): look beneath the covered names. left(): the keyboard may go back to the scores.
        reason_left(number): a reason is done.
    """

    said = Signal(str, str, object)
    drafted = Signal(str, str, str)
    moved = Signal()
    uncover = Signal(int)
    left = Signal()
    reason_left = Signal(int)

    def __init__(self, stage: ComparisonStage, aside: ComparisonAside, parent: QWidget | None = None) -> None:
        """No item yet."""
        super().__init__(parent)
        self.setObjectName("comparisonPanel")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("routesKeys", True)
        self._view: ComparisonView | None = None
        self._waiting = Waiting()
        self.stage, self.aside = stage, aside
        self.active, self.row = 0, 0
        self.scoring = True
        self.linked = True
        self._wide_media = False
        self.names = {scale: RowName(scale) for scale in COMPARISON_SCALES}
        self.flags_name, self.reason_name = RowName(), RowName(key="reason")
        self.columns: list[ResponseColumn] = []
        self._build()
        self._grow(MOST)
        for name in self.names.values():
            name.book.clicked.connect(self._book_clicked)
        self.go_live()

    def _build(self) -> None:
        side = QWidget()
        side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        upright = QVBoxLayout(side)
        upright.setContentsMargins(0, 0, 0, 0)
        upright.setSpacing(0)
        upright.addWidget(self.stage, 1)
        upright.addWidget(self.aside)
        self.grid = grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(side, 0, 0, 2, 1)
        for row, widget in enumerate((*self.names.values(), self.flags_name, self.reason_name), 2):
            grid.addWidget(widget, row, 0)
        grid.setRowStretch(1, 1)

    def _grow(self, count: int) -> None:
        """Columns for so many responses: sources hold more than five now and then."""
        while len(self.columns) < count:
            column = ResponseColumn(len(self.columns), self)
            self.columns.append(column)
            for row, part in enumerate(column.parts()):
                self.grid.addWidget(part, row, column.number + 1)
            self._connect(column)

    def _connect(self, column: ResponseColumn) -> None:
        column.text.scrolled.connect(self._scrolled)
        for signal in (column.text.pressed, column.head.pressed):
            signal.connect(self._pressed)
        column.head.uncover.connect(self._uncover)
        for cell in column.levels.values():
            cell.chosen.connect(self._chosen)
            cell.pressed.connect(self._cell_pressed)
        column.flags.flagged.connect(self._flagged)
        edit = column.reason.edit
        edit.committed.connect(self._reasoned)
        edit.drafted.connect(self._drafted)
        edit.left.connect(self._reason_left)

    # --- what is shown ----------------------------------------------------------------------------------------
    def show_item(self, view: ComparisonView, waiting: Waiting) -> None:
        """Show another item, or the same one with other labels."""
        before, self._view, self._waiting = self._view, view, waiting
        another = before is None or before.row.item_id != view.row.item_id
        self._grow(len(view.responses))
        if another or before is None or before.responses != view.responses:
            for column in self.columns[: len(view.responses)]:
                column.show_text(view.responses[column.number])
        if another:
            self._lay_out(len(view.responses))
            self.go_to(0, 0)
            self.set_pair(())
        flags = _wants_flags(view)
        self.flags_name.setVisible(flags)
        for column in self.columns:
            shown = column.number < len(view.responses)
            column.set_visible(shown)
            column.flags.setVisible(flags and shown)
            if shown:
                self._show_column(column, view, waiting)
        self.stage.show_item(view)
        self.aside.show_item(view)

    def _lay_out(self, count: int) -> None:
        for column in self.columns:
            self.grid.setColumnStretch(column.number + 1, 1 if column.number < count else 0)
            self.grid.setColumnMinimumWidth(column.number + 1, 0)

    def _show_column(self, column: ResponseColumn, view: ComparisonView, waiting: Waiting) -> None:
        target = f"response:{column.place}"
        letter = view.responses[column.number].letter
        for scale, cell in column.levels.items():
            cell.show_cell(
                view.sheet.cell(target, scale), letter, waiting=(target, scale) in waiting.pending,
                failing=waiting.failing, read_only=view.read_only,
            )  # fmt: skip
        on = {name: view.sheet.value(target, f"flag:{name}") is True for name in SAFETY_FLAGS}
        column.flags.show_flags(column.place, letter, on, read_only=view.read_only)
        edit = column.reason.edit
        edit.set_value(str(view.sheet.value(target, "note") or ""), view.drafts.get((target, "note")) or None)
        edit.setReadOnly(view.read_only)
        wanted = view.sheet.reasons and not edit.text()
        edit.setPlaceholderText(tr("comparison.reason_wanted" if wanted else "comparison.reason_short"))

    def clear(self) -> None:
        """No item is open: the next one is another, whatever its id."""
        self._view = None

    # --- where the keyboard is --------------------------------------------------------------------------------
    def count(self) -> int:
        """How many responses are shown."""
        return len(self._view.responses) if self._view is not None else 0

    def current(self) -> tuple[str, str]:
        """(target, scale) of the current cell."""
        return f"response:{self.columns[self.active].place}", COMPARISON_SCALES[self.row]

    def go_to(self, column: int, row: int) -> None:
        """Another cell is current."""
        self.active = min(max(0, column), max(0, self.count() - 1))
        self.row = min(max(0, row), len(COMPARISON_SCALES) - 1)
        self._mark()
        self.moved.emit()

    def go_to_place(self, place: int, field: str = "") -> None:
        """The cell of a response, by its place in source order."""
        number = next((c.number for c in self.columns[: self.count()] if c.place == place), None)
        if number is not None:
            self.go_to(number, COMPARISON_SCALES.index(field) if field in COMPARISON_SCALES else self.row)

    def step(self) -> bool:
        """The next cell: down the response, then the next one; False after the last."""
        if self.row + 1 < len(COMPARISON_SCALES):
            self.go_to(self.active, self.row + 1)
        elif self.active + 1 < self.count():
            self.go_to(self.active + 1, 0)
        else:
            return False
        return True

    def set_scoring(self, scoring: bool) -> None:
        """Whether digits score here, or the ranking has the keyboard."""
        if scoring != self.scoring:
            self.scoring = scoring
            self._mark()

    def _mark(self) -> None:
        for column in self.columns:
            active = self.scoring and column.number == self.active
            column.set_active(active)
            for number, cell in enumerate(column.levels.values()):
                cell.set_current(active and number == self.row)
        self.aside.show_scale(scales()[self.row])

    def set_pair(self, places: tuple[int, ...], marks: tuple[str, str] = ("1", "2")) -> None:
        """The two responses that are compared, by place in source order; none where there is no such pair."""
        for column in self.columns:
            at = places.index(column.place) if column.number < self.count() and column.place in places else None
            column.head.set_mark("" if at is None else marks[at])

    # --- texts ------------------------------------------------------------------------------------------------
    def show_differences(self, found: dict[int, Spans]) -> None:
        """Mark stretches, by column; none where a column is not named."""
        for column in self.columns:
            column.text.set_spans(found.get(column.number, ()))

    def scroll_page(self, by: int) -> None:
        """The active response a page on or back, and the others with it."""
        self.columns[self.active].text.scroll_by_page(by)

    def _scrolled(self, share: float) -> None:
        if self.linked:
            for column in self.columns[: self.count()]:
                if column.text is not self.sender():
                    column.text.scroll_to(share)

    def toggle_media(self) -> None:
        """Give the media more room, or less."""
        self._wide_media = not self._wide_media
        self.remeasure()

    def flush(self) -> None:
        """Say what is typed and not yet said."""
        self.aside.flush()
        for column in self.columns[: self.count()]:
            column.reason.edit.commit()

    # --- what is done -----------------------------------------------------------------------------------------
    def _column_of(self, part: Any) -> ResponseColumn | None:
        held = [c for c in self.columns if part in (*c.parts(), *c.levels.values(), c.text, c.reason.edit)]
        return held[0] if held else None

    def _pressed(self) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.left.emit()
            self.go_to(column.number, self.row)

    def _cell_pressed(self) -> None:
        cell = self.sender()
        column = self._column_of(cell)
        if column is not None:
            self.left.emit()
            self.go_to(column.number, list(column.levels.values()).index(cell))  # type: ignore[arg-type]

    def _chosen(self, value: object) -> None:
        self._cell_pressed()
        target, scale = self.current()
        self.said.emit(target, scale, value)

    def _uncover(self) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.uncover.emit(column.place)

    def _flagged(self, name: str, on: bool) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.said.emit(f"response:{column.place}", f"flag:{name}", True if on else None)

    def toggle_flag(self, number: int) -> None:
        """Switch a flag of the active response, counted from 0; only where flags are asked for."""
        if self._view is not None and _wants_flags(self._view):
            name = SAFETY_FLAGS[number]
            target = f"response:{self.columns[self.active].place}"
            on = self._view.sheet.value(target, f"flag:{name}") is not True
            self.said.emit(target, f"flag:{name}", True if on else None)

    def _reasoned(self, text: str) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.said.emit(f"response:{column.place}", "note", text or None)

    def _drafted(self, text: str) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.drafted.emit(f"response:{column.place}", "note", text)

    def _reason_left(self) -> None:
        column = self._column_of(self.sender())
        if column is not None:
            self.reason_left.emit(column.number)

    def _book_clicked(self) -> None:
        for number, (name, scale) in enumerate(zip(self.names.values(), scales(), strict=True)):
            if name.book is self.sender():
                self.row = number
                self._mark()
                self.aside.toggle_levels(scale)

    # --- live -------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        """Read all texts again."""
        self.setAccessibleName(tr("comparison.panel"))
        two = density.metrics().second_language
        for scale in scales():
            second = scale.name.in_language(i18n.other_language()) if two else ""
            self.names[scale.id].set_texts(scale.name.in_language(i18n.language()), second)
            self.names[scale.id].book.set_text(tr("comparison.levels"))
        self.flags_name.set_texts(tr("comparison.flags"), tr("comparison.flags_keys") if two else "")
        self.reason_name.set_texts(tr("comparison.reason"), tr("comparison.reason_each") if two else "")
        for column in self.columns[: self.count()]:
            assert self._view is not None
            column.show_text(self._view.responses[column.number])
            self._show_column(column, self._view, self._waiting)

    def remeasure(self) -> None:
        """The left column follows the size class."""
        width = left_width()
        self.grid.setColumnMinimumWidth(0, max(width, self.width() * 45 // 100) if self._wide_media else width)
        self.retranslate()
        super().remeasure()


def _wants_flags(view: ComparisonView) -> bool:
    """Flags are for safety sets, and for whatever has some already."""
    said = any(target.startswith("response:") and name.startswith("flag:") for target, name in view.sheet.cells)
    return view.place.safety or said
