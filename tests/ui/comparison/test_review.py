"""The reviewer's part: the panel shows others' labels, says what becomes of them, and the rater reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from annotator.app import make_application
from annotator.store import open_store
from annotator.ui.comparison.page import ComparisonPage
from annotator.ui.comparison.review_draft import Corrections, from_letters, in_letters
from annotator.ui.comparison.review_mode import ReviewMode
from annotator.workspace.comparisons import Comparisons
from annotator.workspace.comparisons_review import ComparisonReviews
from annotator.workspace.comparisons_views import ShownResponse
from annotator.workspace.importing import import_source
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

SAMPLES = Path(__file__).parents[2] / "data" / "mmrlhf"
ITEM = "sample_diagram_990_000001"
OTHER = "sample_mcq_991_000002"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Whose labels are made here is `lead`; `ann` ranked two items, `bo` one of them."""
    place = tmp_path / "w"
    with Workspace.create(place, rater="lead") as made:
        import_source(made.store, SAMPLES / "data.jsonl", media_roots=[SAMPLES])
        for rater, items in (("ann", (ITEM, OTHER)), ("bo", (ITEM,))):
            said = Comparisons(Workspace(made.store, rater))
            for name in items:
                item = made.store.items.resolve(name)
                count = len(said.comparison(item).responses)
                scores = [Intent(f"response:{k}", "helpfulness", 4) for k in range(count)]
                said.say(item, [*scores, Intent("item", "ranking", list(range(1, count + 1)))])
    return place


@pytest.fixture
def drive(qapp: object) -> Iterator[Callable[[Path], tuple[Driver, ComparisonPage, ReviewMode]]]:
    made: list[Driver] = []

    def make(place: Path) -> tuple[Driver, ComparisonPage, ReviewMode]:
        driver = Driver(make_application([]), place)
        made.append(driver)
        driver.window.show_page("compare")
        driver.settle()
        page = driver.window.comparison.page
        assert isinstance(page, ComparisonPage)
        mode = page.findChild(ReviewMode)
        assert mode is not None
        return driver, page, mode

    yield make
    for driver in made:
        driver.close()


def _open(driver: Driver, page: ComparisonPage, name: str) -> str:
    assert page.desk.source is not None
    item = page.desk.desk.workspace.store.items.resolve(name)
    page.desk.open(item)
    driver.settle()
    return str(item)


def _saved(place: Path) -> list[tuple[str, str, str, object]]:
    with open_store(place, write=False) as store:
        events = store.labels.events(rater="lead")
        return [(e.field, e.phase, e.item_id, e.value) for e in events]


def test_the_panel_is_the_reviewers_alone_and_what_it_shows_is_an_event(
    drive: Callable[[Path], tuple[Driver, ComparisonPage, ReviewMode]], folder: Path
) -> None:
    driver, page, mode = drive(folder)
    item = _open(driver, page, ITEM)
    assert not mode.panel.isVisible() and not mode.bar.isVisible() and mode.tool.isVisible()
    assert _saved(folder) == [], "nobody's labels were shown"
    driver.key(Qt.Key.Key_F6)
    driver.settle()
    assert mode.panel.isVisible() and [one.rater for one in mode.panel._found] == ["ann", "bo"]
    assert [(field, where) for field, _, where, _ in _saved(folder)] == [("flag:saw_others", item)]
    assert mode.panel.blocks[0].strips["helpfulness"].value() == 4
    view = page.desk.view
    assert mode.panel.ranking.text() == in_letters([1, 2, 3, 4], view.responses)
    driver.close()
    again = drive(folder)[2]
    assert again.on and again.panel.isVisible(), "the part stays taken"


def test_a_return_needs_a_comment_and_the_next_that_waits_follows(
    drive: Callable[[Path], tuple[Driver, ComparisonPage, ReviewMode]], folder: Path
) -> None:
    driver, page, mode = drive(folder)
    item = _open(driver, page, ITEM)
    driver.key(Qt.Key.Key_F6)
    driver.settle()
    driver.key(Qt.Key.Key_F10)
    assert driver.window.focusWidget() is mode.panel.comment and mode.panel.hint.text()
    mode.panel.comment.setPlainText("look at the arrow")
    mode.panel.give_back.click()
    driver.settle()
    with open_store(folder, write=False) as store:
        ann = Comparisons(Workspace(store, "ann")).comparison(item)
    assert ann.row.status == "returned" and ann.reviews[-1].comment == "look at the arrow"
    assert mode.panel.reviewed is not None and mode.panel.reviewed.rater == "bo", "who waits comes first"
    page.take_focus()
    driver.key(Qt.Key.Key_F2)
    driver.settle()
    driver.key(Qt.Key.Key_F5)
    driver.settle()
    assert page.desk.view.row.source_id == OTHER and mode.panel.reviewed.rater == "ann"
    driver.key(Qt.Key.Key_F2)
    driver.settle()
    states = {
        (where, field): value["state"] for field, _, where, value in _saved(folder) if field.startswith("review:")
    }
    assert states[item, "review:ann"] == "returned" and states[item, "review:bo"] == "accepted"
    assert len(states) == 3 and mode._waiting() == 0


def test_corrections_are_settled_beside_the_raters_labels(
    drive: Callable[[Path], tuple[Driver, ComparisonPage, ReviewMode]], folder: Path
) -> None:
    driver, page, mode = drive(folder)
    _open(driver, page, OTHER)
    driver.key(Qt.Key.Key_F6)
    driver.settle()
    panel, view = mode.panel, page.desk.view
    block = panel.blocks[0]
    strip = block.strips["helpfulness"]
    strip.cells[1].click()
    place = view.responses[0].place
    assert strip.value() == 2 and "4" in block.marks["helpfulness"].text()
    assert not panel.accept.isEnabled() and panel.correct.isEnabled()
    panel.ranking.setText("A = B = C")
    panel.ranking.textEdited.emit(panel.ranking.text())
    panel.reset.click()
    assert strip.value() == 4 and panel.accept.isEnabled()
    strip.cells[1].click()
    panel.ranking.setText("a>b = c")
    panel.ranking.textEdited.emit(panel.ranking.text())
    page.take_focus()
    driver.key(Qt.Key.Key_F3)
    driver.settle()
    settled = {field: value for field, phase, _, value in _saved(folder) if phase == "adjudicated"}
    assert settled == {"helpfulness": 2, "ranking": from_letters("A > B = C", view.responses)}
    with open_store(folder, write=False) as store:
        item = store.items.resolve(OTHER)
        ann = Comparisons(Workspace(store, "ann")).sheet_of(item, "ann")
    assert ann.value(f"response:{place}", "helpfulness") == 4 and ann.ranking == [1, 2, 3]


def test_the_rater_reads_the_comment_over_the_returned_item(
    drive: Callable[[Path], tuple[Driver, ComparisonPage, ReviewMode]], folder: Path
) -> None:
    with Workspace.open(folder) as made:
        item = made.store.items.resolve(ITEM)
        Comparisons(made).say(item, [Intent("item", "ranking", [1, 2, 3, 4])])
        other = Workspace(made.store, "zoe")
        ComparisonReviews(other, Comparisons(other)).review(item, "lead", "returned", "the tie is missing")
    driver, page, mode = drive(folder)
    _open(driver, page, ITEM)
    assert mode.bar.isVisible() and "the tie is missing" in mode.bar.words.text() and "zoe" in mode.bar.words.text()
    assert not mode.panel.isVisible()
    page.say([Intent("item", "ranking", [1, 1, 3, 4])])
    driver.settle()
    assert not mode.bar.isVisible(), "something new is said: it is not returned any more"


def _response(place: int, letter: str) -> ShownResponse:
    return ShownResponse(place, letter, "", 0, False)


def test_rankings_are_read_and_written_in_the_letters_on_the_screen() -> None:
    shown = [_response(2, "A"), _response(0, "B"), _response(1, "C")]
    assert in_letters([1, 2, 2], shown) == "B > A = C" and in_letters(None, shown) == "" == in_letters([1, 2], shown)
    assert from_letters("b>a=c", shown) == [1, 2, 2] and from_letters("B＞A＝C", shown) == [1, 2, 2]
    assert from_letters("a = b = c", shown) == [1, 1, 1] and from_letters("c > a > b", shown) == [3, 1, 2]
    for wrong in ("", "a > b", "a > b > c > d", "a > a > b", "1 > 2 > 3"):
        assert from_letters(wrong, shown) is None


def test_the_raters_own_word_again_is_no_correction() -> None:
    from annotator.domain.comparisons_sheet import ComparisonSheet
    from annotator.domain.sheet import Cell

    cells = {("response:0", "ethical"): Cell(4), ("item", "ranking"): Cell([1, 2])}
    draft = Corrections(ComparisonSheet("i", "ann", 2, cells=cells))
    draft.set_score(0, "ethical", 2)
    draft.set_ranking([2, 1])
    assert draft.count == 2 and [i.field for i in draft.intents()] == ["ethical", "ranking"]
    draft.set_score(0, "ethical", 4)
    draft.set_ranking([1, 3])
    assert draft.count == 0 and draft.intents() == []
