"""What people found about questions, out of a workspace: corrected keys as a patch, evidence as native crops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from annotator import __version__
from annotator.cancel import CancelToken, check
from annotator.domain.question_sheet import KeyFinding, needs_letter
from annotator.domain.questions import Question, box_share
from annotator.errors import WorldError, cannot_write
from annotator.report.writing import meta_file, whole_file, write_meta
from annotator.store import Store
from annotator.workspace.questions_pictures import picture_path
from annotator.workspace.questions_said import Said, said_of

INDEX: Final = "index.json"


@dataclass(frozen=True, slots=True)
class ExportedQuestions:
    """What an export wrote.

    Attributes:
        file: the file, or the folder's index.
        written: corrected keys, or crops.
        left_out: disagreements that nobody settled (and one person's word, where that was not wanted), or boxes whose
            picture cannot be cut.
        notes: a sentence for each thing left out.
        cross_checked: the corrected keys on which at least two people agree.
    """

    file: Path
    written: int
    left_out: int
    notes: tuple[str, ...] = ()
    cross_checked: int = 0


def export_keys(
    store: Store, file: Path, token: CancelToken | None = None, *, cross_checked: bool = False
) -> ExportedQuestions:
    """Write the questions whose key is wrong, each a record of the benchmark's own shape.

    `Ground truth` is the mended letter; what it was, how many gave a verdict, how far the check by several people is,
    and where the record stands is added to it. A record is `cross_checked` where at least two people agree or an
    adjudication says so; one that rests on one person's word comes behind those, and with `cross_checked` not at all.
    Where raters disagree and nobody settled it, the question is left out and counted.

    Raises:
        WorldError: when it cannot be written; Cancelled: nothing was.
    """
    checked: list[dict[str, Any]] = []
    alone: list[dict[str, Any]] = []
    undecided = 0
    for question, said in _spoken(store, token):
        found = said.finding(question.item_id)
        if found is None:
            undecided += any(needs_letter(v) for v, _ in said.verdicts(question.item_id).values())
        elif found.letter and found.letter != question.key:
            (checked if found.cross_checked else alone).append(_patched(question, found))
    records = checked if cross_checked else [*checked, *alone]
    data = json.dumps(records, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n"
    with whole_file(file) as handle:
        handle.write(data)
    left_out = undecided + (len(alone) if cross_checked else 0)
    _tell(store, file, "corrected keys", len(records), left_out, cross_checked=len(checked))
    notes = [f"{undecided} disagreements about keys are not settled; they are left out."] if undecided else []
    if alone:
        what = "1 mended key rests" if len(alone) == 1 else f"{len(alone)} mended keys rest"
        then = "left out" if cross_checked else "marked by cross_checked: false"
        notes.append(f"{what} on one person's word: {then}.")
    return ExportedQuestions(file, len(records), left_out, tuple(notes), len(checked))


def _patched(question: Question, found: KeyFinding) -> dict[str, Any]:
    image = question.image
    record: dict[str, Any] = {
        "Question_id": question.source_id,
        "Image": None if image is None else image.raw,
        "Text": question.text,
        "Question Type": "Multiple Choice",
        "Answer choices": [f"({c.letter}) {c.text}" for c in question.choices],
        "Ground truth": found.letter,
        "Category": question.category,
        "Subtask": question.subtask,
        "Task": question.task,
    }
    if question.dataset is not None:
        record["Dataset"] = question.dataset
    if question.index is not None:
        record["index"] = question.index
    before = {"Ground truth before": question.key_raw, "item": question.item_id, "source": question.source}
    said = {"raters": found.raters, "state": found.state, "cross_checked": found.cross_checked}
    return record | before | {"row": question.row} | said


def export_evidence(store: Store, folder: Path, token: CancelToken | None = None) -> ExportedQuestions:
    """Cut every pinned box out of its picture at native pixels, into an empty or new folder with `index.json`.

    Raises:
        WorldError: when the folder is in use or cannot be written; Cancelled.
    """
    from annotator.media.pictures import crop
    from annotator.media.snapshot import save_png

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise WorldError(f"{folder} is not empty: choose another folder for the crops.", path=str(folder))
    except OSError as error:
        raise cannot_write(folder, error) from error
    entries: list[dict[str, Any]] = []
    notes: list[str] = []
    for question, rater, box, phase in _boxes(store, token):
        path = picture_path(question.image, store.folder)
        x, y, w, h = (round(v) for v in box)
        name = f"{question.item_id.replace(':', '-')}-{len(entries):05d}.png"
        try:
            if path is None:
                raise WorldError("its picture is missing")
            size = _size(path)
            save_png(crop(path, x, y, max(w, 1), max(h, 1)), folder / name)
        except WorldError as error:
            notes.append(f'The box on "{question.source_id}" ({rater}) is left out: {error.sentence}')
            continue
        share = box_share(box, *size)
        entries.append(
            {
                "file": name, "item": question.item_id, "source_id": question.source_id, "rater": rater,
                "phase": phase, "box": list(box), "image": question.image.raw if question.image else None,
                "width": size[0], "height": size[1], "share": round(share, 6), "bound": question.share_bound,
                "within_bound": share <= question.share_bound, "category": list(question.canonical),
                "key": question.key, "text": question.text,
            }
        )  # fmt: skip
    index = folder / INDEX
    with whole_file(index) as handle:
        handle.write(json.dumps(entries, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass") + b"\n")
    _tell(store, index, "evidence crops", len(entries), len(notes))
    return ExportedQuestions(index, len(entries), len(notes), tuple(notes))


def _size(path: Path) -> tuple[int, int]:
    from annotator.media.header import read_header

    return read_header(path).displayed


def _spoken(store: Store, token: CancelToken | None) -> Iterator[tuple[Question, Said]]:
    """The questions of which something was said, in order of import."""
    said = said_of(store.labels.current())
    held = store.items.bodies_of(said)
    for item_id, spoken in said.items():
        check(token)
        if item_id in held:
            yield Question.model_validate(held[item_id]), spoken


def _boxes(store: Store, token: CancelToken | None) -> Iterator[tuple[Question, str, list[float], str]]:
    for question, said in _spoken(store, token):
        for rater in sorted(said.cells):
            sheet = said.sheet(question.item_id, rater)
            box = sheet.value("box")
            if isinstance(box, list) and not sheet.cell("box").stale:
                yield question, rater, box, sheet.phases["box"]


def _tell(store: Store, file: Path, content: str, written: int, left_out: int, **more: int) -> None:
    write_meta(
        meta_file(file),
        {
            "file": file.name, "format": "json", "content": content, "records": written, "left_out": left_out,
            "workspace": store.desk.workspace_id, "app": f"rubric-annotator {__version__}", **more,
        },
    )  # fmt: skip
