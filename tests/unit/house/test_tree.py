"""Sizes and words: no file or function outgrows one sitting, nothing unfinished is shipped, nothing names a machine."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "annotator").rglob("*.py"))
FILE_LINES = 400
FUNCTION_LINES = 60
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|NotImplementedError|placeholder text)\b|pass\s+# *stub")
HOME_FOLDER = re.compile(r"(?<![\w.])/(root|home/\w+|Users/\w+|work)/\w")


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def texts() -> Iterator[tuple[str, str]]:
    """Every text file of the project, found without git, which a machine that only runs the tests may lack."""
    folders = ("annotator", "resources", "tests", "docs", "packaging", ".ci")
    files = [*ROOT.iterdir(), *(file for top in folders for file in (ROOT / top).rglob("*"))]
    for file in files:
        if file.is_file() and file.suffix in {"", ".py", ".md", ".toml", ".json", ".jsonl", ".lock", ".txt", ".svg"}:
            try:
                yield name(file), file.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # a case that is broken on purpose


def test_there_is_a_package_to_look_at() -> None:
    assert len(SOURCES) > 5


def test_no_file_is_longer_than_one_sitting() -> None:
    long = {name(file): count for file in SOURCES if (count := len(file.read_text("utf-8").splitlines())) > FILE_LINES}
    assert not long, f"over {FILE_LINES} lines; what are their two rooms? {long}"


def test_no_function_is_longer_than_one_screen() -> None:
    long = {}
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
                lines = node.end_lineno - node.lineno + 1
                if lines > FUNCTION_LINES:
                    long[f"{name(file)}:{node.lineno} {node.name}"] = lines
    assert not long, f"over {FUNCTION_LINES} lines; cut them: {long}"


def test_nothing_unfinished_is_shipped() -> None:
    found = [
        f"{name(file)}:{number}: {line.strip()}"
        for file in SOURCES
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if UNFINISHED.search(line)
    ]
    assert not found


@pytest.mark.parametrize(
    ("forbidden", "why"),
    [
        (r"processEvents\(", "events are not pumped by hand; use a lane and a signal"),
        (r"\.connect\(\s*lambda", "connect bound methods of long-lived objects"),
    ],
)
def test_habits_that_cost_others_dearly_are_not_ours(forbidden: str, why: str) -> None:
    pattern = re.compile(forbidden)
    found = [name(file) for file in SOURCES if pattern.search(file.read_text("utf-8"))]
    assert not found, why


def test_nothing_names_a_folder_of_somebodys_machine() -> None:
    found = [f"{file}: {hit.group(0)}" for file, text in texts() for hit in [HOME_FOLDER.search(text)] if hit]
    assert not found


def test_fonts_and_icons_come_with_their_licences() -> None:
    fonts = ROOT / "resources" / "fonts"
    for font in fonts.glob("*.ttf"):
        licence = fonts / f"{font.stem.partition('-')[0]}-LICENSE.txt"
        assert "SIL OPEN FONT LICENSE" in licence.read_text("utf-8"), font.name
    assert "ISC License" in (ROOT / "resources" / "icons" / "LICENSE").read_text("utf-8")


def test_a_text_of_an_icon_can_be_coloured() -> None:
    for icon in (ROOT / "resources" / "icons").glob("*.svg"):
        assert 'stroke="currentColor"' in icon.read_text("utf-8"), icon.name


def test_the_map_shows_every_room() -> None:
    """ARCHITECTURE.md is kept in step: each package under annotator/ has its line in the table of rooms."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = {file.parent.name for file in SOURCES if file.parent.parent == ROOT / "annotator"}
    assert not {room for room in rooms if f"| `{room}/` |" not in text}
