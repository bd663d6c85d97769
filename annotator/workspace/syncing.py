"""The door for syncing: a workspace and a shared folder, how it stands, and settling what two devices differ on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from annotator.cancel import CancelToken
from annotator.domain.queue import QueueFilter
from annotator.domain.wire import size, without
from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.store import CurrentLabel, Draft, Store
from annotator.store.locks import FileLock
from annotator.sync import Hub
from annotator.workspace.sync_facts import ACKNOWLEDGED, ROOT, Facts
from annotator.workspace.sync_run import Run
from annotator.workspace.sync_take import Progress
from annotator.workspace.sync_views import Aside, CameIn, Conflict, Side, SyncReport, SyncState, WaitingItem
from annotator.workspace.views import Changes
from annotator.workspace.workspace import Workspace

_LOCK: Final = "sync.lock"
_LOCK_WAIT_S: Final = 30.0
_FOLDERS: Final = f"{ROOT}folders"  # path to hub id, of every folder ever synced with
_CHOSEN: Final = f"{ROOT}chosen"
_LAST: Final = f"{ROOT}last"
_VERIFY_EVERY_S: Final = 7 * 86400


def sync(
    workspace: Workspace,
    folder: Path,
    *,
    begin_again: bool = False,
    verify: bool = False,
    token: CancelToken | None = None,
    progress: Progress | None = None,
    clock: Callable[[], float] = time.time,
) -> SyncReport:
    """Unite this workspace's labels with those of everybody who syncs with the folder.

    `begin_again` says that a folder that was emptied or replaced since is to be used all the same: everything that is
    here is then written there. `verify` compares every bundle, not only those of devices of which something came.

    Raises:
        WorldError: the folder is gone, full or another one than last time; this machine's disk is full; a sync of this
            workspace is running. Nothing is lost then. Cancelled: what came in until then stays.
    """
    store = workspace.store
    if store.read_only:
        raise ReadOnlyWorkspace(store.why or "The workspace can only be read.", code="read_only")
    started = time.monotonic()
    folder = folder.expanduser().resolve()
    with ExitStack() as stack:
        _lock(store, stack)
        hub = _hub(store, folder, begin_again)
        due = store.desk.get(f"{ROOT}{hub.id}/verified", 0.0)
        verify = verify or clock() - float(due) > _VERIFY_EVERY_S
        run = Run(store, hub, token, progress, clock)
        try:
            run.go(verify)
        finally:
            _settle(workspace, run)
        report = _report(workspace, run, started)
        notes = {**run.notes(), _LAST: {"at": clock(), "report": report.raw()}}
        if verify:
            notes[f"{ROOT}{hub.id}/verified"] = clock()
        notes[run.facts.name("waiting")] = {w.item_id: run.riders.items.get(w.item_id, {}) for w in report.waiting}
        store.union.note(notes)
    return report


def _lock(store: Store, stack: ExitStack) -> None:
    """One sync of a workspace at a time, whoever starts it."""
    lock = FileLock(store.folder / _LOCK)
    stack.callback(lock.close)
    if not lock.acquire(_LOCK_WAIT_S):
        raise WorldError(
            f"Another sync of {store.folder} is running ({lock.holder()}): wait until it is done.",
            code="sync_running",
            path=str(store.folder),
        )


def _hub(store: Store, folder: Path, begin_again: bool) -> Hub:
    """The folder's hub, if it is the one of last time; a folder that was emptied or replaced is asked about.

    An empty folder is never a reason to remove labels here. But it may be a drive that is not connected, or another
    project's, so that nothing is written to it before a person says so.
    """
    known: dict[str, str] = store.desk.get(_FOLDERS, {})
    before = known.get(str(folder))
    hub = Hub.open(folder, make=before is None or begin_again, by=store.device)
    again = "sync again and say that it is to be used all the same (--begin-again)"
    if hub is None:
        raise WorldError(
            f"{folder} was emptied, or its drive is not connected: nothing was changed here or there; connect the "
            f"drive, or {again}: then all labels of this workspace are written there.",
            code="hub_gone",
            path=str(folder),
        )
    if before is not None and hub.id != before and not begin_again:
        raise WorldError(
            f"{folder} is another shared folder than last time: nothing was changed here or there; choose the right "
            f"one, or {again}.",
            code="hub_changed",
            path=str(folder),
        )
    if hub.id != before:
        store.desk.set(_FOLDERS, {**known, str(folder): hub.id})
    if store.desk.get(_CHOSEN) != str(folder):
        store.desk.set(_CHOSEN, str(folder))
    return hub


def _settle(workspace: Workspace, run: Run) -> None:
    """What came in of this rater's own may change the queue, even where the sync stopped half-way."""
    if any(rater == workspace.rater for rater, _, _ in run.taken.rows) or run.riders.taken or run.riders.others.draws:
        workspace.queue(QueueFilter(), fresh=True)


def _report(workspace: Workspace, run: Run, started: float) -> SyncReport:
    store, taken, riders = workspace.store, run.taken, run.riders
    items = store.union.unknown({*riders.items, *(item for _, item, _ in taken.rows)})
    waiting = [
        WaitingItem(
            item,
            str(riders.items.get(item, {}).get("source_id", "")),
            str(riders.items.get(item, {}).get("title", "")),
            count,
        )
        for item, count in sorted(run.waiting(items).items())
    ]
    return SyncReport(
        folder=str(run.hub.folder),
        hub=run.hub.id,
        device=store.device,
        at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        sent=run.sent,
        sent_judges=run.sent_judges,
        bundles_written=run.written,
        bundles_read=run.read,
        received=taken.inserted,
        came_in=tuple(CameIn(rater, device, n) for (rater, device), n in sorted(taken.by.items())),
        duplicates=taken.duplicates,
        quarantined=tuple(q.reason for q in taken.quarantined),
        judges=riders.taken,
        judges_waiting=riders.waiting,
        judges_differ=riders.differ,
        attributions=riders.others.attributions,
        draws=riders.others.draws,
        sent_others=run.sent_others,
        troubles=tuple(run.troubles),
        notices=tuple(dict.fromkeys([*run.notices, *riders.notices, *riders.others.notices])),
        waiting=tuple(waiting),
        differences=tuple(run.differences),
        stopped="" if run.stopped is None else run.stopped.sentence,
        conflicts=len(store.union.conflicts(workspace.rater)) if taken.inserted else 0,
        events=run.events,
        raters=run.raters,
        devices=len(run.facts.coverage(run.present)),
        seconds=round(time.monotonic() - started, 3),
    )


# ------------------------------------------------------------------------------------------------------- how it stands
def state(workspace: Workspace) -> SyncState:
    """How syncing stands; quick, and the shared folder is not looked at."""
    store = workspace.store
    chosen = store.desk.get(_CHOSEN)
    last = store.desk.get(_LAST)
    report = SyncReport.of(last["report"]) if last else None
    return SyncState(
        folder=Path(chosen) if chosen else None,
        minutes=int(store.desk.get(f"{ROOT}minutes", 0)),
        waiting=_waiting(store, chosen),
        last=report if report is not None and report.folder == chosen else None,
        last_at=float(last["at"]) if last and report is not None and report.folder == chosen else None,
        conflicts=len(store.union.conflicts(workspace.rater)),
    )


def _waiting(store: Store, chosen: str | None) -> int:
    """How many events of this device lie in no bundle of the chosen folder."""
    hub = store.desk.get(_FOLDERS, {}).get(chosen or "")
    reached = store.union.reached(store.device)
    if hub is None or not reached:
        return reached
    facts = Facts(store, hub)
    return size(without([(1, reached)], facts.coverage(facts.bundles).get(store.device, ())))


def choose(workspace: Workspace, folder: Path | None, minutes: int | None = None) -> None:
    """Remember which folder to sync with, and how often by itself (0 for never)."""
    desk = workspace.store.desk
    desk.set(_CHOSEN, None if folder is None else str(folder.expanduser().resolve()))
    if minutes is not None:
        desk.set(f"{ROOT}minutes", max(0, minutes))


def quarantine(workspace: Workspace) -> list[Aside]:
    """What is kept aside; never with its value, which a rater who scores blind must not see."""
    found = []
    seen = int(workspace.store.desk.get(ACKNOWLEDGED, 0))
    for entry in workspace.store.labels.quarantine():
        event: dict[str, Any] = entry["event"]
        about = " ".join(str(event.get(name) or "") for name in ("item_id", "target", "field")).strip()
        found.append(
            Aside(
                entry["event_id"],
                str(event.get("rater", "")),
                str(event.get("device", "")),
                about,
                entry["reason"],
                entry["at"],
                entry["place"] <= seen,
            )
        )
    return found


def acknowledge(workspace: Workspace) -> int:
    """Say that what is kept aside was seen: it stays, and the next sync does not call it a difference.

    Returns how many events were acknowledged that were not before.
    """
    store = workspace.store
    seen = int(store.desk.get(ACKNOWLEDGED, 0))
    places = [int(entry["place"]) for entry in store.labels.quarantine()]
    fresh = [place for place in places if place > seen]
    if fresh:
        store.desk.set(ACKNOWLEDGED, max(fresh))
    return len(fresh)


# ----------------------------------------------------------------------------------------------------------- conflicts
def conflicts(workspace: Workspace) -> list[Conflict]:
    """What this rater said differently on two devices; other raters' labels are no conflict and are not shown."""
    return [_conflict(workspace, held) for held in workspace.store.union.conflicts(workspace.rater)]


def _conflict(workspace: Workspace, held: CurrentLabel) -> Conflict:
    store, key = workspace.store, held.current.key
    head = store.items.head(key.item_id)
    events = [e for event_id in held.current.heads if (e := store.labels.event(event_id)) is not None]
    return Conflict(
        item_id=key.item_id,
        responder=key.responder,
        target=key.target,
        field=key.field,
        phase=key.phase,
        title=head.title if head else "",
        source_id=head.source_id if head else key.item_id,
        shown=workspace.names().get(key.responder, "") if key.responder else "",
        sides=tuple(Side(e.event_id, e.value, e.device, e.at, e.device == store.device) for e in events),
    )


def settle(workspace: Workspace, conflict: Conflict, event_id: str, lang: str = "") -> Changes:
    """Say one of the sides once more, superseding all that rival now; the others stay in the log.

    Raises:
        WorldError: the side is not there any more, or it could not be saved.
    """
    store = workspace.store
    event = store.labels.event(event_id)
    if event is None or event.rater != workspace.rater:
        raise WorldError("This label is not there any more: look at the list again.", code="no_conflict")
    store.labels.append(
        [
            Draft(
                rater=workspace.rater,
                item_id=conflict.item_id,
                target=conflict.target,
                field=conflict.field,
                value=json.loads(json.dumps(event.value)),
                responder=conflict.responder,
                phase=conflict.phase,
                rubric=event.rubric,
                lang=lang,
                item_revision=event.item_revision,
                judged=event.judged,
            )
        ]
    )
    responders = [conflict.responder] if conflict.responder else store.items.responders_of(conflict.item_id)
    rows = frozenset((conflict.item_id, r) for r in responders)
    workspace.rows(rows)
    cell = (conflict.item_id, conflict.responder, conflict.target, conflict.field)
    return Changes(rows=rows, cells=(cell,), events=1)
