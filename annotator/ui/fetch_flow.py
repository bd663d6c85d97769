"""What the fetch page asks for, done: in the lane for far things, with progress, then the import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.ui.fetch_state import FetchRequest
from annotator.ui.fetchpage import FetchPage
from annotator.ui.flows import ImportJob
from annotator.ui.i18n import tr
from annotator.ui.sentences import message
from annotator.ui.widgets.message import Message
from annotator.workspace import fetching
from annotator.workspace.fetching import Fetched, Pin, Step

if TYPE_CHECKING:
    from annotator.ui.window import MainWindow

MESSAGE = "fetched"


class FetchFlow(QObject):
    """One fetch at a time, of the workspace that is open; leaving the workspace stops it, and it goes on later.

    Signals:
        stepped: a Step, from the thread that fetches.
    """

    stepped = Signal(object)

    def __init__(self, window: MainWindow, page: FetchPage) -> None:
        """Answer this page."""
        super().__init__(page)
        self._window, self._page = window, page
        self._token: CancelToken | None = None
        self._got: Fetched | None = None
        page.fetch_wanted.connect(self.fetch)
        page.cancel_wanted.connect(self.cancel)
        page.import_wanted.connect(self.import_it)
        page.back_wanted.connect(self._back)
        page.folder_wanted.connect(self.choose_folder)
        page.shown_now.connect(self.refresh)
        self.stepped.connect(page.show_step)
        window.desk.closed.connect(self.cancel)
        window.messages.acted.connect(self._acted)

    def refresh(self) -> None:
        """Read again what was fetched into the open workspace."""
        desk = self._window.desk
        workspace = desk.workspace
        if workspace is None:
            return

        def arrived(pins: dict[str, Pin]) -> None:
            if workspace is desk.workspace:
                self._page.show_place(workspace.store.folder, pins, writable=desk.can_write)

        self._window.lanes.quick(lambda: fetching.pins(workspace), arrived)

    def choose_folder(self) -> None:
        """Ask where the files shall go."""
        folder = QFileDialog.getExistingDirectory(self._window, tr("fetch.choose_folder"))
        if folder:
            self._page.set_folder(folder)

    def fetch(self, request: FetchRequest) -> None:
        """Begin; the window stays usable meanwhile."""
        workspace = self._window.desk.workspace
        if workspace is None or self._token is not None:
            return

        def call(token: CancelToken) -> Fetched:
            return fetching.fetch(
                workspace,
                request.repo_id,
                data_root=request.root,
                revision=request.revision or None,
                allow=request.allow,
                token=token,
                progress=self._progress,
            )

        self._page.show_running(request.repo_id)
        self._token = self._window.lanes.far(call, self._fetched, self._failed)

    def _progress(self, step: Step) -> None:
        self.stepped.emit(step)

    def cancel(self) -> None:
        """Stop; what came is kept."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
            self._page.show_cancelled()

    def _fetched(self, got: Fetched) -> None:
        self._token, self._got = None, got
        self._page.show_done(got)
        self.refresh()
        if self._window.stack.currentWidget() is self._page:
            self.import_it()
        else:  # whoever is at work elsewhere is not taken away from it
            text = tr("fetch.here", name=got.repo_id)
            self._window.messages.show_message(Message("ok", text, (("import", tr("fetch.do.import")),), MESSAGE))
        for number, sentence in enumerate(got.refused[:2]):
            self._window.messages.show_message(message("warn", sentence, (), f"{MESSAGE}_refused_{number}"))

    def _failed(self, error: WorldError) -> None:
        self._token = None
        self._page.show_failed(error.sentence)
        if self._window.stack.currentWidget() is not self._page:
            self._window.tell_error(error)

    def import_it(self) -> None:
        """Import what was fetched."""
        if self._got is not None:
            roots = fetching.media_roots(self._got)
            self._window.flows.run(ImportJob((Path(self._got.root),), "auto", roots))

    def _acted(self, key: str, action: str) -> None:
        if (key, action) == (MESSAGE, "import"):
            self.import_it()

    def _back(self) -> None:
        self._window.show_page("import")
