"""Panels' furniture: cards, heads, separators, splitters and what stands where there is nothing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QSplitter, QSplitterHandle, QVBoxLayout, QWidget

from annotator.ui import density, icons, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.buttons import Button
from annotator.ui.widgets.text import ElidedLabel, PlainLabel


class Ground(Live, QWidget):
    """A widget that fills itself with one role, for panels and bars.

    ``edges`` are 1 px lines: any of "top", "bottom", "left", "right". A base class: it does not go live by
    itself, so that a subclass does so once all its parts are there.
    """

    def __init__(
        self, role: str = "panel", edges: tuple[str, ...] = (), edge_role: str = "hair", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._role, self._edges, self._edge_role = role, edges, edge_role

    def set_ground(self, role: str) -> None:
        """Fill with another role."""
        self._role = role
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The ground and its lines."""
        painter = QPainter(self)
        width, height = self.width(), self.height()
        painter.fillRect(self.rect(), theme.color(self._role))
        lines = {
            "top": (0, 0, width, 1), "bottom": (0, height - 1, width, height),
            "left": (0, 0, 1, height), "right": (width - 1, 0, width, height),
        }  # fmt: skip
        for edge in self._edges:
            paint.hairline(painter, *lines[edge], self._edge_role)


class Separator(Live, QWidget):
    """A 1 px line."""

    def __init__(
        self, vertical: bool = False, role: str = "hair", length: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._role = role
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        if vertical:
            self.setFixedWidth(1)
            self.setSizePolicy(fixed, fixed if length else free)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(fixed if length else free, fixed)
        if length:
            self.setFixedSize(1 if vertical else length, length if vertical else 1)
        self.go_live()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line."""
        QPainter(self).fillRect(self.rect(), theme.color(self._role))


class PanelHead(Ground):
    """The 34 px head of a panel: title, note, and what is added at the right."""

    def __init__(self, title: str = "", note: str = "", parent: QWidget | None = None) -> None:
        super().__init__("panel", ("bottom",), "hair", parent)
        self.title = ElidedLabel(title, "body", weight=600)
        self.note = ElidedLabel(note, "label", "text3")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 0, 8, 1)
        self._row.setSpacing(8)
        self._row.addWidget(self.title)
        self._row.addWidget(self.note)
        self._row.addStretch(1)
        self.note.setVisible(bool(note))
        self.go_live()

    def add(self, widget: QWidget) -> QWidget:
        """Add a widget at the right end."""
        self._row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        return widget

    def set_title(self, title: str, note: str = "") -> None:
        """Change the words."""
        self.title.set_text(title)
        self.note.set_text(note)
        self.note.setVisible(bool(note))

    def remeasure(self) -> None:
        """34 px."""
        self.setFixedHeight(density.metrics().panel_head)
        super().remeasure()


class Card(Live, QFrame):
    """A card of the pages of figures: 6 px corners, a head, a body layout."""

    def __init__(self, title: str = "", note: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel(title, "body", weight=600)
        self._note = ElidedLabel(note, "label", "text3")
        self._bar = QWidget(self)
        self.head = QHBoxLayout(self._bar)
        self.head.setContentsMargins(12, 0, 10, 0)
        self.head.setSpacing(8)
        self.head.addWidget(self._title)
        self.head.addWidget(self._note)
        self.head.addStretch(1)
        self._inner = QWidget(self)
        self.body = QVBoxLayout(self._inner)
        self.body.setContentsMargins(12, 9, 12, 9)
        self.body.setSpacing(6)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(1, 1, 1, 1)
        whole.setSpacing(1)
        whole.addWidget(self._bar)
        whole.addWidget(self._inner, 1)
        self.set_title(title, note)
        self.go_live()

    def set_title(self, title: str, note: str = "") -> None:
        """Change the words; without a title there is no head."""
        self._title.set_text(title)
        self._note.set_text(note)
        self._note.setVisible(bool(note))
        self._bar.setVisible(bool(title))

    def remeasure(self) -> None:
        """Head of 34 px."""
        self._bar.setFixedHeight(density.scaled(34))
        super().remeasure()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Panel ground, hair border, line under the head."""
        painter = QPainter(self)
        paint.frame(painter, QRectF(self.rect()), theme.color("panel"), theme.color("hair"), 6.0)
        if self._bar.isVisibleTo(self):
            y = self._bar.geometry().bottom() + 1
            paint.hairline(painter, 1, y, self.width() - 1, y + 1)


class EmptyState(Live, QWidget):
    """Where nothing is: an icon, what is so, why, and one thing to do. Locked ones are hatched."""

    activated = Signal()

    def __init__(
        self, icon: str, title: str = "", why: str = "", action: str = "", role: str = "text2", locked: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._icon, self._role, self._locked = icon, role, locked
        self._picture = _Picture(icon, role, self)
        self._title = PlainLabel(title, "body", weight=600)
        self._why = PlainLabel(why, "label", "text2")
        self._action = Button(action)
        self._action.clicked.connect(self.activated)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(4)
        column.addStretch(1)
        for widget in (self._picture, self._title, self._why, self._action):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        for label in (self._title, self._why):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setContentsMargins(6, 0, 6, 0)
        self.set_texts(title, why, action)
        self.go_live()

    def set_texts(self, title: str, why: str = "", action: str = "") -> None:
        """What is so, why, and the word on the button; empty ones take no place."""
        self._title.set_text(title)
        self._why.set_text(why)
        self._why.setVisible(bool(why))
        self._action.set_text(action)
        self._action.setVisible(bool(action))
        self.setAccessibleName(title)
        self._wrap()

    def set_icon(self, icon: str, role: str | None = None) -> None:
        """Another icon, and maybe another colour."""
        self._picture.set(icon, role or self._role)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Sentences wrap at the width there is, and at 360 px at most."""
        super().resizeEvent(event)
        self._wrap()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The hatch, with clear ground behind the words."""
        if not self._locked:
            return
        painter = QPainter(self)
        theme.fill_hatch(painter, QRectF(self.rect()))
        for widget in (self._picture, self._title, self._why):
            if widget.isVisibleTo(self):
                painter.fillRect(widget.geometry().adjusted(-2, -1, 2, 1), theme.color("panel"))

    def _wrap(self) -> None:
        room = max(80, min(360, self.width() - 32))
        for label in (self._title, self._why):
            wanted = round(paint.text_width(label.text(), label.font())) + 16
            label.setFixedWidth(min(room, wanted))
            # Aligned in its column, a label is not asked for its height at this width.
            label.setFixedHeight(max(0, label.heightForWidth(label.width())))


class _Picture(Live, QWidget):
    def __init__(self, icon: str, role: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon, self._role = icon, role
        self.setFixedSize(28, 28)
        self.go_live()

    def set(self, icon: str, role: str) -> None:
        self._icon, self._role = icon, role
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        icons.paint(QPainter(self), self._icon, 2, 2, self._role, 24)


class Splitter(QSplitter):
    """A splitter that is 1 px to the eye and 7 px to the pointer."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(7)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        """Our handle."""
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("panel"))
        middle = (self.width() if self.orientation() is Qt.Orientation.Horizontal else self.height()) // 2
        if self.orientation() is Qt.Orientation.Horizontal:
            painter.fillRect(middle, 0, 1, self.height(), theme.color("hair"))
        else:
            painter.fillRect(0, middle, self.width(), 1, theme.color("hair"))

    def sizeHint(self) -> QSize:
        return QSize(7, 7)
