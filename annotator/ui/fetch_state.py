"""The lower half of the fetch page: nothing yet, running with speed and time left, stopped, failed, or what came."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.sentences import words
from annotator.ui.widgets import Card, ElidedLabel, EmptyState, PlainLabel
from annotator.workspace.fetching import Fetched, Step

Mode = Literal["idle", "running", "cancelled", "failed", "done"]
FACTS = ("dataset", "commit", "files", "came", "folder", "archives")


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """What a person asks for; "" and () leave the choice to the program."""

    repo_id: str
    revision: str
    allow: tuple[str, ...]
    root: Path


def amount(count: float) -> str:
    """Bytes in units of a thousand."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} GB"


def time_left(seconds: float) -> str:
    """A rough time in words."""
    whole = max(1, round(seconds))
    if whole < 90:
        return tr("fetch.left_seconds", n=whole)
    if whole < 5400:
        return tr("fetch.left_minutes", n=round(whole / 60))
    return tr("fetch.left_hours", hours=whole // 3600, minutes=whole // 60 % 60)


class FetchState(Card):
    """One card with three faces."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing was fetched yet."""
        self.mode: Mode = "idle"
        self._repo_id = self._sentence = ""
        self._step = Step("look")
        self._got: Fetched | None = None
        super().__init__(parent=parent)
        self.words = EmptyState("cloud")
        self.what = ElidedLabel("", style="page", weight=600)
        self.amounts = ElidedLabel("", style="body", tabular=True)
        self.name = ElidedLabel("", style="mono", role="text2")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.names = {fact: ElidedLabel("", style="label", role="text2") for fact in FACTS}
        self.values = {fact: ElidedLabel("", style="body") for fact in FACTS}
        self.notes = PlainLabel("", style="label", role="text2")
        self.refused = PlainLabel("", style="body", role="error")
        self.stack = QStackedWidget()
        for part in (self.words, self._running(), self._done()):
            self.stack.addWidget(part)
        self.body.addWidget(self.stack)
        self.retranslate()

    def _running(self) -> QWidget:
        part = QWidget()
        column = QVBoxLayout(part)
        column.setContentsMargins(24, 12, 24, 12)
        column.setSpacing(10)
        column.addStretch(2)
        for widget in (self.what, self.amounts, self.bar, self.name):
            column.addWidget(widget)
        column.addStretch(3)
        return part

    def _done(self) -> QWidget:
        part = QWidget()
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        grid.setColumnMinimumWidth(0, 120)
        grid.setColumnStretch(1, 1)
        for line, fact in enumerate(FACTS):
            grid.addWidget(self.names[fact], line, 0)
            grid.addWidget(self.values[fact], line, 1)
        column = QVBoxLayout(part)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(10)
        column.addLayout(grid)
        column.addWidget(self.refused)
        column.addWidget(self.notes)
        column.addStretch(1)
        return part

    # --- states -------------------------------------------------------------------------------------------------
    def show_idle(self) -> None:
        """Nothing runs."""
        self._enter("idle")

    def show_running(self, repo_id: str) -> None:
        """A fetch has begun."""
        self._repo_id, self._step = repo_id, Step("look")
        self._enter("running")

    def show_step(self, step: Step) -> None:
        """How far it is."""
        if self.mode == "running":
            self._step = step
            self._tell_step()

    def show_cancelled(self) -> None:
        """It was stopped."""
        self._enter("cancelled")

    def show_failed(self, sentence: str) -> None:
        """It was not possible."""
        self._sentence = sentence
        self._enter("failed")

    def show_done(self, got: Fetched) -> None:
        """Everything is here."""
        self._got = got
        self._enter("done")

    def _enter(self, mode: Mode) -> None:
        self.mode = mode
        self.stack.setCurrentIndex({"running": 1, "done": 2}.get(mode, 0))
        self.retranslate()

    # --- texts --------------------------------------------------------------------------------------------------
    def retranslate(self) -> None:
        """Read the texts again."""
        if not hasattr(self, "stack"):
            return  # the card goes live before its parts are there
        self.set_title(tr("fetch.state"))
        icon, role = {"failed": ("circle-x", "error"), "cancelled": ("pause", "text2")}.get(
            self.mode, ("cloud", "text2")
        )
        self.words.set_icon(icon, role)
        if self.mode == "failed":
            self.words.set_texts(tr("fetch.failed"), words(self._sentence))
        elif self.mode == "cancelled":
            self.words.set_texts(tr("fetch.cancelled"), tr("fetch.cancelled_why"))
        else:
            self.words.set_texts(tr("fetch.idle"), tr("fetch.idle_why"))
        self.bar.setAccessibleName(tr("fetch.progress_name"))
        for fact in FACTS:
            self.names[fact].set_text(tr(f"fetch.fact.{fact}"))
        self._tell_step()
        if self._got is not None:
            self._tell_facts(self._got)

    def _tell_step(self) -> None:
        step = self._step
        self.what.set_text(tr(f"fetch.phase.{step.phase}", name=self._repo_id))
        share = min(1000, round(1000 * step.done / step.total)) if step.total else 0
        self.bar.setRange(0, 1000 if step.total else 0)
        self.bar.setValue(share)
        self.name.set_text(step.name)
        self.amounts.set_text(self._amounts(step))

    def _amounts(self, step: Step) -> str:
        if step.pause:
            return tr("fetch.pause", left=time_left(step.pause))
        if not step.total:
            return tr("fetch.asking")
        values = {"done": amount(step.done), "total": amount(step.total), "files": i18n.count(step.files_done),
                  "of": i18n.count(step.files_total)}  # fmt: skip
        if step.phase == "unpack":
            return tr("fetch.unpacked", **values)
        if not step.speed or step.seconds_left is None:
            return tr("fetch.amounts", **values)
        return tr("fetch.pace", **values, speed=amount(step.speed), left=time_left(step.seconds_left))

    def _tell_facts(self, got: Fetched) -> None:
        files = i18n.count(got.files)
        shown = {
            "dataset": got.repo_id,
            "commit": tr("fetch.commit", commit=got.revision, requested=got.requested),
            "files": tr("fetch.files_checked", n=files, size=amount(got.size)),
            "came": tr("fetch.came_now", size=amount(got.fetched)) if got.fetched else tr("fetch.came_nothing"),
            "folder": str(got.root),
            "archives": tr("fetch.archives", n=len(got.folders)) if got.folders else tr("fetch.no_archives"),
        }
        for fact, text in shown.items():
            self.values[fact].set_text(text)
        self.refused.set_text("\n".join(map(words, got.refused[:3])))
        self.refused.setVisible(bool(got.refused))
        self.notes.set_text("\n".join(map(words, got.notes[:4])))
        self.notes.setVisible(bool(got.notes))
        self.notes.setAlignment(Qt.AlignmentFlag.AlignTop)
