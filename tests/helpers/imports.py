"""Building sources in the real formats, and importing them into a workspace of their own."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from annotator.domain.report import ImportReport, ReportLine
from annotator.store import Store, create_store
from annotator.workspace.importing import import_source

CASES = Path(__file__).parent.parent / "data" / "cases"
TASK = "omnibench_video_stream_text"


def cases(*kinds: str) -> list[dict[str, Any]]:
    """The trouble inputs of these kinds."""
    held = json.loads((CASES / "import-cases.json").read_text(encoding="utf-8"))
    return [case for case in held["cases"] if case["kind"] in kinds]


@contextmanager
def workspace(folder: Path) -> Iterator[Store]:
    """A new workspace, closed at the end."""
    store = create_store(folder / "workspace", rater="tester")
    try:
        yield store
    finally:
        store.close()


def bring(store: Store, source: Path, *roots: Path, **more: Any) -> ImportReport:
    """Import with media roots."""
    return import_source(store, source, media_roots=list(roots), **more)


def codes(report: ImportReport) -> dict[str, int]:
    """How often each code occurs."""
    return dict(Counter(line.code for line in report.lines))


def lines_of(report: ImportReport, code: str) -> list[ReportLine]:
    """The lines of one code."""
    return [line for line in report.lines if line.code == code]


def put_cases(folder: Path, names: Sequence[str]) -> list[Path]:
    """Copy case files to a folder that may be written."""
    made = []
    for name in names:
        source, target = CASES / name.rstrip("/"), folder / name.rstrip("/")
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        made.append(target)
    return made


def write(path: Path, value: Any, *, lines: bool | None = None) -> Path:
    """A JSON list, or JSON Lines where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl" if lines is None else lines:
        text = "".join(json.dumps(v, ensure_ascii=False) + "\n" for v in value)
    else:
        text = json.dumps(value, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


def video(name: Any = "d1", turns: int = 2, **more: Any) -> dict[str, Any]:
    """A dialogue of the video file."""
    entries: list[dict[str, Any]] = []
    for k in range(turns):
        entries.append({"speaker": "user", "timestamp": f"00:{k:02d}", "text": f"question {k}"})
        answer = {"speaker": "ai", "timestamp": f"00:{k:02d}", "text": f"reference {k}"}
        entries.append({**answer, "vqa_category": "counting", "clip_path": f"clips/{k}.mp4"})
    return {"_ai_unique_id_": name, "environment": "personal_living_space-kitchen", "interaction_setup": None,
            "conversation_meta": None, "stream_conversation": {"conversations": entries}, **more}  # fmt: skip


def image(name: Any = "i1", turns: int = 2, **more: Any) -> dict[str, Any]:
    """A dialogue of the image file."""
    entries = [
        {"timestamp": f"00:{k:02d}", "human": f"question {k}", "ai": f"reference {k}", "image_path": f"img/{k}.jpg",
         "mimt_category": {"primary_category": "places", "secondary_categories": [], "requires_history": False,
                           "reasoning": ""}}
        for k in range(turns)
    ]  # fmt: skip
    return {"_ai_unique_id_": name, "environment": "outdoor_public_space-park", "interaction_setup": None,
            "conversation_meta": None, "image_conversation": {"conversations": entries}, **more}  # fmt: skip


def sample(name: Any = "d1", model: str = "m", turns: int = 2, **more: Any) -> dict[str, Any]:
    """A Phase 1 record of a model's answers to `video(name)`."""
    rounds = [
        {"round_index": k, "timestamp": f"00:{k:02d}", "question_text": f"question {k}",
         "reference_answer": f"reference {k}", "prediction": f"{model} says {k}", "category": "counting",
         "media_local_path": f"clips/{k}.mp4", "error": None}
        for k in range(turns)
    ]  # fmt: skip
    return {"phase": "phase1", "provider": "p", "model_name": model, "task_name": TASK, "dialogue_id": name,
            "environment": "personal_living_space-kitchen", "interaction_setup": None, "conversation_meta": None,
            "media_mode": "video", "question_mode": "text", "rounds": rounds, **more}  # fmt: skip


def judged(name: Any = "d1", index: int | None = 0, model: str = "m", judge: str = "j", **more: Any) -> dict[str, Any]:
    """A Phase 3 record; `index` None for a session."""
    key = f"p::{model}::{TASK}::{name}"
    dimension = "accuracy" if index is not None else "intent_fulfillment"
    record = {"record_type": "turn_judgement" if index is not None else "session_judgement", "dialogue_scope_key": key,
              "judgement_id": key if index is None else f"{key}::{name}:round_{index:03d}", "status": "success",
              "judge_backend": "api", "judge_model_name": judge, "judge_prompt_version": "v1", "tested_provider": "p",
              "tested_model_name": model, "task_name": TASK, "dialogue_id": name,
              "scores": {dimension: {"score": 4, "reason": "good"}}}  # fmt: skip
    if index is not None:
        record |= {"round_id": f"{name}:round_{index:03d}", "round_index": index, "prediction": f"{model} says {index}"}
    return {**record, **more}
