"""Files cut into records: every shape, every encoding, every kind of damage."""

from __future__ import annotations

import codecs
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotator.cancel import Cancelled, CancelToken
from annotator.domain.report import ReportLine
from annotator.errors import Refused, WorldError
from annotator.importers import jsonstream, oddities, text
from annotator.importers.base import Record
from annotator.importers.jsonstream import Reader, shape_of


def _read(path: Path, data: bytes) -> tuple[list[Any], list[ReportLine], str]:
    """Values, lines, and the code of a refusal ("" where there is none)."""
    path.write_bytes(data)
    values: list[Any] = []
    lines: list[ReportLine] = []
    try:
        for found in Reader(text.inspect(path, path.name)).records():
            if isinstance(found, Record):
                values.append(found.value)
            else:
                lines.append(found)
    except Refused as error:
        return values, lines, error.code if str(path) in error.sentence else "the sentence does not name the file"
    return values, lines, ""


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every border that a long file has, in a short one."""
    monkeypatch.setattr(text, "CHUNK", 7)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)
_OBJECTS = st.lists(st.dictionaries(st.text(max_size=6), _JSON, max_size=4), max_size=5)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_OBJECTS, st.sampled_from([None, 1]), st.booleans(), st.sampled_from([1, 3, 11, 64]))
@example([{'a"\\': "]}\\\\"}, {"b": [[], {}, "[{"]}], 1, True, 1)
def test_a_list_reads_as_the_json_module_reads_it(
    tmp_path: Path, values: list[Any], indent: int | None, plain: bool, chunk: int
) -> None:
    data = json.dumps(values, indent=indent, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return  # half a pair cannot be written raw
    expected = json.loads(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "CHUNK", chunk)
        for name in ("list.json", "list.jsonl"):
            found, _, refused = _read(tmp_path / name, data)
            assert refused == ""
            assert _mended(expected) == found


def _mended(value: Any) -> Any:
    """What a value is once halves of pairs are U+FFFD."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)
    if isinstance(value, list):
        return [_mended(v) for v in value]
    return {_mended(k): _mended(v) for k, v in value.items()} if isinstance(value, dict) else value


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_OBJECTS, st.integers(0, 400), st.sampled_from([1, 5, 64]))
def test_a_list_cut_anywhere_is_refused_and_never_hangs(
    tmp_path: Path, values: list[Any], cut: int, chunk: int
) -> None:
    data = json.dumps(values).encode()
    if cut >= len(data):
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "CHUNK", chunk)
        _, lines, refused = _read(tmp_path / "cut.json", data[:cut])
    assert refused == ("cut_off" if cut else "empty") and (not cut or lines[-1].code == "cut_off")


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "gb18030", "utf-8-sig"])
@pytest.mark.usefixtures("small_chunks")
def test_encodings(tmp_path: Path, suffix: str, encoding: str) -> None:
    values = [{"a": "这是什么？"}, {"b": "不客气。😀é"}]
    rows = "\r\n".join(json.dumps(v, ensure_ascii=False) for v in values) + "\r\n"
    source = rows if suffix == "jsonl" else json.dumps(values, ensure_ascii=False, indent=1)
    mark = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    found, lines, refused = _read(tmp_path / f"f.{suffix}", mark + source.encode(encoding))
    assert (found, refused) == (values, "")
    if encoding == "utf-8-sig":
        assert lines == []
    else:
        assert [line.code for line in lines] == ["encoding"] and encoding in lines[0].reason


@pytest.mark.parametrize("bad", [b"\xff", b"\xc3\x28\xff", b"\x80\x20"])
@pytest.mark.usefixtures("small_chunks")
def test_bad_bytes_cost_one_line_of_many_and_a_whole_list(tmp_path: Path, bad: bytes) -> None:
    rows = [b'{"id": "a"}', b'{"id": "' + bad + b'\xff"}', '{"id": "好"}'.encode()]
    found, lines, refused = _read(tmp_path / "f.jsonl", b"\n".join(rows))
    assert ([v["id"] for v in found], refused) == (["a", "好"], "")
    assert [(line.code, line.line, line.record) for line in lines] == [("bad_bytes", 2, 1)]
    listed = b"[" + b",".join(rows) + b"]"
    found, lines, refused = _read(tmp_path / "f.json", listed)
    assert refused == "bad_bytes"
    with pytest.raises(UnicodeDecodeError) as caught:
        listed.decode()
    offset = caught.value.start
    assert [(line.code, line.offset) for line in lines] == [("bad_bytes", offset)]


def test_a_file_that_ends_inside_a_character_is_cut_off(tmp_path: Path) -> None:
    whole = '[{"a": "好"}, {"b": "好'.encode()
    assert _read(tmp_path / "f.json", whole[:-1])[2] == "cut_off"
    rows = '{"a": "好"}\n{"b": "好'.encode()
    found, lines, refused = _read(tmp_path / "f.jsonl", rows[:-1])
    assert (len(found), refused, [line.code for line in lines]) == (1, "", ["cut_off"])


@pytest.mark.parametrize("odd", [b"\x00\xd8", b"\x00\xdc"])
def test_utf16_with_half_a_pair(tmp_path: Path, odd: bytes) -> None:
    rows = ['{"a": "1"}'.encode("utf-16-le"), '{"a": "'.encode("utf-16-le") + odd + '"}'.encode("utf-16-le")]
    found, lines, _ = _read(tmp_path / "f.jsonl", codecs.BOM_UTF16_LE + "\n".encode("utf-16-le").join(rows))
    assert len(found) == 1 and [(line.code, line.line) for line in lines] == [("encoding", None), ("bad_bytes", 2)]
    assert _read(tmp_path / "f.json", codecs.BOM_UTF16_LE + "[".encode("utf-16-le") + rows[1])[2] == "bad_bytes"


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(
    ("name", "data", "values", "said"),
    [
        ("two.jsonl", '{"a": 1}\n\ufeff{"a": 2}\n', 2, [("bom_inside", 2)]),
        ("inside.jsonl", '{"a": 1,\ufeff "b": 2}\n', 1, [("bom_inside", 1)]),
        ("twice.jsonl", '\ufeff\ufeff{"a": 1}\n', 1, [("bom_inside", 1)]),
        ("list.json", '[{"a": 1},\n\ufeff{"a": 2}\n]', 2, [("bom_inside", 2)]),
        ("deep.json", '[{"a": 1,\n\ufeff"b": 2}]', 1, [("bom_inside", 2)]),
        ("key.json", '[{"a": 1, "a": 2}]', 1, [("dup_key", 1)]),
        ("inf.jsonl", '{"a": 1e999}\n{"a": -Infinity}\n', 2, [("non_finite", 1), ("non_finite", 2)]),
        ("half.json", '[\n{"\\ud800": "x", "b": ["\\udc00"]}]', 1, [("surrogate", 2), ("surrogate", 2)]),
        ("pair.json", '[{"a": "\\ud83d\\ude00"}]', 1, []),
        ("nul.jsonl", '{"a": "x\\u0000y"}\n{"a": "x\\ty\\u0085"}\n', 2, [("control_chars", 1), ("control_chars", 2)]),
        ("bidi.json", '[{"a": ["\u202eabc"]}]', 1, [("bidi", 1)]),
        ("twice.json", '[{"a": "ä½\xa0å¥½"}, {"a": "浣犲ソ"}]', 2, [("mojibake", 1), ("mojibake", 1)]),
        ("lone.json", '{"a": 1}', 1, []),
        ("pretty.jsonl", '{\n "a": 1,\n "b": 2\n}\n', 1, []),
        ("pretty.json", '{\n "a": {\n  "c": 1\n }\n}\n{\n "a": 2\n}\n', 2, []),
        ("rows.json", '{"a": 1}\n{"a": 2}\n', 2, []),
        ("cr.jsonl", '{"a": 1}\r{"a": 2}\r\n{"a": 3}', 3, []),
        ("nel.jsonl", '{"a": "x\u2028y\x85"}\n{"a": 2}', 2, [("control_chars", 1)]),
        ("list.jsonl", "[]\n", 0, []),
        ("oddities.json", '[1, {"a": 1}, null, "x", [], true]', 1, [("not_object", 1)] * 5),
        ("comment.jsonl", '# rows\n{"a": 1}\n{"a": 2}\n', 2, [("bad_line", 1)]),
        ("listrow.jsonl", '[]\n{"a": 1}\n', 1, [("not_object", 1)]),
        ("zeros.jsonl", '{"a": 1}\n\x00\x00\x00\n{"a": 2}\n', 2, [("bad_line", 2)]),
        ("more.jsonl", '{"a": 1} {"b": 2}\n{"a": 2}\n', 1, [("bad_line", 1)]),
        ("torn.jsonl", '{"a": 1}\n{"a": "x\n', 1, [("cut_off", 2)]),
        ("broken.jsonl", '{"a": 1}\n{"a": "x\n{"a": 2}', 2, [("bad_line", 2)]),
        ("first.jsonl", '{"a": 1,\n{"a": 2}\n', 1, [("bad_line", 1)]),
        ("bare.jsonl", '{"a": 1}\n{a: 2}\n', 1, [("bad_line", 2)]),
        ("spaces.jsonl", '\n\n  {"a": 1}  \n\n\t\n', 1, []),
    ],
)
def test_shapes_and_oddities(tmp_path: Path, name: str, data: str, values: int, said: list[tuple[str, int]]) -> None:
    found, lines, refused = _read(tmp_path / name, data.encode())
    assert refused == ""
    assert len(found) == values
    assert [(line.code, line.line) for line in lines] == said


@pytest.mark.usefixtures("small_chunks")
@pytest.mark.parametrize(
    ("name", "data", "code", "line"),
    [
        ("a.json", "not json at all, whatever it may be", "bad_json", 1),
        ("b.json", "[{}\n,\n]", "bad_json", 3),
        ("c.json", '[{"a": 1}\n {"b": 2}]', "bad_json", 2),
        ("d.json", '[{"a": 1}]\n[{"b": 2}]', "bad_json", 2),
        ("e.json", "[\n{'a': 1}]", "bad_json", 2),
        ("f.json", '[{"a": tru}, {"b": "a long text behind it"}]', "bad_json", 1),
        ("g.json", "42", "not_object", 1),
        ("h.json", "true", "not_object", 1),
        ("i.json", '[{"a": [1, 2', "cut_off", 1),
        ("j.json", '{\n "a": 1', "cut_off", 2),
        ("k.jsonl", '"done"', "not_object", 1),
        ("l.jsonl", "hello\n", "bad_line", 1),
        ("m.json", "/* c */ [{}]", "bad_json", 1),
        ("n.json", "[", "cut_off", 1),
        ("o.json", '{"a": 1,\n', "cut_off", 2),
        ("p.json", "PK\x03\x04 zip", "bad_json", 1),
    ],
)
def test_what_is_refused_says_where(tmp_path: Path, name: str, data: str, code: str, line: int) -> None:
    _, lines, refused = _read(tmp_path / name, data.encode())
    assert refused
    assert [(found.code, found.line) for found in lines][-1:] == [(code, line)]


@pytest.mark.parametrize("blank", [b"", b" \n\t\r\n", codecs.BOM_UTF8, codecs.BOM_UTF8 + b"\n", codecs.BOM_UTF16_LE])
def test_nothing_in_it(tmp_path: Path, blank: bytes) -> None:
    assert _read(tmp_path / "f.json", blank)[2] == "empty"


@pytest.mark.parametrize("depth", [201, 900, 5_000, 100_000])
@pytest.mark.usefixtures("small_chunks")
def test_nesting_harms_only_its_record(tmp_path: Path, depth: int) -> None:
    deep = '{"a": ' + "[" * depth + '"]\\"]"' + "]" * depth + "}"
    text.CHUNK = 4096  # restored by the fixture's monkeypatch
    for name, data in (
        ("d.json", f'[{{"a": 1}},\n{deep},\n{{"b": 2}}]'),
        ("d.jsonl", f'{{"a": 1}}\n{deep}\n{{"b": 2}}\n'),
    ):
        found, lines, refused = _read(tmp_path / name, data.encode())
        assert (found, refused) == ([{"a": 1}, {"b": 2}], "")
        assert [(line.code, line.line, line.record) for line in lines] == [("too_deep", 2, 1)]


def test_a_long_torn_line_is_told_at_once(tmp_path: Path) -> None:
    torn = '{"a": [' + "{}, " * 300 + '"' + "long text, " * 20_000
    assert [line.code for line in _read(tmp_path / "t.jsonl", f'{{"a": 1}}\n{torn}'.encode())[1]] == ["cut_off"]
    assert _read(tmp_path / "t.json", f"[{torn}".encode())[2] == "cut_off"


def test_nesting_up_to_the_limit_and_brackets_in_texts_are_fine(tmp_path: Path) -> None:
    value = {"a": json.loads("[" * 198 + "]" * 198), "b": "[{" * 500, "c": [{} for _ in range(300)]}
    for name, data in (("d.json", json.dumps([value])), ("d.jsonl", json.dumps(value))):
        assert _read(tmp_path / name, data.encode()) == ([value], [], "")


def test_numbers_keep_what_was_written(tmp_path: Path) -> None:
    data = '[{"a": 1.0, "b": 1e5, "c": 18446744073709551616, "d": ' + "9" * 5000 + "}]"
    (found,), lines, _ = _read(tmp_path / "n.json", data.encode())
    assert (found["a"].text, found["b"].text, found["c"], found["d"]) == ("1.0", "1e5", 2**64, "9" * 5000)
    assert lines == [] and math.isfinite(found["b"])


def test_reading_can_be_cancelled_and_tells_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text('{"a": 1}\n' * 10)
    told: list[tuple[int, int]] = []
    meter = text.Meter(2 * path.stat().st_size, lambda done, total: told.append((done, total)))
    list(Reader(text.inspect(path, "f", meter=meter), meter=meter).records())
    assert told[-1] == (180, 180) and told[0] == (90, 180)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        text.inspect(path, "f", token)


def test_a_file_that_is_not_there_or_may_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="no file"):
        text.inspect(tmp_path / "none", "none")
    with pytest.raises(WorldError, match="cannot be read"):
        text.inspect(tmp_path, "folder")


def test_the_name_decides_only_where_the_beginning_leaves_it_open() -> None:
    assert shape_of('[{"a": 1},\n{"b": 2}]', ".jsonl") == "list"
    assert shape_of("[\n{}\n]", ".jsonl") == "list"
    assert shape_of('[]\n{"a": 1}', ".json") == "list"
    assert shape_of('{"a": 1}\n{"b": 2}', ".txt") == "lines"
    assert shape_of('{\n"a": 1}', ".jsonl") == "object"
    assert jsonstream.LINE_SUFFIXES[0] == ".jsonl"


@pytest.mark.parametrize("char", [chr(c) for c in range(0x80)])
def test_what_may_be_odd_about_plain_text_is_what_the_pattern_finds(char: str) -> None:
    text = f'{{"a": "x{char}y"}}'
    found = list(oddities.odd(text))
    assert oddities.may_hold(text, 0, len(text)) == bool(found)


def test_an_escape_may_hide_something_odd() -> None:
    assert oddities.may_hold('"\\u0001"', 0, 8)
    assert oddities.may_hold("“\u202e”", 0, 3)
    assert not oddities.may_hold("“quoted”", 0, 8)
