"""The dataset files and the models' answers, shaped exactly as the benchmark and its pipeline write them."""

from __future__ import annotations

from typing import Any

from annotator.sample.script import Dialogue, Model, Turn

Record = dict[str, Any]


def dataset_entry(dialogue: Dialogue) -> Record:
    """One entry of the dataset file that belongs to the dialogue's modality."""
    entry: Record = {
        "_ai_unique_id_": dialogue.id,
        "environment": dialogue.environment,
        "interaction_setup": {"interaction_goal": dialogue.goal, "user_persona": dialogue.persona},
        "conversation_meta": dialogue.meta,
    }
    if dialogue.modality == "video":
        entry["stream_conversation"] = {"conversations": _stream(dialogue)}
    else:
        entry["image_conversation"] = {"conversations": [_image_turn(turn) for turn in dialogue.turns]}
    return entry


def _stream(dialogue: Dialogue) -> list[Record]:
    entries: list[Record] = []
    for turn in dialogue.turns:
        entries.append({"speaker": "user", "timestamp": turn.time, "text": turn.question})
        answer: Record = {
            "speaker": "ai",
            "timestamp": turn.time,
            "text": turn.reference,
            "vqa_category": turn.category,
            "clip_path": turn.media,
        }
        if turn.audio:
            answer["user_tts_path"] = turn.audio
        entries.append(answer)
    if dialogue.unanswered:
        entries.append({"speaker": "user", "timestamp": "27", "text": dialogue.unanswered})
    return entries


def _image_turn(turn: Turn) -> Record:
    record: Record = {
        "timestamp": turn.time,
        "human": turn.question,
        "ai": turn.reference,
        "mimt_category": turn.category,
        "image_path": turn.media,
    }
    if turn.audio:
        record["human_tts_path"] = turn.audio
    return record


def answers_entry(dialogue: Dialogue, model: Model) -> Record:
    """One line of a model's Phase 1 samples."""
    mode = "tts" if dialogue.spoken else "text"
    return {
        "benchmark_name": "RUBRIC-MME",
        "phase": "phase1",
        "provider": model.provider,
        "task_name": dialogue.task,
        "task_alias": f"{dialogue.modality}_{mode}",
        "model_name": model.name,
        "dialogue_id": dialogue.id,
        "source_type": dialogue.modality,
        "environment": dialogue.environment,
        "interaction_setup": {"interaction_goal": dialogue.goal, "user_persona": dialogue.persona},
        "conversation_meta": dialogue.meta,
        "round_count": len(dialogue.turns),
        "question_mode": mode,
        "media_mode": dialogue.modality,
        "source_dataset_file": dialogue.dataset_file,
        "source_data_root": ".",
        "generated_at": "2026-02-10T08:00:00+00:00",
        "rounds": [_round(turn, model) for turn in dialogue.turns],
    }


def _round(turn: Turn, model: Model) -> Record:
    answer, error = turn.answers[model.key], turn.errors.get(model.key)
    return {
        "round_index": turn.index,
        "timestamp": turn.time,
        "question_text": turn.question,
        "reference_answer": turn.reference,
        "prediction": answer,
        "category": turn.category,
        "media_local_path": turn.media,
        "media_remote_url": None,
        "media_cloud_path": None,
        "question_audio_local_path": turn.audio or None,
        "latency_seconds": round(0.9 + 0.031 * len(answer), 3) if answer else 60.0,
        "attempt_count": 3 if error else 1,
        "usage": {"prompt_tokens": 900 + 210 * turn.index, "completion_tokens": len(answer)} if answer else None,
        "error": error,
        "error_info": {"type": "timeout", "status_code": 504} if error else None,
    }
