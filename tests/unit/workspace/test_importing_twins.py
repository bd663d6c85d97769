"""Relatives of the trouble inputs: the same kinds of damage in other clothes, with what must come of them."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.report import ImportReport
from annotator.store import Store
from annotator.workspace.problems import decide, waiting
from tests.helpers.imports import bring, codes, judged, lines_of, sample, video, workspace, write

TWO = [video("甲一", 1), video("d2", 1)]
LIST = json.dumps(TWO, ensure_ascii=False)
LINES = "".join(json.dumps(v, ensure_ascii=False) + "\n" for v in TWO)
FIRST, SECOND = LINES.splitlines(keepends=True)
MIXED = FIRST.encode("gbk") + '{"这": 1\n'.encode() + SECOND.encode()


def _imported(tmp_path: Path, name: str, data: bytes) -> tuple[ImportReport, list[str]]:
    tmp_path.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(data)
    with workspace(tmp_path) as store:
        report = bring(store, tmp_path / name)
        return report, [h.source_id for h in store.items.heads()]


@pytest.mark.parametrize(
    ("name", "data", "said", "ids"),
    [
        ("f.json", codecs.BOM_UTF8 + LIST.encode(), {}, ["甲一", "d2"]),
        ("f.jsonl", codecs.BOM_UTF8 + LINES.replace("\n", "\r\n").encode(), {}, ["甲一", "d2"]),
        ("f.jsonl", LINES.replace("\n", "\r").encode(), {}, ["甲一", "d2"]),
        ("f.jsonl", LINES.encode("gbk"), {"encoding": 1}, ["甲一", "d2"]),
        ("f.jsonl", LINES.encode("utf-16"), {"encoding": 1}, ["甲一", "d2"]),
        ("f.json", codecs.BOM_UTF16_BE + LIST.encode("utf-16-be"), {"encoding": 1}, ["甲一", "d2"]),
        ("f.json", f"[{FIRST},\ufeff{SECOND}]".encode(), {"bom_inside": 1}, ["甲一", "d2"]),
        ("f.jsonl", (FIRST + "\ufeff" + SECOND).encode(), {"bom_inside": 1}, ["甲一", "d2"]),
        ("f.jsonl", b"\xef\xbb\xbf" * 2 + LINES.encode(), {"bom_inside": 1}, ["甲一", "d2"]),
        ("f.jsonl", MIXED, {"bad_bytes": 1, "bad_line": 1}, ["d2"]),
        ("f.jsonl", LINES.encode("gbk") + b"\xff", {"bad_bytes": 2}, ["d2"]),
        ("f.jsonl", LINES.encode()[:-30], {"cut_off": 1}, ["甲一"]),
        ("f.jsonl", b"// ours\n" + LINES.encode(), {"bad_line": 1}, ["甲一", "d2"]),
        ("f.jsonl", FIRST.encode() + b"[" * 5000 + b"\n" + SECOND.encode(), {"too_deep": 1}, ["甲一", "d2"]),
        ("f.jsonl", FIRST.encode() + b"[1]\n7\nnull\n", {"not_object": 3}, ["甲一"]),
    ],
)  # fmt: skip
def test_bytes_and_shapes(tmp_path: Path, name: str, data: bytes, said: dict[str, int], ids: list[str]) -> None:
    report, held = _imported(tmp_path, name, data)
    assert not report.refused and (codes(report), held) == (said, ids)
    assert report.records == len(ids) + report.rejected


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("f.json", LIST.encode("utf-16-le"), "bad_json"),
        ("f.jsonl", LINES.encode("utf-16-be"), "bad_line"),
        ("f.json", LIST.encode("utf-32"), "bad_json"),
        ("f.json", codecs.BOM_UTF16_LE + LIST.encode("utf-16-le")[:-1], "cut_off"),
        ("f.json", LIST.encode("gbk")[:-9], "cut_off"),
        ("f.json", (LIST + LIST).encode(), "bad_json"),
        ("f.json", LIST.replace("}]", "},]").encode(), "bad_json"),
        ("f.json", LIST.replace('"', "'").encode(), "bad_json"),
        ("f.json", b"null", "not_object"),
    ],
)
def test_what_is_refused_as_a_whole(tmp_path: Path, name: str, data: bytes, code: str) -> None:
    report, held = _imported(tmp_path, name, data)
    assert report.refused and held == [] and lines_of(report, code)


@pytest.mark.parametrize(("name", "text"), [("f.json", LIST), ("f.jsonl", LINES)])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_characters_without_their_mark_are_told_as_such(
    tmp_path: Path, name: str, text: str, encoding: str
) -> None:
    report, _ = _imported(tmp_path, name, text.encode(encoding))
    assert report.refused and "UTF-16" in report.notes[0]
    report, _ = _imported(tmp_path / "plain", name, text.encode()[: len(text) // 3])
    assert "UTF-16" not in report.notes[0] and "export it again" in report.notes[0]


def _talk(name: Any, *entries: Any, **more: Any) -> dict[str, Any]:
    return video(name, 0, **more) | {"stream_conversation": {"conversations": list(entries)}}


ODD = {"bidi": 1, "control_chars": 1, "mojibake": 1}
ASK: dict[str, Any] = {"speaker": "user", "timestamp": "1", "text": "q"}
TELL: dict[str, Any] = {"speaker": "ai", "timestamp": "2", "text": "r"}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (_talk("a", ASK, TELL, environment="personal_living_space–kitchen"), {"scenario_unknown": 1}),
        (_talk("a", ASK, TELL, environment="retail/consumption (new)-x"), {"scenario_unknown": 1}),
        (_talk("a", ASK, TELL, environment="<b>x</b>-y"), {}),
        (_talk("a", ASK, TELL, environment={"k": 1}), {"field_type": 1}),
        (_talk("a", ASK | {"text": "a\u202eb\x1b"}, TELL | {"text": "Ã©tÃ©"}), ODD),
        (_talk("a", ASK | {"text": ["q"]}, TELL | {"text": 7}), {"field_type": 2}),
        (_talk("a", ASK | {"timestamp": "０：０５"}, TELL), {"time_text": 1}),
        (_talk("a", ASK | {"timestamp": "99:99"}, TELL), {"time_text": 1}),
        (_talk("a", ASK | {"timestamp": [5]}, TELL), {"time_text": 1}),
        (_talk("a", [ASK], ASK, "text", None, TELL), {"entry_not_object": 3}),
        (_talk("a", {"speaker": "User", "text": "x"}, ASK, TELL, TELL), {"unknown_speaker": 1, "shared_question": 1}),
        (_talk("a", TELL, ASK, ASK), {"empty_question": 1, "superseded_user": 1, "unanswered": 1}),
        ({"_ai_unique_id_": "a", "image_conversation": "none"}, {"no_conversation": 1}),
    ],
)  # fmt: skip
def test_oddities_of_one_dialogue(tmp_path: Path, record: dict[str, Any], said: dict[str, int]) -> None:
    report, held = _imported(tmp_path, "f.json", json.dumps([record], ensure_ascii=False).encode())
    assert (codes(report), held) == (said, ["a"])


def test_numbers_that_are_none_anywhere_in_a_record(tmp_path: Path) -> None:
    text = json.dumps([_talk("ID", ASK | {"timestamp": "AT"}, TELL, conversation_meta={"k": ["META"]})])
    text = text.replace('"ID"', "NaN").replace('"AT"', "-1e999").replace('"META"', "Infinity")
    report, _ = _imported(tmp_path, "f.json", text.encode())
    assert codes(report) == {"non_finite": 3, "id_repaired": 1}
    assert "NaN" not in report.model_dump_json().replace("NaN or Infinity", "")


def test_keys_that_stand_twice(tmp_path: Path) -> None:
    text = json.dumps([_talk("a", ASK, TELL)])
    text = text.replace('"text": "q"', '"text": "first", "text": "q", "text": "last"')
    (tmp_path / "f.json").write_text(
        text.replace('"_ai_unique_id_": "a"', '"_ai_unique_id_": "b", "_ai_unique_id_": "a"')
    )
    with workspace(tmp_path) as store:
        assert codes(bring(store, tmp_path / "f.json")) == {"dup_key": 3}
        assert store.items.dialogue(store.items.resolve("a")).turns[0].question == "last"


# ---------------------------------------------------------------------------------------- the same id more than once
A, B = _talk("a", ASK, TELL), _talk("a", ASK, TELL | {"text": "other"})


@pytest.mark.parametrize(
    ("records", "said", "waits"),
    [
        ([A, A, A], {"dup_exact": 2}, 0),
        ([A, dict(reversed(A.items()))], {"dup_exact": 1}, 0),
        ([A, B, B], {"dup_conflict": 1, "dup_exact": 1}, 1),
        ([A, B, A], {"dup_conflict": 1, "dup_exact": 1}, 1),
    ],
)
@pytest.mark.parametrize("files", [False, True], ids=["one-file", "many-files"])
def test_one_id_several_records(
    tmp_path: Path, records: list[Any], said: dict[str, int], waits: int, files: bool
) -> None:
    for number, part in enumerate([[r] for r in records] if files else [records]):
        write(tmp_path / "data" / f"{number}.json", part)
    with workspace(tmp_path) as store:
        report = bring(store, tmp_path / "data")
        assert (report.dialogues, report.records, codes(report)) == (1, len(records), said)
        assert len(waiting(store)) == waits
        assert store.items.dialogue(store.items.resolve("a")).turns[0].reference == "r"


def test_other_content_in_a_later_import(tmp_path: Path) -> None:
    first, second = write(tmp_path / "1.json", [A]), write(tmp_path / "2.json", [B])
    with workspace(tmp_path) as store:
        bring(store, first)
        for _ in range(2):
            report = bring(store, second)
            assert codes(report) == {"dup_conflict": 1} and (report.new, report.revised) == (0, 0)
        assert len(waiting(store)) == 1
        decide(store, waiting(store)[0].id, "keep-second")
        for source in (second, first):
            report = bring(store, source)
            assert codes(report) == {} and report.unchanged == 1
        assert store.items.dialogue(store.items.resolve("a")).turns[0].reference == "other"


def test_ids_that_resemble_each_other_over_imports(tmp_path: Path) -> None:
    sources = [
        write(tmp_path / f"{k}.json", [_talk(name, ASK, TELL)]) for k, name in enumerate(["x1", "X1 ", "x1\u200b"])
    ]
    with workspace(tmp_path) as store:
        assert codes(bring(store, sources[0])) == {}
        for source in sources[1:] * 2:
            assert [line.reason.count('"x1"') for line in lines_of(bring(store, source), "id_lookalike")] == [1]
        assert codes(bring(store, sources[0])) == {}
        report = bring(store, write(tmp_path / "j.jsonl", [judged("X1"), judged("x1")]))
        assert (report.matched, report.waiting, codes(report)) == (1, 1, {"judge_unmatched": 1})
        assert 'resembles "x1"' in lines_of(report, "judge_unmatched")[0].reason


@pytest.mark.parametrize("name", ["1.23E+15", "1,23E+15", "-1E+05", "1.23e+15", " ##### ", "#N/A"])
def test_ids_of_a_spreadsheet_are_left_out_in_every_file(tmp_path: Path, name: str) -> None:
    with workspace(tmp_path) as store:
        for source in ([video(name)], [sample(name)], [judged(name)]):
            report = bring(store, write(tmp_path / "f.jsonl", source))
            assert (codes(report), report.rejected, report.waiting) == ({"id_damaged": 1}, 1, 0)
        assert store.items.heads() == []


def test_a_round_that_nothing_places_is_left_out(tmp_path: Path) -> None:
    lost = judged("d1") | {"round_index": None, "round_id": "the second"}
    alone = {
        "dialogue_id": "d1",
        "round_id": "?",
        "prediction": "p",
        "question_text": "q",
        "provider": "p",
        "model_name": "m",
    }
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        for record in (lost, alone):
            report = bring(store, write(tmp_path / "r.jsonl", [record]))
            assert (codes(report), report.records, report.rejected) == ({"round_unknown": 1}, 1, 1)
        assert store.items.responders(store.items.resolve("d1")) == []


def test_a_settled_scale_is_told_again(tmp_path: Path) -> None:
    judges = write(tmp_path / "j.jsonl", [judged("d1", k, scores={"accuracy": {"score": 80 + k}}) for k in range(3)])
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1", 3)]))
        assert codes(bring(store, judges)) == {"scale_suspect": 1, "score_rejected": 3}
        decide(store, waiting(store)[0].id, "map-scale")
        report = bring(store, judges)
        assert (report.score_values, codes(report)) == (3, {})
        assert report.notes == ["1 open question was settled before (map-scale)."]


# --------------------------------------------------------------------------------------------------- folders, labels
def test_what_a_folder_holds_beside_the_data_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    write(data / "dataset.json", [video("d1")])
    (data / "cut.json").write_text('[{"_ai_unique_id_": "b", "stream_conv')
    (data / "broken.jsonl").write_text("{nope\n")
    (data / "bytes.json").write_bytes(b'["\xff"]')
    (data / "settings.json").write_text('{"x": 1}')
    (data / "empty.json").write_text("")
    (data / "notes.csv").write_text("a,b\n1,2\n")
    (data / "gone.json").symlink_to(tmp_path / "nowhere.json")
    os.mkfifo(data / "pipe.json")
    with workspace(tmp_path) as store:
        report = bring(store, data)
        assert (report.dialogues, report.refused) == (1, False)
        assert {line.file: line.code for line in report.lines} == {
            "cut.json": "cut_off", "broken.jsonl": "bad_line", "bytes.json": "bad_bytes"
        }  # fmt: skip
        for name in ("cut", "broken", "bytes", "settings", "empty", "notes", "gone", "pipe"):
            assert sum(note.startswith(name) for note in report.notes) == 1, name


def _label(**more: Any) -> dict[str, Any]:
    return {"item": "d1", "responder": "reference", "target": "turn:0", "field": "accuracy", "value": 4} | more


def _values(store: Store) -> list[Any]:
    return [held.current.value for held in store.labels.current(item_id=store.items.resolve("d1"))]


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "[NaN]", "1e999"])
def test_a_number_that_is_none_takes_no_label_back(tmp_path: Path, value: str) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        bring(store, write(tmp_path / "l.jsonl", [_label()]), rater="lin")
        text = json.dumps(_label(value="HERE")).replace('"HERE"', value)
        (tmp_path / "n.jsonl").write_text(text + "\n" + json.dumps(_label(target="turn:1")) + "\n")
        report = bring(store, tmp_path / "n.jsonl", rater="lin")
        assert codes(report) == {"non_finite": 1, "label_refused": 1} and (report.accepted, report.rejected) == (1, 1)
        assert _values(store) == [4, 4]
