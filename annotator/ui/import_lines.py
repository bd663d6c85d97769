"""The lines of an import report, grouped by code, most pressing first; a group opens to its lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from annotator.domain.report import ACT, LOOK, ImportReport, ReportLine
from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.sentences import words
from annotator.ui.widgets import Card, SearchField, Segmented
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.text import plain_tooltip

SHOWN_AT_ONCE = 200
COLUMNS = ("code", "count", "meaning", "file", "record", "field", "reason")
LEVELS = ("act", "look", "tell")
_ICONS = {"act": ("circle-x", "error"), "look": ("triangle-alert", "warn"), "tell": ("info", "text2")}
_LINE_ROLE = int(Qt.ItemDataRole.UserRole)


def level_of(code: str) -> str:
    """How pressing a code is: `act`, `look` or `tell`."""
    return "act" if code in ACT else "look" if code in LOOK else "tell"


def place_text(line: ReportLine) -> str:
    """Where it stood: line, else record, else byte."""
    if line.line is not None:
        return tr("import.at_line", n=i18n.count(line.line))
    if line.record is not None:
        return tr("import.at_record", n=i18n.count(line.record))
    return tr("import.at_offset", n=i18n.count(line.offset)) if line.offset is not None else ""


class LinesTree(Live, QTreeWidget):
    """Groups by code; children are made when a group is opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.setColumnCount(len(COLUMNS))
        self.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.setUniformRowHeights(True)
        self.setRootIsDecorated(True)
        self.setIndentation(14)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        head = self.header()
        head.setStretchLastSection(True)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._groups: dict[str, list[ReportLine]] = {}
        self.itemExpanded.connect(self._fill)
        self.itemActivated.connect(self._activated)
        self.go_live()

    def show_lines(self, lines: Sequence[ReportLine]) -> None:
        """Show these, grouped."""
        self.clear()
        self._groups = {}
        for line in lines:
            self._groups.setdefault(line.code, []).append(line)
        order = sorted(self._groups, key=lambda c: (LEVELS.index(level_of(c)), -len(self._groups[c]), c))
        self.addTopLevelItems([self._group(code) for code in order])

    def _group(self, code: str) -> QTreeWidgetItem:
        lines = self._groups[code]
        files = list(dict.fromkeys(ln.file for ln in lines))
        file = files[0] if len(files) == 1 else tr("import.several_files", n=len(files))
        first = lines[0]
        reason = words(first.reason)
        item = QTreeWidgetItem(
            [code, i18n.count(len(lines)), meaning(code), file, place_text(first), first.field or "", reason]
        )
        name, role = _ICONS[level_of(code)]
        item.setIcon(0, icons.icon(name, role, 14))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setFont(0, fonts.font("mono"))
        item.setFont(1, fonts.font("label", weight=600, tabular=True))
        item.setToolTip(6, plain_tooltip(reason))
        item.setToolTip(2, plain_tooltip(meaning(code)))
        item.setData(0, _LINE_ROLE, code)
        if len(lines) > 1:
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
        return item

    def _fill(self, item: QTreeWidgetItem) -> None:
        code = item.data(0, _LINE_ROLE)
        if item.childCount() == 0 and code in self._groups:
            self._more(item, code)

    def _more(self, item: QTreeWidgetItem, code: str) -> None:
        lines = self._groups[code]
        start = item.childCount()
        for n, line in enumerate(lines[start : start + SHOWN_AT_ONCE], start + 1):
            child = QTreeWidgetItem(["", str(n), "", line.file, place_text(line), line.field or "", words(line.reason)])
            child.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            child.setToolTip(6, plain_tooltip(words(line.reason)))
            for column in range(1, len(COLUMNS)):
                child.setForeground(column, theme.color("text2"))
            item.addChild(child)
        left = len(lines) - item.childCount()
        if left > 0:
            more = QTreeWidgetItem(["", "…", tr("import.more", n=i18n.count(left))])
            more.setForeground(2, theme.color("accent-text"))
            more.setData(0, _LINE_ROLE, f"more:{code}")
            item.addChild(more)

    def _activated(self, item: QTreeWidgetItem) -> None:
        mark = item.data(0, _LINE_ROLE)
        parent = item.parent()
        if isinstance(mark, str) and mark.startswith("more:") and parent is not None:
            parent.removeChild(item)
            self._more(parent, mark[5:])
        elif parent is None:
            item.setExpanded(not item.isExpanded())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the selected lines as tab separated text; Return opens a group."""
        if event.matches(QKeySequence.StandardKey.Copy):
            rows = ["\t".join(i.text(c) for c in range(len(COLUMNS))).strip() for i in self.selectedItems()]
            QGuiApplication.clipboard().setText("\n".join(rows))
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and (item := self.currentItem()) is not None:
            self._activated(item)
        else:
            super().keyPressEvent(event)

    def retranslate(self) -> None:
        """Read the texts again."""
        self.setHeaderLabels([tr(f"import.column.{c}") for c in COLUMNS])
        self.setAccessibleName(tr("import.lines"))

    def remeasure(self) -> None:
        """Column widths follow the text scale."""
        self.setFont(fonts.font("label"))
        for column, width in enumerate((170, 64, 250, 230, 110, 130)):
            self.setColumnWidth(column, fonts.px(width))
        self.setStyleSheet(f"QTreeWidget::item {{ height: {density.metrics().table_row}px; }}")


def meaning(code: str) -> str:
    """A code in words; a code without words shows its own reason."""
    key = f"codes.{code}"
    return tr(key) if i18n.has(key) else code


class LinesCard(Live, QWidget):
    """The tree with its head: how many, and which of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self._report: ImportReport | None = None
        self.card = Card()
        self.tree = LinesTree()
        self.levels = Segmented()
        for name, icon in (("all", None), ("act", "circle-x"), ("look", "triangle-alert"), ("tell", "info")):
            self.levels.add(name, name, icon)
        self.levels.set_current("all")
        self.search = SearchField()
        self.search.setFixedWidth(200)
        self.card.head.addStretch(1)
        self.card.head.addWidget(self.levels)
        self.card.head.addWidget(self.search)
        self.card.body.setContentsMargins(1, 0, 1, 1)
        self.card.body.addWidget(self.tree)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.card)
        self.levels.chosen.connect(self._level_chosen)
        self.search.changed.connect(self._refill)
        self.go_live()

    def show_report(self, report: ImportReport) -> None:
        """Show another report's lines."""
        self._report = report
        self.retranslate()

    def _level_chosen(self, name: str) -> None:
        self.levels.set_current(name)
        self._refill()

    def _refill(self, _text: str = "") -> None:
        wanted, needle = self.levels.current(), self.search.text().casefold()
        lines = self._report.lines if self._report else []
        shown = [
            line
            for line in lines
            if wanted in ("all", level_of(line.code))
            and (not needle or needle in f"{line.code} {line.file} {line.field} {words(line.reason)}".casefold())
        ]
        self.tree.show_lines(shown)

    def retranslate(self) -> None:
        """Read the texts again."""
        lines = self._report.lines if self._report else []
        counts = Counter(level_of(line.code) for line in lines)
        codes = len({line.code for line in lines})
        note = tr("import.lines_note", n=i18n.count(len(lines)), codes=codes) if lines else tr("import.no_lines")
        self.card.set_title(tr("import.lines"), note)
        self.levels.set_text("all", tr("import.level.all", n=i18n.count(len(lines))))
        for name in LEVELS:
            self.levels.set_text(name, tr(f"import.level.{name}", n=i18n.count(counts[name])))
        self.search.set_placeholder(tr("import.filter"))
        self._refill()
