"""The line above a comparison (which one, how it is shown, undo) and the line below it (what is left, the way on)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, i18n, theme
from annotator.ui.comparison.words import first_gap, gap_text, subset_name
from annotator.ui.i18n import tr
from annotator.ui.verdictbar import IconMark
from annotator.ui.widgets import Button, Chip, ElidedLabel, IconButton, Keycap, Segmented, Separator, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonView

_TITLE_FIRST = 100
_SOURCE_PX = 180


class ComparisonItemBar(Live, QWidget):
    """Id, title, facts; how the responses are shown; undo, and the place in the queue.

    Signals:
        queue_wanted(), setup_wanted(): open the queue; what can be set up. shown_as(mode): `side` or `differences`.
        linked(on): scroll together. undo_wanted(), redo_wanted(). gone(by): to a neighbour in the queue.
    """

    queue_wanted = Signal()
    setup_wanted = Signal()
    shown_as = Signal(str)
    linked = Signal(bool)
    undo_wanted = Signal()
    redo_wanted = Signal()
    gone = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        """No item yet."""
        super().__init__(parent)
        self.setObjectName("comparisonItemBar")
        self._view: ComparisonView | None = None
        self._pair: tuple[str, str] | None = None
        self._place = (0, 0)
        self.queue = IconButton("panel-left", key="toggle_queue")
        self.source = ElidedLabel(style="mono", role="text2")
        self.title = ElidedLabel(weight=600)
        self.count = Chip(kind="outline", icon="columns-3")
        self.set_chip = Chip(kind="outline")
        self.hidden = Chip(kind="outline", icon="eye-off")
        self.locked = Chip(kind="warn", icon="lock")
        self.returned = Chip(kind="warn", icon="undo-2")
        self.mode = Segmented()
        self.mode.setObjectName("compareMode")
        self.mode.add("side", "", "columns-3")
        self.mode.add("differences", "", "git-compare", key="differences")
        self.mode.set_current("side")
        self.link = Button("", icon="link", key="link_scroll", small=True)
        self.link.setObjectName("linkScroll")
        self.link.setCheckable(True)
        self.link.setChecked(True)
        self.setup = IconButton("ellipsis")
        self.setup.setObjectName("compareSetup")
        self.undo, self.redo = IconButton("undo-2", key="undo"), IconButton("redo-2", key="redo")
        self.undo.setObjectName("undoButton")
        self.redo.setObjectName("redoButton")
        self.previous, self.next = (
            IconButton("chevron-left", key="item_prev"),
            IconButton("chevron-right", key="item_next"),
        )
        self.number = ElidedLabel("", "label", "text2", tabular=True)
        self._build()
        self._connect()
        self.go_live()

    def _build(self) -> None:
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 10, 1)
        row.setSpacing(6)
        row.addWidget(self.queue)
        row.addWidget(self.source)
        # Where there is little room the title gives way first: it takes what is left, and never more than it needs.
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.title, _TITLE_FIRST)
        for chip in (self.count, self.set_chip, self.hidden, self.returned, self.locked):
            row.addWidget(chip)
        row.addStretch(1)
        row.addWidget(self.mode)
        row.addWidget(self.link)
        self._tools = row.count()
        row.addWidget(self.setup)
        row.addWidget(Separator(vertical=True, length=16))
        row.addWidget(self.undo)
        row.addWidget(self.redo)
        row.addWidget(Separator(vertical=True, length=16))
        row.addWidget(self.previous)
        row.addWidget(self.number)
        row.addWidget(self.next)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _connect(self) -> None:
        self.queue.clicked.connect(self.queue_wanted)
        self.setup.clicked.connect(self.setup_wanted)
        self.mode.chosen.connect(self.shown_as)
        self.link.clicked.connect(self._link_clicked)
        self.undo.clicked.connect(self.undo_wanted)
        self.redo.clicked.connect(self.redo_wanted)
        self.previous.clicked.connect(self._previous_clicked)
        self.next.clicked.connect(self._next_clicked)

    def add_tool(self, widget: QWidget) -> None:
        """Add a widget at the left of undo."""
        self._row.insertWidget(self._tools, widget)

    # --- what is shown ----------------------------------------------------------------------------------------
    def show_item(self, view: ComparisonView | None) -> None:
        """Show which item is open."""
        self._view = view
        self.retranslate()

    def show_place(self, place: tuple[int, int]) -> None:
        """Which row of the queue it is, and how many there are."""
        self._place = place
        self._write_place()

    def show_pair(self, pair: tuple[str, str] | None) -> None:
        """The letters of the two whose differences are marked."""
        self._pair = pair
        self.mode.set_current("side" if pair is None else "differences")
        self.retranslate()

    def set_linked(self, on: bool) -> None:
        """Whether the responses scroll together."""
        self.link.setChecked(on)

    def _link_clicked(self) -> None:
        self.linked.emit(self.link.isChecked())

    def _previous_clicked(self) -> None:
        self.gone.emit(-1)

    def _next_clicked(self) -> None:
        self.gone.emit(1)

    def _write_place(self) -> None:
        number, total = self._place
        self.number.set_text(f"{i18n.count(number) if number else '–'} / {i18n.count(total)}")

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("comparison.item_bar"))
        for button, key in (
            (self.queue, "comparison.queue"), (self.setup, "comparison.set_up"), (self.undo, "itembar.undo"),
            (self.redo, "itembar.redo"), (self.previous, "choice.previous_short"), (self.next, "choice.next_short"),
        ):  # fmt: skip
            button.set_text(tr(key))
        self.link.set_text(tr("comparison.linked"))
        self.mode.set_text("side", tr("comparison.side_by_side"))
        pair = self._pair
        words = tr("comparison.differences_of", a=pair[0], b=pair[1]) if pair else tr("comparison.differences")
        self.mode.set_text("differences", words)
        self._write_place()
        self.number.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        view = self._view
        small, narrow = density.current() is density.Density.SMALL, density.queue_closes()
        for widget in (self.source, self.title, self.mode, self.link):
            widget.setVisible(view is not None)
        self.count.setVisible(view is not None and not narrow)
        self.set_chip.setVisible(view is not None and not small)
        self.hidden.setVisible(view is not None and view.names_hidden and not small)
        self.locked.setVisible(view is not None and view.read_only)
        self.returned.setVisible(view is not None and view.row.status == "returned")
        self.link.set_key_shown(not small)
        if view is None:
            return
        self.source.set_text(view.row.source_id)
        self.title.set_text(view.row.title)
        self.title.setMaximumWidth(self.title.sizeHint().width())
        self.source.setMaximumWidth(min(self.source.sizeHint().width(), density.scaled(_SOURCE_PX)))
        self.count.set_text(tr("comparison.responses", n=len(view.responses)))
        self.set_chip.set_text(self._set_text(view))
        self.hidden.set_text(tr("comparison.names_hidden"))
        self.locked.set_text(tr("itembar.read_only"))
        self.returned.set_text(tr("queue.status.returned"))

    @staticmethod
    def _set_text(view: ComparisonView) -> str:
        if view.dialogue is None:
            return subset_name(view.row.subset) if view.row.subset else tr(f"comparison.form.{view.row.form}")
        return tr("comparison.of_session") if view.turn is None else tr("comparison.of_turn", number=view.turn + 1)

    def remeasure(self) -> None:
        """One line."""
        self.setFixedHeight(density.metrics().item_bar)
        self.retranslate()
        super().remeasure()

    def minimumSizeHint(self) -> QSize:
        """Title and chips elide."""
        return QSize(320, density.metrics().item_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())


class ComparisonFoot(Live, QWidget):
    """The keys of the moment, what is left, and complete-and-next.

    Signals:
        complete_wanted(), gap_wanted().
    """

    complete_wanted = Signal()
    gap_wanted = Signal()

    _KEYS = (
        (("score_1", "score_5"), "score"), (("row_up", "row_down"), "row"), (("column_left", "column_right"), "column"),
        (("reason",), "reason"), (("ranking",), "ranking"),
    )  # fmt: skip

    def __init__(self, parent: QWidget | None = None) -> None:
        """No item yet."""
        super().__init__(parent)
        self.setObjectName("comparisonFoot")
        self._view: ComparisonView | None = None
        self._hints: list[tuple[list[QWidget], str, ElidedLabel]] = []
        self.mark = IconMark("circle-dashed", "warn")
        self.missing = ElidedLabel(style="body", role="text2")
        self.missing.setObjectName("missingLabel")
        self.gap_key = Keycap("next_gap")
        self.next = Button("", key="complete_next")
        self.next.setObjectName("completeNext")
        self.next.clicked.connect(self.complete_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 1, 9, 0)
        row.setSpacing(5)
        for keys, name in self._KEYS:
            caps: list[QWidget] = [Keycap(key) for key in keys]
            if name == "score":
                caps.insert(1, ElidedLabel("–", "label", "text2"))
            label = ElidedLabel("", "label", "text2")
            self._hints.append((caps, name, label))
            for widget in (*caps, label):
                row.addWidget(widget)
            row.addSpacing(6)
        row.addStretch(1)
        for widget in (self.mark, self.missing, self.gap_key, self.next):
            row.addWidget(widget)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def show_item(self, view: ComparisonView | None) -> None:
        """Show what is left of an item."""
        self._view = view
        self.retranslate()

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("comparison.foot"))
        self.next.set_text(tr("comparison.complete_next"))
        roomy = density.metrics().key_hints
        view = self._view
        for caps, name, label in self._hints:
            label.set_text(tr(f"comparison.key.{name}"))
            for widget in (*caps, label):
                widget.setVisible(roomy and view is not None)
        for widget in (self.mark, self.missing, self.next):
            widget.setVisible(view is not None)
        if view is None:
            self.gap_key.hide()
            return
        gap = first_gap(view)
        if view.read_only:
            text, icon, role = tr("comparison.read_only"), "lock", "text3"
        elif gap is not None:
            text, icon, role = gap_text(view, gap), "circle-dashed", "warn"
            left = len(view.sheet.gaps())
            if left > 1:
                text = tr("comparison.gap_and_more", gap=text, n=left - 1)
        else:
            text, icon, role = tr("comparison.nothing_missing"), "circle-check", "ok"
        self.missing.set_text(text)
        self.mark.set_look(icon, role)
        self.gap_key.setVisible(gap is not None and not view.read_only)
        self.next.set_kind("default" if gap is not None else "primary")

    def remeasure(self) -> None:
        """46 px."""
        self.setFixedHeight(density.metrics().verdict_bar)
        self.retranslate()
        super().remeasure()

    def minimumSizeHint(self) -> QSize:
        """Words elide."""
        return QSize(480, density.metrics().verdict_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, 0, self.width(), 1, "line")
