"""Reading what judges said; kept apart from labels, so that it cannot reach a rater who scores blind."""

from __future__ import annotations

from annotator.domain.judge import JudgeRecord
from annotator.store.codec import value_of
from annotator.store.database import Database
from annotator.store.visible import NOBODY, SEEN


class Judges:
    """The published judge records of one workspace."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._db = database

    def records(self, item_id: str, responder: str | None = None, target: str | None = None) -> list[JudgeRecord]:
        """What was said of an item: of several records with one judgement id and judge, the last."""
        rows = self._db.all(
            "SELECT body FROM judge_record WHERE place IN ("
            f"SELECT max(place) FROM judge_record WHERE item_id = :item AND {SEEN} GROUP BY judgement_id, judge) "
            "AND (:responder IS NULL OR responder = :responder) AND (:target IS NULL OR target = :target) "
            "ORDER BY place",
            {"item": item_id, "own": NOBODY, "responder": responder, "target": target},
        )
        return [value_of(JudgeRecord, row[0]) for row in rows]

    def count(self) -> int:
        """How many judgements count."""
        rows = self._db.all(
            f"SELECT count(*) FROM (SELECT DISTINCT judgement_id, judge FROM judge_record WHERE {SEEN})",
            {"own": NOBODY},
        )
        return int(rows[0][0])

    def waiting(self) -> list[JudgeRecord]:
        """Records whose dialogue (or turn) is not there yet."""
        rows = self._db.all(
            f"SELECT body FROM waiting_record WHERE {SEEN} AND kind = 'judge' ORDER BY place", {"own": NOBODY}
        )
        return [value_of(JudgeRecord, row[0]) for row in rows]
