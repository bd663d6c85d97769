"""Reads the turns of a dataset entry, whichever its modality."""

from __future__ import annotations

from typing import Any


def turns_of(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The turns of a dataset entry of either modality, as {question, reference, timestamp, category, media, audio}."""
    if "image_conversation" in entry:
        return [
            {
                "question": raw["human"],
                "reference": raw["ai"],
                "timestamp": raw["timestamp"],
                "category": raw["mimt_category"],
                "media": raw["image_path"],
                "audio": raw.get("human_tts_path"),
            }
            for raw in entry["image_conversation"]["conversations"]
        ]
    turns, question = [], ""
    for raw in entry["stream_conversation"]["conversations"]:
        if raw["speaker"] == "user":
            question = raw["text"]
        else:
            turns.append(
                {
                    "question": question,
                    "reference": raw["text"],
                    "timestamp": raw["timestamp"],
                    "category": raw["vqa_category"],
                    "media": raw["clip_path"],
                    "audio": raw.get("user_tts_path"),
                }
            )
    return turns
