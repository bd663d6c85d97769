"""Which judge and which dimension the close-up cards speak of: in the head of the first of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.statistics.words import dimension_name, short_judges
from annotator.ui.widgets import Combo
from annotator.ui.widgets.base import Live


class Closer(Live, QWidget):
    """A judge and a dimension ("" for all together).

    Signals:
        changed: a person chose.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dimensions: tuple[str, ...] = ()
        self._judges: tuple[str, ...] = ()
        self.dimensions, self.judges = Combo(), Combo()
        self.dimensions.setObjectName("closer_dimension")
        self.judges.setObjectName("closer_judge")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.judges)
        row.addWidget(self.dimensions)
        self.dimensions.activated.connect(self.changed)
        self.judges.activated.connect(self.changed)
        self.dimensions.addItem("", "")
        self.go_live()

    @property
    def dimension(self) -> str:
        """The dimension, "" for all."""
        return str(self.dimensions.currentData() or "")

    @property
    def judge(self) -> str:
        """The judge, "" while there is none."""
        return str(self.judges.currentData() or "")

    def set_choices(self, dimensions: Sequence[str], judges: Sequence[str]) -> None:
        """What there is to choose from; what is chosen stays where it can."""
        if tuple(dimensions) != self._dimensions and dimensions:
            self._dimensions = tuple(dimensions)
            _refill(self.dimensions, ("", *dimensions))
        if tuple(judges) != self._judges and judges:
            self._judges = tuple(judges)
            _refill(self.judges, judges)
        self.retranslate()

    def judge_words(self) -> str:
        """The chosen judge in words."""
        return short_judges(self._judges).get(self.judge, self.judge)

    def choose(self, dimension: str, judge: str | None = None) -> None:
        """Choose as a person would."""
        self.dimensions.setCurrentIndex(max(0, self.dimensions.findData(dimension)))
        if judge is not None:
            self.judges.setCurrentIndex(max(0, self.judges.findData(judge)))
        self.changed.emit()

    def dimension_words(self) -> str:
        """The chosen dimension in words."""
        return dimension_name(self.dimension, i18n.language()) or tr("statistics.all_dimensions")

    def retranslate(self) -> None:
        """Read the texts again."""
        self.dimensions.setAccessibleName(tr("statistics.closer_dimension"))
        self.judges.setAccessibleName(tr("statistics.field.judge"))
        names = short_judges(self._judges)
        for place in range(self.dimensions.count()):
            held = str(self.dimensions.itemData(place) or "")
            words = dimension_name(held, i18n.language()) or tr("statistics.all_dimensions")
            self.dimensions.setItemText(place, words)
        for place in range(self.judges.count()):
            held = str(self.judges.itemData(place))
            self.judges.setItemText(place, names.get(held, held))
        self.judges.setVisible(self.judges.count() > 1)


def _refill(combo: Combo, values: Sequence[str]) -> None:
    chosen = combo.currentData()
    combo.clear()
    for value in values:
        combo.addItem("", value)
    combo.setCurrentIndex(max(0, combo.findData(chosen)))
