"""The spot-check that the queue is set to: its name, how far it is, and the way to another one or to all rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import Menu, paint, plain_tooltip
from annotator.ui.widgets.base import PaintedButton
from annotator.workspace.views import SpotState


class SpotChip(PaintedButton):
    """A scale, the name, the rows done of all, and a line as long as that share (objectName `filterSpot`).

    Signals:
        chosen(name): the spot-check to work on; "" for all rows.
    """

    chosen = Signal(str)
    RING_MARGIN = 2

    def __init__(self, parent: QWidget | None = None) -> None:
        """Hidden until there is a spot-check."""
        super().__init__(parent)
        self.setObjectName("filterSpot")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._spots: tuple[SpotState, ...] = ()
        self.project = ""
        self._done = self._all = 0
        self.hide()
        self.clicked.connect(self.open_menu)
        self.go_live()

    def show_spots(self, spots: Sequence[SpotState], project: str, done: int, total: int) -> None:
        """Show the spot-checks there are, the one that is worked on, and how many of its rows are complete."""
        self._spots, self.project = tuple(spots), project
        self._done, self._all = (done, total) if project else (0, 0)
        self.setVisible(bool(spots))
        self.retranslate()

    def retranslate(self) -> None:
        """What a screen reader says, and the whole name for the pointer."""
        words = tr("reveal.spot")
        if self.project:
            done, total = i18n.count(self._done), i18n.count(self._all)
            words = tr("reveal.spot_entry", name=self.project, done=done, all=total)
        self.setText(words)
        self.setAccessibleName(words)
        self.setToolTip(plain_tooltip(words))
        self.update()

    def content_size(self) -> QSize:
        """As wide as there is room."""
        return QSize(60, density.scaled(24))

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground, scale, name, count, the line of progress."""
        on = bool(self.project)
        ground = "hover" if self.hovered else "selected" if on else "raised"
        ink = "accent-text" if on else "text2"
        paint.frame(painter, box, theme.color(ground), theme.color("accent" if on else "control"), 3.0)
        icons.paint(painter, "scale", box.left() + 6, box.center().y() - 7, ink, 14)
        icons.paint(painter, "chevron-down", box.right() - 20, box.center().y() - 7, ink, 14)
        count = f"{i18n.count(self._done)}/{i18n.count(self._all)}" if on else ""
        font = fonts.font("label", 500, tabular=True)
        wide = paint.text_width(count, font) + 4 if count else 0
        area = QRectF(box.left() + 25, box.top(), box.width() - 50 - wide, box.height())
        paint.draw_text(painter, area, self.project or tr("reveal.spot"), fonts.font("label", 500), ink)
        if count:
            paint.draw_text(painter, QRectF(area.right() + 4, box.top(), wide, box.height()), count, font, ink)
            share = self._done / self._all if self._all else 0.0
            painter.fillRect(
                QRectF(box.left() + 2, box.bottom() - 3, (box.width() - 4) * share, 2), theme.color("accent")
            )

    def menu(self) -> Menu:
        """All rows, and each spot-check with what is said of it."""
        menu = Menu(parent=self)
        entries = [("", tr("reveal.spot_all"))]
        for spot in self._spots:
            done, total = i18n.count(spot.done), i18n.count(spot.drawn)
            entries.append((spot.name, tr("reveal.spot_entry", name=spot.name, done=done, all=total)))
        for name, words in entries:
            action = QAction(words.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(name == self.project)
            action.triggered.connect(self._chooser(name))
            menu.addAction(action)
        return menu

    def open_menu(self) -> None:
        """Let a person choose."""
        menu = self.menu()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _chooser(self, name: str) -> Callable[[], None]:
        def choose() -> None:
            self.chosen.emit(name)

        return choose
