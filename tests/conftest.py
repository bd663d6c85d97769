"""The ground every test stands on: no display, no preferences of a real person, nothing left running."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Before anything imports Qt: tests draw offscreen whether or not there is a display. One font cache for the whole run,
# since a fresh one for each process costs seconds where the system keeps none.
os.environ["QT_QPA_PLATFORM"] = os.environ.get("ANNOTATOR_TEST_PLATFORM", "offscreen")
os.environ["QT_ACCESSIBILITY"] = "1"
os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.gettempdir())
for _name in ("QT_SCALE_FACTOR", "QT_STYLE_OVERRIDE", "QT_QPA_PLATFORMTHEME", "QT_FONT_DPI", "PYTHONWARNINGS"):
    os.environ.pop(_name, None)
# The language of whoever runs the tests must not decide what a test reads.
for _name in ("LC_ALL", "LANGUAGE", "LC_MESSAGES"):
    os.environ.pop(_name, None)
os.environ["LANG"] = "C.UTF-8"

THREAD_GRACE_S = 15.0
PATIENCE_MS = 30_000


def pytest_configure() -> None:
    """Waiting ends when what is waited for comes; how long it may take is the slowest machine's business, not 5 s."""
    from pytestqt.qtbot import QtBot

    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
        assert wait.__kwdefaults__["timeout"]
        wait.__kwdefaults__["timeout"] = PATIENCE_MS


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Preferences, state and data of this test alone; inherited by the processes it starts. Returns the folder."""
    home = tmp_path_factory.mktemp("person")
    monkeypatch.setenv("ANNOTATOR_CONFIG_DIR", str(home / "config" / "rubric-annotator"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("ANNOTATOR_CACHE_DIR", str(home / "cache"))
    return home


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread running or, in Qt tests, a window, a timer of a window or a pool at work."""
    before = set(threading.enumerate())
    yield
    # pytest-qt closes and deletes the widgets it was given before this runs.
    if "qapp" in request.fixturenames:
        _fail_on_windows()
    _fail_on_threads(before)


def _fail_on_windows() -> None:
    import gc

    from PySide6.QtCore import QCoreApplication, QEvent, QThreadPool
    from PySide6.QtWidgets import QApplication

    def left() -> list[str]:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        widgets = [w for w in QApplication.topLevelWidgets() if w.parent() is None]
        return [f"{type(w).__name__} {w.objectName()!r}" for w in widgets if not _is_qt_own(w.metaObject().className())]

    if left():
        gc.collect()  # a widget held by a reference cycle alone is no leak
    windows = left()
    for widget in QApplication.topLevelWidgets():
        widget.close()
        widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not windows, f"windows left open by the test: {', '.join(windows)}"
    pool = QThreadPool.globalInstance()
    assert pool.waitForDone(int(THREAD_GRACE_S * 1000)), "the test left work running in Qt's global thread pool"


def _is_qt_own(class_name: str) -> bool:
    """Windows that Qt makes and keeps for itself: tool tips and the like."""
    return class_name in {"QTipLabel", "QDesktopWidget", "QComboBoxPrivateContainer", "QWhatsThat"}


def _fail_on_threads(before: set[threading.Thread]) -> None:
    deadline = time.monotonic() + THREAD_GRACE_S
    while True:
        running = [t for t in threading.enumerate() if t not in before and t.is_alive()]
        if not running or time.monotonic() > deadline:
            break
        time.sleep(0.01)
    assert not running, f"threads left running by the test: {', '.join(t.name for t in running)}"
