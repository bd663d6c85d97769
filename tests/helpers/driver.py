"""Drives the real window as a person would: by keys sent to whatever has the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QEventLoop, QModelIndex, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QWidget

from annotator.ui.lanes import Lanes
from annotator.ui.window import MainWindow
from annotator.workspace.views import ReviewView

NAMED = {
    "\n": Qt.Key.Key_Return,
    "\t": Qt.Key.Key_Tab,
    "\x1b": Qt.Key.Key_Escape,
}
READ = ("text", "toolTip", "accessibleName", "accessibleDescription", "windowTitle", "placeholderText")
STEP_MS = 5
PATIENCE_MS = 20_000


class Driver:
    """One window on one workspace; `presses` counts the keys."""

    def __init__(self, app: QApplication, folder: Path | None, size: tuple[int, int] = (1600, 1000)) -> None:
        """Show the window and wait until the first row is there."""
        self.app = app
        self.presses = 0
        self._closed = False
        self.window = MainWindow(Lanes())
        self.window.resize(*size)
        self.window.show()
        QTest.qWaitForWindowExposed(self.window)
        if folder is not None:
            self.open(folder)

    def open(self, folder: Path) -> None:
        """Open a workspace and wait for it."""
        done: list[bool] = []
        self.window.ready.connect(lambda: done.append(True))
        self.window.open_path(folder)
        self.wait(lambda: bool(done) or self.window.messages.current() is not None)
        self.settle()

    # --- hands --------------------------------------------------------------------------------------------------
    def press(self, text: str, *, settle: bool = True) -> None:
        """Press the keys of a text one by one, wherever the keyboard is."""
        for char in text:
            self.key(NAMED.get(char, char))
        if settle:
            self.settle()

    def key(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press one key."""
        self.presses += 1
        target = self.app.focusWidget() or self.window
        QTest.keyClick(target, key, modifier)

    def control(self, key: Qt.Key | str, *, shift: bool = False) -> None:
        """Press a key with Control (and Shift)."""
        modifier = Qt.KeyboardModifier.ControlModifier
        self.key(key, modifier | Qt.KeyboardModifier.ShiftModifier if shift else modifier)
        self.settle()

    # --- eyes ---------------------------------------------------------------------------------------------------
    @property
    def view(self) -> ReviewView:
        """The row that is shown."""
        view = self.window.desk.view
        assert view is not None
        return view

    def value(self, target: str, field: str) -> object:
        """A value as it stands on the shown sheet."""
        return self.view.sheet.value(target, field)

    @property
    def saved_state(self) -> str:
        """The state of `savedLabel`."""
        return self.window.status.saved.state()

    def message(self) -> str:
        """The sentence in the message bar, "" where there is none."""
        current = self.window.messages.current()
        return current.text if current is not None else ""

    def texts(self) -> Iterator[str]:
        """Every text of the window: of widgets, tooltips, accessible names, and everything in item views."""
        for widget in [self.window, *self.window.findChildren(QWidget)]:
            for name in (
                "text",
                "toolTip",
                "accessibleName",
                "accessibleDescription",
                "windowTitle",
                "placeholderText",
            ):
                read = getattr(widget, name, None)
                if callable(read):
                    yield str(read())
            if isinstance(widget, QAbstractItemView):
                yield from _model_texts(widget.model())

    # --- patience -----------------------------------------------------------------------------------------------
    def wait(self, done: Callable[[], bool], ms: int = PATIENCE_MS) -> None:
        """Let the event loop run until something is so."""
        waited = 0
        while not done():
            assert waited < ms, "it did not come in time"
            spin(STEP_MS)
            waited += STEP_MS

    def settle(self) -> None:
        """Wait until nothing is on its way: lanes idle and everything said is on disk (or known to fail)."""
        desk = self.window.desk
        spin(0)
        self.wait(lambda: not self.window.lanes.busy and (desk.outbox.waiting == 0 or desk.outbox.failing))

    def close(self) -> None:
        """Close the window as a person would."""
        if not self._closed:
            self._closed = True
            self.window.close()
            self.window.deleteLater()
            spin(0)


def spin(ms: int) -> None:
    """Run the event loop for some milliseconds."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def _model_texts(model: QAbstractItemModel | None, parent: QModelIndex | None = None) -> Iterator[str]:
    if model is None:
        return
    above = QModelIndex() if parent is None else parent
    roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
    for row in range(model.rowCount(above)):
        for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount(above)):
            for role in roles:
                yield str(model.data(model.index(row, column, above), role))
        if not isinstance(model, QAbstractListModel):
            yield from _model_texts(model, model.index(row, 0, above))
