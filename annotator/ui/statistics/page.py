"""The statistics page: a bar with its sections, the filters at the left, the section shown, and how far figures are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from annotator.errors import WorldError
from annotator.ui import density, i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.lanes import Lanes
from annotator.ui.statistics.filters import FilterRail, totals_lines
from annotator.ui.statistics.parts import ClosedStrip
from annotator.ui.statistics.runner import Runner
from annotator.ui.statistics.sections import SECTIONS, Section, Wanted
from annotator.ui.statistics.view import View
from annotator.ui.widgets import Button, ElidedLabel, Ground, IconButton, Segmented
from annotator.ui.widgets.base import Live
from annotator.workspace.figures_room import Choices


class ProgressLine(Live, QWidget):
    """A thin line under the bar: how much of the work is done."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share: float | None = None
        self.setFixedHeight(3)
        self.go_live()

    def set_share(self, share: float | None) -> None:
        """0 to 1; None: nothing is at work."""
        self.share = share
        self.setAccessibleName("" if share is None else tr("statistics.computing", percent=round(100 * share)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(QRectF(0, 2, self.width(), 1), theme.color("hair"))
        if self.share is not None:
            painter.fillRect(QRectF(0, 0, self.width() * self.share, 3), theme.color("accent"))
        painter.end()


class PageBar(Ground):
    """Title, sections, how long figures took, and how to stop or repeat."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("window", parent=parent)
        self.title = ElidedLabel("", "page", weight=600)
        self.tabs = Segmented()
        self.state = ElidedLabel("", "label", "text2")
        self.cancel = Button("", icon="x", small=True)
        self.again = IconButton("refresh-cw")
        self.cancel.setObjectName("statistics_cancel")
        self.again.setObjectName("statistics_again")
        self.report = Button("", icon="download", small=True)
        self.report.setObjectName("statistics_report")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(16, 0, 10, 0)
        self.row.setSpacing(10)
        self.row.addWidget(self.title)
        self.row.addWidget(self.tabs)
        self.row.addStretch(1)
        self.row.addWidget(self.state)
        self.row.addWidget(self.cancel)
        self.row.addWidget(self.again)
        self.row.addWidget(self.report)
        self.go_live()

    def remeasure(self) -> None:
        """The page bar's height."""
        self.setFixedHeight(density.metrics().page_bar)
        super().remeasure()


class StatisticsPage(Live, QWidget):
    """All figures of a workspace (objectName `statisticsPage`).

    Signals:
        items_wanted(Behind, title): show exactly these items. failed(WorldError): for the message bar.
        page_wanted(name): another page of the window. report_wanted: a place for the report shall be asked for.
    """

    items_wanted = Signal(object, str)
    failed = Signal(object)
    page_wanted = Signal(str)
    report_wanted = Signal()

    def __init__(self, lanes: Lanes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statisticsPage")
        self.runner = Runner(lanes, self)
        self.view = View()
        self._choices: Choices | None = None
        self.sections: dict[str, Section] = {}
        # Answers that come together are shown together.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._arrived)
        self._made = QTimer(self)
        self._made.setSingleShot(True)
        self._made.timeout.connect(self._shown)
        self.bar, self.progress, self.rail = PageBar(), ProgressLine(), FilterRail()
        self.closed = ClosedStrip()
        self.stack = QStackedWidget()
        for name in SECTIONS:
            self.bar.tabs.add(name, "").setObjectName(f"statistics_{name}")
        self._lay_out()
        self._connect()
        self.go_live()

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.rail)
        body.addWidget(self.stack, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.progress)
        layout.addWidget(self.closed)
        layout.addLayout(body, 1)

    def _connect(self) -> None:
        self.bar.tabs.chosen.connect(self.show_section)
        self.bar.cancel.clicked.connect(self.runner.cancel)
        self.bar.again.clicked.connect(self.ask)
        self.bar.report.clicked.connect(self.report_wanted)
        self.closed.settings.clicked.connect(self._settings)
        self.rail.changed.connect(self.set_view)
        self.runner.arrived.connect(self._soon.start)
        self.runner.changed.connect(self._work_changed)
        self.runner.progressed.connect(self.progress.set_share)
        self.runner.choices_ready.connect(self._choices_ready)
        self.runner.failed.connect(self.failed)

    # --- what is spoken of ----------------------------------------------------------------------------------------
    def set_workspace(self, folder: Path | None, names: dict[str, str] | None = None) -> None:
        """Speak of this workspace; `names` are what may be shown of tested models."""
        if folder != self.runner.folder:
            self._choices = None
            self.view = View(names=names or {})
            self.runner.set_folder(folder)
            self.rail.set_choices(None)
        elif names is not None:
            self.view = replace(self.view, names=names)
        self.rail.set_view(self.view)

    def set_view(self, view: View) -> None:
        """Speak of another part."""
        self.view = view
        self.rail.set_view(view)
        self.ask()

    def section(self) -> Section:
        """The section shown, made when it is shown for the first time."""
        name = self.bar.tabs.current()
        if name not in self.sections:
            made = SECTIONS[name]()
            made.changed.connect(self.ask)
            made.behind_wanted.connect(self._behind)
            made.page_wanted.connect(self.page_wanted)
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setFrameShape(QScrollArea.Shape.NoFrame)
            area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            area.setWidget(made)
            self.stack.addWidget(area)
            self.sections[name] = made
        return self.sections[name]

    def show_section(self, name: str) -> None:
        """Show a section of `SECTIONS`."""
        self.bar.tabs.set_current(name)
        there = name in self.sections
        section = self.section()
        section.view = self.view
        self.stack.setCurrentIndex(list(self.sections).index(name))
        if there:
            self._shown()
        else:
            self._made.start()  # its first pass was spent on making it

    def _shown(self) -> None:
        self.rail.set_fields(self.section().FILTERS)
        if self.isVisible():
            self.ask()

    def page_shown(self) -> None:
        """In front: figures that still hold are there at once, the others are calculated."""
        self.show_section(self.bar.tabs.current())
        self.bar.tabs.part(self.bar.tabs.current()).setFocus(Qt.FocusReason.OtherFocusReason)

    def ask(self) -> None:
        """Ask for what the section shown wants to know."""
        section = self.section()
        section.view = self.view
        self.runner.ask(section.questions(self.view))
        self._soon.start()  # in a pass of its own: making a section for the first time takes one already

    # --- answers --------------------------------------------------------------------------------------------------
    def _choices_ready(self, choices: Choices) -> None:
        self._choices = choices
        self.rail.set_choices(choices)
        self._soon.start()

    def _arrived(self) -> None:
        section = self.section()
        section.view = self.view
        section.show_answers(self.view, self.runner.answers)
        self.closed.setVisible(bool(self.runner.answers.closed))
        self._show_facts(section)

    def _show_facts(self, section: Section) -> None:
        facts = section.facts(self.runner.answers)
        if not facts and self._choices is not None:
            facts = totals_lines(self._choices.totals)
        phase = tr(f"statistics.phase.{self.view.phase}")
        made = [
            (tr("statistics.made.unit"), tr(f"statistics.made.{section.UNIT}")),
            (tr("statistics.made.resamples"), i18n.count(self.view.resamples)),
            (tr("statistics.made.seed"), str(self.view.seed)),
            (tr("statistics.made.labels"), phase),
            (tr("statistics.made.weights"), self.view.project or tr("statistics.made.none")),
        ]
        self.rail.set_facts(facts, made)

    def _work_changed(self) -> None:
        runner = self.runner
        self.progress.set_share(0.0 if runner.busy else None)
        self.bar.cancel.setVisible(runner.busy)
        self.bar.again.setVisible(not runner.busy)
        self.bar.report.setEnabled(not runner.busy)
        if runner.busy:
            text = tr("statistics.at_work")
        elif runner.cancelled:
            text = tr("statistics.stopped")
        else:
            text = tr("statistics.took", seconds=f"{runner.seconds:.1f}")
        self.bar.state.set_text(text)

    def _settings(self) -> None:
        self.page_wanted.emit("settings")

    def _behind(self, wanted: Wanted) -> None:
        def arrived(found: Any) -> None:
            self.items_wanted.emit(found, wanted.title)

        self.runner.behind(wanted.call, arrived)

    # --- the rest -------------------------------------------------------------------------------------------------
    def tell_failed(self, error: WorldError) -> None:
        """Pass on what went wrong."""
        self.failed.emit(error)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does what the button with the keyboard does; Esc stops the work."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        elif event.key() == Qt.Key.Key_Escape and self.runner.busy:
            self.runner.cancel()
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Read the texts again."""
        self.bar.title.set_text(tr("statistics.title"))
        for name in SECTIONS:
            self.bar.tabs.set_text(name, tr(f"statistics.section.{name}"))
        self.bar.cancel.set_text(tr("statistics.cancel"))
        self.bar.again.set_text(tr("statistics.again"))
        self.bar.report.set_text(tr("statistics.report"))
        self._work_changed()
        if self.sections:
            self._arrived()

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page came to the front."""
        super().hideEvent(event)
        self.runner.rest()

    def shut_down(self) -> None:
        """The window closes."""
        self.runner.shut_down()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()
