"""The tables of the log of labels, defined like those of `tables`; nothing that runs needs to import them.

What a dozen labels of a turn share is kept once: who says something about what, and by which revision and rubric. Views
of the names `label_event` and `label_current` say it with each label, and everything that reads goes through them.
Where a label has no responder, `label_event` says NULL, and what it is part of the key of says "".
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

_STRICT: Final = {"sqlite_strict": True}


def _text(*, key: bool = False) -> Any:
    return Field(sa_type=Text, primary_key=key, nullable=False)


def _number(*, key: bool = False) -> Any:
    return Field(sa_type=Integer, primary_key=key, nullable=False)


def _place() -> Any:
    return Field(default=None, sa_type=Integer, primary_key=True)


class LabelDeviceRow(SQLModel, table=True):
    """A device that somebody labelled on."""

    __tablename__ = "label_device"
    __table_args__: ClassVar[Any] = (UniqueConstraint("name"), _STRICT)
    device: int | None = _place()
    name: str = _text()


class LabelSubjectRow(SQLModel, table=True):
    """Who says something, in which phase, about what of which item and responder ("" for none)."""

    __tablename__ = "label_subject"
    __table_args__: ClassVar[Any] = (UniqueConstraint("item_id", "responder", "rater", "phase", "target"), _STRICT)
    subject: int | None = _place()
    item_id: str = _text()
    responder: str = _text()
    rater: str = _text()
    phase: str = _text()
    target: str = _text()


class LabelSettingRow(SQLModel, table=True):
    """What was judged (its hash), in which revision of the item, by which rubric, in which language."""

    __tablename__ = "label_setting"
    __table_args__: ClassVar[Any] = (UniqueConstraint("judged", "item_revision", "rubric", "lang"), _STRICT)
    setting: int | None = _place()
    judged: str = _text()
    item_revision: int = _number()
    rubric: str = _text()
    lang: str = _text()


class LabelLogRow(SQLModel, table=True):
    """One statement by one person; triggers refuse to change or remove it. `arrival` is the order on this machine."""

    __tablename__ = "label_log"
    __table_args__: ClassVar[Any] = (UniqueConstraint("event_id"), UniqueConstraint("device", "seq"), _STRICT)
    arrival: int | None = _place()
    event_id: str = _text()
    device: int = _number()
    seq: int = _number()
    subject: int = _number()
    setting: int = _number()
    field: str = _text()
    value: str = _text()
    parents: str = _text()
    active_ms: int = _number()
    at: str = _text()
    extra: str = _text()
    digest: bytes = Field(sa_type=LargeBinary, nullable=False)


class LabelNowRow(SQLModel, table=True):
    """What each key says now: derived from the events in the transaction that brings them.

    `head` is the arrival of the head with the greatest id, which says the rest; `heads` names all of them and `at` the
    latest time, where there are several. `events` is the arrivals of all that was said, where that is more than `head`.
    """

    __tablename__ = "label_now"
    __table_args__: ClassVar[Any] = ({"sqlite_strict": True, "sqlite_with_rowid": False},)
    subject: int = _number(key=True)
    field: str = _text(key=True)
    value: str = _text()
    rivals: str = _text()
    head: int = _number()
    heads: str = _text()
    events: str = _text()
    at: str = _text()
    stale: int = _number()
