"""The spoken question of the open turn: decoded beside the window, played here, or a sentence why not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from annotator.domain.items import Asset
from annotator.ui.i18n import tr
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_parcels import sentence_of
from annotator.ui.media_states import Veil
from annotator.ui.player import SoundPlayer
from annotator.workspace.views import asset_path


class QuestionSound(QObject):
    """Plays what a turn's question sounds like.

    Signals:
        speaking(on): a sound began or ended.
        message(kind, text): why it cannot be heard.
    """

    speaking = Signal(bool)
    message = Signal(str, str)

    def __init__(self, loader: MediaLoader, parent: QObject | None = None) -> None:
        """No question yet."""
        super().__init__(parent)
        self._loader = loader
        self._audio: Asset | None = None
        self._veil = Veil()
        self.player = SoundPlayer(self)
        self.player.playing.connect(self.speaking)
        self.player.no_device.connect(self._no_device)

    @property
    def there(self) -> bool:
        """Whether the open turn has a spoken question."""
        return self._audio is not None

    @property
    def on(self) -> bool:
        """Whether it is being played."""
        return self.player.on

    def open(self, audio: Asset | None, veil: Veil) -> None:
        """Another turn's question; the last one falls silent."""
        self.player.stop()
        self._loader.errands.give_up("sound")
        self._audio, self._veil = audio, veil

    def toggle(self) -> None:
        """Play the question, or stop it."""
        if self.player.on:
            self.player.stop()
            return
        path = asset_path(self._audio)
        if path is not None:
            self.play(path)
        elif self._audio is None:
            self.message.emit("info", tr("transport.no_audio"))
        else:
            self.message.emit("warn", tr("transport.audio_missing", name=self._veil.cover(self._audio.raw or "")))

    def play(self, path: Path) -> None:
        """Play a file's sound."""
        self._loader.errands.run(
            "sound", lambda lane: self._loader.service.sound(path, lane=lane), None, self._home, self._failed
        )

    def stop(self) -> None:
        """Be silent."""
        self.player.stop()

    def _home(self, sound: Any) -> None:
        self.player.play(sound.pcm, sound.rate)

    def _failed(self, error: BaseException) -> None:
        self.message.emit("warn", self._veil.cover(sentence_of(error)))

    def _no_device(self) -> None:
        self.message.emit("info", tr("transport.no_device"))
