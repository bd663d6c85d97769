"""Questions and outputs in their published shapes, made up."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data"
CASES = DATA / "cases"
SAMPLES = DATA / "questions"
CHOICES = ("blue van", "red car", "green bus", "white truck", "The image does not feature the object")


def official(number: int, key: str = "C", **more: Any) -> dict[str, Any]:
    """An official record."""
    return {
        "Question_id": f"perception/monitoring/{number:04d}",
        "Image": f"monitoring_images/{number}.png",
        "Text": f"Which vehicle is in lane {number}?",
        "Question Type": "Multiple Choice",
        "Answer choices": [f"({letter}) {text}" for letter, text in zip("ABCDE", CHOICES, strict=True)],
        "Ground truth": key,
        "Category": "Vehicle/counting",
        "Subtask": "Monitoring",
        "Task": "Perception",
        **more,
    }


def packed(number: int, picture: bytes | str, key: str = "C", **more: Any) -> dict[str, Any]:
    """A record of the Base64 files."""
    image = base64.b64encode(picture).decode() if isinstance(picture, bytes) else picture
    return {
        "index": number,
        "image": image,
        "question": f"Which vehicle is in lane {number}?",
        "multi-choice options": [f"({letter}) {text}" for letter, text in zip("ABCDE", CHOICES, strict=True)],
        "answer": key,
        "category": "Perception/Monitoring",
        "l2-category": "Vehicle/counting",
        **more,
    }


def png(shade: int, width: int = 8, height: int = 6) -> bytes:
    """A small picture of one shade."""
    import cv2
    import numpy as np

    ok, data = cv2.imencode(".png", np.full((height, width, 3), shade % 256, dtype=np.uint8))
    assert ok
    return bytes(data.tobytes()) + shade.to_bytes(4, "big")


def write_json(path: Path, value: Any) -> Path:
    """A JSON file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def write_lines(path: Path, values: Sequence[Any]) -> Path:
    """A JSON Lines file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(v, ensure_ascii=False) + "\n" for v in values), encoding="utf-8")
    return path


def answered(records: Sequence[dict[str, Any]], outputs: Sequence[Any]) -> list[dict[str, Any]]:
    """Official records with outputs."""
    return [{**record, "Output": output} for record, output in zip(records, outputs, strict=True)]
