"""Tables of labels, read back by openpyxl, csv and pyarrow: every cell is what was said, and nothing in them runs."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.cancel import Cancelled, CancelToken
from annotator.domain import cells
from annotator.errors import WorldError
from annotator.report import table_xlsx
from annotator.report.lines import Line
from annotator.report.tables_of_labels import FORMATS, Written, write_rows, write_table
from tests.helpers.exporting import csv_rows, parquet_rows, xlsx_rows

NASTY = st.text(
    st.one_of(
        st.sampled_from(
            [*"=+-@\t\r\n'\"＝＋－＠,;_x0041 ", "\x00", "\x1f", "\x7f", "\u202e", "👍", "\ufeff", "\u2028"]
        ),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=30,
)
IDS = st.one_of(NASTY, st.from_regex(r"\A[0-9]{1,40}\Z"), st.sampled_from(["00123", "1E5", "TRUE", "3-4", "+44"]))
VALUES = st.one_of(
    NASTY, st.booleans(), st.integers(1, 5), st.lists(NASTY, max_size=3), st.just([[0, 3, "x"]]), st.just({"a": -0.25})
)


def line(value: Any = 4, **more: Any) -> Line:
    """A label line."""
    return {
        "item": "dialogue:1", "source_id": "d1", "responder": "acme::alpha::t", "target": "turn:0", "field": "accuracy",
        "value": value, "rater": "lin", "phase": "blind", "at": "2026-03-02T09:30:00.000001Z",
        "rubric": "rubric-mme@1.0", "item_revision": 1, "lang": "zh_CN", "active_ms": 900, **more,
    }  # fmt: skip


def put(folder: Path, form: str, lines: list[Line]) -> tuple[Path, Written]:
    """Write a table."""
    file = folder / f"labels.{form}"
    return file, write_table(file, [(one, "dialogue") for one in lines], form)


def notes(written: Written) -> list[dict[str, Any]]:
    """The list beside a table."""
    if written.file is None:
        return []
    return [json.loads(one) for one in written.file.read_text(encoding="utf-8").splitlines()]


def shown(value: Any) -> str:
    """A value as a cell's text."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(st.lists(st.tuples(IDS, IDS, VALUES), min_size=1, max_size=12))
def test_what_is_read_back_is_what_was_said(tmp_path: Path, said: list[tuple[str, str, Any]]) -> None:
    lines = [line(value, source_id=name, rater=who) for name, who, value in said]
    file, _ = put(tmp_path, "csv", lines)
    for row, (name, who, value) in zip(csv_rows(file), said, strict=True):
        assert cells.unmarked(row["dialogue_id"], of_id=True) == name
        assert cells.unmarked(row["rater"], of_id=True) == who
        assert cells.unmarked(row["value"]) == shown(value)
        assert not any(cells.starts_formula(cell) for cell in row.values())
    file, _ = put(tmp_path, "xlsx", lines)
    for row, (name, _, value) in zip(xlsx_rows(file), said, strict=True):
        assert cells.unescaped(row["dialogue_id"].value or "") == name
        cell = row["value"]
        if isinstance(value, bool | int):
            assert (cell.value, cell.data_type) == (value, "b" if isinstance(value, bool) else "n")
        else:
            assert (cells.unescaped(cell.value or ""), cell.data_type) == (shown(value), "s")
        assert "f" not in {one.data_type for one in row.values()}
    file, _ = put(tmp_path, "parquet", lines)
    for held, (name, who, value) in zip(parquet_rows(file), said, strict=True):
        assert (held["dialogue_id"], held["rater"], held["value"]) == (name, who, shown(value))


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_the_columns_stand_in_one_order_and_the_id_first(tmp_path: Path, form: str) -> None:
    file, written = put(tmp_path, form, [])
    names = {
        "csv": lambda: file.read_bytes().decode("utf-8-sig").removesuffix("\r\n").split(","),
        "xlsx": lambda: [cell.value for cell in openpyxl.load_workbook(file).active[1]],
        "parquet": lambda: pq.read_schema(file).names,
    }[form]()
    assert names == list(cells.LABEL_COLUMNS) and names[0] == "dialogue_id"
    assert written == Written(0, [], None)


def test_csv_is_what_excel_takes_for_utf_8(tmp_path: Path) -> None:
    file, _ = put(tmp_path, "csv", [line('说"好"，a,b\nc', field="note"), line(5, responder=None, source_id=None)])
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbfdialogue_id,")
    assert data.count(b"\r\n") == 3 and data.endswith(b"\r\n") and data.count(b"\xef\xbb\xbf") == 1
    assert '"说""好""，a,b\nc"'.encode() in data
    assert data.splitlines()[-1].startswith(b",dialogue:1,dialogue,,turn:0,turn,0,accuracy,5,5,number,lin,")


def test_parquet_has_typed_columns(tmp_path: Path) -> None:
    odd = line(True, field="flag:x", target="item", at="yesterday", stale=True)
    file, written = put(tmp_path, "parquet", [line(), odd, line("cannot_judge")])
    schema = pq.read_schema(file)
    assert schema.field("at").type == pa.timestamp("us", "UTC") and schema.field("score").type == pa.int64()
    assert schema.field("stale").type == pa.bool_() and schema.field("value").type == pa.string()
    first, second, third = parquet_rows(file)
    assert first["at"] == datetime(2026, 3, 2, 9, 30, 0, 1, UTC) and (first["score"], first["value"]) == (4, "4")
    assert (second["at"], second["value"], second["value_type"], second["index"]) == (None, "true", "flag", None)
    assert (second["stale"], first["stale"]) == (True, False)
    assert (third["score"], third["value"]) == (None, "cannot_judge")
    assert written.told == [{"code": "time_text", "count": 1}] and notes(written)[0]["text"] == "yesterday"


def test_a_workbook_has_its_head_frozen_and_a_filter(tmp_path: Path) -> None:
    file, _ = put(tmp_path, "xlsx", [line(), line("=1", field="note")])
    book = openpyxl.load_workbook(file)
    sheet = book.active
    assert (book.sheetnames, sheet.freeze_panes, sheet.auto_filter.ref) == (["labels"], "A2", "A1:S3")
    assert "not for training" in book.properties.description
    assert sheet["A1"].font.b and sheet["A2"].number_format == "@" and sheet["A2"].data_type == "s"
    assert sheet["J3"].quotePrefix and not sheet["A3"].quotePrefix and sheet["J3"].value == "=1"
    assert sheet["I2"].data_type == "n" and sheet.column_dimensions["A"].number_format == "@"
    assert zipfile.ZipFile(file).testzip() is None


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    columns = {"dialogue_id": "id", "n": "whole", "value": "value"}
    rows = [{"dialogue_id": "d", "n": -1, "value": v} for v in (-1, -0.25, 1e-07)]
    write_rows(tmp_path / "n.csv", rows, columns, "csv")
    assert (tmp_path / "n.csv").read_bytes().split(b"\r\n")[1:4] == [b"d,-1,-1", b"d,-1,-0.25", b"d,-1,1e-07"]
    write_rows(tmp_path / "n.xlsx", rows, columns, "xlsx")
    found = [(row["n"].data_type, row["value"].value) for row in xlsx_rows(tmp_path / "n.xlsx")]
    assert found == [("n", -1), ("n", -0.25), ("n", 1e-07)]


def test_what_does_not_fit_is_listed_with_its_whole_text(tmp_path: Path) -> None:
    long, bell = "长" * 40_000, "bell\x07"
    lines = [
        line("=1", field="note"),
        line(bell, field="note"),
        line(long, field="note"),
        line("_x0041_", field="note"),
    ]
    file, written = put(tmp_path, "xlsx", lines)
    assert written.told == [
        {"code": c, "count": 1} for c in ("cell_cut", "cell_escape", "cell_formula", "control_chars")
    ]  # fmt: skip
    formula, control, cut, escape = notes(written)
    assert (formula["row"], formula["column"], formula["sheet"]) == (2, "value", "labels")
    assert (formula["item"], formula["dialogue_id"], formula["target"]) == ("dialogue:1", "d1", "turn:0")
    assert control["text"] == bell and cut["text"] == long and escape["code"] == "cell_escape"
    rows = xlsx_rows(file)
    assert [row["value_type"].value for row in rows] == ["text", "text", "cut", "text"]
    held = rows[2]["value"].value
    assert len(held) == cells.CELL_UNITS and held.startswith("长" * 32_000) and "[cut: 40,000 characters" in held
    assert rows[1]["value"].value == "bell_x0007_" and rows[3]["value"].value == "_x005F_x0041_"


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_half_a_character_is_told_everywhere(tmp_path: Path, form: str) -> None:
    file, written = put(tmp_path, form, [line("half \ud83d", field="note", source_id="\ud83dx")])
    rows = {"csv": csv_rows, "xlsx": xlsx_rows, "parquet": parquet_rows}[form](file)
    value = rows[0]["value"]
    assert (value if isinstance(value, str) else value.value) == "half \ufffd"
    assert written.told == [{"code": "surrogate", "count": 2}]
    assert [note["text"] for note in notes(written)] == ["\ud83dx", "half \ud83d"]


def test_ids_are_listed_once_with_the_number_of_their_cells(tmp_path: Path) -> None:
    _, written = put(tmp_path, "csv", [line(source_id=name) for name in ("007", "d", "007", "+44")])
    assert written.told == [{"code": "cell_formula", "count": 1}, {"code": "cell_id", "count": 2}]
    assert [(n["code"], n["row"], n["text"], n["cells"]) for n in notes(written)] == [
        ("cell_id", 2, "007", 2), ("cell_formula", 5, "+44", 1),
    ]  # fmt: skip
    _, written = put(tmp_path, "xlsx", [line(source_id=name) for name in ("007", "+44")])
    assert written.told == [{"code": "cell_formula", "count": 1}]


def test_a_list_of_an_earlier_export_does_not_stay(tmp_path: Path) -> None:
    put(tmp_path, "csv", [line("=1", field="note")])
    assert (tmp_path / "labels.csv.manifest.jsonl").exists()
    put(tmp_path, "csv", [line("1", field="note")])
    assert [p.name for p in tmp_path.iterdir()] == ["labels.csv"]


def test_rows_beyond_a_sheet_go_on_in_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Small(table_xlsx.XlsxSink):
        def __init__(self, *rest: Any) -> None:
            super().__init__(*rest, max_rows=3)

    monkeypatch.setitem(FORMATS, "xlsx", Small)
    file, _ = put(tmp_path, "xlsx", [line(f"n{i}", field="note") for i in range(5)])
    assert openpyxl.load_workbook(file).sheetnames == ["labels", "labels 2", "labels 3"]
    assert [row["value"].value for row in xlsx_rows(file)] == [f"n{i}" for i in range(5)]
    assert table_xlsx.MAX_ROWS == 1_048_576


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_equal_labels_are_equal_files(tmp_path: Path, form: str) -> None:
    digests = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        file, _ = put(tmp_path / name, form, [line(), line("x", field="note")])
        digests.add(hashlib.sha256(file.read_bytes()).hexdigest())
    assert len(digests) == 1


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / f"labels.{form}"
    file.write_bytes(b"before")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WorldError, match="the disk is full: free some space") as told:
        put(tmp_path, form, [line("=1", field="note")])
    assert told.value.code == "disk_full"
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [(file.name, b"before")]


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_a_disk_that_fills_up_between_two_rows_is_told_in_one_sentence(tmp_path: Path, form: str) -> None:
    def lines() -> Iterator[tuple[Line, str]]:
        yield line(), "dialogue"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(WorldError, match="the disk is full"):
        write_table(tmp_path / f"l.{form}", lines(), form)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", sorted(FORMATS))
def test_what_is_stopped_leaves_nothing(tmp_path: Path, form: str) -> None:
    token = CancelToken()

    def lines() -> Iterator[tuple[Line, str]]:
        for number in range(5_000):
            if number == 700:
                token.cancel()
            yield line("=1", field="note"), "dialogue"

    with pytest.raises(Cancelled):
        write_table(tmp_path / f"l.{form}", lines(), form, token)
    assert list(tmp_path.iterdir()) == []


def test_the_file_beside_says_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "l.csv"
    write_table(
        file, [(line("-", field="note"), "dialogue")], "csv", None, lambda n, digest: {"lines": n, "sha256": digest}
    )
    meta = json.loads((tmp_path / "l.csv.meta.json").read_text(encoding="utf-8"))
    assert meta["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest() and meta["lines"] == 1
    assert meta["manifest"] == [{"code": "cell_formula", "count": 1}]
    assert meta["manifest_file"] == "l.csv.manifest.jsonl" and meta["columns"][0] == "dialogue_id"
    assert meta["evaluation_only"] is True and "one away" in meta["rules"]


def test_a_text_that_a_spreadsheet_shows_in_part_is_told_and_whole(tmp_path: Path) -> None:
    texts = ["长" * cells.CELL_UNITS, "长" * (cells.CELL_UNITS + 1), "👍" * 20_000]
    file, written = put(tmp_path, "csv", [line(text, field="note") for text in texts])
    assert [row["value"] for row in csv_rows(file)] == texts
    assert [(note["code"], note["row"]) for note in notes(written)] == [("cell_long", 3), ("cell_long", 4)]
