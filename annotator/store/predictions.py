"""Reading what models put out; kept apart from labels, so that it cannot reach a rater who answers blind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from annotator.domain.questions import Prediction
from annotator.store.codec import value_of
from annotator.store.database import Database
from annotator.store.values import PredictionRun
from annotator.store.visible import NOBODY, SEEN

_OWN: Final = {"own": NOBODY}


class LightPrediction(NamedTuple):
    """What figures need of an output: its question, model, kind and letters (None for none, and for no answer)."""

    item_id: str
    model: str
    state: str
    official: str | None
    vlmevalkit: str | None
    careful: str | None


class Predictions:
    """The published outputs of one workspace."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._db = database

    def of(self, item_id: str) -> list[Prediction]:
        """The outputs for one question, in order of import."""
        rows = self._db.all(
            "SELECT body FROM prediction_body WHERE place IN ("
            f"SELECT min(place) FROM prediction WHERE item_id = :item AND {SEEN} GROUP BY model) ORDER BY place",
            {"item": item_id, **_OWN},
        )
        return [value_of(Prediction, row[0]) for row in rows]

    def light(self, model: str | None = None) -> Iterator[LightPrediction]:
        """All outputs (of one model), in order of import, without their texts."""
        rows = self._db.all(
            f"SELECT item_id, model, state, official, vlmevalkit, careful FROM prediction WHERE {SEEN} "
            "AND (:model IS NULL OR model = :model) ORDER BY place",
            {"model": model, **_OWN},
        )
        return map(LightPrediction._make, rows)

    def hashes(self, model: str) -> dict[str, str]:
        """The hash of each published output of a model, by question."""
        rows = self._db.all(
            f"SELECT item_id, content_hash FROM prediction WHERE model = :model AND {SEEN} ORDER BY place DESC",
            {"model": model, **_OWN},
        )
        return {row[0]: row[1] for row in rows}

    def disagreements(self) -> dict[str, tuple[str, ...]]:
        """By question, the models whose output the rules read differently, in order of import."""
        rows = self._db.all(
            f"SELECT item_id, model FROM prediction WHERE {SEEN} AND (official IS NOT vlmevalkit OR official IS NOT "
            "careful) ORDER BY place",
            _OWN,
        )
        found: dict[str, dict[str, None]] = {}
        for item_id, model in rows:
            found.setdefault(item_id, {})[model] = None
        return {item_id: tuple(models) for item_id, models in found.items()}

    def models(self) -> list[str]:
        """Every model that has outputs here, in order of import."""
        return list(dict.fromkeys(run.model for run in self.runs()))

    def runs(self) -> list[PredictionRun]:
        """The files of outputs that were read."""
        rows = self._db.all(
            f"SELECT model, file, collection, chunk, chunks, records FROM prediction_run WHERE {SEEN} ORDER BY place",
            _OWN,
        )
        return [PredictionRun._make(row) for row in rows]

    def count_of(self, item_id: str) -> int:
        """How many models have an output for one question."""
        query = f"SELECT count(DISTINCT model) FROM prediction WHERE item_id = :item AND {SEEN}"
        return int(self._db.all(query, {"item": item_id, **_OWN})[0][0])

    def count(self) -> int:
        """How many outputs count."""
        return int(self._db.all(f"SELECT count(*) FROM prediction WHERE {SEEN}", _OWN)[0][0])

    def waiting(self) -> int:
        """How many outputs wait for their question."""
        with self._db.seeing():  # the table is shared with judges' records
            rows = self._db.all(f"SELECT count(*) FROM waiting_record WHERE {SEEN} AND kind = 'prediction'", _OWN)
        return int(rows[0][0])
