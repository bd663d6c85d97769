"""The sample's printed figures on the calibration page: known beforehand, and equal to what the command prints."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotator.cli.main import run
from annotator.ui import i18n
from annotator.ui.statistics.calibration import CalibrationSection
from annotator.ui.statistics.parts import Tiles
from tests.ui.statistics.bench import Bench

SCORED = "northlight::Northlight-Omni-1::omnibench_image_multi_text"


@pytest.fixture
def shown(bench: Callable[..., Bench], sample_workspace: Path) -> tuple[Bench, CalibrationSection]:
    made = bench(sample_workspace, resamples=2_000)
    made.settle()
    section = made.section
    assert isinstance(section, CalibrationSection)
    return made, section


def printed(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert run(["stats", str(folder), *arguments, "--json"]) == 0
    figures: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["figures"]
    return figures


def values(tiles: Tiles) -> dict[object, str]:
    return {tile.key: tile.value for tile in tiles.tiles()}


def test_headline_figures_of_the_sample(shown: tuple[Bench, CalibrationSection]) -> None:
    _, section = shown
    assert values(section.under_heat) == {"exact": "75.6 %", "within_1": "87.2 %", "bias": "−0.02", "mae": "0.44"}
    assert values(section.cuts) == {"below_4": "0.64 / 0.89", "at_most_3": "0.64 / 0.89", "at_most_2": "0.30 / 0.91"}
    people = {
        key[1]: (tile.value, tile.note) for tile in section.people.tiles.tiles() if isinstance(key := tile.key, tuple)
    }
    assert people["ac_quadratic"] == ("–", "undefined: there is only one rater")
    assert people["cannot_judge"][0] == "0.0 %"


def test_confusion_of_the_sample(shown: tuple[Bench, CalibrationSection]) -> None:
    _, section = shown
    counts = [[cell.count for cell in row] for row in section.heat.cells()]
    assert counts == [[2, 3, 1, 6, 127], [0, 0, 3, 3, 2], [0, 9, 1, 0, 3], [1, 2, 0, 9, 5], [3, 0, 0, 0, 0]]
    assert section.heat.cells()[0][4].text == "judge 5, people 5: 127"


def test_rows_of_the_sample(shown: tuple[Bench, CalibrationSection]) -> None:
    _, section = shown
    cells = {row.label: [text for text, _ in row.cells] for row in section.forest.rows()}
    assert cells["Accuracy"] == ["0.93", "–", "21", "3"]
    assert cells["Concise"] == ["0.21", "–", "21", "3"]
    assert cells["Consistency"] == ["1.00", "–", "3", "2"]
    assert len(cells) == 12
    means = {(row.key, tuple(text for text, _ in row.cells)) for row in section.means.rows()}
    assert (("model", SCORED), ("4.67", "4.89", "–", "4.89", "72")) in means
    assert section.words.texts()[0] == (
        "Whether Assay-Judge-1 may stand in for a rater cannot be told: undefined: the test needs two raters or more."
    )
    assert "gave no score in 2 records (parse_error 1, skipped_empty_prediction 1)" in section.words.texts()[-1]


def test_the_page_shows_what_the_command_prints(
    shown: tuple[Bench, CalibrationSection], sample_workspace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, section = shown
    lines = {row.key: row.text for row in section.forest.rows()}
    for figure in printed(sample_workspace, capsys, "calibration", "--by", "judge", "--by", "dimension"):
        if figure["name"] == "ac_quadratic":
            line = lines["dimension", figure["by"]["dimension"]]
            assert f"{figure['value']:.4f} · n {figure['n']}, dialogues {figure['n_clusters']}" in line
            assert str(figure["why"]) in line
    pooled = {figure["name"]: figure for figure in printed(sample_workspace, capsys, "calibration", "--by", "judge")}
    for tile in section.under_heat.tiles():
        assert f"{pooled[str(tile.key)]['value']:.4f}" in tile.text
    assert section.close_up(section.view).command(sample_workspace).endswith("calibration --by judge")
    made.page.set_view(section.view.choosing("modality", frozenset({"video"})))
    made.settle()
    part = printed(sample_workspace, capsys, "calibration", "--by", "judge", "--where", "modality=video")
    exact = next(figure for figure in part if figure["name"] == "exact")
    tile = next(tile for tile in section.under_heat.tiles() if tile.key == "exact")
    assert f"{exact['value']:.4f} · n {exact['n']}, dialogues {exact['n_clusters']}" in tile.text
    assert "--where modality=video" in section.close_up(section.view).command(sample_workspace)


def test_in_chinese_nothing_is_left_in_english(shown: tuple[Bench, CalibrationSection]) -> None:
    made, section = shown
    i18n.set_language("zh_CN")
    made.settle()
    texts = [*section.words.texts(), *section.people.tiles.texts(), *section.forest.texts(), *section.next.texts()]
    assert texts
    assert [text for text in texts if "undefined" in text or "interval" in text or "dialogues" in text] == []
    assert any("只有一名标注员" in text for text in texts)
