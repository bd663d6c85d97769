"""The queue of questions at the left."""

from __future__ import annotations

from annotator.ui.choice_filter import QuestionFilterBar
from annotator.ui.choice_queue_model import QuestionDelegate, QuestionModel
from annotator.ui.item_queue import ItemQueuePanel, QueueTexts

_TEXTS = QueueTexts("choice.title", "choice.nothing", "choice.nothing_why", "choice.nothing_yet_why")


class QuestionQueuePanel(ItemQueuePanel):
    """Filter bar, rows and foot."""

    def __init__(self) -> None:
        """Start without rows."""
        super().__init__(_TEXTS, "list-checks", QuestionFilterBar(), QuestionModel(), QuestionDelegate)
