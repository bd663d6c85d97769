"""What the export dialog asks for, done: in the lane for long work, with progress, and stopped when that is wanted."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.ui.export_dialog import ExportDialog, ExportRequest, done_words
from annotator.ui.i18n import tr
from annotator.ui.widgets.message import Message
from annotator.workspace.exporting import Exported, export_labels

if TYPE_CHECKING:
    from annotator.ui.window import MainWindow

PROGRESS_EVERY_S = 0.1
MESSAGE = "exported"


class ExportFlow(QObject):
    """One export at a time, of the workspace that is open; leaving the workspace stops it.

    Signals:
        progressed: (labels read, labels there), from the thread that writes; throttled.
    """

    progressed = Signal(int, int)

    def __init__(self, window: MainWindow) -> None:
        """Work for this window."""
        super().__init__(window)
        self._window = window
        self._token: CancelToken | None = None
        self.dialog: ExportDialog | None = None
        window.desk.closed.connect(self._left)

    def show_dialog(self) -> None:
        """The dialog of the open workspace, as it was left."""
        info = self._window.desk.info
        if info is None:
            return
        if self.dialog is None:
            self.dialog = dialog = ExportDialog(info.rater, names_hidden=info.hide_names, parent=self._window)
            dialog.write_wanted.connect(self.ask)
            dialog.stop_wanted.connect(self.stop)
            self.progressed.connect(dialog.show_progress)
        self.dialog.show()

    def ask(self, request: ExportRequest) -> None:
        """Ask for the file, and begin."""
        workspace = self._window.desk.workspace
        if workspace is None or self._token is not None:
            return
        folder = workspace.store.folder
        suffix = f".{request.format_name}"
        chosen, _ = QFileDialog.getSaveFileName(
            self.dialog or self._window, tr("export.choose"), str(folder.parent / f"{folder.name}-labels{suffix}"),
            f"{tr(f'export.format_{request.format_name}')} (*{suffix})",
        )  # fmt: skip
        if chosen:
            file = Path(chosen)
            self.write(request, file if file.suffix.lower() == suffix else file.with_name(file.name + suffix))

    def write(self, request: ExportRequest, file: Path) -> None:
        """Begin; the window stays usable meanwhile."""
        workspace = self._window.desk.workspace
        if workspace is None or self._token is not None:
            return
        last = [0.0]

        def progress(done: int, total: int) -> None:
            now = time.monotonic()
            if now - last[0] >= PROGRESS_EVERY_S or done == total:
                last[0] = now
                self.progressed.emit(done, total)

        def call(token: CancelToken) -> Exported:
            return export_labels(
                workspace.store, file, format_name=request.format_name, events=request.events, rater=request.rater,
                token=token, progress=progress,
            )  # fmt: skip

        if self.dialog is not None:
            self.dialog.show_running(file)
        self._token = self._window.lanes.bulk(call, self._written, self._failed)

    def stop(self) -> None:
        """Stop; nothing of it is left."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
            if self.dialog is not None:
                self.dialog.show_stopped()

    def _written(self, done: Exported) -> None:
        self._token = None
        if self.dialog is not None:
            self.dialog.show_done(done)
        if self.dialog is None or not self.dialog.isVisible():
            self._window.messages.show_message(Message("ok", done_words(done).replace("\n", " "), (), MESSAGE))

    def _failed(self, error: WorldError) -> None:
        self._token = None
        if self.dialog is not None:
            self.dialog.show_failed(error.sentence)
        if self.dialog is None or not self.dialog.isVisible():
            self._window.tell_error(error)

    def _left(self) -> None:
        self.stop()
        if self.dialog is not None:
            dialog, self.dialog = self.dialog, None
            dialog.close()
            dialog.deleteLater()
