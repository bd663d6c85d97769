"""The bar under the picture: where we are in the clip, one step either way, the question's sound, the logged peek."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.domain.timecode import clock
from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button, ElidedLabel, Ground, IconButton, Separator

_STEPS = (
    ("skip-back", "segment_start"),
    ("step-back", "frame_back"),
    ("play", "play"),
    ("step-forward", "frame_forward"),
    ("skip-forward", "segment_end"),
)
RATES = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))


@dataclass(frozen=True, slots=True)
class TransportState:
    """What the bar shows.

    Attributes:
        kind: `video`, `image`, or `none` where nothing is on the stage.
        at, duration: seconds; None while unknown.
        index, count: frame and number of frames, or picture and number of pictures; both from 0 / as counts.
        playing: the clip runs.
        audio: the open turn has a spoken question with a file; `speaking`: it is being played.
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
    peek: bool = False
    peeking: bool = False


class Transport(Ground):
    """The transport bar.

    Signals:
        action(id): a media action of the key table, `question_audio` or `peek`.
    """

    action = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """An idle bar."""
        super().__init__("panel", ("top",), "hair", parent)
        self._state = TransportState()
        self._buttons = {name: IconButton(icon, key=name) for icon, name in _STEPS}
        self._time = ElidedLabel("", "time", tabular=True)
        self._rest = ElidedLabel("", "label", "text3", tabular=True)
        self._mark = Separator(vertical=True, role="line", length=18)
        self._audio = IconButton("volume-2")
        self._peek = Button("", "flat", "eye-off", "peek", small=True)
        self._peek.setObjectName("peekButton")
        self._audio.setObjectName("questionAudio")
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
        row.addWidget(self._mark)
        row.addSpacing(2)
        self._audio.setProperty("action", "question_audio")
        self._audio.clicked.connect(self._clicked)
        row.addWidget(self._audio)
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
        self._mark.setVisible(state.audio and state.peek)
        self._audio.set_icon("pause" if state.speaking else "volume-2")
        self._peek.setVisible(state.peek or state.peeking)
        self._peek.setEnabled(state.peek and not state.peeking)
        self._write()

    def _write(self) -> None:
        state = self._state
        if state.kind == "video":
            self._time.set_text(clock(state.at, 3) if state.at is not None else "--:--.---")
            values = {
                "duration": clock(state.duration, 3) if state.duration is not None else "--:--.---",
                "index": "–" if state.index is None else state.index,
            }
            self._rest.set_text(tr("transport.rest_video", **values))
        elif state.kind == "image" and state.index is not None:
            self._time.set_text("")
            self._rest.set_text(tr("transport.rest_image", number=state.index + 1, count=state.count or 0))
        else:
            self._time.set_text("")
            self._rest.set_text("")
        self._time.setVisible(bool(self._time.text()))
        small = density.current() is density.Density.SMALL
        key = "transport.peeking" if state.peeking else "transport.peek_short" if small else "transport.peek"
        self._peek.set_text(tr(key))
        self._peek.set_icon("eye" if state.peeking else "eye-off")

    def _clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.action.emit(str(sender.property("action")))

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
        self._write()

    def remeasure(self) -> None:
        """38 px."""
        self.setFixedHeight(density.metrics().transport)
        self._write()
        super().remeasure()
