"""The image of a question: tools, stage, evidence box, and the next image prepared.

One image is evidence of one turn, always open: it goes through the same gate, session and loader as a dialogue's, so
that zooming, loupe, navigator, sentences for what is missing, and preparing ahead are the ones of the audit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, QSizeF, Signal
from PySide6.QtGui import QHideEvent, QImage, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.domain.gate import Strip
from annotator.domain.items import Asset, Turn
from annotator.domain.timecode import parse
from annotator.ui.choice_tools import ChoiceTools
from annotator.ui.evidence_box import BoxTool
from annotator.ui.i18n import tr
from annotator.ui.media_adjust import Adjustment
from annotator.ui.media_adjust_panel import AdjustPanel
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_session import MediaSession
from annotator.ui.media_states import StateMaker
from annotator.ui.mediaview import MediaView
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.media.service import MediaService
    from annotator.workspace.questions import QuestionView


def _new_service() -> MediaService:
    from annotator.media.service import MediaService

    return MediaService()


def strip_of(view: QuestionView) -> Strip:
    """A question's image as the evidence of one turn; a file that is not there keeps its own state."""
    asset, path = view.question.image, view.image_path
    if path is not None:
        raw = asset.raw if asset is not None else path.name
        asset = Asset(role="image", raw=raw, field="image", status="ok", inside=path.name, root=str(path.parent))
    evidence = (asset,) if asset is not None else ()
    return Strip("image", (Turn(index=0, question="", reference="", timestamp=parse(None), evidence=evidence),))


class ChoiceStage(Live, QWidget):
    """Shows the image of one question; holds no workspace.

    Signals:
        pixel(x, y, QColor or None): under the pointer. zoom_changed(text): for the status bar.
        boxed(QRect, QSize): a box was drawn or changed, in pixels of the picture of that size.
        box_refused(): a box was drawn where none may be.
        seen_changed(): more of the image was looked at, or another image is shown.
        message(kind, text): for the message bar.
    """

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    boxed = Signal(QRect, QSize)
    box_refused = Signal()
    seen_changed = Signal()
    message = Signal(str, str)

    def __init__(self, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None) -> None:
        """`make_service` gives the media service at first use; without it the stage makes and ends its own."""
        super().__init__(parent)
        self._own_service = make_service is None
        self._view: QuestionView | None = None
        self._may_box = False
        self._told = QRect()
        self.loader = MediaLoader(make_service or _new_service, self)
        self.session = MediaSession(self.loader, self)
        self.tools, self.stage = ChoiceTools(), MediaView()
        self.box = BoxTool(self.stage)
        self.adjust = AdjustPanel(self.stage)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(self.stage, 1)
        stage = self.stage
        self._actions: dict[str, Callable[[], Any]] = {
            "fit": stage.fit, "fill": stage.fill, "actual_size": lambda: stage.zoom_to(1.0),
            "double_size": lambda: stage.zoom_to(2.0), "zoom_in": lambda: stage.zoom_step(1),
            "zoom_out": lambda: stage.zoom_step(-1), "rotate": stage.turn, "navigator": self._navigator,
            "loupe_pin": self._pin_loupe, "adjust": self._adjust, "box": self.arm,
        }  # fmt: skip
        self._connect()
        self.go_live()

    def _connect(self) -> None:
        session, stage = self.session, self.stage
        session.picture.connect(self._picture)
        session.state.connect(stage.show_state)
        stage.pixel.connect(self.pixel)
        stage.zoom_changed.connect(self._zoom)
        stage.looked.connect(self._looked)
        self.tools.action.connect(self.handle)
        self.box.drawn.connect(self._drawn)
        self.box.changed.connect(self._box_changed)
        self.adjust.changed.connect(self._adjusted)

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_question(self, view: QuestionView) -> None:
        """Show another question's image, or the same one's with another box."""
        before, self._view = self._view, view
        self._may_box = view.sheet.answered and view.revealed and not view.read_only
        if before is None or before.row.item_id != view.row.item_id or before.image_path != view.image_path:
            self.box.arm(False)
            self._show_box(None)
            self.session.open_strip(strip_of(view), StateMaker())
            self.stage.show_state(None)
            self.session.open_turn(0)
            self.seen_changed.emit()
        self.tools.show_box(may=self._may_box, armed=self.box.armed)
        if not self.box.armed:
            self._show_box(view.sheet.value("box"))

    def clear(self) -> None:
        """No question is open."""
        self._view = None
        self._may_box = False
        self._show_box(None)
        self.session.open_strip(Strip("image", ()), StateMaker())
        self.stage.show_state(None)

    def _show_box(self, value: Any) -> None:
        rect = QRect(*(int(n) for n in value)) if value is not None else QRect()
        self._told = rect
        if rect.isEmpty():
            self.box.clear()
        elif rect != self.box.rect:
            self.box.show_rect(rect)

    def prefetch(self, view: QuestionView) -> None:
        """Prepare the image of a question that likely comes next."""
        permit = EvidenceGate(strip_of(view), 0).warm_permit(0)
        if permit is not None and (self._view is None or permit.path != self._view.image_path):
            self.loader.warm(permit)

    @property
    def picture(self) -> ShownPicture | None:
        """The picture on the stage."""
        return self.stage.picture

    def viewing(self) -> dict[str, float]:
        """What was looked at, as the value of a `viewing` label: shares from 0 to 1."""
        return self.session.viewing.value((0,), None)

    def crop(self, rect: QRect) -> QImage | None:
        """Native pixels of a rectangle; None while only a preview is there."""
        picture = self.stage.picture
        return picture.grab(rect) if picture is not None else None

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
        if self.box.armed:
            self.box.arm(False)
            self.tools.show_box(may=self._may_box, armed=False)
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

    def arm(self) -> None:
        """The next drag draws the evidence box; pressed again, it does not."""
        if not self._may_box or self.stage.picture is None:
            self.box_refused.emit()
            self.tools.show_box(may=self._may_box, armed=False)
            return
        self.box.arm(not self.box.armed)
        self.tools.show_box(may=True, armed=self.box.armed)

    def close_media(self) -> None:
        """The window closes: no more deliveries, and the stage's own service ended."""
        self.loader.close(end_service=self._own_service)

    # ------------------------------------------------------------------------------------------------------ reactions
    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        self.stage.show_picture(picture, keep=keep)
        self.tools.show_note("", picture.damaged, picture.why)
        self.seen_changed.emit()

    def _drawn(self, rect: QRect) -> None:
        self.box.arm(False)
        self.tools.show_box(may=self._may_box, armed=False)
        self._tell(rect)

    def _box_changed(self) -> None:
        """A corner was moved, or a box drawn with Shift: said too, where it may be."""
        rect = self.box.rect
        if not self.box.armed and not rect.isEmpty() and rect != self._told:
            self._tell(rect)

    def _tell(self, rect: QRect) -> None:
        picture = self.stage.picture
        if not self._may_box or picture is None:
            self.box.clear()
            self.box_refused.emit()
            return
        self._told = QRect(rect)
        self.boxed.emit(rect, picture.full)

    def _zoom(self, text: str) -> None:
        self.tools.show_zoom(self.stage.viewport.mode, self.stage.viewport.zoom)
        self.zoom_changed.emit(text)

    def _looked(self, rect: QRectF, size: QSizeF) -> None:
        if self.session.viewing.seen_map(0).mark(rect, size):
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
        self.tools.show_adjusted(not adjust.neutral)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Previews are made for the stage's size in device pixels."""
        super().resizeEvent(event)
        self.loader.box = self.stage.size() * self.devicePixelRatioF()

    def hideEvent(self, event: QHideEvent) -> None:
        """The loupe's key may be let go elsewhere."""
        self.hold("loupe", False)
        super().hideEvent(event)

    def retranslate(self) -> None:
        """The name of the panel."""
        self.setAccessibleName(tr("choice.image"))
