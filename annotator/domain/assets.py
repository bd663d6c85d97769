"""What the asset manifest says about one media file: where it is from, on which terms, and whether it may be shown."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotator.domain.base import Value

ReleaseForm = Literal["file", "reference", "none"]


class AssetTerms(Value):
    """One entry of the manifest, with what was bound to it here.

    Attributes:
        path: as the manifest names it; `sha256`: of the file's bytes. One of the two at least.
        source, terms, attribution: as text; "" where nothing is said.
        release_form: how it may be passed on; None where nothing is said.
        takedown: it must not be shown or exported; `takedown_date`, `takedown_reason` as they stood.
        safety: it belongs to a safety set: opened blurred.
        extra: columns that this program does not know, as they stood.
        bound: the local copy bound to it (absolute path), and its hash.
    """

    path: str | None = None
    sha256: str | None = None
    source: str = ""
    terms: str = ""
    attribution: str = ""
    release_form: ReleaseForm | None = None
    takedown: bool = False
    takedown_date: str = ""
    takedown_reason: str = ""
    safety: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)
    bound: str | None = None
    bound_sha256: str | None = None

    @property
    def key(self) -> str:
        """What it is known by: the path, else the hash."""
        return self.path or f"sha256:{self.sha256}"

    @property
    def by_reference(self) -> bool:
        """Whether the file itself is not passed on."""
        return self.release_form == "reference"

    def takedown_text(self) -> str:
        """Date and reason of the takedown, as far as they are known."""
        return " · ".join(part for part in (self.takedown_date, self.takedown_reason) if part)
