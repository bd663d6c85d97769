"""Writes the sample's folder: text first, then pictures, sounds and clips, and at last a mark that all is there."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from annotator import resources
from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.sample import (
    Progress,
    SampleFolder,
    attributing,
    clips,
    health,
    judging,
    labelling,
    market,
    office,
    records,
    tones,
)
from annotator.sample.canvas import Canvas
from annotator.sample.kitchen import Kitchen
from annotator.sample.packing import CLIP_SECONDS, SHOTS, Packing
from annotator.sample.script import MODELS, Dialogue, read_dialogues
from annotator.sample.street import Street

VERSION = 1
"""Raise it when what is drawn or written changes, so that an older sample is made anew."""
MARK = ".sample.json"
"""Name of the file that says which version is here and how long each file is."""

Step = tuple[str, Callable[[Path], None]]
"""A file, relative to the root, and what writes it."""

PICTURES: dict[str, Callable[[], Canvas]] = {
    "images/market_poster.jpg": market.poster,
    "images/market_shelf.jpg": market.shelf,
    "images/market_receipt.jpg": market.receipt,
    "images/office_whiteboard.jpg": office.whiteboard,
    "images/office_chart.jpg": office.chart,
    "images/office_plan.jpg": office.plan,
    "images/office_door.jpg": office.door,
    "images/health_squat.jpg": health.squat,
    "images/health_watch.jpg": health.watch,
    "images/health_meter.jpg": health.meter,
    "images/health_bottle.jpg": health.bottle,
}


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _as_lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_text(file: Path, text: str) -> None:
    file.write_bytes(text.encode("utf-8"))


def _write_picture(file: Path, draw: Callable[[], Canvas]) -> None:
    canvas = draw()
    image = canvas.image if canvas.scale == 1 else Image.fromarray(canvas.pixels())
    held = io.BytesIO()
    image.save(held, "JPEG", quality=88, subsampling=0 if canvas.scale > 1 else 2)
    file.write_bytes(held.getvalue())


def _texts(dialogues: list[Dialogue]) -> dict[str, str]:
    """Dataset files, answers, judgements, labels and the page that explains them, by name."""
    texts: dict[str, str] = {}
    for modality in ("video", "image"):
        chosen = [d for d in dialogues if d.modality == modality]
        texts[chosen[0].dataset_file] = _as_json([records.dataset_entry(d) for d in chosen])
    for model in MODELS:
        for task in dict.fromkeys(d.task for d in dialogues):
            rows = [records.answers_entry(d, model) for d in dialogues if d.task == task]
            texts[f"phase1/{model.provider}_{task}_samples.jsonl"] = _as_lines(rows)
    turns, sessions = judging.turn_records(dialogues), judging.session_records(dialogues)
    texts["phase3/turn_judgements.jsonl"] = _as_lines(turns)
    texts["phase3/session_judgements.jsonl"] = _as_lines(sessions)
    texts["phase4/turn_error_attributions.jsonl"] = _as_lines(attributing.turn_records(turns))
    texts["phase4/session_error_attributions.jsonl"] = _as_lines(attributing.session_records(sessions))
    texts["labels.jsonl"] = _as_lines(labelling.label_records(dialogues))
    texts["README.md"] = resources.path("sample/README.md").read_text(encoding="utf-8")
    return texts


def _write_packing(file: Path, number: int, token: CancelToken | None) -> None:
    times = clips.even_times(CLIP_SECONDS)
    clips.write_clip(file, Packing(SHOTS[number]), times, Fraction(1, clips.RATE), token)


def _write_street(file: Path, token: CancelToken | None) -> None:
    clips.write_clip(file, Street(), clips.even_times(36), Fraction(1, clips.RATE), token)


def _write_kitchen(file: Path, token: CancelToken | None) -> None:
    clips.write_clip(file, Kitchen(), clips.uneven_times(26), Fraction(1, 1000), token)


def _media_steps(dialogues: list[Dialogue], token: CancelToken | None) -> list[Step]:
    steps: list[Step] = [(name, partial(_write_picture, draw=draw)) for name, draw in PICTURES.items()]
    for dialogue in dialogues:
        steps += [(t.audio, partial(tones.write_signal, question=t.question)) for t in dialogue.turns if t.audio]
    steps.append(("clips/street.mp4", partial(_write_street, token=token)))
    steps.append(("clips/kitchen.mp4", partial(_write_kitchen, token=token)))
    for number in range(len(SHOTS)):
        steps.append((f"clips/packing_{number + 1}.mp4", partial(_write_packing, number=number, token=token)))
    return steps


def _stamp(root: Path, texts: dict[str, str], names: list[str]) -> dict[str, Any]:
    """What the mark says: version, a digest of all texts, the length of each file (-1 where there is none)."""
    digest = hashlib.sha256("\0".join(texts.values()).encode("utf-8")).hexdigest()
    lengths = {name: (root / name).stat().st_size if (root / name).is_file() else -1 for name in names}
    return {"version": VERSION, "texts": digest, "lengths": lengths}


def _is_whole(root: Path, stamp: dict[str, Any]) -> bool:
    mark = root / MARK
    if not mark.is_file() or -1 in stamp["lengths"].values():
        return False
    try:
        found = json.loads(mark.read_text(encoding="utf-8"))
    except ValueError:
        return False
    return bool(found == stamp)


def _folder(root: Path, names: list[str]) -> SampleFolder:
    def under(*heads: str) -> tuple[Path, ...]:
        return tuple(root / name for name in names if name.startswith(heads))

    return SampleFolder(
        root=root,
        datasets=under("video_final", "image_final"),
        answers=under("phase1/"),
        judgements=under("phase3/"),
        attributions=under("phase4/"),
        labels=root / "labels.jsonl",
        media=under("images/", "audio/", "clips/"),
    )


def build(into: Path, token: CancelToken | None = None, progress: Progress | None = None) -> SampleFolder:
    """See `annotator.sample.build_sample`."""
    dialogues = read_dialogues()
    texts = _texts(dialogues)
    steps: list[Step] = [(name, partial(_write_text, text=text)) for name, text in texts.items()]
    steps += _media_steps(dialogues, token)
    names = [name for name, _ in steps]
    try:
        if not _is_whole(into, _stamp(into, texts, names)):
            (into / MARK).unlink(missing_ok=True)
            for done, (name, write) in enumerate(steps):
                check(token)
                if progress is not None:
                    progress(done, len(steps))
                file = into / name
                file.parent.mkdir(parents=True, exist_ok=True)
                write(file)
            _write_text(into / MARK, _as_json(_stamp(into, texts, names)))
    except OSError as fault:
        raise WorldError(
            f"The sample cannot be written into {into} ({fault.strerror or fault}): choose a folder you may write to, "
            "with 30 MB of free space.",
            code="sample_not_written",
            path=str(into),
        ) from fault
    if progress is not None:
        progress(len(steps), len(steps))
    return _folder(into, names)
