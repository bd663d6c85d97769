"""Every trouble input of exports: said in a workspace, written as tables, read by others, and imported again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.cells import LABEL_COLUMNS, starts_formula, unmarked
from annotator.domain.labels import needs_responder
from annotator.errors import WorldError
from annotator.store import Draft, Store
from annotator.workspace.exporting import LABEL_FORMATS, Exported, export_labels
from annotator.workspace.importing import import_source
from tests.helpers.exporting import AT, case, csv_rows, data, parquet_rows, said, say, with_dialogues, xlsx_rows

TABLES = ("csv", "xlsx", "parquet")


def put(store: Store, folder: Path, form: str) -> Exported:
    """Export the labels of a workspace."""
    return export_labels(store, folder / f"labels.{form}", format_name=form)


def brought(folder: Path, file: Path, turns: dict[str, int]) -> Iterator[tuple[Any, ...]]:
    """What the labels of a file say in a new workspace with the same dialogues."""
    store = with_dialogues(folder, turns, f"again-{file.suffix[1:]}")
    try:
        report = import_source(store, file)
        assert (report.kind, report.refused, report.rejected) == ("labels", False, 0)
        yield from said(store)
    finally:
        store.close()


def counts(done: Exported) -> dict[str, int]:
    """The counts of the list beside a table; as many cells are in it, one by one."""
    listed = done.manifest_file.read_text(encoding="utf-8").splitlines() if done.manifest_file else []
    entries = [json.loads(entry) for entry in listed]
    assert sum(entry.get("cells", 1) for entry in entries) == sum(entry["count"] for entry in done.manifest)
    return {entry["code"]: entry["count"] for entry in done.manifest}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def test_formulas(folder: Path) -> None:
    expected, texts = case("C-EXP-FORMULA")["expect"], data("C-EXP-FORMULA")
    assert len(texts) == expected["texts"]
    turns = {"d1": len(texts)}
    store = with_dialogues(folder, turns)
    say(store, "d1", "note", texts)
    before = said(store)
    for form in TABLES:
        done = put(store, folder, form)
        assert set(brought(folder, done.file, turns)) == before
        if form != "parquet":  # nothing runs in parquet
            assert counts(done)["cell_formula"] == expected["manifest"][0]["count"]
    store.close()
    cells = [row["value"] for row in csv_rows(folder / "labels.csv")]
    assert not any(cell.startswith(tuple(expected["csv_cell_must_not_start_with"])) for cell in cells)
    changed = [i for i, (cell, text) in enumerate(zip(cells, texts, strict=True)) if cell != text]
    assert changed == sorted([*expected["neutralised_rows"], texts.index("'=1")])
    assert [unmarked(cell) for cell in cells] == texts
    rows = xlsx_rows(folder / "labels.xlsx")
    assert sum(cell.data_type == "f" for row in rows for cell in row.values()) == expected["xlsx_formula_cells"]
    assert [(row["value"].value, row["value"].data_type) for row in rows] == [(text, "s") for text in texts]


def test_ids_that_a_spreadsheet_would_change(folder: Path) -> None:
    expected, names = case("C-EXP-LONGID")["expect"], data("C-EXP-LONGID")
    turns = dict.fromkeys(names, 1)
    store = with_dialogues(folder, turns)
    for name in names:
        say(store, name, "accuracy", [4])
    before = said(store)
    for form in TABLES:
        done = put(store, folder, form)
        assert set(brought(folder, done.file, turns)) == before
    store.close()
    rows = xlsx_rows(folder / "labels.xlsx")
    assert {row["dialogue_id"].value for row in rows} == set(names) and len(set(names)) == expected["distinct"]
    assert {row["dialogue_id"].data_type for row in rows} == {"s"}
    assert {row["dialogue_id"].number_format for row in rows} == {expected["xlsx_number_format"]}
    cells = {row["dialogue_id"] for row in csv_rows(folder / "labels.csv")}
    assert {unmarked(cell, of_id=True) for cell in cells} == set(names)
    assert {cell for cell in cells if cell[0] != "'"} == {"0x1F"}
    assert {row["dialogue_id"] for row in parquet_rows(folder / "labels.parquet")} == set(names)


def test_a_csv_for_excel_in_chinese(folder: Path) -> None:
    expected, rows = case("C-EXP-CSVCN")["expect"], data("C-EXP-CSVCN")
    turns = {name: len(texts) for name, *texts in rows}
    store = with_dialogues(folder, turns)
    for name, *texts in rows:
        say(store, name, "note", texts)
    before = said(store)
    done = put(store, folder, "csv")
    assert set(brought(folder, done.file, turns)) == before
    raw = done.file.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf") is expected["starts_with_bom"]
    assert raw.endswith(expected["line_end"].encode()) and rb"\u" not in raw
    assert raw[3:].split(b",")[0].decode() == expected["first_header"]
    found = {(row["dialogue_id"], int(row["index"])): row["value"] for row in csv_rows(done.file)}
    assert found == {(name, k): t for name, *texts in rows for k, t in enumerate(texts) if t is not None}
    lines = put(store, folder, "jsonl").file.read_text(encoding="utf-8").splitlines()
    store.close()
    kept = {(line["source_id"], line["target"]): line["value"] for line in map(json.loads, lines)}
    assert kept["d2", "turn:0"] == "" and ("d2", "turn:1") not in kept


def test_what_a_workbook_cannot_hold(folder: Path) -> None:
    expected, texts = case("C-EXP-XLSX")["expect"], data("C-EXP-XLSX")
    turns = {"d1": len(texts)}
    store = with_dialogues(folder, turns)
    say(store, "d1", "note", texts)
    done = put(store, folder, "xlsx")
    rows = xlsx_rows(done.file)
    assert len(rows) == expected["rows"]
    assert [i for i, row in enumerate(rows) if row["value_type"].value == "cut"] == expected["cut_rows"]
    assert [i for i, row in enumerate(rows) if not row["value"].value] == expected["blank_rows"]
    for want in expected["manifest"]:
        found = counts(done)[want["code"]]
        assert found >= want["min"] if "min" in want else found == want["count"]
    listed = [json.loads(entry) for entry in (done.manifest_file or folder).read_text(encoding="utf-8").splitlines()]
    assert {e["text"] for e in listed if e["code"] == "cell_cut"} == {texts[i] for i in expected["cut_rows"]}
    before = said(store)
    again = with_dialogues(folder, turns, "again")
    report = import_source(again, done.file)
    assert (report.accepted, report.rejected) == (9, 2)
    assert all("only the beginning" in x.reason for x in report.lines if x.code == "label_refused")
    assert said(again) < before
    again.close()
    for form in ("csv", "parquet"):  # these hold all of it
        assert set(brought(folder, put(store, folder, form).file, turns)) == before
    store.close()


def test_values_of_every_type_come_back(folder: Path) -> None:
    turns = {"00123": 2}
    store = with_dialogues(folder, turns)
    item = store.items.resolve("00123")
    values: list[tuple[str, str, Any]] = [
        ("turn:0", "accuracy", 4), ("turn:0", "completeness", "cannot_judge"), ("turn:0", "note", "4"),
        ("turn:0", "reason:accuracy", "true"), ("turn:1", "note", "[1, 2]"), ("turn:1", "reason:relevance", ""),
        ("item", "flag:=x", True), ("item", "flag:y", False), ("item", "verdict", "keep"),
        ("turn:0", "span:accuracy", [[0, 3, "幻觉与捏造"]]), ("turn:0", "tags:accuracy", ["幻觉与捏造"]),
        ("item", "verdict_reasons", []), ("turn:0", "viewing", {"opened": 1, "played": 0.25, "seen_full": 0}),
        ("item", "edit:question", "=新的"), ("item", "complete", True),
    ]  # fmt: skip
    named = {
        (t, f): "reference" if needs_responder("dialogue", f) or t != "item" else None for t, f, _ in values
    }  # fmt: skip
    store.labels.append(
        [
            Draft(rater="007", item_id=item, target=t, field=f, value=v, responder=named[t, f], at=AT)
            for t, f, v in values
        ]
    )
    before = said(store)
    for form in TABLES:
        assert set(brought(folder, put(store, folder, form).file, turns)) == before
    rows = {(row["target"], row["field"]): row for row in parquet_rows(folder / "labels.parquet")}
    assert rows["turn:0", "accuracy"]["score"] == 4 and rows["turn:0", "note"]["score"] is None
    assert rows["turn:0", "note"]["value_type"] == "text" and rows["item", "complete"]["value_type"] == "flag"
    assert counts(put(store, folder, "csv"))["cell_id"] == 2 * len(values)
    store.close()


def test_a_table_made_by_hand_is_read_by_what_its_fields_take(folder: Path) -> None:
    store = with_dialogues(folder, {"d1": 2})
    file = folder / "hand.csv"
    file.write_text(
        "dialogue_id,target,field,value,rater\r\nd1,turn:0,accuracy,4,lin\r\nd1,turn:0,note,4,lin\r\n"
        "d1,turn:1,accuracy,cannot_judge,lin\r\nd1,item,flag:x,TRUE,lin\r\nd1,turn:1,relevance,9,lin\r\n",
        encoding="utf-8-sig",
    )
    report = import_source(store, file, kind="labels")
    assert (report.records, report.accepted, report.rejected) == (5, 4, 1)
    assert "does not fit" in report.lines[0].reason
    values = {(c.current.key.target, c.current.key.field): c.current.value for c in store.labels.current()}
    assert values == {
        ("turn:0", "accuracy"): 4, ("turn:0", "note"): "4", ("turn:1", "accuracy"): "cannot_judge",
        ("item", "flag:x"): True,
    }  # fmt: skip
    store.close()


def test_a_cell_that_is_no_number_refuses_its_line_alone(folder: Path) -> None:
    store = with_dialogues(folder, {"d1": 2})
    file = folder / "hand.csv"
    file.write_text(
        "dialogue_id,target,field,value,value_type,rater,item_revision\r\n"
        "d1,turn:0,accuracy,4,number,lin,one\r\nd1,turn:0,accuracy,NaN,number,lin,1\r\n"
        "d1,turn:1,accuracy,5,number,lin,1.0\r\n",
        encoding="utf-8-sig",
    )
    report = import_source(store, file)
    assert (report.accepted, report.rejected) == (1, 2)
    assert ["no whole number" in x.reason or "value_type" in x.reason for x in report.lines] == [True, True]
    store.close()


def test_labels_of_one_rater_are_exported_alone_and_progress_is_told(folder: Path) -> None:
    store = with_dialogues(folder, {"d1": 3})
    say(store, "d1", "accuracy", [1, 2, 3], "lin")
    say(store, "d1", "accuracy", [4, 5, None], "chen")
    told: list[tuple[int, int]] = []
    done = export_labels(
        store, folder / "l.csv", format_name="csv", rater="chen", progress=lambda d, of: told.append((d, of))
    )
    assert [row["score"] for row in csv_rows(done.file)] == ["4", "5"] and done.lines == 2
    assert told[0] == (0, 5) and told[-1] == (5, 5)
    assert json.loads(done.meta.read_text(encoding="utf-8"))["counts"]["by_rater"] == {"chen": 2}
    store.close()


@pytest.mark.parametrize("form", LABEL_FORMATS)
def test_what_is_under_takedown_is_in_no_format(folder: Path, form: str) -> None:
    store = with_dialogues(folder, {"d1": 2})
    manifest = folder / "assets.jsonl"
    manifest.write_text(json.dumps({"path": "clips/a.mp4", "takedown": True, "release_form": "none"}) + "\n")
    assert not import_source(store, manifest).refused
    item = store.items.resolve("d1")
    pin = {"asset": "clips/a.mp4", "time": 1.5, "frame": 3, "box": [0, 0, 1, 1]}
    store.labels.append([
        Draft(rater="lin", item_id=item, target="turn:0", field="evidence", value=pin),
        Draft(rater="lin", item_id=item, target="turn:0", field="note", value="kept"),
    ])  # fmt: skip
    done = put(store, folder, form)
    assert (done.lines, done.taken_down) == (1, 1)
    assert b"a.mp4" not in done.file.read_bytes()
    store.close()


def test_lines_and_tables_have_the_same_labels_in_the_same_order(folder: Path) -> None:
    store = with_dialogues(folder, {"d1": 3, "d2": 2})
    say(store, "d2", "accuracy", [1, 2])
    say(store, "d1", "relevance", [1, 2, 3])
    say(store, "d1", "accuracy", [5, 4, 3])
    lines = [json.loads(x) for x in put(store, folder, "jsonl").file.read_text(encoding="utf-8").splitlines()]
    plain = [(x["source_id"], x["target"], x["field"], x["value"]) for x in lines]
    assert len(plain) == 8
    rows = csv_rows(put(store, folder, "csv").file)
    assert [(r["dialogue_id"], r["target"], r["field"], int(r["value"])) for r in rows] == plain
    for form, read in (("xlsx", xlsx_rows), ("parquet", parquet_rows)):
        assert all(list(row) == list(LABEL_COLUMNS) for row in read(put(store, folder, form).file))
    assert not any(starts_formula(cell) for row in rows for cell in row.values())
    store.close()


def test_an_unknown_format_and_events_as_a_table_are_refused(folder: Path) -> None:
    store = with_dialogues(folder, {"d1": 1})
    with pytest.raises(WorldError, match="use one of jsonl, csv, xlsx, parquet"):
        export_labels(store, folder / "l.ods", format_name="ods")
    with pytest.raises(WorldError):
        export_labels(store, folder / "l.csv", format_name="csv", events=True)
    store.close()
