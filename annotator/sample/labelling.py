"""The label lines an invented earlier rater left behind: a part of the sample only, never under the login name."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from annotator.sample.script import MODELS, SESSION_DIMENSIONS, TURN_DIMENSIONS, Dialogue, read_toml

Record = dict[str, Any]


def _value(digit: str) -> int | str:
    return "cannot_judge" if digit == "-" else int(digit)


def _fields(sheet: dict[str, Any]) -> list[tuple[str, str, Any]]:
    """(target, field, value) in the order a person would have given them."""
    rows: list[tuple[str, str, Any]] = []
    for index, digits in enumerate(sheet["turns"]):
        rows += [(f"turn:{index}", name, _value(d)) for name, d in zip(TURN_DIMENSIONS, digits, strict=True)]
    digits = sheet.get("session", "")
    if digits:
        rows += [("session", name, _value(d)) for name, d in zip(SESSION_DIMENSIONS, digits, strict=True)]
    rows += [(extra["target"], extra["field"], extra["value"]) for extra in sheet.get("extra", [])]
    rows += [("item", name, sheet[name]) for name in ("verdict", "verdict_reasons", "complete") if name in sheet]
    return rows


def label_records(dialogues: list[Dialogue]) -> list[Record]:
    """All lines of `labels.jsonl`; verdict, note and edits belong to the dialogue and carry no responder."""
    script = read_toml("sample/labels.toml")
    at = datetime.fromisoformat(script["first_at"])
    by_id = {dialogue.id: dialogue for dialogue in dialogues}
    by_key = {model.key: model for model in MODELS}
    records: list[Record] = []
    for sheet in script["sheet"]:
        dialogue = by_id[sheet["dialogue"]]
        responder = dialogue.responder(by_key[sheet["model"]])
        for target, field, value in _fields(sheet):
            active_ms = 2400 + 350 * (len(records) % 9)
            at += timedelta(milliseconds=active_ms + 300)
            shared = field in ("verdict", "verdict_reasons", "note") or field.startswith("edit:")
            records.append(
                {
                    "source_id": dialogue.id,
                    "responder": None if shared else responder,
                    "target": target,
                    "field": field,
                    "value": value,
                    "rater": script["rater"],
                    "phase": "blind",
                    "at": at.isoformat(timespec="microseconds"),
                    "rubric": "rubric-mme@1.0",
                    "lang": "zh_CN",
                    "active_ms": active_ms,
                }
            )
    return records
