"""Hearing the spoken question: decoded samples to the default sound device; without one it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QAudioSink

# What a device may hold ahead: short, so that a pause is heard as one, and long enough for a busy machine.
_BUFFER_MS = 120


class SoundPlayer(QObject):
    """Plays one sound at a time.

    Signals:
        playing(on): a sound began or ended.
        no_device(): there is nothing to play it on.
    """

    playing = Signal(bool)
    no_device = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Silent; the sound system is loaded when the first sound is played."""
        super().__init__(parent)
        self._sink: QAudioSink | None = None
        self._buffer: QBuffer | None = None
        self._bytes_per_second = 1
        self._on = False

    @property
    def on(self) -> bool:
        """Whether a sound is being played."""
        return self._on

    def play(self, pcm: Any, rate: int) -> bool:
        """Play int16 samples (samples, channels) at `rate`; whether there is a device for it."""
        self.stop()
        made = self._make_sink(int(pcm.shape[1]), rate)
        if made is None:
            self.no_device.emit()
            return False
        self._sink = made
        self._bytes_per_second = rate * int(pcm.shape[1]) * 2
        made.setBufferSize(self._bytes_per_second * _BUFFER_MS // 1000)
        self._buffer = QBuffer(self)
        self._buffer.setData(QByteArray(pcm.tobytes()))
        self._buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        made.stateChanged.connect(self._state_changed)
        made.start(self._buffer)
        self._set(True)
        return True

    def position(self) -> float:
        """Seconds that were heard of what is being played: what the device took, without what it still holds."""
        sink = self._sink
        if sink is None:
            return 0.0
        held = max(0, sink.bufferSize() - sink.bytesFree()) / self._bytes_per_second
        return max(0.0, sink.processedUSecs() / 1e6 - held)

    def stop(self) -> None:
        """Be silent."""
        sink, self._sink = self._sink, None
        if sink is not None:
            sink.stateChanged.disconnect(self._state_changed)
            sink.stop()
            sink.deleteLater()
        if self._buffer is not None:
            self._buffer.close()
            self._buffer.deleteLater()
            self._buffer = None
        self._set(False)

    def _make_sink(self, channels: int, rate: int) -> QAudioSink | None:
        from PySide6.QtMultimedia import QAudioFormat, QAudioSink, QMediaDevices

        device = QMediaDevices.defaultAudioOutput()
        if device.isNull():
            return None
        form = QAudioFormat()
        form.setChannelCount(channels)
        form.setSampleRate(rate)
        form.setSampleFormat(QAudioFormat.SampleFormat.Int16)
        return QAudioSink(device, form, self)

    def _state_changed(self, state: Any) -> None:
        from PySide6.QtMultimedia import QAudio

        if state in (QAudio.State.IdleState, QAudio.State.StoppedState):
            self.stop()

    def _set(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self.playing.emit(on)
