"""Label lines: their order is a function of what they say, and no value is written that JSON does not know."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.domain.fold import Current
from annotator.domain.labels import Key
from annotator.errors import WorldError
from annotator.report.lines import current_line, current_order
from annotator.report.writing import json_line, whole_file, write_lines


def label(target: str, field: str, value: object = 3, responder: str | None = "m", rater: str = "lin") -> Current:
    key = Key(rater, "dialogue:1", responder, target, field, "blind")
    return Current(key, value, (), ("e1",), 1, "", "rubric-mme@1.0", "2026-01-01T00:00:00.000000Z")


def test_lines_stand_in_the_order_of_work() -> None:
    wanted = [
        label("item", "verdict", "keep", responder=None),
        label("turn:2", "accuracy"),
        label("turn:2", "reason:accuracy", "x"),
        label("turn:2", "completeness"),
        label("turn:2", "note", "x"),
        label("turn:10", "accuracy"),
        label("session", "session_consistency"),
        label("turn:0", "accuracy", rater="zhou"),
    ]
    mixed = list(wanted)
    random.Random(3).shuffle(mixed)
    assert sorted(mixed, key=current_order) == wanted


def test_a_stale_label_says_so_and_others_do_not() -> None:
    assert "stale" not in current_line(label("turn:0", "accuracy"), "d1", "en", 5)
    assert current_line(label("turn:0", "accuracy"), "d1", "en", 5, stale=True)["stale"] is True


@pytest.mark.parametrize("value", [math.nan, math.inf, [1, {"a": -math.inf}]])
def test_what_is_no_json_is_not_written(tmp_path: Path, value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        write_lines(tmp_path / "l.jsonl", [{"value": value}])
    assert list(tmp_path.iterdir()) == []


def test_text_is_written_as_it_is_and_halves_as_escapes() -> None:
    assert json_line("中文 👍 \u2028") == '"中文 👍 \u2028"\n'.encode()
    assert json.loads(json_line("half \ud83d")) == "half \ud83d"
    assert json_line("a\nb").count(b"\n") == 1


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    file.write_bytes(b"before")

    def write_half() -> None:
        with whole_file(file) as handle:
            handle.write(b"after")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        write_half()
    assert file.read_bytes() == b"before" and list(tmp_path.iterdir()) == [file]


def test_a_cancelled_export_writes_nothing(tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        write_lines(tmp_path / "l.jsonl", [1, 2], token)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="is a folder"):
        write_lines(tmp_path, [])
    with pytest.raises(WorldError, match="not there"):
        write_lines(tmp_path / "no" / "l.jsonl", [])
    (tmp_path / "file").touch()
    with pytest.raises(WorldError, match="not there"):
        write_lines(tmp_path / "file" / "l.jsonl", [])


def test_a_very_long_name_can_be_written(tmp_path: Path) -> None:
    file = tmp_path / ("长" * 78 + ".jsonl")
    assert write_lines(file, [1], meta=lambda count, digest: {"lines": count})[0] == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == [file.name, file.name + ".meta.json"]


def test_an_export_and_what_is_told_beside_it_appear_together_or_not(tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    (tmp_path / "l.jsonl.meta.json").mkdir()
    with pytest.raises(WorldError, match=r"l\.jsonl\.meta\.json is a folder"):
        write_lines(file, [1], meta=lambda count, digest: {"lines": count})
    assert not file.exists()
