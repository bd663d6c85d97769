"""Checking all media from the window: every frame, picture and sound decoded in the background, what fails listed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from annotator.cancel import CancelToken
from annotator.ui import density, theme
from annotator.ui.desk import Desk
from annotator.ui.i18n import count, tr
from annotator.ui.textcolumn import Paragraph, TextColumn
from annotator.ui.widgets import Button, ElidedLabel, paint
from annotator.ui.widgets.base import Live

_LISTED = 200


class MediaCheckPanel(Live, QWidget):
    """A line with a button; while it runs, a progress bar and Cancel; afterwards what was found."""

    _progress = Signal(int, int)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        """Idle."""
        super().__init__(parent)
        self.setObjectName("mediaCheck")
        self._desk = desk
        self._token: CancelToken | None = None
        self._found: dict[str, Any] | None = None
        self._stopped = False
        self._done = self._total = 0
        self.note = ElidedLabel("", "label", "text2")
        self.button = Button("", "default", "film", small=True)
        self.button.setObjectName("checkMedia")
        self.button.clicked.connect(self._clicked)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.faults = TextColumn()
        row = QHBoxLayout()
        row.addWidget(self.note, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 8)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.bar)
        column.addWidget(self.faults)
        self._progress.connect(self._advanced, Qt.ConnectionType.QueuedConnection)
        desk.opened.connect(self._reset)
        desk.closed.connect(self._reset)
        self.go_live()

    @property
    def running(self) -> bool:
        """Whether media are being decoded."""
        return self._token is not None

    def _clicked(self) -> None:
        if self._token is not None:
            self._token.cancel()
            self._token, self._stopped = None, True
            self._write()
            return
        workspace = self._desk.workspace
        if workspace is None:
            return
        self._found, self._stopped, self._done, self._total = None, False, 0, 0
        # The signal hops to the GUI thread; the call itself touches no widget.
        self._token = self._desk.lanes.bulk(
            lambda token: workspace.check_media(token, self._progress.emit), self._arrived, self._failed
        )
        self._write()

    def _advanced(self, done: int, total: int) -> None:
        if self._token is not None:
            self._done, self._total = done, total
            self._write()

    def _arrived(self, found: dict[str, Any]) -> None:
        self._token, self._found = None, found
        self._write()

    def _failed(self, error: Any) -> None:
        self._token = None
        self._desk.lanes.trouble.emit(error)
        self._write()

    def _reset(self) -> None:
        if self._token is not None:
            self._token.cancel()
        self._token, self._found, self._stopped = None, None, False
        self._write()

    # ---------------------------------------------------------------------------------------------------------- words
    def _write(self) -> None:
        running, found = self.running, self._found
        self.bar.setVisible(running)
        self.bar.setRange(0, max(1, self._total))
        self.bar.setValue(self._done)
        self.button.set_text(tr("media.check_cancel" if running else "media.check_start"))
        self.button.setEnabled(self._desk.workspace is not None)
        if running:
            self.note.set_text(tr("media.check_running", done=count(self._done), total=count(self._total)))
        elif found is not None:
            values = {name: count(found[name]) for name in ("files", "ok", "missing", "frames")}
            wrong = count(len(found["faults"]) + len(found["damaged"]))
            self.note.set_text(tr("media.check_found", wrong=wrong, **values))
        else:
            self.note.set_text(tr("media.check_stopped" if self._stopped else "media.check_idle"))
        told = self._told()
        self.faults.set_texts(told)
        self.faults.setVisible(bool(told))

    def _told(self) -> list[Paragraph]:
        found = self._found
        if found is None:
            return []
        rows = [(e, "error") for e in found["faults"]] + [(e, "warn") for e in found["damaged"]]
        return [(", ".join(entry["items"][:4]), entry["why"], role) for entry, role in rows[:_LISTED]]

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("media.check_start"))
        self._write()

    def remeasure(self) -> None:
        """Room for some lines of what was found."""
        self.faults.setFixedHeight(density.scaled(180))
        self.bar.setFixedHeight(density.scaled(4))
        super().remeasure()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground and its lower line."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("panel"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())
