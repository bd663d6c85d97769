"""The label lines an invented earlier rater left behind: a part of the sample only, never under the login name.

They are whole events, as that rater's own device would have exported them, so that every workspace that imports the
sample holds the same events and not copies of its own.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from annotator.domain.ids import item_id
from annotator.domain.labels import LabelEvent
from annotator.sample.script import MODELS, SESSION_DIMENSIONS, TURN_DIMENSIONS, Dialogue, read_toml

Record = dict[str, Any]
DEVICE = "019b0000-0000-7000-8000-73616d706c65"


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
            event = LabelEvent(
                event_id=_event_id(at, len(records)),
                device=DEVICE,
                seq=len(records) + 1,
                rater=script["rater"],
                item_id=item_id("dialogue", dialogue.id, dialogue.modality),
                item_revision=1,
                responder=None if shared else responder,
                target=target,
                field=field,
                value=value,
                parents=(),
                rubric="rubric-mme@1.0",
                phase="blind",
                lang="zh_CN",
                active_ms=active_ms,
                at=at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
            )
            records.append(_line(dialogue.id, event))
    return records


def _event_id(at: datetime, number: int) -> str:
    """A UUIDv7 of that moment whose other bits count the events instead of being random: equal in every sample."""
    milliseconds = int(at.timestamp() * 1000)
    value = milliseconds << 80 | 0x7 << 76 | 0b10 << 62 | number
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _line(source_id: str, event: LabelEvent) -> Record:
    """An event as a line of an export with `--events`."""
    return {
        "item": event.item_id,
        "source_id": source_id,
        "responder": event.responder,
        "target": event.target,
        "field": event.field,
        "value": event.value,
        "rater": event.rater,
        "phase": event.phase,
        "at": event.at,
        "rubric": event.rubric,
        "item_revision": event.item_revision,
        "lang": event.lang,
        "active_ms": event.active_ms,
        "event_id": event.event_id,
        "device": event.device,
        "seq": event.seq,
        "parents": [],
        "judged": "",
        "digest": event.compute_digest(),
    }
