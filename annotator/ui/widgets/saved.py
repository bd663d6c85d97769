"""The saved mark at the far left of the status bar: what it calls saved is on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QElapsedTimer, QRectF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import fonts, i18n, icons
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

SavedState = Literal["saved", "pending", "saving", "failed", "read_only"]
SAVING_AFTER_MS = 150
ICON_OF: dict[str, tuple[str, str]] = {
    "saved": ("circle-check", "ok"), "pending": ("circle-dashed", "text2"), "saving": ("refresh-cw", "text2"),
    "failed": ("circle-x", "error"), "read_only": ("lock", "text2"),
}  # fmt: skip


def age_text(seconds: float) -> str:
    """How long ago, in words: tenths below ten seconds, then seconds, minutes, hours."""
    if seconds < 10:
        return i18n.tr("common.age_seconds", n=f"{seconds:.1f}")
    if seconds < 60:
        return i18n.tr("common.age_seconds", n=f"{seconds:.0f}")
    if seconds < 3600:
        return i18n.tr("common.age_minutes", n=int(seconds // 60))
    return i18n.tr("common.age_hours", n=int(seconds // 3600))


@dataclass(frozen=True, slots=True)
class _Words:
    strong: str
    weak: str


def _passing() -> tuple[_Words, ...]:
    """What a label says from a key press to its save, with the widest age there is below an hour."""
    pending, saving = _Words(i18n.tr("common.pending"), ""), _Words(i18n.tr("common.saving"), "")
    ages = (i18n.tr("common.age_seconds", n="0.0"), i18n.tr("common.age_minutes", n=59))
    saved = (_Words(i18n.tr("common.saved"), age) for age in ages)
    return (pending, saving, _Words(i18n.tr("common.saved_all"), ""), *saved)


class SavedLabel(Live, QWidget):
    """``savedLabel``: saved with its age, pending, saving (only after 150 ms), failed with the count, read only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("savedLabel")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._state: SavedState = "saved"
        self._count = 0
        self._age = 0.0
        self._since = QElapsedTimer()
        self._ever = False
        self._room = 0.0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.set_saving)
        self._beat = QTimer(self)
        self._beat.timeout.connect(self._age_on)
        self.go_live()

    def state(self) -> SavedState:
        """The state shown."""
        return self._state

    def text(self) -> str:
        """The words shown, as one sentence."""
        words = self._words()
        return f"{words.strong} {words.weak}".strip()

    def set_saved(self, age_seconds: float = 0.0) -> None:
        """COMMIT and the journal's fsync have returned ``age_seconds`` ago; the age counts on by itself."""
        self._age, self._ever = age_seconds, True
        self._since.start()
        self._set("saved")

    def set_all_saved(self) -> None:
        """Nothing was said yet, so there is nothing that could be unsaved."""
        self._ever = False
        self._set("saved")

    def set_pending(self) -> None:
        """Something is on its way to the disk; after 150 ms the label says so."""
        if self._state not in ("saving", "failed"):
            self._set("pending")
            self._late.start(SAVING_AFTER_MS)

    def set_saving(self) -> None:
        """It takes longer than it should."""
        self._set("saving")

    def set_failed(self, waiting: int) -> None:
        """``waiting`` values are not on the disk and are tried again."""
        self._count = waiting
        self._set("failed")

    def set_read_only(self) -> None:
        """The workspace cannot be written here."""
        self._set("read_only")

    def retranslate(self) -> None:
        """Read the words again."""
        self.remeasure()
        self._tell()

    def remeasure(self) -> None:
        """Room for each word of a save on its way, so that no save pushes the status bar about."""
        self._room = max(self._wide(words) for words in _passing())
        super().remeasure()

    @staticmethod
    def _wide(words: _Words) -> float:
        weak = paint.text_width(words.weak, fonts.font("label", tabular=True)) + 6 if words.weak else 0
        return paint.text_width(words.strong, fonts.font("label", 500)) + weak

    def _tell(self) -> None:
        """Say and paint the state; the status bar is laid out anew only where the words need more room."""
        self.setAccessibleName(self.text())
        if self.sizeHint().width() != self.width():
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Room for each word of a save on its way; more where needed."""
        return QSize(round(22 + max(self._room, self._wide(self._words()))), fonts.line_height("label"))

    def minimumSizeHint(self) -> QSize:
        """It is never cut."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Icon, state, age."""
        painter = QPainter(self)
        icon, role = ICON_OF[self._state]
        middle = self.height() / 2
        icons.paint(painter, icon, 0, middle - 7, role, 14)
        words = self._words()
        font = fonts.font("label", 500)
        strong = paint.text_width(words.strong, font)
        ink = role if role in ("ok", "error") else "text"
        paint.draw_text(painter, QRectF(20, 0, strong + 2, self.height()), words.strong, font, ink)
        left = 20 + strong + 5
        weak = QRectF(left, 0, max(0.0, self.width() - left), self.height())
        paint.draw_text(painter, weak, words.weak, fonts.font("label", tabular=True), "text2")

    def _words(self) -> _Words:
        if self._state == "saved":
            if not self._ever:
                return _Words(i18n.tr("common.saved_all"), "")
            seconds = self._age + (self._since.elapsed() / 1000 if self._since.isValid() else 0)
            return _Words(i18n.tr("common.saved"), age_text(seconds))
        if self._state == "pending":
            return _Words(i18n.tr("common.pending"), "")
        if self._state == "saving":
            return _Words(i18n.tr("common.saving"), "")
        if self._state == "failed":
            return _Words(i18n.tr("common.not_saved", n=self._count), "")
        return _Words(i18n.tr("common.read_only"), "")

    def _set(self, state: SavedState) -> None:
        self._late.stop()
        self._state = state
        if state == "saved":
            self._beat.start(1000)
        else:
            self._beat.stop()
        self._tell()

    def _age_on(self) -> None:
        elapsed = self._age + self._since.elapsed() / 1000
        self._beat.setInterval(1000 if elapsed < 60 else 20000)
        self._tell()
