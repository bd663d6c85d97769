"""What a file holds, told by its first records; and which files of a folder are worth reading."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from annotator.cancel import CancelToken
from annotator.domain.comparisons_records import form_of
from annotator.domain.report import ReportLine
from annotator.errors import WorldError
from annotator.importers.base import Record
from annotator.importers.jsonstream import LOST_RECORD, Reader
from annotator.importers.label_tables import is_label_table
from annotator.importers.manifest import columns_of, is_manifest
from annotator.importers.mme import is_question
from annotator.importers.predictions import is_prediction, is_rating
from annotator.importers.tables import BINARY_SUFFIXES, TABLE_SUFFIXES, columns
from annotator.importers.text import TextFile

Kind = Literal[
    "dataset", "samples", "rounds", "judge", "questions", "predictions", "ratings", "comparisons", "manifest",
    "attributions", "labels", "empty", "other", "unknown",
]  # fmt: skip

# In the order in which files of a folder are read: what others refer to comes first.
ORDER: Final[tuple[Kind, ...]] = (
    "dataset", "samples", "rounds", "judge", "attributions", "questions", "predictions", "ratings", "comparisons",
    "manifest", "labels",
)  # fmt: skip
# What a person may call them on the command line.
NAMES: Final[dict[str, tuple[Kind, ...]]] = {
    "rubric-mme": ("dataset", "samples", "rounds"),
    "judge": ("judge",),
    "attributions": ("attributions",),
    "mme-realworld": ("questions",),
    "predictions": ("predictions", "ratings"),
    "mm-rlhf": ("comparisons",),
    "manifest": ("manifest",),
    "labels": ("labels",),
}
NAME_OF: Final = {kind: name for name, kinds in NAMES.items() for kind in kinds}
_LOOK_AT: Final = 50
_TEXT_SUFFIXES: Final = frozenset({".json", ".jsonl", ".ndjson", ".jl", *TABLE_SUFFIXES})
_MEDIA_SUFFIXES: Final = frozenset(
    ".mp4 .mkv .webm .mov .avi .ts .m4v .flv .mpg .mpeg .gif .jpg .jpeg .png .webp .bmp .tif .tiff .avif .heic .jp2 "
    ".wav .mp3 .m4a .ogg .opus .flac .aac".split()
)
_DAMAGE: Final = LOST_RECORD | {"bad_json"}
_LEFT_ALONE: Final = "workspace.db"


def kind_of_file(file: TextFile, token: CancelToken | None = None) -> tuple[Kind, str]:
    """What a file holds, and a word for what it is where that is not read yet.

    A file that cannot be read as JSON is `unknown`; what is wrong with it is told when it is read.
    """
    if file.path.suffix.lower() in TABLE_SUFFIXES:
        return _kind_of_table(file)
    votes: Counter[tuple[Kind, str]] = Counter()
    looked = 0
    try:
        for found in Reader(file, token).records():
            looked += 1
            if isinstance(found, Record):
                votes[kind_of_record(found.value)] += 1
            if looked >= _LOOK_AT:
                break
    except WorldError:
        return (max(votes, key=votes.__getitem__)) if votes else ("unknown", "")
    if not votes:
        return ("empty", "") if not looked else ("unknown", "")
    known = {k: n for k, n in votes.items() if k[0] not in ("unknown", "other")} or votes
    return max(known, key=known.__getitem__)


def _kind_of_table(file: TextFile) -> tuple[Kind, str]:
    binary = file.path.suffix.lower() in BINARY_SUFFIXES
    if not binary and is_manifest(columns_of(file)):
        return "manifest", ""
    names = dict.fromkeys(name.strip() for name in columns(file))
    if is_label_table(names):
        return "labels", ""
    if form_of(names) is not None:
        return "comparisons", ""
    has = names.__contains__
    return ("predictions", "") if is_prediction(has) else ("questions", "") if is_question(has) else ("unknown", "")


def kind_of_record(value: dict[str, Any]) -> tuple[Kind, str]:
    """What one record is, by the fields that only such records have."""
    has = value.keys().__contains__
    if has("record_type") and isinstance(value["record_type"], str) and value["record_type"].endswith("_judgement"):
        return "judge", ""
    if has("candidate_id") and (has("severity") or has("primary_error_category")):
        return "attributions", ""
    if has("judgement_id") and (has("scores") or has("score_vector") or has("judge_model_name")):
        return "judge", ""
    if has("_ai_unique_id_") or has("stream_conversation") or has("image_conversation"):
        return "dataset", ""
    if has("dialogue_id") and has("rounds"):
        return "samples", ""
    if has("dialogue_id") and (has("round_id") or has("round_index")) and (has("prediction") or has("question_text")):
        return "rounds", ""
    if has("target") and has("field") and has("value") and (has("item") or has("source_id")):
        return "labels", ""
    if form_of(value) is not None:
        return "comparisons", ""
    if is_manifest(value) or _holds_manifest(value.get("assets")):
        return "manifest", ""
    return _of_later(has)


def _holds_manifest(entries: Any) -> bool:
    return isinstance(entries, list) and any(isinstance(e, dict) and is_manifest(e) for e in entries[:_LOOK_AT])


def _of_later(has: Any) -> tuple[Kind, str]:
    if is_prediction(has):
        return "predictions", ""
    if is_question(has):
        return "questions", ""
    if is_rating(has):
        return "ratings", ""
    if has("chosen") or has("candidates") or has("rejected"):
        return "other", "preference data"
    return "unknown", ""


def damage_of(file: TextFile, token: CancelToken | None = None) -> ReportLine | None:
    """What is wrong with a file in which no record of a known kind was found; None where it is merely something else.

    The line is the one that would be said if the file were read.
    """
    lines: list[ReportLine] = []
    if file.path.suffix.lower() in TABLE_SUFFIXES:
        return None
    try:
        for found in islice(Reader(file, token).records(), _LOOK_AT):
            if isinstance(found, Record):
                return None
            lines.append(found)
    except WorldError:
        pass
    return next((line for line in reversed(lines) if line.code in _DAMAGE), None)


class Walked(NamedTuple):
    """What a folder holds, each sorted.

    Attributes:
        data: files that may be data; `others`: names of files that are no data we know.
        gone: names of what cannot be looked at: links to nothing, pipes and other things that are no files.
        closed: folders that may not be read.
    """

    data: list[Path]
    others: list[str]
    gone: list[str]
    closed: list[str]


def files_of(folder: Path) -> Walked:
    """What a folder holds.

    Folders are walked without following links; hidden ones and workspaces are left alone, media are passed over.
    """
    walked = Walked([], [], [], [])
    for path in _walk(folder, walked.closed):
        suffix = path.suffix.lower()
        if suffix not in _MEDIA_SUFFIXES and not path.is_file():
            walked.gone.append(path.relative_to(folder).as_posix())
        elif suffix in _TEXT_SUFFIXES:
            walked.data.append(path)
        elif suffix not in _MEDIA_SUFFIXES:
            walked.others.append(path.relative_to(folder).as_posix())
    return walked


def _walk(folder: Path, closed: list[str]) -> Iterator[Path]:
    def told(error: OSError) -> None:
        name = Path(os.fsdecode(error.filename or folder))
        closed.append(name.relative_to(folder).as_posix() if name.is_relative_to(folder) else str(name))

    for place, folders, names in os.walk(folder, onerror=told):
        if _LEFT_ALONE in names:
            folders[:] = []
            continue
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(n for n in names if not n.startswith(".")):
            yield Path(place, name)


def in_reading_order(kinds: Iterable[tuple[Path, Kind]]) -> list[tuple[Path, Kind]]:
    """Files sorted so that what others refer to comes first."""
    return sorted(kinds, key=lambda pair: (ORDER.index(pair[1]) if pair[1] in ORDER else len(ORDER), str(pair[0])))
