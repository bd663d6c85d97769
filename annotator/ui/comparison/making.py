"""Making comparisons: which responders, turns or sessions, how many; hidden repeats; what the project asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLineEdit, QScrollArea, QSpinBox, QVBoxLayout, QWidget

from annotator.cancel import CancelToken
from annotator.domain.comparisons import FEWEST, MOST
from annotator.errors import WorldError
from annotator.ui import density, i18n
from annotator.ui.comparison.desk import ComparisonDesk
from annotator.ui.i18n import tr
from annotator.ui.sentences import words
from annotator.ui.widgets import Button, CheckBox, ElidedLabel, Menu, PlainLabel, Segmented
from annotator.ui.widgets.base import Live
from annotator.workspace.comparisons_flow import in_common
from annotator.workspace.comparisons_views import ComparisonFilter

if TYPE_CHECKING:
    from annotator.ui.comparison.page import ComparisonPage
    from annotator.workspace.comparisons_flow import Answerer
    from annotator.workspace.comparisons_making import Made

_MOST_ITEMS: Final = 100_000
_ROWS: Final = 10
_MOST_SEED: Final = 2_000_000_000


def _number(low: int, high: int, value: int, name: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(low, high)
    box.setValue(value)
    box.setObjectName(name)
    box.lineEdit().setTextMargins(5, 0, 0, 0)
    return box


class WorkDialog(Live, QDialog):
    """A dialog whose one deed runs in the bulk lane: busy meanwhile, the fault in a sentence, closed when done."""

    def __init__(self, desk: ComparisonDesk, parent: QWidget | None = None) -> None:
        """Nothing is under way."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk = desk
        self._token: CancelToken | None = None
        self._rows = 0
        self.grid = QGridLayout()
        self.grid.setHorizontalSpacing(18)
        self.grid.setVerticalSpacing(10)
        self.grid.setColumnStretch(1, 1)
        self.labels: dict[str, ElidedLabel] = {}
        self.state = PlainLabel("", "label", "text2")
        self.state.setObjectName("dialogState")
        self.cancel = Button("")
        self.go = Button("", kind="primary")
        self.go.setObjectName("dialogGo")
        self.cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(self.state, 1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 16, 14)
        column.setSpacing(14)
        column.addLayout(self.grid)
        column.addStretch(1)
        column.addLayout(foot)
        self.grid.setColumnMinimumWidth(0, density.scaled(130))
        self.setMinimumWidth(density.scaled(640))

    def add_row(self, name: str, field: QWidget) -> None:
        """A name and its field."""
        label = self.labels[name] = ElidedLabel("", "body", weight=500)
        self.grid.addWidget(label, self._rows, 0, Qt.AlignmentFlag.AlignTop)
        self.grid.addWidget(field, self._rows, 1)
        self._rows += 1

    def busy(self, token: CancelToken | None) -> None:
        """Whether something is under way."""
        self._token = token
        self.go.setEnabled(token is None)
        if token is not None:
            self.tell(tr("comparison.working"))

    def tell(self, text: str, role: str = "text2") -> None:
        """A sentence at the foot."""
        self.state.set_role(role)
        self.state.set_text(text)

    def failed(self, error: WorldError) -> None:
        """It could not be done: say why, and keep what is typed."""
        self.busy(None)
        self.tell(words(error.sentence), "error")

    def reject(self) -> None:
        """Stop what is under way; else close."""
        if self._token is not None:
            self._token.cancel()
            self.busy(None)
            self.tell(tr("comparison.stopped"))
            return
        super().reject()

    def done(self, result: int) -> None:
        """Closing stops what is under way."""
        if self._token is not None:
            self._token.cancel()
        super().done(result)

    def retranslate(self) -> None:
        """The words that all have."""
        self.cancel.set_text(tr("comparison.cancel"))
        for name, label in self.labels.items():
            label.set_text(tr(f"comparison.make_{name}"))


class MakeDialog(WorkDialog):
    """Compare responders of this workspace's dialogues: the command `annotator compare` in the window."""

    def __init__(self, desk: ComparisonDesk, parent: QWidget | None = None) -> None:
        """Reads who answered; until then nobody can be chosen."""
        super().__init__(desk, parent)
        self.setObjectName("makeComparisons")
        self.boxes: dict[str, CheckBox] = {}
        self._answerers: tuple[Answerer, ...] = ()
        inner = QWidget()
        self._who = QVBoxLayout(inner)
        self._who.setContentsMargins(0, 0, 0, 0)
        self._who.setSpacing(2)
        self._who.addStretch(1)
        self._area = QScrollArea()
        self._area.setWidget(inner)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFrameShape(QScrollArea.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.level = Segmented()
        for name in ("turn", "session"):
            self.level.add(name, "")
        self.level.set_current("turn")
        self.level.chosen.connect(self.level.set_current)
        self.name = QLineEdit()
        self.name.setObjectName("makeName")
        self.size_ = _number(1, _MOST_ITEMS, 20, "makeSize")
        self.repeats = _number(0, 100, 0, "makeRepeats")
        self.seed = _number(0, _MOST_SEED, 0, "makeSeed")
        for row, field in (
            ("who", self._area), ("level", self.level), ("size", self.size_), ("repeats", self.repeats),
            ("seed", self.seed), ("name", self.name),
        ):  # fmt: skip
            self.add_row(row, field)
        self.go.clicked.connect(self._make)
        self.go.setEnabled(False)
        self.go_live()
        setup = desk.setup()
        if setup is not None:
            desk.desk.lanes.bulk(setup.answerers, self._show_answerers)

    def _show_answerers(self, found: tuple[Answerer, ...]) -> None:
        self._answerers = found
        for answerer in found:
            box = self.boxes[answerer.responder] = CheckBox("")
            box.setObjectName(f"answerer_{len(self.boxes)}")
            box.clicked.connect(self._chosen)
            self._who.insertWidget(self._who.count() - 1, box)
        rows = min(len(found), _ROWS)
        self._area.setFixedHeight(rows * (density.scaled(24) + 10))
        named = self._desk.comparisons.projects() if self._desk.comparisons is not None else []
        number = next(n for n in range(1, len(named) + 2) if tr("comparison.make_default", n=n) not in named)
        self.name.setText(tr("comparison.make_default", n=number))
        self.retranslate()
        self._chosen()
        if self.boxes:
            next(iter(self.boxes.values())).setFocus()

    def chosen(self) -> list[str]:
        """Who is to be compared."""
        return [responder for responder, box in self.boxes.items() if box.isChecked()]

    def _chosen(self) -> None:
        chosen = [answerer for answerer in self._answerers if self.boxes[answerer.responder].isChecked()]
        fits = FEWEST <= len(chosen) <= MOST
        common = in_common(chosen)
        self.go.setEnabled(fits and bool(common) and self._token is None)
        if fits:
            self.tell(tr("comparison.make_common", n=i18n.count(common)), "text2" if common else "warn")
        else:
            self.tell(tr("comparison.make_how_many", fewest=FEWEST, most=MOST))

    def _make(self) -> None:
        setup, name = self._desk.setup(), self.name.text().strip()
        if setup is None:
            return
        if not name or not name.isprintable():
            self.tell(tr("comparison.make_no_name"), "error")
            return
        who, size, level = self.chosen(), self.size_.value(), self.level.current()
        seed, repeats = self.seed.value(), self.repeats.value() / 100

        def call(token: CancelToken) -> Made:
            return setup.make(
                who, size, level="session" if level == "session" else "turn", seed=seed, project=name,
                repeats=repeats, token=token,
            )  # fmt: skip

        self.busy(self._desk.desk.lanes.bulk(call, self._made, self.failed))

    def _made(self, made: Made) -> None:
        desk = self._desk
        self.busy(None)
        desk.desk.ask_problems()  # the page is offered, and told, by the new count
        desk.filter = ComparisonFilter(project=made.project)
        desk.refresh_queue(fresh=True, then_first=True)
        self.accept()

    def retranslate(self) -> None:
        """Read all texts again."""
        super().retranslate()
        self.setWindowTitle(tr("comparison.make"))
        self.go.set_text(tr("comparison.make_go"))
        for name in ("turn", "session"):
            self.level.set_text(name, tr(f"comparison.make_level_{name}"))
        self.repeats.setSuffix(" %")
        for field, name in ((self.name, "name"), (self.size_, "size"), (self.repeats, "repeats"), (self.seed, "seed")):
            field.setAccessibleName(tr(f"comparison.make_{name}"))
        for answerer in self._answerers:
            shown = answerer.shown
            hidden = self._desk.desk.info is not None and self._desk.desk.info.hide_names
            word = tr("queue.model", name=shown) if shown and hidden else shown or tr("comparison.the_reference")
            task = answerer.responder.split("::")[2:3]
            word = " · ".join((word, *task))
            words = tr("comparison.answerer", name=word, n=i18n.count(len(answerer.dialogues)))
            self.boxes[answerer.responder].set_text(words)


class RepeatDialog(WorkDialog):
    """Show a share of all comparisons a second time, hidden and in swapped order."""

    def __init__(self, desk: ComparisonDesk, parent: QWidget | None = None) -> None:
        """A tenth, unless another share is chosen."""
        super().__init__(desk, parent)
        self.setObjectName("repeatComparisons")
        self.why = PlainLabel("", "label", "text2")
        self.repeats = _number(1, 100, 10, "repeatShare")
        self.seed = _number(0, _MOST_SEED, 0, "repeatSeed")
        self.add_row("repeats", self.repeats)
        self.add_row("seed", self.seed)
        self.grid.addWidget(self.why, 2, 0, 1, 2)
        self.go.clicked.connect(self._make)
        self.go_live()

    def _make(self) -> None:
        setup = self._desk.setup()
        if setup is None:
            return
        rate, seed = self.repeats.value() / 100, self.seed.value()
        self.busy(self._desk.desk.lanes.bulk(lambda token: setup.repeat(rate, seed, token), self._made, self.failed))

    def _made(self, _count: int) -> None:
        self.busy(None)
        self._desk.reload()
        self.accept()

    def retranslate(self) -> None:
        """Read all texts again."""
        super().retranslate()
        self.setWindowTitle(tr("comparison.repeat"))
        self.go.set_text(tr("comparison.repeat_go"))
        self.why.set_text(tr("comparison.repeat_why"))
        self.repeats.setSuffix(" %")
        self.repeats.setAccessibleName(tr("comparison.make_repeats"))
        self.seed.setAccessibleName(tr("comparison.make_seed"))


class OrderDialog(WorkDialog):
    """What the project asks for: reasons, and the seed of the shown order."""

    def __init__(self, desk: ComparisonDesk, parent: QWidget | None = None) -> None:
        """As it is now."""
        super().__init__(desk, parent)
        self.setObjectName("comparisonRules")
        self.reasons = CheckBox("")
        self.reasons.setObjectName("reasonsWanted")
        self.seed = _number(0, _MOST_SEED, 0, "orderSeed")
        self.why = PlainLabel("", "label", "text2")
        source = desk.comparisons
        if source is not None:
            self.reasons.setChecked(source.reasons)
            self.seed.setValue(source.seed)
        self.add_row("reasons", self.reasons)
        self.add_row("order", self.seed)
        self.grid.addWidget(self.why, 2, 0, 1, 2)
        self.go.clicked.connect(self._keep)
        self.go_live()

    def _keep(self) -> None:
        source = self._desk.comparisons
        if source is None:
            return
        wanted, seed = self.reasons.isChecked(), self.seed.value()

        def call(_token: CancelToken) -> None:
            source.set_reasons(wanted)
            source.set_seed(seed)

        self.busy(self._desk.desk.lanes.bulk(call, self._kept, self.failed))

    def _kept(self, _done: None) -> None:
        self.busy(None)
        self._desk.reload()
        self.accept()

    def retranslate(self) -> None:
        """Read all texts again."""
        super().retranslate()
        self.setWindowTitle(tr("comparison.rules"))
        self.go.set_text(tr("comparison.rules_go"))
        self.reasons.set_text(tr("comparison.reasons_wanted"))
        self.why.set_text(tr("comparison.order_why"))
        self.seed.setAccessibleName(tr("comparison.make_order"))


def set_up_menu(page: ComparisonPage) -> None:
    """The menu of what can be made and set up, under its button."""
    desk, window = page.desk, page.window_
    menu = Menu(parent=page)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    can = desk.desk.can_write
    entries: tuple[tuple[str, Callable[[ComparisonDesk, QWidget], WorkDialog], bool], ...] = (
        ("comparison.make_more", MakeDialog, can and desk.can_make),
        ("comparison.repeat_more", RepeatDialog, can and bool(desk.queue and desk.queue.total)),
        ("comparison.rules_more", OrderDialog, can),
    )
    for key, dialog, on in entries:
        action = menu.addAction(tr(key))
        action.setEnabled(on)
        action.triggered.connect(_opener(dialog, desk, window))
    below = page.itembar.setup
    menu.popup(below.mapToGlobal(below.rect().bottomLeft()))


def _opener(
    dialog: Callable[[ComparisonDesk, QWidget], WorkDialog], desk: ComparisonDesk, window: QWidget
) -> Callable[[], None]:
    def open_dialog() -> None:
        dialog(desk, window).open()

    return open_dialog
