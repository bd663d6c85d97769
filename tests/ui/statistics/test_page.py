"""The page: values before intervals, cancelling, stale answers, what is kept, filters, what stands where nothing is."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget

from annotator.cancel import check
from annotator.report.figures import Asked
from annotator.store import Draft, create_store, open_store
from annotator.ui import i18n
from annotator.ui.statistics.calibration import CalibrationSection
from annotator.ui.statistics.charts import Chart
from annotator.ui.statistics.popover import DefinitionPopover
from annotator.ui.statistics.retention import RetentionSection
from annotator.ui.widgets.chips import Segment
from annotator.workspace import figures_room
from annotator.workspace.figures import Figures
from annotator.workspace.figures_room import FigureRoom, Question
from annotator.workspace.reveal import RevealBook
from annotator.workspace.spotcheck import draw
from tests.ui.statistics.bench import Bench
from tests.ui.statistics.made import build

Make = Callable[..., Bench]


def of_calibration(made: Bench) -> CalibrationSection:
    section = made.section
    assert isinstance(section, CalibrationSection)
    return section


class Gate:
    """Stands before the figures of a subject: lets the worker in one by one, and tells who came."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, subject: str) -> None:
        self.asked: list[tuple[Question, int]] = []
        self.came, self.open = threading.Semaphore(0), threading.Event()
        self._answer = figures_room.ANSWERS[subject]
        monkeypatch.setitem(figures_room.ANSWERS, subject, self)

    def __call__(self, room: FigureRoom, question: Question, asked: Asked) -> Figures:
        self.asked.append((question, asked.resamples))
        self.came.release()
        while not self.open.wait(0.002):
            check(asked.token)
        return self._answer(room, question, asked)

    def wait(self) -> None:
        assert self.came.acquire(timeout=20)


def test_values_come_before_intervals(bench: Make, made_workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, "agreement")
    made = bench(made_workspace)
    seen: list[tuple[bool, Any]] = []
    section = of_calibration(made)
    question = section.of_people(section.view)

    def look() -> None:
        figures = made.page.runner.answers.get(question)
        if figures is not None:
            first = figures.figures[0]
            seen.append((made.page.runner.answers.whole(question), (first.value, first.low is None)))

    made.page.runner.arrived.connect(look)
    gate.open.set()
    made.settle()
    assert [resamples for asked, resamples in gate.asked if asked == question] == [1, 200]
    assert seen[0][0] is False
    assert seen[0][1][1]
    assert seen[-1] == (True, (seen[0][1][0], False))
    assert not section.people.tiles.points_only


def test_cancel_stops_the_worker_and_keeps_what_came(
    bench: Make, made_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, "agreement")
    made = bench(made_workspace)
    gate.wait()  # a worker is inside the first figures, and would stay there for ever
    page = made.page
    assert page.runner.busy
    assert page.bar.cancel.isVisible()
    QTest.mouseClick(page.bar.cancel, Qt.MouseButton.LeftButton)
    made.settle()
    assert not page.runner.busy
    assert page.bar.state.text() == "Stopped; what had come is shown"
    assert page.progress.share is None
    assert not page.bar.cancel.isVisible()
    assert len(gate.asked) == 1
    gate.open.set()
    QTest.mouseClick(page.bar.again, Qt.MouseButton.LeftButton)
    made.settle()
    assert of_calibration(made).people.tiles.tiles()
    assert made.failed == []


def test_escape_stops_too_and_closing_never_waits_for_figures(
    bench: Make, made_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, "calibration")
    made = bench(made_workspace)
    gate.wait()
    made.page.bar.tabs.part("calibration").setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(made.page.bar.tabs.part("calibration"), Qt.Key.Key_Escape)
    made.settle()
    assert made.page.runner.cancelled
    made.page.ask()
    gate.wait()  # the bench closes the page while the worker is inside


def test_what_was_asked_before_is_dropped(bench: Make, made_workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, "agreement")
    made = bench(made_workspace)
    gate.wait()
    section = of_calibration(made)
    first = section.of_people(section.view)
    made.page.set_view(section.view.choosing("rater", frozenset({"li", "wu"})))
    gate.open.set()
    made.settle()
    answers = made.page.runner.answers
    assert answers.get(first) is None
    assert answers.whole(section.of_people(section.view))
    line = next(tile.text for tile in section.people.tiles.tiles() if tile.key == ("people", "exact"))
    assert len(section.people.raters.rows()) == 2
    assert line.startswith("exact agreement · ")


def test_coming_back_is_instant_until_somebody_writes(
    bench: Make, own: Callable[[Path], Path], made_workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = own(made_workspace)
    gate = Gate(monkeypatch, "agreement")
    gate.open.set()
    made = bench(folder)
    made.settle()
    asked = len(gate.asked)
    section = of_calibration(made)
    made.page.page_shown()
    assert section.people.tiles.tiles()  # still there, before any worker answered
    made.settle()
    assert len(gate.asked) == asked
    with open_store(folder, write=True) as store:
        item = store.items.resolve("d21")
        who = store.items.responders_of(item)[0]
        drafts = [
            Draft(rater=r, item_id=item, responder=who, target="turn:0", field="accuracy", value=3)
            for r in ("li", "wu")
        ]
        before = next(tile.text for tile in section.people.tiles.tiles() if tile.key == ("people", "exact"))
        store.labels.append(drafts)
    made.page.page_shown()
    made.settle()
    assert len(gate.asked) == 2 * asked
    assert next(tile.text for tile in section.people.tiles.tiles() if tile.key == ("people", "exact")) != before


def test_filters_narrow_and_can_be_taken_back(bench: Make, made_workspace: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    rail, section = made.page.rail, of_calibration(made)
    whole = section.people.tiles.tiles()
    assert {value for value, _, _ in rail.options("modality")} == {"image", "video"}
    assert next(words for _, words, _ in rail.options("model")).startswith("Model A · ")
    rail.choose("modality", "image", True)
    made.settle()
    assert section.people.tiles.tiles() != whole
    assert rail.picks["modality"][1].words() == "Images"
    rail.choose("modality", "video", True)
    made.settle()
    assert section.people.tiles.tiles() == whole
    assert rail.picks["modality"][1].words() == "2 of 2"
    assert rail.clear.isVisible()
    rail.reset()
    made.settle()
    assert not rail.clear.isVisible()
    assert section.people.tiles.tiles() == whole


def test_definition_formula_and_command_are_one_click_away(bench: Make, made_workspace: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    for card in of_calibration(made).cards.values():
        if card.isVisible():
            popover = card.open_definition()
            assert isinstance(popover, DefinitionPopover)
            texts = popover.texts()
            assert any("annotator stats" in text for text in texts), texts
            assert len(texts) > 3
            assert popover.copy is not None
            QTest.keyClick(popover, Qt.Key.Key_Escape)


def test_i_opens_the_definition_of_the_chart_with_the_keyboard(bench: Make, made_workspace: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    section = of_calibration(made)
    section.heat.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(section.heat, Qt.Key.Key_I)
    popover = section.cards["confusion"].findChild(DefinitionPopover)
    assert popover is not None
    assert "annotator stats" in " ".join(popover.texts())
    QTest.keyClick(popover, Qt.Key.Key_Escape)


def test_everything_that_acts_has_a_name_and_can_be_reached(bench: Make, made_workspace: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    for language in ("en", "zh_CN"):
        i18n.set_language(language)  # type: ignore[arg-type]
        for widget in made.page.findChildren(QWidget):
            if isinstance(widget, QAbstractButton | QComboBox | Chart) and widget.isVisibleTo(made.page):
                assert widget.accessibleName(), widget
                if isinstance(widget, Segment) and not widget.isChecked():
                    continue  # arrows lead there from the one that is on
                assert widget.focusPolicy() & Qt.FocusPolicy.TabFocus, widget
    made.settle()


def test_what_stands_where_nothing_is(
    bench: Make, tmp_path: Path, own: Callable[[Path], Path], made_workspace: Path
) -> None:
    create_store(tmp_path / "empty", rater="tester").close()
    made = bench(tmp_path / "empty")
    made.settle()
    section = of_calibration(made)
    assert section.empty.isVisible()
    assert section.empty.accessibleName() == "No figures yet: nobody has scored anything blind"
    assert not any(card.isVisible() for card in section.cards.values())
    section.empty.activated.emit()
    assert made.pages == ["import"]
    other = bench(own(made_workspace))
    other.settle()
    other.page.set_view(of_calibration(other).view.choosing("rater", frozenset({"nobody"})))
    other.settle()
    assert of_calibration(other).empty.accessibleName() == "Nothing in this part"


def test_figures_of_judges_stay_closed_during_a_blind_spot_check(
    bench: Make, own: Callable[[Path], Path], made_workspace: Path
) -> None:
    folder = own(made_workspace)
    with open_store(folder, write=True) as store:
        draw(store, "november", 5)
    made = bench(folder)
    made.settle()
    section = of_calibration(made)
    assert made.failed == []
    assert made.page.closed.isVisible()
    assert section.people.tiles.tiles()
    assert {name for name, card in section.cards.items() if card.isVisible()} == {"people", "groups", "raters", "pairs"}
    assert all(cell.count == 0 for row in section.heat.cells() for cell in row)
    made.page.show_section("retention")
    made.settle()
    kept_back = made.section
    assert isinstance(kept_back, RetentionSection)
    assert not any(kept_back.cards[name].isVisible() for name in ("what_if", "table"))
    assert kept_back.cards["funnel"].isVisible() and made.failed == []
    made.page.show_section("calibration")
    made.settle()
    QTest.mouseClick(made.page.closed.settings, Qt.MouseButton.LeftButton)
    assert made.pages == ["settings"]
    with open_store(folder, write=True) as store:
        RevealBook(store, store.desk.rater).look()
    made.page.ask()
    made.settle()
    assert not made.page.closed.isVisible()
    assert section.cards["confusion"].isVisible()


def test_people_by_part_and_by_pair(bench: Make, made_workspace: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    people = of_calibration(made).people
    assert [row.key for row in people.pairs.rows()] != []
    kappas = [float(row.cells[0][0]) for row in people.pairs.rows()]
    assert kappas == sorted(kappas)
    made.click(people.pairs, people.pairs.rows()[0].key)
    assert len(made.found[-1][0].places) == 20 * 2 * 3
    people.field.setCurrentIndex(people.field.findData("modality"))
    people.field.activated.emit(people.field.currentIndex())
    made.settle()
    assert {row.label for row in people.groups.rows()} == {"Images", "Streaming video"}
    made.click(people.groups, ("modality", "image"))
    assert made.found[-1][1] == "Images"
    assert len(made.found[-1][0].places) == 7 * 2 * 3


def test_one_family_is_told_beside_the_figures(bench: Make, made_workspace: Path, tmp_path: Path) -> None:
    made = bench(made_workspace)
    made.settle()
    section = of_calibration(made)
    assert not section.cards["agreement"].notice.isVisible()
    kin = build(tmp_path, dialogues=3, labelled=2, judges=("m-judge",))
    other = bench(kin)
    other.settle()
    section = of_calibration(other)
    for name in ("agreement", "confusion", "means", "words", "bias"):
        assert section.cards[name].notice.isVisible(), name
    told = "m-judge and a tested model are of one family: read its scores with care."
    assert told in section.words.texts()
    assert section.cards["agreement"].notice.accessibleDescription() == told
