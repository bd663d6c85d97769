"""The sync mark in the window's foot: how this workspace stands with the shared folder; a click opens the page."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from annotator.ui import density, fonts, i18n, icons, style, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.saved import age_text

if TYPE_CHECKING:
    from annotator.workspace.sync_views import SyncState

Kind = Literal["none", "running", "mismatch", "conflicts", "offline", "synced"]
LOOKS: dict[str, tuple[str, str]] = {
    "none": ("cloud-off", "text2"), "running": ("refresh-cw", "text2"), "mismatch": ("circle-x", "error"),
    "conflicts": ("git-compare", "warn"), "offline": ("cloud-off", "text2"), "synced": ("cloud", "text2"),
}  # fmt: skip
AGE_EVERY_MS = 20_000
_DAY_S = 86_400


class Words(NamedTuple):
    """What is said strongly, and what beside it."""

    strong: str
    weak: str


def age_words(seconds: float) -> str:
    """How long ago a sync was: no tenths, for the eye should not be drawn to it."""
    if seconds < 60:
        return tr("sync.age_now")
    return tr("sync.age_days", n=int(seconds // _DAY_S)) if seconds >= _DAY_S else age_text(seconds)


def kind_of(state: SyncState, *, failed: bool) -> Kind:
    """Which of the states a person is told, the most pressing first."""
    if state.folder is None:
        return "none"
    if state.last is not None and state.last.differences:
        return "mismatch"
    if state.conflicts:
        return "conflicts"
    return "offline" if failed or state.last is None or state.last.stopped else "synced"


class SyncLabel(Live, QAbstractButton):
    """``syncLabel``: not shared, syncing, synced with its age, offline with the number waiting, conflicts, mismatch."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is known yet."""
        super().__init__(parent)
        self.setObjectName("syncLabel")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._kind: Kind = "none"
        self._percent = 0
        self._waiting = 0
        self._conflicts = 0
        self._at: float | None = None
        self._beat = QTimer(self)
        self._beat.setInterval(AGE_EVERY_MS)
        self._beat.timeout.connect(self.retranslate)
        self.go_live()

    def state(self) -> Kind:
        """The state shown."""
        return self._kind

    def show_state(self, state: SyncState, *, failed: bool) -> None:
        """Show how syncing stands; `failed` when the folder could not be reached the last time."""
        self._waiting, self._conflicts, self._at = state.waiting, state.conflicts, state.last_at
        self._set(kind_of(state, failed=failed))

    def show_running(self, done: int, total: int) -> None:
        """Show that a sync is going on."""
        self._percent = round(100 * done / total) if total else 0
        self._set("running")

    def _set(self, kind: Kind) -> None:
        self._kind = kind
        if kind == "synced":
            self._beat.start()
        else:
            self._beat.stop()
        self.retranslate()

    def words(self) -> Words:
        """What is said."""
        waiting = tr("sync.chip.waiting", n=i18n.count(self._waiting)) if self._waiting else ""
        if self._kind == "running":
            return Words(tr("sync.chip.running", percent=self._percent), "")
        if self._kind == "conflicts":
            return Words(tr("sync.chip.conflicts", n=i18n.count(self._conflicts)), "")
        if self._kind == "offline":
            return Words(tr("sync.chip.offline"), waiting)
        if self._kind == "synced":
            age = age_words(time.time() - self._at) if self._at is not None else ""
            return Words(tr("sync.chip.synced"), " · ".join(part for part in (age, waiting) if part))
        return Words(tr("sync.chip.none") if self._kind == "none" else tr("sync.chip.mismatch"), "")

    def text(self) -> str:
        """The words as one sentence."""
        words = self.words()
        return f"{words.strong} {words.weak}".strip()

    def retranslate(self) -> None:
        """Read the words again."""
        self.setAccessibleName(self.text())
        self.setToolTip(tr("sync.chip.tip"))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Icon and words, and room at both sides."""
        words = self.words()
        wide = paint.text_width(words.strong, fonts.font("label", 500))
        weak = paint.text_width(words.weak, fonts.font("label", tabular=True))
        return QSize(round(20 + wide + (weak + 6 if words.weak else 0) + 16), density.metrics().status_bar)

    def minimumSizeHint(self) -> QSize:
        """It is never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Icon, state, what belongs to it."""
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme.color("hover"))
        icon, role = LOOKS[self._kind]
        icons.paint(painter, icon, 8, self.height() / 2 - 7, role, 14)
        words = self.words()
        font = fonts.font("label", 500)
        strong = paint.text_width(words.strong, font)
        ink = role if role in ("warn", "error") else "text"
        paint.draw_text(painter, QRectF(28, 0, strong + 2, self.height()), words.strong, font, ink)
        left = 28 + strong + 5
        weak = QRectF(left, 0, max(0.0, self.width() - left), self.height())
        paint.draw_text(painter, weak, words.weak, fonts.font("label", tabular=True), "text2")
        if self.hasFocus() and self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            style.draw_focus_ring(painter, QRectF(self.rect()).adjusted(4, 4, -4, -4), 4)
        painter.end()
