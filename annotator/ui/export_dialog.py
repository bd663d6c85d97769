"""Labels into files: which format, whose labels, how far it is, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.sentences import words
from annotator.ui.widgets import Button, CheckBox, ElidedLabel, PlainLabel, Segmented
from annotator.ui.widgets.base import Live
from annotator.workspace.exporting import LABEL_FORMATS, Exported

_ORDER = ("csv", "xlsx", "parquet", "jsonl")


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What to write: `rater` is None for everyone's labels."""

    format_name: str
    rater: str | None
    events: bool


class ExportDialog(Live, QDialog):
    """One dialog for as long as a workspace is open; closing it stops nothing.

    Signals:
        write_wanted: an ExportRequest, for which a file is still to be asked.
        stop_wanted: the running export shall stop.
    """

    write_wanted = Signal(object)
    stop_wanted = Signal()

    def __init__(self, rater: str, *, names_hidden: bool, parent: QWidget | None = None) -> None:
        """Offer what `rater` may write; `names_hidden` where the window shows letters for models."""
        super().__init__(parent)
        self.setObjectName("exportDialog")
        self._rater, self._names_hidden = rater, names_hidden
        self._state, self._sentence = "idle", ""
        self._done: Exported | None = None
        self.labels = {name: ElidedLabel("", style="body", weight=500) for name in ("format", "whose")}
        self.formats = Segmented()
        for name in _ORDER:
            if name in LABEL_FORMATS:
                self.formats.add(name, name).setObjectName(f"export_{name}")
        self.whose = Segmented()
        for name in ("all", "mine"):
            self.whose.add(name, name).setObjectName(f"export_{name}")
        self.events = CheckBox("")
        self.format_note = PlainLabel("", style="label", role="text2")
        self.whose_note = PlainLabel("", style="label", role="text2")
        self.told = PlainLabel("", style="body", role="text")
        self.told.setObjectName("exportTold")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.stop = Button("", icon="x")
        self.close_button = Button("")
        self.write = Button("", kind="primary", icon="upload")
        self.write.setObjectName("exportWrite")
        self._lay_out()
        self.formats.chosen.connect(self._chosen)
        self.whose.chosen.connect(self._chosen)
        self.events.toggled.connect(self._chosen)
        self.write.clicked.connect(self._write)
        self.stop.clicked.connect(self.stop_wanted)
        self.close_button.clicked.connect(self.close)
        self.go_live()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        left = Qt.AlignmentFlag.AlignLeft
        grid.addWidget(self.labels["format"], 0, 0)
        grid.addWidget(self.formats, 0, 1, left)
        grid.addWidget(self.format_note, 1, 1)
        grid.addWidget(self.events, 2, 1, left)
        grid.setRowMinimumHeight(3, 8)
        grid.addWidget(self.labels["whose"], 4, 0)
        grid.addWidget(self.whose, 4, 1, left)
        grid.addWidget(self.whose_note, 5, 1)
        grid.setColumnMinimumWidth(0, 110)
        grid.setColumnStretch(1, 1)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.stop)
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        foot.addWidget(self.write)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(14)
        layout.addLayout(grid)
        layout.addStretch(1)
        layout.addWidget(self.told)
        layout.addWidget(self.bar)
        layout.addLayout(foot)
        self.setMinimumSize(620, 360)

    # --- asking -------------------------------------------------------------------------------------------------
    def request(self) -> ExportRequest:
        """What is chosen."""
        name = self.formats.current()
        rater = self._rater if self.whose.current() == "mine" else None
        return ExportRequest(name, rater, name == "jsonl" and self.events.isChecked())

    def _chosen(self, _: object) -> None:
        if self._state != "running":
            self._state = "idle"
        self.retranslate()

    def _write(self) -> None:
        self.write_wanted.emit(self.request())

    # --- states -------------------------------------------------------------------------------------------------
    def show_running(self, file: Path) -> None:
        """It is being written."""
        self._enter("running", file.name)
        self.show_progress(0, 0)

    def show_progress(self, done: int, total: int) -> None:
        """How many labels of how many are read."""
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(round(1000 * done / total) if total else 0)

    def show_done(self, done: Exported) -> None:
        """It is written."""
        self._done = done
        self._enter("done", done.file.name)

    def show_stopped(self) -> None:
        """It was stopped."""
        self._enter("stopped", "")

    def show_failed(self, sentence: str) -> None:
        """It was not possible."""
        self._enter("failed", sentence)

    def _enter(self, state: str, sentence: str) -> None:
        self._state, self._sentence = state, sentence
        self.retranslate()

    # --- texts --------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        """Read the texts again."""
        running, chosen = self._state == "running", self.request()
        self.setWindowTitle(tr("export.title"))
        for name, label in self.labels.items():
            label.set_text(tr(f"export.{name}"))
        for name in _ORDER:
            self.formats.set_text(name, tr(f"export.format_{name}"))
        self.whose.set_text("all", tr("export.whose_all"))
        self.whose.set_text("mine", tr("export.whose_mine", name=self._rater))
        self.formats.setAccessibleName(tr("export.format"))
        self.whose.setAccessibleName(tr("export.whose"))
        self.format_note.set_text(tr(f"export.note_{chosen.format_name}"))
        self.events.set_text(tr("export.events"))
        self.events.setVisible(chosen.format_name == "jsonl")
        self.whose_note.set_text(self._whose_words(chosen))
        self.whose_note.setVisible(bool(self.whose_note.text()))
        for widget in (self.formats, self.whose, self.events, self.write):
            widget.setEnabled(not running)
        self.bar.setVisible(running)
        self.bar.setAccessibleName(tr("export.progress_name"))
        self.stop.setVisible(running)
        self.stop.set_text(tr("export.stop"))
        self.close_button.set_text(tr("export.close"))
        self.write.set_text(tr("export.write"))
        self.told.set_text(self._told_words())
        self.told.set_role("error" if self._state == "failed" else "text")
        self.told.setVisible(bool(self.told.text()))

    def _whose_words(self, chosen: ExportRequest) -> str:
        """What the file shows that the window does not."""
        if self._names_hidden:
            return tr("export.shows_names" if chosen.rater is not None else "export.shows_all")
        return "" if chosen.rater is not None else tr("export.shows_others")

    def _told_words(self) -> str:
        if self._state == "running":
            return tr("export.running", name=self._sentence)
        if self._state == "stopped":
            return tr("export.stopped")
        if self._state == "failed":
            return words(self._sentence)
        return done_words(self._done) if self._state == "done" and self._done is not None else ""


def done_words(done: Exported) -> str:
    """What was written, and what was left out or is not as it was said: a sentence each."""
    told = [tr("export.done", n=i18n.count(done.lines), name=done.file.name)]
    if done.manifest_file is not None:
        cells = sum(int(entry["count"]) for entry in done.manifest)
        told.append(tr("export.marked", n=i18n.count(cells), name=done.manifest_file.name))
    if done.conflicts:
        told.append(tr("export.conflicts", n=i18n.count(done.conflicts)))
    if done.taken_down:
        told.append(tr("export.taken_down", n=i18n.count(done.taken_down)))
    return "\n".join(told)
