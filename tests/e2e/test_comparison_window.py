"""Comparisons in the real window on a real workspace: blind, by keys, ranked with ties, durable, undone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)

from annotator.domain.comparisons import Comparison
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.errors import WorldError
from annotator.ui import i18n
from annotator.ui.comparison.making import MakeDialog, OrderDialog
from annotator.ui.comparison.page import ComparisonPage
from annotator.workspace.comparisons import Comparisons
from annotator.workspace.comparisons_repeats import make_repeats
from annotator.workspace.comparisons_review import ComparisonReviews
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver, spin
from tests.ui.choice.walk import objects, texts
from tests.ui.comparison import sample

OnPage = Callable[..., tuple[Driver, ComparisonPage]]
LONG, SHORT, MCQ, SAFETY, VIDEO, PAIR = range(6)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of comparisons; copy it before writing to it."""
    return sample.workspace(tmp_path_factory.mktemp("comparisons"))


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A workspace of this test's own."""
    own = tmp_path / "workspace"
    shutil.copytree(made, own)
    return own


@pytest.fixture
def on_page(drive: Callable[..., Driver]) -> OnPage:
    """Opens a workspace on a comparison and waits until its media are shown."""

    def make(folder: Path, number: int = 0, size: tuple[int, int] = (1600, 1000)) -> tuple[Driver, ComparisonPage]:
        driver = drive(folder, size)
        driver.settle()
        driver.window.activateWindow()
        driver.wait(driver.window.isActiveWindow)
        driver.window.show_page("compare")
        page = driver.window.comparison.page
        assert isinstance(page, ComparisonPage)
        driver.wait(lambda: page.desk.queue is not None)
        driver.settle()
        show(driver, page, number)
        return driver, page

    return make


def show(driver: Driver, page: ComparisonPage, number: int) -> None:
    page.desk.open(page.desk.queue.rows[number].item_id)
    driver.settle()
    driver.wait(lambda: page.stage.picture is not None and not page.stage.loader.busy)


def sheet(page: ComparisonPage) -> Any:
    assert page.desk.view is not None
    return page.desk.view.sheet


def place(page: ComparisonPage, letter: str) -> int:
    """The place in source order of the response that is shown with a letter."""
    found: int = next(r.place for r in page.desk.view.responses if r.letter == letter)
    return found


def ranks(page: ComparisonPage, line: str) -> list[int]:
    """The ranking by place that a line of letters says."""
    count, ahead = len(page.desk.view.responses), 0
    found = [0] * count
    for tier in line.split(" > "):
        letters = tier.split(" = ")
        for letter in letters:
            found[place(page, letter)] = ahead + 1
        ahead += len(letters)
    return found


def button(window: QWidget, name: str) -> QAbstractButton:
    found = window.findChild(QAbstractButton, name)
    assert found is not None, name
    return found


# ------------------------------------------------------------------------------------------------- opening, blindness
def test_a_workspace_of_comparisons_opens_on_the_first_of_them(drive: Callable[..., Driver], folder: Path) -> None:
    driver = drive(folder)
    driver.settle()
    page = driver.window.stack.currentWidget()
    assert isinstance(page, ComparisonPage)
    assert driver.window.rail.buttons["compare"].isVisible()
    assert page.desk.view.row.source_id == "long_0001"
    assert page.foot.isVisible()
    for name in ("comparisonPanel", "rankingView", "mediaView", "queueView", "filterBar"):
        assert driver.window.findChild(QWidget, name) is not None, name
    for number in range(4):
        for scale in COMPARISON_SCALES:
            assert button(driver.window, f"score_{scale}_r{number}_5").isVisible()
            assert button(driver.window, f"score_{scale}_r{number}_cannot").accessibleName()
    assert page.ranking.view.accessibleName() and page.panel.accessibleName()


def test_nothing_of_what_the_source_says_is_in_the_window(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder)
    for number in range(6):
        show(driver, page, number)
        assert "SECRET" not in "\n".join(texts(driver.window))
        held = list(objects(page.desk.view, page.desk._views, page.desk.queue, page.panel, page.ranking))
        assert not any(isinstance(one, Comparison) for one in held)
        assert not any(isinstance(one, str) and "SECRET" in one for one in held)


def each_strip_belongs_to_the_response_above_it(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, LONG)
    order = page.desk.view.order
    assert sorted(order) == [0, 1, 2, 3]
    assert [c.place for c in page.panel.columns[:4]] == list(order)
    third = page.desk.view.responses[2]
    button(driver.window, f"score_helpfulness_r{third.place}_4").click()
    driver.settle()
    assert sheet(page).value(third.target, "helpfulness") == 4
    assert page.panel.columns[2].text.text() == third.text
    assert (page.panel.active, page.panel.row) == (2, 1)
    assert page.panel.columns[2].levels["helpfulness"].level.text() == "Helpful"


def a_covered_name_is_uncovered_by_an_event(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, LONG)
    shown = next(r for r in page.desk.view.responses if r.covered)
    assert "通义千问" not in "\n".join(texts(driver.window))
    driver.press("5")
    while page.panel.columns[page.panel.active].place != shown.place or page.panel.row:
        driver.key(Qt.Key.Key_Right if not page.panel.row else Qt.Key.Key_Up)
    driver.press("y")
    driver.wait(lambda: "通义千问" in page.panel.columns[page.panel.active].text.text())
    driver.press("3")
    workspace = driver.window.desk.workspace
    assert workspace is not None
    events = workspace.store.labels.events(item_id=page.desk.view.row.item_id, rater="lin")
    assert [(e.field, e.phase) for e in events] == [
        ("faithfulness", "blind"),
        ("peek", "blind"),
        ("faithfulness", "open"),
    ]
    driver.press("y")
    assert "No name is covered" in driver.message()


# ------------------------------------------------------------------------------------------------------ the main job
def test_twelve_scores_and_a_ranking_with_a_tie_take_few_keys_and_no_pointer(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder)
    item = page.desk.view.row.item_id
    order = page.desk.view.order
    wanted = ranks(page, "B > A = D > C")
    driver.presses = 0
    for digit in "235555124343":
        driver.key(digit)
    assert page.key_context == "comparison_ranking"
    for key in ("b", Qt.Key.Key_Left, "d", Qt.Key.Key_Left, "="):
        driver.key(key)
    driver.settle()
    assert page.ranking.line.text() == "B > A = D > C"
    assert sheet(page).gaps() == ()
    driver.control(Qt.Key.Key_Return)
    assert driver.presses <= 22
    assert page.desk.view.row.item_id != item
    driver.close()
    with Workspace.open(folder) as held:
        view = Comparisons(held).comparison(item)
        assert view.row.status == "complete"
        assert view.sheet.ranking == wanted
        digits = iter("235555124343")
        for where in order:
            assert [str(score) for score in view.sheet.scores(where)] == [next(digits) for _ in range(3)]
        events = list(held.store.labels.events(item_id=item, rater="lin"))
        assert {e.phase for e in events} == {"blind"}
        assert all(f'"shown":{list(order)}'.replace(" ", "") in e.extra.replace(" ", "") for e in events)
        assert {e.field for e in events} == {*COMPARISON_SCALES, "ranking", "viewing"}


def digits_walk_down_a_response(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SHORT)
    panel = page.panel
    driver.press("1")
    assert (panel.active, panel.row) == (0, 1)
    driver.press("0-")
    assert (panel.active, panel.row) == (1, 0)
    first = f"response:{panel.columns[0].place}"
    assert [sheet(page).value(first, s) for s in COMPARISON_SCALES] == [1, "cannot_judge", "cannot_judge"]
    driver.key(Qt.Key.Key_Right)
    driver.key(Qt.Key.Key_Down)
    assert (panel.active, panel.row) == (2, 1)
    driver.key(Qt.Key.Key_Left)
    driver.key(Qt.Key.Key_Up)
    driver.key(Qt.Key.Key_Up)
    assert (panel.active, panel.row) == (1, 0)
    driver.press("g")
    assert (panel.active, panel.row) == (1, 0)
    driver.key("R", Qt.KeyboardModifier.ShiftModifier)
    assert page.key_context == "comparison_ranking"
    driver.press("5")  # digits say nothing of the order
    assert sheet(page).ranking is None
    driver.press("\x1b")
    assert page.key_context == "comparison"


def test_a_reason_is_asked_for_where_the_project_says_so(on_page: OnPage, folder: Path) -> None:
    with Workspace.open(folder) as held:
        Comparisons(held).set_reasons(True)
    driver, page = on_page(folder, SHORT)
    for number in range(4):
        for digit in "444":
            driver.key(digit)
        edit = page.panel.columns[number].reason.edit
        assert edit.hasFocus()
        driver.press("ok\n")
        assert sheet(page).value(f"response:{page.panel.columns[number].place}", "note") == "ok"
    assert page.key_context == "comparison_ranking"
    driver.press("\n")  # right as it stands
    assert sheet(page).ranking == ranks(page, "A > B > C > D")
    driver.control(Qt.Key.Key_Return)
    assert page.ranking.reason.hasFocus()
    driver.press("plain\n")
    item = page.desk.view.row.item_id
    driver.control(Qt.Key.Key_Return)
    assert page.desk.view.row.item_id != item
    row = next(r for r in page.desk.queue.rows if r.item_id == item)
    assert row.finished


# ----------------------------------------------------------------------------------------------------------- ranking
def a_response_is_dragged(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, LONG)
    view = page.ranking.view

    def drag(letter: str, to: QPointF) -> None:
        card = next(c for tier in view.laid() for c in tier.cards if c.place == place(page, letter))
        QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=card.box.center().toPoint())
        for share in (0.3, 0.7, 1.0):
            at = card.box.center() + (to - card.box.center()) * share
            QTest.mouseMove(view, at.toPoint())
        QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=to.toPoint())
        driver.settle()

    drag("D", QPointF(2, view.height() / 2))
    assert page.ranking.line.text() == "D > A > B > C"
    drag("C", view.laid()[1].box.center())
    assert page.ranking.line.text() == "D > A = C > B"
    drag("A", QPointF(view.laid()[-1].box.right() + 8, view.height() / 2))
    assert page.ranking.line.text() == "D > C > B > A"
    assert sheet(page).ranking == ranks(page, "D > C > B > A")
    assert page.key_context == "comparison_ranking"


def two_are_ranked_by_one_digit(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, PAIR)
    assert page.ranking.mode.current() == "pairs"
    page.way.to_ranking()
    driver.press("2")
    assert sheet(page).ranking == ranks(page, "B > A")
    driver.press("1")
    assert sheet(page).ranking == ranks(page, "A > B")
    driver.press("0")
    assert sheet(page).ranking == [1, 1]
    assert button(driver.window, "pair_tie").isChecked()


def five_are_ranked_pair_by_pair(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, VIDEO)
    page.way.to_ranking()
    driver.key("P", Qt.KeyboardModifier.ShiftModifier)
    assert page.ranking.mode.current() == "pairs"
    worth = {"A": 3, "B": 1, "C": 3, "D": 5, "E": 2}
    letter = {r.place: r.letter for r in page.desk.view.responses}
    asked = 0
    driver.press("1")
    driver.key(Qt.Key.Key_Backspace)
    while page.ranking.pair:
        assert sheet(page).ranking is None
        left, right = (worth[letter[p]] for p in page.ranking.pair)
        marks = [c.head.mark.isVisible() for c in page.panel.columns[:5]]
        assert sum(marks) == 2
        driver.press("1" if left > right else "2" if right > left else "0")
        asked += 1
    assert asked <= 8
    assert sheet(page).ranking == ranks(page, "D > A = C > E > B")
    assert page.ranking.line.text() == "D > A = C > E > B"


def a_full_tie_asks_for_an_example(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SAFETY)
    page.way.to_ranking()
    driver.press("+")
    assert sheet(page).ranking == [1, 1, 1]
    assert sheet(page).value("item", "flag:all_good") is True
    assert page.ranking.example.isVisible()
    assert page.ranking.example.kind.current() == "negative"
    driver.press("-")
    assert sheet(page).value("item", "flag:all_good") is None
    assert sheet(page).value("item", "flag:all_bad") is True
    assert page.ranking.example.kind.current() == "positive"
    assert [gap.field for gap in sheet(page).gaps()][-1] == "constructed"
    page.ranking.example.take_keyboard()
    driver.press("B")
    driver.press("\x1b")
    assert sheet(page).value("item", "constructed") == {"kind": "positive", "text": "B"}
    assert page.key_context == "comparison_ranking"
    driver.press("c")
    driver.key(Qt.Key.Key_Left)
    driver.settle()
    assert sheet(page).ranking == ranks(page, "C > A = B")
    assert sheet(page).value("item", "flag:all_bad") is None
    assert not page.ranking.example.isVisible()


def a_contradiction_is_told_after_the_ranking(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, MCQ)
    driver.press("111555222")
    assert driver.message() == ""
    driver.press("c")
    driver.key(Qt.Key.Key_Left)
    driver.settle()
    assert sheet(page).ranking == ranks(page, "A > C > B")
    assert "2 more pairs" in driver.message()
    driver.press("b")
    driver.key(Qt.Key.Key_Left)
    driver.key(Qt.Key.Key_Left)
    driver.settle()
    assert "You ranked A above C, but C has the higher scores (by 3)" in driver.message()
    item = page.desk.view.row.item_id
    driver.control(Qt.Key.Key_Return)
    assert page.desk.view.row.item_id != item
    assert "You ranked" not in driver.message()
    page.desk.open(item)
    driver.settle()
    assert "You ranked" not in driver.message()


# -------------------------------------------------------------------------------------------------- what can be flagged
def a_safety_set_opens_blurred_and_takes_flags(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SAFETY)
    assert page.stage.picture is not None and page.stage.picture.blurred
    assert page.stage.tools.show_blurred.isVisible()
    assert "blurred" in driver.message()
    driver.press("h")
    driver.wait(lambda: page.stage.picture is not None and not page.stage.picture.blurred)
    assert "blurred" not in driver.message()
    target = f"response:{page.panel.columns[0].place}"
    driver.control("1")
    driver.control("5")
    assert sheet(page).value(target, "flag:refused") is True
    assert sheet(page).value(target, "flag:risk_named") is True
    driver.control("1")
    assert sheet(page).value(target, "flag:refused") is None
    show(driver, page, LONG)
    assert not page.stage.picture.blurred
    driver.control("2")
    assert not any(name.startswith("flag:") for _, name in sheet(page).cells)
    show(driver, page, SAFETY)
    assert not page.stage.picture.blurred  # seen once, until the window closes


def item_flags_and_an_own_answer_are_said(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SHORT)
    for name in ("confusing", "incomplete", "choices_do_not_fit", "not_answerable"):
        button(driver.window, f"flag_{name}").click()
        driver.settle()
        assert sheet(page).value("item", f"flag:{name}") is True
    button(driver.window, "flag_confusing").click()
    driver.settle()
    assert sheet(page).value("item", "flag:confusing") is None
    button(driver.window, "ownAnswer").click()
    assert page.aside.answer.hasFocus()
    driver.press("a cube")
    driver.press("\x1b")
    assert sheet(page).value("item", "edit:reference") == "a cube"
    assert page.panel.hasFocus()


# ------------------------------------------------------------------------------------------------------------- media
def frames_are_stepped_exactly_and_played_at_a_rate(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, VIDEO)
    session, playback = page.stage.session, page.stage.motion.playback
    assert session.index == 0
    assert page.stage.bar.place.text() == "Frame 1 / 8"
    for wanted in (1, 2, 3):
        driver.press(".")
        driver.wait(lambda: session.index == wanted)  # noqa: B023 - asked before the next round
    driver.press(",")
    driver.wait(lambda: session.index == 2)
    driver.key(Qt.Key.Key_End)
    driver.wait(lambda: session.index == 7)
    driver.key(Qt.Key.Key_Home)
    driver.wait(lambda: session.index == 0)
    page.stage.bar.rate_chosen.emit(Fraction(8))
    assert playback.rate == 8 and playback.sound is None
    now = [0.0]
    playback._clock = lambda: now[0]
    playback.toggle()
    now[0] = 0.3  # at 8 frames a second the third frame is due
    driver.wait(lambda: session.index == 2)
    now[0] = 0.52
    driver.wait(lambda: session.index == 4)
    playback.stop()
    show(driver, page, LONG)
    assert playback.rate == 1 and playback.sound is not None


def scales_are_explained_in_both_languages(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, VIDEO)
    driver.press("l")
    text = page.aside.text.text()
    assert "Severely inaccurate" in text and "严重不准确" in text and "Objects:" in text and "物体：" in text
    driver.key(Qt.Key.Key_Down)
    assert "Misses the prompt." in page.aside.text.text()
    driver.press("\x1b")
    assert "Which way" in page.aside.text.text()
    assert page.key_context == "comparison"
    i18n.set_language("zh_CN")
    driver.press("l")
    assert page.aside.text.text().startswith("有用 · Helpfulness")


def differences_are_marked_and_go_again(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SHORT)
    driver.press("d")
    driver.wait(lambda: bool(page.panel.columns[0].text.spans() or page.panel.columns[1].text.spans()))
    assert page.itembar.mode.current() == "differences"
    assert page.panel.columns[2].text.spans() == ()
    driver.press("d")
    driver.wait(lambda: bool(page.panel.columns[2].text.spans()) and not page.panel.columns[1].text.spans())
    driver.press("dd")
    driver.settle()
    assert all(c.text.spans() == () for c in page.panel.columns)
    assert page.itembar.mode.current() == "side"


def responses_scroll_together_unless_told_otherwise(driver: Driver, page: ComparisonPage) -> None:
    bars = [c.text.verticalScrollBar() for c in page.panel.columns[:4]]
    scrollable = [bar for bar in bars if bar.maximum() > 0]
    assert len(scrollable) >= 2
    scrollable[0].setValue(scrollable[0].maximum())
    assert all(bar.value() == bar.maximum() for bar in scrollable)
    driver.press("j")
    scrollable[0].setValue(0)
    assert scrollable[1].value() == scrollable[1].maximum()


def test_four_long_answers_and_an_image_stay_readable_on_a_small_screen(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder, LONG, (1366, 768))
    four_are_readable(driver, page)
    i18n.set_language("zh_CN")
    driver.settle()
    four_are_readable(driver, page)
    responses_scroll_together_unless_told_otherwise(driver, page)


def four_are_readable(driver: Driver, page: ComparisonPage) -> None:
    assert driver.window.size().width() == 1366
    columns = page.panel.columns[:4]
    widths = [c.text.viewport().width() for c in columns]
    assert min(widths) >= 240 and max(widths) - min(widths) <= 14
    for column in columns:
        lines = column.text.viewport().height() // 21
        assert lines >= 14
        for cell in column.levels.values():
            assert cell.isVisible() and cell.strip.geometry().right() <= cell.width()
    assert page.stage.stage.height() >= 120 and page.stage.stage.width() >= 240
    for widget in (page.foot.next, page.ranking.good, page.ranking.bad, page.ranking.reason, page.aside.own):
        corner = widget.mapTo(driver.window, QPoint(widget.width(), widget.height()))
        assert widget.isVisible() and corner.x() <= 1366 and corner.y() <= 768


# --------------------------------------------------------------------------------------------------- queue and undo
def test_undo_takes_ranking_and_scores_back_and_redo_says_them_again(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder, PAIR)
    driver.press("123454")
    driver.press("1")
    assert sheet(page).ranking == ranks(page, "A > B")
    show(driver, page, LONG)
    driver.control(Qt.Key.Key_Z)
    assert page.desk.view.row.source_id == "short_0006"
    assert sheet(page).ranking is None
    assert page.key_context == "comparison_ranking"
    driver.control(Qt.Key.Key_Z)
    assert sheet(page).scores(page.panel.columns[1].place)[2] is None
    assert (page.panel.active, page.panel.row) == (1, 2)
    assert page.key_context == "comparison"
    driver.control(Qt.Key.Key_Z, shift=True)
    driver.control(Qt.Key.Key_Z, shift=True)
    assert sheet(page).ranking == ranks(page, "A > B")


def test_hidden_repeats_come_in_swapped_order_and_look_like_any_other(on_page: OnPage, folder: Path) -> None:
    with Workspace.open(folder) as held:
        repeats = make_repeats(held.store, 1.0, seed=5)
    driver, page = on_page(folder)
    rows = page.desk.queue.rows
    assert len(rows) == 12
    for again in repeats:
        number = next(n for n, row in enumerate(rows) if row.item_id == again)
        twin = next(row for row in rows if row.title == rows[number].title and row.item_id != again)
        assert (twin.source_id, twin.form, twin.subset, twin.responses) == (
            rows[number].source_id, rows[number].form, rows[number].subset, rows[number].responses,
        )  # fmt: skip
        show(driver, page, number)
        swapped = [r.text for r in page.desk.view.responses]
        shown = "\n".join(texts(driver.window)).casefold()
        assert "#again" not in shown and "repeat of" not in shown
        page.desk.open(twin.item_id)
        driver.settle()
        assert [r.text for r in page.desk.view.responses] == swapped[::-1]


def the_queue_is_filtered_and_walked(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, LONG)
    driver.press("n")
    assert page.desk.view.row.source_id == "short_0002"
    driver.press("pp")
    assert "first comparison" in driver.message()
    driver.key(Qt.Key.Key_F7)
    assert page.queue.isVisible()
    page.queue.filters.change(page.queue.filters.toggled("subset", "short", True))
    driver.settle()
    assert [row.source_id for row in page.desk.queue.rows] == ["short_0002", "short_0006"]
    assert page.desk.queue.facets["subset"]["short"] == 2
    page.queue.filters.clear()
    driver.settle()
    assert len(page.desk.queue.rows) == 6


def test_what_a_reviewer_sends_back_is_unfinished_again(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder, PAIR)
    driver.press("123454")
    driver.press("1")
    item = page.desk.view.row.item_id
    assert page.desk.view.row.status == "complete"
    driver.close()
    with Workspace.open(folder, rater="wu") as held:
        ComparisonReviews(held, Comparisons(held)).review(item, "lin", "returned", "look at the lid")
    driver, page = on_page(folder, PAIR)
    assert page.desk.view.row.status == "returned"
    assert page.itembar.returned.isVisible()
    driver.press("2")
    driver.settle()
    assert page.desk.view.row.status == "complete"


# ------------------------------------------------------------------------------------------------ from the benchmark
def test_responders_of_dialogues_are_compared_behind_the_same_gate(
    drive: Callable[..., Driver], workspace: Path
) -> None:
    driver = drive(workspace)
    driver.settle()
    window = driver.window
    assert window.rail.buttons["compare"].isVisible()
    window.show_page("compare")
    driver.settle()
    page = window.comparison.page
    assert page.panels.is_empty()
    page.empty.activated.emit()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, MakeDialog)
    driver.wait(lambda: bool(dialog.boxes))
    assert not dialog.go.isEnabled()
    shown = "\n".join(box.accessibleName() for box in dialog.boxes.values())
    assert "Tideglass" not in shown and "Northlight" not in shown
    for name, box in dialog.boxes.items():
        if name.endswith("video_stream_tts"):
            box.click()
    assert "2" in dialog.state.text()
    dialog.size_.setValue(6)
    dialog.seed.setValue(4)
    dialog.go.click()
    driver.settle()
    driver.wait(lambda: page.desk.view is not None)
    driver.settle()
    assert not page.panels.is_empty()
    assert len(page.desk.queue.rows) == 6
    assert page.queue.filters.filter.project == page.desk.filter.project == "comparison 1"
    for row in page.desk.queue.rows:
        page.desk.open(row.item_id)
        driver.settle()
        view = page.desk.view
        dialogue = window.desk.workspace.store.items.dialogue(view.dialogue)  # type: ignore[union-attr]
        assert page.stage.session.gate.turn == view.turn
        assert [past.question for past in view.place.history] == [t.question for t in dialogue.turns[: view.turn]]
        gate = page.stage.session.gate
        strip = view.place.strip
        for stop in range(len(strip.stops)):
            assert gate.opening(stop) == strip.opening(stop, view.turn)
        later = [t.question for t in dialogue.turns[view.turn + 1 :] if t.question and t.question != view.prompt]
        visible = "\n".join(t for t in texts(page.panel))
        assert not any(question in visible for question in later)
        if view.turn:
            driver.press("w")
            assert dialogue.turns[0].reference in page.aside.text.text()
            driver.press("w")


def test_the_reference_does_not_give_itself_away_among_the_responses(
    drive: Callable[..., Driver], workspace: Path
) -> None:
    driver = drive(workspace)
    driver.settle()
    desk = driver.window.comparison.desk
    setup = desk.setup()
    setup.make(["reference", setup.answerers()[0].responder], 2, level="turn", seed=1, project="with reference")
    driver.window.desk.ask_problems()
    driver.settle()
    driver.window.show_page("compare")
    driver.settle()
    assert desk.view.reference is None
    assert not driver.window.comparison.page.aside.reference.isVisible()


def test_reasons_and_order_are_set_up_in_the_window(on_page: OnPage, folder: Path) -> None:
    driver, page = on_page(folder)
    before = page.desk.view.order
    dialog = OrderDialog(page.desk, driver.window)
    dialog.open()
    dialog.reasons.click()
    dialog.seed.setValue(next(seed for seed in range(1, 50) if _order(page, seed) != before))
    wanted = _order(page, dialog.seed.value())
    dialog.go.click()
    driver.settle()
    driver.wait(lambda: page.desk.view.order == wanted)
    assert page.desk.view.sheet.reasons
    assert [c.place for c in page.panel.columns[:4]] == list(wanted)


def everything_that_can_be_worked_has_a_name(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, SAFETY)
    page.panels.toggle_queue()
    page.way.to_ranking()
    page.ranking.say_all_good()
    driver.settle()
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractSlider, QAbstractItemView)
    roots: list[QWidget] = [page, page.foot]
    nameless = [
        f"{type(widget).__name__} {widget.objectName()}"
        for root in roots
        for kind in kinds
        for widget in root.findChildren(kind)
        if widget.isVisible() and not widget.accessibleName() and not isinstance(widget, QScrollBar)
    ]
    assert nameless == []


def what_cannot_be_saved_stays(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, PAIR)
    driver.window.messages.clear()
    source, say = page.desk.source, page.desk.source.say
    full = True

    def refuse(*what: Any) -> Any:
        if full:
            raise WorldError("The disk is full.")
        return say(*what)

    source.say = refuse
    strip = page.panel.columns[0].levels["faithfulness"].strip
    driver.press("4")
    failed = (driver.saved_state, driver.message(), strip.value(), strip.not_saved)
    full = False  # whatever comes of it: a window with something unsaved does not close
    driver.window.desk.outbox.retry_now()
    driver.settle()
    driver.wait(lambda: not strip.not_saved)
    assert failed[0] == "failed" and "disk is full" in failed[1] and failed[2:] == (4, True)
    assert driver.saved_state == "saved" and strip.value() == 4


def test_nothing_is_said_where_another_window_holds_the_workspace(on_page: OnPage, folder: Path) -> None:
    with Workspace.open(folder, window=True):
        driver, page = on_page(folder, MCQ)
        assert page.desk.view.read_only
        driver.press("4")
        driver.key("R", Qt.KeyboardModifier.ShiftModifier)
        driver.press("+")
        assert sheet(page).cells == {}
        assert page.foot.missing.text() == "Read only"
        assert not page.ranking.good.isEnabled()


def _order(page: ComparisonPage, seed: int) -> tuple[int, ...]:
    from annotator.domain.comparisons import shown_order

    source = page.desk.comparisons
    assert source is not None
    return shown_order(source._comparison(page.desk.view.row.item_id), "lin", seed)


def a_hidden_page_leaves_nothing_running(driver: Driver, page: ComparisonPage) -> None:
    show(driver, page, VIDEO)
    page.stage.motion.playback.toggle()
    assert page.stage.motion.playback.on
    driver.press("4", settle=False)
    driver.window.show_page("import")
    driver.settle()
    assert not page.stage.motion.playback.on
    assert not page.foot.isVisible()
    assert driver.saved_state == "saved"
    spin(0)


# ------------------------------------------------------------------------------------------ steps that share a window
@pytest.mark.parametrize(
    "steps",
    [
        (each_strip_belongs_to_the_response_above_it, the_queue_is_filtered_and_walked, what_cannot_be_saved_stays),
        (a_covered_name_is_uncovered_by_an_event, digits_walk_down_a_response, scales_are_explained_in_both_languages),
        (a_response_is_dragged, two_are_ranked_by_one_digit, five_are_ranked_pair_by_pair),
        (a_full_tie_asks_for_an_example, a_contradiction_is_told_after_the_ranking),
        (a_safety_set_opens_blurred_and_takes_flags, item_flags_and_an_own_answer_are_said),
        (frames_are_stepped_exactly_and_played_at_a_rate, differences_are_marked_and_go_again,
         everything_that_can_be_worked_has_a_name, a_hidden_page_leaves_nothing_running),
    ],
    ids=("strips-queue-saving", "names-keys-scales", "ranking", "ties-notice", "flags", "media-differences-names"),
)  # fmt: skip
def test_steps(on_page: OnPage, folder: Path, steps: tuple[Callable[[Driver, ComparisonPage], None], ...]) -> None:
    driver, page = on_page(folder)
    for step in steps:
        step(driver, page)
