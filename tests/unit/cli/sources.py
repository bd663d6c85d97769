"""Small invented sources in the benchmark's formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

MODELS = ("alpha", "beta")
TASK = "omnibench_video_stream_text"
RESPONDERS = tuple(f"acme::{model}::{TASK}" for model in MODELS)


def dialogue(name: str, turns: int) -> dict[str, Any]:
    entries: list[dict[str, Any]] = []
    for k in range(turns):
        entries.append({"speaker": "user", "timestamp": f"00:{2 * k:02d}", "text": f"{name} 问题 {k}？"})
        entries.append(
            {
                "speaker": "ai", "timestamp": f"00:{2 * k + 1:02d}", "text": f"{name} reference {k}",
                "vqa_category": "counting", "clip_path": f"clips/{name}.mp4",
            }
        )  # fmt: skip
    return {
        "_ai_unique_id_": name,
        "environment": "outdoor_public_space-street",
        "interaction_setup": {"interaction_goal": f"goal of {name}", "user_persona": {"age": 30}},
        "conversation_meta": None,
        "stream_conversation": {"conversations": entries},
    }


def sample(name: str, turns: int, model: str) -> dict[str, Any]:
    return {
        "phase": "phase1", "provider": "acme", "task_name": TASK, "model_name": model, "dialogue_id": name,
        "environment": "outdoor_public_space-street", "question_mode": "text", "media_mode": "video",
        "round_count": turns,
        "rounds": [
            {
                "round_index": k, "question_text": f"{name} 问题 {k}？", "reference_answer": f"{name} reference {k}",
                "prediction": f"{model} says Café {k} of {name}", "media_local_path": f"clips/{name}.mp4",
            }
            for k in range(turns)
        ],
    }  # fmt: skip


DIALOGUES = {"street-1": 2, "street-2": 3}


def write(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    records = [dialogue(name, turns) for name, turns in DIALOGUES.items()]
    (folder / "video_final.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")
    for model in MODELS:
        lines = [json.dumps(sample(n, t, model), ensure_ascii=False) for n, t in DIALOGUES.items()]
        (folder / f"{model}_samples.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def label_lines(name: str, turns: int, responder: str, value: int = 4) -> list[dict[str, Any]]:
    """Lines that make one queue row complete."""
    from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS

    made = [
        {"source_id": name, "responder": responder, "target": f"turn:{k}", "field": dimension, "value": value}
        for k in range(turns)
        for dimension in TURN_DIMENSIONS
    ]
    made += [
        {"source_id": name, "responder": responder, "target": "session", "field": dimension, "value": "cannot_judge"}
        for dimension in SESSION_DIMENSIONS
    ]
    return [*made, {"source_id": name, "target": "item", "field": "verdict", "value": "keep"}]


def write_lines(file: Path, lines: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return file
