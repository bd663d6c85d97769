"""The row above a question's image: the media tools, and the evidence box with its key."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.media_tools import MediaTools
from annotator.ui.widgets import Button, Separator

_LEFT_OUT = ("compare", "keep_zoom", "contact_sheet", "evidence")


class ChoiceTools(MediaTools):
    """As in the audit, without what belongs to dialogues; the last button draws the evidence box."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No box may be drawn yet."""
        super().__init__(parent)
        for name in _LEFT_OUT:
            self._asides[name].hide()
        self.box = Button("", kind="default", icon="square-dashed", key="box", small=True)
        self.box.setObjectName("tool_box")
        self.box.setCheckable(True)
        self.box.clicked.connect(self._box_clicked)
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        line = Separator(vertical=True, length=16)
        row.insertWidget(row.indexOf(self._note), line)
        row.insertWidget(row.indexOf(self._note), self.box)
        self.go_live()

    def show_box(self, *, may: bool, armed: bool) -> None:
        """Whether a box may be drawn, and whether the next drag draws it."""
        self.box.setEnabled(may)
        self.box.setChecked(armed)

    def show_adjusted(self, on: bool) -> None:
        """Whether the view is lightened or stretched."""
        self._asides["adjust"].setChecked(on)

    def _box_clicked(self) -> None:
        self.action.emit("box")

    def retranslate(self) -> None:
        """Words and names."""
        super().retranslate()
        if hasattr(self, "box"):
            self.box.set_text(tr("choice.box"))
            self._note.set_text(self._hint())

    @staticmethod
    def _hint() -> str:
        return tr("choice.hand_hint") if density.metrics().key_hints else ""

    def show_note(self, note: str, damaged: bool = False, why: str = "") -> None:
        """How the hand moves the picture; whether it is damaged."""
        super().show_note(note or self._hint(), damaged, why)

    def remeasure(self) -> None:
        """34 px; the hint goes where the window is narrow."""
        super().remeasure()
        self._note.set_text(self._hint())
