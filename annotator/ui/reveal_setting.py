"""Whether spot-checks of the open workspace show the judge after the lock: the lead's choice in the settings."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from annotator.ui.desk import Desk
from annotator.ui.i18n import tr
from annotator.ui.widgets import Button, ElidedLabel, PlainLabel, Segmented


class RevealSetting:
    """One row of the settings; nothing where no workspace is open for writing."""

    def __init__(self, window: QWidget | None) -> None:
        """The desk is the window's, if it has one already."""
        self._desk: Desk | None = getattr(window, "_desk", None)
        self.label = ElidedLabel("", style="body", weight=500)
        self.choice = Segmented()
        self.choice.setObjectName("revealSetting")
        self.note = PlainLabel("", style="label", role="text3")
        for name in ("on", "off"):
            self.choice.add(name, name)
        self.choice.chosen.connect(self._choose)
        self.figures_label = ElidedLabel("", style="body", weight=500)
        self.figures = Button("", icon="lock-open")
        self.figures.setObjectName("openJudgeFigures")
        self.figures_note = PlainLabel("", style="label", role="text3")
        self.figures.clicked.connect(self._open_figures)

    @property
    def offered(self) -> bool:
        """Whether there is a workspace to set it in."""
        return self._desk is not None and self._desk.info is not None and self._desk.can_write

    def lay_out(self, grid: QGridLayout, row: int) -> None:
        """Take four rows of the settings: each choice, and the note below it."""
        grid.addWidget(self.label, row, 0)
        grid.addWidget(self.choice, row, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.note, row + 1, 1)
        grid.addWidget(self.figures_label, row + 2, 0)
        grid.addWidget(self.figures, row + 2, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.figures_note, row + 3, 1)
        for widget in (self.label, self.choice, self.note):
            if not self.offered:
                widget.hide()
        self._show_figures()

    def _show_figures(self) -> None:
        if not (
            self.offered and self._desk is not None and self._desk.info is not None and self._desk.info.judges_closed
        ):
            for widget in (self.figures_label, self.figures, self.figures_note):
                widget.hide()

    def _open_figures(self) -> None:
        desk = self._desk
        if desk is None or desk.workspace is None or desk.info is None:
            return
        workspace = desk.workspace
        desk.info = replace(desk.info, judges_closed=False)
        self._show_figures()
        desk.lanes.quick(workspace.reveals.look, self._chosen)

    def _choose(self, name: str) -> None:
        desk = self._desk
        if desk is None or desk.workspace is None or desk.info is None:
            return
        workspace, on = desk.workspace, name == "on"
        desk.info = replace(desk.info, reveals=on)
        self.retranslate()
        desk.lanes.quick(lambda: workspace.reveals.allow(on), self._chosen)

    def _chosen(self, _answer: object) -> None:
        if self._desk is not None:
            self._desk.refresh()

    def retranslate(self) -> None:
        """Read the texts again."""
        self.label.set_text(tr("reveal.setting"))
        self.choice.set_text("on", tr("reveal.setting_on"))
        self.choice.set_text("off", tr("reveal.setting_off"))
        self.note.setText(tr("reveal.setting_note"))
        self.figures_label.set_text(tr("reveal.figures"))
        self.figures.set_text(tr("reveal.figures_open"))
        self.figures_note.setText(tr("reveal.figures_note"))
        info = self._desk.info if self._desk is not None else None
        self.choice.set_current("on" if info is None or info.reveals else "off")
