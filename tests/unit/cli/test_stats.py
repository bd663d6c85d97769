"""`annotator stats`: its JSON, and every trouble input of statistics through the command."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli

DATA = Path(__file__).resolve().parents[2] / "data"
CASES = {case["id"]: case for case in json.loads((DATA / "stats" / "cases.json").read_text(encoding="utf-8"))}
TABLES = [case for case in CASES.values() if "table" in case["expect"]]
KEYS = {"name", "by", "value", "why", "low", "high", "n", "n_clusters"}
NAMES = {
    "agreement": "exact", "ac|identity": "ac", "ac|quadratic": "ac_quadratic", "ac|linear": "ac_linear",
    "kappa|None": "kappa", "tau_b": "kendall_tau_b", "icc|2,1": "icc_2_1", "icc|3,1": "icc_3_1",
}  # fmt: skip


def named(told: dict[str, Any], name: str) -> dict[str, Any]:
    found = [figure for figure in told["figures"] if figure["name"] == name]
    assert len(found) == 1, name
    return found[0]


@pytest.mark.parametrize("case", TABLES, ids=[case["id"] for case in TABLES])
def test_every_table_of_the_cases_gives_its_values(cli: Cli, case: dict[str, Any]) -> None:
    told = cli("stats", DATA / case["files"][0], "agreement", "--json").json
    assert (told["seed"], told["resamples"], told["lines"]) == (0, 2_000, [])
    for stat, wanted in case["expect"]["values"].items():
        name = NAMES.get(stat, stat.replace("|", "_"))
        figures = [figure for figure in told["figures"] if figure["name"] == name]
        assert figures and all(KEYS <= set(figure) for figure in figures)
        for figure in figures:
            if wanted == "undefined":
                assert figure["value"] is None and figure["why"].startswith("undefined")
            else:
                assert figure["value"] == pytest.approx(wanted, abs=5.1e-5), name


def test_dirty_lines_are_refused_by_line_and_the_last_of_two_ratings_counts(cli: Cli) -> None:
    told = cli("stats", DATA / "stats" / "dirty.csv", "agreement", "--json").json
    assert named(told, "exact")["value"] == pytest.approx(0.6667, abs=5.1e-5)
    assert named(told, "alpha_nominal")["value"] == pytest.approx(0.6154, abs=5.1e-5)
    assert named(told, "exact")["n"] == 3
    lines = [(line["code"], line["line"]) for line in told["lines"]]
    assert lines == [("judge_retry", 4), *(("score_rejected", line) for line in (10, 11, 14, 15, 16))]
    assert told["missing"] == 1


def test_fleiss_with_unequal_numbers_is_not_applicable(cli: Cli) -> None:
    told = cli("stats", DATA / "stats" / "unequal.csv", "agreement", "--json").json
    assert named(told, "fleiss")["why"] == "not applicable: unequal numbers of ratings"
    assert named(told, "alpha_nominal")["value"] == pytest.approx(1 / 3)


def test_two_dialogues_give_a_value_and_no_interval(cli: Cli, tmp_path: Path) -> None:
    with (DATA / "stats" / "clusters.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = ["item,rater,score,cluster"]
    for row in rows:
        item = f"{row['dialogue']}-{row['turn']}"
        lines += [f"{item},r1,5,{row['dialogue']}", f"{item},r2,{5 if row['agree'] == '1' else 1},{row['dialogue']}"]
    file = tmp_path / "two.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    exact = named(cli("stats", file, "agreement", "--json").json, "exact")
    assert (exact["value"], exact["low"], exact["high"], exact["n"], exact["n_clusters"]) == (0.5, None, None, 20, 2)
    assert exact["why"].startswith("no interval: 2 clusters")


def test_a_judge_in_a_file_is_calibrated_and_weights_count(cli: Cli, tmp_path: Path) -> None:
    lines = ["item,rater,score,weight", "a,p,2,1", "a,j,3,1", "b,p,4,3", "b,j,4,3"]
    file = tmp_path / "j.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    told = cli("stats", file, "calibration", "--judge", "j", "--json").json
    assert named(told, "bias")["value"] == pytest.approx(0.25)
    assert named(told, "exact")["value"] == pytest.approx(0.75)
    assert named(told, "mean_human")["value"] == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,score\na,1\n", "rater"),
        ('item,rater,score\n"a,r,1\n', "CSV"),
        ("", "item"),
    ],
)
def test_a_file_that_is_none_is_one_sentence(cli: Cli, tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "f.csv"
    file.write_text(text, encoding="utf-8")
    got = cli("stats", file, "agreement", code=1)
    assert says in got.err and got.err.count("\n") == 1


def test_a_workspace_gives_the_promised_shape(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    for rater, value in (("li", 4), ("wu", 5)):
        lines = [line for name, turns in sources.DIALOGUES.items()
                 for line in sources.label_lines(name, turns, sources.RESPONDERS[0], value)]  # fmt: skip
        for line in lines:
            line["phase"] = "blind"
        cli("label", workspace, sources.write_lines(tmp_path / f"{rater}.jsonl", lines), "--rater", rater)
    told = cli("stats", workspace, "agreement", "--by", "dimension", "--json", "--seed", 7, "--resamples", 50).json
    assert (told["seed"], told["resamples"]) == (7, 50)
    assert told["rubric"].startswith("rubric-mme@")
    by_turn = [f for f in told["figures"] if f["name"] == "within_1" and f["by"] == {"dimension": "accuracy"}]
    assert [(f["value"], f["n"], f["n_clusters"]) for f in by_turn] == [(1.0, 5, 2)]
    pair = next(f for f in told["figures"] if f["name"] == "kappa_quadratic" and f["by"]["dimension"] == "accuracy")
    assert pair["by"] == {"dimension": "accuracy", "raters": ["li", "wu"]} and pair["value"] == 0.0
    cannot = {f["by"]["dimension"]: f["value"] for f in told["figures"] if f["name"] == "cannot_judge"}
    assert cannot["accuracy"] == 0.0 and cannot["session_consistency"] == 1.0
    keep = named(cli("stats", workspace, "retention", "--json").json, "wilson_keep")
    assert (keep["value"], keep["n"]) == (1.0, 2)
    assert "exact" in cli("stats", workspace, "agreement").out


def test_a_field_that_cannot_be_asked_for_is_one_sentence(cli: Cli, workspace: Path) -> None:
    got = cli("stats", workspace, "agreement", "--by", "colour", code=1)
    assert "colour" in got.err and "dimension" in got.err


def test_a_figure_alone_and_the_items_behind_it(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    for rater, value in (("li", "keep"), ("wu", "reject")):
        verdicts = [
            {"source_id": name, "target": "item", "field": "verdict", "value": value if name == first else "keep"}
            for first in [next(iter(sources.DIALOGUES))] for name in sources.DIALOGUES
        ]  # fmt: skip
        lines = [line | {"phase": "blind"} for line in verdicts]
        cli("label", workspace, sources.write_lines(tmp_path / f"{rater}.jsonl", lines), "--rater", rater)
    told = cli("stats", workspace, "retention", "--figure", "wilson_keep", "--json").json
    assert [(one["name"], one["value"], one["n"], one["undecided"]) for one in told["figures"]] == [
        ("wilson_keep", 1.0, 1, 1)
    ]
    behind = ("list", workspace, "--behind", "retention", "--figure")
    assert len(cli(*behind, "wilson_keep", "--json").json) == 1
    assert len(cli(*behind, "funnel_heard", "--json").json) == 2
    rated = cli(*behind, "wilson_keep", "--where", "rater=wu", "--json").json
    assert len(rated) == 2
    assert "There is no figure" in cli(*behind, "wilson_keep", "--where", "rater=nobody", code=1).err
    assert "There is no figure kept" in cli("stats", workspace, "retention", "--figure", "kept", code=1).err
    for wrong in (("--figure", "wilson_keep"), ("--behind", "retention"), ("--where", "rater=wu")):
        cli("list", workspace, *wrong, code=2)
    cli(*behind, "wilson_keep", "--where", "rater", code=2)
