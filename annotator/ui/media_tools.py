"""The row above the picture: how it is zoomed, and what can be laid over or done to the view."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.widgets import Chip, ElidedLabel, Ground, IconButton, Segmented

_ROOMY = 860
_ZOOMS = {1.0: "actual", 2.0: "double"}


class MediaTools(Ground):
    """Zoom choices, loupe, navigator, turning; the note about what is shown; a mark for damage.

    Signals:
        action(id): an id of the key table, or `fill`, `double_size`, `loupe_pin`, `rotate`.
    """

    action = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """All tools off."""
        super().__init__("panel", ("bottom",), "hair", parent)
        self._count = 0
        self._zoom = Segmented()
        self._zoom.add("fit", "", key="fit")
        self._zoom.add("fill", "")
        self._zoom.add("actual", "")
        self._zoom.add("double", "")
        # Stands for every zoom that has no button; never seen.
        self._zoom.add("free", "").hide()
        self._loupe = IconButton("zoom-in", key="loupe", checkable=True)
        self._navigator = IconButton("map", key="navigator", checkable=True)
        self._rotate = IconButton("rotate-cw")
        self._asides = {
            "compare": IconButton("square-split-horizontal", key="compare", checkable=True),
            "adjust": IconButton("contrast", key="adjust", checkable=True),
            "keep_zoom": IconButton("lock-open", key="keep_zoom", checkable=True),
            "contact_sheet": IconButton("layers", key="contact_sheet"),
            "evidence": IconButton("pin", key="evidence", checkable=True),
        }
        self._given = Segmented()
        self._given.add("video", "", "video")
        self._given.add("given", "", key="model_frames")
        self._given.setObjectName("givenSwitch")
        self._note = ElidedLabel("", "label", "text3")
        self._damaged = Chip("", "error", "file-exclamation-point")
        self._damaged.setObjectName("damagedMark")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 1)
        row.setSpacing(1)
        row.addWidget(self._zoom)
        row.addSpacing(6)
        for button in (self._loupe, self._navigator, self._asides["compare"], self._asides["adjust"], self._rotate):
            row.addWidget(button)
        for name in ("keep_zoom", "contact_sheet", "evidence"):
            row.addWidget(self._asides[name])
        for name, button in self._asides.items():
            button.setProperty("action", name)
            button.setObjectName(f"tool_{name}")
            button.clicked.connect(self._aside_clicked)
        row.addSpacing(8)
        row.addWidget(self._note, 1)
        row.addWidget(self._damaged)
        row.addWidget(self._given)
        self._given.hide()
        self._given.chosen.connect(self._given_chosen)
        self._damaged.hide()
        self._zoom.chosen.connect(self._zoomed)
        self._loupe.clicked.connect(self._loupe_clicked)
        self._navigator.clicked.connect(self._navigator_clicked)
        self._rotate.clicked.connect(self._rotate_clicked)
        self.go_live()

    def show_zoom(self, mode: str, zoom: float) -> None:
        """Mark the choice in force, none between them."""
        self._zoom.set_current(mode if mode in ("fit", "fill") else _ZOOMS.get(round(zoom, 6), "free"))

    def show_note(self, note: str, damaged: bool = False, why: str = "") -> None:
        """What is on the stage, in words; whether it is damaged."""
        self._note.set_text(note)
        self._damaged.setVisible(damaged)
        self._damaged.setToolTip(why)

    def set_navigator(self, on: bool) -> None:
        """Whether the navigator is wanted."""
        self._navigator.setChecked(on)

    def set_loupe(self, on: bool) -> None:
        """Whether the loupe is out."""
        self._loupe.setChecked(on)

    def show_asides(self, *, compare: bool, adjusted: bool, keep: bool, boxing: bool) -> None:
        """Which of the things beside the picture are on."""
        states = {"compare": compare, "adjust": adjusted, "keep_zoom": keep, "evidence": boxing}
        for name, on in states.items():
            self._asides[name].setChecked(on)
        self._asides["keep_zoom"].set_icon("lock" if keep else "lock-open")

    def show_given(self, count: int, on: bool) -> None:
        """How many frames the model was given at the open turn, and whether they are shown."""
        self._count = count
        self._given.setVisible(count > 0)
        self._given.set_current("given" if on else "video")
        self._make_room()
        self._given.set_text("given", tr("media.given_frames", n=count))

    def _make_room(self) -> None:
        """What has other keys goes first where the row is narrow."""
        narrow = self._count > 0 and self.width() < density.scaled(_ROOMY)
        small = density.current() is density.Density.SMALL
        self._zoom.part("fill").setVisible(not narrow)
        self._zoom.part("double").setVisible(not (narrow or small))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, more choices."""
        super().resizeEvent(event)
        self._make_room()

    def _aside_clicked(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.action.emit(str(sender.property("action")))

    def _given_chosen(self, _name: str) -> None:
        self.action.emit("model_frames")

    def _zoomed(self, choice: str) -> None:
        self.action.emit({"actual": "actual_size", "double": "double_size"}.get(choice, choice))

    def _loupe_clicked(self) -> None:
        self.action.emit("loupe_pin")

    def _navigator_clicked(self) -> None:
        self.action.emit("navigator")

    def _rotate_clicked(self) -> None:
        self.action.emit("rotate")

    def retranslate(self) -> None:
        """Words and names."""
        self._zoom.set_text("fit", tr("media.fit"))
        self._zoom.set_text("fill", tr("media.fill"))
        self._zoom.set_text("actual", "100 %")
        self._zoom.set_text("double", "200 %")
        self._zoom.set_text("free", tr("media.zoom_other"))
        self._loupe.set_text(tr("media.loupe"))
        self._navigator.set_text(tr("media.navigator"))
        self._rotate.set_text(tr("media.rotate"))
        self._damaged.set_text(tr("media.damaged"))
        for name, button in self._asides.items():
            button.set_text(tr(f"media.tool_{name}"))
        self._given.set_text("video", tr("media.given_video"))
        self._given.set_text("given", tr("media.given_frames", n=self._count))

    def remeasure(self) -> None:
        """34 px."""
        self.setFixedHeight(density.metrics().panel_head)
        self._make_room()
        super().remeasure()
