"""The image of a question: tools, stage, evidence box, and the next image prepared.

One image is evidence of one turn, always open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from annotator.domain.gate import Strip
from annotator.domain.items import Asset, Turn
from annotator.domain.timecode import parse
from annotator.ui.choice_tools import ChoiceTools
from annotator.ui.evidence_box import BoxTool
from annotator.ui.i18n import tr
from annotator.ui.item_stage import ItemStage
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import StateMaker

if TYPE_CHECKING:
    from annotator.media.service import MediaService
    from annotator.workspace.questions import QuestionView


def strip_of(view: QuestionView) -> Strip:
    """A question's image as the evidence of one turn; a file that is not there keeps its own state."""
    asset, path = view.question.image, view.image_path
    if path is not None:
        raw = asset.raw if asset is not None else path.name
        asset = Asset(role="image", raw=raw, field="image", status="ok", inside=path.name, root=str(path.parent))
    evidence = (asset,) if asset is not None else ()
    return Strip("image", (Turn(index=0, question="", reference="", timestamp=parse(None), evidence=evidence),))


class ChoiceStage(ItemStage):
    """Shows the image of one question.

    Signals:
        boxed(QRect, QSize): a box was drawn or changed, in pixels of the picture of that size.
        box_refused(): a box was drawn where none may be.
    """

    boxed = Signal(QRect, QSize)
    box_refused = Signal()

    tools: ChoiceTools

    def __init__(self, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None) -> None:
        """No question yet."""
        super().__init__(ChoiceTools(), make_service, parent)
        self._view: QuestionView | None = None
        self._may_box = False
        self._pictured = False
        self._told = QRect()
        self.box = BoxTool(self.stage)
        self._actions["box"] = self.arm
        self.box.drawn.connect(self._drawn)
        self.box.changed.connect(self._box_changed)
        self.go_live()

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
            self._pictured = False
            self.session.open_turn(0)
            if not self._pictured:  # else it was told with the picture
                self.seen_changed.emit()
        self.tools.show_box(may=self._may_box, armed=self.box.armed)
        if not self.box.armed:
            self._show_box(view.sheet.value("box"))

    def clear(self) -> None:
        """No question is open."""
        self._view = None
        self._may_box = False
        self._show_box(None)
        self.open_nothing()

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

    def viewing(self) -> dict[str, float]:
        """What was looked at, as the value of a `viewing` label: shares from 0 to 1."""
        return self.session.viewing.value((0,), None)

    def crop(self, rect: QRect) -> QImage | None:
        """Native pixels of a rectangle; None while only a preview is there."""
        picture = self.stage.picture
        return picture.grab(rect) if picture is not None else None

    # ---------------------------------------------------------------------------------------------------- what to do
    def escape(self) -> bool:
        """Esc: leave the innermost of what is open; whether anything was."""
        if super().escape():
            return True
        if self.box.armed:
            self.box.arm(False)
            self.tools.show_box(may=self._may_box, armed=False)
            return True
        return False

    def arm(self) -> None:
        """The next drag draws the evidence box; pressed again, it does not."""
        if not self._may_box or self.stage.picture is None:
            self.box_refused.emit()
            self.tools.show_box(may=self._may_box, armed=False)
            return
        self.box.arm(not self.box.armed)
        self.tools.show_box(may=True, armed=self.box.armed)

    # ------------------------------------------------------------------------------------------------------ reactions
    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        self._pictured = True
        super()._picture(picture, keep)

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

    def show_adjusted(self, on: bool) -> None:
        """The tools tell."""
        self.tools.show_adjusted(on)

    def retranslate(self) -> None:
        """The name of the panel."""
        self.setAccessibleName(tr("choice.image"))
