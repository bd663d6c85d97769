"""The cards of a section: beside one another where there is room, one below the other where there is not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

Place = tuple[str, int, int, int]
"""A card's name, and its row, first column and columns where there is room."""


class CardGrid(QGridLayout):
    """Places cards for the width that there is; `places` also is their order from above."""

    def __init__(self, cards: Mapping[str, QWidget], places: Sequence[Place], narrow_px: int) -> None:
        """Nothing is placed before the first `fit`; below `narrow_px` pixels the cards stand in one column."""
        super().__init__()
        self._cards, self._places, self._narrow_px = cards, places, narrow_px
        self._narrow: bool | None = None
        self.setSpacing(10)

    def fit(self, width_px: int) -> None:
        """Place the cards anew if the width asks for it."""
        narrow = width_px < self._narrow_px
        if narrow == self._narrow:
            return
        self._narrow = narrow
        for card in self._cards.values():
            self.removeWidget(card)
        columns = max(left + span for _, _, left, span in self._places)
        for row, (name, at, left, span) in enumerate(self._places):
            if narrow:
                self.addWidget(self._cards[name], row, 0, 1, columns)
            else:
                self.addWidget(self._cards[name], at, left, 1, span)
        for column in range(columns):
            self.setColumnStretch(column, 1)
