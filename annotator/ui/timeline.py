"""The evidence strip under the picture: when each turn was asked, what it saw, and where the gate stands."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QImage,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import density, theme
from annotator.ui.i18n import tr
from annotator.ui.timeline_cells import CellPainter
from annotator.ui.timeline_hand import KEYS, TimelineHand
from annotator.ui.timeline_model import Axis, Scene
from annotator.ui.timeline_paint import (
    Lanes,
    StripPainter,
    bar_height,
    paint_focus,
    paint_playhead,
)
from annotator.ui.timeline_parts import Thumbs, gate_text, slots
from annotator.ui.timeline_pins import paint_pins
from annotator.ui.widgets.base import Live


class TimelineView(Live, TimelineHand):
    """The strip of one dialogue: one widget, one kept picture, the playhead drawn over it.

    Signals:
        turn_clicked(turn): a turn's block was clicked.
        seek(stop, at): an open instant (Fraction of seconds) was clicked, or a drag ended there.
        scrub(stop, at): the same while the drag goes on.
        refused(stop, at): the same beyond the gate; nothing else happens.
        action(id): a media key pressed while the strip has the focus.
        pin_clicked(target, field): the mark of an evidence pin was clicked.
        thumbs_wanted(list): the thumbnails in view that are missing or rough, as (stop, instant); all inside the gate.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        """An empty strip."""
        super().__init__(parent)
        self.setObjectName("timelineView")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("keepsKeys", [int(k.value) for k in (*KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter)])
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(200)
        self._kept: QPixmap | None = None
        self._thumbs = Thumbs()
        self._rough: set[tuple[int, Fraction]] = set()
        self._asked: tuple[tuple[int, Fraction], ...] = ()
        self.go_live()

    # ------------------------------------------------------------------------------------------------- what is shown
    @property
    def scene(self) -> Scene | None:
        """What is shown; call `scene_changed` after changing it."""
        return self._scene

    def show_scene(self, scene: Scene | None) -> None:
        """Show another dialogue's strip, unzoomed."""
        self._scene = scene
        self._zoom, self._offset = 1.0, 0.0
        self._drop_thumbs()
        self.scene_changed()

    def scene_changed(self) -> None:
        """The scene has changed in place: lay it out and paint it again."""
        self._axis = Axis(self._scene, self._area().width(), self._zoom) if self._scene is not None else None
        self._offset = self._clamped(self._offset)
        self._show_current()
        self._tell_name()
        self._renew()

    def set_playhead(self, stop: int, at: Fraction) -> None:
        """Move the playhead; only its column is painted again."""
        if self._scene is None:
            return
        before = self._playhead_x()
        moved = self._scene.playhead is None or self._scene.playhead[0] != stop
        self._scene.playhead = (stop, at)
        if moved and not self._scene.is_video:
            self._renew()
        for x in (before, self._playhead_x()):
            if x is not None:
                self.update(QRect(round(x) - 7, 0, 14, self.height()))

    def set_thumb(self, stop: int, at: Fraction, image: QImage, exact: bool = True) -> None:
        """A thumbnail has arrived: the frame itself, or a key frame near it, to be refined."""
        if not exact and (stop, at) in self._thumbs.images and (stop, at) not in self._rough:
            return
        self._thumbs.put((stop, at), image)
        (self._rough.discard if exact else self._rough.add)((stop, at))
        self._kept = None
        self.update()

    def forget_thumbs(self) -> None:
        """The gate closed: pictures of what is shut now leave the memory of the strip."""
        if self._scene is None:
            return
        gate, video = self._scene.gate, self._scene.is_video
        self._thumbs.keep(lambda stop, at: gate.allows(stop, at if video else None))
        self._rough &= self._thumbs.images.keys()
        # What was under way was given up with the old gate: the next paint asks for what is missing still.
        self._asked = ()

    def _drop_thumbs(self) -> None:
        self._thumbs.clear()
        self._rough.clear()
        self._asked = ()

    def renew_thumbs(self) -> None:
        """All thumbnails again: they are shown otherwise now."""
        self._drop_thumbs()
        self._renew()

    def x_of_turn(self, turn: int) -> float | None:
        """The middle of a turn's block in the widget, None if it is not there."""
        block = next((b for b in self._axis.blocks if b.turn == turn), None) if self._axis is not None else None
        return None if block is None else self._area().left() - self._offset + (block.left + block.right) / 2

    # -------------------------------------------------------------------------------------------------------- layout
    def _show_current(self) -> None:
        """Scroll so that the open turn is in view."""
        scene, axis = self._scene, self._axis
        if scene is None or axis is None or scene.current is None:
            return
        block = next((b for b in axis.blocks if b.turn == scene.current), None)
        room = self._area().width()
        if block is not None and not (self._offset <= block.left and block.right <= self._offset + room):
            self._offset = self._clamped(block.left - room / 4)

    def _renew(self) -> None:
        self._kept = None
        self.update()

    # ------------------------------------------------------------------------------------------------------ painting
    def paintEvent(self, event: QPaintEvent) -> None:
        """The kept picture, and the playhead over it."""
        painter = QPainter(self)
        painter.setClipRegion(event.region())
        ratio = self.devicePixelRatioF()
        if self._kept is None or self._kept.size() != self.size() * ratio:
            self._kept = self._made(ratio)
        painter.drawPixmap(0, 0, self._kept)
        x = self._playhead_x()
        if x is not None and self._area().left() - 1 <= x <= self._area().right() + 1:
            paint_playhead(painter, x, self.height())
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()))

    def _made(self, ratio: float) -> QPixmap:
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(theme.color("panel"))
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(0, 0, self.width(), 1), theme.color("hair"))
        if self._axis is not None and self._scene is not None:
            area = self._area()
            kind = StripPainter if self._scene.is_video else CellPainter
            strip = kind(painter, self._axis, area, self._offset, self._thumbs, self.is_rough)
            strip.paint_all()
            paint_pins(painter, self._axis, area, self._offset)
        painter.end()
        self._ask_thumbs()
        return made

    def is_rough(self, stop: int, at: Fraction) -> bool:
        """Whether a key frame stands in for this thumbnail."""
        return (stop, at) in self._rough

    def _ask_thumbs(self) -> None:
        wanted = tuple(self._thumbs_in_view())
        if wanted != self._asked:
            self._asked = wanted
            self.thumbs_wanted.emit([w for w in wanted if w not in self._thumbs.images or w in self._rough])

    def _thumbs_in_view(self) -> list[tuple[int, Fraction]]:
        scene, axis = self._scene, self._axis
        if scene is None or axis is None:
            return []
        if not scene.is_video:
            stops = dict.fromkeys(c.stop for c in axis.cells if c.stop is not None)
            return [(stop, Fraction(0)) for stop in stops if scene.gate.allows(stop)]
        height, room = Lanes.now().frames[1], self._area().width()
        found: list[tuple[int, Fraction]] = []
        # Laid out by a guessed length, they would lie elsewhere a moment later.
        for stop in [stop for stop in range(len(scene.strip.stops)) if stop in scene.durations]:
            found += [(stop, at) for _, _, at in slots(axis, stop, height, self._offset, room)]
        return found

    # -------------------------------------------------------------------------------------------------------- events
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out for the new width."""
        if event.size() != event.oldSize():
            self.scene_changed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self.update()

    # ---------------------------------------------------------------------------------------------------------- live
    def retranslate(self) -> None:
        """Texts are painted: paint again."""
        self._tell_name()
        self._renew()

    def restyle(self) -> None:
        """Colours are painted: paint again."""
        self._renew()

    def remeasure(self) -> None:
        """Height and lanes follow the size class."""
        self.setFixedHeight(density.metrics().timeline)
        self.scene_changed()

    def _tell_name(self) -> None:
        self.setAccessibleName(tr("timeline.name"))
        self.setAccessibleDescription(gate_text(self._scene)[0] if self._scene is not None else "")

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(640, density.metrics().timeline)


def cell_top() -> int:
    """Where picture cells begin below the bar; for tests and tours that click them."""
    return bar_height() + 10
