"""The tables: what was frozen is what is defined, and the log cannot be rewritten."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from annotator.errors import WorldError
from annotator.store import create_store, folding, migrations, open_store, schema
from annotator.store.database import DB_NAME
from tests.unit.store.made import RATER, score, workspace

_REST = (
    "device, seq, rater, item_id, item_revision, responder, target, field, '1', parents, rubric, phase, lang, "
    "active_ms, at, judged, extra, digest FROM label_event"
)


def _plain(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger'")
    return {name: re.sub(r"\s+", "", sql) for name, sql in rows}


def test_the_frozen_text_says_what_the_sqlmodel_tables_say() -> None:
    from annotator.store import bulk, tables

    assert bulk.TABLES  # which imports every module of tables
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as frozen:
        migrations.migrate(frozen)
        made = _plain(frozen)
    with closing(sqlite3.connect(":memory:")) as defined:
        engine = create_engine("sqlite://", creator=lambda: defined, poolclass=StaticPool)
        tables.SQLModel.metadata.create_all(engine)
        wanted = _plain(defined)
        engine.dispose()
    assert made == wanted
    assert len(made) > 16


def test_every_table_is_strict(tmp_path: Path) -> None:
    create_store(tmp_path / "w", rater=RATER).close()
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        loose = connection.execute("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'")
        assert loose.fetchall() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE label_event SET value = '5'",
        "DELETE FROM label_event",
        f"INSERT OR REPLACE INTO label_event SELECT arrival, event_id, {_REST}",
        f"INSERT OR REPLACE INTO label_event SELECT arrival + 1, 'other', {_REST}",
    ],
    ids=["update", "delete", "replace", "replace-seq"],
)
def test_no_program_can_rewrite_the_log(tmp_path: Path, statement: str) -> None:
    with workspace(tmp_path / "w") as store:
        event = store.labels.append([score(value=4)])[0]
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as stranger:
        try:
            stranger.execute(statement)
            stranger.commit()
        except sqlite3.IntegrityError:
            stranger.rollback()
        held = stranger.execute("SELECT event_id, value FROM label_event").fetchall()
    assert held == [(event.event_id, "4")]


def test_a_migration_backs_up_first_and_keeps_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(tmp_path / "w") as store:
        event = store.labels.append([score(value=4)])[0]

    def second(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE added (name TEXT PRIMARY KEY) STRICT")

    steps = (*migrations.STEPS, second)
    monkeypatch.setattr("annotator.store.opening.STEPS", steps)
    monkeypatch.setattr(migrations.refuse_newer, "__defaults__", (len(steps),))
    monkeypatch.setattr(migrations.migrate, "__defaults__", (steps,))
    with open_store(tmp_path / "w", write=True) as store:
        assert store.labels.event(event.event_id) == event
        assert store.database.all("SELECT count(*) FROM added") == [(0,)]
    assert (tmp_path / "w" / "backups" / f"before-version-{len(steps)}-from-{len(steps) - 1}.db").exists()


def test_a_migration_that_fails_leaves_the_version_as_it_was() -> None:
    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE added (name TEXT PRIMARY KEY) STRICT")
        raise sqlite3.OperationalError("no such thing")

    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        with pytest.raises(sqlite3.OperationalError):
            migrations.migrate(connection, (*migrations.STEPS, broken))
        assert migrations.version_of(connection) == len(migrations.STEPS)
        assert connection.execute("SELECT name FROM sqlite_master WHERE name = 'added'").fetchall() == []


def test_a_newer_version_is_refused_and_not_touched(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    file = tmp_path / "w" / DB_NAME
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA user_version = 99")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = file.read_bytes()
    for write in (True, False):
        with pytest.raises(WorldError, match="newer version") as caught:
            open_store(tmp_path / "w", write=write)
        assert caught.value.code == "newer_version"
    assert file.read_bytes() == before


def test_the_application_id_is_ours() -> None:
    assert schema.APPLICATION_ID.to_bytes(4, "big") == b"RBAN"


_AS_IN_3 = """
CREATE TABLE label_current_3 (
    item_id TEXT NOT NULL, responder TEXT NOT NULL, rater TEXT NOT NULL, phase TEXT NOT NULL,
    target TEXT NOT NULL, field TEXT NOT NULL, value TEXT NOT NULL, rivals TEXT NOT NULL, heads TEXT NOT NULL,
    item_revision INTEGER NOT NULL, judged TEXT NOT NULL, rubric TEXT NOT NULL, at TEXT NOT NULL,
    stale INTEGER NOT NULL, PRIMARY KEY (item_id, responder, rater, phase, target, field)
) WITHOUT ROWID, STRICT;
"""


@pytest.mark.parametrize("how", ["write", "read", "fixed"])
def test_currents_of_version_3_are_brought_over_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    with workspace(tmp_path / "w") as store:
        first = store.labels.append(
            [score(value=2), score(field="naturalness", value=3), score(field="naturalness", value=4)]
        )
        told = replace(first[0], event_id="f" * 8, device="another", seq=1, value=5, parents=())
        store.labels.merge([replace(told, digest=told.compute_digest())])
        held = store.database.all(f"SELECT {folding.CURRENT_COLUMNS} FROM label_current")
        said = store.labels.current()
    assert sum(c.current.in_conflict for c in said) == 1
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        connection.executescript(_AS_IN_3)
        connection.execute(f"INSERT INTO label_current_3 SELECT {folding.READ_COLUMNS} FROM {folding.CURRENTS}")
        connection.execute("DROP TABLE label_current")
        connection.execute("DROP TABLE spot_draw")
        connection.execute("ALTER TABLE label_current_3 RENAME TO label_current")
        connection.execute("CREATE INDEX label_event_key ON label_event (item_id, target, field, rater)")
        connection.execute("PRAGMA user_version = 3")
        connection.commit()
    if how == "fixed":
        monkeypatch.setattr("annotator.store.opening.writable", lambda *_: False)
    before = (tmp_path / "w" / DB_NAME).read_bytes()
    with open_store(tmp_path / "w", write=how == "write") as store:
        assert store.database.all(f"SELECT {folding.CURRENT_COLUMNS} FROM label_current") == held
        assert store.labels.current() == said
        result = store.upkeep.check()
        assert result.rebuilt_equal, result.problems
    kept = (tmp_path / "w" / "backups").glob("before-version-5-from-3.db")
    assert len(list(kept)) == (how != "fixed")
    assert ((tmp_path / "w" / DB_NAME).read_bytes() == before) == (how == "fixed")


@pytest.mark.parametrize("write", [True, False])
def test_draws_of_version_4_go_where_blind_connections_may_not_read(tmp_path: Path, write: bool) -> None:
    drawn = {
        "project": "pilot", "seed": 1, "size": 1, "by": ["score"], "population": 4, "reveal": True,
        "power": {"rho": 0.3},
        "strata": [{"by": {"score": "2"}, "population": 4, "drawn": 1, "weight": 4.0}],
        "units": [["dialogue:1", "m", "turn:0", 4.0]],
    }  # fmt: skip
    with workspace(tmp_path / "w") as store:
        store.desk.set("project:pilot", drawn)
        store.desk.set("projects", ["pilot"])
        store.desk.set("project:of another kind", {"units": "none"})
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        connection.execute("DROP TABLE spot_draw")
        connection.execute("PRAGMA user_version = 4")
        connection.commit()
    with open_store(tmp_path / "w", write=write) as store:
        held = store.desk.get("project:pilot")
        digest = held.pop("digest")
        assert held == {name: value for name, value in drawn.items() if name not in ("strata", "power")} | {
            "units": [["dialogue:1", "m", "turn:0"]]
        }
        assert store.spots.bodies() == {digest: drawn} and store.spots.body("other") is None
        assert store.desk.get("project_digests") == {"pilot": digest}
        assert store.desk.get("project:of another kind") == {"units": "none"}
