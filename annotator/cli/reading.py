"""Commands that only read a workspace."""

from __future__ import annotations

import enum
from typing import Annotated, Any

import typer

from annotator.cli import compare, say
from annotator.cli.options import Folder, Item, Json, Subject, check_rater, opened, parted, stoppable
from annotator.errors import WorldError


class Kind(enum.StrEnum):
    """The kinds of items."""

    DIALOGUE = "dialogue"
    QUESTION = "question"
    COMPARISON = "comparison"


class Status(enum.StrEnum):
    """What an item or a row of it may be."""

    NEW = "new"
    STARTED = "started"
    COMPLETE = "complete"
    RETURNED = "returned"
    CONFLICT = "conflict"
    STALE = "stale"


def list_(
    workspace: Folder,
    kind: Annotated[Kind | None, typer.Option(help="Only items of this kind.")] = None,
    status: Annotated[Status | None, typer.Option(help="Only items with this status.")] = None,
    search: Annotated[
        str, typer.Option(metavar="TEXT", help="Only items with this text in id, question, reference or answer.")
    ] = "",
    rater: Annotated[
        str | None, typer.Option(metavar="ID", help="Whose status; the workspace's rater unless given.")
    ] = None,
    behind: Annotated[
        Subject | None, typer.Option(help="Only the items that a figure of this subject stands on: see --figure.")
    ] = None,
    figure: Annotated[
        str, typer.Option(metavar="NAME", help="Which figure of it, as `annotator stats` names it.")
    ] = "",
    where: Annotated[
        list[str] | None, typer.Option(metavar="FIELD=VALUE", help="What the figure is of; may be given several times.")
    ] = None,
    json: Json = False,
) -> None:
    """List the items of a workspace with their status."""
    from annotator.workspace.listing import list_items

    if (behind is None) != (not figure) or (where and behind is None):
        raise typer.BadParameter("--behind and --figure name a figure together, and --where says what it is of.")
    with opened(workspace) as door:
        entries = list_items(
            door.store,
            kind=None if kind is None else kind.value,
            status=None if status is None else status.value,
            search=search,
            rater=check_rater(rater),
        )
        found = door.store.items.search(search) if search and not json else None
        if behind is not None:
            from annotator.workspace.figures_items import items_behind

            inside = set(items_behind(door.store, behind.value, figure, parted(where or [])))
            entries = [entry for entry in entries if entry["item"] in inside]
    if json:
        say.as_json(entries)
        return
    rows = [
        (e["item"], e["source_id"], e["status"], _held(e), _rows_done(e), e["scenario"], say.cut(e["title"], 40))
        for e in entries
    ]
    say.table(("item", "source id", "status", "holds", "rows", "scenario", "title"), rows)
    say.line(_counted(entries, None if status is None else status.value, found))


def _counted(entries: list[dict[str, Any]], status: str | None, found: set[tuple[str, str | None]] | None) -> str:
    """How many items, and how many rows the window's queue shows of them: one for each responder of a dialogue.

    `found` is where a searched text stands; a row is shown for its own answers and for what is the dialogue's.
    """
    rows = sum(
        (status is None or row["status"] == status)
        and (found is None or (entry["item"], None) in found or (entry["item"], row["id"]) in found)
        for entry in entries
        if entry["kind"] == "dialogue"
        for row in entry["responders"]
    )
    items, shown = say.counted(len(entries), "item"), say.counted(rows, "row")
    return f"{items}; {shown} in the window's queue, one for each answer to a dialogue."


def _held(entry: dict[str, Any]) -> str:
    """What an item is made of, in its own words."""
    name = {"dialogue": "turn", "question": "choice", "comparison": "response"}.get(entry["kind"], "part")
    return f"{entry['turns']} {name}{'' if entry['turns'] == 1 else 's'}"


def _rows_done(entry: dict[str, Any]) -> str:
    if entry["kind"] != "dialogue":
        return "–"  # only a dialogue has a row for each who answered it
    rows = entry["responders"]
    return f"{sum(row['status'] == 'complete' for row in rows)}/{len(rows)}"


def show(workspace: Folder, item: Item, json: Json = False) -> None:
    """Show one item: turns, answers, evidence, labels, problems."""
    from annotator.workspace.listing import show_item

    with opened(workspace) as door:
        page = show_item(door.store, item)
    if json:
        say.as_json(page)
    elif page["kind"] == "question":
        _show_question(page)
    elif page["kind"] == "comparison":
        compare.show(page)
    else:
        _show(page)


def _show_question(page: dict[str, Any]) -> None:
    say.line(f"{page['item']}  {page['source_id']}  revision {page['revision']}")
    say.line(f"{page['task']} / {page['subtask']} / {page['category']}, {page['language']}, {page['split']}")
    image = page["image"]
    say.line("no picture" if image is None else f"picture: {image['path']} ({image['status']})")
    say.line()
    say.line(page["text"])
    for choice in page["choices"]:
        mark = "*" if choice["letter"] == page["key"] else " "
        say.line(f" {mark} ({choice['letter']}) {choice['text']}")
    for finding in page["findings"]:
        say.line(f"finding: {finding['code']} {', '.join(finding['letters'])} {finding['detail']}".rstrip())
    if page["predictions"]:
        say.line()
        rows = [
            (p["model"], p["state"], *(p["letters"][n] or "-" for n in p["letters"]), say.cut(p["output"] or "", 60))
            for p in page["predictions"]
        ]
        say.table(("model", "kind", *page["predictions"][0]["letters"], "output"), rows)
    say.line()
    keys = ("rater", "phase", "target", "field", "value")
    say.table(keys, [[label[key] for key in keys] for label in page["labels"]])
    say.line(f"{len(page['labels'])} labels.")


def _show(page: dict[str, Any]) -> None:
    say.line(f"{page['item']}  {page['source_id']}  revision {page['revision']}")
    say.line(f"{page['modality']}, {page['environment'] or 'no environment'}, {len(page['turns'])} turns")
    for turn in page["turns"]:
        category = (turn["category"] or {}).get("primary") or "no category"
        raw = turn["timestamp"]["raw"]
        say.line()
        say.line(f"Turn {turn['index']} ({category}, {'no time' if raw is None else f'at {raw}'})")
        say.line(f"  question: {turn['question'] or '(none)'}")
        say.line(f"  reference: {turn['reference']}")
        for responder, text in turn["answers"].items():
            say.line(f"  {responder}: {'(no answer)' if text is None else text}")
        for asset in turn["evidence"]:
            say.line(f"  evidence: {asset['path']} ({asset['status']})")
    if page["unanswered"]:
        say.line()
        say.line(f"{len(page['unanswered'])} entries without an answer.")
    say.line()
    keys = ("rater", "phase", "responder", "target", "field", "value")
    say.table(keys, [[label[key] for key in keys] for label in page["labels"]])
    say.line(f"{len(page['labels'])} labels.")
    _show_judged(page)
    for problem in page["problems"]:
        say.line(f"waits: {problem['id']} {problem['code']} ({', '.join(problem['choices'])})")


def _show_judged(page: dict[str, Any]) -> None:
    """What judges said, and why scores are low; this command is a lead's tool."""
    if page["judgements"]:
        say.line()
        rows = [
            (j["judge"], j["responder"], j["target"], j["status"], " ".join(f"{d}={s}" for d, s in j["scores"].items()))
            for j in page["judgements"]
        ]
        say.table(("judge", "responder", "target", "status", "scores"), rows)
    for one in page["attributions"]:
        categories = ", ".join(dict.fromkeys([*([one["primary"]] if one["primary"] else []), *one["secondary"]]))
        say.line(f"why {one['target']} of {one['responder']} is low ({one['severity']}): {categories} {one['summary']}")


def check(
    workspace: Folder,
    media: Annotated[bool, typer.Option("--media", help="Open every media file too.")] = False,
    json: Json = False,
) -> None:
    """Check file, log and media, and list what waits for a decision."""
    from annotator.workspace.checking import check_workspace
    from annotator.workspace.workspace import Workspace

    progress = say.Progress("Opening media:")
    try:
        # Opened for writing, so that the lock can keep others from writing while log and journal are compared.
        with Workspace.open(workspace) as door, stoppable("Stopped: nothing was changed.") as token:
            result = check_workspace(door.store, media=media, token=token, progress=progress)
        progress.clear()
    except WorldError as error:
        if json:
            failed = {"problems": [error.sentence], "waiting": [], "totals": {}, "events": 0, "rebuilt_equal": False}
            say.as_json({"ok": False, **failed})
        raise
    if json:
        say.as_json(result)
    else:
        _check(result)
    if not result["ok"]:
        count = len(result["problems"])
        raise WorldError(f"{workspace} has {count} {'problem' if count == 1 else 'problems'}: {result['problems'][0]}")


def _check(result: dict[str, Any]) -> None:
    say.line("Sound." if result["ok"] else "Not sound:")
    for sentence in result["problems"]:
        say.line(f"  {sentence}")
    counts = {name.replace("_", " ").removesuffix("s"): value for name, value in result["totals"].items() if value}
    totals = ", ".join(say.counted(value, name.replace("categorie", "category")) for name, value in counts.items())
    say.line(f"{say.counted(result['events'], 'label event')}; {totals or 'no items'}.")
    if "media" in result:
        media = result["media"]
        say.line(
            f"Media: {media['ok']:,} of {media['files']:,} files open whole; {media['missing']:,} were never there."
        )
        for entry in media["damaged"]:
            say.line(f"  {entry['why']}")
    for note in result["notes"]:
        say.line(f"note: {note}")
    for group in result.get("waiting_records", ()):
        say.line(f"waits: {group['id']} ({', '.join(group['choices'])}): {group['reason']}.")
    if result["waiting"]:
        keys = ("id", "code", "item", "file", "line", "choices")
        rows = [[", ".join(p[key]) if key == "choices" else p[key] for key in keys] for p in result["waiting"]]
        say.line(f"{len(rows)} wait for a decision (annotator decide):")
        say.table(keys, rows)
