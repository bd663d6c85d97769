"""How a workspace is kept: items in batches, labels in an append-only log, and nothing a person entered ever lost.

The walk of one label: `Labels.append` takes the writer's lock and begins one transaction; the label gets its place in
this device's log, names the events that it supersedes, and is inserted with its digest; what the key says now and the
progress of its queue row are written beside it; COMMIT, then one fsynced line in the journal, then the call returns. A
merge takes in events of other devices by the same way, as a union of sets.

An import writes rows that nobody sees until its last transaction publishes them all.

Rows and tables never leave this room. Opening, reading and appending use the standard library's driver alone; SQLModel
and SQLAlchemy, which cost more than a start of the window, are imported when an import begins.
"""

from __future__ import annotations

from annotator.store.import_writer import ImportWriter
from annotator.store.imports import Imports
from annotator.store.opening import create_store, open_store
from annotator.store.predictions import LightPrediction, Predictions
from annotator.store.recover import rebuild_from_journal, restore
from annotator.store.store import Store
from annotator.store.values import (
    ANY,
    CheckResult,
    CurrentLabel,
    Draft,
    ImportInfo,
    ItemHead,
    Known,
    MergeResult,
    PredictionRun,
    Quarantined,
    Recovered,
    WaitingPrediction,
)

__all__ = [
    "create_store",
    "open_store",
    "restore",
    "rebuild_from_journal",
    "Store",
    "Imports",
    "ImportWriter",
    "ANY",
    "Draft",
    "Known",
    "ItemHead",
    "ImportInfo",
    "CurrentLabel",
    "MergeResult",
    "Predictions",
    "LightPrediction",
    "PredictionRun",
    "WaitingPrediction",
    "Quarantined",
    "CheckResult",
    "Recovered",
]
