"""The numbers by which the log names what is said once: found again, made once, the same however they are asked for."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from annotator.store import create_store, log_rows
from annotator.store.log_rows import DEVICES, SETTINGS, SUBJECTS, Kind, LogRows
from tests.unit.store.made import RATER

_KEYS = {
    DEVICES: [("d1",), ("d2",), ("d1",), ("设备",)],
    SUBJECTS: [
        (item, who, rater, phase, target)
        for item, who, rater, phase, target in product(
            ("i1", "i2"), ("", "m"), ("ann", "李"), ("blind",), ("item", "turn:0")
        )
    ]
    * 2,
    SETTINGS: [(judged, revision, "r@1", lang) for judged, revision, lang in product(("", "ab"), (1, 2), ("en", ""))]
    * 2,
}


@pytest.mark.parametrize("seeks", [0, 20_000], ids=["each", "many"])
@pytest.mark.parametrize("kind", list(_KEYS), ids=["device", "subject", "setting"])
def test_many_numbers_are_what_each_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Kind, seeks: int) -> None:
    monkeypatch.setattr(log_rows, "SEEKS", seeks)
    keys = _KEYS[kind]
    with create_store(tmp_path / "w", rater=RATER) as store:
        with store.database.write() as connection:
            LogRows(connection).number(kind, keys[1])  # one is there already
            made = LogRows(connection).numbers(kind, keys)
        with store.database.write() as connection:
            rows = LogRows(connection)
            assert rows.numbers(kind, list(reversed(keys))) == list(reversed(made))
            assert [LogRows(connection).number(kind, key) for key in keys] == made
            held = connection.execute(kind.last).fetchone()[0]
    named = dict(zip(keys, made, strict=True))
    assert len(set(named.values())) == len(named) == len(set(keys)) == held
