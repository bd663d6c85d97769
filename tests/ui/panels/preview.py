"""Draws the panels of the audit with an invented dialogue and saves pictures to look at.

Run: python tests/ui/panels/preview.py FOLDER [NAME-PART]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[3]))

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from annotator.domain.sheet import Cell
from annotator.ui import density, i18n, theme
from annotator.ui.grid import ScoreGrid
from annotator.ui.itembar import ItemBar
from annotator.ui.transcript import TranscriptView
from annotator.ui.tray import Tray
from annotator.ui.verdictbar import VerdictBar
from tests.helpers.invented import invented, scored_whole

SIZES = ((1366, 768), (1600, 1000), (2560, 1440))


class Board(QWidget):
    """The panels where the window has them; the media's place is left empty."""

    def __init__(self) -> None:
        super().__init__()
        self.bar, self.transcript, self.grid = ItemBar(self), TranscriptView(self), ScoreGrid(self)
        self.verdict, self.tray = VerdictBar(self), Tray(self)
        self.stage = QWidget(self)
        outer, middle, right, left = QVBoxLayout(self), QHBoxLayout(), QVBoxLayout(), QVBoxLayout()
        for layout in (outer, middle, right, left):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        left.addWidget(self.stage, 1)
        left.addWidget(self.tray)
        right.addWidget(self.transcript, 1)
        right.addWidget(self.grid)
        self.column = QWidget(self)
        self.column.setLayout(right)
        middle.addLayout(left, 1)
        middle.addWidget(self.column)
        outer.addWidget(self.bar)
        outer.addLayout(middle, 1)
        outer.addWidget(self.verdict)

    def fit(self, width: int, height: int) -> None:
        """Take the size the panels have in a window of `width` x `height`: without rail, queue and status bar."""
        density.update_for(QSize(width, height))
        table = density.metrics()
        self.column.setFixedWidth(table.right_width)
        self.resize(width - table.rail - table.queue_width, height - table.status_bar)


def show(board: Board, scene: str, language: str) -> None:
    """Put one scene on the board."""
    if scene == "session":
        first = invented(language)
        view = invented(language, cells=scored_whole(first) | {("item", "verdict"): Cell("keep")})
        turn, target = None, "session"
    else:
        verdict = {("item", "verdict"): Cell("revise"), ("item", "verdict_reasons"): Cell(["content"])}
        marked = {("turn:3", "span:accuracy"): Cell([[5, 24, "幻觉与捏造"]])}
        view = invented(language, cells=verdict | marked)
        turn, target = 3, "turn:3"
    board.transcript.show_review(view)
    board.transcript.show_turn(turn)
    board.grid.show_sheet(view, target)
    board.transcript.set_dimension("accuracy")
    board.bar.show_review(view, turn)
    board.verdict.show_sheet(view)
    board.tray.show_review(view, turn)
    board.tray.show_tab("edits" if scene == "edits" else "goal")
    board.tray.set_open(scene in ("edits", "session") or not density.metrics().tray_folded)


def main() -> None:
    """Save every picture whose name holds the second argument."""
    folder, part = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    folder.mkdir(parents=True, exist_ok=True)
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.set_theme(app, "light")
    board = Board()
    for width, height in SIZES:
        for look in ("light", "dark"):
            for language in i18n.LANGUAGES:
                for scene in ("turn", "session", "edits", "tags", "levels"):
                    name = f"{scene}-{width}-{look}-{language}"
                    if part not in name:
                        continue
                    i18n.set_language(language)
                    theme.set_theme(app, look)
                    board.fit(width, height)
                    show(board, scene, language)
                    board.show()
                    app.processEvents()
                    board.grid.go_to("accuracy" if scene == "tags" else board.grid.current_dimension())
                    if scene == "tags":
                        board.grid.open_tags()
                    if scene == "levels":
                        board.grid.toggle_levels()
                    app.processEvents()
                    board.grab().save(str(folder / f"{name}.png"))
                    if scene == "tags":
                        board.grid.focus_grid()
                    if scene == "levels":
                        board.grid.toggle_levels()
    board.close()


if __name__ == "__main__":
    main()
