"""The import page: what to import, how far it is, and the report of what came of it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from annotator.domain.report import ImportReport
from annotator.ui import density, i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.import_counts import CountsCard, TotalsCard
from annotator.ui.import_lines import LinesCard
from annotator.ui.sentences import words
from annotator.ui.widgets import Button, Chip, ElidedLabel, EmptyState, Ground, PlainLabel, Separator
from annotator.ui.widgets.base import Live


class PageHead(Ground):
    """Title, a note beside it, and a chip at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty until told."""
        super().__init__("window", parent=parent)
        self.title = ElidedLabel("", style="page", weight=600)
        self.note = ElidedLabel("", style="label", role="text2")
        self.chip = Chip("", "ok", "shield-check")
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(10)
        row.addWidget(self.title)
        row.addWidget(self.note, 1)
        row.addWidget(self.chip)
        self.go_live()

    def remeasure(self) -> None:
        """The page bar's height."""
        self.setFixedHeight(density.metrics().page_bar)


class Running(Live, QWidget):
    """A running import: names, progress, and how to stop it."""

    cancel_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing runs."""
        super().__init__(parent)
        self.title = ElidedLabel("", style="page", weight=600)
        self.detail = ElidedLabel("", style="label", role="text2")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.cancel = Button("", icon="x")
        self.cancel.clicked.connect(self.cancel_wanted)
        self._done, self._total = 0, 0
        inner = QVBoxLayout()
        inner.setSpacing(10)
        for widget in (self.title, self.detail, self.bar):
            inner.addWidget(widget)
        inner.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignLeft)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addLayout(inner, 3)
        row.addStretch(1)
        outer.addLayout(row)
        outer.addStretch(3)
        self.go_live()

    def start(self, names: Sequence[str]) -> None:
        """Show what is being imported."""
        self._names = list(names)
        self.set_progress(0, 0)

    def set_progress(self, done: int, total: int) -> None:
        """How much of how much is done, in any unit."""
        self._done, self._total = done, total
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)
        self.retranslate()

    def retranslate(self) -> None:
        """Read the texts again."""
        names = getattr(self, "_names", [])
        self.title.set_text(tr("import.running", name=", ".join(names)))
        percent = 100 * self._done // self._total if self._total else 0
        self.detail.set_text(tr("import.progress", percent=percent) if self._total else tr("import.reading"))
        self.cancel.set_text(tr("import.cancel"))
        self.bar.setAccessibleName(tr("import.progress_name"))


class ImportPage(Live, QWidget):
    """Idle, running, or showing a report.

    Signals:
        files_wanted, folder_wanted: a source shall be asked for; media_root_wanted: a folder of media.
        fetch_wanted: the Hub's page.
        import_wanted: (paths, kind, media roots).
        cancel_wanted, start_wanted (begin to audit), problems_wanted, save_wanted (the report as JSON text).
    """

    files_wanted = Signal()
    folder_wanted = Signal()
    media_root_wanted = Signal()
    fetch_wanted = Signal()
    import_wanted = Signal(list, str, list)
    cancel_wanted = Signal()
    start_wanted = Signal()
    problems_wanted = Signal()
    save_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Idle at first."""
        super().__init__(parent)
        self._reports: list[ImportReport] = []
        self.shown = 0
        self.head = PageHead()
        self.idle = EmptyState("download")
        self.running = Running()
        self.counts = CountsCard()
        self.totals = TotalsCard()
        self.lines = LinesCard()
        self.notes = PlainLabel("", style="label", role="text2")
        self.buttons = {
            "fetch": Button("", icon="cloud"),
            "files": Button("", icon="file-text"),
            "folder": Button("", icon="folder-open"),
            "save": Button("", kind="flat", icon="download"),
            "media": Button("", icon="folder-open"),
            "problems": Button("", icon="triangle-alert"),
            "start": Button("", kind="primary", key="Enter"),
        }
        self.stack = QStackedWidget()
        for part in (self.idle, self.running, self._report_part()):
            self.stack.addWidget(part)
        self._foot_text = ElidedLabel("", style="label", role="text2")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.head, Separator()):
            layout.addWidget(widget)
        layout.addWidget(self.stack, 1)
        layout.addWidget(Separator())
        layout.addWidget(self._foot())
        self._connect()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._state = "idle"
        self.go_live()

    def _report_part(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(12)
        upper = QHBoxLayout()
        upper.setSpacing(12)
        upper.addWidget(self.counts, 7)
        upper.addWidget(self.totals, 3)
        column.addLayout(upper)
        column.addWidget(self.lines, 1)
        column.addWidget(self.notes)
        return part

    def _foot(self) -> QWidget:
        foot = Ground("window")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 8, 16, 8)
        row.setSpacing(8)
        row.addWidget(self._foot_text, 1)
        for button in self.buttons.values():
            row.addWidget(button)
        return foot

    def _connect(self) -> None:
        self.running.cancel_wanted.connect(self.cancel_wanted)
        self.idle.activated.connect(self.folder_wanted)
        self.buttons["fetch"].clicked.connect(self.fetch_wanted)
        self.buttons["files"].clicked.connect(self.files_wanted)
        self.buttons["folder"].clicked.connect(self.folder_wanted)
        self.buttons["media"].clicked.connect(self.media_root_wanted)
        self.buttons["problems"].clicked.connect(self.problems_wanted)
        self.buttons["start"].clicked.connect(self.start_wanted)
        self.buttons["save"].clicked.connect(self._save)

    # --- states -------------------------------------------------------------------------------------------------
    def show_idle(self) -> None:
        """Nothing runs and nothing is to be reported."""
        self._enter("idle")

    def show_running(self, names: Sequence[str]) -> None:
        """An import has begun."""
        self.running.start(names)
        self._enter("running")

    def show_progress(self, done: int, total: int) -> None:
        """How far it is, in bytes."""
        self.running.set_progress(done, total)

    def show_cancelled(self) -> None:
        """It was stopped; nothing was changed."""
        self._enter("cancelled")

    def show_failed(self, sentence: str) -> None:
        """It was not possible; nothing was changed."""
        self._sentence = sentence
        self._enter("failed")

    def show_reports(self, reports: Sequence[ImportReport]) -> None:
        """Show what came of it; of several sources the one that most needs a look first."""
        self._reports = sorted(reports, key=lambda r: (not r.refused, -len(r.lines)))
        self.shown = 0
        self._enter("report")

    @property
    def report(self) -> ImportReport | None:
        """The report that is shown."""
        return self._reports[self.shown] if self._reports else None

    def _enter(self, state: str) -> None:
        self._state = state
        place = {"running": 1, "report": 2}.get(state, 0)
        self.stack.setCurrentIndex(place)
        self.retranslate()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _save(self) -> None:
        if self.report is not None:
            self.save_wanted.emit(self.report.model_dump_json(indent=2))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return begins to audit when a report is shown; Ctrl+C copies the report's lines."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._state == "report":
            self.start_wanted.emit()
        else:
            super().keyPressEvent(event)

    # --- texts --------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        """Read the texts again."""
        report = self.report if self._state == "report" else None
        self._retranslate_head(report)
        self.idle.set_icon("circle-x" if self._state == "failed" else "download")
        if self._state == "failed":
            self.idle.set_texts(tr("import.failed"), words(self._sentence), tr("import.folder"))
        elif self._state == "cancelled":
            self.idle.set_texts(tr("import.cancelled"), tr("import.unchanged_workspace"), tr("import.folder"))
        else:
            self.idle.set_texts(tr("import.idle"), tr("import.idle_why"), tr("import.folder"))
        for name, button in self.buttons.items():
            button.set_text(tr(f"import.{name}"))
        missing = report.assets.missing if report else 0
        waits = any(line.code in ("dup_conflict", "scale_suspect") for line in report.lines) if report else False
        busy = self._state == "running"
        self.buttons["fetch"].setVisible(not busy)
        self.buttons["files"].setVisible(not busy)
        self.buttons["folder"].setVisible(not busy and report is not None)
        self.buttons["save"].setVisible(report is not None)
        self.buttons["media"].setVisible(bool(missing))
        self.buttons["problems"].setVisible(waits)
        self.buttons["start"].setVisible(report is not None and not report.refused)
        if report is not None:
            self.counts.show_report(report)
            self.totals.show_report(report)
            self.lines.show_report(report)
            self.notes.set_text("\n".join(map(words, report.notes[:4])))
            self.notes.setVisible(bool(report.notes))
        self._foot_text.set_text(self._foot_line(report))

    def _foot_line(self, report: ImportReport | None) -> str:
        if report is None:
            return ""
        if report.assets.missing:
            return tr("import.media_hint", n=i18n.count(report.assets.missing))
        return tr("import.source_hash", hash=report.source_hash[:12]) if report.source_hash else ""

    def _retranslate_head(self, report: ImportReport | None) -> None:
        key = {"running": "import.title_running", "report": "import.title_done"}.get(self._state, "import.title")
        if report is not None and report.refused:
            key = "import.title_refused"
        self.head.title.set_text(tr(key))
        note = ""
        if report is not None:
            note = tr("import.note", kind=report.kind, files=len(report.files), seconds=f"{report.seconds:.1f}")
        self.head.note.set_text(note)
        self.head.chip.set_text(tr("import.no_label_changed"))
        self.head.chip.setVisible(report is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()
