from __future__ import annotations

import ast
import re
import string
import tomllib
from collections.abc import Iterator
from functools import cache

import pytest
from pytestqt.qtbot import QtBot

from annotator import resources
from annotator.ui import i18n

UI = resources.root().parent / "annotator"
TEXTS = resources.root() / "i18n"
HAN = re.compile(r"[\u4e00-\u9fff]")


@cache
def keys() -> dict[str, dict[str, str]]:
    files = sorted(TEXTS.glob("*.toml"))
    return {f"{file.stem}.{name}": entry for file in files for name, entry in i18n.table(file.stem).items()}


@cache
def named() -> tuple[frozenset[str], frozenset[str]]:
    """Every key the code names whole, and the literal heads of keys made from data: ``f"keys.{id}"`` has ``keys.``."""
    files = {file.stem for file in TEXTS.glob("*.toml")}
    whole, heads = set(), set()
    for path in UI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.split(".")[0] in files:
                whole.add(node.value)
            if isinstance(node, ast.JoinedStr) and node.values and isinstance(node.values[0], ast.Constant):
                head = str(node.values[0].value)
                if head.split(".")[0] in files and "." in head:
                    heads.add(head)
    return frozenset(whole), frozenset(heads)


def literal_calls() -> Iterator[tuple[str, ast.Call, str]]:
    for path in UI.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = {"tr": 0, "tr_in": 1}.get(name)
            if place is None or len(node.args) <= place:
                continue
            key = node.args[place]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield f"{path.name}:{node.lineno}", node, key.value


def fields(text: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def test_every_text_has_both_languages_and_the_same_fields() -> None:
    assert keys()
    for key, entry in keys().items():
        assert set(entry) == {"en", "zh_CN"}, key
        assert entry["en"].strip() and entry["zh_CN"].strip(), key
        assert fields(entry["en"]) == fields(entry["zh_CN"]), key


def test_english_has_no_chinese() -> None:
    offenders = [key for key, entry in keys().items() if HAN.search(entry["en"]) and "language" not in key]
    assert offenders == []


def test_every_key_the_code_asks_for_exists_with_its_values() -> None:
    missing, wrong = [], []
    for place, call, key in literal_calls():
        entry = keys().get(key)
        if entry is None:
            missing.append(f"{place} {key}")
            continue
        if any(word.arg is None for word in call.keywords):
            continue
        given = {word.arg for word in call.keywords}
        if not fields(entry["en"]) <= given:
            wrong.append(f"{place} {key}: {sorted(fields(entry['en']) - given)}")
    assert missing == []
    assert wrong == []


def test_no_key_is_unused() -> None:
    whole, heads = named()
    unused = [key for key in keys() if key not in whole and not any(key.startswith(head) for head in heads)]
    assert unused == []


def test_no_file_repeats_a_key_or_nests_by_accident() -> None:
    for file in TEXTS.glob("*.toml"):
        with file.open("rb") as handle:
            tomllib.load(handle)


def test_a_switch_is_live_and_told_once(qtbot: QtBot) -> None:
    assert i18n.tr("common.saved") == "Saved"
    with qtbot.waitSignal(i18n.bus().changed):
        i18n.set_language("zh_CN")
    assert i18n.tr("common.saved") == "已保存"
    assert i18n.other_language() == "en"
    with qtbot.assertNotEmitted(i18n.bus().changed):
        i18n.set_language("zh_CN")


def test_values_fill_the_fields() -> None:
    assert i18n.tr("common.not_saved", n=3) == "Not saved, 3 waiting"
    assert i18n.tr_in("zh_CN", "common.not_saved", n=3) == "未保存，3 条待写入"


def test_an_unknown_key_shows_itself(caplog: pytest.LogCaptureFixture) -> None:
    assert i18n.tr("common.no_such_key") == "common.no_such_key"
    assert i18n.tr("no_such_file.key") == "no_such_file.key"
    assert "common.no_such_key" in caplog.text


def test_bilingual_data_falls_back_to_the_other_language() -> None:
    assert i18n.text({"en": "Accuracy", "zh_CN": "准确性"}) == "Accuracy"
    i18n.set_language("zh_CN")
    assert i18n.text({"en": "Accuracy", "zh_CN": "准确性"}) == "准确性"
    assert i18n.text({"en": "Accuracy"}) == "Accuracy"
    assert i18n.text({}) == ""


def test_an_unknown_language_is_an_error() -> None:
    with pytest.raises(ValueError, match="no such language"):
        i18n.set_language("fr")  # type: ignore[arg-type]


def test_counts_are_grouped() -> None:
    assert i18n.count(5859) == "5,859"
