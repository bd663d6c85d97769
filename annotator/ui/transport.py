"""The bar under the picture: where we are in the clip, one step either way, the question's sound, the logged peek."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.domain.timecode import clock
from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.media_playback import RATES
from annotator.ui.transport_time import TimeField
from annotator.ui.widgets import Button, Combo, ElidedLabel, Ground, IconButton, Separator, plain_tooltip

_ROOMY = 720
_STEPS = (
    ("skip-back", "segment_start"),
    ("step-back", "frame_back"),
    ("play", "play"),
    ("step-forward", "frame_forward"),
    ("skip-forward", "segment_end"),
)


@dataclass(frozen=True, slots=True)
class TransportState:
    """What the bar shows.

    Attributes:
        kind: `video`, `image`, or `none` where nothing is on the stage.
        at, duration: seconds; None while unknown.
        index, count: frame and number of frames, or picture and number of pictures; both from 0 / as counts.
        playing: the clip runs.
        audio: the open turn has a spoken question with a file; `speaking`: it is being played.
        rate, loop, muted: how the clip is played.
        peek: there is something beyond the gate to peek at.
        peeking: a logged peek is open.
    """

    kind: Literal["video", "image", "none"] = "none"
    at: Fraction | None = None
    duration: Fraction | None = None
    index: int | None = None
    count: int | None = None
    playing: bool = False
    audio: bool = False
    speaking: bool = False
    rate: Fraction = Fraction(1)
    loop: bool = False
    muted: bool = False
    peek: bool = False
    peeking: bool = False


class Transport(Ground):
    """The transport bar.

    Signals:
        action(id): a media action of the key table, `question_audio` or `peek`.
        rate_chosen(Fraction): another speed.
        typed(text): an instant or frame to go to; answer with `accept_typed`.
        left(): the keyboard may go back to the grid.
    """

    action = Signal(str)
    rate_chosen = Signal(object)
    typed = Signal(str)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """An idle bar."""
        super().__init__("panel", ("top",), "hair", parent)
        self._state = TransportState()
        self._buttons = {name: IconButton(icon, key=name) for icon, name in _STEPS}
        self._time = TimeField()
        self._rate = Combo()
        for rate in RATES:
            self._rate.addItem(f"{float(rate):g}×")
        self._loop = IconButton("repeat", key="loop", checkable=True)
        self._sound = IconButton("volume-2", key="clip_sound")
        self._rest = ElidedLabel("", "label", "text3", tabular=True)
        self._mark = Separator(vertical=True, role="line", length=18)
        self._audio = IconButton("mic", key="question_audio")
        self._peek = Button("", "flat", "eye-off", "peek", small=True)
        self._peek.setObjectName("peekButton")
        self._rate.setObjectName("playRate")
        self.setObjectName("transportBar")
        row = QHBoxLayout(self)
        row.setContentsMargins(5, 1, 5, 0)
        row.setSpacing(0)
        for name, button in self._buttons.items():
            button.setProperty("action", name)
            button.setObjectName(f"transport_{name}")
            button.clicked.connect(self._clicked)
            row.addWidget(button)
        row.addSpacing(6)
        row.addWidget(self._time)
        row.addSpacing(6)
        row.addWidget(self._rest, 1)
        row.addWidget(self._rate)
        for name, button in (("loop", self._loop), ("clip_sound", self._sound), ("question_audio", self._audio)):
            button.setProperty("action", name)
            button.setObjectName(f"transport_{name}" if name != "question_audio" else "questionAudio")
            button.clicked.connect(self._clicked)
            row.addWidget(button)
        row.addWidget(self._mark)
        row.addSpacing(2)
        self._rate.activated.connect(self._rated)
        self._time.typed.connect(self.typed)
        self._time.left.connect(self.left)
        self._peek.setProperty("action", "peek")
        self._peek.clicked.connect(self._clicked)
        row.addWidget(self._peek)
        self.show_state(self._state)
        self.go_live()

    def show_state(self, state: TransportState) -> None:
        """Show another moment."""
        before, self._state = self._state, state
        video = state.kind == "video"
        if before.kind != state.kind or before == state:
            for button in self._buttons.values():
                button.setVisible(video)
        if before.playing != state.playing:
            self._buttons["play"].set_icon("pause" if state.playing else "play")
            self._name_play()
        first = state.index == 0
        last = state.index is not None and state.count is not None and state.index >= state.count - 1
        ready = state.at is not None
        self._buttons["frame_back"].setEnabled(ready and not first)
        self._buttons["frame_forward"].setEnabled(ready and not last)
        for name in ("segment_start", "play", "segment_end"):
            self._buttons[name].setEnabled(ready)
        self._audio.setVisible(state.audio)
        self._mark.setVisible((video or state.audio) and state.peek)
        self._audio.set_icon("pause" if state.speaking else "mic")
        for widget in (self._rate, self._loop, self._sound):
            widget.setVisible(video)
        self._rate.setCurrentIndex(RATES.index(state.rate) if state.rate in RATES else -1)
        self._loop.setChecked(state.loop)
        silent = state.muted or state.rate != 1
        self._sound.set_icon("volume-x" if silent else "volume-2")
        self._sound.setEnabled(state.rate == 1)
        self._name_sound()
        self._peek.setVisible(state.peek or state.peeking)
        self._peek.setEnabled(state.peek and not state.peeking)
        self._write()

    def _write(self) -> None:
        state = self._state
        if state.kind == "video":
            self._time.show_time(clock(state.at, 3) if state.at is not None else "--:--.---", state.at is not None)
            values = {
                "duration": clock(state.duration, 3) if state.duration is not None else "--:--.---",
                "index": "–" if state.index is None else state.index,
            }
            self._rest.set_text(tr("transport.rest_video", **values))
        elif state.kind == "image" and state.index is not None:
            self._time.show_time("", False)
            self._rest.set_text(tr("transport.rest_image", number=state.index + 1, count=state.count or 0))
        else:
            self._time.show_time("", False)
            self._rest.set_text("")
        self._time.setVisible(state.kind == "video")
        small = density.current() is density.Density.SMALL or self.width() < density.scaled(_ROOMY)
        key = "transport.peeking" if state.peeking else "transport.peek_short" if small else "transport.peek"
        self._peek.set_text(tr(key))
        self._peek.set_icon("eye" if state.peeking else "eye-off")

    def _clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.action.emit(str(sender.property("action")))

    def ask_time(self) -> None:
        """The keyboard goes into the time, to type another."""
        if self._time.isVisible():
            self._time.begin()

    def leave_time(self) -> None:
        """Another turn or dialogue: what was being typed was meant for the last one."""
        self._time.leave()

    def accept_typed(self, went: bool) -> None:
        """Whether the stage went where it was told: the field closes, or keeps the text and shows the fault."""
        self._time.end(went)

    def _rated(self, index: int) -> None:
        self.rate_chosen.emit(RATES[index])
        self.left.emit()

    def _name_sound(self) -> None:
        state = self._state
        key = "speed" if state.rate != 1 else "off" if state.muted else "on"
        self._sound.set_text(tr(f"transport.sound_{key}"))

    def _name_play(self) -> None:
        self._buttons["play"].set_text(tr("transport.pause" if self._state.playing else "transport.play"))

    def retranslate(self) -> None:
        """Names of the buttons, the words."""
        self._buttons["segment_start"].set_text(tr("transport.segment_start"))
        self._buttons["segment_end"].set_text(tr("transport.segment_end"))
        self._buttons["frame_back"].set_text(tr("transport.frame_back"))
        self._buttons["frame_forward"].set_text(tr("transport.frame_forward"))
        self._name_play()
        self._audio.set_text(tr("transport.question_audio"))
        self._rate.setAccessibleName(tr("transport.rate"))
        self._rate.setToolTip(plain_tooltip(tr("transport.rate_keys", slower=label("slower"), faster=label("faster"))))
        self._loop.set_text(tr("transport.loop"))
        self._name_sound()
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The longer words where there is room."""
        super().resizeEvent(event)
        self._write()

    def remeasure(self) -> None:
        """38 px."""
        self.setFixedHeight(density.metrics().transport)
        self._write()
        super().remeasure()
