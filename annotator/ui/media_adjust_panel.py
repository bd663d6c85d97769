"""The small panel of brightness, contrast and gamma: three sliders and the way back."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QGridLayout, QSlider, QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.media_adjust import NEUTRAL, Adjustment
from annotator.ui.widgets import Button, ElidedLabel, Ground

_STEPS = 100


class AdjustPanel(Ground):
    """Stands over a corner of the stage while it is wanted; what is set stays until it is reset.

    Signals:
        changed(Adjustment): as the sliders move.
        left(): the keyboard may go back to the grid.
    """

    changed = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        """Neutral, hidden."""
        super().__init__("panel", ("top", "bottom", "left", "right"), "line", parent)
        self.setObjectName("adjustPanel")
        self.sliders = {name: QSlider(Qt.Orientation.Horizontal) for name in ("brightness", "contrast", "gamma")}
        self._names = {name: ElidedLabel("", "label", "text2") for name in self.sliders}
        self._values = {name: ElidedLabel("", "label", "text", tabular=True) for name in self.sliders}
        self._note = ElidedLabel("", "meta", "text3")
        self._reset = Button("", "flat", "rotate-ccw", small=True)
        self._reset.setObjectName("adjustReset")
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        for row, (name, slider) in enumerate(self.sliders.items()):
            slider.setRange(-_STEPS, _STEPS)
            slider.setObjectName(f"adjust_{name}")
            slider.valueChanged.connect(self._moved)
            grid.addWidget(self._names[name], row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(self._values[name], row, 2)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 8, 12, 8)
        column.setSpacing(4)
        column.addLayout(grid)
        foot = QGridLayout()
        foot.addWidget(self._note, 0, 0)
        foot.addWidget(self._reset, 0, 1)
        foot.setColumnStretch(0, 1)
        column.addLayout(foot)
        self._reset.clicked.connect(self.reset)
        self.hide()
        self.go_live()

    def value(self) -> Adjustment:
        """What is set now: contrast and gamma run from a third to three, even steps being even factors."""
        at = {name: slider.value() / _STEPS for name, slider in self.sliders.items()}
        if not any(at.values()):
            return NEUTRAL
        return Adjustment(round(at["brightness"] * 0.6, 4), round(3 ** at["contrast"], 4), round(3 ** at["gamma"], 4))

    def reset(self) -> None:
        """The data as it is."""
        for slider in self.sliders.values():
            slider.setValue(0)

    def open_at(self, corner: QPoint) -> None:
        """Show with the top left corner there, the keyboard in the first slider."""
        self.resize(density.scaled(300), self.sizeHint().height())
        self.move(corner)
        self.show()
        self.raise_()
        self.sliders["brightness"].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _moved(self, _value: int) -> None:
        self._write()
        self.changed.emit(self.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes it."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self.left.emit()
            return
        super().keyPressEvent(event)

    def _write(self) -> None:
        value = self.value()
        self._values["brightness"].set_text(f"{value.brightness * 100:+.0f} %")
        self._values["contrast"].set_text(f"{value.contrast:.2f}×")
        self._values["gamma"].set_text(f"{value.gamma:.2f}")
        self._reset.setEnabled(not value.neutral)

    def retranslate(self) -> None:
        """Words and names."""
        for name, text in self._names.items():
            text.set_text(tr(f"media.adjust_{name}"))
            self.sliders[name].setAccessibleName(tr(f"media.adjust_{name}"))
        self._note.set_text(tr("media.adjust_note"))
        self._reset.set_text(tr("media.adjust_reset"))
        self._write()

    def remeasure(self) -> None:
        """Room for the widest value."""
        for text in self._values.values():
            text.setFixedWidth(density.scaled(48))
        super().remeasure()
