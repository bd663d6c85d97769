"""Questions on the command line: import, show, label, export, letters, accuracy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.helpers.questions import SAMPLES, answered, official, png, write_json, write_lines
from tests.unit.cli.conftest import Cli


@pytest.fixture
def folder(cli: Cli, tmp_path: Path) -> Path:
    records = [official(n) for n in range(3)]
    for n in range(3):
        path = tmp_path / "roots/monitoring_images" / f"{n}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(n, 90, 60))
    cli("new", tmp_path / "w", "--rater", "lin")
    cli("import", tmp_path / "w", write_json(tmp_path / "q.json", records), "--media-root", tmp_path / "roots")
    cli("import", tmp_path / "w", write_lines(tmp_path / "m.jsonl", answered(records, "CCA")))
    return tmp_path / "w"


def said(item: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"item": item, "target": "item", "field": f.replace("__", ":"), "value": v} for f, v in fields.items()]


def test_list_and_show(cli: Cli, folder: Path) -> None:
    listed = cli("list", folder, "--kind", "question", "--json").json
    assert [e["status"] for e in listed] == ["new"] * 3 and listed[0]["responders"] == []
    page = cli("show", folder, "perception/monitoring/0000", "--json").json
    assert page["choices"][2] == {"letter": "C", "text": "green bus"} and page["key"] == "C"
    assert (page["task"], page["subtask"], page["category"]) == ("Perception", "Monitoring", "Vehicle/counting")
    assert page["image"]["status"] == "ok" and page["findings"] == []
    assert page["predictions"][0]["model"] == "m" and page["predictions"][0]["correct"] is True
    assert "green bus" in cli("show", folder, "perception/monitoring/0000").out


def test_label_status_and_exports(cli: Cli, folder: Path, tmp_path: Path) -> None:
    items = [e["item"] for e in cli("list", folder, "--json").json]
    lines = said(items[0], answer="A", key_verdict="wrong", key_letter="B", box=[80, 50, 40, 40], letter__m=None)
    lines += said(items[1], answer="C", key_verdict="right") + said(items[2], answer="F")
    report = cli("label", folder, write_lines(tmp_path / "l.jsonl", lines), "--rater", "lin", "--json").json
    assert (report["accepted"], report["rejected"]) == (7, 1)
    assert [e["status"] for e in cli("list", folder, "--json").json] == ["complete", "complete", "new"]
    keys = cli("export", folder, "-o", tmp_path / "keys.json", "--format", "keys", "--json").json
    record = json.loads((tmp_path / "keys.json").read_text(encoding="utf-8"))
    assert keys["written"] == 1 and (record[0]["Ground truth"], record[0]["Ground truth before"]) == ("B", "C")
    assert record[0]["Question_id"] == "perception/monitoring/0000" and record[0]["row"] == 0
    assert keys["cross_checked"] == 0 and record[0]["cross_checked"] is False and record[0]["state"] == "one"
    cli("export", folder, "-o", tmp_path / "crops", "--format", "evidence")
    index = json.loads((tmp_path / "crops/index.json").read_text(encoding="utf-8"))
    crop = cv2.imread(str(tmp_path / "crops" / index[0]["file"]))
    assert crop.shape[:2] == (10, 10)  # cut off at the picture's edges
    assert index[0]["share"] == pytest.approx(100 / 5400, abs=1e-6) and index[0]["within_bound"] is True
    assert "not empty" in cli("export", folder, "-o", tmp_path / "crops", "--format", "evidence", code=1).err
    exported = cli("export", folder, "-o", tmp_path / "labels.jsonl", "--format", "jsonl", "--json").json
    assert exported["lines"] == 7
    held = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(h["field"], str(h["value"])) for h in held} >= {("letter:m", "none"), ("answer", "A")}


def test_one_persons_word_on_a_key_can_be_left_out(cli: Cli, folder: Path, tmp_path: Path) -> None:
    items = [e["item"] for e in cli("list", folder, "--json").json]
    file = tmp_path / "keys.json"

    def exported(*options: str) -> tuple[dict[str, Any], list[tuple[str, int, str, bool]]]:
        told = cli("export", folder, "-o", file, "--format", "keys", *options, "--json").json
        rows = json.loads(file.read_text(encoding="utf-8"))
        return told, [(r["Ground truth"], r["raters"], r["state"], r["cross_checked"]) for r in rows]

    wrong = {"answer": "A", "key_verdict": "wrong", "key_letter": "B"}
    cli("label", folder, write_lines(tmp_path / "l.jsonl", said(items[0], **wrong)), "--rater", "lin")
    told, rows = exported("--cross-checked")
    assert (told["written"], told["left_out"], rows) == (0, 1, [])
    both = said(items[1], **wrong)
    for rater in ("lin", "mei"):
        cli("label", folder, write_lines(tmp_path / "m.jsonl", both), "--rater", rater)
    told, rows = exported()
    assert rows == [("B", 2, "agreed", True), ("B", 1, "one", False)]
    assert (told["written"], told["left_out"], told["cross_checked"]) == (2, 0, 1)
    told, rows = exported("--cross-checked")
    assert (told["written"], told["left_out"], rows) == (1, 1, [("B", 2, "agreed", True)])
    assert "one person's word" in cli("export", folder, "-o", file, "--format", "keys").err


def test_current_labels_come_back_as_they_were(cli: Cli, folder: Path, tmp_path: Path) -> None:
    item = cli("list", folder, "--json").json[0]["item"]
    lines = said(item, answer="A", key_verdict="two_defensible", note="both", flag__blurred=True)
    cli("label", folder, write_lines(tmp_path / "l.jsonl", lines), "--rater", "lin")
    cli("export", folder, "-o", tmp_path / "e.jsonl", "--events")
    cli("new", tmp_path / "other")
    cli("import", tmp_path / "other", tmp_path / "q.json")
    cli("import", tmp_path / "other", tmp_path / "e.jsonl")
    cli("export", tmp_path / "other", "-o", tmp_path / "f.jsonl", "--events")
    assert (tmp_path / "e.jsonl").read_bytes() == (tmp_path / "f.jsonl").read_bytes()


def test_extract(cli: Cli, tmp_path: Path) -> None:
    file = SAMPLES / "answers.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for profile in ("official", "vlmevalkit"):
        found = cli("extract", file, "--profile", profile, "--json").json
        assert found == [{"id": row["id"], "letter": row[profile] or None} for row in rows]
    bad = write_lines(tmp_path / "b.jsonl", [{"id": 1, "output": "A"}])
    assert "choices" in cli("extract", bad, "--profile", "careful", "--json", code=1).err
    cli("extract", file, "--profile", "clever", code=2)
    mixed = [{"id": n, "choices": ["(A) 45", "(B) 7"], "output": o} for n, o in enumerate((45, None, 45.0, "B", True))]
    found = cli("extract", write_lines(tmp_path / "n.jsonl", mixed), "--profile", "careful", "--json").json
    assert [row["letter"] for row in found] == ["A", None, "A", "B", None]


def test_accuracy(cli: Cli, folder: Path) -> None:
    told = cli("stats", folder, "accuracy", "--by", "model", "--json", "--resamples", "50").json
    figure = next(f for f in told["figures"] if f["name"] == "accuracy")
    assert figure["by"] == {"model": "m"} and figure["value"] == pytest.approx(2 / 3) and figure["n"] == 3
    assert set(told) >= {"figures", "seed", "resamples", "rubric"}
    assert {"accuracy", "avg", "avg_c"} <= {f["name"] for f in told["figures"]}
    assert "accuracy" in cli("stats", folder, "accuracy").out
    assert "cannot be grouped" in cli("stats", folder, "accuracy", "--by", "week", code=1).err


def test_check_and_backup_hold_questions(cli: Cli, folder: Path, tmp_path: Path) -> None:
    assert cli("check", folder, "--json").json["ok"] is True
    cli("backup", folder, "-o", tmp_path / "b.db")
    cli("restore", tmp_path / "b.db", tmp_path / "again")
    assert len(cli("list", tmp_path / "again", "--kind", "question", "--json").json) == 3
