"""Why there is no picture on the stage: one sentence of what is so, one of why; the tested models stay unnamed.

A path may carry the name of the model whose frames it holds. What is shown of it goes through `Veil`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from annotator.domain.assets import AssetTerms
from annotator.domain.items import Asset
from annotator.ui.i18n import has, language, tr

Why = Literal["none", "missing", "refused", "url", "locked", "failed", "takedown", "reference"]
_ICONS = {
    "none": "image",
    "missing": "file-exclamation-point",
    "refused": "shield-check",
    "url": "link",
    "locked": "lock",
    "failed": "file-x",
    "takedown": "eye-off",
    "reference": "external-link",
}
_ROLES = {"missing": "error", "failed": "error", "refused": "warn", "takedown": "warn"}
_HIDDEN = "•••"


@dataclass(frozen=True, slots=True)
class Veil:
    """Keeps names that raters must not see out of what is shown."""

    names: tuple[str, ...] = ()

    @classmethod
    def over(cls, responders: tuple[tuple[str, str], ...]) -> Veil:
        """Hide the names of models, and of their makers, that are shown under another name."""
        hidden: set[str] = set()
        for responder, shown in responders:
            parts = responder.split("::")
            model = parts[1] if len(parts) > 1 else ""
            if model and model.casefold() not in shown.casefold():
                hidden.update(name for name in parts[:2] if name)
        return cls(tuple(sorted(hidden, key=len, reverse=True)))

    def cover(self, text: str) -> str:
        """The text with each hidden name replaced, however its words are joined; short names only as whole words."""
        for name in self.names:
            joined = r"[\s._/\\:-]*".join(re.escape(part) for part in re.split(r"[\s._/\\:-]+", name) if part)
            pattern = joined if len(name) > 3 else rf"(?<![A-Za-z0-9]){joined}(?![A-Za-z0-9])"
            text = re.sub(pattern, _HIDDEN, text, flags=re.IGNORECASE)
        return text


@dataclass(frozen=True, slots=True)
class StageState:
    """A sentence in place of a picture.

    Attributes:
        why: the kind.
        kind: `clip` or `image`, for the wording.
        name: what it is about, already veiled (a path, an address, an engine's sentence).
        turn: the turn that is open (1-based), for a locked stage.
        code, file: of an engine's sentence: the short name of the fault and the veiled file name.
    """

    why: Why
    kind: str = "image"
    name: str = ""
    turn: int = 0
    code: str = ""
    file: str = ""

    @property
    def icon(self) -> str:
        """The icon's name."""
        return "video" if self.why == "none" and self.kind == "clip" else _ICONS[self.why]

    @property
    def role(self) -> str:
        """The colour role of the icon."""
        return _ROLES.get(self.why, "text2")

    @property
    def locked(self) -> bool:
        """Whether the gate is the reason: hatch and a lock."""
        return self.why == "locked"

    def plain(self) -> str:
        """What is wrong, in the engine's own words where it has any: for the log."""
        return self.name if self.why == "failed" else f"{self.why} {self.name}".strip()

    def texts(self) -> tuple[str, str, str]:
        """Title, reason and action in the language in force."""
        title = f"media.state_{self.why}_{self.kind}"
        action = tr("media.peek_action") if self.locked else ""
        head = tr(title) if has(title) else tr(f"media.state_{self.why}")
        return head, self._reason(), action

    def _reason(self) -> str:
        """The engine speaks English, in detail; in other languages the fault is told by its code."""
        by_code = f"media.fail_{self.code}"
        if self.why == "failed" and language() != "en" and has(by_code):
            return tr(f"media.fail_{self.code}", name=self.file)
        return tr(f"media.why_{self.why}", name=self.name, turn=self.turn)


@dataclass(frozen=True, slots=True)
class StateMaker:
    """Makes stage states for the assets of one dialogue."""

    veil: Veil = field(default_factory=Veil)
    terms: Mapping[str, AssetTerms] = field(default_factory=dict)

    def of_asset(self, asset: Asset | None) -> StageState | None:
        """Why an asset cannot be shown at all; None where there is a file to show."""
        if asset is None:
            return StageState("none")
        if asset.found:
            return None
        kind = "clip" if asset.role == "clip" else "image"
        name = self.veil.cover(asset.raw or "")
        terms = self.terms.get(asset.raw or "")
        if asset.status == "takedown":
            return StageState("takedown", kind, self.veil.cover(terms.takedown_text() if terms is not None else ""))
        if terms is not None and terms.by_reference:
            return StageState("reference", kind, self.veil.cover(terms.source or name))
        if asset.status == "url":
            return StageState("url", kind, name)
        if asset.status == "refused":
            return StageState("refused", kind, name)
        return StageState("missing", kind, name)

    def locked(self, turn: int | None, kind: str) -> StageState:
        """The stage of a stop that the open turn must not see."""
        return StageState("locked", kind, "", (turn or 0) + 1)

    def failed(self, sentence: str, kind: str, code: str = "", file: str = "") -> StageState:
        """The engine could not show it and said why."""
        return StageState("failed", kind, self.veil.cover(sentence), code=code, file=self.veil.cover(file))
