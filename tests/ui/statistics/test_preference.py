"""The preference section: its figures are those of the command, and each mark leads to exactly its comparisons."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.domain.comparisons import Comparison, pairs_of
from annotator.report.figures import Asked
from annotator.store import open_store
from annotator.store.readings import Readings
from annotator.ui import i18n
from annotator.ui.statistics.preference import PreferenceSection
from annotator.workspace import figures_room
from annotator.workspace.comparisons_figures import preference_of
from annotator.workspace.figures import Figures
from annotator.workspace.figures_room import FigureRoom, Question
from annotator.workspace.intake_comparisons import comparisons_in
from tests.helpers.driver import Driver
from tests.ui.statistics.bench import Bench
from tests.ui.statistics.made_preferences import build, responder


@pytest.fixture(scope="module")
def ranked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("preference"))


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that one test had calculated serve the next: the page is tested here."""
    answer = figures_room.ANSWERS["preference"]

    def ask(room: FigureRoom, question: Question, asked: Asked) -> Figures:
        key = (room.store.desk.workspace_id, question, asked.resamples)
        if key not in _KEPT:
            _KEPT[key] = answer(room, question, asked)
        return _KEPT[key]

    monkeypatch.setitem(figures_room.ANSWERS, "preference", ask)


_KEPT: dict[tuple[object, ...], Figures] = {}


@pytest.fixture
def shown(bench: Callable[..., Bench], ranked: Path) -> tuple[Bench, PreferenceSection]:
    made = bench(ranked, size=(1400, 2000), section="preference", resamples=100)
    made.settle()
    section = made.section
    assert isinstance(section, PreferenceSection)
    return made, section


def _rankings(folder: Path) -> list[tuple[Comparison, str, list[int]]]:
    with open_store(folder, write=False) as store:
        held = {one.item_id: one for one in comparisons_in(store)}
        rows = Readings(store.database).said("blind", ("ranking",))
        return [(held[row.item_id], row.rater, row.value) for row in rows]


def test_cards_show_the_commands_figures(shown: tuple[Bench, PreferenceSection], ranked: Path) -> None:
    _, section = shown
    with open_store(ranked, write=False) as store:
        made = preference_of(store, Asked(resamples=section.view.resamples)).figures
    figures = {one.name: one for one in made if "responders" not in one.by}
    strengths = dict(zip(figures["davidson"].more["items"], figures["davidson"].value, strict=True))
    rows = section.strength.rows()
    order = sorted(strengths, key=lambda one: -strengths[one])
    assert [row.key[1] for row in rows] == order  # type: ignore[index]
    assert [row.marks[0].value for row in rows] == [strengths[one] for one in order]
    assert all(row.marks[0].low is not None for row in rows)
    tiles = {tile.key[1]: tile.value for tile in section.people.tiles()}  # type: ignore[index]
    assert tiles["kendall_w"] == f"{figures['kendall_w'].value:.2f}"
    assert tiles["tie_rate"] == f"{100 * figures['tie_rate'].value:.1f} %"
    half = section.prediction.rows()[0]
    wanted = [figures[f"prediction_{which}_half"].value for which in ("accuracy", "twelve")]
    assert [mark.value for mark in half.marks] == wanted
    ceiling = figures["prediction_ceiling_half"]
    assert half.band == (ceiling.low, ceiling.high)
    assert any("points more" in text for text in section.words.texts())
    assert [row.key[1] for row in section.safety.rows()] == ["risk", "typo"]  # type: ignore[index]
    assert section.safety.rows()[1].marks[0].value == pytest.approx(2 / 6)
    assert len(section.raters.rows()) == 2 and not section.cards["bench"].isVisibleTo(section)


def test_a_cell_of_the_matrix_opens_exactly_its_comparisons(
    shown: tuple[Bench, PreferenceSection], ranked: Path
) -> None:
    bench, section = shown
    said = [(c, r) for c, _, r in _rankings(ranked) if c.repeat_of is None]
    for one, two in ((responder("m"), responder("n")), (responder("o"), responder("m"))):
        wanted, count = set(), 0
        for comparison, ranking in said:
            names = [response.responder for response in comparison.responses]
            if one in names and (names.index(one), names.index(two)) in pairs_of(ranking):
                wanted.add(comparison.item_id)
                count += 1
        cell = next(c for row in section.heat.cells() for c in row if c.key == ("beats", one, two))
        assert cell.count == count
        bench.click(section.heat, ("beats", one, two))
        behind, _ = bench.found[-1]
        assert {place[0] for place in behind.places} == wanted and behind.units == count


def test_repeats_raters_and_tasks_open_theirs(shown: tuple[Bench, PreferenceSection], ranked: Path) -> None:
    bench, section = shown
    rankings = _rankings(ranked)
    bench.click(section.people, ("all", "position_flip"))
    assert {p[0] for p in bench.found[-1][0].places} == {c.item_id for c, _, _ in rankings if c.repeat_of is not None}
    bench.click(section.raters, ("rater", "wu"))
    assert {p[0] for p in bench.found[-1][0].places} == {
        c.item_id for c, who, _ in rankings if who == "wu" and c.repeat_of is None
    }
    bench.click(section.safety, ("task", "typo"))
    assert len(bench.found[-1][0].places) == 3


def test_a_part_narrows_and_texts_follow_the_language(shown: tuple[Bench, PreferenceSection]) -> None:
    bench, section = shown
    whole = section.facts(bench.page.runner.answers)
    bench.page.rail.choose("subset", "safety", True)
    bench.settle()
    assert section.facts(bench.page.runner.answers)[0][1] == "4" != whole[0][1]
    assert section.heat.cells() == ()
    bench.page.rail.reset()
    bench.settle()
    i18n.set_language("zh_CN")
    bench.settle()
    names = [name for name, _ in section.facts(bench.page.runner.answers)]
    assert len(names) == len(whole) and not set(names) & {name for name, _ in whole}


def test_without_rankings_the_way_to_them_is_shown(bench: Callable[..., Bench], made_workspace: Path) -> None:
    made = bench(made_workspace, section="preference", resamples=50)
    made.settle()
    section = made.section
    assert isinstance(section, PreferenceSection)
    assert section.empty.isVisibleTo(section) and not section.cards["people"].isVisibleTo(section)
    section.empty.activated.emit()
    assert made.pages == ["compare"]


def test_the_queue_of_comparisons_holds_exactly_what_stands_behind_a_cell(
    drive: Callable[[Path], Driver], own: Callable[[Path], Path], ranked: Path
) -> None:
    driver = drive(own(ranked))
    driver.window.show_page("statistics")
    page = driver.window.pages.get("statistics")
    page.show_section("preference")
    page.runner.cancel()  # what stands behind a cell needs no intervals
    driver.settle()
    section = page.section()
    section.heat.activated.emit(("beats", responder("m"), responder("n")))
    driver.settle()
    compare = driver.window.comparison.page
    assert compare is not None and compare.isVisible()
    desk = driver.window.comparison.desk
    rows = [row.item_id for row in desk.queue.rows]
    assert set(rows) == desk.filter.only and desk.view.row.item_id in rows
    chip = compare.queue.findChild(type(compare.queue.findChild(object, "filterOnly")), "filterOnly")
    assert chip is not None and chip.isVisibleTo(compare.queue)
    chip.click()
    driver.settle()
    assert not desk.filter.only and len(desk.queue.rows) > len(rows) and not chip.isVisibleTo(compare.queue)
