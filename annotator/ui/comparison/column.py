"""One response: its letter, its text, three scores with the names of their levels, flags of safety sets, a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.domain.comparisons_sheet import SAFETY_FLAGS
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.domain.sheet import Cell
from annotator.ui import density, fonts, i18n, theme
from annotator.ui.comparison.flow import Flow
from annotator.ui.comparison.reading import Para, ReadingArea
from annotator.ui.comparison.words import length_text, level_name, scale_of
from annotator.ui.i18n import tr
from annotator.ui.reason import ReasonEdit
from annotator.ui.widgets import Button, ElidedLabel, FilterChip, Ground, IconButton, Keycap, ScoreStrip, paint

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ShownResponse

MARGIN = 12
_ROOMY, _LARGE = 330, 130


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is said and not on disk: (target, field) pairs, and whether saving fails."""

    pending: frozenset[tuple[str, str]] = frozenset()
    failing: bool = False


class ResponseHead(Ground):
    """Letter, length, what is covered, and copying.

    Signals:
        uncover(): look beneath the covered names. pressed(): it was clicked.
    """

    uncover = Signal()
    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No response yet."""
        super().__init__("panel", ("bottom", "left"), "hair", parent)
        self._response: ShownResponse | None = None
        self._active = False
        self.mark = Keycap("", role="accent-text")
        self.mark.hide()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.length = ElidedLabel("", "label", "text2")
        self.covered = Button("", "flat", "eye-off", small=True)
        self.covered.clicked.connect(self.uncover)
        self.copy = IconButton("copy")
        self.copy.clicked.connect(self._copy)
        self._row = row = QHBoxLayout(self)
        row.setSpacing(4)
        row.addWidget(self.length, 1)
        row.addWidget(self.covered)
        row.addWidget(self.mark)
        row.addWidget(self.copy)
        self.go_live()

    def show_response(self, response: ShownResponse) -> None:
        """Show another response."""
        self._response = response
        self.retranslate()

    def set_active(self, active: bool) -> None:
        """Whether it is the one that is scored."""
        self._active = active
        self.update()

    def set_mark(self, mark: str) -> None:
        """`1` or `2` where it is one of a pair that is compared, an arrow where differences are marked; else empty."""
        self.mark.set_key(mark)
        self.mark.setVisible(bool(mark))

    def _copy(self) -> None:
        if self._response is not None:
            QGuiApplication.clipboard().setText(self._response.text)

    def retranslate(self) -> None:
        """Read all texts again."""
        self.copy.set_text(tr("comparison.copy"))
        response = self._response
        if response is None:
            return
        facts = [response.responder or "", length_text(response.text)]
        if response.unmasked:
            facts.append(tr("comparison.uncovered"))
        self.length.set_text(" · ".join(filter(None, facts)))
        self.covered.setVisible(response.covered > 0)
        self._name_covered()
        self.covered.setToolTip(tr("comparison.covered_why"))
        self.setAccessibleName(tr("comparison.response", letter=response.letter))

    def _name_covered(self) -> None:
        """In words where there is room, else the number beside its icon."""
        if self._response is not None:
            words = tr("comparison.covered", n=self._response.covered)
            self.covered.set_text(words if self.width() >= density.scaled(_ROOMY) else str(self._response.covered))
            self.covered.setAccessibleName(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, more words."""
        super().resizeEvent(event)
        self._name_covered()

    def remeasure(self) -> None:
        """As high as the head of a panel; the letter has its place."""
        self._row.setContentsMargins(MARGIN + fonts.px(22) + 8, 2, 6, 1)
        self.setFixedHeight(density.metrics().panel_head)
        super().remeasure()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Make it the active one."""
        self.pressed.emit()
        super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, the letter in its box, the edge of the active one, the mark of a pair."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = fonts.px(22)
        box = QRectF(MARGIN, (self.height() - side) / 2, side, side)
        paint.frame(
            painter, box, theme.color("accent") if self._active else None,
            None if self._active else theme.color("control"), 4.0,
        )  # fmt: skip
        letter = self._response.letter if self._response is not None else ""
        ink = "on-accent" if self._active else "text"
        paint.draw_text(painter, box, letter, fonts.font("body", 600), ink, paint.CENTER)
        if self._active:
            painter.fillRect(QRectF(1, 0, self.width() - 1, 2), theme.color("accent"))


class LevelCell(Ground):
    """The strip of one score and the name of its level.

    Signals:
        chosen(value): a cell was clicked. pressed(): it was clicked beside the strip.
    """

    chosen = Signal(object)
    pressed = Signal()

    def __init__(self, scale: str, number: int, parent: QWidget | None = None) -> None:
        """`number` is the column, until a response is shown in it."""
        super().__init__("panel", ("top", "left"), "hair", parent)
        self.scale = scale
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.strip = ScoreStrip(f"{scale}_r{number}")
        self.strip.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.level = ElidedLabel("", "label", "text2")
        self._value: Any = None
        self._current = False
        column = QVBoxLayout(self)
        column.setContentsMargins(MARGIN - 3, 2, 6, 3)
        column.setSpacing(0)
        column.addWidget(self.strip, 0, Qt.AlignmentFlag.AlignLeft)
        name = QHBoxLayout()
        name.setContentsMargins(3, 0, 0, 0)
        name.addWidget(self.level)
        column.addLayout(name)
        self.strip.chosen.connect(self.chosen)
        self.go_live()

    def name_after(self, place: int) -> None:
        """Name the strip after the response in it, which differs from item to item."""
        name = f"score_{self.scale}_r{place}"
        self.strip.setObjectName(name)
        for cell in self.strip.cells:
            cell.setObjectName(f"{name}_{'cannot' if cell.value == paint.CANNOT else cell.value}")

    def show_cell(self, cell: Cell, letter: str, *, waiting: bool, failing: bool, read_only: bool) -> None:
        """Show a score."""
        self._value = None if cell.conflict else cell.value
        self.strip.set_value(self._value)
        self.strip.set_conflict(bool(cell.conflict))
        self.strip.set_pending(waiting)
        self.strip.set_not_saved(waiting and failing)
        self.strip.set_read_only(read_only)
        scale = scale_of(self.scale).name.in_language(i18n.language())
        self.strip.set_title(tr("comparison.score_of", scale=scale, letter=letter))
        stale = cell.stale and cell.value is not None
        name = level_name(scale_of(self.scale), self._value)
        self.level.set_role("warn" if stale else "text2")
        self.level.set_text(tr("comparison.stale", name=name) if stale else name)

    def retranslate(self) -> None:
        """What each level means, in both languages, where the pointer rests."""
        scale = scale_of(self.scale)
        for cell in self.strip.cells:
            if isinstance(cell.value, int):
                level = scale.levels[cell.value - 1]
                both = (i18n.language(), i18n.other_language())
                lines = (f"{level.short.in_language(one)}: {level.text.in_language(one)}" for one in both)
                cell.setToolTip("\n".join(lines))
            else:
                cell.setToolTip(tr("comparison.cannot_judge"))

    def set_current(self, current: bool) -> None:
        """Whether the keyboard scores here."""
        self._current = current
        self.set_ground("selected" if current else "panel")
        self.strip.set_current(current)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Score here next."""
        self.pressed.emit()
        super().mousePressEvent(event)

    def remeasure(self) -> None:
        """Strip and name, and no more; the name goes where large letters would leave no room to read in."""
        self.strip.remeasure()
        cramped = density.is_short() and density.text_scale() >= _LARGE
        self.level.setVisible(not cramped)
        line = 0 if cramped else fonts.line_height("label")
        self.setFixedHeight(self.strip.sizeHint().height() + line + 6)
        super().remeasure()


class FlagCell(Ground):
    """What is labelled of a response in a safety set.

    Signals:
        flagged(name, on): a chip was switched.
    """

    flagged = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """No flag is set."""
        super().__init__("panel", ("top", "left"), "hair", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._on: dict[str, bool] = {}
        self.chips = {name: FilterChip() for name in SAFETY_FLAGS}
        for name, chip in self.chips.items():
            chip.setProperty("flag", name)
            chip.clicked.connect(self._clicked)
        self.flow = Flow(tuple(self.chips.values()))
        row = QVBoxLayout(self)
        row.setContentsMargins(MARGIN - 2, 4, 6, 4)
        row.addWidget(self.flow)
        self.go_live()

    def show_flags(self, place: int, letter: str, on: dict[str, bool], *, read_only: bool) -> None:
        """Show the flags of a response."""
        self._on = on
        for name, chip in self.chips.items():
            chip.setObjectName(f"flag_{name}_r{place}")
            chip.setChecked(on.get(name, False))
            chip.setEnabled(not read_only)
            chip.setAccessibleName(tr("comparison.flag_of", flag=tr(f"comparison.flag.{name}"), letter=letter))

    def _clicked(self) -> None:
        sender = self.sender()
        if isinstance(sender, FilterChip):
            name = str(sender.property("flag"))
            on = not self._on.get(name, False)
            sender.setChecked(self._on.get(name, False))
            self.flagged.emit(name, on)

    def retranslate(self) -> None:
        """The words of the chips."""
        for name, chip in self.chips.items():
            chip.set_text(tr(f"comparison.flag.{name}"))
        self.flow.lay_out()


class ReasonCell(Ground):
    """The reason for the scores of a response."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing written."""
        super().__init__("panel", ("top", "left"), "hair", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.edit = ReasonEdit()
        row = QVBoxLayout(self)
        row.setContentsMargins(MARGIN, 5, MARGIN, 5)
        row.addWidget(self.edit)
        self.go_live()


class ResponseColumn(QObject):
    """The parts of one column, which the panel places into its rows so that they are aligned over all responses."""

    def __init__(self, number: int, parent: QObject) -> None:
        """`number` is where it is shown, from 0."""
        super().__init__(parent)
        self.number = number
        self.place = number
        self.head, self.text = ResponseHead(), ReadingArea()
        self.body = Ground("panel", ("left",))
        column = QVBoxLayout(self.body)
        column.setContentsMargins(1, 0, 0, 0)
        column.addWidget(self.text)
        self.body.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.body.go_live()
        self.levels = {scale: LevelCell(scale, number) for scale in COMPARISON_SCALES}
        self.flags = FlagCell()
        self.reason = ReasonCell()
        self.text.setObjectName(f"response_{number}")

    def parts(self) -> list[QWidget]:
        """From top to bottom."""
        return [self.head, self.body, *self.levels.values(), self.flags, self.reason]

    def set_visible(self, visible: bool) -> None:
        """Show or hide all of it but the flags, which follow the item."""
        for part in self.parts():
            if part is not self.flags:
                part.setVisible(visible)

    def show_text(self, response: ShownResponse) -> None:
        """Another response, or the same one uncovered."""
        self.place = response.place
        self.head.show_response(response)
        self.text.set_paras([Para(response.text)])
        self.text.setAccessibleName(tr("comparison.response", letter=response.letter))
        for cell in self.levels.values():
            cell.name_after(response.place)
        self.reason.edit.setObjectName(f"reason_r{response.place}")
        self.reason.edit.setAccessibleName(tr("comparison.reason_of", letter=response.letter))

    def set_active(self, active: bool) -> None:
        """Whether it is the one that is scored."""
        self.head.set_active(active)
        self.text.set_ground("window" if active else "panel")
