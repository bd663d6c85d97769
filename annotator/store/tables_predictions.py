"""The tables of models' outputs; they define the schema like those of `tables`, and only `bulk` may import them.

Half a million rows are ordinary here, so the light row holds what filters and figures need and nothing else.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import ForeignKey, Index, Integer, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from annotator.store import tables as _tables  # the tables that these refer to

_STRICT = {"sqlite_strict": True}
_RUN = f"{_tables.ImportRun.__tablename__}.import_id"


class PredictionRow(SQLModel, table=True):
    """What one model put out for one question: its kind, and the letter under each rule (NULL for none)."""

    __tablename__ = "prediction"
    __table_args__: ClassVar[Any] = (
        UniqueConstraint("item_id", "model", "import_id"), Index("prediction_import", "import_id"), _STRICT
    )  # fmt: skip
    place: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    item_id: str = Field(sa_type=Text, nullable=False)
    model: str = Field(sa_type=Text, nullable=False)
    import_id: int = Field(sa_type=Integer, foreign_key=_RUN, nullable=False)
    state: str = Field(sa_type=Text, nullable=False)
    official: str | None = Field(default=None, sa_type=Text, nullable=True)
    vlmevalkit: str | None = Field(default=None, sa_type=Text, nullable=True)
    careful: str | None = Field(default=None, sa_type=Text, nullable=True)
    content_hash: str = Field(sa_type=Text, nullable=False)


class PredictionBody(SQLModel, table=True):
    """The raw output, with what its file says of it, as JSON."""

    __tablename__ = "prediction_body"
    __table_args__: ClassVar[Any] = _STRICT
    place: int = Field(
        sa_type=Integer, sa_column_args=(ForeignKey("prediction.place", ondelete="CASCADE"),), primary_key=True,
        nullable=False,
    )  # fmt: skip
    body: str = Field(sa_type=Text, nullable=False)


class PredictionRunRow(SQLModel, table=True):
    """One file of a model's outputs that an import read."""

    __tablename__ = "prediction_run"
    __table_args__: ClassVar[Any] = _STRICT
    place: int | None = Field(default=None, sa_type=Integer, primary_key=True)
    import_id: int = Field(sa_type=Integer, foreign_key=_RUN, nullable=False)
    model: str = Field(sa_type=Text, nullable=False)
    file: str = Field(sa_type=Text, nullable=False)
    collection: str = Field(sa_type=Text, nullable=False)
    chunk: int = Field(sa_type=Integer, nullable=False)
    chunks: int = Field(sa_type=Integer, nullable=False)
    records: int = Field(sa_type=Integer, nullable=False)
