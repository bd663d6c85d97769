"""A tour without a display: the real window, driven by key presses through one audit of the sample.

`python -m annotator.tour --into DIR` makes the sample workspace in DIR, audits its nine-turn dialogue from the first
score to "complete and next", saves a picture of each stage, exports the labels, and leaves with an error if they are
not what was typed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from annotator.errors import WorldError

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from annotator.ui.shot import Settling
    from annotator.ui.typist import Typist
    from annotator.ui.window import MainWindow

Said = dict[tuple[str, str | None, str, str], Any]
"""What was typed, by (item, responder, target, field)."""

SIZE: Final = (1600, 1000)
REASON: Final = "The board says three yuan; the answer says four. 牌子上写的是三元。"
# Facts about the work that the window logs by itself.
OWN_FIELDS: Final = frozenset({"viewing", "complete"})
_MARK: Final = ".tour"


class Tour:
    """One walk through the window; `said` is what was typed, `pictures` what was saved."""

    def __init__(self, folder: Path, app: QApplication, window: MainWindow) -> None:
        """Take pictures into `folder`."""
        from annotator.ui.shot import Settling
        from annotator.ui.typist import Typist

        self._folder = folder
        self._app = app
        self._window = window
        self._keys: Typist = Typist(window)
        self._settling: Settling = Settling(window)
        self.said: Said = {}
        self.pictures: list[Path] = []
        self.presses = 0

    def walk(self) -> None:
        """All stages in order."""
        self._welcome()
        self._find_long_dialogue()
        first = self._keys.pressed
        self._score_turns()
        self._score_session()
        self._verdict_and_on()
        self.presses = self._keys.pressed - first
        self._pages()

    # --- stages -------------------------------------------------------------------------------------------------
    def _welcome(self) -> None:
        self._window.resize(*SIZE)
        self._window.show()
        self._picture("welcome")
        self._keys.press("1")  # open the sample
        self._settle(120_000)

    def _find_long_dialogue(self) -> None:
        self._picture("opened")
        desk = self._window.desk
        for _ in range(len(desk.queue.rows) if desk.queue else 0):
            if desk.view is not None and len(desk.view.turns) >= 9:
                break
            self._keys.press("N")
            self._settle()
        self._in_all_looks("first-turn")

    def _score_turns(self) -> None:
        desk = self._window.desk
        turns = len(desk.view.turns) if desk.view else 0
        for turn in range(turns):
            for row in range(8):
                self._score(("5", "4", "2", "3", "0")[(turn + row) % 5 if turn else 1])
                if (turn, row) == (1, 1):
                    self._give_reason()
            if turn in (1, 4):
                self._picture(f"scored-turn-{turn + 1}")
            self._keys.press("]")
        self._settle()

    def _score(self, key: str) -> None:
        review = self._window.review
        target, dimension = review.target, review.grid.current_dimension()
        self._keys.press(key)
        self._note(target, dimension, "cannot_judge" if key == "0" else int(key))

    def _give_reason(self) -> None:
        """Back to the row that was scored low, into its reason, and out again."""
        self._keys.press("Up", "Tab")
        review = self._window.review
        target, dimension = review.target, review.grid.current_dimension()
        self._keys.write(REASON)
        self._picture("reason")
        self._keys.press("Esc", "Down")
        self._note(target, f"reason:{dimension}", REASON)

    def _score_session(self) -> None:
        self._picture("session")
        for key in ("4", "4", "3", "0"):
            self._score(key)

    def _verdict_and_on(self) -> None:
        self._keys.press("K")
        self._note("item", "verdict", "keep")
        self._settle()
        self._picture("verdict")
        self._keys.press("Ctrl+Enter")
        self._settle()
        self._in_all_looks("next-dialogue")
        self._keys.press("?")
        self._picture("all-keys", self._app.activeModalWidget())
        self._keys.press("Esc")

    def _pages(self) -> None:
        """The import report and the page of problems, from a second copy of the data with one changed record."""
        from annotator.ui.flows import ImportJob

        workspace = self._window.desk.workspace
        if workspace is None:
            raise WorldError("The sample did not open: there is nothing to show.")
        source = changed_copy(workspace.store.folder / "data", self._folder / "second-delivery")
        self._window.flows.run(ImportJob((source,), media_roots=(workspace.store.folder / "data",)))
        self._in_all_looks("import-report")
        self._window.show_page("problems")
        self._in_all_looks("problems")

    # --- means --------------------------------------------------------------------------------------------------
    def _note(self, target: str, field: str, value: Any) -> None:
        view = self._window.desk.view
        if view is not None:
            self.said[view.row.item_id, None if field == "verdict" else view.row.responder, target, field] = value

    def _settle(self, timeout_ms: int = 30_000) -> None:
        if not self._settling.wait(timeout_ms):
            raise WorldError("The window did not come to rest: the tour stops here.")

    def _picture(self, name: str, of: QWidget | None = None) -> None:
        from annotator.ui.shot import save_picture

        self._settle()
        file = self._folder / f"{len(self.pictures) + 1:02d}-{name}.png"
        save_picture(of or self._window, file)
        self.pictures.append(file)

    def _in_all_looks(self, name: str) -> None:
        """English and Chinese, light and dark; English and light again at the end."""
        from annotator.ui import i18n, theme

        for language in ("zh_CN", "en"):
            for look in ("dark", "light"):
                i18n.set_language(language)
                theme.set_theme(self._app, look)
                self._picture(f"{name}-{'zh' if language == 'zh_CN' else 'en'}-{look}")


def changed_copy(data: Path, into: Path) -> Path:
    """A dataset file like the sample's, but with another reference answer in its first dialogue."""
    into.mkdir(parents=True, exist_ok=True)
    source = next(iter(sorted(data.glob("video_final*.json"))))
    records = json.loads(source.read_text(encoding="utf-8"))
    entries = records[0]["stream_conversation"]["conversations"]
    answer = next(entry for entry in entries if entry["speaker"] == "ai")
    answer["text"] += " (corrected)"
    file = into / source.name
    file.write_text(json.dumps(records, ensure_ascii=False, indent=1), encoding="utf-8")
    return file


def check_labels(file: Path, rater: str, said: Said) -> list[str]:
    """What differs between the exported labels of a rater and what was typed; empty where nothing does."""
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    held = {
        (line["item"], line["responder"], line["target"], line["field"]): line["value"]
        for line in lines
        if line["rater"] == rater
    }
    wrong = [
        f"{' '.join(map(str, key))}: typed {value!r}, exported {held.get(key)!r}"
        for key, value in said.items()
        if held.get(key) != value
    ]
    extra = [f"{' '.join(map(str, k))}: never typed" for k in held if k not in said and k[3] not in OWN_FIELDS]
    return wrong + extra


def tour(folder: Path) -> int:
    """Walk, export, compare; returns the exit code."""
    folder = folder.resolve()
    make_room(folder)
    os.environ["ANNOTATOR_DATA_DIR"] = str(folder)
    os.environ["ANNOTATOR_STATE_DIR"] = str(folder / "log")
    os.environ["ANNOTATOR_CACHE_DIR"] = str(folder / "cache")
    from annotator.app import make_application, start_log
    from annotator.ui.lanes import Lanes
    from annotator.ui.window import MainWindow

    start_log()
    app = make_application(["annotator"])
    window = MainWindow(Lanes())
    walk = Tour(folder, app, window)
    try:
        walk.walk()
    finally:
        if window.desk.outbox.waiting:
            window.lanes.shutdown()  # closing would ask a question that nobody is there to answer
        else:
            window.close()
    from annotator.workspace.exporting import export_labels
    from annotator.workspace.workspace import Workspace

    with Workspace.open(folder / "sample", read_only=True) as workspace:
        done = export_labels(workspace.store, folder / "labels.jsonl")
        wrong = check_labels(done.file, workspace.rater, walk.said)
    print(f"Audited one dialogue with {walk.presses} key presses, the reason's text included: {len(walk.said)} labels.")
    print(f"Pictures: {len(walk.pictures)} in {folder}, from {walk.pictures[0].name} to {walk.pictures[-1].name}")
    print(f"Labels:   {done.file} ({done.lines} lines)")
    print(f"To look yourself, where there is a display: .venv/bin/annotator open {folder / 'sample'}")
    for sentence in wrong:
        print(f"Not as typed: {sentence}", file=sys.stderr)
    return 1 if wrong or not walk.said else 0


def make_room(folder: Path) -> None:
    """An empty place for the tour; what an earlier tour left is removed, anything else in the way is not.

    Raises:
        WorldError: the folder holds other things.
    """
    mark = folder / _MARK
    if folder.is_dir() and any(folder.iterdir()) and not mark.is_file():
        raise WorldError(f"{folder} holds other things: name a new or an empty folder.", path=str(folder))
    try:
        if folder.is_dir():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        mark.touch()
    except OSError as error:
        raise WorldError(f"{folder} cannot be written ({error.strerror}): name another folder.") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m annotator.tour --into DIR`."""
    parser = argparse.ArgumentParser(prog="annotator.tour", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--into", type=Path, required=True, metavar="DIR", help="where pictures and labels go")
    chosen = parser.parse_args(arguments)
    if sys.platform.startswith("linux"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        with tempfile.TemporaryDirectory(prefix="rubric-annotator-") as preferences:
            os.environ["ANNOTATOR_CONFIG_DIR"] = preferences
            return tour(chosen.into)
    except WorldError as error:
        print(error.sentence, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
