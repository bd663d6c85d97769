"""A section of the right column: a head line, a body; locked ones show that something comes, and nothing of it."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import density, icons, theme
from annotator.ui.widgets import ElidedLabel, Ground, Keycap
from annotator.ui.widgets.base import Live

PAD = 14


class HeadIcon(Live, QWidget):
    """The icon before a section's title."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        """`icon` is drawn at 16."""
        super().__init__(parent)
        self._icon = icon
        self.setFixedSize(16, 16)
        self.go_live()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The icon."""
        icons.paint(QPainter(self), self._icon, 0, 0, "text2")


class Section(Ground):
    """Title, note and keys over a body. A base class: it does not go live by itself."""

    def __init__(self, icon: str = "", keys: tuple[str, ...] = (), parent: QWidget | None = None) -> None:
        """`icon` before the title, `keys` as caps at the right of it."""
        super().__init__("panel", ("bottom",), "hair", parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title = ElidedLabel(style="body", weight=600)
        self.title.setSizePolicy(
            QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed
        )  # the note gives way, not the title
        self.note = ElidedLabel(style="label", role="text3")
        self.head = QHBoxLayout()
        self.head.setSpacing(6)
        if icon:
            self.head.addWidget(HeadIcon(icon))
        self.head.addWidget(self.title)
        self.head.addWidget(self.note)
        self.caps = [Keycap(key) for key in keys]
        for cap in self.caps:
            self.head.addWidget(cap)
        self.head.addStretch(1)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(PAD, 8, PAD, 9)
        self.body.setSpacing(4)
        self.body.addLayout(self.head)

    def set_title(self, title: str, note: str = "") -> None:
        """The words of the head."""
        self.title.set_text(title)
        self.note.set_text(note)
        self.note.setVisible(bool(note))
        self.setAccessibleName(title)


class Hatch(Live, QWidget):
    """A hatched place of a height."""

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        """`height` in px."""
        super().__init__(parent)
        self._height = height
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def sizeHint(self) -> QSize:
        """Its height."""
        return QSize(80, density.scaled(self._height))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The hatch."""
        if not self.size().isEmpty():
            QPainter(self).drawPixmap(0, 0, theme.hatched(self.width(), self.height(), self.devicePixelRatioF()))


class LockedSection(Section):
    """What is shown after the answer: its name, and a hatch."""

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        """`height` of the hatch in px."""
        super().__init__("lock", parent=parent)
        self.body.addWidget(Hatch(height))
        self.go_live()
