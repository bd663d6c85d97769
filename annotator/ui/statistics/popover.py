"""The definition of what a chart shows: sentence, formula, source, and the command that prints the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui import density, theme
from annotator.ui.i18n import tr
from annotator.ui.statistics.definitions import Definition
from annotator.ui.widgets import Button, PlainLabel, Separator
from annotator.ui.widgets.base import Live

WIDTH = 440


@dataclass(frozen=True)
class Explained:
    """What a card explains: the definitions of its figures, and the commands that print them."""

    title: str
    definitions: tuple[Definition, ...] = ()
    commands: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class DefinitionPopover(Live, QFrame):
    """A popup beside the button that opened it; Esc closes it."""

    def __init__(self, explained: Explained, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.NoDropShadowWindowHint)
        self.setObjectName("definitionPopover")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.explained = explained
        self.setFixedWidth(density.scaled(WIDTH))
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(4)
        column.addWidget(PlainLabel(explained.title, weight=600))
        for definition in explained.definitions:
            self._add_definition(column, definition)
        for note in explained.notes:
            column.addSpacing(4)
            column.addWidget(PlainLabel(note, "label", "text2"))
        self.copy: Button | None = None
        if explained.commands:
            self._add_commands(column)
        self.setAccessibleName(explained.title)
        self.setAccessibleDescription(" ".join(self.texts()))
        self.go_live()

    def _add_definition(self, column: QVBoxLayout, definition: Definition) -> None:
        column.addSpacing(6)
        column.addWidget(PlainLabel(tr(f"statistics.what.{definition.key}"), "label"))
        formula = PlainLabel(definition.formula, "mono", "text2")
        column.addWidget(formula)
        if definition.source:
            column.addWidget(PlainLabel(tr("statistics.source", source=definition.source), "meta", "text3"))

    def _add_commands(self, column: QVBoxLayout) -> None:
        column.addSpacing(8)
        column.addWidget(Separator())
        column.addSpacing(4)
        head = QHBoxLayout()
        head.addWidget(PlainLabel(tr("statistics.command"), "label", "text2"))
        self.copy = Button(tr("statistics.copy"), icon="copy", small=True)
        self.copy.clicked.connect(self._copy)
        head.addWidget(self.copy)
        column.addLayout(head)
        for command in self.explained.commands:
            column.addWidget(PlainLabel(_breakable(command), "mono"))

    def texts(self) -> list[str]:
        """Everything it says."""
        return [label.text().replace("\u200b", "") for label in self.findChildren(PlainLabel)]

    def open_at(self, button: QWidget) -> None:
        """Show it under a button, inside its screen; the keyboard is in it."""
        self.adjustSize()
        corner = button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + 2))
        screen = button.screen().availableGeometry()
        x = min(max(corner.x(), screen.left() + 4), screen.right() - self.width() - 4)
        y = corner.y() if corner.y() + self.height() < screen.bottom() else corner.y() - self.height() - button.height()
        self.move(x, max(screen.top() + 4, y))
        self.show()
        (self.copy or self).setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes; Enter copies where the button has the keyboard."""
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.copy is not None:
            self.copy.click()
        else:
            super().keyPressEvent(event)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(self.explained.commands))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A raised ground and a line."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("line"))
        painter.fillRect(self.rect().adjusted(1, 1, -1, -1), theme.color("raised"))
        painter.end()


def _breakable(command: str) -> str:
    """A long path may break behind its slashes."""
    return command.replace("/", "/\u200b").replace("\\", "\\\u200b")


def explained(title: str, names: Sequence[str], commands: Sequence[str], notes: Sequence[str] = ()) -> Explained:
    """What a card of these figures explains, each definition once."""
    from annotator.ui.statistics.definitions import definition_of

    found = [definition for name in names if (definition := definition_of(name)) is not None]
    return Explained(title, tuple(dict.fromkeys(found)), tuple(dict.fromkeys(commands)), tuple(notes))
