"""Questions as programs outside see them: pages of the command line, with keys, models and everything."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from annotator.domain.questions import Prediction, Question
from annotator.report.lines import current_line, current_order
from annotator.store import Store


def question_page(store: Store, item_id: str) -> dict[str, Any]:
    """Everything about one question.

    Raises:
        WorldError: no such item.
    """
    question = Question.model_validate(store.items.body(item_id))
    image = question.image
    return {
        "item": question.item_id,
        "kind": "question",
        "source_id": question.source_id,
        "revision": question.revision,
        "source": question.source,
        "record": question.row,
        "index": question.index,
        "text": question.text,
        "choices": [{"letter": c.letter, "text": c.text} for c in question.choices],
        "key": question.key,
        "key_raw": question.key_raw,
        "key_positions": list(question.positions(question.key)),
        "category": question.category,
        "subtask": question.subtask,
        "task": question.task,
        "canonical": dict(zip(("task", "domain", "category"), question.canonical, strict=True)),
        "dataset": question.dataset,
        "language": question.language,
        "split": question.split,
        "image": None if image is None else {
            "path": image.inside if image.inside is not None else image.raw,
            "status": image.status,
            "raw": image.raw,
            "inside": image.inside,
            "kept": image.found and image.root is None,
        },
        "findings": [{**asdict(f), "letters": list(f.letters)} for f in question.findings],
        "predictions": [_prediction(p, question) for p in store.predictions.of(item_id)],
        "labels": label_lines(store, item_id, question.source_id),
        "problems": [],
    }  # fmt: skip


def _prediction(prediction: Prediction, question: Question) -> dict[str, Any]:
    letter = prediction.letter("careful")
    return {
        "model": prediction.model,
        "output": prediction.output,
        "state": prediction.state,
        "letter": letter,
        "correct": letter is not None and letter == question.key,
        "letters": {
            "official": prediction.official,
            "vlmevalkit": prediction.vlmevalkit,
            "careful": prediction.careful,
        },
        "claims": prediction.claims,
    }


def label_lines(store: Store, item_id: str, source_id: str) -> list[dict[str, Any]]:
    """Current labels of all raters as label lines; where devices disagree, `conflict` holds what they say."""
    spent = {e.event_id: (e.lang, e.active_ms) for e in store.labels.events(item_id=item_id)}
    held = sorted(store.labels.current(item_id=item_id), key=lambda c: current_order(c.current))
    lines = []
    for label in held:
        current = label.current
        if current.value is None and not current.in_conflict:
            continue
        line = current_line(current, source_id, *spent[current.heads[-1]], stale=label.stale)
        lines.append({**line, "conflict": list(current.conflict)} if current.in_conflict else line)
    return lines
