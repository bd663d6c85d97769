"""Retention on the page: figures that were counted by hand, the judge's threshold as it moves, the dialogues behind."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.cli.main import run
from annotator.errors import WorldError
from annotator.store import open_store
from annotator.store.readings import Readings
from annotator.ui import i18n
from annotator.ui.statistics.parts import Tiles
from annotator.ui.statistics.retention import RetentionSection
from annotator.workspace.figures_keeping import behind_candidates, of_judges
from annotator.workspace.figures_room import FigureRoom, Question
from annotator.workspace.reveal import RevealBook
from annotator.workspace.spotcheck import draw
from tests.ui.statistics.bench import Bench
from tests.ui.statistics.made_verdicts import build


@pytest.fixture(scope="session")
def judged_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("verdicts"), lead=True)


def open_section(bench: Callable[..., Bench], folder: Path) -> tuple[Bench, RetentionSection]:
    made = bench(folder, section="retention")
    made.settle()
    section = made.section
    assert isinstance(section, RetentionSection)
    return made, section


@pytest.fixture
def shown(bench: Callable[..., Bench], judged_workspace: Path) -> tuple[Bench, RetentionSection]:
    return open_section(bench, judged_workspace)


def printed(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[tuple[str, ...], Any]:
    capsys.readouterr()
    assert run(["stats", str(folder), "retention", *arguments, "--json"]) == 0
    figures: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["figures"]
    return {(figure["name"], *figure["by"].values()): figure for figure in figures}


def values(tiles: Tiles) -> dict[object, str]:
    return {tile.key: tile.value for tile in tiles.tiles()}


def names(folder: Path, places: tuple[tuple[str, str, str], ...]) -> list[str]:
    with open_store(folder, write=False) as store:
        known = {head.item_id: head.source_id for head in store.items.heads()}
    assert {target for _, _, target in places} <= {"item"}
    return sorted({known[item_id] for item_id, _, _ in places})


def dialogues(*numbers: int) -> list[str]:
    return [f"d{number:02d}" for number in numbers]


def test_golden_figures_of_the_sample(
    bench: Callable[..., Bench], sample_workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, section = open_section(bench, sample_workspace)
    assert values(section.head) == {
        "wilson_keep": "50.0 %", "undecided": "50.0 to 50.0 %", "verdict_alpha_nominal": "–", "saved_by_people": "0",
        "missed_by_judge": "1",
    }  # fmt: skip
    tile = section.head.tiles()[0]
    assert (tile.name, tile.note) == ("kept, 1 of 2 decided dialogues", "9.5 to 90.5 %")
    assert [(stage.key, stage.count) for stage in section.funnel.stages()] == [
        ("funnel_imported", 6), ("funnel_media_complete", 0), ("funnel_heard", 2), ("funnel_two_raters", 0),
        ("funnel_decided", 2), ("funnel_kept", 1),
    ]  # fmt: skip
    assert [(bar.label, bar.shown) for bar in section.reasons.bars()][:2] == [
        ("Content", "1"),
        ("Visual mismatch", "0"),
    ]
    section.slider.setValue(65)
    assert section.slider.threshold() == 4.25
    assert values(section.reading)["kept"] == "66.7 %"
    command = printed(sample_workspace, capsys)
    keep, what_if = command["wilson_keep",], command["judge_keep_4.25",]
    assert f"{keep['value']:.4f} · {keep['low']:.4f} to {keep['high']:.4f} · n {keep['n']}" in tile.text
    reading = next(one for one in section.reading.tiles() if one.key == "kept")
    assert f"{what_if['value']:.4f} · {what_if['low']:.4f} to {what_if['high']:.4f} · n {what_if['n']}" in reading.text
    assert {name: cell.count for row in section.table.cells() for cell in row for name in [cell.key]} == what_if[
        "table"
    ]


def test_rate_bounds_and_funnel_are_those_counted_by_hand(shown: tuple[Bench, RetentionSection]) -> None:
    _, section = shown
    tiles = {tile.key: (tile.value, tile.name) for tile in section.head.tiles()}
    assert tiles["wilson_keep"] == ("75.0 %", "kept, 15 of 20 decided dialogues")
    assert tiles["undecided"] == ("68.2 to 77.3 %", "bounds: 2 undecided, both ways")
    assert [stage.count for stage in section.funnel.stages()] == [24, 0, 22, 22, 20, 15]
    assert section.funnel.stages()[-1].parts == (("ok", 15), ("warn", 3), ("error", 2))
    assert [(bar.label, bar.value) for bar in section.reasons.bars()][:3] == [
        ("Content", 5), ("Privacy", 3), ("Visual mismatch", 0)
    ]  # fmt: skip
    assert section.cards["head"].foot.text() == "Select a number to open its dialogues"


def test_during_a_blind_spot_check_the_own_verdicts_alone_are_shown(
    bench: Callable[..., Bench], tmp_path: Path
) -> None:
    folder = build(tmp_path)
    with open_store(folder, write=True) as store:
        draw(store, "november", 5)
    made, section = open_section(bench, folder)
    assert made.failed == [] and made.page.closed.isVisible()
    assert {name for name, card in section.cards.items() if not card.isVisible()} == {"what_if", "table"}
    assert [stage.count for stage in section.funnel.stages()] == [24, 0, 22, 22, 22, 16]
    assert values(section.head) == {
        "wilson_keep": "72.7 %", "undecided": "72.7 to 72.7 %", "verdict_alpha_nominal": "–"
    }  # fmt: skip
    section.field.setCurrentIndex(section.field.findData("rater"))
    section.field.activated.emit(section.field.currentIndex())
    made.settle()
    assert [row.key for row in section.rates.rows()] == ["li"]
    made.click(section.funnel, "funnel_kept")
    assert names(folder, made.found[-1][0].places) == dialogues(*range(14), 20, 21)
    room = FigureRoom(folder)
    told = room.answer(Question("retention"), points=True)
    assert not [one.name for one in told.figures if of_judges(one.name)]
    with pytest.raises(WorldError, match="stay closed"):
        behind_candidates(room, Question("retention"), "saved_by_people", {})
    with pytest.raises(WorldError, match="stays closed"):
        list(Readings(room.store.database).scored())
    with open_store(folder, write=True) as store:
        RevealBook(store, "li").look()
    assert room.look() and not room.store.database.blind
    assert [one.name for one in room.answer(Question("retention"), points=True).figures if of_judges(one.name)]
    room.close()


def test_every_field_gives_the_rates_that_the_command_prints(
    shown: tuple[Bench, RetentionSection], judged_workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, section = shown
    for field in ("scenario", "rater", "week"):
        section.field.setCurrentIndex(section.field.findData(field))
        section.field.activated.emit(section.field.currentIndex())
        made.settle()
        command = printed(judged_workspace, capsys, "--by", field)
        wanted = {name[1]: one for name, one in command.items() if name[0] == "wilson_keep"}
        rows = {row.key: row for row in section.rates.rows()}
        assert rows.keys() == wanted.keys()
        for value, figure in wanted.items():
            mark = rows[value].marks[0]
            assert (mark.value, mark.low, mark.high) == (figure["value"], figure["low"], figure["high"])
            assert rows[value].cells[2][0] == f"{figure['k']} / {figure['n']}"
    assert section.parted(section.view).command(judged_workspace).partition("retention ")[2].startswith("--by week")


def test_the_threshold_moves_by_keys_and_its_cells_open_their_dialogues(
    shown: tuple[Bench, RetentionSection], judged_workspace: Path
) -> None:
    made, section = shown
    assert section.slider.threshold() == 4.0

    def counts() -> list[float]:
        return [cell.count for row in section.table.cells() for cell in row]

    assert counts() == [8, 7, 0, 5]
    section.slider.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(20):
        QTest.keyClick(section.slider, Qt.Key.Key_Left)
    assert section.slider.threshold() == 3.0
    assert counts() == [14, 1, 2, 3]
    assert values(section.reading)["kept"] == "66.7 %"
    for cell, wanted in (
        ("saved_by_people", (20,)), ("missed_by_judge", (14, 15)), ("both_drop", (16, 18, 19)),
    ):  # fmt: skip
        made.click(section.table, cell)
        assert names(judged_workspace, made.found[-1][0].places) == dialogues(*wanted)
    assert made.found[-1][1] == "both drop, threshold 3.00"
    section.judge.setCurrentIndex(section.judge.findText("j"))
    section.judge.activated.emit(section.judge.currentIndex())
    assert counts() == [15, 0, 5, 0]
    QTest.keyClick(section.slider, Qt.Key.Key_Home)
    assert section.slider.threshold() == 4.0
    made.click(section.table, "both_keep")
    assert names(judged_workspace, made.found[-1][0].places) == dialogues(*range(14))


def test_numbers_stages_reasons_and_rows_open_their_dialogues(
    shown: tuple[Bench, RetentionSection], judged_workspace: Path
) -> None:
    made, section = shown
    for chart, key, wanted in (
        (section.head, "undecided", (17, 21)), (section.funnel, "funnel_kept", (*range(14), 20)),
        (section.funnel, "funnel_heard", tuple(range(22))), (section.reasons, "reason_privacy", (14, 16, 18)),
    ):  # fmt: skip
        made.click(chart, key)
        assert names(judged_workspace, made.found[-1][0].places) == dialogues(*wanted), key
    section.field.setCurrentIndex(section.field.findData("rater"))
    section.field.activated.emit(section.field.currentIndex())
    made.settle()
    made.click(section.rates, "zoe")
    behind, title = made.found[-1]
    assert (names(judged_workspace, behind.places), behind.units) == (dialogues(*range(14)), 14)
    assert title == "Decided: zoe"


def test_a_part_narrows_all_of_it(
    shown: tuple[Bench, RetentionSection], judged_workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, section = shown
    made.page.set_view(section.view.choosing("rater", frozenset({"wu"})))
    made.settle()
    keep = printed(judged_workspace, capsys, "--where", "rater=wu")["wilson_keep",]
    assert (keep["k"], keep["n"]) == (12, 22)
    assert section.head.tiles()[0].name == "kept, 12 of 22 decided dialogues"
    made.click(section.head, "wilson_keep")
    assert names(judged_workspace, made.found[-1][0].places) == dialogues(*range(22))


def test_in_chinese_nothing_is_left_in_english(shown: tuple[Bench, RetentionSection]) -> None:
    made, section = shown
    i18n.set_language("zh_CN")
    made.settle()
    charts = (section.head, section.funnel, section.rates, section.reasons, section.table, section.reading)
    texts = [text for chart in charts for text in chart.texts()]
    assert len(texts) > 20
    left = ("dialogues", "kept", "undefined", "interval", "judge", "verdict", " to ")
    assert [text for text in texts if any(word in text for word in left)] == []


def test_without_verdicts_the_judge_is_still_asked(bench: Callable[..., Bench], made_workspace: Path) -> None:
    _, section = open_section(bench, made_workspace)
    assert not section.empty.isHidden()
    assert section.cards["head"].isHidden()
    assert values(section.reading)["kept"] != "–"
    assert section.table.cells() == ()
