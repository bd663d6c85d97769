"""Identities: items by what they are, events by when they were made, responders by who answered."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from typing import Final, Literal

ItemKind = Literal["dialogue", "question", "comparison"]
KINDS: Final[tuple[ItemKind, ...]] = ("dialogue", "question", "comparison")
REFERENCE: Final = "reference"

_lock = threading.Lock()
_last_ms_and_counter = [0, 0]


def item_id(kind: ItemKind, *identity: str | int) -> str:
    """The internal id `<kind>:<16 hex>` of an item, equal on every machine.

    `identity` is (source id, modality) for a dialogue and (file hash, row) for a question. The parts are joined by the
    unit separator, so that no two identities give one text.
    """
    text = "\x1f".join([kind, *map(str, identity)])
    return f"{kind}:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def responder_id(provider: str, model_name: str, task_name: str) -> str:
    """The id of a tested model's run: `provider::model_name::task_name`."""
    return f"{provider}::{model_name}::{task_name}"


def model_of(responder: str) -> str:
    """The model's own name inside a responder id (the id itself where it is not of three parts)."""
    parts = responder.split("::")
    return parts[1] if len(parts) >= 3 else responder


def uuid7() -> str:
    """A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, then a counter, then random bits.

    Ids made by one process are strictly increasing; across devices order means nothing and is used for display only.
    """
    with _lock:
        now = time.time_ns() // 1_000_000
        last, counter = _last_ms_and_counter
        if now <= last:
            now, counter = last, counter + 1
            if counter > 0xFFF:
                now, counter = last + 1, 0
        else:
            counter = 0
        _last_ms_and_counter[:] = [now, counter]
    value = (now & 0xFFFFFFFFFFFF) << 80 | 0x7 << 76 | counter << 64 | 0b10 << 62
    value |= int.from_bytes(os.urandom(8), "big") >> 2
    text = f"{value:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def rank_hash(*parts: str) -> str:
    """A hash by which things are put in an order that looks random but is equal each time (aliases, shuffles)."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
