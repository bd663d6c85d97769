"""The error tags of one level: grouped, filtered by typing, ticked with Enter; the keyboard never leaves the field.

It is a child of the window and no window of its own, so that input methods work in its field as anywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from annotator.domain.queue import fold_text
from annotator.domain.rubric import Tag
from annotator.ui import fonts, i18n, icons, theme
from annotator.ui.grid_head import KeyHints
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

TAG_ROLE = Qt.ItemDataRole.UserRole + 1
WIDTH, MOST_HEIGHT, ROW = 380, 440, 28
_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}


class TagDelegate(QStyledItemDelegate):
    """A tick, the tag's Chinese id and its English gloss; a group's name is a line of its own."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line each."""
        return QSize(100, fonts.px(ROW if index.data(TAG_ROLE) else 24))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Ground, tick, both languages."""
        rect, tag = QRectF(option.rect), index.data(TAG_ROLE)
        if not isinstance(tag, Tag):
            name = str(index.data(Qt.ItemDataRole.DisplayRole))
            area = rect.adjusted(12, 4, -12, 0)
            paint.draw_text(painter, area, name, fonts.font("meta", 600), "text3")
            return
        current = index.row() == self._current()
        if current:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRectF(rect.x(), rect.y(), 3, rect.height()), theme.color("accent"))
        checked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) is Qt.CheckState.Checked
        box = QRectF(rect.x() + 12, round(rect.center().y() - 7), 14, 14)
        paint.frame(painter, box, theme.color("accent" if checked else "raised"), theme.color("control"), 3.0)
        if checked:
            icons.paint(painter, "check", box.x() + 1, box.y() + 1, "on-accent", 12)
        first, second = (tag.id, tag.gloss) if i18n.language() == "zh_CN" else (tag.gloss, tag.id)
        font = fonts.font("body", 500 if checked else 400)
        area = rect.adjusted(34, 0, -12, 0)
        wide = min(area.width(), paint.text_width(first, font) + 2)
        paint.draw_text(painter, QRectF(area.x(), area.y(), wide, area.height()), first, font, "text")
        if area.width() - wide > 40:
            rest = QRectF(area.x() + wide + 8, area.y(), area.width() - wide - 8, area.height())
            paint.draw_text(painter, rest, second, fonts.font("meta"), "text3")

    def _current(self) -> int:
        parent = self.parent()
        return parent.currentRow() if isinstance(parent, QListWidget) else -1


class TagPopup(Live, QFrame):
    """A list of tags over the window.

    Signals:
        chosen(tags): the ids that are ticked, when it closes and they changed (several) or at once (one).
        closed(): it is gone; the keyboard may go back.
    """

    chosen = Signal(list)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tagPopup")
        self._tags: tuple[Tag, ...] = ()
        self._before: tuple[str, ...] = ()
        self._ticked: list[str] = []
        self._single = False
        self._open = False
        self.field = QLineEdit(self)
        self.field.setObjectName("tagFilter")
        self.list = QListWidget(self)
        self.list.setObjectName("tagList")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(TagDelegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hints = KeyHints(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for widget in (self.field, self.list, self.hints):
            column.addWidget(widget)
        self.field.textChanged.connect(self._fill)
        self.field.installEventFilter(self)
        self.list.itemClicked.connect(self._clicked)
        self.hide()
        self.go_live()

    def open_for(
        self, anchor: QWidget, tags: Sequence[Tag], ticked: Sequence[str] = (), *, single: bool = False
    ) -> None:
        """Open beside a widget of the same window; `single` takes the first tag chosen and closes."""
        self._tags, self._before, self._single = tuple(tags), tuple(ticked), single
        self._ticked = list(ticked)
        self.field.clear()
        self.retranslate()
        self._fill()
        self._stand(anchor)
        self._open = True
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def is_open(self) -> bool:
        """Whether it is shown."""
        return self._open

    def ticked(self) -> tuple[str, ...]:
        """The ids ticked now, in the order of the taxonomy; ids outside it stay at the end."""
        known = [t.id for t in self._tags if t.id in self._ticked]
        return (*known, *(t for t in self._ticked if t not in known))

    def dismiss(self, *, keyboard: bool = True) -> None:
        """Close, and say the tags if they changed; `keyboard` is whether the keyboard is still here and may go back."""
        if not self._open:
            return
        self._open = False
        self.hide()
        if not self._single and set(self._ticked) != set(self._before):
            self.chosen.emit(list(self.ticked()))
        if keyboard:
            self.closed.emit()

    def abandon(self) -> None:
        """Close without a word: what it was open for is gone."""
        self._ticked = list(self._before)
        self.dismiss(keyboard=False)

    def _stand(self, anchor: QWidget) -> None:
        window = self.parentWidget()
        if window is None:
            return
        rows = len(self._tags) * fonts.px(ROW) + len({t.group for t in self._tags}) * fonts.px(24)
        height = min(rows + fonts.px(84), fonts.px(MOST_HEIGHT), window.height() - 16)
        width = min(fonts.px(WIDTH), window.width() - 16)
        corner = anchor.mapTo(window, QPoint(anchor.width(), 0))
        below = corner.y() + anchor.height() + 2
        y = below if below + height <= window.height() - 8 else max(8, corner.y() - height - 2)
        self.setGeometry(QRect(max(8, min(corner.x() - width, window.width() - width - 8)), y, width, height))

    def _fill(self) -> None:
        wanted, current = fold_text(self.field.text().strip()), self._current_id()
        self.list.clear()
        group = ""
        for tag in self._tags:
            if wanted and wanted not in fold_text(f"{tag.id} {tag.gloss} {tag.group} {tag.group_gloss}"):
                continue
            if tag.group != group:
                group = tag.group
                head = QListWidgetItem(tag.group if i18n.language() == "zh_CN" else tag.group_gloss or tag.group)
                head.setFlags(Qt.ItemFlag.NoItemFlags)
                self.list.addItem(head)
            self._add(tag)
        places = [i for i in range(self.list.count()) if self.list.item(i).data(TAG_ROLE) is not None]
        same = next((i for i in places if self.list.item(i).data(TAG_ROLE).id == current), None)
        self.list.setCurrentRow(same if same is not None else places[0] if places else -1)

    def _add(self, tag: Tag) -> None:
        item = QListWidgetItem(f"{tag.id} {tag.gloss}")
        item.setData(TAG_ROLE, tag)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        item.setCheckState(Qt.CheckState.Checked if tag.id in self._ticked else Qt.CheckState.Unchecked)
        self.list.addItem(item)

    def _current_id(self) -> str:
        item = self.list.currentItem()
        tag = None if item is None else item.data(TAG_ROLE)
        return tag.id if isinstance(tag, Tag) else ""

    def _walk(self, by: int) -> None:
        places = [i for i in range(self.list.count()) if self.list.item(i).data(TAG_ROLE) is not None]
        if not places:
            return
        at = places.index(self.list.currentRow()) if self.list.currentRow() in places else 0
        self.list.setCurrentRow(places[max(0, min(len(places) - 1, at + by))])
        self.list.viewport().update()

    def _toggle(self) -> None:
        tag_id, item = self._current_id(), self.list.currentItem()
        if not tag_id or item is None:
            return
        if self._single:
            self._ticked = [tag_id]
            self.chosen.emit([tag_id])
            self.dismiss()
            return
        self._ticked = [t for t in self._ticked if t != tag_id] if tag_id in self._ticked else [*self._ticked, tag_id]
        item.setCheckState(Qt.CheckState.Checked if tag_id in self._ticked else Qt.CheckState.Unchecked)
        self.list.viewport().update()

    def _clicked(self, item: QListWidgetItem) -> None:
        if item.data(TAG_ROLE) is not None:
            self.list.setCurrentItem(item)
            self._toggle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's keys work the list; leaving the field closes the popup."""
        if watched is not self.field:
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.FocusOut and self._open:
            reason = event.reason()  # type: ignore[attr-defined]
            if reason not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
                self.dismiss(keyboard=False)
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in _KEYS:
            self._walk(_KEYS[Qt.Key(key)])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.dismiss()
            else:
                self._toggle()
        elif key == Qt.Key.Key_Space and not self.field.text():
            self._toggle()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self.dismiss()
        else:
            return False
        return True

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("grid.tags"))
        self.field.setPlaceholderText(tr("grid.tags_filter"))
        self.field.setAccessibleName(tr("grid.tags_filter"))
        self.list.setAccessibleName(tr("grid.tags"))
        pick = tr("grid.hint_pick_one") if self._single else tr("grid.hint_pick")
        self.hints.set_hints(
            ((("↑", "↓"), tr("grid.hint_walk")), (("Enter",), pick), (("Esc",), tr("grid.hint_close")))
        )
        if self._tags:
            self._fill()

    def remeasure(self) -> None:
        """Fonts of the text scale."""
        self.field.setFont(fonts.font("body"))
        super().remeasure()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """A flat sheet with a line around it."""
        painter = QPainter(self)
        paint.frame(painter, QRectF(self.rect()), theme.color("raised"), theme.color("line"), 0.0)
