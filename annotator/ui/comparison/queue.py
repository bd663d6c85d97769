"""The queue of comparisons: rows, search and filters; a hidden repeat looks like any other row."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui import icons
from annotator.ui.comparison.words import joined, subset_name
from annotator.ui.i18n import tr
from annotator.ui.item_filter import ItemFilterBar
from annotator.ui.item_queue import ItemQueuePanel, QueueTexts
from annotator.ui.item_queue_model import ItemDelegate, ItemModel
from annotator.ui.widgets import IconButton, paint
from annotator.workspace.comparisons_views import ComparisonFilter

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonRow


_TEXTS = QueueTexts("comparison.title", "comparison.nothing", "comparison.nothing_why", "comparison.nothing_yet_why")


class ComparisonModel(ItemModel):
    """The filtered rows of comparisons."""

    def note(self, row: ComparisonRow) -> str:
        """Missing media or a special status, else what set it belongs to."""
        if row.missing_media:
            return tr("queue.missing_media", n=row.missing_media)
        if row.status in ("returned", "conflict", "stale"):
            return tr(f"queue.status.{row.status}")
        return subset_name(row.subset) if row.subset else tr(f"comparison.form.{row.form}")

    def more(self, row: ComparisonRow) -> str:
        """How many responses there are, and where it came from."""
        return joined((tr("comparison.responses", n=row.responses), tr(f"comparison.form.{row.form}")))


class ComparisonDelegate(ItemDelegate):
    """Paints a row, with the number of its responses and what its media are."""

    def broken(self, row: ComparisonRow) -> bool:
        """Whether media are missing."""
        return bool(row.missing_media)

    def marks(self, painter: QPainter, row: ComparisonRow, right: int, top: int, height: int) -> int:
        """The number of responses, then the kind of media."""
        right -= paint.keycap_width(str(row.responses)) + 4
        paint.draw_keycap(painter, right, top + (height - 17) // 2, str(row.responses))
        right -= 18
        icons.paint(
            painter, "film" if row.modality == "video" else "image", right, top + (height - 14) // 2, "text3", 14
        )
        return right - 4


class ComparisonFilterBar(ItemFilterBar):
    """Search and filter chips of comparisons."""

    SEARCH: ClassVar = "comparison.search"
    OPEN: ClassVar = "comparison.open"
    FIELDS: ClassVar = {"status": "status", "subset": "subset", "form": "form", "project": "project"}
    MENUS: ClassVar = {"set": ("subset", "form", "project"), "state": ("status",)}

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything shown: nothing is filtered at first."""
        super().__init__(ComparisonFilter(), parent)

    def chip_text(self, name: str) -> str:
        """The word on the chip of a menu."""
        return tr(f"comparison.filter.{name}")

    def field_text(self, facet: str) -> str:
        """A field in words."""
        return tr(f"comparison.field.{facet}")

    def value_text(self, facet: str, value: str) -> str:
        """A value in words."""
        if facet == "status":
            return tr(f"queue.status.{value}")
        if facet == "subset":
            return subset_name(value)
        return tr(f"comparison.form.{value}") if facet == "form" else value


class ComparisonQueuePanel(ItemQueuePanel):
    """Filter bar, rows and foot; the head leads to making more."""

    def __init__(self) -> None:
        """Start without rows."""
        super().__init__(_TEXTS, "columns-3", ComparisonFilterBar(), ComparisonModel(), ComparisonDelegate)
        self.make = IconButton("plus")
        self.make.setObjectName("compareResponders")
        self.head.add(self.make)
        self.retranslate()

    def retranslate(self) -> None:
        """Read all texts again."""
        super().retranslate()
        if hasattr(self, "make"):
            self.make.set_text(tr("comparison.make"))
