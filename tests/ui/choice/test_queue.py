"""The queue of questions: light with all of them, filtered, and kept in step with what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from annotator.domain.question_sheet import QuestionFilter, QuestionRow, question_facets
from annotator.ui.choice_queue import QuestionQueuePanel
from annotator.ui.choice_queue_model import QuestionModel
from annotator.ui.item_places import ItemPlaces
from annotator.workspace.questions import QuestionQueueView
from tests.ui.choice.bench import Bench

ALL = 29_429


def row(number: int, **changes: object) -> QuestionRow:
    made = QuestionRow(
        item_id=f"question:{number:016x}", source_id=f"q-{number}", title=f"<b>{number}</b>", task="Perception",
        domain="Monitoring", category="person/counting", language="en", split="full", status="new",
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def everything() -> QuestionQueueView:
    rows = tuple(row(n) for n in range(ALL))
    return QuestionQueueView(rows, ALL, 0, question_facets(rows))


@pytest.fixture
def panel(qtbot: QtBot) -> QuestionQueuePanel:
    made = QuestionQueuePanel()
    qtbot.addWidget(made)
    made.resize(236, 800)
    made.show()
    return made


def test_the_model_keeps_the_rules_of_models(qtmodeltester: ModelTester) -> None:
    model = QuestionModel()
    model.set_rows([row(n) for n in range(20)])
    qtmodeltester.check(model)


def test_all_questions_are_shown_and_replacing_one_touches_no_other(
    panel: QuestionQueuePanel, everything: QuestionQueueView
) -> None:
    panel.show_view(everything)
    panel.set_current(everything.rows[20_000].item_id)
    panel.grab()
    resets, changed = QSignalSpy(panel.model.modelReset), QSignalSpy(panel.model.dataChanged)
    for number in range(50):
        panel.update_row(row(number, status="complete"), number + 1)
    assert resets.count() == 0
    assert [(top.row(), bottom.row()) for top, bottom, *_ in map(changed.at, range(changed.count()))] == [
        (number, number) for number in range(50)
    ]
    assert panel.model.rows[7].status == "complete"
    assert panel.list.currentIndex().row() == 20_000


def test_stepping_goes_to_the_nearest_unfinished(everything: QuestionQueueView) -> None:
    places = ItemPlaces()
    places.read(everything)
    queue = everything
    here = everything.rows[0].item_id
    for _ in range(50):
        queue = places.replaced(queue, replace(queue.rows[places._places[here]], status="complete"))
        nearest = places.unfinished(queue, here)
        assert nearest is not None
        here = nearest.item_id
    assert queue.complete == 50
    assert here == everything.rows[50].item_id


def test_rows_tell_title_and_place_as_plain_text(panel: QuestionQueuePanel) -> None:
    rows = (row(1, cross="third_wanted"), row(2, missing_image=True))
    panel.show_view(QuestionQueueView(rows, 2, 0, question_facets(rows)))
    first, second = panel.model.index(0), panel.model.index(1)
    assert "<b>1</b>" in first.data(Qt.ItemDataRole.DisplayRole)
    assert "Monitoring · person/counting" in first.data(Qt.ItemDataRole.DisplayRole)
    assert "&lt;b&gt;" in first.data(Qt.ItemDataRole.ToolTipRole)
    assert "third wanted" in first.data(Qt.ItemDataRole.ToolTipRole)
    assert "Image missing" in second.data(Qt.ItemDataRole.DisplayRole)


def test_filters_are_offered_with_their_counts(panel: QuestionQueuePanel) -> None:
    rows = tuple(row(n, domain="Monitoring" if n % 3 else "Remote Sensing") for n in range(9))
    panel.show_view(QuestionQueueView(rows, 9, 0, question_facets(rows)))
    said: list[QuestionFilter] = []
    panel.filter_changed.connect(said.append)
    panel.filters.unfinished.click()
    panel.filters.switches["letters_open"].click()
    assert said[-1] == QuestionFilter(unfinished=True, letters_open=True)
    panel.filters.chips["all"].click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    fields = {a.text(): a.menu() for a in menu.actions() if a.menu() is not None}
    assert {"Domain", "Category", "Task", "Set", "Full or Lite", "State", "Cross-check"} == set(fields)
    entries = list(fields["Domain"].actions())  # type: ignore[union-attr]
    assert [a.text() for a in entries] == ["Monitoring  6", "Remote sensing  3"]
    entries[1].trigger()
    assert said[-1].domains == frozenset({"Remote Sensing"})
    menu.close()


def test_search_waits_for_a_pause_and_nothing_is_an_answer(bench: Bench) -> None:
    bench.press("/")
    edit = bench.page.queue.filters.search.edit
    assert bench.focusWidget() is edit
    QTest.keyClicks(edit, "0003")
    QTest.qWait(300)
    bench.settle()
    assert [r.source_id for r in bench.desk.queue.rows] == ["mme-r 0003"]  # type: ignore[union-attr]
    assert bench.questions.said == []
    QTest.keyClicks(edit, "zzz")
    QTest.qWait(300)
    bench.settle()
    assert bench.page.queue.empty.isVisible()


def test_a_click_opens_a_question_and_keys_answer_it(bench: Bench) -> None:
    view = bench.page.queue.list
    index = bench.page.queue.model.index(3)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=view.visualRect(index).center())
    bench.settle()
    assert bench.view.row.source_id == "mme-r 0003"
    bench.press("b")
    assert bench.view.sheet.value("answer") == "B"
    assert bench.page.queue.model.rows[3].status == "started"


def test_opens_on_the_first_question_with_something_left(bench: Bench) -> None:
    bench.press("d")
    bench.press("1")
    bench.desk.view = None
    bench.desk.refresh_queue()
    bench.settle()
    assert bench.view.row.source_id == "mme-r 0001"
