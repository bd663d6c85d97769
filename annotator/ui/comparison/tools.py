"""The row above the media of a comparison: few tools, for a narrow column, and the way to see what is blurred."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.media_tools import MediaTools
from annotator.ui.widgets import Button

_LEFT_OUT = ("compare", "keep_zoom", "contact_sheet", "evidence")


class ComparisonTools(MediaTools):
    """As in the audit, without what belongs to dialogues or finds no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is blurred."""
        super().__init__(parent)
        for name in _LEFT_OUT:
            self._asides[name].hide()
        self.show_blurred = Button("", icon="eye", key="unblur", small=True)
        self.show_blurred.setObjectName("unblurButton")
        self.show_blurred.hide()
        self.show_blurred.clicked.connect(self._unblur_clicked)
        row = self.layout()
        assert isinstance(row, QHBoxLayout)
        row.insertWidget(row.indexOf(self._note), self.show_blurred)
        self.go_live()

    def set_blurred(self, blurred: bool) -> None:
        """Whether the media are blurred: then the other tools give way to the one that shows them."""
        self.show_blurred.setVisible(blurred)
        for part in (self._loupe, self._navigator, self._asides["adjust"], self._rotate):
            part.setVisible(not blurred)
        self._make_room()

    def _unblur_clicked(self) -> None:
        self.action.emit("unblur")

    def show_adjusted(self, on: bool) -> None:
        """Whether the view is lightened or stretched."""
        self._asides["adjust"].setChecked(on)

    def _make_room(self) -> None:
        """The column is narrow: fit and full size only."""
        for name in ("fill", "double"):
            self._zoom.part(name).hide()
        if hasattr(self, "show_blurred"):
            wide = self.width() >= density.scaled(300)
            self._rotate.setVisible(wide and self.show_blurred.isHidden())

    def retranslate(self) -> None:
        """Words and names."""
        super().retranslate()
        if hasattr(self, "show_blurred"):
            self.show_blurred.set_text(tr("comparison.show_blurred"))
