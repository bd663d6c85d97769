"""PySide6 stays on a release that keeps its references.

6.12.0 on Python 3.11 loses one reference to True at every Signal.emit and aborts after some hundreds. From Python 3.12
on such constants are immortal and the count stays flat by itself; there the version alone is the guard.
"""

import gc
import sys
from collections.abc import Callable

import PySide6
import pytest
import shiboken6
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

CALLS = 3000
SLACK = 40  # other parts of the interpreter take and drop a few meanwhile; the loss would be one for each call


class Bell(QObject):
    rung = Signal(bool)
    plain = Signal()


def drift(act: Callable[[], object]) -> dict[str, int]:
    """How the reference counts of the constants change over many calls."""
    constants = {"None": None, "True": True, "False": False}
    act()
    gc.collect()
    before = {name: sys.getrefcount(value) for name, value in constants.items()}
    change = dict.fromkeys(constants, 0)
    for number in range(CALLS):
        act()
        if number % 50 == 0:
            change = {name: sys.getrefcount(value) - before[name] for name, value in constants.items()}
            if any(abs(count) > SLACK for count in change.values()):
                break  # a binding that loses them aborts the interpreter some hundred calls later
    return change


def test_pyside_is_of_the_series_that_was_shown_to_be_clean() -> None:
    assert PySide6.__version_info__[:2] == (6, 11)
    assert shiboken6.__version__ == PySide6.__version__


@pytest.mark.usefixtures("qapp")
def test_emitting_a_signal_keeps_the_references_of_constants() -> None:
    bell = Bell()
    heard: list[int] = [0]

    def hear(*_args: object) -> None:
        heard[0] += 1

    bell.rung.connect(hear)
    bell.plain.connect(hear)
    changes = [drift(lambda: bell.rung.emit(True)), drift(lambda: bell.rung.emit(False)), drift(bell.plain.emit)]
    assert all(abs(count) <= SLACK for change in changes for count in change.values()), changes
    assert heard[0] == 3 * (CALLS + 1)


def test_setting_properties_keeps_the_references_of_constants(qtbot: QtBot) -> None:
    label = QLabel()
    qtbot.addWidget(label)
    changes = [
        drift(lambda: label.setObjectName("name")),
        drift(lambda: label.setEnabled(True)),
        drift(lambda: label.setText("text")),
        drift(label.isEnabled),
        drift(label.parent),
    ]
    assert all(abs(count) <= SLACK for change in changes for count in change.values()), changes
