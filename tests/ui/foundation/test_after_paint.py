"""What may wait until the paint is out comes behind it, once, and not after it was called off."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from annotator.ui.after_paint import AfterPaint


class _Painted(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note it."""
        super().paintEvent(event)
        self.told.append("paint")

    def due(self) -> None:
        """Note it."""
        self.told.append("due")


def test_it_comes_once_behind_the_paint(qtbot: QtBot) -> None:
    widget = _Painted()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: "paint" in widget.told)
    after = AfterPaint(widget)
    after.due.connect(widget.due)
    for _ in range(3):
        widget.told.clear()
        after.start()
        widget.update()
        after.start()
        qtbot.waitUntil(lambda: "due" in widget.told)
        assert widget.told == ["paint", "due"]
        QApplication.processEvents()
        QApplication.processEvents()
        assert widget.told == ["paint", "due"]


def test_called_off_it_does_not_come(qtbot: QtBot) -> None:
    widget = _Painted()
    qtbot.addWidget(widget)
    after = AfterPaint(widget)
    after.due.connect(widget.due)
    after.start()
    QApplication.processEvents()
    after.stop()
    for _ in range(5):
        QApplication.processEvents()
    assert widget.told == []
