"""The table of drawn spot-checks; it defines the schema like those of `tables`, and only `bulk` may import it.

A weight tells the stratum that a unit was drawn from, and with it what a judge said of it: closed to raters who score
blind, like the judges' own records.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sqlalchemy import Text
from sqlmodel import Field, SQLModel


class SpotDrawRow(SQLModel, table=True):
    """One draw as it was made, by the hash of its content."""

    __tablename__ = "spot_draw"
    __table_args__: ClassVar[Any] = ({"sqlite_strict": True, "sqlite_with_rowid": False},)
    digest: str = Field(sa_type=Text, nullable=False, primary_key=True)
    body: str = Field(sa_type=Text, nullable=False)
