"""The rail at the left of the statistics page: which part is spoken of, what is in it, how figures are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.statistics.view import View
from annotator.ui.statistics.words import value_name
from annotator.ui.widgets import Button, ElidedLabel, Ground, Menu, Separator, paint
from annotator.ui.widgets.base import Live, PaintedButton
from annotator.workspace.figures_room import PHASES, Choices

RESAMPLES: Final = (200, 1_000, 2_000, 10_000)
ONE_OF: Final = ("project", "phase", "resamples")
Option = tuple[str, str, bool]
"""Value, words, whether it is chosen."""


class Pick(PaintedButton):
    """A button that looks like a combo and opens a menu where several values may be ticked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words = ""
        self._on = False
        self.go_live()

    def set_words(self, words: str, *, on: bool) -> None:
        """What is chosen; `on`: it restricts."""
        self._words, self._on = words, on
        self.update()

    def words(self) -> str:
        """What is chosen."""
        return self._words

    def content_size(self) -> QSize:
        """A combo's height."""
        return QSize(120, density.metrics().segmented)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Frame, words, arrow."""
        ground = "selected" if self._on else "hover" if self.hovered else "raised"
        paint.frame(painter, box, theme.color(ground), theme.color("control"), 4.0)
        ink = "accent-text" if self._on else "text"
        paint.draw_text(painter, box.adjusted(9, 0, -24, 0), self._words, fonts.font("label"), ink)
        icons.paint(painter, "chevron-down", box.right() - 21, box.center().y() - 7, "text2", 14)


class Facts(Live, QWidget):
    """Names at the left, values at the right, one to a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: tuple[tuple[str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_lines(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show these."""
        self._lines = tuple(lines)
        self.setAccessibleName("; ".join(f"{name}: {value}" for name, value in lines))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """A line for each."""
        return QSize(120, len(self._lines) * fonts.px(21))

    def minimumSizeHint(self) -> QSize:
        """All lines."""
        return self.sizeHint()

    def paintEvent(self, event: object) -> None:
        """The lines."""
        painter = QPainter(self)
        line, font, strong = fonts.px(21), fonts.font("label"), fonts.font("label", 500, tabular=True)
        for place, (name, value) in enumerate(self._lines):
            wide = min(paint.text_width(value, strong) + 4, self.width() * 0.62)
            right = QRectF(self.width() - wide, place * line, wide, line)
            paint.draw_text(painter, right, value, strong, "text", paint.RIGHT)
            paint.draw_text(painter, QRectF(0, place * line, self.width() - wide - 4, line), name, font, "text2")
        painter.end()


class FilterRail(Ground):
    """Objects are named `filter_<field>`.

    Signals:
        changed: the new `View`, when a person changed it.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("panel", ("right",), parent=parent)
        self.setObjectName("statisticsFilters")
        self.view = View()
        self._choices: Choices | None = None
        self._fields: tuple[str, ...] = ()
        self._facts: Sequence[tuple[str, str]] = ()
        self.picks: dict[str, tuple[ElidedLabel, Pick]] = {}
        inner = QWidget()
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(10, 10, 10, 10)
        self._column.setSpacing(1)
        self.clear = Button("", kind="flat", icon="x", small=True)
        self.clear.clicked.connect(self.reset)
        self.in_view, self.how = ElidedLabel("", "label", "text3"), ElidedLabel("", "label", "text3")
        self.facts, self.made = Facts(), Facts()
        self._rest: list[QWidget] = [
            self.clear,
            Separator(),
            self.in_view,
            self.facts,
            Separator(),
            self.how,
            self.made,
        ]
        for widget in self._rest:
            self._column.addWidget(widget)
        self._column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 1, 0)
        layout.addWidget(area)
        self.go_live()

    # --- what is offered ------------------------------------------------------------------------------------------
    def set_fields(self, fields: Sequence[str]) -> None:
        """Offer these fields, in this order."""
        self._fields = tuple(fields)
        for place, name in enumerate(fields):
            if name not in self.picks:
                label, pick = ElidedLabel("", "label", "text3"), Pick()
                pick.setObjectName(f"filter_{name}")
                pick.clicked.connect(self._opener(name))
                self.picks[name] = (label, pick)
            for offset, widget in enumerate(self.picks[name]):
                self._column.insertWidget(2 * place + offset, widget)
        for name, widgets in self.picks.items():
            for widget in widgets:
                widget.setVisible(name in fields)
        self.retranslate()

    def set_choices(self, choices: Choices | None) -> None:
        """What there is to choose from."""
        self._choices = choices
        self.retranslate()

    def set_view(self, view: View) -> None:
        """Show a state without telling anybody."""
        self.view = view
        self.retranslate()

    def set_facts(self, facts: Sequence[tuple[str, str]], made: Sequence[tuple[str, str]]) -> None:
        """What is in view, and how it was made."""
        self.facts.set_lines(facts)
        self.made.set_lines(made)
        for widget in (self.in_view, self.facts):
            widget.setVisible(bool(facts))

    def reset(self) -> None:
        """Speak of everything again; how intervals are made stays."""
        self._change(View(seed=self.view.seed, resamples=self.view.resamples, names=self.view.names))

    def _change(self, view: View) -> None:
        if view != self.view:
            self.view = view
            self.changed.emit(view)
        self.retranslate()

    # --- choosing -------------------------------------------------------------------------------------------------
    def options(self, name: str) -> list[Option]:
        """What may be chosen for a field."""
        if name == "project":
            held = self._choices.projects if self._choices else ()
            none = ("", tr("statistics.all_projects"), self.view.project is None)
            return [none, *((one, one, one == self.view.project) for one in held)]
        if name == "phase":
            return [(one, tr(f"statistics.phase.{one}"), one == self.view.phase) for one in PHASES]
        if name == "resamples":
            return [(str(n), i18n.count(n), n == self.view.resamples) for n in RESAMPLES]
        held_values = self._choices.fields.get(name, ()) if self._choices else ()
        chosen = self.view.where.get(name, frozenset())
        return [(v, f"{value_name(name, v, self.view.names)}  {i18n.count(n)}", v in chosen) for v, n in held_values]

    def choose(self, name: str, value: str, on: bool) -> None:
        """Choose or leave a value."""
        if name == "project":
            self._change(replace(self.view, project=value or None))
        elif name == "phase":
            self._change(replace(self.view, phase=value))
        elif name == "resamples":
            self._change(replace(self.view, resamples=int(value)))
        else:
            chosen = self.view.where.get(name, frozenset())
            self._change(self.view.choosing(name, chosen | {value} if on else chosen - {value}))

    def _opener(self, name: str) -> Callable[[], None]:
        def open_menu() -> None:
            self.open_menu(name)

        return open_menu

    def open_menu(self, name: str) -> Menu:
        """The menu of a field, under its button."""
        menu = Menu(tr(f"statistics.field.{name}"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        options = self.options(name)
        for value, words, on in options:
            action = QAction(words.replace("&", "&&"), menu)
            action.setCheckable(True)
            action.setChecked(on)
            action.triggered.connect(self._chooser(name, value))
            menu.addAction(action)
        if not options:
            nothing = menu.addAction(tr("statistics.nothing_to_choose"))
            nothing.setEnabled(False)
        pick = self.picks[name][1]
        menu.popup(pick.mapToGlobal(pick.rect().bottomLeft()))
        return menu

    def _chooser(self, name: str, value: str) -> Callable[[bool], None]:
        def choose(on: bool) -> None:
            self.choose(name, value, on)

        return choose

    # --- words ----------------------------------------------------------------------------------------------------
    def _words(self, name: str) -> tuple[str, bool]:
        options = self.options(name)
        chosen = [words for _, words, on in options if on]
        if name in ONE_OF:
            return (chosen[0] if chosen else ""), name != "resamples" and not (options and options[0][2])
        picked: frozenset[str] = self.view.where.get(name, frozenset())
        if not picked:
            return tr("statistics.all", n=i18n.count(len(options))), False
        if len(picked) == 1:
            return value_name(name, next(iter(picked)), self.view.names), True
        return tr("statistics.some", n=i18n.count(len(picked)), of=i18n.count(len(options))), True

    def retranslate(self) -> None:
        """Read the texts again."""
        for name, (label, pick) in self.picks.items():
            title = tr(f"statistics.field.{name}")
            label.set_text(title)
            words, on = self._words(name)
            pick.set_words(words, on=on)
            pick.setAccessibleName(f"{title}: {words}")
        self.clear.set_text(tr("statistics.everything"))
        self.clear.setVisible(self.view.narrows)
        self.in_view.set_text(tr("statistics.in_view"))
        self.how.set_text(tr("statistics.how"))

    def remeasure(self) -> None:
        """The column's width."""
        self.setFixedWidth(density.scaled(184 if density.current() is density.Density.SMALL else 204))
        super().remeasure()


def totals_lines(totals: Mapping[str, int]) -> list[tuple[str, str]]:
    """The workspace's totals as lines."""
    return [(tr(f"statistics.total.{name}"), i18n.count(totals[name])) for name in totals]
