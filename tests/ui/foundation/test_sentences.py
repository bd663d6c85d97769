"""Sentences of the core in the window's language: the list is about sentences that the core says, and fills them in."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from annotator.domain.report import ImportReport, Problem, ReportLine
from annotator.ui import i18n
from annotator.ui.import_lines import LinesCard
from annotator.ui.problemspage import ProblemCard
from annotator.ui.sentences import words

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("importers", "store", "sync", "hub", "workspace", "domain", "media", "cli")
LIST = tomllib.loads((ROOT / "resources" / "sentences" / "zh_CN.toml").read_text(encoding="utf-8"))


@pytest.fixture
def chinese() -> Iterator[None]:
    i18n.set_language("zh_CN")
    yield
    i18n.set_language("en")


def _spoken() -> str:
    """All texts of the core, each on a line of its own; what stands in a field is left out."""
    files = [f for room in ROOMS for f in (ROOT / "annotator" / room).glob("*.py")]
    found = []
    for file in [*files, ROOT / "annotator" / "errors.py"]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found)


def test_every_sentence_of_the_list_is_one_that_the_core_says() -> None:
    spoken = _spoken()
    stale = []
    for english in LIST["sentences"]:
        for piece in english.split("{}"):
            # A sentence may itself be put together from such parts.
            parts = [part.strip(" .:;,(){}") for part in re.split(r"; |: |, and | and | at |, or | \(", piece)]
            if piece.strip(" .:;,(){}") not in spoken and not all(part in spoken for part in parts):
                stale.append(f"{english!r}: {piece!r}")
    assert stale == []


def test_fields_are_all_carried_over_unless_the_order_is_named() -> None:
    wrong = []
    for english, told in LIST["sentences"].items():
        fields = english.count("{}")
        named = {int(n) for n in re.findall(r"\{(\d)\}", told)}
        if (named and max(named) >= fields) or (not named and told.count("{}") not in (0, fields)):
            wrong.append(english)
        if re.search("[a-z]", english) and not re.search("[\u4e00-\u9fff]", told):
            wrong.append(english)
    assert wrong == []


@pytest.mark.parametrize(
    ("english", "told"),
    [
        ("expected an object, found a list; kept", "应为对象，实为列表，已保留"),
        ('"a.json" ends in the middle of a record (line 7): nothing was imported from it; export it again.',
         "“a.json”在记录中间截断（第 7 行），未导入任何内容，请重新导出。"),
        ("event e-1: its content is not what its digest says: it was altered on the way",
         "事件 e-1：内容与摘要不符，途中被改动"),
        ("the record type \"x\" is not known", "the record type \"x\" is not known"),
        ("a brand new sentence", "a brand new sentence"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_sentence_is_shown_in_chinese_where_it_is_known(chinese: None, english: str, told: str) -> None:
    assert words(english) == told


def test_english_is_left_alone() -> None:
    assert words("expected an object, found a list; kept") == "expected an object, found a list; kept"


def test_reasons_follow_the_language_live(qtbot: QtBot) -> None:
    report = ImportReport(lines=[ReportLine(code="blank_question", file="a", reason="the question is blank")])
    card = LinesCard()
    problem = ProblemCard(
        Problem(
            id="p", code="dup_conflict", file="a", reason='the id "x" resembles "y"; both are kept', choices=("drop",)
        )
    )
    for widget in (card, problem):
        qtbot.addWidget(widget)
    card.show_report(report)
    assert card.tree.topLevelItem(0).text(6) == "the question is blank"
    i18n.set_language("zh_CN")
    try:
        assert card.tree.topLevelItem(0).text(6) == "问题为空白"
        assert problem.reason.text() == "编号“x”与“y”相似，两者都保留"
    finally:
        i18n.set_language("en")
    assert problem.reason.text().startswith("the id")
