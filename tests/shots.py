"""Contact sheets: every page of the window in each size, theme and language, to be looked at beside the mock-ups.

`python -m tests.shots --into docs/pictures` makes the sample, audits one dialogue in part, and writes one PNG for each
picture (into another folder, to be looked at closely) and one sheet for each page.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from annotator.errors import WorldError
from annotator.tour import changed_copy

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from annotator.ui.window import MainWindow

SIZES = ((1366, 768), (1600, 1000), (2560, 1440))
LANGUAGES = ("en", "zh_CN")
THEMES = ("light", "dark")
PAGES = (
    *("welcome", "turn", "picture", "session", "compare", "import", "choice", "choice-revealed"),
    *("problems", "statistics", "retention", "effort", "accuracy", "preferences", "keys", "settings", "reveal"),
)
THUMB_WIDTH = 720
GAP = 12


class Studio:
    """The window on a prepared workspace, brought to one page after the other."""

    def __init__(self, app: QApplication, window: MainWindow, workspace: Path) -> None:
        from annotator.ui.shot import Settling
        from annotator.ui.typist import Typist

        self.app, self.window, self.workspace = app, window, workspace
        self.settling, self.keys = Settling(window), Typist(window)
        self.ranked = False

    def settle(self) -> None:
        assert self.settling.wait(60_000), "the window did not come to rest"

    def prepare(self, data: Path) -> None:
        """Score two turns of the nine-turn dialogue, and import a second delivery with one changed record."""
        from annotator.ui.flows import ImportJob

        window = self.window
        window.show()
        window.open_path(self.workspace)
        self.settle()
        self.open_item("sample-v1")
        for value in "5424342345523434":
            self.keys.press(value)
            if window.review.grid.current() == 7 and window.review.turn == 0:
                self.keys.press("4", "]")
        self.settle()
        window.flows.run(
            ImportJob((changed_copy(data, self.workspace.parent / "second-delivery"),), media_roots=(data,))
        )
        self.settle()

    def compare(self) -> None:
        """Draw turns that those answered who have most dialogues in common; score the first and rank it."""
        from annotator.workspace.comparisons_flow import in_common

        window = self.window
        setup = window.comparison.desk.setup()
        assert setup is not None
        everybody = setup.answerers()
        most = max(combinations(everybody, 3), key=in_common)
        setup.make([answerer.responder for answerer in most], 4, level="turn", seed=3, project="pictures")
        window.desk.ask_problems()
        self.settle()
        window.show_page("compare")
        self.settle()
        for value in "344525233":
            self.keys.press(value)
        self.keys.press("C", "Left", "=")
        self.settle()
        first = window.comparison.desk.queue.rows[0]
        window.comparison.desk.open(first.item_id)
        self.settle()

    def rank(self) -> None:
        """Three people rank as many turns as three responders have in common, as their scores would have it."""
        import random

        from annotator.domain.comparisons import Comparison
        from annotator.store import Draft
        from annotator.workspace.comparisons_flow import in_common
        from annotator.workspace.comparisons_making import make_comparisons

        workspace, setup, chance = self.window.desk.workspace, self.window.comparison.desk.setup(), random.Random(4)
        assert workspace is not None and setup is not None
        most = max(combinations(setup.answerers(), 3), key=in_common)
        store, names = workspace.store, [answerer.responder for answerer in most]
        size = 40
        while True:
            try:
                made = make_comparisons(store, names, size, seed=5, project="rankings", repeats=0.3)
                break
            except WorldError:
                size -= 1  # as many as there are
        drafts = []
        for item, body in store.items.bodies_of([*made.items, *made.repeats]).items():
            responses = Comparison.model_validate(body).responses
            for rater in ("ana", "bo", "chen"):
                liked = [round(chance.gauss(-0.7 * place, 1)) for place in range(len(responses))]
                ranking = [1 + sum(other > one for other in liked) for one in liked]
                drafts.append(Draft(rater, item, "item", "ranking", ranking))
        store.many.append(drafts)
        self.ranked = True

    def figures(self, page: str) -> None:
        """A section of the page of figures, with something to say."""
        from annotator.ui.shot import show_statistics

        if page == "accuracy" and not self.window.choice.count:
            self.questions()
        if page == "preferences" and not self.ranked:
            self.rank()
        show_statistics(self.window, "preference" if page == "preferences" else page)

    def questions(self) -> None:
        """A set of questions with the outputs of three models; three answered, one of them against the key."""
        from PySide6.QtCore import QRect

        from annotator.ui.flows import ImportJob
        from tests.ui.choice import sample

        window = self.window
        questions, outputs = sample.write(self.workspace.parent / "questions", 8, (2400, 1650))
        for source in (questions, *outputs):
            window.flows.run(ImportJob((source,), media_roots=(questions.parent,)))
            self.settle()
        window.show_page("choice")
        self.settle()
        page = window.choice.page
        for number, answer in enumerate("ABD"):
            page.desk.open(page.desk.queue.rows[number].item_id)
            self.settle()
            self.keys.press(answer)
            self.settle()
            page.stage.boxed.emit(QRect(700, 500, 420, 160), page.stage.picture.full)
            self.keys.press("2" if number == 2 else "1")
            self.settle()

    def reveal(self) -> None:
        """Draw a spot-check, score its first row and complete it: the judge stands beside the scores."""
        from annotator.workspace.spotcheck import draw

        desk, workspace = self.window.desk, self.window.desk.workspace
        assert workspace is not None
        draw(workspace.store, "pilot", 12, ("dimension",), seed=4)
        desk.refresh_queue()
        self.settle()
        self.window.show_page("review")
        self.window.review.queue.filters.spot.chosen.emit("pilot")
        self.settle()
        while desk.view is not None and desk.view.sheet.gaps():
            self.keys.press("G", "4")
        self.keys.press("Ctrl+Enter")
        self.settle()
        self.keys.press("A", "=", "Up")
        self.settle()

    def open_item(self, source_id: str) -> None:
        from annotator.ui.shot import row_of

        workspace = self.window.desk.workspace
        assert workspace is not None
        self.window.desk.open_row(*row_of(self.window, workspace.store.items.resolve(source_id)))
        self.settle()

    def show(self, page: str) -> None:
        """Bring a page up, at rest."""
        window = self.window
        if page in ("turn", "picture", "session"):
            window.show_page("review")
            self.open_item("sample-i2" if page == "picture" else "sample-v1")
            window.review.open_turn(None if page == "session" else 1 if page == "turn" else 0)
        elif page == "compare":
            if not self.window.comparison.count:
                self.compare()
            window.show_page(page)
        elif page in ("choice", "choice-revealed"):
            if not window.choice.count:
                self.questions()
            window.show_page("choice")
            window.choice.desk.open(window.choice.desk.queue.rows[3 if page == "choice" else 2].item_id)
        elif page in ("welcome", "import", "problems", "statistics"):
            window.show_page(page)
        elif page in ("retention", "effort", "accuracy", "preferences"):
            self.figures(page)
        elif page == "reveal":
            if not window.review.queue.filters.spot.project:
                self.reveal()
            window.show_page("review")
        elif page == "keys":
            window.show_keys()
        else:
            window.show_settings()
        self.settle()

    def leave(self, page: str) -> None:
        """Close what stands before the window."""
        if page in ("keys", "settings"):
            widget = self.app.activeModalWidget()
            assert widget is not None, page
            widget.close()
            self.settle()


def pictures(studio: Studio, pages: Sequence[str], folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Each page with its pictures, in the order size, language, theme."""
    from annotator.ui import i18n, theme
    from annotator.ui.shot import save_picture

    for page in pages:
        made = []
        for width, height in SIZES:
            studio.window.resize(width, height)
            for language in LANGUAGES:
                for look in THEMES:
                    i18n.set_language(language)  # type: ignore[arg-type]
                    theme.set_theme(studio.app, look)  # type: ignore[arg-type]
                    studio.show(page)
                    file = folder / f"{page}-{width}x{height}-{language}-{look}.png"
                    save_picture(studio.app.activeModalWidget() or studio.window, file)
                    studio.leave(page)
                    made.append(file)
        yield page, made


def sheet(files: Sequence[Path], into: Path) -> None:
    """Put pictures on one sheet, four to a row: one size to a row, languages and themes across."""
    columns = len(LANGUAGES) * len(THEMES)
    images = []
    for file in files:
        with Image.open(file) as image:
            scale = THUMB_WIDTH / image.width
            images.append(
                image.convert("RGB").resize((THUMB_WIDTH, round(image.height * scale)), Image.Resampling.LANCZOS)
            )
    rows = [images[i : i + columns] for i in range(0, len(images), columns)]
    height = sum(max(image.height for image in row) + GAP for row in rows) + GAP
    page = Image.new("RGB", (columns * (THUMB_WIDTH + GAP) + GAP, height), (128, 128, 128))
    top = GAP
    for row in rows:
        for column, image in enumerate(row):
            page.paste(image, (GAP + column * (THUMB_WIDTH + GAP), top))
        top += max(image.height for image in row) + GAP
    page.save(into, quality=82, optimize=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """`python -m tests.shots --into DIR [--page P]...`"""
    parser = argparse.ArgumentParser(prog="tests.shots", description="Contact sheets of every page.")
    parser.add_argument("--into", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--singles", type=Path, default=Path("out/shots"), help="where the single pictures go")
    parser.add_argument("--page", action="append", choices=PAGES, help="only these pages")
    chosen = parser.parse_args(arguments)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for folder in (chosen.into, chosen.singles):
        folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rubric-annotator-") as scratch:
        os.environ["ANNOTATOR_CONFIG_DIR"] = str(Path(scratch, "config"))
        os.environ["ANNOTATOR_STATE_DIR"] = str(Path(scratch, "log"))
        os.environ["ANNOTATOR_CACHE_DIR"] = str(Path(scratch, "cache"))
        from annotator.app import make_application, start_log
        from annotator.ui.lanes import Lanes
        from annotator.ui.window import MainWindow
        from annotator.workspace.setup import ensure_demo

        workspace = ensure_demo(Path(scratch, "sample"))
        start_log()
        app = make_application(["annotator"])
        window = MainWindow(Lanes())
        studio = Studio(app, window, workspace)
        studio.prepare(workspace / "data")
        for page, files in pictures(studio, chosen.page or PAGES, chosen.singles):
            sheet(files, chosen.into / f"{page}.jpg")
            print(f"{page}: {len(files)} pictures, {chosen.into / f'{page}.jpg'}", flush=True)
        window.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
