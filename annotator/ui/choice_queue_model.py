"""The queue of questions as a list model, and the delegate that paints its rows."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from annotator.domain.question_sheet import QuestionRow
from annotator.ui import icons
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.item_queue_model import ItemDelegate, ItemModel
from annotator.ui.widgets import paint

_CROSS_MARK = {
    "agreed": ("users", "ok"),
    "settled": ("users", "ok"),
    "third_wanted": ("users", "warn"),
    "disputed": ("users", "error"),
}


class QuestionModel(ItemModel):
    """The filtered rows of questions."""

    def note(self, row: QuestionRow) -> str:
        """A missing image or a special status, else domain and category."""
        return note_text(row)

    def more(self, row: QuestionRow) -> str:
        """How far the check by several people is."""
        return tr(f"choice.cross.{row.cross}")


def note_text(row: QuestionRow) -> str:
    """The end of the second line: a missing image or a special status, else domain and category."""
    if row.missing_image:
        return tr("choice.missing_image")
    if row.status in ("returned", "conflict", "stale"):
        return tr(f"queue.status.{row.status}")
    return " · ".join(filter(None, (name_of("domain", row.domain), name_of("category", row.category))))


class QuestionDelegate(ItemDelegate):
    """Paints a row, with the mark of the check by several people and the letters that are open."""

    def broken(self, row: QuestionRow) -> bool:
        """Whether the image is missing."""
        return row.missing_image

    def marks(self, painter: QPainter, row: QuestionRow, right: int, top: int, height: int) -> int:
        """The people, then the number of open letters."""
        mark = _CROSS_MARK.get(row.cross)
        if mark is not None:
            right -= 16
            icons.paint(painter, mark[0], right + 2, top + (height - 14) // 2, mark[1], 14)
        if row.letters_open:
            right -= paint.keycap_width(str(row.letters_open)) + 4
            paint.draw_keycap(painter, right, top + (height - 17) // 2, str(row.letters_open), "warn")
        return right
