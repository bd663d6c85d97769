"""What can be laid beside or over the picture: the held picture, the contact sheet, the model's frames, adjustments,
the rectangle with its crops and pins. Each is its own part; here they are told what is open, and given their keys.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, QStandardPaths, Signal
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog

from annotator.domain.timecode import clock
from annotator.ui.compare_view import CompareView
from annotator.ui.contactsheet import ContactSheet, SheetKeeper
from annotator.ui.evidence_desk import EvidenceDesk
from annotator.ui.i18n import tr
from annotator.ui.media_adjust import Adjustment
from annotator.ui.media_adjust_panel import AdjustPanel
from annotator.ui.media_given import GivenFrames
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_session import MediaSession
from annotator.ui.media_tools import MediaTools
from annotator.ui.mediaview import MediaView
from annotator.workspace.views import ReviewView


class MediaAsides(QObject):
    """The parts beside the stage of one panel.

    Signals:
        said(target, field, value): an evidence label.
        message(kind, text): a sentence.
        left(): the keyboard may go back to the grid.
    """

    said = Signal(str, str, object)
    message = Signal(str, str)
    left = Signal()

    def __init__(
        self, stage: MediaView, session: MediaSession, loader: MediaLoader, tools: MediaTools, parent: QObject
    ) -> None:
        """Nothing is beside the stage."""
        super().__init__(parent)
        self._stage, self._session, self._loader, self._tools = stage, session, loader, tools
        self._view: ReviewView | None = None
        self.compare = CompareView(stage)
        self.given = GivenFrames(session, self)
        self.evidence = EvidenceDesk(stage, session, loader, self.given, self)
        self.sheet = ContactSheet(stage)
        self.keeper = SheetKeeper(self.sheet, session, loader)
        self.adjust = AdjustPanel(stage)
        self.ask_file: Callable[[str], str] = self._ask_file
        self.actions: dict[str, Callable[[], Any]] = {
            "evidence": self.evidence.pin,
            "compare": self._compare,
            "contact_sheet": self._contact_sheet,
            "model_frames": self._model_frames,
            "adjust": self._adjust,
            "keep_zoom": self._keep_zoom,
            "copy_crop": self._copy_crop,
            "save_crop": self._save_crop,
        }
        self.evidence.said.connect(self.said)
        self.evidence.message.connect(self.message)
        self.evidence.box.changed.connect(self._show_tools)
        self.given.changed.connect(self._show_tools)
        self.compare.changed.connect(self._show_tools)
        self.adjust.changed.connect(self._adjusted)
        self.adjust.left.connect(self.left)
        self.sheet.left.connect(self.left)
        self.sheet.chosen.connect(self._sheet_chosen)

    # ------------------------------------------------------------------------------------------------------ the review
    def show_review(self, view: ReviewView, *, another: bool) -> None:
        """Another review, or the same one with other labels."""
        self._view = view
        if another:
            self.keeper.close()
            self.compare.let_go()
            self.given.forget()
        self.evidence.show_review(view)

    def open_turn(self, turn: int | None) -> None:
        """Another turn is open, and its gate stands."""
        view = self._view
        self.keeper.close()
        held = self.compare.place
        if self.compare.on and (held is None or not self._session.gate.allows(*held)):
            self.compare.let_go()
        self.given.open_turn(turn, view.turns[turn].frames if view is not None and turn is not None else ())
        self.evidence.box.arm(False)
        self.evidence.box.clear()
        self.gate_moved()

    def gate_moved(self) -> None:
        """More or less is open than before."""
        self.evidence.tell_marks()

    def escape(self) -> bool:
        """Esc: leave the innermost of what is open; whether anything was."""
        if self.sheet.isVisible():
            self.keeper.close()
            return True
        if self.adjust.isVisible():
            self.adjust.hide()
            return True
        if self.evidence.escape():
            return True
        if self.compare.on:
            self.compare.let_go()
            return True
        return False

    def handle(self, action: str) -> bool:
        """Do an action; whether it is one of ours."""
        if self.given.handle(action):
            return True
        done = self.actions.get(action)
        if done is not None:
            done()
        return done is not None

    # ---------------------------------------------------------------------------------------------------- side by side
    def caption(self) -> str:
        """What is on the stage, short: its name, and the time in a clip."""
        session = self._session
        asset = self.given.asset
        if asset is None and session.stop is not None:
            asset = session.gate.strip.stops[session.stop].asset
        name = session.states.veil.cover((asset.inside or asset.raw or "").rsplit("/", 1)[-1]) if asset else ""
        return f"{name} · {clock(session.at, 3)}" if session.index is not None and session.at is not None else name

    def moved(self) -> None:
        """The stage shows something else."""
        self.compare.tell(self.caption())

    def _compare(self) -> None:
        if self.compare.on:
            self.compare.let_go()
            return
        session = self._session
        place = None if session.stop is None else (session.stop, session.at if session.index is not None else None)
        if self.compare.hold(self.caption(), place):
            self.moved()
        else:
            self.message.emit("info", tr("media.compare_nothing"))

    # --------------------------------------------------------------------------------------------------- contact sheet
    def _contact_sheet(self) -> None:
        if self.sheet.isVisible():
            self.keeper.close()
            self.left.emit()
        elif not self.keeper.open():
            self.message.emit("info", tr("media.sheet_none"))

    def _sheet_chosen(self, stop: int, at: object) -> None:
        self._loader.errands.give_up_all("sheet")
        self._session.go(stop, at)  # type: ignore[arg-type]
        self.left.emit()

    # --------------------------------------------------------------------------------------------------- model's frames
    def _model_frames(self) -> None:
        if not self.given.toggle():
            self.message.emit("info", tr("media.given_none"))

    # ------------------------------------------------------------------------------------------------------- adjusting
    def _adjust(self) -> None:
        if self.adjust.isVisible():
            self.adjust.hide()
            self.left.emit()
        else:
            self.adjust.open_at(QPoint(8, 8))
        self._show_tools()

    def _adjusted(self, adjust: Adjustment) -> None:
        self._stage.set_adjust(adjust)
        self.compare.held.set_adjust(adjust)
        self._show_tools()

    def _keep_zoom(self) -> None:
        self._stage.keep_zoom = not self._stage.keep_zoom
        self._show_tools()

    def _show_tools(self) -> None:
        self._tools.show_asides(
            compare=self.compare.on,
            adjusted=not self._stage.adjust.neutral,
            keep=self._stage.keep_zoom,
            boxing=self.evidence.box.armed,
        )
        self._tools.show_given(len(self.given.frames), self.given.on)

    # ----------------------------------------------------------------------------------------------------------- crops
    def crop(self) -> QImage | None:
        """Native pixels of the rectangle, else of what is in view; None while there are none."""
        picture = self._stage.picture
        if picture is None:
            return None
        box = self.evidence.box.rect
        if box.isEmpty():
            seen = self._stage.viewport.visible().toAlignedRect()
            box = seen.intersected(QRect(0, 0, picture.full.width(), picture.full.height()))
        return picture.grab(box)

    def _copy_crop(self) -> None:
        image = self.crop()
        if image is None:
            self.message.emit("info", tr("media.crop_none"))
            return
        QGuiApplication.clipboard().setImage(image)
        self.message.emit("ok", tr("media.crop_copied", width=image.width(), height=image.height()))

    def _save_crop(self) -> None:
        image = self.crop()
        if image is None:
            self.message.emit("info", tr("media.crop_none"))
            return
        name = self.ask_file(self._crop_name())
        if not name:
            return
        name = name if name.lower().endswith(".png") else f"{name}.png"
        if image.save(name):
            self.message.emit("ok", tr("media.crop_saved", name=name))
        else:
            self.message.emit("warn", tr("media.crop_failed", name=name))

    def _crop_name(self) -> str:
        session, stem = self._session, Path(self.caption().split(" · ")[0]).stem or "crop"
        frame = f"-{session.index}" if session.index is not None else ""
        return f"{stem}{frame}.png"

    def _ask_file(self, name: str) -> str:
        place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
        asked = QFileDialog.getSaveFileName(self._stage, tr("media.crop_save"), str(Path(place, name)), "PNG (*.png)")
        return asked[0]
