"""What the readers share: the lines they say things with, and the small rules for ids, texts and categories."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeGuard

from annotator.domain.base import canonical_json
from annotator.domain.items import Asset, AssetRole, Category
from annotator.domain.report import ReportLine
from annotator.domain.timecode import Timestamp, parse
from annotator.importers.jsonvalue import WrittenFloat

SCENARIOS: Final = frozenset(
    {
        "personal_living_space",
        "health_and_physical_activity",
        "outdoor_public_space",
        "work_and_office_environment",
        "retail_and_consumption_space",
        "family_care_and_home_assistance",
        "industrial_and_production_site",
    }
)
# What no name of a scenario holds: markup, or a value that was no text at all; such a one is only remarked upon.
_NO_NAME: Final = re.compile(r"[<>{}\[\]\"]")
# A long number as a spreadsheet or a table library rewrites it, the mark for a narrow column, and the error values.
_DAMAGED: Final = re.compile(
    r"-?\d(?:[.,]\d+)?[Ee]\+\d{2,}|#{3,}|#(?:NAME\?|REF!|VALUE!|NUM!|N/A|DIV/0!|NULL!)", re.ASCII
)


class Record(NamedTuple):
    """One record of a file: its value (an object), its number from 0 and the physical line it begins on.

    Attributes:
        not_finite: the fields in which NaN or an infinity stood; in the value they are null.
    """

    value: dict[str, Any]
    record: int
    line: int | None
    not_finite: tuple[str, ...] = ()


class Located(NamedTuple):
    """Where a path leads: an asset's status, and its place inside a data root where it was found."""

    status: str
    inside: str | None = None
    root: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Context:
    """What a reader has to know beside the record.

    Attributes:
        file: the file's name as reports call it; `stem`: its last part without extension.
        locate: resolves a path inside the data roots.
        stated_roots: somebody named a data root, so absent files get a line each.
        model: the model's name, where it was given by hand.
        locate_folder: resolves a path that names a folder of frames.
    """

    file: str
    stem: str
    locate: Callable[[Any], Located]
    stated_roots: bool = False
    model: str | None = None
    locate_folder: Callable[[Any], Located] | None = None


@dataclass(slots=True)
class Sayings:
    """Collects report lines about one record."""

    file: str
    record: int | None
    line: int | None
    lines: list[ReportLine] = field(default_factory=list)

    def say(self, code: str, reason: str, name: str | None = None) -> None:
        """Add one line."""
        self.lines.append(
            ReportLine(code=code, file=self.file, line=self.line, record=self.record, field=name, reason=reason)
        )


def written(value: Any) -> str:
    """A value as text: strings as they are, numbers as they were written, anything else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, WrittenFloat):
        return value.text
    return json.dumps(value, ensure_ascii=False)


def kind_of(value: Any) -> str:
    """What JSON calls a value."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else "a number that is none"


def source_id(record: Record, key: str, sayings: Sayings) -> str | None:
    """The record's id as text; None where it is damaged beyond use (said in a line).

    A missing id is made up from the content, so that the same record gets the same id each time.
    """
    value = record.value.get(key)
    if isinstance(value, str) and value.strip():
        if _DAMAGED.fullmatch(value.strip()):
            sayings.say("id_damaged", f'the id "{value}" was changed by a spreadsheet; the record is left out', key)
            return None
        return value
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        text = written(value)
        sayings.say("id_not_text", f'the id is the number {text}; kept as the text "{text}"', key)
        return text
    rest = {k: v for k, v in record.value.items() if k != key}
    made = f"no-id-{hashlib.sha256(canonical_json(rest).encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    what = "missing" if key not in record.value else "empty" if isinstance(value, str) else kind_of(value)
    sayings.say("id_repaired", f'the id is {what}; the record is kept as "{made}"', key)
    return made


def text_of(value: Any, name: str, sayings: Sayings, *, blank: bool = True) -> str:
    """A text field; missing, null and blank ones are said (where `blank`), other types are kept as text and said."""
    if isinstance(value, str):
        if blank and not value.strip():
            sayings.say("empty_text", "the text is blank", name)
        return value
    if value is None:
        if blank:
            sayings.say("empty_text", "the text is missing", name)
        return ""
    sayings.say("field_type", f"expected a text, found {kind_of(value)}; kept as text", name)
    return written(value)


def optional_text(value: Any, name: str, sayings: Sayings) -> str | None:
    """A text that may be absent; blank counts as absent, another type is said and kept as text."""
    text = text_of(value, name, sayings, blank=False)
    return text if text.strip() else None


def environment_of(value: Any, sayings: Sayings, notes: list[str]) -> tuple[str, str, str]:
    """(environment, scenario, detail); the two parts are split at the first `-`, a missing one is `unknown`."""
    text = text_of(value, "environment", sayings, blank=False)
    scenario, _, detail = text.partition("-")
    scenario, detail = scenario.strip() or "unknown", detail.strip() or "unknown"
    if scenario != "unknown" and scenario not in SCENARIOS:
        if _NO_NAME.search(scenario):
            notes.append(f'The environment "{text[:80]}" is no name of a scenario; it is kept and shown as typed.')
        else:
            reason = f'the scenario "{scenario[:80]}" is none of the known seven; kept'
            sayings.say("scenario_unknown", reason, "environment")
    return text, scenario, detail


def category_of(value: Any, name: str, sayings: Sayings) -> Category | None:
    """The capability of a turn: a plain name or an object."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str):
        return Category(primary=value)
    if not isinstance(value, dict):
        sayings.say("field_type", f"expected a text or an object, found {kind_of(value)}; left out", name)
        return None
    secondary = value.get("secondary_categories")
    if secondary is not None and not (isinstance(secondary, list) and all(isinstance(s, str) for s in secondary)):
        sayings.say("field_type", "expected a list of texts", f"{name}.secondary_categories")
        secondary = [s for s in secondary if isinstance(s, str)] if isinstance(secondary, list) else None
    history = value.get("requires_history")
    if history is not None and not isinstance(history, bool):
        sayings.say("field_type", f"expected true or false, found {kind_of(history)}", f"{name}.requires_history")
        history = None
    return Category(
        primary=optional_text(value.get("primary_category"), f"{name}.primary_category", sayings),
        secondary=tuple(secondary or ()),
        requires_history=history,
        reasoning=optional_text(value.get("reasoning"), f"{name}.reasoning", sayings),
    )


def timestamp_of(values: list[Any], name: str, sayings: Sayings) -> Timestamp:
    """The first timestamp that says something: the user's, else the ai's.

    A later one is used only where all before it are empty and it can be read; where none can, the first stays.
    """
    stamps = [parse(v) for v in values] or [Timestamp()]
    chosen = stamps[0]
    if chosen.kind == "none":
        chosen = next((s for s in stamps[1:] if s.kind in ("seconds", "iso")), chosen)
    if chosen.kind == "text":
        sayings.say(
            "time_text", f"the timestamp {written(chosen.raw)[:60]!r} has no place on the clip; kept as text", name
        )
    return chosen


def asset_of(value: Any, role: AssetRole, name: str, context: Context, sayings: Sayings) -> Asset:
    """One media file named by a record, looked for inside the data roots."""
    if value is not None and not isinstance(value, str):
        sayings.say("field_type", f"expected a path, found {kind_of(value)}; no file is taken from it", name)
        return Asset(role=role, raw=None, field=name, status="missing")
    found = context.locate(value)
    shown = (value or "")[:200]
    if found.status == "refused":
        sayings.say("path_refused", f'"{shown}": {found.reason or "it leaves the data root"}', name)
    elif found.status == "remapped":
        sayings.say("path_remapped", f'"{shown}" was found as "{found.inside}"', name)
    elif found.status == "missing" and context.stated_roots:
        sayings.say("path_missing", f'"{shown}" is not in the data root' if shown else "the path is empty", name)
    return Asset.model_validate(
        {"role": role, "raw": value, "field": name, "status": found.status, "inside": found.inside, "root": found.root}
    )


def lookalike(text: str) -> str:
    """What two ids have in common that differ only by blanks (those without width included), case or Unicode form."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    joined = "".join(folded.split())
    return joined if joined.isprintable() else "".join(c for c in joined if unicodedata.category(c) != "Cf")


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether a value is an integer and no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)
