"""Start to the first window with nothing open, as CPU time of a fresh process until its first paint had returned.

The floor is an empty QMainWindow of the same size. Both run by turns, from warm byte code, with settings of their own.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.rows import Row

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 15
WHY = (
    "Half of what is ours is importing our modules; PySide reads the source of each one for its own name (its feature "
    "switch), which costs some 5 % of the start and cannot be told off."
)
# The paint pass of a window and its children is one call from the event loop: what is posted in it comes after it.
STOP = """
import os
from PySide6.QtCore import QTimer
def stop():
    os._exit(0)
def after_paint(kind):
    class Watched(kind):
        def paintEvent(self, event):
            super().paintEvent(event)
            QTimer.singleShot(0, stop)
    return Watched
"""
BARE = """
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
window = after_paint(QMainWindow)()
window.resize(1600, 1000)
window.show()
app.exec()
"""
OURS = """
import gc
gc.disable()  # as annotator.cli.display does
import annotator.app
annotator.app.MainWindow = after_paint(annotator.app.MainWindow)
annotator.app.main()
"""
COMMAND = """
import gc, sys
gc.disable()
import annotator.app
annotator.app.MainWindow = after_paint(annotator.app.MainWindow)
sys.argv = ["annotator"]
from annotator.cli.main import main
main()
"""


def cpu_ms(code: str, env: dict[str, str]) -> float:
    """CPU time, user and system, of a fresh interpreter that runs `code`, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", STOP + code]
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"the window did not come: {done.stderr[-800:]}")
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def run(repeats: int = REPEATS) -> list[Row]:
    """Ours beside the bare window."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "HOME": folder, "PYTHONPYCACHEPREFIX": f"{folder}/pyc"}
        for name in ("PYTHONDONTWRITEBYTECODE", "ANNOTATOR_CONFIG_DIR", "ANNOTATOR_STATE_DIR", "XDG_CONFIG_HOME"):
            env.pop(name, None)
        kinds = {"bare": BARE, "ours": OURS, "command": COMMAND}
        for code in kinds.values():
            cpu_ms(code, env)
        taken: dict[str, list[float]] = {name: [] for name in kinds}
        for _ in range(repeats):
            for name, code in kinds.items():
                taken[name].append(cpu_ms(code, env))
    bare = statistics.median(taken["bare"])
    rows = []
    for name, what in (("ours", "first window, nothing open"), ("command", "the same by the command `annotator`")):
        mine = statistics.median(taken[name])
        ratios = [a / b for a, b in zip(taken[name], taken["bare"], strict=True)]
        note = f"{mine:.0f} ms; pairs {min(ratios):.2f} to {max(ratios):.2f}, {repeats} runs each"
        floor = f"bare PySide6 window {bare:.0f} ms"
        rows.append(Row(what, mine / bare, "x CPU of the bare window", 2.0, floor, note, WHY))
    return rows
