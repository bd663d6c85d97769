"""What of the questions is shown: search, open ones, disagreeing profiles, and menus of what they are."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from annotator.domain.question_sheet import QuestionFilter
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.item_filter import ItemFilterBar
from annotator.ui.queue_only import OnlyChip


class QuestionFilterBar(ItemFilterBar):
    """Search and filter chips of questions."""

    SEARCH: ClassVar = "choice.search"
    OPEN: ClassVar = "choice.open"
    FIELDS: ClassVar = {
        "domains": "domain", "categories": "category", "tasks": "task", "languages": "language", "splits": "split",
        "statuses": "status", "crosses": "cross",
    }  # fmt: skip
    MENUS: ClassVar = {
        "domain": ("domains", "categories"),
        "more": ("statuses", "crosses", "tasks", "languages", "splits"),
    }

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything shown: nothing is filtered at first."""
        self.only = OnlyChip()
        super().__init__(QuestionFilter(), parent)
        self._column.insertWidget(1, self.only)
        self.only.clicked.connect(self._leave_only)

    def set_only(self, items: frozenset[str], title: str) -> QuestionFilter:
        """Show exactly these questions without telling anybody; the chip bears the title and takes that away."""
        self.only.set_title(title)
        with QSignalBlocker(self.search):
            self.search.set_text("")
        self.filter = QuestionFilter(only=items)
        self.retranslate()
        return self.filter

    def _leave_only(self) -> None:
        self.change(replace(self.filter, only=frozenset()))

    def retranslate(self) -> None:
        """Read all texts again; the chip is there while it holds."""
        self.only.setVisible(bool(self.filter.only))
        super().retranslate()

    def switched(self) -> tuple[str, ...]:
        """Those whose profiles disagree."""
        return ("letters_open",)

    def chip_text(self, name: str) -> str:
        """The word on the chip of a menu."""
        return tr(f"choice.filter.{name}")

    def field_text(self, facet: str) -> str:
        """A field in words."""
        return tr(f"choice.field.{facet}")

    def switch_texts(self, name: str) -> tuple[str, str]:
        """The word on the chip, and the whole sentence."""
        return tr(f"choice.switch.{name}_short"), tr(f"choice.switch.{name}")

    def value_text(self, facet: str, value: str) -> str:
        """A filter value in words."""
        return tr(f"queue.status.{value}") if facet == "status" else name_of(facet, value)
