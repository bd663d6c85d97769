"""The command that unites a workspace's labels with others' through a shared folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened, stoppable

if TYPE_CHECKING:
    from annotator.workspace.sync_views import SyncReport

_SHOWN = 20


def sync(
    workspace: Folder,
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="A folder that all share: a drive, a stick.", show_default=False, readable=False
        ),
    ],
    begin_again: Annotated[
        bool, typer.Option("--begin-again", help="Use the folder although it was emptied or is another one.")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare every bundle in the folder, not only what is new.")
    ] = False,
    acknowledge: Annotated[
        bool,
        typer.Option("--acknowledge", help="First say that what is kept aside was seen: then it is no difference."),
    ] = False,
    json: Json = False,
) -> None:
    """Sync labels through a shared folder.

    Writes what is new here, takes in what is new there.
    """
    from annotator.workspace import syncing

    progress = say.Progress("Syncing:")
    with opened(workspace, write=True) as door, stoppable("Stopped: nothing is lost; sync again to go on.") as token:
        seen = syncing.acknowledge(door) if acknowledge else 0
        try:
            report = syncing.sync(door, folder, begin_again=begin_again, verify=verify, token=token, progress=progress)
        finally:
            progress.clear()
        held = syncing.conflicts(door)
    if json:
        raw = report.raw()
        raw["acknowledged"] = seen
        raw["conflicts"] = [
            {
                "item": c.item_id, "source_id": c.source_id, "responder": c.responder, "target": c.target,
                "field": c.field, "phase": c.phase,
                "sides": [{"event_id": s.event_id, "value": s.value, "device": s.device, "at": s.at} for s in c.sides],
            }
            for c in held
        ]  # fmt: skip
        say.as_json(raw)
    else:
        if seen:
            say.line(f"{seen:,} events that are kept aside were acknowledged; they stay.")
        _tell(report, len(held))
    for sentence in (*(d.why for d in report.differences), *filter(None, [report.stopped])):
        say.complain(sentence)
    if not report.ok:
        raise typer.Exit(1)


def _tell_others(report: SyncReport) -> None:
    if report.sent_others or report.attributions or report.draws:
        say.line(
            f"Attributions and spot-checks: sent {report.sent_others:,}, received {report.attributions:,} attributions "
            f"and {report.draws:,} spot-checks."
        )


def _tell(report: SyncReport, conflicts: int) -> None:
    say.line(f"Sent {report.sent:,} label events, received {report.received:,}.")
    if report.came_in:
        say.table(("rater", "device", "events"), [(c.rater, c.device, c.events) for c in report.came_in])
    if report.sent_judges or report.judges:
        say.line(f"Judge records: sent {report.sent_judges:,}, received {report.judges:,}.")
    _tell_others(report)
    if report.judges_differ:
        say.line(f"{report.judges_differ:,} judge records have another text here; what was here stays.")
    for kept in report.quarantined[:_SHOWN]:
        say.line(f"Kept aside: {kept}.")
    if report.quarantined:
        say.line("Once you have seen them: annotator sync with --acknowledge.")
    for trouble in report.troubles[:_SHOWN]:
        say.line(trouble.why)
    if len(report.troubles) > _SHOWN:
        say.line(f"... and {len(report.troubles) - _SHOWN:,} more such files.")
    for item in report.waiting[:_SHOWN]:
        named = item.source_id or item.item_id
        say.line(f"{item.events:,} label events wait for {named}, which is not imported here.")
    for notice in report.notices:
        say.line(notice.why)
    if conflicts:
        say.line(f"{conflicts:,} labels of yours differ between devices: settle them in the window, on the sync page.")
    if report.ok:
        say.line(f"Both sides agree: {report.events:,} events of {report.raters:,} raters.")
