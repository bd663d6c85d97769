"""Below the image: which parts of it were looked at, and what file it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import density, fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.media_facts import GRID, SeenMap
from annotator.ui.media_picture import ShownPicture
from annotator.ui.widgets import ElidedLabel, Ground, IconButton, Keycap, PlainLabel, Separator
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView

_MAP = (150, 104)
_FACTS = ("seen", "size", "file", "source")


class SeenPicture(Live, QWidget):
    """The image small, what was not looked at in full size veiled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing yet."""
        super().__init__(parent)
        self._image: QImage | None = None
        self._bits = 0
        self._aspect = 1.5
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_seen(self, picture: ShownPicture | None, seen: SeenMap) -> None:
        """Show a picture and what was seen of it."""
        self._image = picture.smallest_over(2 * _MAP[0]) if picture is not None else None
        if picture is not None and picture.full.height():
            self._aspect = picture.full.width() / picture.full.height()
        self._bits = seen.bits
        self.update()

    def sizeHint(self) -> QSize:
        """A small picture."""
        return QSize(density.scaled(_MAP[0]), density.scaled(_MAP[1]))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Picture, veil, frames of what was seen."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("stage"))
        if self._image is None:
            return
        width = min(self.width(), self.height() * self._aspect)
        box = QRectF(0, 0, width, width / self._aspect)
        box.moveCenter(QRectF(self.rect()).center())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(box, self._image)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(box, self._veil())

    def _veil(self) -> QImage:
        """One pixel for each cell: clear where it was seen."""
        colour = QColor(theme.color("panel"))
        colour.setAlphaF(0.55)
        veil = QImage(GRID, GRID, QImage.Format.Format_ARGB32)
        veil.fill(colour)
        clear = QColor(Qt.GlobalColor.transparent)
        for place in range(GRID * GRID):
            if self._bits >> place & 1:
                veil.setPixelColor(place % GRID, place // GRID, clear)
        return veil


class ChoiceTray(Ground):
    """Seen parts and facts of the image; folded to its head where there is little room.

    Signals:
        opened(on): it was opened or folded.
    """

    opened = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing shown."""
        super().__init__("panel", ("top",), "hair", parent)
        self.setObjectName("tray")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._wanted: bool | None = None
        self._view: QuestionView | None = None
        self._picture: ShownPicture | None = None
        self._share = 0.0
        self.title = ElidedLabel(style="label", role="text", weight=600)
        self.fold = IconButton("chevron-down", key="toggle_tray")
        self.fold.setObjectName("trayFold")
        self.fold.clicked.connect(self.toggle)
        head = QHBoxLayout()
        head.setContentsMargins(12, 1, 8, 0)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(Keycap("toggle_tray"))
        head.addWidget(self.fold)
        self.map = SeenPicture()
        self.names = {name: ElidedLabel(style="label", role="text2") for name in _FACTS}
        self.values = {name: ElidedLabel(style="label", role="text", tabular=True) for name in _FACTS}
        self.why = PlainLabel("", "label", "text3")
        self._body = QWidget()
        self._build()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        self._line = Separator()
        column.addWidget(self._line)
        column.addWidget(self._body)
        self.go_live()

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(4)
        for row, name in enumerate(_FACTS):
            grid.addWidget(self.names[name], row, 0)
            grid.addWidget(self.values[name], row, 1)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(len(_FACTS), 1)
        row_ = QHBoxLayout(self._body)
        row_.setContentsMargins(12, 9, 12, 9)
        row_.setSpacing(16)
        row_.addWidget(self.map, 0, Qt.AlignmentFlag.AlignTop)
        row_.addLayout(grid, 3)
        row_.addWidget(self.why, 2, Qt.AlignmentFlag.AlignTop)

    def show_image(self, view: QuestionView | None, picture: ShownPicture | None, seen: SeenMap) -> None:
        """Show a question's image and what was seen of it."""
        self._view, self._picture, self._share = view, picture, seen.share()
        self.map.show_seen(picture, seen)
        self.retranslate()

    def is_open(self) -> bool:
        """Whether more than the head is shown."""
        return not self._body.isHidden()

    def toggle(self) -> None:
        """Open or fold."""
        self._wanted = not self.is_open()
        self.remeasure()
        self.opened.emit(self._wanted)

    def retranslate(self) -> None:
        """Read all texts again."""
        self.title.set_text(tr("choice.tray"))
        self.fold.set_text(tr("choice.tray_toggle"))
        self.why.set_text(tr("choice.seen_why"))
        for name in _FACTS:
            self.names[name].set_text(tr(f"choice.fact.{name}"))
        view, picture = self._view, self._picture
        size = ""
        if picture is not None:
            width, height = picture.full.width(), picture.full.height()
            size = tr("choice.size", width=width, height=height, mp=f"{width * height / 1e6:.1f}")
        self.values["seen"].set_text(tr("choice.percent", n=f"{self._share * 100:.0f}"))
        self.values["size"].set_text(size or "–")
        path = view.image_path if view is not None else None
        raw = view.question.image.raw if view is not None and view.question.image is not None else None
        self.values["file"].set_text(path.name if path is not None else raw or "–")
        source = tr("choice.source", name=Path(view.question.source).name, row=view.question.row + 1) if view else "–"
        self.values["source"].set_text(source)

    def remeasure(self) -> None:
        """Folded by the size class, unless a person has chosen."""
        shown = self._wanted if self._wanted is not None else not density.metrics().tray_folded
        self._body.setVisible(shown)
        self._line.setVisible(shown)
        self.fold.set_icon("chevron-down" if shown else "chevron-up")
        self.why.setVisible(density.metrics().key_hints)
        self.map.setMinimumHeight(fonts.px(60))
        super().remeasure()
