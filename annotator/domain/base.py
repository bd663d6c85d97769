"""The one base of the domain's values, and the canonical JSON by which values are hashed."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

# Made once: `json.dumps` makes one for each call with other than its own defaults.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


class Value(BaseModel):
    """A frozen value that refuses unknown fields; equal when its fields are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no blanks and real characters: equal values give equal text on every machine.

    Raises:
        ValueError: for NaN and infinities, which are no JSON.
    """
    return _ENCODER.encode(value)


def content_hash(value: Any) -> str:
    """The first 32 hex digits of the SHA-256 of the value's canonical JSON (lone surrogates cannot occur here)."""
    return hash_of_json(canonical_json(value))


def hash_of_json(text: str) -> str:
    """The same of a canonical JSON text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
