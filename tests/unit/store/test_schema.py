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
from tests.unit.store.older import make_version_5

_REST = "device, seq, subject, setting, field, '1', parents, active_ms, at, extra, digest FROM label_log"


def _plain(connection: sqlite3.Connection) -> dict[str, str]:
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type NOT IN ('trigger', 'view')"
    )
    return {name: re.sub(r"\s+", "", sql) for name, sql in rows}


def test_the_frozen_text_says_what_the_sqlmodel_tables_say() -> None:
    from annotator.store import bulk, tables, tables_log

    assert bulk.TABLES  # which imports every other module of tables
    assert tables_log.LabelLogRow.__tablename__ == "label_log"
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
        loose = connection.execute(
            "SELECT name FROM pragma_table_list WHERE strict = 0 AND type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        assert loose.fetchall() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE label_event SET value = '5'",
        "DELETE FROM label_event",
        "UPDATE label_log SET value = '5'",
        "DELETE FROM label_log",
        f"INSERT OR REPLACE INTO label_log SELECT arrival, event_id, {_REST}",
        f"INSERT OR REPLACE INTO label_log SELECT arrival + 1, 'other', {_REST}",
        "UPDATE label_subject SET rater = 'another'",
        "DELETE FROM label_subject",
        "INSERT OR REPLACE INTO label_subject SELECT subject, item_id, responder, 'x', phase, target "
        "FROM label_subject",
        "INSERT OR REPLACE INTO label_subject SELECT subject + 9, item_id, responder, rater, phase, target "
        "FROM label_subject",
        "UPDATE label_setting SET judged = 'another'",
        "DELETE FROM label_setting",
        "INSERT OR REPLACE INTO label_setting SELECT setting, 'x', item_revision, rubric, lang FROM label_setting",
        "INSERT OR REPLACE INTO label_setting SELECT setting + 9, judged, item_revision, rubric, lang "
        "FROM label_setting",
        "UPDATE label_device SET name = 'another'",
        "DELETE FROM label_device",
        "INSERT OR REPLACE INTO label_device SELECT device, 'x' FROM label_device",
        "INSERT OR REPLACE INTO label_device SELECT device + 9, name FROM label_device",
    ],
)
def test_no_program_can_rewrite_the_log(tmp_path: Path, statement: str) -> None:
    with workspace(tmp_path / "w") as store:
        event = store.labels.append([score(value=4)])[0]
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as stranger:
        try:
            stranger.execute(statement)
            stranger.commit()
        except (sqlite3.IntegrityError, sqlite3.OperationalError):  # a trigger's refusal, or a view's
            stranger.rollback()
    with open_store(tmp_path / "w", write=False) as store:
        assert list(store.labels.events()) == [event]


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
        make_version_5(connection)
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
    kept = (tmp_path / "w" / "backups").glob("before-version-6-from-3.db")
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
        make_version_5(connection)
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


def test_the_log_of_version_5_is_brought_over_whole(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        mine = store.labels.append(
            [score(value=2), score(field="naturalness", value=3), score(field="naturalness", value=None)]
        )
        rival = replace(mine[0], event_id="f" * 8, device="another", seq=1, value=5, parents=())
        odd = replace(
            rival, seq=7, event_id="\u6807\u6ce8", responder=None, field="note", value={"b": "\u4e2d", "a": [1.5]},
            rubric="other@2", lang="zh_CN", item_revision=9, judged="", extra="+", rater="\u738b",
        )  # fmt: skip
        merged = store.labels.merge(replace(e, digest=e.compute_digest()) for e in (rival, odd))
        assert merged.inserted == 2
        events, said = list(store.labels.events()), store.labels.current()
        queue = store.database.all(f"SELECT {folding.PROGRESS_COLUMNS} FROM progress")
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        make_version_5(connection)
    with open_store(tmp_path / "w", write=True) as store:
        assert list(store.labels.events()) == events
        assert store.labels.current() == said
        assert store.database.all(f"SELECT {folding.PROGRESS_COLUMNS} FROM progress") == queue
        result = store.upkeep.check()
        assert result.ok and result.events == 5
        assert store.labels.append([score(value=1)])[0].seq == 4
        assert store.upkeep.check().ok
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        assert connection.execute("SELECT count(*) FROM label_subject").fetchone() == (2,)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_log_that_was_written_anew_leaves_no_empty_pages_behind(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(field="note", value=f"{n} " * 300) for n in range(200)])
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        make_version_5(connection)
        connection.execute("VACUUM")
    with open_store(tmp_path / "w", write=True) as store:
        assert store.upkeep.check().ok
        free, pages = (store.database.all(f"PRAGMA {of}")[0][0] for of in ("freelist_count", "page_count"))
    assert 4 * free <= pages and pages > 20


def test_an_event_that_was_altered_in_version_5_is_still_found(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(value=2), score(value=3)])
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as connection:
        make_version_5(connection)
        connection.execute("DROP TRIGGER label_event_no_update")
        connection.execute("UPDATE label_event SET digest = 'no digest' WHERE seq = 1")
        connection.commit()
    with open_store(tmp_path / "w", write=True) as store:
        assert "1 label events were altered" in store.upkeep.check().problems[0]


def test_an_event_whose_subject_is_gone_is_found(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(value=2)])
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as stranger:
        stranger.execute("DROP TRIGGER label_subject_no_delete")
        stranger.execute("DELETE FROM label_subject")
        stranger.commit()
    with open_store(tmp_path / "w", write=True) as store:
        assert "1 label events were altered" in store.upkeep.check().problems[0]
