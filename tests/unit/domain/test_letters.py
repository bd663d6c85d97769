"""Letters out of outputs: the table of right letters, and others like them."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.letters import PROFILES, extract, state_of

ANSWERS = Path(__file__).parents[2] / "data" / "questions" / "answers.jsonl"
READ = ANSWERS.parents[1] / "letters" / "read.jsonl"
ROWS = [json.loads(line) for line in ANSWERS.read_text(encoding="utf-8").split("\n") if line]
# Invented outputs with every letter that a careful reader could take; null among them where none is as good.
READ_ROWS = [json.loads(line) for line in READ.read_text(encoding="utf-8").split("\n") if line]

CARS = ["(A) blue van", "(B) red car", "(C) green bus", "(D) white truck", "(E) The image does not feature the object"]
NUMBERS = ["(A) 13", "(B) 27", "(C) 45", "(D) 6", "(E) The image does not feature the buses"]
PETS = ["(A) a cat", "(B) a bird", "(C) a dog", "(D) a horse", "(E) none of these animals"]
SIX = ["(A) turn left", "(B) turn right", "(C) go straight", "(D) stop", "(D) None of the above", "(E) not shown"]
TIMES = ["(A) 07:30", "(B) 08:15", "(C) 09:00", "(D) 08:15", "(E) not shown"]
WINDS = ["(A) north", "(B) south", "(C) east", "(D) west"]
NAMES = ["(A) B", "(B) A", "(C) D", "(D) C", "(E) none of the letters"]
EMPTY = ["(A) None", "(B) NA", "(C) null", "(D) 0", "(E) The image does not show it"]
WAGEN = ["(A) 红色轿车", "(B) 蓝色货车", "(C) 绿色公交车", "(D) 白色卡车", "(E) 图中没有该物体"]
SEITE = ["（A）左侧", "（B）右侧", "（C）上方", "（D）下方", "（E）图片中没有出现"]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_every_answer_of_the_table(row: dict[str, Any]) -> None:
    for profile in ("official", "vlmevalkit"):
        assert (extract(profile, row["output"], row["choices"]) or "") == row[profile]
    letter = extract("careful", row["output"], row["choices"])
    assert letter == row["human"] or (row["hard"] and letter is None)


def test_no_invented_output_is_read_as_another_letter() -> None:
    read = [(row["output"], extract("careful", row["output"], row["choices"]), row["letters"]) for row in READ_ROWS]
    assert [(output, letter) for output, letter, letters in read if letter not in letters] == []
    sure = [letter for _, letter, letters in read if None not in letters]
    assert len(sure) > 400
    assert None not in sure


def test_the_profiles_have_names_and_no_other() -> None:
    assert PROFILES == ("official", "vlmevalkit", "careful")
    with pytest.raises(KeyError):
        extract("clever", "A", CARS)


@pytest.mark.parametrize(
    ("output", "official", "tool"),
    [
        ("C. green bus", "C", "C"), ("c", "B", "C"), ("green bus", "C", None), ("", "A", "A"),
        ("Best answer: C", "B", "C"), ("Answer: C", "A", "A"), ("Based on the image, C", "B", "B"),
        ("Cannot see", "C", "C"), ("The answer is: c", None, None), ("F", "E", None), ("答案是（B）", "B", "B"),
        ("<think>A car</think>C", "A", "A"), ("<answer>red</answer>", None, "E"),
        (None, None, None), (45, None, None),
    ],
)  # fmt: skip
def test_the_two_published_rules_keep_their_quirks(output: Any, official: str | None, tool: str | None) -> None:
    # "F" lower-cased stands in "does not feature", "c" in "(b) red car".
    assert extract("official", output, CARS) == official
    assert extract("vlmevalkit", output, CARS) == tool


READ = {
    "a letter in any dress": [(CARS, o, "C") for o in (
        "C", "c", "C.", "C)", " (C) ", "[C]", "**C**", "`C`", '"C"', "$C$", "C!", "C?", "Ｃ", "（C）",
        "C\u200b", "\ufeffC",
        "```\nC\n```", "\\boxed{C}", "$\\boxed{\\text{(C)}}$", "['C']", '{"answer": "c"}', "<answer>C</answer>",
        '```json\n{"answer": "C"}\n```', '{"choice": "C", "confidence": 0.9}', "C\x00\x07",
    )],
    "a letter and its text": [(CARS, o, "C") for o in (
        "C. green bus", "(C) green bus", "C: green bus", "C) green bus", "C - green bus",
        "C green bus", "C, green bus",
        "C (green bus)", "green bus (C)", "C\nBecause A is a van.", "C because the bus is green",
        "<answer>(C) green bus</answer>",
    )],
    "a claim": [(CARS, o, "D") for o in (
        "The answer is: D", "The correct answer is D.", "The best option is D", "Best option: D",
        "ANSWER: D", "Ans: D",
        "Ans. D", "Final answer: D", "answer is d", "The correct choice is (d).", "Option D",
        "option d", "I choose D.",
        "I would go with option D.", "I'd say D", "My answer is D", "I think it is D.", "It's D.",
        "Choose D", "Select (D)",
        "Therefore, the answer is D", "According to the picture, D.", "**Answer:** D",
        "### Answer\nD", "Correct: D",
        "(D) is right", "D is the correct answer.", "Option D is the best answer", "Probably D", "Sure, D",
        "Option A is wrong, option B is wrong, so D is correct.", "The vehicle is the white truck, so D.",
        "The answer is D because A and B are not in the lane.", "The answer is white truck.",
        "The answer is B. Wait, it should be D.",
        "First I thought the answer is A, but actually the answer is D.",
        "A. blue van: no\nB. red car: no\nC. green bus: no\nD. white truck: yes\nAnswer: D",
        "<think>It could be A or B.</think>D", "It is B.</think>D", "<think>...</think><answer>D",
    )],
    "the text of one choice": [
        (CARS, "GREEN BUS", "C"), (CARS, "the green bus", "C"), (CARS, "A red car", "B"),
        (CARS, "A blue van", "A"),
        (CARS, "There is a green bus in the lane.", "C"), (PETS, "A dog", "C"), (PETS, "It is a bird.", "B"),
        (PETS, "The animal is a dog, not a cat.", "C"), (NUMBERS, 45, "C"), (NUMBERS, "27.0", "B"),
        (NUMBERS, "There are 45 buses.", "C"), (WINDS, "South.", "B"), (SIX, "None of the above", "D"),
        (TIMES, "09:00", "C"), (EMPTY, "null", "C"), (EMPTY, "None", "A"), (SEITE, "右侧。", "B"),
        (WAGEN, "蓝色货车。", "B"),
        (WAGEN, "图中是蓝色货车", "B"), (WAGEN, "一辆红色轿车", "A"),
    ],
    "Chinese": [(WAGEN, o, "B") for o in (
        "答案：B", "答案是B", "选择B", "我选B", "应该选B", "正确答案是（B）", "正确选项为B", "因此答案是B。",
        "所以选B", "B选项正确",
        "选项B", "答案为：Ｂ", "B、蓝色货车", "根据图片，选B。", "A错误，B正确", "最终答案：B",
        "B。因为是蓝色", "答案不是A，而是B",
        "第二个选项", "选第二个",
    )],
    "by order": [(CARS, "The second option", "B"), (CARS, "the last option", "E"), (CARS, "third choice", "C")],
    "labels that are texts too": [(NAMES, "B", "B"), (NAMES, "The answer is B.", "B"), (NAMES, "Option D", "D")],
    "two right texts, one letter": [(TIMES, "B. 08:15", "B"), (TIMES, "(D)", "D"), (SIX, "D. None of the above", "D")],
    "no letter": [(CARS, o, None) for o in (
        "A or C", "B, C", "A/B", "B and D are both possible", "ABC", "Either A or B", "not A",
        "It is not C.", "A is wrong.",
        "The answer is not D", "All of the above", "F", "F. other", "A truck",
        "A bus is in the lane.", "bus", "...", "2",
        "I see a blue van and a red car.", "There is no red car.",
        "The image doesn't feature the object", "Cannot see",
        "Not sure", "I don't know.", "I'm sorry, but I can't help with that.",
        "As an AI, I cannot determine it.",
        "C. red car", "The answer is A. Therefore the answer is B.", "<think>so the answer is B",
        "Plan B is shown",
        "<answer>A</answer><answer>B</answer>", "Is it C?", "Vitamin C", "Grade A", "Line A of the metro",
        "The sign reads 'Exit B' and the car is red.", "I believe the answer is either B or C.",
        "A. blue van\nB. red car\nC. green bus\nD. white truck\nE. The image does not feature the object",
    )] + [(WINDS, "E", None), (PETS, "A wolf", None), (TIMES, "08:15", None), (NUMBERS, "C. 27", None),
          (NUMBERS, "Between 13 and 27", None), (NUMBERS, "7", None)]
      + [(WAGEN, o, None) for o in ("A和B", "A或C", "不是A", "不选B", "不确定", "无法判断", "以上都是", "没有红色轿车",
                                    "红色轿车和蓝色货车", "C. 红色轿车")],
    "no answer at all": [(CARS, o, None) for o in (
        None, "", "  \n", "nan", "NaN", "null", "Failed to obtain answer via API.",
        "Error: CUDA out of memory.",
        "Failed to obtain answer via API.<class 'RuntimeError'> out of memory",
        "HTTP 500 Internal Server Error",
    )],
}  # fmt: skip


@pytest.mark.parametrize("kind", READ)
def test_a_careful_reader(kind: str) -> None:
    wrong = [(o, extract("careful", o, c), w) for c, o, w in READ[kind] if extract("careful", o, c) != w]
    assert wrong == []


@pytest.mark.parametrize(
    ("output", "state"),
    [
        ("C", "bare_letter"), ("(c)", "bare_letter"), ("C. green bus", "letter_with_text"),
        ("green bus", "text_only"),
        ("The answer is C", "letter_with_text"), ("I'm sorry, I cannot help.", "refused"), ("不确定", "refused"),
        ("<think>It may be A", "cut_off"), ("Failed to obtain answer via API.", "failed"), ("",
        "blank"), (None, "blank"),
        ("nan", "blank"), ("Error: timeout", "failed"), ("a purple bike", "text_only"),
    ],
)  # fmt: skip
def test_each_output_is_of_one_kind(output: str | None, state: str) -> None:
    assert state_of(output, CARS) == state


@pytest.mark.parametrize(
    "output",
    ["The van is (A) or so, " * 5000, "x " * 30000 + "A", "( " * 30000, "{" * 20000, "\\boxed{" * 5000, "[" * 4000,
     "<think>" * 9000, "<think></think>" * 9000, "answer " * 3000, "so " * 2000, "not " * 5000],
)  # fmt: skip
def test_hostile_outputs_are_read_in_bounded_time(output: str) -> None:
    started = time.process_time()
    assert extract("careful", output, CARS) in (None, "A")
    assert time.process_time() - started < 60  # a guard against patterns that never end, not a target of speed
