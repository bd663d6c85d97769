"""One row of the score grid: name, strip, tags, reason and state; opened, level texts, reason field and tag button."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.domain.rubric import Dimension
from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.levels import LevelTexts
from annotator.ui.reason import ReasonEdit
from annotator.ui.score_row_paint import (
    first_remark,
    judges_width,
    paint_judges,
    paint_name,
    paint_remark,
    paint_session_remark,
)
from annotator.ui.widgets import Button, ScoreStrip, paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.text import plain_tooltip

LEFT, RIGHT, ICON = 14, 12, 20
NAME_WIDTH = {density.Density.SMALL: 96, density.Density.NORMAL: 126, density.Density.WIDE: 150}
LOW = 3


@dataclass(frozen=True, slots=True)
class RowState:
    """What one row shows.

    Attributes:
        value: 1-5, `cannot_judge` or None; `reason`, `tags`: what was said with it; `tag_names`: the tags in words.
        draft: a reason being written, None where there is none.
        pending, failed: on its way to the disk, or refused by it.
        conflict: differing values of two devices; `stale`: made on an older text.
        read_only: nothing can be said.
        judged: judges' scores, once they are shown; `due`: a second opinion is asked for.
        first: the blind score, where the second opinion is another.
    """

    value: Any = None
    reason: str = ""
    tags: tuple[str, ...] = ()
    tag_names: tuple[str, ...] = ()
    draft: str | None = None
    pending: bool = False
    failed: bool = False
    conflict: tuple[Any, ...] = ()
    stale: bool = False
    read_only: bool = False
    judged: tuple[int | None, ...] = ()
    due: bool = False
    first: Any = None

    @property
    def wants_reason(self) -> bool:
        """Whether a reason is asked for (never forced): 3 or below without one."""
        return isinstance(self.value, int) and self.value <= LOW and not (self.reason or self.draft)


class ScoreRow(Live, QWidget):
    """A row that shows a state and says what is done to it; it changes nothing by itself.

    Signals:
        pressed(): the person clicked the row.
        scored(value): a cell was clicked.
        reasoned(text), drafted(text), reason_left(): see `ReasonEdit`.
        tags_wanted(): the tag button was pressed.
    """

    pressed = Signal()
    scored = Signal(object)
    reasoned = Signal(str)
    drafted = Signal(str)
    reason_left = Signal()
    tags_wanted = Signal()

    def __init__(self, dimension: Dimension, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.dimension = dimension
        self.state = RowState()
        self._active = False
        self._session = dimension.level == "session"
        self.strip = ScoreStrip(dimension.id, parent=self)
        self.levels = LevelTexts(dimension, self)
        self.reason = ReasonEdit("reason", self)
        self.reason.setObjectName(f"reason_{dimension.id}")
        self.tags = Button("", icon="target", key="tags", parent=self)
        self.tags.setObjectName(f"tags_{dimension.id}")
        self.strip.chosen.connect(self.scored)
        self.reason.committed.connect(self.reasoned)
        self.reason.drafted.connect(self.drafted)
        self.reason.left.connect(self.reason_left)
        self.tags.clicked.connect(self._tags_clicked)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._full = False
        self.set_active(False)
        self.go_live()

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_state(self, state: RowState) -> None:
        """Show another state."""
        before, self.state = self.state, state
        self.strip.set_value(state.value if not state.conflict else None)
        self.strip.set_pending(state.pending)
        self.strip.set_not_saved(state.failed)
        self.strip.set_conflict(bool(state.conflict))
        if self.strip.read_only != state.read_only:
            self.strip.set_read_only(state.read_only)
        self.levels.set_value(state.value)
        self.reason.set_value(state.reason, state.draft)
        if before.read_only != state.read_only:
            self.reason.setReadOnly(state.read_only)
            self.tags.setEnabled(not state.read_only)
        if (len(before.tags), len(before.judged)) != (len(state.tags), len(state.judged)):
            self._words()
        if before != state:
            self.update()

    def set_active(self, active: bool) -> None:
        """Open or close the row."""
        self._active = active
        self.strip.set_current(active)
        self.strip.set_ground(self.ground())
        self.reason.setVisible(active)
        self.tags.setVisible(active)
        self.levels.setVisible(active and self._levels_shown())
        self._place()
        self.update()

    def set_full_levels(self, full: bool) -> None:
        """Show the level texts as whole sentences (key `L`)."""
        self._full = full
        self.levels.set_full(full)
        self.set_active(self._active)
        self.updateGeometry()

    def ground(self) -> str:
        """The role of its plain ground."""
        return "selected" if self._active else "panel"

    @property
    def active(self) -> bool:
        """Whether the row is open."""
        return self._active

    def base_height(self) -> int:
        """The closed row's height, px."""
        table = density.metrics()
        return table.session_row if self._session else table.score_row

    def extra_height(self) -> int:
        """What opening adds at this width, px."""
        extra = density.metrics().active_row_extra
        if self._full:
            plain = density.metrics().button + 10
            return plain + self.levels.height_at(self._inner_width()) + 4
        return extra

    def wanted_height(self) -> int:
        """Its height as it stands."""
        return self.base_height() + (self.extra_height() if self._active else 0)

    def _levels_shown(self) -> bool:
        return self._full or density.metrics().level_texts

    def _inner_width(self) -> int:
        return max(200, self.width() - fonts.px(LEFT) - fonts.px(RIGHT))

    # -- texts --------------------------------------------------------------------------------------------------------

    def name_texts(self) -> tuple[str, str]:
        """The dimension's name in the window's language and, where there is room, in the other one."""
        name, room = self.dimension.name, fonts.px(NAME_WIDTH[density.current()])
        if max(paint.text_width(t, fonts.font("body", 500)) for t in (name.en, name.zh_CN)) > room:
            name = self.dimension.small
        second = name.in_language(i18n.other_language()) if density.metrics().second_language else ""
        return (name.in_language(i18n.language()), second)

    def retranslate(self) -> None:
        """All words again."""
        name = self.dimension.name.in_language(i18n.language())
        self.strip.set_title(name)
        self.reason.setPlaceholderText(tr("grid.reason_hint"))
        self.reason.setAccessibleName(tr("grid.reason_of", name=name))
        self.setAccessibleName(name)
        asks = self.dimension.asks.in_language(i18n.language())
        self.setToolTip(plain_tooltip(tr("grid.row_tip", name=name, asks=asks)))
        self._words()
        self.update()

    def _words(self) -> None:
        count = len(self.state.tags)
        self.tags.set_text(tr("grid.tags_count", count=count) if count else tr("grid.tags"))
        self._place()

    def remark(self) -> tuple[str, str]:
        """The line beside the strip and its role: what is wrong with the row, else its reason, else what to do."""
        state = self.state
        if state.failed:
            return (tr("grid.not_saved"), "error")
        if state.conflict:
            shown = [tr("grid.cannot_short") if v == "cannot_judge" else str(v) for v in state.conflict]
            return (tr("grid.conflict", values=" | ".join(shown)), "warn")
        if state.stale and state.value is not None:
            return (tr("grid.stale", cap="Enter"), "warn")
        text = state.reason if state.draft is None else state.draft
        if state.first is not None:
            return (first_remark(state.first, text), "text2")
        if text:
            return (text, "text2")
        if state.wants_reason:
            return (tr("grid.reason_wanted"), "accent-text" if self._active else "text3")
        if self._active and state.value is None and not state.read_only:
            return (tr("grid.score_now"), "accent-text")
        return ("", "text2")

    # -- layout and painting ------------------------------------------------------------------------------------------

    def remeasure(self) -> None:
        """Heights and columns of the size class."""
        self.tags.set_key_shown(True)
        self.set_active(self._active)
        super().remeasure()

    def sizeHint(self) -> QSize:
        """As high as it stands."""
        return QSize(460, self.wanted_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The children stand where the columns are."""
        super().resizeEvent(event)
        if self._full and self._active and self.height() != self.wanted_height():
            self.updateGeometry()
        if event.oldSize().width() != event.size().width():
            self._place()

    def _columns(self) -> tuple[int, int, int, int]:
        """Name, strip, remark and icon: their left edges, px."""
        gap = fonts.px(8 if density.current() is density.Density.SMALL else 12)
        name = fonts.px(LEFT)
        strip = name + fonts.px(NAME_WIDTH[density.current()]) + gap
        remark = strip + self.strip.sizeHint().width() - 6 + gap + judges_width(self.state.judged)
        return (name, strip, remark, self.width() - fonts.px(RIGHT) - ICON)

    def _place(self) -> None:
        hint, base = self.strip.sizeHint(), self.base_height()
        _, strip_x, _, _ = self._columns()
        self.strip.setGeometry(strip_x - 3, round((base - hint.height()) / 2), hint.width(), hint.height())
        if not self._active:
            return
        left, width = fonts.px(LEFT), self._inner_width()
        y = base
        if self._levels_shown():
            height = round(self.levels.height_at(width))
            self.levels.setGeometry(left, y, width, height)
            y += height + 4
        else:
            y += 4
        tag_hint = self.tags.sizeHint()
        field = density.metrics().button
        self.tags.setGeometry(left + width - tag_hint.width() + 3, y - 3, tag_hint.width(), tag_hint.height())
        self.reason.setGeometry(left, y, width - tag_hint.width() + 6 - 6, field)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, bar, names, remark, icon, line below."""
        painter = QPainter(self)
        box, base = QRectF(self.rect()), self.base_height()
        painter.fillRect(box, theme.color(self.ground()))
        if self._active:
            painter.fillRect(QRectF(0, 0, 3, box.height()), theme.color("accent"))
        paint.hairline(painter, 0, box.height() - 1, box.width(), box.height())
        name_x, strip_x, remark_x, icon_x = self._columns()
        name = QRectF(name_x, 0, strip_x - name_x - 6, base - 1)
        paint_judges(painter, remark_x - judges_width(self.state.judged), base, self.state.judged)
        self._paint(painter, name, QRectF(remark_x, 0, icon_x - remark_x - 6, base - 1))
        icon, role = self.icon()
        if icon:
            icons.paint(painter, icon, icon_x + 4, round((base - 16) / 2), role)

    def icon(self) -> tuple[str, str]:
        """The state icon and its colour role; "" for none."""
        state = self.state
        if state.failed:
            return ("refresh-cw", "error")
        if state.conflict:
            return ("git-compare", "warn")
        if state.stale and state.value is not None:
            return ("history", "warn")
        if self._active:
            return ("chevron-right", "accent-text")
        if state.due:
            return ("scale", "text3")
        if state.value is not None:
            return ("check", "text3" if state.pending else "ok")
        return ("", "")

    def _paint(self, painter: QPainter, name: QRectF, remark: QRectF) -> None:
        paint_name(painter, name, *self.name_texts())
        text, role = self.remark()
        draw = paint_session_remark if self._session else paint_remark
        draw(painter, remark, text, role, self.state.tag_names)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click anywhere in the row moves the cursor there."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.pressed.emit()

    def _tags_clicked(self) -> None:
        self.tags_wanted.emit()
