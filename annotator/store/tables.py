"""What the workspace database holds, defined once as SQLModel tables.

They define the schema, and imports and administration write through them. Reading, and appending labels, use the
standard library's driver on the same tables, since importing this module costs more than a whole start of the window:
nothing but `bulk` may import it. The text of the tables as each version made them is frozen in `schema`, and a test
proves that it says the same as this module.

All tables are STRICT. Rows of an import carry its id and are invisible until it is published. The log of labels is in
`tables_log`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from sqlalchemy import ForeignKey, Index, Integer, LargeBinary, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

_STRICT: Final = {"sqlite_strict": True}
_KEYED: Final = {"sqlite_strict": True, "sqlite_with_rowid": False}
_RUN: Final = "import_run.import_id"


def _text(*, key: bool = False, null: bool = False) -> Any:
    return Field(default=None if null else ..., sa_type=Text, primary_key=key, nullable=null)


def _number(*, key: bool = False, null: bool = False) -> Any:
    return Field(default=None if null else ..., sa_type=Integer, primary_key=key, nullable=null)


def _place() -> Any:
    return Field(default=None, sa_type=Integer, primary_key=True)


def _run(*, key: bool = False) -> Any:
    return Field(sa_type=Integer, foreign_key=_RUN, primary_key=key, nullable=False)


def _indexed(*constraints: UniqueConstraint, **columns: str) -> tuple[Any, ...]:
    """Strict table arguments, with an index of each name over the columns that its text names."""
    return (*constraints, *(Index(name, *text.split()) for name, text in columns.items()), _STRICT)


def _part_of(table: str) -> Any:
    """The key of a row that lives and goes with its light row in `table`."""
    target = ForeignKey(f"{table}.place", ondelete="CASCADE")
    return Field(sa_type=Integer, sa_column_args=(target,), primary_key=True, nullable=False)


class Meta(SQLModel, table=True):
    """Facts about the workspace: its id, rater, device, choices; values are JSON."""

    __tablename__ = "meta"
    __table_args__: ClassVar[Any] = _KEYED
    name: str = _text(key=True)
    value: str = _text()


class ImportRun(SQLModel, table=True):
    """One import; `state` is `writing` or `published`, and its rows count from the moment that it is published."""

    __tablename__ = "import_run"
    __table_args__: ClassVar[Any] = _STRICT
    import_id: int | None = _place()
    kind: str = _text()
    source: str = _text()
    state: str = _text()
    at: str = _text()
    report: str = _text()


class Item(SQLModel, table=True):
    """The light part of an item's revision: what queue and lists need."""

    __tablename__ = "item"
    __table_args__: ClassVar[Any] = _indexed(
        UniqueConstraint("item_id", "revision", "import_id"), item_source="source_id", item_import="import_id"
    )
    place: int | None = _place()
    item_id: str = _text()
    revision: int = _number()
    import_id: int = _run()
    kind: str = _text()
    source_id: str = _text()
    content_hash: str = _text()
    title: str = _text()
    scenario: str = _text()
    modality: str = _text()
    categories: str = _text()
    spoken: int = _number()
    parts: int = _number()
    missing: int = _number()


class ItemBody(SQLModel, table=True):
    """The whole item as JSON, and its folded text for the search."""

    __tablename__ = "item_body"
    __table_args__: ClassVar[Any] = _STRICT
    place: int = _part_of("item")
    search: str = _text()
    body: str = _text()


class Responder(SQLModel, table=True):
    """The light part of one responder's answers to one item."""

    __tablename__ = "responder"
    __table_args__: ClassVar[Any] = _indexed(
        UniqueConstraint("item_id", "responder", "revision", "import_id"), responder_import="import_id"
    )
    place: int | None = _place()
    item_id: str = _text()
    responder: str = _text()
    revision: int = _number()
    import_id: int = _run()
    content_hash: str = _text()
    answered: int = _number()


class ResponderBody(SQLModel, table=True):
    """The answers as JSON, and their folded text for the search."""

    __tablename__ = "responder_body"
    __table_args__: ClassVar[Any] = _STRICT
    place: int = _part_of("responder")
    search: str = _text()
    body: str = _text()


class JudgeRow(SQLModel, table=True):
    """A judge's record: a table of its own, so that it cannot leak into labels."""

    __tablename__ = "judge_record"
    __table_args__: ClassVar[Any] = _indexed(
        judge_item="item_id responder target", judge_known="judgement_id judge", judge_import="import_id"
    )
    place: int | None = _place()
    judgement_id: str = _text()
    judge: str = _text()
    item_id: str = _text()
    responder: str = _text()
    target: str = _text()
    status: str = _text()
    content_hash: str = _text()
    body: str = _text()
    import_id: int = _run()


class WaitingRow(SQLModel, table=True):
    """A record whose item is not there yet; `joined_by` names the import that takes it."""

    __tablename__ = "waiting_record"
    __table_args__: ClassVar[Any] = _indexed(
        waiting_source="source_id", waiting_known="judgement_id judge", waiting_import="import_id"
    )
    place: int | None = _place()
    kind: str = _text()
    source_id: str = _text()
    judgement_id: str = _text()
    judge: str = _text()
    content_hash: str = _text()
    body: str = _text()
    import_id: int = _run()
    joined_by: int | None = _number(null=True)


class ProblemRow(SQLModel, table=True):
    """Something that waits for a person's decision."""

    __tablename__ = "problem"
    __table_args__: ClassVar[Any] = _KEYED
    problem_id: str = _text(key=True)
    import_id: int = _run(key=True)
    code: str = _text()
    body: str = _text()


class DecisionRow(SQLModel, table=True):
    """What was decided about a problem, by the import that carried it out."""

    __tablename__ = "decision"
    __table_args__: ClassVar[Any] = _KEYED
    problem_id: str = _text(key=True)
    import_id: int = _run(key=True)
    choice: str = _text()
    at: str = _text()


class ProgressRow(SQLModel, table=True):
    """What a queue row needs of the labels: one byte of dimension bits for each turn, and the flags of the status."""

    __tablename__ = "progress"
    __table_args__: ClassVar[Any] = _KEYED
    rater: str = _text(key=True)
    phase: str = _text(key=True)
    item_id: str = _text(key=True)
    responder: str = _text(key=True)
    turns: bytes = Field(sa_type=LargeBinary, nullable=False)
    session: int = _number()
    verdict: str | None = _text(null=True)
    flags: int = _number()


class QuarantineRow(SQLModel, table=True):
    """An event that came from elsewhere and could not be taken in; kept whole."""

    __tablename__ = "quarantine"
    __table_args__: ClassVar[Any] = (UniqueConstraint("body"), _STRICT)
    place: int | None = _place()
    event_id: str = _text()
    reason: str = _text()
    body: str = _text()
    at: str = _text()


class AliasRow(SQLModel, table=True):
    """The letter by which a rater knows a tested model."""

    __tablename__ = "alias"
    __table_args__: ClassVar[Any] = _KEYED
    rater: str = _text(key=True)
    responder: str = _text(key=True)
    letter: str = _text()


class DraftRow(SQLModel, table=True):
    """A text that is being written and is no label yet."""

    __tablename__ = "draft"
    __table_args__: ClassVar[Any] = _KEYED
    rater: str = _text(key=True)
    item_id: str = _text(key=True)
    responder: str = _text(key=True)
    target: str = _text(key=True)
    field: str = _text(key=True)
    text: str = _text()
    at: str = _text()


class MediaRootRow(SQLModel, table=True):
    """A folder in which media are looked for."""

    __tablename__ = "media_root"
    __table_args__: ClassVar[Any] = (UniqueConstraint("root"), _STRICT)
    place: int | None = _place()
    root: str = _text()
