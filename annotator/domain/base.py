"""The one base of the domain's values, and the canonical JSON by which values are hashed."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, Final, Self

from pydantic import BaseModel, ConfigDict

# Made once: `json.dumps` makes one for each call with other than its own defaults.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


_set: Final = object.__setattr__  # past the refusal of frozen values, while one is made


class Value(BaseModel):
    """A frozen value that refuses unknown fields; equal when its fields are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @classmethod
    def unchecked(cls, **fields: Any) -> Self:
        """A value of fields whose types its maker vouches for, and of which it states every one.

        Checking takes longer than all else that a reader does to make one of tens of thousands of values out of texts
        that it has just checked itself. Defaults are not filled in: a field left out is missing.
        """
        value = cls.__new__(cls)
        _set(value, "__dict__", fields)
        _set(value, "__pydantic_fields_set__", _stated(cls))
        _set(value, "__pydantic_extra__", None)
        _set(value, "__pydantic_private__", None)
        return value


@cache
def _stated(kind: type[Value]) -> set[str]:
    """All fields of a kind of value; one set for all values, as a copy of a value takes a copy of it."""
    return set(kind.model_fields)


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
