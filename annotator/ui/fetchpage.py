"""The fetch page: which dataset of the Hub, where to, how far it is, and what came of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from annotator.ui import fonts, theme
from annotator.ui.fetch_state import FetchRequest, FetchState
from annotator.ui.i18n import tr
from annotator.ui.importpage import PageHead
from annotator.ui.widgets import Button, Card, ElidedLabel, FilterChip, Ground, PlainLabel, Separator
from annotator.ui.widgets.base import Live
from annotator.workspace.fetching import KNOWN, Fetched, Pin, Step, default_folder, named

_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
FIELDS: Final = ("repo", "revision", "allow", "folder")


class FetchPage(Live, QWidget):
    """A form, and under it the state of the fetch.

    Signals:
        fetch_wanted: a FetchRequest. cancel_wanted, import_wanted (what was fetched), back_wanted, folder_wanted.
        shown_now: the page came to the front.
    """

    fetch_wanted = Signal(object)
    cancel_wanted = Signal()
    import_wanted = Signal()
    back_wanted = Signal()
    folder_wanted = Signal()
    shown_now = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """The full benchmark is offered first."""
        super().__init__(parent)
        self._place = Path()
        self._pins: dict[str, Pin] = {}
        self._writable = False
        self._folder_typed = False
        self.head = PageHead()
        self.head.chip.hide()
        self.form = Card()
        self.labels = {name: ElidedLabel("", style="body", weight=500) for name in FIELDS}
        self.edits = {name: QLineEdit() for name in FIELDS}
        self.known = {repo_id: FilterChip(repo_id.rpartition("/")[2]) for repo_id in KNOWN}
        self.browse = Button("", icon="folder-open", small=True)
        self.token_note = PlainLabel("", style="label", role="text3")
        self.state = FetchState()
        self.buttons = {
            "back": Button("", kind="flat", icon="arrow-left"),
            "stop": Button("", icon="x"),
            "again": Button("", icon="refresh-cw"),
            "fetch": Button("", kind="primary", icon="cloud", key="Enter"),
            "import": Button("", kind="primary", icon="download", key="Enter"),
        }
        self._foot_text = ElidedLabel("", style="label", role="text2")
        self._lay_out()
        self._connect()
        self.edits["repo"].setText(KNOWN[0])
        self.go_live()

    # --- parts --------------------------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        body = QVBoxLayout()
        body.setContentsMargins(16, 12, 16, 12)
        body.setSpacing(12)
        self._fill_form()
        body.addWidget(self.form)
        body.addWidget(self.state, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(Separator())
        layout.addLayout(body, 1)
        layout.addWidget(Separator())
        layout.addWidget(self._foot())

    def _fill_form(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, 120)
        grid.setColumnStretch(1, 1)
        chips = QHBoxLayout()
        chips.setSpacing(6)
        for chip in self.known.values():
            chips.addWidget(chip)
        chips.addStretch(1)
        folder = QHBoxLayout()
        folder.setSpacing(8)
        folder.addWidget(self.edits["folder"], 1)
        folder.addWidget(self.browse)
        rows: dict[str, QWidget | QHBoxLayout] = {**self.edits, "folder": folder}
        line = 0
        for name, field in rows.items():
            grid.addWidget(self.labels[name], line, 0)
            if isinstance(field, QWidget):
                grid.addWidget(field, line, 1)
            else:
                grid.addLayout(field, line, 1)
            line += 1
            if name == "repo":
                grid.addLayout(chips, line, 1)
                line += 1
        grid.addWidget(self.token_note, line, 1)
        self.form.body.addLayout(grid)

    def _foot(self) -> QWidget:
        foot = Ground("window")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self.buttons["back"])
        row.addWidget(self._foot_text, 1)
        for name in ("stop", "again", "fetch", "import"):
            row.addWidget(self.buttons[name])
        return foot

    def _connect(self) -> None:
        for name, field in self.edits.items():
            field.setObjectName(f"fetch_{name}")
        for repo_id, chip in self.known.items():
            chip.setObjectName(f"fetch_known_{repo_id}")
            chip.clicked.connect(self._known_chosen)
        for name, button in self.buttons.items():
            button.setObjectName(f"fetch_do_{name}")
        self.edits["repo"].textChanged.connect(self._repo_changed)
        self.edits["folder"].textEdited.connect(self._folder_edited)
        for name in ("revision", "allow", "folder"):
            self.edits[name].textEdited.connect(self._edited)
        self.browse.clicked.connect(self.folder_wanted)
        self.buttons["back"].clicked.connect(self.back_wanted)
        self.buttons["stop"].clicked.connect(self.cancel_wanted)
        self.buttons["again"].clicked.connect(self._ask)
        self.buttons["fetch"].clicked.connect(self._ask)
        self.buttons["import"].clicked.connect(self.import_wanted)

    # --- the form -----------------------------------------------------------------------------------------------
    def show_place(self, folder: Path, pins: dict[str, Pin], *, writable: bool) -> None:
        """The open workspace's folder, and what was fetched into it before."""
        if folder != self._place and self.state.mode != "running":
            self.state.show_idle()
        self._place, self._pins, self._writable = folder, pins, writable
        if pins and not self._folder_typed and self.edits["repo"].text() not in pins:
            self.edits["repo"].setText(next(iter(pins)))
        self._follow_folder()
        self._refresh()

    def set_folder(self, folder: str) -> None:
        """A folder that was chosen."""
        self._folder_typed = True
        self.edits["folder"].setText(folder)
        self._refresh()

    @property
    def repo_id(self) -> str:
        """The dataset as typed; the address of its page is understood too."""
        return named(self.edits["repo"].text())[0]

    def request(self) -> FetchRequest | None:
        """What is asked for now; None where the name or the folder cannot be meant."""
        folder = self.edits["folder"].text().strip()
        if not self._writable or not folder or _ID.fullmatch(self.repo_id) is None:
            return None
        allow = tuple(p for p in re.split(r"[,\s]+", self.edits["allow"].text().strip()) if p)
        revision = self.edits["revision"].text().strip() or named(self.edits["repo"].text())[1]
        return FetchRequest(self.repo_id, revision, allow, Path(folder).expanduser())

    def _ask(self) -> None:
        request = self.request()
        if request is not None and self.state.mode != "running":
            self.fetch_wanted.emit(request)

    def _known_chosen(self) -> None:
        chip = self.sender()
        for repo_id, known in self.known.items():
            if known is chip:
                self.edits["repo"].setText(repo_id)
        self._refresh()

    def _folder_edited(self, text: str) -> None:
        self._folder_typed = bool(text.strip())
        self._refresh()

    def _follow_folder(self) -> None:
        """The folder follows the dataset's name until a person names one."""
        if not self._folder_typed and _ID.fullmatch(self.repo_id):
            self.edits["folder"].setText(str(default_folder(self._place, self._pins, self.repo_id)))

    def _repo_changed(self) -> None:
        self._follow_folder()
        self._edited()

    def _edited(self) -> None:
        """What is asked for is something else than what the state tells of."""
        if self.state.mode != "running":
            self.state.show_idle()
        self._refresh()

    # --- states -------------------------------------------------------------------------------------------------
    def show_running(self, repo_id: str) -> None:
        """A fetch has begun."""
        self.state.show_running(repo_id)
        self._refresh()
        self.buttons["stop"].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_step(self, step: Step) -> None:
        """How far it is."""
        self.state.show_step(step)

    def show_cancelled(self) -> None:
        """It was stopped; what came is kept."""
        self.state.show_cancelled()
        self._refresh()

    def show_failed(self, sentence: str) -> None:
        """It was not possible."""
        self.state.show_failed(sentence)
        self._refresh()

    def show_done(self, got: Fetched) -> None:
        """Everything is here."""
        self.state.show_done(got)
        self._refresh()
        self.buttons["import"].setFocus(Qt.FocusReason.OtherFocusReason)

    def page_shown(self) -> None:
        """Take the keyboard, and ask for what is true now."""
        self.shown_now.emit()
        if self.state.mode in ("idle", "failed", "cancelled"):
            self.edits["repo"].setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return does what the coloured button says, from any field (they pass it on)."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self.state.mode == "done":
            self.import_wanted.emit()
        else:
            self._ask()

    def _refresh(self) -> None:
        """What can be done now."""
        mode = self.state.mode
        busy, ready = mode == "running", self.request() is not None
        for field in self.edits.values():
            field.setEnabled(not busy)
        for repo_id, chip in self.known.items():
            chip.setEnabled(not busy)
            chip.setChecked(repo_id == self.repo_id)
        self.browse.setEnabled(not busy)
        stopped = mode in ("cancelled", "failed")
        shown = {"back": True, "stop": busy, "again": stopped, "fetch": mode == "idle", "import": mode == "done"}
        for name, visible in shown.items():
            self.buttons[name].setVisible(visible)
        for name in ("fetch", "again"):
            self.buttons[name].setEnabled(ready)
        pin = self._pins.get(self.repo_id)
        told = tr("fetch.pinned", commit=pin.revision[:12], requested=pin.requested) if pin is not None else ""
        self._foot_text.set_text(told if self._writable else tr("fetch.read_only"))

    # --- texts --------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        """Read the texts again."""
        self.head.title.set_text(tr("fetch.title"))
        self.head.note.set_text(tr("fetch.note"))
        for name in FIELDS:
            self.labels[name].set_text(tr(f"fetch.field.{name}"))
            self.edits[name].setAccessibleName(tr(f"fetch.field.{name}"))
            self.edits[name].setPlaceholderText(tr(f"fetch.hint.{name}"))
        self.browse.set_text(tr("fetch.browse"))
        self.token_note.set_text(tr("fetch.token_note"))
        for name, button in self.buttons.items():
            button.set_text(tr(f"fetch.do.{name}"))
        self._refresh()

    def remeasure(self) -> None:
        """The fields' fonts."""
        for field in self.edits.values():
            field.setFont(fonts.font("body"))
        super().remeasure()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()
