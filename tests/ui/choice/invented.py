"""Invented questions with drawn images, and a workspace of them in memory that hands out what a real one would.

Nothing of key, findings or predictions leaves it before the answer is saved; saving can be made to fail.
"""

# ruff: noqa: E501 - texts of questions read best on one line

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from annotator.domain.items import Asset
from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import QuestionFilter, QuestionRow, QuestionSheet, cross_check, question_facets
from annotator.domain.questions import NO_ANSWER, Choice, Finding, Prediction, Question
from annotator.domain.sheet import Cell
from annotator.errors import WorldError
from annotator.workspace.questions import Other, PredictionView, QuestionQueueView, QuestionView
from annotator.workspace.views import Changes, Intent

SECRET_OUTPUT = "The vessel is moored, hence option (D) it must be."
_TEXTS = (
    ("停车场首排白车", "图中右上方的停车场，最靠北的一排停放了多少辆白色轿车？", ("3 辆", "5 辆", "6 辆", "8 辆", "图中没有停车场"), "D"),
    ("Colour of the second van", "What is the colour of the second van from the left?", ("blue", "red", "green", "white", "The image does not feature the object"), "B"),
    ("路口掉头标线颜色", "路口掉头标线是什么颜色？", ("白色", "黄色", "红色", "蓝色", "图中没有标线"), "A"),
)  # fmt: skip
_OUTPUTS = (
    ("P 72B", "The answer is (C).", "letter_with_text", ("C", "C", "C")),
    ("Q 8B", "A careful count of the first row gives six, so the answer is C.", "letter_with_text", ("A", "C", "C")),
    ("R", "D", "bare_letter", ("D", "D", "D")),
    ("S 34B", "B or C, hard to tell at this size", "text_only", ("B", "B", None)),
    ("T", "", "blank", ("A", "A", None)),
)  # fmt: skip


def picture(folder: Path, number: int, size: tuple[int, int] = (1600, 1100)) -> Path:
    """A drawn car park as a PNG file."""
    path = folder / f"image-{number}.png"
    if not path.exists():
        image = Image.new("RGB", size, (92, 116 + number % 40, 84))
        pen = ImageDraw.Draw(image)
        pen.rectangle((size[0] * 0.3, size[1] * 0.3, size[0] * 0.8, size[1] * 0.8), fill=(88, 88, 90))
        chance = np.random.default_rng(number)
        for row in range(6):
            for column in range(14):
                if chance.random() < 0.5:
                    x = size[0] * (0.32 + column * 0.034)
                    y = size[1] * (0.33 + row * 0.08)
                    colour = tuple(int(v) for v in chance.integers(40, 240, 3))
                    pen.rounded_rectangle((x, y, x + size[0] * 0.02, y + size[1] * 0.05), 4, fill=colour)
        image.save(path, compress_level=1)
    return path


def question(number: int, path: Path | None) -> Question:
    _, text, choices, key = _TEXTS[number % len(_TEXTS)]
    asset = Asset(role="image", raw=f"image-{number}.png", field="Image", status="ok" if path else "missing")
    return Question(
        item_id=f"question:{number:016x}", source_id=f"mme-r {number:04d}", source="questions.json", row=number,
        text=text, choices=tuple(Choice(letter=c, text=t) for c, t in zip("ABCDE", choices, strict=True)),
        key=key, key_raw=f"({key})", task="Perception", subtask="Remote Sensing", category="count",
        canonical=("Perception", "Remote Sensing", "count"), language="zh" if number % 3 != 1 else "en", split="lite",
        image=asset, findings=(Finding(code="image_reduced", detail="7360 -> 2048"),) if number % 3 == 0 else (),
    )  # fmt: skip


def predictions(question_: Question, count: int = 5) -> tuple[Prediction, ...]:
    made = []
    for number in range(count):
        alias, output, state, letters = _OUTPUTS[number % len(_OUTPUTS)]
        if number == 2:
            output = SECRET_OUTPUT
        made.append(
            Prediction(
                item_id=question_.item_id, model=f"lab/{alias.lower().replace(' ', '-')}-{number}", output=output,
                state=state, official=letters[0], vlmevalkit=letters[1], careful=letters[2],
            )  # type: ignore[arg-type]
        )  # fmt: skip
    return tuple(made)


class FakeQuestions:
    """Questions in memory."""

    def __init__(self, folder: Path, count: int = 12, models: int = 5, size: tuple[int, int] = (1600, 1100)) -> None:
        self.phase = "blind"
        self.failing = False
        self.read_only = False
        self.said: list[tuple[str, tuple[Intent, ...], int]] = []
        self._cells: dict[str, dict[str, Cell]] = {}
        self._others: dict[str, dict[str, tuple[str, str | None]]] = {}
        self.drafts: dict[str, dict[tuple[str, str], str]] = {}
        self._undo: list[tuple[str, dict[str, Cell]]] = []
        self._paths = {n: (picture(folder, n, size) if n % 7 != 5 else None) for n in range(count)}
        self._held = {q.item_id: q for q in (question(n, self._paths[n]) for n in range(count))}
        self._models = models

    def count(self) -> int:
        return len(self._held)

    def _sheet(self, item: str) -> QuestionSheet:
        cells = dict(self._cells.get(item, {}))
        return QuestionSheet(item, "lin", cells, dict.fromkeys(cells, "blind"))

    def _cross(self, item: str) -> Any:
        sheet = self._sheet(item)
        said = dict(self._others.get(item, {}))
        if sheet.value("key_verdict"):
            said["lin"] = (sheet.value("key_verdict"), sheet.value("key_letter"))
        return cross_check(said)

    def row(self, item: str) -> QuestionRow:
        held, sheet = self._held[item], self._sheet(item)
        title = _TEXTS[held.row % len(_TEXTS)][0]
        waiting = 0
        if sheet.answered:
            waiting = sum(
                p.disagree and sheet.value(f"letter:{p.model}") is None for p in predictions(held, self._models)
            )
        return QuestionRow(
            item_id=item, source_id=held.source_id, title=title, task=held.canonical[0], domain=held.canonical[1],
            category=held.canonical[2], language=held.language, split=held.split, status=sheet.status(),
            cross=self._cross(item), answered=sheet.answered, letters_open=waiting,
            missing_image=self._paths[held.row] is None,
        )  # fmt: skip

    def queue(self, wanted: QuestionFilter, fresh: bool = False) -> QuestionQueueView:
        rows = [self.row(item) for item in self._held]
        shown = tuple(
            r for r in rows if wanted.accepts(r) and wanted.search.lower() in f"{r.title} {r.source_id}".lower()
        )
        return QuestionQueueView(shown, len(rows), sum(r.finished for r in rows), question_facets(rows))

    def question(self, item: str) -> QuestionView:
        held, sheet = self._held[item], self._sheet(item)
        revealed = sheet.answered or self.phase == "open"
        shown = held if revealed else held.model_copy(update={"key": None, "key_raw": "", "findings": ()})
        views: tuple[PredictionView, ...] = ()
        if revealed:
            views = tuple(
                PredictionView(
                    p.model,
                    _OUTPUTS[n % 5][0] if n < 5 else chr(65 + n),
                    p.output,
                    p.state,
                    p.official,
                    p.vlmevalkit,
                    p.careful,
                    None,
                    False,
                    right={f: p.state not in NO_ANSWER and p.letter(f) == held.key for f in PROFILES},
                )
                for n, p in enumerate(predictions(held, self._models))
            )
        said = sheet.value("key_verdict") is not None
        return QuestionView(
            self.row(item), shown, self._paths[held.row], sheet, revealed, views, self._cross(item),
            tuple(Other(who, *v) for who, v in self._others.get(item, {}).items()) if said else (), share_bound=held.share_bound, read_only=self.read_only,
            drafts=self.drafts.get(item, {}),
        )  # fmt: skip

    def say(self, item: str, intents: Sequence[Intent], active_ms: int, lang: str) -> Changes:
        if self.failing:
            raise WorldError("The disk is full: make room and try again.")
        self._undo.append((item, dict(self._cells.get(item, {}))))
        self.said.append((item, tuple(intents), active_ms))
        cells = self._cells.setdefault(item, {})
        for intent in intents:
            if intent.value is None:
                cells.pop(intent.field, None)
            else:
                cells[intent.field] = Cell(intent.value)
        return Changes(rows=frozenset({(item, "")}), events=len(intents))

    def undo(self) -> Changes | None:
        if not self._undo:
            return None
        item, before = self._undo.pop()
        changed = next(iter(set(self._cells[item]) ^ set(before)), "answer")
        self._cells[item] = before
        return Changes(moved_to=(item, None, "item", changed))

    def other_says(self, item: str, who: str, verdict: str, letter: str | None = None) -> None:
        self._others.setdefault(item, {})[who] = (verdict, letter)
