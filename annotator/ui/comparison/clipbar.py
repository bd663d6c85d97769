"""The bar under the stage: frames of a clip or a folder stepped and played, pictures one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSlider, QVBoxLayout, QWidget

from annotator.domain.timecode import clock
from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.media_playback import RATES
from annotator.ui.widgets import Combo, ElidedLabel, Ground, IconButton

# Frames per second at which a folder of frames may be played; it tells no rate of its own.
FPS = tuple(Fraction(n) for n in (1, 2, 4, 8, 12, 24, 30))
USUAL_FPS = Fraction(4)
_ROOMY = 400
_STEPS = (
    ("skip-back", "segment_start"),
    ("step-back", "frame_back"),
    ("play", "play"),
    ("step-forward", "frame_forward"),
    ("skip-forward", "segment_end"),
)


@dataclass(frozen=True, slots=True)
class ClipState:
    """What the bar shows.

    Attributes:
        kind: `folder` of frames, `clip`, `pictures` (several), or `none` where there is nothing to move through.
        index, last: the frame or picture shown, and the last one that may be shown, from 0; None while unknown.
        count: how many there are, those that may not be shown included.
        at, duration: seconds of a clip.
        rate: speed of a clip, or frames per second of a folder.
    """

    kind: str = "none"
    index: int | None = None
    last: int = 0
    count: int = 0
    at: Fraction | None = None
    duration: Fraction | None = None
    playing: bool = False
    rate: Fraction = Fraction(1)


class ClipBar(Ground):
    """Buttons, slider, place and rate.

    Signals:
        action(id): a media action of the key table. gone(index): to this frame. rate_chosen(Fraction).
    """

    action = Signal(str)
    gone = Signal(int)
    rate_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing to move through."""
        super().__init__("panel", ("top",), "hair", parent)
        self.setObjectName("clipBar")
        self._state = ClipState()
        self._rates: tuple[Fraction, ...] = ()
        self.buttons = {name: IconButton(icon, key=name) for icon, name in _STEPS}
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setObjectName("frameSlider")
        self.slider.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.place = ElidedLabel("", "label", "text2", tabular=True)
        self.rate = Combo()
        self.rate.setObjectName("playRate")
        row = QHBoxLayout()
        row.setSpacing(0)
        for name, button in self.buttons.items():
            button.setProperty("action", name)
            button.setObjectName(f"clip_{name}")
            button.clicked.connect(self._clicked)
            row.addWidget(button)
        row.addSpacing(4)
        row.addWidget(self.place, 1)
        row.addWidget(self.rate)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 3, 4, 0)
        column.setSpacing(0)
        column.addWidget(self.slider)
        column.addLayout(row)
        self.slider.valueChanged.connect(self._slid)
        self.rate.activated.connect(self._rated)
        self.hide()
        self.go_live()

    def show_state(self, state: ClipState) -> None:
        """Show another moment."""
        before, self._state = self._state, state
        self.setVisible(state.kind != "none")
        if state.kind == "none":
            return
        timed = state.kind in ("folder", "clip")
        self.slider.setVisible(timed)
        self.rate.setVisible(timed)
        for name, button in self.buttons.items():
            button.setVisible(timed or name in ("frame_back", "frame_forward"))
            button.setEnabled(state.index is not None)
        self._make_room()
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, state.last))
        self.slider.setValue(state.index or 0)
        self.slider.blockSignals(False)
        self.buttons["frame_back"].setEnabled(bool(state.index))
        self.buttons["frame_forward"].setEnabled(state.index is not None and state.index < state.last)
        self._show_rates(FPS if state.kind == "folder" else RATES)
        if before.playing != state.playing:
            self.buttons["play"].set_icon("pause" if state.playing else "play")
        self._write()

    def _show_rates(self, rates: tuple[Fraction, ...]) -> None:
        if rates is not self._rates:
            self._rates = rates
            self._fill()
        self.rate.setCurrentIndex(rates.index(self._state.rate) if self._state.rate in rates else -1)

    def _fill(self) -> None:
        self.rate.clear()
        for rate in self._rates:
            folder = self._rates is FPS
            self.rate.addItem(tr("comparison.fps", n=int(rate)) if folder else f"{float(rate):g}×")

    def _write(self) -> None:
        state = self._state
        number = "–" if state.index is None else state.index + 1
        if state.kind == "clip" and state.at is not None and state.duration is not None:
            self.place.set_text(f"{clock(state.at, 2)} / {clock(state.duration, 1)}")
        else:
            kind = "picture" if state.kind == "pictures" else "frame"
            self.place.set_text(tr(f"comparison.{kind}_of", number=number, count=state.count))
        self.buttons["play"].set_text(tr("transport.pause" if state.playing else "transport.play"))

    def _clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.action.emit(str(sender.property("action")))

    def _slid(self, value: int) -> None:
        self.gone.emit(value)

    def _rated(self, index: int) -> None:
        self.rate_chosen.emit(self._rates[index])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The ends have keys of their own: their buttons go first where it is narrow."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        roomy = self._state.kind in ("folder", "clip") and self.width() >= density.scaled(_ROOMY)
        for name in ("segment_start", "segment_end"):
            self.buttons[name].setVisible(roomy)

    def retranslate(self) -> None:
        """Names of the buttons, the words."""
        for name in ("segment_start", "frame_back", "frame_forward", "segment_end"):
            self.buttons[name].set_text(tr(f"transport.{name}"))
        self.slider.setAccessibleName(tr("comparison.frames"))
        self.rate.setAccessibleName(tr("transport.rate"))
        at = self.rate.currentIndex()
        self._fill()
        self.rate.setCurrentIndex(at)
        self._write()

    def remeasure(self) -> None:
        """The slider is as high as a keycap."""
        self.slider.setFixedHeight(density.scaled(18))
        super().remeasure()
