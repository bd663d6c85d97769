"""The floor without its general helpers: our plain TOML lines, and the folders of a Linux desktop."""

import sys
import tomllib
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator import resources, settings

FILES = sorted(resources.root().rglob("*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_resource_reads_the_same_by_both_readers(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert resources.read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name in ("i18n", "theme")], ids=lambda file: file.name)
def test_what_the_first_window_reads_is_plain(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "_read_any_toml", None)
    assert resources.read_toml(file.read_text(encoding="utf-8"))


def outcome(read: object, text: str) -> object:
    try:
        return read(text)  # type: ignore[operator]
    except ValueError:
        return "no TOML"


LINES = st.sampled_from(
    [
        "[a]",
        "[a.b]",
        "[a-1.b_2]",
        "[]",
        "[a.]",
        '["a"]',
        "[ a ]",
        "[[a]]",
        "x = 1",
        "x = 01",
        "x = 0",
        "x = -1",
        "x = 1_0",
        'x = "text"',
        'x = "say \\"so\\""',
        'x = "a" b"',
        'x = ["a", "b"]',
        'x = ["a","b"]',
        'x = ["a", "b",]',
        "x = []",
        'x = ["a, b"]',
        "x = 'a'",
        "x=1",
        "y = true",
        "# note",
        "  # note",
        "#\x01",
        "",
        " ",
        "x",
        "a.b = 1",
        '"x" = 1',
        "é = 1",
        "[a.b.c]",
        "b = 1",
        "c = { d = 1 }",
        "x = ١",
        'x = "\u3000"',
        'x = "\x7f"',
        "x = 1\r",
        "y = 1979-05-27",
        'x = ""',
        'x = "',
        'x = [""]',
        'x = ["", ""]',
        'x = ["a", 1]',
        'x = ["a" "b"]',
        'x = "a" # note',
        '"" = 1',
        " = 1",
        "_ = 1",
        "- = 1",
    ]
)


@given(st.lists(LINES, max_size=6))
def test_no_text_is_read_otherwise_than_by_the_general_reader(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert outcome(resources.read_toml, text) == outcome(tomllib.loads, text)


@pytest.mark.parametrize("base", ["", "/somewhere/else"])
def test_folders_are_where_platformdirs_says(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANNOTATOR_CONFIG_DIR", "ANNOTATOR_STATE_DIR", "ANNOTATOR_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, base)
    assert settings.config_dir() == Path(platformdirs.user_config_dir(settings.APP, appauthor=False))
    assert settings.cache_dir() == Path(platformdirs.user_cache_dir(settings.APP, appauthor=False))
    assert settings.log_dir() == Path(platformdirs.user_log_dir(settings.APP, appauthor=False))
    assert sys.platform.startswith("linux") == settings.ON_LINUX
