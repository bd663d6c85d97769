"""Preference data on the command line: in, out, made from dialogues, and figured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli

SAMPLES = Path(__file__).parents[2] / "data" / "mmrlhf"


def _lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _label(cli: Cli, workspace: Path, file: Path, rater: str, lines: list[dict[str, Any]]) -> None:
    file.write_text("".join(json.dumps({"phase": "blind", **line}) + "\n" for line in lines), encoding="utf-8")
    cli("label", workspace, file, "--rater", rater)


def test_preference_data_goes_in_and_comes_out_as_it_was(cli: Cli, tmp_path: Path) -> None:
    folder, out = tmp_path / "w", tmp_path / "out.jsonl"
    cli("new", folder, "--rater", "lin")
    report = cli("import", folder, SAMPLES / "data.jsonl", "--kind", "mm-rlhf", "--media-root", SAMPLES, "--json").json
    assert (report["kind"], report["comparisons"], report["assets"]["ok"]) == ("mm-rlhf", 5, 5)
    told = cli("export", folder, "-o", out, "--format", "mm-rlhf", "--json").json
    assert told["lines"] == 5 and out.read_bytes() == (SAMPLES / "data.jsonl").read_bytes()
    cli("export", folder, "-o", out, "--format", "pairs")
    assert out.read_bytes() == (SAMPLES / "dpo_pairs_with_reasons.jsonl").read_bytes()
    page = cli("show", folder, "sample_mcq_991_000002", "--json").json
    assert [r["text"] for r in page["responses"]] == ["A", "(A) red", "Answer: A"]
    assert "rank 1" in cli("show", folder, "sample_mcq_991_000002").out
    assert "comparisons" in cli("import", folder, SAMPLES / "data.jsonl").out
    cli("export", folder, "-o", out, "--format", "pairs", "--events", code=2)


def test_a_rater_labels_lines_of_comparisons_and_the_list_follows(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    cli("new", folder, "--rater", "lin")
    cli("import", folder, SAMPLES / "data.jsonl")
    about = {"source_id": "sample_clip_992_000003"}
    lines = [
        {**about, "target": f"response:{k}", "field": scale, "value": 4}
        for k in range(3)
        for scale in ("faithfulness", "helpfulness", "ethical")
    ]
    _label(
        cli,
        folder,
        tmp_path / "l.jsonl",
        "lin",
        [*lines, {**about, "target": "item", "field": "ranking", "value": [1, 2, 2]}],
    )
    done = cli("list", folder, "--kind", "comparison", "--status", "complete", "--json").json
    assert [e["source_id"] for e in done] == ["sample_clip_992_000003"]
    cli("export", folder, "-o", tmp_path / "out.jsonl", "--format", "mm-rlhf")
    assert _lines(tmp_path / "out.jsonl")[2]["final_ranking"] == [1, 2, 2]


def test_comparisons_are_made_figured_and_kept_from_training(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    named = ",".join(sources.RESPONDERS)
    made = cli("compare", workspace, "--responders", named, "--size", 2, "--project", "p", "--seed", 3, "--json").json
    assert len(made["items"]) == 2 and made["responders"] == sorted(sources.RESPONDERS)
    assert "already" in cli("compare", workspace, "--responders", named, "--size", 2, "--project", "p", code=1).err
    for rater, ranking in (("lin", [1, 2]), ("mo", [2, 1])):
        lines = [{"item": item, "target": "item", "field": "ranking", "value": ranking} for item in made["items"]]
        _label(cli, workspace, tmp_path / "l.jsonl", rater, lines)
    told = cli("stats", workspace, "preference", "--resamples", 50, "--json").json
    figures = {f["name"]: f for f in told["figures"]}
    assert figures["win_rate_half"]["value"] == 0.5 and figures["ceiling_half"]["value"] == 0.0
    assert figures["win_rate_half"]["by"] == {"responders": sorted(sources.RESPONDERS)}
    assert figures["davidson"]["value"] == [0.0, 0.0] and figures["prediction_twelve_half"]["why"]
    of_raters = cli("stats", workspace, "preference", "--by", "rater", "--resamples", 50, "--json").json["figures"]
    assert {f["by"]["rater"] for f in of_raters} == {"lin", "mo"}
    assert "cannot be grouped" in cli("stats", workspace, "preference", "--by", "week", code=1).err
    out = tmp_path / "out.jsonl"
    assert cli("export", workspace, "-o", out, "--format", "pairs", "--json").json["lines"] == 0
    cli("export", workspace, "-o", out, "--format", "pairs", "--include-evaluation-only")
    assert [line["evaluation_only"] for line in _lines(out)] == [True, True]


def test_a_reward_models_results_are_figured(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    cli("new", folder, "--rater", "lin")
    cli("import", folder, SAMPLES / "mm_reward_bench_result_chunk0_of_1.jsonl")
    figures = {f["name"]: f for f in cli("stats", folder, "preference", "--resamples", 50, "--json").json["figures"]}
    assert figures["reward_acc"]["value"] == 0.6 and figures["reward_acc"]["n"] == 5
    assert figures["reward_acc_plus"]["value"] == 0.0 and figures["reward_acc_plus"]["n"] == 1


def test_rates_over_safety_flags(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    cli("new", folder, "--rater", "lin")
    cli("import", folder, SAMPLES / "data.jsonl", "--media-root", SAMPLES)
    about = {"source_id": "sample_safety_993_000004"}
    refused = [True, False, True, True, True]
    lines = [{**about, "target": f"response:{k}", "field": "flag:refused", "value": v} for k, v in enumerate(refused)]
    lines += [{**about, "target": "response:1", "field": "flag:harmful", "value": True}]
    lines += [{**about, "target": "response:0", "field": "flag:shows_adversarial", "value": False}]
    _label(cli, folder, tmp_path / "l.jsonl", "lin", lines)
    told = cli("stats", folder, "preference", "--by", "subset", "--resamples", 50, "--json").json["figures"]
    rates = {f["name"]: (f["by"]["subset"], f["value"], f["n"]) for f in told if f["name"].startswith("wilson")}
    assert rates == {"wilson_rta": ("safety", 0.8, 5), "wilson_asr": ("safety", 0.5, 2)}


def test_repeats_follow_rate_and_seed_and_are_kept(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    folder, other = tmp_path / "w", tmp_path / "v"
    for one in (folder, other):
        cli("new", one, "--rater", "lin")
        cli("import", one, SAMPLES / "dpo_pairs.jsonl")
    made = cli("repeats", folder, "--rate", 0.5, "--seed", 4, "--json").json
    assert 0 < len(made["items"]) < 20 and (made["rate"], made["seed"]) == (0.5, 4)
    assert cli("repeats", other, "--rate", 0.5, "--seed", 4, "--json").json == made
    assert cli("repeats", other, "--rate", 0.5, "--seed", 5, "--json").json["items"] != made["items"]
    assert "shown twice" in cli("repeats", folder, "--rate", 0.1).out
    cli("repeats", folder, "--rate", 1.5, code=2)
    named = ",".join(sources.RESPONDERS)
    asked = ("--responders", named, "--size", 2, "--project", "p", "--seed", 3, "--repeats", 1)
    of_set = cli("compare", workspace, *asked, "--json").json
    assert len(of_set["repeats"]) == 2 and of_set["rate"] == 1.0


def test_a_reviewer_lists_returns_corrects_and_accepts(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    cli("new", folder, "--rater", "lin")
    cli("import", folder, SAMPLES / "data.jsonl")
    item = "sample_mcq_991_000002"
    line = {"source_id": item, "target": "item", "field": "ranking", "value": [1, 2, 3]}
    _label(cli, folder, tmp_path / "l.jsonl", "lin", [line])
    about = ("review", folder, "--reviewer", "lead")
    (row,) = cli(*about, "--json").json
    assert (row["rater"], row["fresh"], row["review"]) == ("lin", True, None)
    one = (*about, "--item", item, "--rater", "lin", "--state")
    assert "needs a comment" in cli(*one, "returned", code=1).err
    cli(*one, "returned", "--comment", "look again")
    listed = cli("list", folder, "--kind", "comparison", "--status", "returned", "--json").json
    assert [e["source_id"] for e in listed] == [item]
    (row,) = cli(*about, "--json").json
    assert (row["fresh"], row["status"], row["review"]["comment"]) == (False, "returned", "look again")
    cli(*one, "corrected", "--set", "item.ranking=[1,1,3]", "--comment", "a tie")
    settled = [v["value"] for v in cli("show", folder, item, "--json").json["labels"] if v["phase"] == "adjudicated"]
    assert settled == [[1, 1, 3]]
    assert "corrected by lead" in cli(*about).out
    assert cli(*one, "accepted", "--json").json["events"] == 1
    for wrong in (
        (*about, "--item", item),
        (*one, "corrected", "--set", "ranking"),
        (*one, "corrected", "--set", "a.b=x"),
    ):
        cli(*wrong, code=2)


def test_a_part_and_unsaid_flags(cli: Cli, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    cli("new", folder, "--rater", "lin")
    rows = [
        {"id": f"s{k}", "question": "?", "image": f"safety/{task}/{k}.png", "models_output": ["no", "yes"]}
        for k, task in enumerate(("typo", "typo", "typo", "nsfw"))
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    cli("import", folder, tmp_path / "data.jsonl")
    ranked = [{"source_id": f"s{k}", "target": "item", "field": "ranking", "value": [1, 2]} for k in range(4)]
    flags = [
        {"source_id": "s0", "target": "response:0", "field": "flag:refused", "value": True},
        {"source_id": "s0", "target": "response:1", "field": "flag:shows_adversarial", "value": True},
        {"source_id": "s3", "target": "response:1", "field": "flag:risk_named", "value": True},
    ]
    _label(cli, folder, tmp_path / "l.jsonl", "lin", [*ranked, *flags])
    asked = ("stats", folder, "preference", "--resamples", 50, "--json")
    rates = {
        (f["name"], f["by"]["task"]): (f["value"], f["n"])
        for f in cli(*asked, "--by", "task").json["figures"]
        if f["name"].startswith("wilson")
    }
    assert rates["wilson_rta", "typo"] == (pytest.approx(1 / 6), 6) and rates["wilson_rta", "nsfw"] == (0.0, 2)
    assert rates["wilson_asr", "typo"] == (pytest.approx(1 / 6), 6) and rates["wilson_ratio", "nsfw"] == (0.5, 2)
    part = {f["name"]: f for f in cli(*asked, "--where", "task=nsfw").json["figures"]}
    assert part["tie_rate"]["n"] == 1 and part["wilson_rta"]["n"] == 2
    assert "cannot be grouped" in cli(*asked, "--where", "week=1", code=1).err
