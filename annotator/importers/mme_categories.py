"""The benchmark's tasks, domains and categories: one spelling for each, and how many rows were published."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

_OCR, _RS, _DT = "OCR with Complex Context", "Remote Sensing", "Diagram and Table"
_MO, _AD = "Monitoring", "Autonomous_Driving"
DOMAINS: Final = (_OCR, _RS, _DT, _MO, _AD)

# Rows of the English full set by task, domain and category, as its result logs count them.
ENGLISH: Final[dict[tuple[str, str, str], int]] = {
    **{("Perception", _OCR, c): n for c, n in (
        ("license", 852), ("phone_and_address", 577), ("text_recog", 1198), ("adver_and_product", 1558),
        ("book_map_poster", 1555),
    )},
    **{("Perception", _RS, c): n for c, n in (("position", 1257), ("color", 1255), ("count", 1226))},
    **{("Perception", _DT, c): n for c, n in (("table", 4018), ("diagram", 1415))},
    **{("Perception", _MO, c): n for c, n in (
        ("person/counting", 992), ("vehicle/counting", 608), ("vehicle/location", 136),
        ("vehicle/attribute/color", 197), ("vehicle/attribute/orientation", 155), ("person/attribute/color", 89),
        ("person/attribute/orientation", 19),
    )},
    **{("Perception", _AD, c): n for c, n in (
        ("Objects_Identify", 1101), ("Object_Count", 720), ("Attribute_Motion_Vehicle", 158),
        ("Attribute_Motion_MultiVehicles", 823), ("Attribute_Motion_Pedestrian", 164),
        ("Attribute_Motion_MultiPedestrians", 493), ("Attribute_Visual_TrafficSignal", 201),
    )},
    **{("Reasoning", _OCR, c): n for c, n in (("Scene Understanding", 250), ("Character Identification", 250))},
    **{("Reasoning", _DT, c): n for c, n in (("table", 326), ("diagram", 174))},
    **{("Reasoning", _MO, c): n for c, n in (("calculate", 300), ("intention", 98), ("property", 100))},
    **{("Reasoning", _AD, c): n for c, n in (
        ("Prediction_Intention_Ego", 304), ("Prediction_Intention_Pedestrian", 103),
        ("Prediction_Intention_Vehicle", 207), ("Relation_Interaction_Ego2Pedestrian", 106),
        ("Relation_Interaction_Ego2Vehicle", 101), ("Relation_Interaction_Ego2TrafficSignal", 105),
        ("Relation_Interaction_Other2Other", 201), ("Attention_TrafficSignal", 217),
    )},
}  # fmt: skip
# Rows of the Chinese set by task and domain, as the paper counts them.
CHINESE: Final[dict[tuple[str, str], int]] = {
    ("Perception", _OCR): 1908, ("Perception", _RS): 300, ("Perception", _DT): 602, ("Perception", _MO): 500,
    ("Perception", _AD): 700, ("Reasoning", _OCR): 207, ("Reasoning", _DT): 602, ("Reasoning", _MO): 298,
    ("Reasoning", _AD): 800,
}  # fmt: skip
EN, EN_PAPER, CN, LITE, PAPER = 23_609, 23_599, 5_917, 1_919, 29_429
_LITE_EACH: Final = 50  # of each category; a smaller one is there whole

_SLIPS: Final = {"pedestrain": "pedestrian", "addresss": "address", "character": "character identification",
                 "scene": "scene understanding"}  # fmt: skip
_NAMES: Final = {c.casefold(): c for _, _, c in ENGLISH}


@lru_cache(maxsize=4096)
def canonical(task: str, subtask: str, category: str) -> tuple[str, str, str]:
    """(task, domain, category) in one spelling; what is none of the benchmark's names is only trimmed."""
    small = task.strip().casefold()
    clear = "Perception" if small.startswith("percep") else "Reasoning" if small.startswith("reason") else task.strip()
    plain = re.sub(r"[_\s]+", " ", subtask).strip().casefold()
    domain = next((d for d in DOMAINS if d.replace("_", " ").casefold() == plain), subtask.strip())
    return clear, domain, _category(category)


def _category(raw: str) -> str:
    folded = re.sub(r"\s+", " ", raw).strip().casefold()
    whole = _SLIPS.get(folded, folded)
    for slip in ("pedestrain", "addresss"):
        whole = whole.replace(slip, _SLIPS[slip])
    return _NAMES.get(whole, whole)


@dataclass(slots=True)
class QuestionTotals:
    """What the question files of one import hold, to be compared with what was published."""

    sets: Counter[str] = field(default_factory=Counter)
    rows: Counter[tuple[str, tuple[str, str, str]]] = field(default_factory=Counter)

    def add(self, language: str, split: str, category: tuple[str, str, str]) -> None:
        """Count one row."""
        name = "Lite" if split == "lite" else "EN" if language == "en" else "CN"
        self.sets[name] += 1
        self.rows[name, category] += 1

    def compared(self) -> dict[str, dict[str, int]]:
        """Published totals beside what was found: of each set that is there, of the paper, and by category."""
        full = self.sets["EN"] + self.sets["CN"]
        found: dict[str, dict[str, int]] = {}
        for name, count, published in (
            ("EN", self.sets["EN"], EN), ("EN (paper)", self.sets["EN"], EN_PAPER), ("CN", self.sets["CN"], CN),
            ("Lite", self.sets["Lite"], LITE), ("EN + CN (paper)", full, PAPER),
        ):  # fmt: skip
            if count:
                found[name] = {"found": count, "published": published}
        if self.sets["EN"]:
            for category, published in ENGLISH.items():
                found[" · ".join(("EN", *category))] = {"found": self.rows["EN", category], "published": published}
        if self.sets["CN"]:
            for pair, published in CHINESE.items():
                count = sum(n for (name, c), n in self.rows.items() if name == "CN" and c[:2] == pair)
                found[" · ".join(("CN", *pair))] = {"found": count, "published": published}
        if self.sets["Lite"]:
            for category, published in ENGLISH.items():
                count = self.rows["Lite", category]
                found[" · ".join(("Lite", *category))] = {"found": count, "published": min(published, _LITE_EACH)}
        return found
