"""The table of error attributions; it defines the schema like those of `tables`, and only `bulk` may import it.

Closed to raters who score blind, like the judges' own records.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import Index, Integer, Text
from sqlmodel import Field, SQLModel

from annotator.store import tables as _tables  # the table that this refers to

_RUN = f"{_tables.ImportRun.__tablename__}.import_id"


class AttributionRow(SQLModel, table=True):
    """Why one judgement's scores are low, as a program attributed it."""

    __tablename__ = "attribution_record"
    __table_args__: ClassVar[Any] = (
        Index("attribution_item", "item_id", "responder", "target"),
        Index("attribution_known", "judgement_id", "judge"),
        Index("attribution_import", "import_id"),
        {"sqlite_strict": True},
    )
    place: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    judgement_id: str = Field(sa_type=Text, nullable=False)
    judge: str = Field(sa_type=Text, nullable=False)
    item_id: str = Field(sa_type=Text, nullable=False)
    responder: str = Field(sa_type=Text, nullable=False)
    target: str = Field(sa_type=Text, nullable=False)
    severity: str = Field(sa_type=Text, nullable=False)
    content_hash: str = Field(sa_type=Text, nullable=False)
    body: str = Field(sa_type=Text, nullable=False)
    import_id: int = Field(sa_type=Integer, foreign_key=_RUN, nullable=False)
