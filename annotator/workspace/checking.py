"""Checking a workspace as a whole: its file, its log, what waits, and its media."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.listing import problem_entry
from annotator.workspace.views import asset_path

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
    told["judge_records"] = {"held": store.judges.count(), "waiting": len(store.judges.waiting())}
    told["conflicts"] = len(store.labels.conflicts())
    if media:
        told["media"] = look_at_media(store, token, progress)
        for entry in told["media"]["faults"]:
            told["problems"].append(entry["why"])
        told["ok"] = not told["problems"]
    return told


def look_at_media(store: Store, token: CancelToken | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Open every media file that the dialogues name: `files, ok, missing, damaged, faults: [{path, raw, why}]`.

    `missing` counts assets that were not there when they were imported; `damaged` files that show in part, which is
    told and no fault.
    """
    from annotator.media.probe import probe

    files, missing = _files(store)
    ok, damaged, faults = 0, [], []
    for number, (path, raw) in enumerate(sorted(files.items())):
        check(token)
        if progress is not None:
            progress(number, len(files))
        try:
            seen = probe(path, token=token)
        except WorldError as error:
            faults.append({"path": path, "raw": raw, "why": error.sentence})
            continue
        if seen.damaged:
            damaged.append({"path": path, "raw": raw, "why": seen.why})
        else:
            ok += 1
    return {"files": len(files), "ok": ok, "missing": missing, "damaged": damaged, "faults": faults}


def _files(store: Store) -> tuple[dict[str, str | None], int]:
    """The distinct local files of all evidence, with what the source called them; and how many were never there."""
    files: dict[str, str | None] = {}
    missing = 0
    for head in store.items.heads("dialogue"):
        for turn in store.items.dialogue(head.item_id).turns:
            for asset in (*turn.evidence, *turn.frames, *((turn.audio,) if turn.audio else ())):
                path = asset_path(asset)
                if path is not None:
                    files.setdefault(str(path), asset.raw)
                elif asset.status == "missing":
                    missing += 1
    return files, missing
