"""The import page: progress, the report by code, what needs a person, and the problems page behind it."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.domain.report import Assets, ImportReport, Problem, ReportLine
from annotator.ui import i18n
from annotator.ui.import_counts import counted
from annotator.ui.import_lines import level_of, meaning
from annotator.ui.importpage import ImportPage
from annotator.ui.problemspage import SHOWN, ProblemsPage


def time_text(number: int) -> ReportLine:
    return ReportLine(code="time_text", file="a.json", record=number, field="timestamp", reason=f"r{number}")


def report(lines: int = 3, **changes: object) -> ImportReport:
    made = ImportReport(
        kind="rubric-mme", dialogues=734, turns=5859, records=734, new=734, source_hash="27c291d5306f00",
        assets=Assets(ok=6580, missing=12),
        totals={"dialogues": {"found": 734, "published": 734}, "turns": {"found": 5858, "published": 5859}},
        lines=[
            *(time_text(n) for n in range(lines)),
            ReportLine(code="path_missing", file="b.json", line=7, field="clip_path", reason="<i>gone</i>"),
            ReportLine(code="unanswered", file="a.json", offset=99, reason="tail"),
        ],
        notes=["README.md was not read."],
    )  # fmt: skip
    return made.model_copy(update=changes)


@pytest.fixture
def page(qtbot: QtBot) -> ImportPage:
    i18n.set_language("en")
    made = ImportPage()
    qtbot.addWidget(made)
    made.resize(1314, 716)
    made.show()
    return made


def test_progress_is_told_and_can_be_stopped(page: ImportPage, qtbot: QtBot) -> None:
    page.show_running(["video.json"])
    page.show_progress(50_000_000, 200_000_000)
    assert page.running.bar.value() == 250
    assert page.running.detail.text().startswith("25 %")
    with qtbot.waitSignal(page.cancel_wanted):
        page.running.cancel.click()


def test_a_report_groups_lines_most_pressing_first(page: ImportPage) -> None:
    page.show_reports([report()])
    tree = page.lines.tree
    codes = [tree.topLevelItem(i).text(0) for i in range(tree.topLevelItemCount())]
    assert codes == ["path_missing", "time_text", "unanswered"]
    group = tree.topLevelItem(1)
    assert group.text(1) == "3"
    group.setExpanded(True)
    assert [group.child(i).text(6) for i in range(3)] == ["r0", "r1", "r2"]
    assert "<i>" not in tree.topLevelItem(0).toolTip(6)


def test_a_long_group_opens_piece_by_piece(page: ImportPage) -> None:
    page.show_reports([report(lines=450)])
    tree = page.lines.tree
    group = tree.topLevelItem(1)
    group.setExpanded(True)
    assert group.childCount() == 201
    tree.itemActivated.emit(group.child(200), 0)
    assert group.childCount() == 401


def test_lines_are_filtered_and_copied(page: ImportPage, qtbot: QtBot) -> None:
    page.show_reports([report()])
    page.lines.levels.part("act").click()
    tree = page.lines.tree
    assert tree.topLevelItemCount() == 1
    tree.topLevelItem(0).setSelected(True)
    qtbot.keyClick(tree, "c", Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().startswith("path_missing\t1\t")
    page.lines.levels.part("all").click()
    page.lines.search.set_text("R2")
    page.lines._refill()
    assert [tree.topLevelItem(i).text(0) for i in range(tree.topLevelItemCount())] == ["time_text"]


def test_missing_media_offer_their_folder_and_return_starts(page: ImportPage, qtbot: QtBot) -> None:
    page.show_reports([report()])
    assert page.buttons["media"].isVisible()
    with qtbot.waitSignal(page.start_wanted):
        qtbot.keyClick(page, Qt.Key.Key_Return)
    with qtbot.waitSignal(page.save_wanted) as told:
        page.buttons["save"].click()
    assert json.loads(told.args[0])["dialogues"] == 734


def test_a_refused_source_says_that_nothing_changed(page: ImportPage) -> None:
    page.show_reports([report(refused=True)])
    assert "nothing was changed" in page.head.title.text()
    assert not page.buttons["start"].isVisible()
    page.show_failed("The file x.json is empty: choose another one.")
    assert "x.json" in page.idle.accessibleName() + page.idle.accessibleDescription() + page._sentence


def test_every_code_has_words_and_a_level() -> None:
    for code in i18n.table("codes"):
        assert level_of(code) in ("act", "look", "tell")
        for language in ("en", "zh_CN"):
            i18n.set_language(language)  # type: ignore[arg-type]
            assert meaning(code) != code
    i18n.set_language("en")


def test_labels_and_judgements_count_what_they_have() -> None:
    names = [name for name, _ in counted(report(kind="judge"))]
    assert {"accepted", "rejected", "waiting"} <= set(names)
    assert len(names) == 10


@pytest.fixture
def problems(qtbot: QtBot) -> ProblemsPage:
    i18n.set_language("en")
    made = ProblemsPage()
    qtbot.addWidget(made)
    made.resize(1314, 716)
    made.show()
    return made


def problem(number: int) -> Problem:
    return Problem(
        id=f"p{number}", code="dup_conflict", item="dialogue:1", file="a.json", line=3, reason="<b>same id</b>",
        choices=("keep-first", "keep-second"), detail={"first": "one", "second": {"turns": 2}},
    )  # fmt: skip


def test_problems_show_both_contents_and_are_decided_by_keys(problems: ProblemsPage, qtbot: QtBot) -> None:
    problems.show_problems([problem(1), problem(2)])
    card = problems.cards[0]
    assert card.reason.text() == "<b>same id</b>"
    with qtbot.waitSignal(problems.decided) as told:
        qtbot.keyClick(card.buttons["keep-first"], "2")
    assert told.args == ["p1", "keep-second"]


def test_no_problem_is_a_good_state(problems: ProblemsPage) -> None:
    problems.show_problems([problem(1)])
    assert not problems.empty.isVisible()
    problems.show_problems([])
    assert problems.empty.isVisible()
    assert not problems.area.isVisible()


def test_many_problems_are_counted_not_all_built(problems: ProblemsPage) -> None:
    problems.show_problems([problem(n) for n in range(SHOWN + 5)])
    assert len(problems.cards) == SHOWN
    assert "5" in problems.more.text()
