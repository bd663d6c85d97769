"""Records of the dataset files become dialogues; nothing is dropped in silence, nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.items import Dialogue
from annotator.importers.base import Context, Located, Record, lookalike
from annotator.importers.dialogues import DialogueFound, DialogueReader
from annotator.importers.oddities import is_mojibake
from tests.helpers.imports import image, video


def _locate(raw: Any) -> Located:
    return Located("ok", raw, "/root") if raw == "there.mp4" else Located("missing")


def _read(
    value: dict[str, Any], stem: str = "video", *, stated: bool = False
) -> tuple[Dialogue | None, list[str], int]:
    reader = DialogueReader(Context(f"{stem}.json", stem, _locate, stated))
    found = list(reader.read(Record(value, 3, 7)))
    codes = [f.code for f in found if not isinstance(f, DialogueFound)]
    whole = [f for f in found if isinstance(f, DialogueFound)]
    assert all((f.line, f.record, f.file) == (7, 3, f"{stem}.json") for f in found if not isinstance(f, DialogueFound))
    return (whole[0].dialogue, codes, whole[0].unanswered) if whole else (None, codes, 0)


def _talk(*entries: Any, **more: Any) -> dict[str, Any]:
    return video(**more) | {"stream_conversation": {"conversations": list(entries)}}


def _user(text: Any = "q", at: Any = "1") -> dict[str, Any]:
    return {"speaker": "user", "timestamp": at, "text": text}


def _ai(text: Any = "a", at: Any = "2", **more: Any) -> dict[str, Any]:
    return {"speaker": "ai", "timestamp": at, "text": text, **more}


def test_video_and_image_records() -> None:
    dialogue, codes, _ = _read(video("v", 3))
    assert dialogue is not None and codes == []
    assert [(t.index, t.question, t.reference) for t in dialogue.turns] == [
        (k, f"question {k}", f"reference {k}") for k in range(3)
    ]
    assert (dialogue.modality, dialogue.scenario, dialogue.detail) == ("video", "personal_living_space", "kitchen")
    assert dialogue.turns[0].evidence[0].role == "clip" and dialogue.turns[0].category.primary == "counting"  # type: ignore[union-attr]
    dialogue, codes, _ = _read(image("i", 2))
    assert dialogue is not None and codes == []
    assert (dialogue.modality, dialogue.turns[1].evidence[0].role) == ("image", "image")
    assert dialogue.turns[1].category.requires_history is False  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("entries", "turns", "said", "unanswered", "loose"),
    [
        ([_user(), _ai(), _user(), _user()], [("q", "a")], ["superseded_user", "unanswered"], 1, 2),
        ([_user("1"), _user("2"), _user("3"), _ai()], [("3", "a")], ["superseded_user"] * 2, 0, 0),
        ([_ai("x"), _ai("y")], [("", "x"), ("", "y")], ["empty_question"] * 2, 0, 0),
        ([_user(), _ai("x"), _ai("y"), _ai("z")], [("q", "x"), ("q", "y"), ("q", "z")], ["shared_question"] * 2, 0, 0),
        ([_user(), {"speaker": "system", "text": "s"}, _ai()], [("q", "a")], ["unknown_speaker"], 0, 0),
        ([_user(), _ai(), {"speaker": None, "text": "s"}], [("q", "a")], ["unknown_speaker"], 0, 1),
        ([_user(), _ai(), {"speaker": "AI", "text": "s"}], [("q", "a")], ["unknown_speaker"], 0, 1),
        ([_user(), "text", 7, None, _ai()], [("q", "a")], ["entry_not_object"] * 3, 0, 0),
        ([_user(None), _ai("  ")], [("", "  ")], ["empty_text"] * 2, 0, 0),
        ([_user(5), _ai(["x"])], [("5", '["x"]')], ["field_type"] * 2, 0, 0),
        ([_ai("x"), _user(), _ai("y"), _user()], [("", "x"), ("q", "y")], ["empty_question", "unanswered"], 1, 1),
    ],
)
def test_how_entries_become_turns(
    entries: list[Any], turns: list[tuple[str, str]], said: list[str], unanswered: int, loose: int
) -> None:
    dialogue, codes, count = _read(_talk(*entries))
    assert dialogue is not None
    assert [(t.question, t.reference) for t in dialogue.turns] == turns
    assert (codes, count, len(dialogue.unanswered)) == (said, unanswered, loose)
    assert sum(len(t.entries) for t in dialogue.turns) + loose == len(entries)


def test_image_entries_that_are_odd() -> None:
    value = image()
    value["image_conversation"]["conversations"] = [
        {"timestamp": "1", "human": "q", "image_path": "i.jpg"},
        "text",
        {"timestamp": {"x": 1}, "human": None, "ai": 4, "image_path": 9, "mimt_category": ["x"]},
    ]
    dialogue, codes, _ = _read(value, "image")
    assert dialogue is not None
    assert [(t.question, t.reference) for t in dialogue.turns] == [("q", ""), ("", "4")]
    assert codes == [
        "empty_text",
        "entry_not_object",
        "empty_text",
        "field_type",
        "time_text",
        "field_type",
        "field_type",
    ]
    assert dialogue.turns[1].evidence[0].raw is None


def test_what_speaks_alternates_even_in_the_image_file() -> None:
    value = image() | {"image_conversation": {"conversations": [_user(), _ai(image_path="x.jpg")]}}
    dialogue, codes, _ = _read(value, "image")
    assert dialogue is not None and codes == []
    assert dialogue.turns[0].evidence[0].raw == "x.jpg" and dialogue.modality == "image"


@pytest.mark.parametrize(
    "held", [None, {}, {"conversations": None}, {"conversations": {}}, {"conversations": []}, [], 7]
)
@pytest.mark.parametrize("key", ["stream_conversation", "image_conversation"])
def test_no_conversation(key: str, held: Any) -> None:
    value = {"_ai_unique_id_": "n", "environment": "personal_living_space-x", key: held}
    dialogue, codes, _ = _read(value)
    assert dialogue is not None and codes == ["no_conversation"] and dialogue.turns == ()
    assert dialogue.modality == ("video" if key.startswith("stream") else "image")


def test_a_record_without_any_conversation_is_of_the_kind_of_its_file() -> None:
    for stem, modality in (("video_final", "video"), ("image_final_with_mimt", "image")):
        dialogue, codes, _ = _read({"_ai_unique_id_": "n"}, stem)
        assert dialogue is not None and dialogue.modality == modality and codes == ["no_conversation"]


@pytest.mark.parametrize(
    ("stamps", "raw", "kind", "said"),
    [
        (("5", "6"), "5", "seconds", []),
        ((None, "6"), "6", "seconds", []),
        (("", 6.5), 6.5, "seconds", []),
        ((None, "later"), None, "none", []),
        (("later", "6"), "later", "text", ["time_text"]),
        ((True, "6"), True, "text", ["time_text"]),
        (("5-3", "6"), "5-3", "text", ["time_text"]),
        (("2024-05-01T10:00:00Z", "6"), "2024-05-01T10:00:00Z", "iso", []),
    ],
)
def test_the_users_timestamp_else_the_ais(stamps: tuple[Any, Any], raw: Any, kind: str, said: list[str]) -> None:
    dialogue, codes, _ = _read(_talk(_user(at=stamps[0]), _ai(at=stamps[1])))
    assert dialogue is not None
    assert (dialogue.turns[0].timestamp.raw, dialogue.turns[0].timestamp.kind, codes) == (raw, kind, said)


@pytest.mark.parametrize(
    ("environment", "scenario", "detail", "said"),
    [
        ("work_and_office_environment-desk-2", "work_and_office_environment", "desk-2", []),
        ("work_and_office_environment", "work_and_office_environment", "unknown", []),
        ("-desk", "unknown", "desk", []),
        (None, "unknown", "unknown", []),
        ("  ", "unknown", "unknown", []),
        ("campus_space-library", "campus_space", "library", ["scenario_unknown"]),
        ("个人空间-厨房", "个人空间", "厨房", ["scenario_unknown"]),
        (7, "7", "unknown", ["field_type", "scenario_unknown"]),
    ],
)
def test_environments(environment: Any, scenario: str, detail: str, said: list[str]) -> None:
    dialogue, codes, _ = _read(video(environment=environment))
    assert dialogue is not None and (dialogue.scenario, dialogue.detail, codes) == (scenario, detail, said)


@pytest.mark.parametrize(
    ("name", "kept", "said"),
    [
        (7, "7", ["id_not_text"]),
        (-1, "-1", ["id_not_text"]),
        (" x ", " x ", []),
        ("1e5", "1e5", []),
        ("007", "007", []),
        (False, None, ["id_repaired"]),
        (" ", None, ["id_repaired"]),
        ([], None, ["id_repaired"]),
        ({}, None, ["id_repaired"]),
    ],
)
def test_ids(name: Any, kept: str | None, said: list[str]) -> None:
    dialogue, codes, _ = _read(video(name))
    assert dialogue is not None and codes == said
    assert dialogue.source_id == kept if kept else dialogue.source_id.startswith("no-id-")
    again, _, _ = _read(video(name))
    assert again is not None and again.item_id == dialogue.item_id


@pytest.mark.parametrize("name", ["1.23457E+15", "6E+05", "#####", "#NAME?", "#REF!", "#N/A"])
def test_ids_that_a_spreadsheet_damaged_are_refused(name: str) -> None:
    assert _read(video(name)) == (None, ["id_damaged"], 0)


def test_categories_in_both_forms_and_neither() -> None:
    odd = {"primary_category": 5, "secondary_categories": ["a", 1], "requires_history": "yes", "reasoning": None}
    dialogue, codes, _ = _read(_talk(_user(), _ai(vqa_category="x"), _ai(vqa_category=odd), _ai(vqa_category=7)))
    assert dialogue is not None
    assert [t.category.primary if t.category else None for t in dialogue.turns] == ["x", "5", None]
    assert codes == ["field_type", "field_type", "field_type", "shared_question", "field_type", "shared_question"] or (
        codes.count("field_type") == 4 and codes.count("shared_question") == 2
    )
    assert dialogue.turns[1].category.secondary == ("a",)  # type: ignore[union-attr]


def test_media_of_a_turn() -> None:
    dialogue, codes, _ = _read(
        _talk(
            _user(),
            _ai(clip_path="there.mp4", user_tts_path="q.wav", gpt_frame_paths=["1.jpg", "2.jpg", 3]),
            _ai(clip_path="gone.mp4", compressed_clip_path="there.mp4"),
            _ai(gcs_url="gs://b/x.mp4"),
            _ai(clip_path=None),
            _ai(clip_path=["x"], gpt_frame_paths="y", compressed_clip_path=4),
            _ai(),
        ),
        stated=True,
    )
    assert dialogue is not None and dialogue.spoken
    one, two, three, four, five, six = dialogue.turns
    assert one.audio is not None and [f.raw for f in one.frames] == ["1.jpg", "2.jpg", None]
    assert (two.evidence[0].raw, two.evidence[0].status, two.evidence[0].inside) == (
        "gone.mp4",
        "remapped",
        "there.mp4",
    )
    assert (three.evidence[0].raw, four.evidence[0].raw, five.evidence[0].raw, six.evidence) == (
        "gs://b/x.mp4",
        None,
        None,
        (),
    )
    assert codes.count("path_missing") == 4  # the sound, the frames as one, the address (no file), the empty path
    assert codes.count("field_type") == 4


def test_setup_and_meta_of_other_types_are_kept() -> None:
    dialogue, codes, _ = _read(video(interaction_setup="find it", conversation_meta=[1]))
    assert dialogue is not None and (dialogue.goal, dialogue.persona, dialogue.meta) == ("find it", None, [1])
    assert codes == ["field_type"] * 2
    setup = {"interaction_goal": {"a": "b"}, "user_persona": "tourist"}
    dialogue, codes, _ = _read(video(interaction_setup=setup))
    assert dialogue is not None and (dialogue.goal, dialogue.persona, codes) == ({"a": "b"}, "tourist", [])


def test_two_conversations_in_one_record_are_said() -> None:
    value = video() | {"image_conversation": image()["image_conversation"]}
    dialogue, codes, _ = _read(value)
    assert dialogue is not None and (dialogue.modality, codes) == ("video", ["field_type"])


def test_ids_that_resemble_each_other() -> None:
    assert lookalike("D 1") == lookalike("d1") == lookalike("ｄ１") and lookalike("é") == lookalike("e\u0301")
    assert lookalike("omni_1") != lookalike("omni-1") and lookalike("7") != lookalike("007")


@pytest.mark.parametrize(
    "text",
    ["你好，世界", "联通", "浣溪沙变了", "«CAFÉ»", "naïve Ça", "25°C ±3", "Über ß", "洹水变化", "q0 这是一只杯子。"],
)
def test_honest_texts_are_no_mojibake(text: str) -> None:
    assert not is_mojibake(text)


@pytest.mark.parametrize("codec", ["latin-1", "cp1252", "gbk", "gb18030"])
@pytest.mark.parametrize("text", ["你好，世界", "这是什么？怎么走", "图片里有几个人"])
def test_texts_encoded_twice_are_noticed(text: str, codec: str) -> None:
    assert is_mojibake("q " + text.encode().decode(codec, "ignore") + " a")
