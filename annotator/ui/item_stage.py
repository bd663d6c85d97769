"""The stage of items that are no dialogues: tools, picture, loupe and navigator, and the next picture prepared.

Their media go through the same gate, session and loader as a dialogue's, so that zooming, loupe, navigator, sentences
for what is missing, and preparing ahead are the ones of the audit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRectF, QSizeF, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator import settings
from annotator.domain.gate import Strip
from annotator.ui.media_adjust import Adjustment
from annotator.ui.media_adjust_panel import AdjustPanel
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_session import MediaSession
from annotator.ui.media_states import StateMaker
from annotator.ui.media_tools import MediaTools
from annotator.ui.mediaview import MediaView
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.media.service import MediaService


def _new_service() -> MediaService:
    from annotator.media.service import MediaService

    return MediaService(disk=settings.cache_dir())


class ItemStage(Live, QWidget):
    """Shows the media of one item; holds no workspace.

    Signals:
        pixel(x, y, QColor or None): under the pointer. zoom_changed(text): for the status bar.
        seen_changed(): more of the picture was looked at, or another one is shown.
        message(kind, text): for the message bar.
    """

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    seen_changed = Signal()
    message = Signal(str, str)

    def __init__(
        self, tools: MediaTools, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None
    ) -> None:
        """`make_service` gives the media service at first use; without it the stage makes and ends its own."""
        super().__init__(parent)
        self._own_service = make_service is None
        self.loader = MediaLoader(make_service or _new_service, self)
        self.session = MediaSession(self.loader, self)
        self.tools, self.stage = tools, MediaView()
        self.adjust = AdjustPanel(self.stage)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.column.addWidget(self.tools)
        self.column.addWidget(self.stage, 1)
        stage = self.stage
        self._actions: dict[str, Callable[[], Any]] = {
            "fit": stage.fit, "fill": stage.fill, "actual_size": lambda: stage.zoom_to(1.0),
            "double_size": lambda: stage.zoom_to(2.0), "zoom_in": lambda: stage.zoom_step(1),
            "zoom_out": lambda: stage.zoom_step(-1), "rotate": stage.turn, "navigator": self._navigator,
            "loupe_pin": self._pin_loupe, "adjust": self._adjust,
        }  # fmt: skip
        session = self.session
        session.picture.connect(self._picture)
        session.state.connect(stage.show_state)
        self.loader.sharper.connect(stage.sharper)
        stage.pixel.connect(self.pixel)
        stage.zoom_changed.connect(self._zoom)
        stage.viewed.connect(self._staged)
        stage.looked.connect(self._looked)
        self.tools.action.connect(self.handle)
        self.adjust.changed.connect(self._adjusted)

    # ------------------------------------------------------------------------------------------------- what is shown
    def open_nothing(self) -> None:
        """No item is open."""
        self.session.open_strip(Strip("image", ()), StateMaker())
        self.stage.show_state(None)

    @property
    def picture(self) -> ShownPicture | None:
        """The picture on the stage."""
        return self.stage.picture

    # ---------------------------------------------------------------------------------------------------- what to do
    def handle(self, action: str) -> bool:
        """Do a media action; whether it is one of ours."""
        done = self._actions.get(action)
        if done is not None:
            done()
        return done is not None

    def escape(self) -> bool:
        """Esc: leave the innermost of what is open; whether anything was."""
        if self.adjust.isVisible():
            self.adjust.hide()
            return True
        return False

    def hold(self, action: str, on: bool) -> bool:
        """A held key: `loupe` and `pan`; whether it is one of ours."""
        if action == "loupe":
            self.stage.set_loupe(on)
            self.tools.set_loupe(on)
        elif action == "pan":
            self.stage.set_hand(on)
        return action in ("loupe", "pan")

    def close_media(self) -> None:
        """The window closes: no more deliveries, and the stage's own service ended."""
        self.loader.close(end_service=self._own_service)

    # ------------------------------------------------------------------------------------------------------ reactions
    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        self.stage.show_picture(picture, keep=keep)
        self.tools.show_note("", picture.damaged, picture.why)
        self.seen_changed.emit()

    def _zoom(self, text: str) -> None:
        self.tools.show_zoom(self.stage.viewport.mode, self.stage.viewport.zoom)
        self.zoom_changed.emit(text)

    def _looked(self, rect: QRectF, size: QSizeF) -> None:
        stop = self.session.stop
        if stop is not None and self.session.viewing.seen_map(stop).mark(rect, size):
            self.seen_changed.emit()

    def _navigator(self) -> None:
        self.tools.set_navigator(self.stage.toggle_navigator())

    def _pin_loupe(self) -> None:
        on = self.stage.loupe.isHidden()
        self.stage.set_loupe(on)
        self.tools.set_loupe(on)

    def _adjust(self) -> None:
        if self.adjust.isVisible():
            self.adjust.hide()
        else:
            self.adjust.open_at(QPoint(8, 8))

    def _adjusted(self, adjust: Adjustment) -> None:
        self.stage.set_adjust(adjust)
        self.show_adjusted(not adjust.neutral)

    def show_adjusted(self, on: bool) -> None:
        """Whether the view is lightened or stretched; subclasses say how their tools show it."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Previews are made for the stage as it is."""
        super().resizeEvent(event)
        self._staged()

    def _staged(self) -> None:
        self.loader.suit(self.stage)

    def hideEvent(self, event: QHideEvent) -> None:
        """The loupe's key may be let go elsewhere."""
        self.hold("loupe", False)
        super().hideEvent(event)
