"""Checking a workspace as a whole: its file, its log, what waits, and its media."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotator.cancel import CancelToken
from annotator.store import Store
from annotator.workspace.listing import problem_entry
from annotator.workspace.media_check import check_media
from annotator.workspace.waiting import waiting_problems

Progress = Callable[[int, int], None]


def check_workspace(
    store: Store, *, media: bool = False, token: CancelToken | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """What a check found: `ok, problems, waiting, totals, events, rebuilt_equal, notes` and, where asked, `media`.

    What waits for a decision is no problem, and neither is a file that was missing when it was imported: these are
    told. A file that was there and is gone, or that cannot be shown, is a problem.
    """
    found = store.upkeep.check()
    told: dict[str, Any] = {
        "ok": found.ok,
        "problems": list(found.problems),
        "waiting": [],
        "totals": dict(found.totals),
        "events": found.events,
        "rebuilt_equal": found.rebuilt_equal,
        "notes": list(found.notes),
    }
    if not found.ok:
        return told
    told["waiting"] = [problem_entry(p) for p in store.imports.problems()]
    told["waiting_records"] = [{**problem_entry(p), **p.detail} for p in waiting_problems(store)]
    with store.database.seeing():
        told["judge_records"] = {"held": store.judges.count(), "waiting": len(store.judges.waiting())}
        told["attributions"] = {"held": store.attributions.count(), "waiting": len(store.attributions.waiting())}
    told["conflicts"] = len(store.labels.conflicts())
    if media:
        told["media"] = check_media(store, token, progress)
        for entry in told["media"]["faults"]:
            told["problems"].append(entry["why"])
        told["ok"] = not told["problems"]
    return told
