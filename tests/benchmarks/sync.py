"""Syncing through a folder at the size of a whole benchmark: 15 raters, 70,308 labels each, SQLite to SQLite.

CPU seconds of one process, since wall time depends on the disk and on whatever else the machine does. The labels are
made in the order in which people work (dialogue by dialogue), one in twenty is said a second time, and one in twelve is
a fact with a nested value. They go through everything that a sync does: digests of all events proved, journal, current
labels, progress, comparison.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from annotator.domain.base import canonical_json
from annotator.domain.ids import item_id, uuid7
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.wire import Wire, line_of, proved
from annotator.store import Draft, create_store
from annotator.store.log_rows import LogRows
from annotator.store.union import BATCH, Taken
from annotator.sync import Contents, Header, Hub
from annotator.workspace.syncing import sync
from annotator.workspace.workspace import Workspace
from tests.benchmarks.rows import Row, quantile

RATERS, PER_RATER = 15, 70_308
WHY = (
    "Measured part by part, of some 16 microseconds for an event: its line read and unpacked 1.0; cut into columns "
    "2.2; the proof of its digest 1.2; names to numbers 1.9; its row and the two unique indexes of the log 3.2; "
    "current label, chains and progress 2.8; the write-ahead log and its way into the file 1.5 to 2.3; comparison with "
    "the rows and journal 0.8. The target came from a copy of finished rows from another database file, with nothing "
    "read or proved."
)
MODEL = "northlight::Northlight-Omni-1::omnibench_video_stream_tts"


def run(raters: int = RATERS, per_rater: int = PER_RATER) -> list[Row]:
    """Measure writing one rater's labels, taking all in, nothing new, and a thousand new ones."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        shared = root / "shared"
        shared.mkdir()
        wires = _published(shared, raters, per_rater)
        floor = _floor(root / "floor.db", wires, raters)
        with Workspace(create_store(root / "hub", rater="hub")) as hub, _one(root / "one", wires) as one:
            sent, _ = _timed(one, root / "empty")
            cpu, report = _timed(hub, shared)
            assert report.received == raters * per_rater and report.ok
            again, report = _timed(hub, shared)
            assert (report.received, report.bundles_read) == (0, 0)
            fresh = [
                Draft("one", item_id("dialogue", f"b{n % 700}", "video"), "turn:9", "note", f"n{n}", responder=MODEL)
                for n in range(1000)
            ]
            one.store.labels.append(fresh)
            sync(one, shared)
            more, report = _timed(hub, shared)
            assert report.received >= 1000
            whole, report = _timed(hub, shared, verify=True)
            assert report.ok
        waits = _beside(root / "beside", root / "few", shared)
        n = raters * per_rater
        size = sum(f.stat().st_size for f in shared.rglob("*.gz"))
        return [
            Row(f"{n:,} events of {raters} devices into an empty workspace", cpu, "s CPU", 10.0,
                f"{floor:.2f} s to insert the finished rows with executemany, nothing else; {cpu / floor:.2f} of it",
                f"{n / cpu:,.0f} events/s; {size / n:.0f} bytes an event in the folder", WHY),
            Row("nothing new", again, "s CPU", 0.1, "", f"{raters} bundles known"),
            Row("1,000 new events and one rater's log", more, "s CPU", 1.0, "", f"{report.events:,} events here"),
            Row("compare every bundle with the rows, and prove every file", whole, "s CPU", None, "", ""),
            Row(f"write {per_rater:,} events", sent, "s CPU", None, "", ""),
            Row("a label saved while two raters' logs come in", quantile(waits, 0.95), "ms p95", None, "",
                f"p50 {quantile(waits, 0.5):.1f}, longest {max(waits):.0f}, {len(waits)} labels"),
        ]  # fmt: skip


def _beside(folder: Path, few: Path, shared: Path) -> list[float]:
    """Wall milliseconds that each label took which a person made while the logs of two raters came in."""
    few.mkdir()
    shutil.copy(shared / "hub.json", few)
    for device in sorted((shared / "bundles").iterdir())[:2]:
        shutil.copytree(device, few / "bundles" / device.name)
    waits = []
    with Workspace(create_store(folder, rater="beside")) as door:
        work = threading.Thread(target=sync, args=(door, few))
        work.start()
        while work.is_alive():
            before = time.perf_counter()
            door.store.labels.append([Draft("beside", item_id("dialogue", "b1", "video"), "turn:0", "accuracy", 4)])
            waits.append(1000 * (time.perf_counter() - before))
            time.sleep(0.03)
        work.join()
    return waits


def _timed(door: Workspace, folder: Path, **more: bool) -> tuple[float, object]:
    folder.mkdir(exist_ok=True)
    before = time.process_time()
    report = sync(door, folder, **more)
    return time.process_time() - before, report


def _published(shared: Path, raters: int, per_rater: int) -> list[Wire]:
    """Everybody's bundle in the folder; returns the first rater's events."""
    hub = Hub.open(shared, make=True)
    assert hub is not None
    first: list[Wire] = []
    for n in range(raters):
        device = uuid7()
        events = list(_log(n, device, per_rater))
        first = first or [wire for _, wire in events]
        contents = Contents(((device, seq, wire) for seq, wire in events), last=per_rater)
        hub.write(Header(device, 1, rater=f"rater{n}", written_at=time.time()), contents)
    return first


def _log(number: int, device: str, count: int) -> Iterator[tuple[int, Wire]]:
    chance = random.Random(number)
    order = list(range(734))
    chance.shuffle(order)
    seq = 0
    last: tuple[str, list[object]] | None = None
    while True:
        for dialogue in order:
            item = item_id("dialogue", f"b{dialogue}", "video")
            for turn in range(8):
                judged = hashlib.md5(f"{dialogue}.{turn}".encode(), usedforsecurity=False).hexdigest()
                for name in (*TURN_DIMENSIONS, *SESSION_DIMENSIONS[:3], "viewing"):
                    value: object = {"opened": 1, "played": 0.5} if name == "viewing" else chance.randrange(1, 6)
                    target = "session" if name in SESSION_DIMENSIONS and turn == 0 else f"turn:{turn}"
                    parents: list[str] = []
                    if last is not None and chance.random() < 0.05:
                        target, name, value, parents = str(last[1][7]), str(last[1][8]), 1, [last[0]]
                        judged = str(last[1][16])
                    seq += 1
                    event = uuid7()
                    fields: list[object] = [
                        event, device, seq, f"rater{number}", item, 1, MODEL, target, name, value, parents,
                        "rubric-mme@1.0", "blind", "en", 1200, "2026-03-02T09:30:00.123456Z", judged, "",
                    ]  # fmt: skip
                    last = (event, fields)
                    text = canonical_json(fields)
                    yield seq, Wire(hashlib.blake2b(text.encode(), digest_size=16).hexdigest(), text)
                    if seq == count:
                        return
            last = None


def _one(folder: Path, wires: list[Wire]) -> Workspace:
    """A workspace that holds one rater's log, as that of its own device."""
    store = create_store(folder, rater="one")
    taken = Taken()
    device = json.loads(wires[0].text)[1]
    for at in range(0, len(wires), BATCH):
        store.union.take([line_of(w) for w in wires[at : at + BATCH]], taken)
    store.labels.device = device
    return Workspace(store)


def _floor(file: Path, wires: list[Wire], raters: int) -> float:
    """CPU seconds to insert the rows of all raters into equal tables, with nothing to parse, prove or fold."""
    store = create_store(file.with_suffix(""), rater="floor")
    store.close()
    file = file.with_suffix("") / "workspace.db"
    connection = sqlite3.connect(file, isolation_level=None)
    made = LogRows(connection)
    rows = []
    for wire in wires:
        held = json.loads(wire.text)
        held[9], held[10] = json.dumps(held[9]), json.dumps(held[10])
        rows.append(made.row((*held, wire.digest)))
    assert all(map(proved, wires[:100]))
    before = time.process_time()
    for at in range(0, len(rows), BATCH):
        connection.execute("BEGIN IMMEDIATE")
        part = rows[at : at + BATCH]
        connection.executemany(f"INSERT INTO label_log VALUES (NULL, {', '.join('?' * 12)})", part)
        connection.executemany(
            "INSERT OR IGNORE INTO label_now VALUES (?, ?, ?, '', ?, '', '', '', 0)",
            [(r[3], r[5], r[6], at + n) for n, r in enumerate(part, 1)],
        )
        connection.execute("COMMIT")
    spent = time.process_time() - before
    connection.close()
    return spent * raters


if __name__ == "__main__":
    for row in run():
        print(" | ".join(row.cells()))
