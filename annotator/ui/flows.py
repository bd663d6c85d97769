"""The longer errands of the window: making workspaces, the sample, importing with progress, deciding problems."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from annotator.cancel import CancelToken
from annotator.domain.report import Choice, ImportReport, Problem
from annotator.errors import WorldError
from annotator.ui.i18n import tr
from annotator.ui.importpage import ImportPage
from annotator.ui.problemspage import ProblemsPage
from annotator.workspace.reveal import closed_report
from annotator.workspace.workspace import Workspace

if TYPE_CHECKING:
    from annotator.ui.export_flow import ExportFlow
    from annotator.ui.window import MainWindow

PROGRESS_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class ImportJob:
    """What to import and where its media are."""

    sources: tuple[Path, ...]
    kind: str = "auto"
    media_roots: tuple[Path, ...] = ()


class Flows(QObject):
    """Errands that touch the workspace and a page.

    Signals:
        progressed: (done, total) of the running import, in bytes; throttled.
    """

    progressed = Signal(int, int)

    def __init__(self, window: MainWindow) -> None:
        """Work for this window."""
        super().__init__(window)
        self._window = window
        self._token: CancelToken | None = None
        self._last_job: ImportJob | None = None

    @cached_property
    def exports(self) -> ExportFlow:
        """Labels into files, made when first wanted."""
        from annotator.ui.export_flow import ExportFlow

        return ExportFlow(self._window)

    # --- workspaces ---------------------------------------------------------------------------------------------
    def make_workspace(
        self, folder: Path, job: ImportJob | None = None, then: Callable[[], None] | None = None
    ) -> None:
        """Make a workspace there, open it, and import at once where there is a job; `then` follows when it is open."""
        window = self._window

        def made(path: Path) -> None:
            window.open_path(path)
            if job is not None:
                self._import_when_open(job)
            if then is not None:
                window.lanes.quick(lambda: None, lambda _: then())

        def call() -> Path:
            from annotator.workspace.setup import login_name

            Workspace.create(folder, rater=login_name()).close()
            return folder

        window.lanes.quick(call, made)

    def open_sample(self) -> None:
        """Make the sample workspace where it is not there yet, and open it."""
        window = self._window
        window.welcome.set_busy(tr("welcome.making_sample"))

        def call(token: CancelToken) -> Path:
            from annotator.workspace.setup import ensure_demo

            return ensure_demo(None, token=token)

        def made(folder: Path) -> None:
            window.welcome.set_busy("")
            window.open_path(folder)

        def failed(error: WorldError) -> None:
            window.welcome.set_busy("")
            window.tell_error(error)

        window.lanes.bulk(call, made, failed)

    # --- importing ----------------------------------------------------------------------------------------------
    def connect_import(self, page: ImportPage) -> None:
        """Answer what the import page asks."""
        page.import_wanted.connect(self._page_import)
        page.fetch_wanted.connect(self.start_fetch)
        page.files_wanted.connect(self.choose_files)
        page.folder_wanted.connect(self.choose_folder)
        page.media_root_wanted.connect(self.choose_media_root)
        page.cancel_wanted.connect(self.cancel)
        page.start_wanted.connect(self._start_auditing)
        page.problems_wanted.connect(self._show_problems)
        page.save_wanted.connect(self._save_report)
        self.progressed.connect(page.show_progress)

    def start_import(self, paths: Sequence[Path]) -> None:
        """Import into the open workspace; without one, ask where the new one shall be."""
        window = self._window
        if not paths:
            self.choose_folder()
            return
        job = ImportJob(tuple(paths))
        if window.desk.workspace is not None:
            self.run(job)
            return
        folder = QFileDialog.getExistingDirectory(window, tr("window.choose_empty"))
        if folder:
            self.make_workspace(Path(folder), job)

    def start_fetch(self) -> None:
        """Show the Hub's page; without an open workspace, ask where the new one shall be."""
        window = self._window
        if window.desk.workspace is not None:
            window.show_page("fetch")
            return
        folder = QFileDialog.getExistingDirectory(window, tr("window.choose_empty"))
        if folder:
            self.make_workspace(Path(folder), then=self._show_fetch)

    def _show_fetch(self) -> None:
        self._window.show_page("fetch")

    def choose_files(self) -> None:
        """Ask for files to import."""
        names, _ = QFileDialog.getOpenFileNames(self._window, tr("import.choose_files"))
        if names:
            self.start_import([Path(n) for n in names])

    def choose_folder(self) -> None:
        """Ask for a folder to import."""
        folder = QFileDialog.getExistingDirectory(self._window, tr("import.choose_folder"))
        if folder:
            self.start_import([Path(folder)])

    def choose_media_root(self) -> None:
        """Ask where the media are, and import the last source again with it: labels are not touched."""
        folder = QFileDialog.getExistingDirectory(self._window, tr("import.choose_media_root"))
        if folder and self._last_job is not None:
            job = self._last_job
            self.run(ImportJob(job.sources, job.kind, (*job.media_roots, Path(folder))))

    def _page_import(self, paths: list[str], kind: str, roots: list[str]) -> None:
        self.run(ImportJob(tuple(Path(p) for p in paths), kind, tuple(Path(r) for r in roots)))

    def _import_when_open(self, job: ImportJob) -> None:
        # The quick lane is in order: when this answers, the workspace asked for before is open.
        self._window.lanes.quick(lambda: None, lambda _: self.run(job))

    def run(self, job: ImportJob) -> None:
        """Import in the bulk lane, one source after the other; the page shows progress, then the report."""
        window = self._window
        workspace = window.desk.workspace
        if workspace is None or self._token is not None:
            return
        self._last_job = job
        page = window.import_page
        window.show_page("import")
        page.show_running([p.name for p in job.sources])
        last = [0.0]

        def progress(done: int, total: int) -> None:
            now = time.monotonic()
            if now - last[0] >= PROGRESS_EVERY_S:
                last[0] = now
                self.progressed.emit(done, total)

        def call(token: CancelToken) -> list[ImportReport]:
            reports = []
            for source in job.sources:
                reports.append(
                    workspace.import_source(
                        source, kind=job.kind, media_roots=job.media_roots, token=token, progress=progress
                    )
                )
            mask = workspace.mask()
            return [mask.report(closed_report(r)) for r in reports]

        self._token = window.lanes.bulk(call, self._imported, self._import_failed)

    def cancel(self) -> None:
        """Stop the running import; the workspace is as it was."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
            self._window.import_page.show_cancelled()

    def _imported(self, reports: list[ImportReport]) -> None:
        self._token = None
        self._window.import_page.show_reports(reports)
        self._window.desk.reload()

    def _import_failed(self, error: WorldError) -> None:
        self._token = None
        self._window.import_page.show_failed(error.sentence)

    def _start_auditing(self) -> None:
        self._window.show_page("review")
        if self._window.desk.view is None:
            self._window.desk.refresh_queue(then_first=True)

    def _save_report(self, text: str) -> None:
        name, _ = QFileDialog.getSaveFileName(self._window, tr("import.save_report"), "import-report.json")
        if not name:
            return

        def call() -> None:
            try:
                Path(name).write_text(text, encoding="utf-8")
            except OSError as error:
                raise WorldError(f"The report could not be written to {name}: {error.strerror}.") from error

        self._window.lanes.quick(call)

    # --- problems -----------------------------------------------------------------------------------------------
    def connect_problems(self, page: ProblemsPage) -> None:
        """Answer what the problems page asks."""
        page.decided.connect(self.decide)
        page.wanted.connect(self.refresh_problems)

    def _show_problems(self) -> None:
        self._window.show_page("problems")

    def refresh_problems(self) -> None:
        """Read again what waits."""
        workspace = self._window.desk.workspace
        if workspace is None:
            return

        def call() -> list[Problem]:
            mask = workspace.mask()
            return [mask.problem(p) for p in workspace.problems()]

        self._window.lanes.quick(call, self._window.problems_page.show_problems)

    def decide(self, problem_id: str, choice: Choice) -> None:
        """Settle a problem."""
        workspace = self._window.desk.workspace
        if workspace is None:
            return

        def done(_: object) -> None:
            self.refresh_problems()
            self._window.desk.reload()

        self._window.lanes.bulk(lambda _token: workspace.decide(problem_id, choice), done)
