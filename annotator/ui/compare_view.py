"""Two pictures side by side: the one that was held stands left, the stage goes on to its right; views move together.

The link is by delta: what is done to one view (a factor of zoom, a way in pixels, a turn) is done to the other, from
wherever that one was. So two frames of other sizes, or of other places, can be laid beside each other first.
"""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui import density, theme
from annotator.ui.i18n import tr
from annotator.ui.media_picture import ShownPicture
from annotator.ui.mediaview import MediaView
from annotator.ui.viewport import Place
from annotator.ui.widgets import ElidedLabel, paint
from annotator.ui.widgets.base import Live


class ViewLink(QObject):
    """Does to each of two stages what is done to the other, while both show a picture."""

    def __init__(self, left: MediaView, right: MediaView) -> None:
        """Unlinked."""
        super().__init__(left)
        self._views = (left, right)
        self._seen: list[tuple[ShownPicture | None, Place] | None] = [None, None]
        self._busy = False
        self.on = False
        left.viewed.connect(self._left)
        right.viewed.connect(self._right)

    def set_on(self, on: bool) -> None:
        """Link, from where both are now."""
        self.on = on
        self._remember()

    def _remember(self) -> None:
        self._seen = [(view.picture, view.viewport.place()) for view in self._views]

    def _left(self) -> None:
        self._told(0)

    def _right(self) -> None:
        self._told(1)

    def _told(self, which: int) -> None:
        if not self.on or self._busy:
            return
        view, other = self._views[which], self._views[1 - which]
        before = self._seen[which]
        was, now = before[0] if before is not None else None, view.picture
        if before is not None and was is not None and now is not None and was.full == now.full:
            self._busy = True
            other.follow(view.viewport.change_since(before[1]))
            self._busy = False
        self._remember()


class _Caption(Live, QWidget):
    """A line above a picture: what it is."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ElidedLabel("", "meta", "text2", tabular=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.addWidget(self.text, 1)
        self.go_live()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("panel"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())

    def remeasure(self) -> None:
        self.setFixedHeight(density.scaled(22))
        super().remeasure()


class CompareView(Live, QWidget):
    """The stage, with room for a held picture to its left.

    Signals:
        changed(): a picture is held, or let go.
    """

    changed = Signal()

    def __init__(self, stage: MediaView) -> None:
        """Only the stage."""
        super().__init__()
        self.stage = stage
        self.held = MediaView()
        self.held.setObjectName("heldView")
        self._captions = (_Caption(), _Caption())
        self._place: tuple[int, Fraction | None] | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self._sides = (QWidget(), QWidget())
        for side, caption, view in zip(self._sides, self._captions, (self.held, stage), strict=True):
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(0)
            column.addWidget(caption)
            column.addWidget(view, 1)
            row.addWidget(side, 1)
            caption.hide()
        self._sides[0].hide()
        self.link = ViewLink(self.held, stage)
        self.go_live()

    @property
    def on(self) -> bool:
        """Whether a picture is held."""
        return not self._sides[0].isHidden()

    @property
    def place(self) -> tuple[int, Fraction | None] | None:
        """The stop and instant of the held picture; None for one that belongs to no stop."""
        return self._place

    def hold(self, caption: str, place: tuple[int, Fraction | None] | None) -> bool:
        """Hold what is on the stage; False on an empty stage."""
        picture = self.stage.picture
        if picture is None:
            return False
        self._place = place
        self._captions[0].text.set_text(tr("media.compare_held", what=caption))
        for widget in (*self._captions, self._sides[0]):
            widget.show()
        view = self.stage.viewport.place()
        self.held.set_adjust(self.stage.adjust)
        self.held.show_picture(picture)
        self.held.viewport.take_place(view)
        self.held.update()
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.link.set_on(True)
        self.changed.emit()
        return True

    def let_go(self) -> None:
        """Only the stage again."""
        if not self.on:
            return
        self.link.set_on(False)
        for widget in (*self._captions, self._sides[0]):
            widget.hide()
        self.held.show_state(None)
        self._place = None
        self.changed.emit()

    def tell(self, caption: str) -> None:
        """What is on the stage now."""
        self._captions[1].text.set_text(tr("media.compare_stage", what=caption))

    def retranslate(self) -> None:
        """Its name."""
        self.held.setAccessibleName(tr("media.compare_name"))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line between the two."""
        QPainter(self).fillRect(self.rect(), theme.color("line"))
