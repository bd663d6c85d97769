"""Judging events that come from elsewhere: taken in, known already, or kept aside whole with a reason."""

from __future__ import annotations

import json
import sqlite3

from annotator.domain.labels import LabelEvent
from annotator.store.codec import event_object, now, unfit


def why_not(connection: sqlite3.Connection, event: LabelEvent) -> str | None:
    """None for an event that is known, "" for one to take in, else why it must be kept aside."""
    reason = unfit(event)
    if reason:
        return f"the event does not fit: {reason}"
    if event.digest != event.compute_digest():
        return "its content is not what its digest says: it was altered on the way"
    known = connection.execute("SELECT digest FROM label_event WHERE event_id = ?", (event.event_id,)).fetchone()
    if known is not None:
        return None if known[0] == event.digest else "an event with this id and another content is here already"
    rival = connection.execute(
        "SELECT event_id FROM label_event WHERE device = ? AND seq = ?", (event.device, event.seq)
    ).fetchone()
    if rival is not None:
        return f"place {event.seq} in the log of device {event.device} is held by event {rival[0]}"
    return ""


def keep_aside(connection: sqlite3.Connection, event: LabelEvent, reason: str) -> None:
    """Keep an event that cannot be taken in; a second time changes nothing."""
    body = json.dumps(event_object(event), sort_keys=True, default=repr)
    connection.execute(
        "INSERT INTO quarantine (event_id, reason, body, at) VALUES (?, ?, ?, ?) ON CONFLICT(body) DO NOTHING",
        (json.dumps(str(event.event_id))[1:-1], reason, body, now()),
    )


def keep_text(connection: sqlite3.Connection, text: str, reason: str) -> None:
    """Keep what came in an event's place and is none."""
    body = json.dumps({"text": text})
    connection.execute(
        "INSERT INTO quarantine (event_id, reason, body, at) VALUES ('', ?, ?, ?) ON CONFLICT(body) DO NOTHING",
        (reason, body, now()),
    )
