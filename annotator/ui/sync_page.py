"""The sync page: which folder, how it stands, what came in, what two devices say differently, what is kept aside."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from annotator.errors import WorldError
from annotator.ui import i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.importpage import PageHead
from annotator.ui.sentences import words
from annotator.ui.sync_chip import age_words, kind_of
from annotator.ui.sync_parts import CONFLICTS_SHOWN, CameInTable, ConflictBox, Figures, Lines
from annotator.ui.sync_words import told_words, trouble_words
from annotator.ui.widgets import Button, Card, Combo, ElidedLabel, PlainLabel, Separator
from annotator.ui.widgets.base import Live
from annotator.workspace.sync_views import Aside, Conflict, SyncReport, SyncState

EVERY: Final = (0, 5, 15, 30, 60)
ASKS: Final = ("hub_gone", "hub_changed")
_HEADS: Final = {
    "none": ("neutral", "cloud-off", "none"), "mismatch": ("error", "circle-x", "mismatch"),
    "conflicts": ("ok", "circle-check", "ok"), "synced": ("ok", "circle-check", "ok"),
    "offline": ("neutral", "cloud-off", "never"), "failed": ("neutral", "cloud-off", "offline"),
}  # fmt: skip


class SyncPage(Live, QWidget):
    """Everything about syncing (objectName `syncPage`).

    Signals:
        folder_wanted, cancel_wanted: a folder shall be asked for; the running sync shall stop.
        sync_wanted: (begin again, verify). minutes_wanted: how often to sync, 0 for never.
        picked: (Conflict, event id). seen_wanted: what is kept aside was seen. shown_now: the page came to the front.
    """

    folder_wanted = Signal()
    cancel_wanted = Signal()
    sync_wanted = Signal(bool, bool)
    minutes_wanted = Signal(int)
    picked = Signal(object, str)
    seen_wanted = Signal()
    shown_now = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """No folder is chosen."""
        super().__init__(parent)
        self.setObjectName("syncPage")
        self._state = SyncState(None, 0, 0, None, None, 0)
        self._error: WorldError | None = None
        self._aside: Sequence[Aside] = ()
        self._conflicts: list[ConflictBox] = []
        self._more = 0
        self._progress: tuple[int, int] | None = None
        self._writable = True
        self._had_keyboard = False
        self.head = PageHead()
        self.folder_card = Card()
        self.folder = ElidedLabel("", style="body", weight=500)
        self.why = PlainLabel("", style="label", role="text2")
        self.bar = QProgressBar()
        self.buttons = {
            "now": Button("", kind="primary", icon="refresh-cw"),
            "again": Button("", icon="folder-plus"),
            "choose": Button("", icon="folder-open"),
            "verify": Button("", icon="list-checks"),
            "stop": Button("", icon="x"),
        }
        self.every = Combo()
        self.figures = Figures()
        self.conflict_card = Card()
        self.more = ElidedLabel("", style="label", role="text2")
        self.came_card = Card()
        self.came_none = ElidedLabel("", style="label", role="text2")
        self.came = CameInTable()
        self.told = Lines("sync.told.title")
        self.aside = Lines("sync.aside.title", "sync.aside.note")
        self.seen = Button("", icon="check", small=True)
        self.seen.setObjectName("sync_seen")
        self._lay_out()
        self._connect()
        self.go_live()

    # --- parts --------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.every.addItems([""] * len(EVERY))
        acts = QHBoxLayout()
        acts.setSpacing(6)
        for name in self.buttons:
            self.buttons[name].setObjectName(f"sync_{name}")
            acts.addWidget(self.buttons[name])
        acts.addStretch(1)
        acts.addWidget(self.every)
        for part in (self.folder, self.why, self.bar):
            self.folder_card.body.addWidget(part)
        self.folder_card.body.addLayout(acts)
        self.conflict_card.body.addWidget(self.more)
        self.conflict_card.hide()
        self.came_card.body.addWidget(self.came_none)
        self.came_card.body.addWidget(self.came)
        self.aside.foot(self.seen)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(10)
        cards = (self.folder_card, self.figures, self.told, self.conflict_card, self.came_card, self.aside)
        for card in cards:
            column.addWidget(card)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, Separator()):
            layout.addWidget(widget)
        layout.addWidget(self.area, 1)

    def _connect(self) -> None:
        self.buttons["choose"].clicked.connect(self.folder_wanted)
        self.buttons["stop"].clicked.connect(self.cancel_wanted)
        self.buttons["now"].clicked.connect(self._now)
        self.buttons["again"].clicked.connect(self._again)
        self.buttons["verify"].clicked.connect(self._verify)
        self.every.activated.connect(self._every)
        self.seen.clicked.connect(self.seen_wanted)

    def _now(self) -> None:
        self.sync_wanted.emit(False, False)

    def _again(self) -> None:
        self.sync_wanted.emit(True, False)

    def _verify(self) -> None:
        self.sync_wanted.emit(False, True)

    def _every(self, index: int) -> None:
        self.minutes_wanted.emit(EVERY[index])

    def page_shown(self) -> None:
        """It is in front: read anew, and let Enter do what is most likely wanted."""
        self.shown_now.emit()
        target = "now" if self._state.folder is not None else "choose"
        self.buttons[target].setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does what the button with the keyboard does."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        else:
            super().keyPressEvent(event)

    # --- what is shown ------------------------------------------------------------------------------------------
    def show_state(self, state: SyncState, error: WorldError | None, *, writable: bool) -> None:
        """Show how syncing stands; `error` is why the last try did not come through."""
        self._state, self._error, self._writable = state, error, writable
        self._progress = None
        self._refresh()
        held = self.buttons["choose"].hasFocus() or self._had_keyboard
        self._had_keyboard = False
        if state.folder is not None and held:
            self.buttons["now"].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_progress(self, done: int, total: int) -> None:
        """Show that a sync is going on."""
        if self._progress is None:  # the button that had the keyboard goes, and shall have it again
            self._had_keyboard = any(button.hasFocus() for button in self.buttons.values())
        self._progress = (done, total)
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)
        self._refresh_folder()

    def show_conflicts(self, conflicts: Sequence[Conflict]) -> None:
        """Show these conflicts instead."""
        for box in self._conflicts:
            self.conflict_card.body.removeWidget(box)
            box.deleteLater()
        self._conflicts = [ConflictBox(c) for c in conflicts[:CONFLICTS_SHOWN]]
        for place, box in enumerate(self._conflicts):
            box.picked.connect(self.picked)
            self.conflict_card.body.insertWidget(place, box)
        self._more = len(conflicts) - len(self._conflicts)
        self.conflict_card.setVisible(bool(conflicts))
        self.retranslate()

    def show_aside(self, aside: Sequence[Aside]) -> None:
        """Show what is kept aside."""
        self._aside = aside
        self._refresh()

    def conflict_boxes(self) -> list[ConflictBox]:
        """The conflicts shown."""
        return list(self._conflicts)

    def _refresh(self) -> None:
        state, last = self._state, self._state.last
        self.figures.show_values(
            waiting=state.waiting,
            sent=last.sent if last else 0,
            received=last.received if last else 0,
            judges=last.judges if last else 0,
            conflicts=state.conflicts,
            aside=sum(not a.seen for a in self._aside),
        )
        self._refresh_folder()
        self._refresh_came(last)
        self.told.show_lines(_told(last) if last else [])
        self.aside.show_lines([("info" if a.seen else "warn", _aside_words(a)) for a in reversed(self._aside)])
        self.seen.setVisible(any(not a.seen for a in self._aside))
        self.seen.setEnabled(self._writable)
        kind = "failed" if self._error is not None and state.folder is not None else kind_of(state, failed=False)
        chip, icon, name = _HEADS[kind]
        self.head.chip.set_kind(chip)
        self.head.chip.set_icon(icon)
        self.head.chip.set_text(tr(f"sync.state.{name}"))

    def _refresh_folder(self) -> None:
        running, folder = self._progress is not None, self._state.folder
        asks = self._error is not None and self._error.code in ASKS
        shown = {"now": not running and folder is not None, "again": asks and not running, "choose": not running,
                 "verify": not running and folder is not None, "stop": running}  # fmt: skip
        for name, wanted in shown.items():
            self.buttons[name].setVisible(wanted)
            self.buttons[name].setEnabled(self._writable or name == "stop")
        self.every.setVisible(folder is not None)
        self.every.setEnabled(self._writable)
        self.bar.setVisible(running)
        minutes = self._state.minutes
        self.every.setCurrentIndex(EVERY.index(minutes) if minutes in EVERY else 0)
        self.folder.set_text(str(folder) if folder else tr("sync.state.none"))
        if running:
            done, total = self._progress or (0, 0)
            text = tr("sync.running", percent=round(100 * done / total) if total else 0)
        elif self._error is not None:
            text = words(self._error.sentence)
        else:
            text = "" if folder else tr("sync.folder.none")
        self.why.set_text(text)
        self.why.set_role("warn" if self._error is not None and not running else "text2")
        self.why.setVisible(bool(text))

    def _refresh_came(self, last: SyncReport | None) -> None:
        self.came_card.setVisible(last is not None)
        rows = last.came_in if last else ()
        self.came.show_rows(rows)
        self.came.setVisible(bool(rows))
        self.came_none.setVisible(not rows)
        at = self._state.last_at
        age = age_words(time.time() - at) if at is not None else ""
        self.came_card.set_title(tr("sync.came.title"), tr("sync.came.note", age=age) if age else "")

    def retranslate(self) -> None:
        """Read the texts again."""
        self.head.title.set_text(tr("sync.title"))
        self.head.note.set_text(tr("sync.note"))
        self.folder_card.set_title(tr("sync.folder.title"))
        for name, button in self.buttons.items():
            button.set_text(tr(f"sync.folder.{name}"))
        self.seen.set_text(tr("sync.aside.seen"))
        self.seen.setToolTip(tr("sync.aside.seen_tip"))
        self.buttons["again"].setToolTip(tr("sync.folder.again_tip"))
        self.buttons["verify"].setToolTip(tr("sync.folder.verify_tip"))
        self.bar.setAccessibleName(tr("sync.progress_name"))
        self.every.setAccessibleName(tr("sync.every.name"))
        for place, minutes in enumerate(EVERY):
            text = tr("sync.every.minutes", n=minutes) if minutes else tr("sync.every.never")
            self.every.setItemText(place, text)
        self.conflict_card.set_title(tr("sync.conflicts.title"), tr("sync.conflicts.note"))
        self.more.set_text(tr("sync.conflicts.more", n=i18n.count(self._more)))
        self.more.setVisible(self._more > 0)
        self.came_none.set_text(tr("sync.came.none"))
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()


def _told(last: SyncReport) -> list[tuple[str, str]]:
    """What a person should know of the last sync: (role, sentence), the most pressing first."""
    lines = [("error", told_words(d)) for d in last.differences]
    if last.stopped:
        lines.append(("error", words(last.stopped)))
    lines += [("warn", told_words(n)) for n in last.notices]
    lines += [
        ("info", tr("sync.told.waiting_item", name=w.source_id or w.item_id, n=i18n.count(w.events)))
        for w in last.waiting
    ]
    if last.judges_differ:
        lines.append(("info", tr("sync.told.judges_differ", n=i18n.count(last.judges_differ))))
    lines += [("info" if t.kind in ("foreign", "duplicate") else "warn", trouble_words(t)) for t in last.troubles]
    return lines


def _aside_words(aside: Aside) -> str:
    return tr("sync.aside.line", rater=aside.rater or "?", about=aside.about, reason=words(aside.reason))
