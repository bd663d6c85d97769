"""The queue panel: rows, counts, filter menus, search, and what happens when a row changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from annotator.domain.queue import QueueFilter, QueueRow, facets
from annotator.ui import i18n
from annotator.ui.queue_model import ROW_ROLE, QueueModel, tick_states
from annotator.ui.queuepanel import QueuePanel
from annotator.ui.widgets import Menu
from annotator.workspace.views import QueueView


def row(number: int, **changes: object) -> QueueRow:
    made = QueueRow(
        item_id=f"dialogue:{number:016d}", responder="p::m::t", source_id=f"V-{number}", title=f"<b>{number}</b>",
        alias="A", scenario="work_and_office_environment", modality="video", categories=("ocr",), spoken=False,
        turns=3, progress=bytes([8, 3, 0]), session=0, verdict=None, status="started",
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def view(rows: list[QueueRow]) -> QueueView:
    return QueueView(tuple(rows), len(rows), sum(r.finished for r in rows), facets(rows), {"p::m::t": "A"})


@pytest.fixture
def panel(qtbot: QtBot) -> QueuePanel:
    i18n.set_language("en")
    made = QueuePanel()
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def test_the_model_keeps_the_rules_of_models(qtmodeltester: ModelTester) -> None:
    model = QueueModel()
    model.set_rows([row(n) for n in range(20)])
    qtmodeltester.check(model)


def test_rows_tell_title_id_and_alias_as_plain_text(panel: QueuePanel) -> None:
    panel.show_view(view([row(1)]))
    index = panel.model.index(0)
    shown = index.data(Qt.ItemDataRole.DisplayRole)
    assert "<b>1</b>" in shown
    assert "V-1" in shown
    assert "Model A" in shown
    assert "&lt;b&gt;" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert tick_states(index.data(ROW_ROLE)) == ["full", "half", "open"]


def test_a_changed_row_keeps_the_selection(panel: QueuePanel) -> None:
    rows = [row(n) for n in range(5)]
    panel.show_view(view(rows))
    panel.set_current(rows[3].key)
    panel.update_row(replace(rows[3], status="complete"), 1)
    assert panel.list.currentIndex().row() == 3
    assert panel.model.rows[3].status == "complete"


def test_the_current_row_survives_another_filter(panel: QueuePanel) -> None:
    rows = [row(n) for n in range(5)]
    panel.show_view(view(rows))
    panel.set_current(rows[3].key)
    panel.show_view(view(rows[2:]))
    assert panel.list.currentIndex().row() == 1
    panel.show_view(view(rows[:2]))
    assert not panel.list.currentIndex().isValid()


@pytest.mark.parametrize("chip", ["scenarios", "modalities", "more", "all"])
def test_each_filter_menu_opens_and_filters(panel: QueuePanel, qtbot: QtBot, chip: str) -> None:
    panel.show_view(view([row(1), row(2, modality="image", status="new")]))
    panel.filters.chips[chip].click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, Menu)
    actions = list(menu.actions())
    while actions[0].menu() is not None:
        actions = list(actions[0].menu().actions())
    with qtbot.waitSignal(panel.filter_changed) as told:
        actions[0].trigger()
    assert told.args[0] != QueueFilter()
    menu.close()


def test_search_waits_for_a_pause_and_is_told_once(panel: QueuePanel, qtbot: QtBot) -> None:
    panel.show_view(view([row(1)]))
    told: list[QueueFilter] = []
    panel.filter_changed.connect(told.append)
    with qtbot.waitSignal(panel.filter_changed):
        qtbot.keyClicks(panel.filters.search.edit, "15%_")
    assert [f.search for f in told] == ["15%_"]


def test_an_empty_filter_says_so_and_offers_the_way_back(panel: QueuePanel, qtbot: QtBot) -> None:
    panel.show_view(QueueView((), 7, 0, facets([row(1)]), {}))
    assert panel.empty.isVisible()
    panel.filters.filter = QueueFilter(unfinished=True)
    with qtbot.waitSignal(panel.filter_changed) as told:
        panel.empty.activated.emit()
    assert told.args[0] == QueueFilter()


def test_the_language_switches_live(panel: QueuePanel) -> None:
    panel.show_view(view([row(1)]))
    i18n.set_language("zh_CN")
    assert panel.filters.unfinished.text().startswith("未完成")
    i18n.set_language("en")
    assert panel.filters.unfinished.text().startswith("Open")
