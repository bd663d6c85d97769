"""The report of a workspace: all figures in one JSON object that can be recomputed, and the page made of it."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from annotator import __version__
from annotator.cancel import check
from annotator.domain.base import canonical_json
from annotator.domain.rubric import load_rubric
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.report.html import page
from annotator.report.writing import USE_NOTE, whole_file
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.figures import Held
from annotator.workspace.report_sections import Listed, Section, answer, sections_of

FORMAT: Final = "rubric-annotator report"
VERSION: Final = 2
NEAR: Final = 1e-9
CITATION: Final = "RUBRIC-MME, dataset RobinTeng243/RUBRIC-MME on the Hugging Face Hub, CC BY-NC-SA 4.0."
LIMITS: Final = (
    "The benchmark is for evaluation only and not for training; its content is mostly Mandarin.",
    "Each media asset has terms of its own; one under takedown is neither shown nor exported.",
    "The benchmark's own judge was Gemini 2.5 Pro; for Gemini models a judge of another family is advised.",
    "Figures of human judgement stand on what was labelled blind by the raters of this workspace, under the rubric "
    "version named here.",
    "Judge records that are not a success are counted and named, and never read as scores.",
    "Intervals resample whole dialogues (for questions: images); with fewer than 5 of them there is none.",
)


@dataclass(frozen=True)
class Reported:
    """What was written: the page, the numbers beside it, and how many figures there are."""

    page: Path
    numbers: Path
    figures: int


def write_report(store: Store, file: Path, asked: Asked, lang: str = "en") -> Reported:
    """Write `file` (one page, nothing fetched from anywhere) and the JSON of its numbers beside it.

    Raises:
        WorldError: a file cannot be written, or both would be one; Cancelled: nothing was written.
    """
    numbers = file.with_suffix(".json")
    if numbers == file:
        raise WorldError(f"{file} would be page and numbers at once: give it a name that ends in .html.")
    told = numbers_of(store, asked)
    text = page(told, lang)
    body = json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False)
    with whole_file(numbers) as beside, whole_file(file) as handle:
        beside.write(body.encode("utf-8", "backslashreplace") + b"\n")
        handle.write(text.encode("utf-8", "backslashreplace"))
    return Reported(file, numbers, sum(len(section["figures"]) for section in told["sections"]))


def numbers_of(store: Store, asked: Asked) -> dict[str, Any]:
    """All numbers of a report, with what is needed to make them again."""
    sections = []
    held, listed, wanted = Held(store), Listed(store), sections_of(store)
    for number, section in enumerate(wanted):
        asked.tell(number, len(wanted))
        figures, rubric = answer(store, section, asked, held)
        made = figures.raw() | {"rubric": rubric}
        listed.trace(section, made["figures"], asked, held)
        command = command_of(section, asked)
        sections.append({"id": section.id, "by": list(section.by), "command": command, **made})
    plain: dict[str, Any] = json.loads(json.dumps(sections, allow_nan=False))
    every = listed.every()
    return {
        "format": FORMAT,
        "version": VERSION,
        "software": f"rubric-annotator {__version__}",
        "workspace": store.desk.workspace_id,
        "rubric": load_rubric().name,
        "seed": asked.seed,
        "resamples": asked.resamples,
        "epsilon": asked.epsilon,
        "sources": sources_of(store, asked),
        "sections": plain,
        "items": listed.raw(),
        "source_ids": {head.item_id: head.source_id for head in store.items.heads() if head.item_id in every},
        "use": USE_NOTE,
        "limits": list(LIMITS),
        "citation": CITATION,
    }


def command_of(section: Section, asked: Asked) -> str:
    """The command that prints the figures of a section again."""
    words = ["annotator", "stats", "WORKSPACE", section.subject]
    for name in section.by:
        words += ["--by", name]
    words += ["--seed", str(asked.seed), "--resamples", str(asked.resamples)]
    if section.subject == "calibration":
        words += ["--epsilon", f"{asked.epsilon:g}"]
    return " ".join(words)


def sources_of(store: Store, asked: Asked) -> dict[str, Any]:
    """What the figures stand on: SHA-256 of all label events, of the judges' scores, of the items; and the imports."""
    events = hashlib.sha256()
    for digest in sorted(event.digest for event in store.labels.events()):
        events.update(digest.encode())
    check(asked.token)
    judges = hashlib.sha256()
    for row in Readings(store.database).scored():
        judges.update(canonical_json(list(row)).encode("utf-8", "surrogatepass"))
    items = hashlib.sha256()
    for head in sorted(store.items.heads(), key=lambda head: head.item_id):
        items.update(f"{head.item_id} {head.content_hash}\n".encode())
    return {
        "events": store.labels.count(),
        "events_sha256": events.hexdigest(),
        "judges_sha256": judges.hexdigest(),
        "items_sha256": items.hexdigest(),
        "imports": [{"kind": one.kind, "source": Path(one.source).name} for one in store.imports.published()],
    }


def verify(store: Store, file: Path, asked: Asked) -> list[str]:
    """Compute a report again and compare: where it differs, "path: reported, recomputed"; empty where it holds.

    Numbers may differ by 1e-9. The seed, the number of resamples and epsilon are the report's own.

    Raises:
        WorldError: not a report, of another version, or of another workspace.
    """
    told = _read(file)
    if told.get("workspace") != store.desk.workspace_id:
        raise WorldError(f"{file} was made from another workspace: verify it with the one it came from.")
    own = replace(asked, seed=told["seed"], resamples=told["resamples"], epsilon=told["epsilon"])
    again = numbers_of(store, own)
    kept = ("rubric", "sources", "sections", "items")
    return [line for name in kept for line in _differences(name, told.get(name), again[name])]


def _read(file: Path) -> dict[str, Any]:
    try:
        told = json.loads(file.read_bytes())
    except OSError as error:
        raise WorldError(f"{file} cannot be read ({error.strerror}).", path=str(file)) from error
    except ValueError as error:
        raise WorldError(f"{file} is no report: it is not JSON.", path=str(file)) from error
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise WorldError(f"{file} is no report: name the .json that lies beside the page.", path=str(file))
    if told.get("version") != VERSION:
        raise WorldError(f"{file} was written by another version of this program.", path=str(file))
    numbers = (told.get("seed"), told.get("resamples"), told.get("epsilon"))
    if not all(isinstance(number, int | float) for number in numbers):
        raise WorldError(f"{file} does not say which seed it was made with.", path=str(file))
    return told


def _differences(path: str, one: Any, two: Any) -> Iterator[str]:
    """Where two JSON values differ; the first is the report's."""
    if isinstance(one, dict) and isinstance(two, dict):
        for name in sorted(one.keys() | two.keys()):
            yield from _differences(f"{path}.{name}", one.get(name), two.get(name))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for place, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from _differences(f"{path}[{_named(left, place)}]", left, right)
    elif not _same(one, two):
        yield f"{path}: {_short(one)}, recomputed {_short(two)}"


def _same(one: Any, two: Any) -> bool:
    numbers = isinstance(one, int | float) and isinstance(two, int | float)
    if numbers and not isinstance(one, bool) and not isinstance(two, bool):
        return math.isclose(one, two, rel_tol=0.0, abs_tol=NEAR)
    return type(one) is type(two) and one == two


def _named(value: Any, place: int) -> str:
    """A section's id, or a figure's name with what it is of."""
    if isinstance(value, dict) and "id" in value:
        return str(value["id"])
    if isinstance(value, dict) and "name" in value:
        return " ".join([str(value["name"]), *(str(part) for part in value.get("by", {}).values())])
    return str(place)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
