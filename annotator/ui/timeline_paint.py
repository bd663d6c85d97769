"""Painting the evidence strip: ruler, frames, turns, speech and clips, the hatch, the gate and its flag; picture cells.

Everything but the playhead goes into one picture that the widget keeps; positions are pixels of the widget.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from annotator.domain.timecode import clock
from annotator.ui import density, fonts, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.timeline_model import Axis, Block, Scene, TurnMark, tick_step
from annotator.ui.timeline_parts import Thumbs, gate_text, paint_rough, slots
from annotator.ui.widgets import paint

LABELS_PX = 56


@dataclass(frozen=True, slots=True)
class Lanes:
    """The lanes' places from the top, as (y, height); `clips` and `speech` are one lane where the window is short."""

    ruler: tuple[float, float]
    frames: tuple[float, float]
    turns: tuple[float, float]
    speech: tuple[float, float]
    clips: tuple[float, float]
    folded: bool

    @classmethod
    def now(cls) -> Lanes:
        """The lanes in the window's present size class."""
        line, turn, frames = density.scaled(16), density.scaled(24), density.metrics().frames_lane
        y_frames = line + 2
        y_turns = y_frames + frames + 4
        y_speech = y_turns + turn + 3
        folded = density.is_short()
        y_clips = y_speech if folded else y_speech + line + 2
        return cls((0, line), (y_frames, frames), (y_turns, turn), (y_speech, line), (y_clips, line), folded)


def bar_height() -> int:
    """Height of the bar that stands over picture cells."""
    return density.scaled(20)


class StripPainter:
    """Paints one scene; made anew for each picture."""

    def __init__(
        self,
        painter: QPainter,
        axis: Axis,
        area: QRectF,
        offset: float,
        thumbs: Thumbs,
        rough: Callable[[int, Fraction], bool],
    ) -> None:
        """`area`: the strip's own area on the widget; `offset`: how far it is scrolled, in px."""
        self.painter, self.axis, self.area, self.offset, self.thumbs = painter, axis, area, offset, thumbs
        self.rough = rough
        self.scene: Scene = axis.scene
        self.left = area.left() - offset

    # ----------------------------------------------------------------------------------------------------------- video
    def paint_all(self) -> None:
        """All lanes of a video dialogue."""
        lanes = Lanes.now()
        self._labels(lanes)
        self.painter.save()
        self.painter.setClipRect(self.area)
        self._ruler(lanes)
        self._frames(lanes)
        for block in self.axis.blocks:
            self._turn(block, lanes)
        self._speech(lanes)
        self._clips(lanes)
        self._hatch(lanes)
        self._gate(lanes)
        self.painter.restore()

    def _labels(self, lanes: Lanes) -> None:
        font = fonts.font("meta")
        names = [
            (tr("timeline.lane_time"), lanes.ruler),
            (tr("timeline.lane_frames"), lanes.frames),
            (tr("timeline.lane_turns"), lanes.turns),
            (tr("timeline.lane_clips"), lanes.clips),
        ]
        if not lanes.folded:  # folded, speech is a thin bar in the lane of the clips' names
            names.append((tr("timeline.lane_speech"), lanes.speech))
        for text, (y, height) in names:
            area = QRectF(10, y, self.area.left() - 12, height)
            paint.draw_text(self.painter, area, text, font, "text3")
        x = self.area.left() - 1
        paint.hairline(self.painter, x, 0, x + 1, self.area.bottom())

    def _ruler(self, lanes: Lanes) -> None:
        _, height = lanes.ruler
        font = fonts.font("meta", tabular=True)
        step = tick_step(float(self.axis.total) / self.axis.width)
        first = int(self.offset / self.axis.width * float(self.axis.total) / float(step))
        last = int((self.offset + self.area.width()) / self.axis.width * float(self.axis.total) / float(step)) + 1
        decimals = 1 if step < 1 else 0
        for number in range(first, last + 1):
            x = self.left + self.axis.seconds_to_x(number * step)
            if number * step > self.axis.total:
                break
            paint.hairline(self.painter, round(x), 0, round(x) + 1, height)
            text = clock(number * step, decimals)
            paint.draw_text(self.painter, QRectF(x + 4, 0, 70, height), text, font, "text2")
        paint.hairline(self.painter, self.area.left(), height, self.area.right(), height + 1)

    def _frames(self, lanes: Lanes) -> None:
        y, height = lanes.frames
        for stop in range(len(self.scene.strip.stops)):
            for left, right, at in slots(self.axis, stop, height, self.offset, self.area.width()):
                box = QRectF(self.left + left, y, right - left, height)
                self.painter.fillRect(box, theme.color("sunken"))
                shown = self.thumbs.paint(self.painter, (stop, at), box.adjusted(0, 0, -1, 0))
                if shown and self.rough(stop, at):
                    paint_rough(self.painter, box)

    def _turn(self, block: Block, lanes: Lanes) -> None:
        y, height = lanes.turns
        box = QRectF(self.left + block.left + 1, y, block.right - block.left - 2, height)
        if box.right() < self.area.left() or box.left() > self.area.right():
            return
        current = block.turn == self.scene.current
        future = self.scene.current is not None and block.turn > self.scene.current and not self.scene.gate.peeking
        number = str(block.turn + 1)
        if future:
            paint.frame(self.painter, box, None, theme.color("line"), 2.0, dashed=True)
        elif current:
            paint.frame(self.painter, box, theme.color("selected"), theme.color("accent"), 2.0, 1.5)
        else:
            paint.frame(self.painter, box, theme.color("raised"), theme.color("line"), 2.0)
            self.painter.fillRect(QRectF(box.left(), box.top(), 2, box.height()), theme.color("control"))
        role = "text3" if future else "accent-text" if current else "text"
        font = fonts.font("label", 500 if future else 600, tabular=True)
        wide = paint.text_width(number, font)
        self.painter.save()
        self.painter.setClipRect(box.intersected(self.area))
        inset = max(3.0, min(8.0, (box.width() - wide) / 2))
        paint.draw_text(self.painter, QRectF(box.left() + inset, y, wide + 2, height), number, font, role)
        x = box.left() + inset + wide + 6
        mark = self._mark(block.turn)
        if future:
            if x + 13 <= box.right():
                icons.paint(self.painter, "lock", x, y + (height - 13) / 2, "text3", 13)
        elif x + paint.spark_width(len(mark.scores)) <= box.right() - 1:
            paint.draw_spark(self.painter, round(x), round(y + (height - paint.SPARK_HEIGHT) / 2), mark.scores)
        if not block.placed and not future and box.width() > 90:
            clock_x = box.right() - 17
            icons.paint(self.painter, "circle-question-mark", clock_x, y + (height - 13) / 2, "text3", 13)
        self.painter.restore()

    def _mark(self, turn: int) -> TurnMark:
        return self.scene.marks[turn] if turn < len(self.scene.marks) else TurnMark()

    def _speech(self, lanes: Lanes) -> None:
        y, height = lanes.speech
        tall = 3.0 if lanes.folded else 6.0
        base = y + height - tall if lanes.folded else y + (height - tall) / 2
        for block in self.axis.blocks:
            future = self.scene.current is not None and block.turn > self.scene.current
            if not self._mark(block.turn).spoken or (future and not self.scene.gate.peeking):
                continue
            stamp = self.scene.turns[block.turn].timestamp
            segment = self.scene.segment(block.turn)
            left, right = block.left + 4, min(block.right - 4, block.left + 30)
            if block.placed and segment is not None and self.scene.strip.stops[segment.stop].shared and stamp.end_exact:
                right = self.axis.x_of(segment.stop, stamp.end_exact)
                start = stamp.start_exact if stamp.end is not None and stamp.start_exact is not None else None
                left = self.axis.x_of(segment.stop, start) if start is not None else max(block.left + 2, right - 26)
            if right > left:
                self.painter.fillRect(QRectF(self.left + left, base, right - left, tall), theme.color("text2"))

    def _clips(self, lanes: Lanes) -> None:
        y, height = lanes.clips
        font = fonts.font("meta")
        for stop in range(len(self.scene.strip.stops)):
            left, right = (self.left + v for v in self.axis.span_of(stop))
            if right < self.area.left() or left > self.area.right():
                continue
            self.painter.fillRect(QRectF(left + 1, y, right - left - 2, 2), theme.color("control"))
            name = self.scene.names[stop] if stop < len(self.scene.names) else ""
            start = max(left, self.area.left()) + 5
            area = QRectF(start, y + 2, right - start - 3, height - (5 if lanes.folded else 1))
            if area.width() > 20:
                paint.draw_text(self.painter, area, name, font, "text2")

    def _hatch(self, lanes: Lanes) -> None:
        rows = [lanes.frames] if lanes.folded else [lanes.frames, lanes.speech]
        for left, right in self.axis.shut():
            for y, height in rows:
                box = QRectF(self.left + left, y, right - left, height).intersected(self.area)
                if not box.isEmpty():
                    theme.fill_hatch(self.painter, box)

    def _gate(self, lanes: Lanes) -> None:
        text, icon = gate_text(self.scene)
        x = self.axis.gate_x()
        if x is None:
            if self.scene.current is None or self.scene.gate.peeking:
                self._flag(self.area.right() - 6, text, icon, right=True)
            return
        at = self.left + x
        paint.hairline(self.painter, round(at) - 1, 0, round(at) + 1, self.area.bottom(), "text")
        self._flag(at + 5, text, icon, right=False)

    def _flag(self, x: float, text: str, icon: str, *, right: bool) -> None:
        font = fonts.font("meta", 600, tabular=True)
        height = density.scaled(16)
        width = paint.text_width(text, font) + 30
        left = x - width if right else x
        if left + width > self.area.right() - 2:
            left = max(self.area.left() + 2, min(left - width - 12, self.area.right() - width - 2))
        box = QRectF(round(left), 1, round(width), height)
        paint.frame(self.painter, box, theme.color("panel"), theme.color("text"), 3.0)
        icons.paint(self.painter, icon, box.left() + 5, box.center().y() - 6, "text", 12)
        paint.draw_text(self.painter, box.adjusted(21, 0, -4, 0), text, font, "text")


def paint_playhead(painter: QPainter, x: float, height: float) -> None:
    """The playhead: a 2 px line with a head, in a column of 14 px."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(QRectF(round(x) - 1, 0, 2, height), theme.color("error"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint.draw_triangle(painter, QPointF(round(x), 8), 6, "error")


def paint_focus(painter: QPainter, box: QRectF) -> None:
    """The strip's own focus mark: inside, since it touches its neighbours."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.drawRect(box.adjusted(1, 1, -1, -1))
