"""Drawn spot-checks: what was drawn is for everybody, by which chance is not.

The weight of a unit tells its stratum, and a stratum may be a judge's score. So the whole draw lies in a table that
blind connections may not read, and what a rater's window needs (which units, and whether the judge is shown after the
commit) lies among the facts of the workspace.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, Final

from annotator.domain.base import content_hash
from annotator.store.codec import text_of
from annotator.store.database import Database
from annotator.store.desk import set_meta

PREFIX: Final = "project:"
DIGESTS: Final = "project_digests"
_CLOSED: Final = frozenset({"strata", "power"})


def open_part(body: Mapping[str, Any], digest: str) -> dict[str, Any]:
    """What of a draw tells nothing of judges: no strata, and units without their weights."""
    kept = {name: value for name, value in body.items() if name not in _CLOSED}
    return kept | {"units": [list(unit[:3]) for unit in body["units"]], "digest": digest}


class SpotDraws:
    """The draws of one workspace, whole."""

    def __init__(self, database: Database) -> None:
        """Read from and write to `database`."""
        self._db = database

    def bodies(self) -> dict[str, dict[str, Any]]:
        """Digest to draw, all of them. WorldError (`blind`) on a blind connection."""
        if not self._there():
            return {}
        return {digest: json.loads(body) for digest, body in self._db.all("SELECT digest, body FROM spot_draw")}

    def body(self, digest: str) -> dict[str, Any] | None:
        """One draw. WorldError (`blind`) on a blind connection."""
        if not self._there():
            return None
        found = self._db.all("SELECT body FROM spot_draw WHERE digest = ?", (digest,))
        return dict(json.loads(found[0][0])) if found else None

    def keep(self, digest: str, body: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        """Keep a draw, and the facts that name it, in one transaction; one that is there stays."""
        with self._db.write() as connection:
            _put(connection, digest, body)
            for name, value in facts.items():
                set_meta(connection, name, value)

    def _there(self) -> bool:
        """A workspace of an earlier version that is only read has no such table."""
        return bool(self._db.all("SELECT 1 FROM sqlite_master WHERE name = 'spot_draw'"))


def _put(connection: sqlite3.Connection, digest: str, body: Mapping[str, Any]) -> None:
    connection.execute(
        "INSERT INTO spot_draw (digest, body) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING", (digest, text_of(body))
    )


def part_draws(connection: sqlite3.Connection) -> None:
    """Move the draws that an earlier version kept whole among the facts into their table."""
    digests: dict[str, str] = {}
    held = connection.execute("SELECT name, value FROM meta WHERE name GLOB 'project:*' ORDER BY name").fetchall()
    for name, text in held:
        body = json.loads(text)
        if not isinstance(body, dict) or not {"units", "strata"} <= body.keys():
            continue
        digest = digests[name.removeprefix(PREFIX)] = content_hash(body)
        _put(connection, digest, body)
        set_meta(connection, name, open_part(body, digest))
    if digests:
        set_meta(connection, DIGESTS, digests)
