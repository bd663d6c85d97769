"""The command that takes a picture of the window, beside an open one if need be."""

from __future__ import annotations

import enum
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json
from annotator.errors import WorldError


class Page(enum.StrEnum):
    """The pages that there are."""

    REVIEW = "review"
    CHOICE = "choice"
    COMPARE = "compare"
    IMPORT = "import"
    PROBLEMS = "problems"
    SYNC = "sync"
    STATISTICS = "statistics"
    RETENTION = "retention"
    ACCURACY = "accuracy"
    PREFERENCES = "preferences"
    WELCOME = "welcome"


# The pages of items that are no dialogues: which part of the window they belong to.
_ENTRIES = {Page.CHOICE: "choice", Page.COMPARE: "comparison"}
_SECTIONS = {
    Page.STATISTICS: "calibration", Page.RETENTION: "retention", Page.ACCURACY: "accuracy",
    Page.PREFERENCES: "preference",
}  # fmt: skip
_KINDS = {"question": Page.CHOICE, "comparison": Page.COMPARE}


class Theme(enum.StrEnum):
    """The themes."""

    LIGHT = "light"
    DARK = "dark"


class Language(enum.StrEnum):
    """The languages."""

    EN = "en"
    ZH_CN = "zh_CN"


class Size(NamedTuple):
    """The size of a window in pixels."""

    width: int
    height: int


# Two 4K screens side by side; beyond it the picture alone takes gigabytes.
_LARGEST = 8192


def _size(text: str) -> Size:
    match = re.fullmatch(r"(\d{3,5})[xX×](\d{3,5})", text.strip(), re.ASCII)
    if match is None:
        raise typer.BadParameter(f'"{text}" is no size: give WxH in pixels, such as 1600x1000.')
    size = Size(int(match[1]), int(match[2]))
    if max(size) > _LARGEST:
        raise typer.BadParameter(f"{text} is too large for a window: give at most {_LARGEST}x{_LARGEST} pixels.")
    return size


def shot(
    workspace: Folder,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE.png", help="The PNG to write.", show_default=False, readable=False
        ),
    ],
    item: Annotated[
        str | None, typer.Option(metavar="ID", help="Show this item; else the one that opening would show.")
    ] = None,
    page: Annotated[Page, typer.Option(help="Which page.")] = Page.REVIEW,
    size: Annotated[
        Size | None, typer.Option(parser=_size, metavar="WxH", help="The window's size (1600x1000).")
    ] = None,
    theme: Annotated[Theme, typer.Option(help="Which colours.")] = Theme.LIGHT,
    lang: Annotated[Language, typer.Option(help="Which language.")] = Language.EN,
    json: Json = False,
) -> None:
    """Save a picture of the window as a rater sees it."""
    from annotator.workspace.workspace import Workspace

    with Workspace.open(workspace, read_only=True) as door:  # says what is wrong with it before a window is made
        item_id = None if item is None else door.store.items.resolve(item)
    if sys.platform.startswith("linux"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="rubric-annotator-") as preferences:
        # A picture shows the program as it comes, and leaves a person's own preferences alone.
        os.environ["ANNOTATOR_CONFIG_DIR"] = preferences
        width, height = _take(workspace, output, item_id, page, size or Size(1600, 1000), theme, lang)
    if size is not None and (width, height) != size:
        say.complain(f"The window is {width} x {height}: it cannot be made {size[0]} x {size[1]}.")
    if json:
        say.as_json({"file": str(output), "page": page.value, "width": width, "height": height})
    else:
        say.line(f"Wrote {output} ({width} x {height}).")


def _page_of(item_id: str | None, page: Page) -> Page:
    """The page that shows an item: its own one, where none is named."""
    kind = (item_id or "").partition(":")[0]
    return _KINDS.get(kind, page) if page is Page.REVIEW else page


def _take(
    folder: Path, output: Path, item_id: str | None, page: Page, size: Size, theme: Theme, lang: Language
) -> tuple[int, int]:
    from annotator import settings
    from annotator.app import make_application
    from annotator.ui.lanes import Lanes
    from annotator.ui.shot import row_of, save_picture, settle, show_statistics
    from annotator.ui.window import MainWindow
    from annotator.workspace.onshow import OnShow

    settings.save(settings.Settings(theme=theme.value, language=lang.value, recent=(str(folder.resolve()),)))
    app = make_application(["annotator"])
    window = MainWindow(Lanes())
    try:
        window.resize(*size)
        window.show()
        if page is not Page.WELCOME:
            window.desk.adopt(OnShow.open(folder, read_only=True))
            settle(window)
            page = _page_of(item_id, page)
            if item_id is not None and page is Page.REVIEW:
                window.desk.open_row(*row_of(window, item_id))
            if page in _SECTIONS:
                show_statistics(window, _SECTIONS[page])
            elif page is not Page.REVIEW:
                window.show_page(page.value)
            if item_id is not None and page in _ENTRIES:
                getattr(window, _ENTRIES[page]).desk.open(item_id)
        settle(window)
        if page is not Page.WELCOME and window.stack.currentWidget() is window.welcome:
            raise WorldError(f"The window did not open {folder}: no picture was made.")
        return save_picture(window, output)
    finally:
        window.close()
        app.quit()
