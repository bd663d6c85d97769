"""The sample is in the benchmark's formats: field by field, with turns, answers and judgements that belong together."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from annotator.domain.rubric import load_rubric
from annotator.sample import SampleFolder
from annotator.sample.script import MODELS, SESSION_DIMENSIONS, TURN_DIMENSIONS, read_toml
from tests.unit.sample.reading import turns_of

Lines = Callable[[str], list[dict[str, Any]]]
TURNS = {"sample-v1": 9, "sample-v2": 5, "sample-v3": 6, "sample-i1": 4, "sample-i2": 4, "sample-i3": 4}
TASKS = {
    "omnibench_video_stream_text": ["sample-v2"],
    "omnibench_video_stream_tts": ["sample-v1", "sample-v3"],
    "omnibench_image_multi_text": ["sample-i1", "sample-i2"],
    "omnibench_image_multi_tts": ["sample-i3"],
}
SAMPLE_FIELDS = (
    "benchmark_name phase provider task_name task_alias model_name dialogue_id source_type environment "
    "interaction_setup conversation_meta round_count question_mode media_mode source_dataset_file source_data_root "
    "generated_at rounds"
).split()
ROUND_FIELDS = (
    "round_index timestamp question_text reference_answer prediction category media_local_path media_remote_url "
    "media_cloud_path question_audio_local_path latency_seconds attempt_count usage error error_info"
).split()
JUDGE_FIELDS = (
    "schema_version record_type dialogue_scope_key judgement_id status judge_backend judge_model_name "
    "judge_prompt_version judge_input_mode judged_at tested_provider "
    "tested_model_name task_name task_mode dialogue_id scores score_vector "
    "reason_vector avg_score overall_summary parse_success parse_issues error"
).split()
TIME = re.compile(r"^(\d{2}:\d{2}[-~]\d{2}:\d{2}|(\d{2}:)*\d+(\.\d+)?(s|秒)?|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})$")


def test_three_video_and_three_image_dialogues_one_of_nine_turns(dataset: dict[str, dict[str, Any]]) -> None:
    assert {key: len(turns_of(entry)) for key, entry in dataset.items()} == TURNS
    for key, entry in dataset.items():
        field = "stream_conversation" if "-v" in key else "image_conversation"
        base = {"_ai_unique_id_", "environment", "interaction_setup", "conversation_meta"}
        assert set(entry) == {*base, field}
        assert set(entry["interaction_setup"]) == {"interaction_goal", "user_persona"}


def test_six_scenarios_both_languages_both_forms(dataset: dict[str, dict[str, Any]]) -> None:
    known = {scenario["id"] for scenario in read_toml("rubric/scenarios.toml")["scenario"]}
    scenarios = {entry["environment"].partition("-")[0] for entry in dataset.values()}
    assert len(scenarios) == 6 and scenarios <= known
    assert {entry["conversation_meta"]["language"] for entry in dataset.values()} == {"zh", "en"}
    categories = [turn["category"] for entry in dataset.values() for turn in turns_of(entry)]
    assert {type(category) for category in categories} == {str, dict}
    for category in categories:
        if isinstance(category, dict):
            assert set(category) == {"primary_category", "secondary_categories", "requires_history", "reasoning"}
            assert isinstance(category["requires_history"], bool)
    for part in ("interaction_goal", "user_persona"):
        assert {type(entry["interaction_setup"][part]) for entry in dataset.values()} == {str, dict}


def test_personas_say_that_they_are_invented(dataset: dict[str, dict[str, Any]]) -> None:
    for entry in dataset.values():
        persona = str(entry["interaction_setup"]["user_persona"])
        assert "虚构" in persona or "invented" in persona


def test_every_turn_has_text_a_readable_time_and_media_that_is_there(
    sample: SampleFolder, dataset: dict[str, dict[str, Any]]
) -> None:
    for key, entry in dataset.items():
        for turn in turns_of(entry):
            assert turn["question"].strip() and turn["reference"].strip()
            assert TIME.match(turn["timestamp"]), turn["timestamp"]
            assert (sample.root / turn["media"]).is_file()
            assert (turn["audio"] is not None) == (key in ("sample-v1", "sample-v3", "sample-i3"))
            assert turn["audio"] is None or (sample.root / turn["audio"]).is_file()


def test_clips_shared_and_own_and_one_question_left_unanswered(dataset: dict[str, dict[str, Any]]) -> None:
    clips = {key: [turn["media"] for turn in turns_of(entry)] for key, entry in dataset.items()}
    assert len(set(clips["sample-v1"])) == len(set(clips["sample-v3"])) == 1
    assert len(set(clips["sample-v2"])) == 5
    assert clips["sample-i1"][1] == clips["sample-i1"][2]
    last = [dataset[key]["stream_conversation"]["conversations"][-1] for key in ("sample-v1", "sample-v2", "sample-v3")]
    assert [entry["speaker"] for entry in last] == ["ai", "user", "ai"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.key)
@pytest.mark.parametrize("task", TASKS)
def test_phase_one_answers(lines: Lines, dataset: dict[str, dict[str, Any]], model: Any, task: str) -> None:
    rows = lines(f"phase1/{model.provider}_{task}_samples.jsonl")
    assert [row["dialogue_id"] for row in rows] == TASKS[task]
    for row in rows:
        assert list(row) == SAMPLE_FIELDS
        assert (row["provider"], row["model_name"], row["task_name"]) == (model.provider, model.name, task)
        turns = turns_of(dataset[row["dialogue_id"]])
        assert row["round_count"] == len(row["rounds"]) == len(turns)
        for index, (turn, one) in enumerate(zip(turns, row["rounds"], strict=True)):
            assert list(one) == ROUND_FIELDS and one["round_index"] == index
            same = (one["question_text"], one["reference_answer"], one["timestamp"], one["media_local_path"])
            assert same == (turn["question"], turn["reference"], turn["timestamp"], turn["media"])
            assert bool(one["prediction"].strip()) == (one["error"] is None)


def test_turn_judgements(lines: Lines) -> None:
    rows = lines("phase3/turn_judgements.jsonl")
    assert len(rows) == 2 * sum(TURNS.values()) + 1
    for row in rows:
        assert set(JUDGE_FIELDS) <= set(row) and row["schema_version"] == "rubric_mme_phase3_v2"
        scope = f"{row['tested_provider']}::{row['tested_model_name']}::{row['task_name']}::{row['dialogue_id']}"
        round_id = f"{row['dialogue_id']}:round_{row['round_index']:03d}"
        assert (row["dialogue_scope_key"], row["round_id"]) == (scope, round_id)
        assert row["judgement_id"] == f"{scope}::{round_id}"
        if row["status"] == "success":
            assert tuple(row["scores"]) == TURN_DIMENSIONS
            assert all(cell["reason"] for cell in row["scores"].values())
            assert all(1 <= value <= 5 for value in row["score_vector"].values())


def test_session_judgements(lines: Lines) -> None:
    rows = lines("phase3/session_judgements.jsonl")
    assert len({row["judgement_id"] for row in rows}) == len(rows) == 12
    for row in rows:
        assert row["judgement_id"] == row["dialogue_scope_key"] and row["record_type"] == "session_judgement"
        assert tuple(row["scores"]) == SESSION_DIMENSIONS and row["key_dialogue_signals"]


def test_attributions_stand_for_low_scores(lines: Lines) -> None:
    tags = {(tag.level, tag.id) for tag in load_rubric().tags}
    for level, dimensions in (("turn", TURN_DIMENSIONS), ("session", SESSION_DIMENSIONS)):
        judged = {row["judgement_id"]: row for row in lines(f"phase3/{level}_judgements.jsonl")}
        rows = lines(f"phase4/{level}_error_attributions.jsonl")
        assert rows and len({row["candidate_id"] for row in rows}) == len(rows)
        for row in rows:
            scores = judged[row["candidate_id"]]["score_vector"]
            assert row["low_score_metrics"] == [d for d in dimensions if scores[d] <= 3]
            assert row["severity"] == ("critical" if min(scores.values()) <= 2 else "warning")
            assert 1 <= len(row["secondary_error_categories"]) <= 3 and 1 <= len(row["affected_metrics"]) <= 4
            assert all((level, name) in tags for name in row["secondary_error_categories"])
            assert row["attribution_summary"] and row["schema_version"] == "rubric_mme_phase4_v1"


def test_the_known_flaws_are_where_the_page_says(lines: Lines) -> None:
    rows = lines("phase3/turn_judgements.jsonl")

    def at(dialogue: str, provider: str, turn: int) -> list[dict[str, Any]]:
        key = (dialogue, provider, turn - 1)
        return [r for r in rows if (r["dialogue_id"], r["tested_provider"], r["round_index"]) == key]

    north = [r for r in rows if r["tested_provider"] == "northlight" and r["status"] == "success"]
    concise = [r["score_vector"]["conciseness"] for r in north]
    assert max(concise) <= 4 and sum(value == 2 for value in concise) > len(concise) / 2
    assert at("sample-v1", "northlight", 8)[0]["score_vector"]["accuracy"] == 5
    assert [r["score_vector"]["accuracy"] for r in at("sample-v3", "northlight", 1)] == [3, 5]
    assert [r["status"] for r in at("sample-i2", "tideglass", 2)] == ["parse_error"]
    assert [r["status"] for r in at("sample-v2", "tideglass", 4)] == ["skipped_empty_prediction"]
    assert at("sample-i3", "tideglass", 3)[0]["avg_score"] == 4.75
    odd = at("sample-i1", "northlight", 2)[0]["scores"]
    assert (odd["accuracy"]["score"], odd["completeness"]["score"]) == ("5", 5.0)
    assert isinstance(odd["completeness"]["score"], float)
    for row in rows:
        if row["status"] == "success":
            values = list(row["score_vector"].values())
            right = row["avg_score"] == round(sum(values) / len(values), 4)
            assert right != (
                (row["dialogue_id"], row["tested_provider"], row["round_index"]) == ("sample-i3", "tideglass", 2)
            )
    odd_status = [r for r in rows if r["status"] != "success"]
    assert len(odd_status) == 2 and all(r["scores"] == {} and r["avg_score"] is None for r in odd_status)


def test_labels_of_an_earlier_rater(lines: Lines, dataset: dict[str, dict[str, Any]]) -> None:
    rows = lines("labels.jsonl")
    tags = {kind["id"] for level in ("turn", "session") for group in read_toml("taxonomy/rubric-mme.toml")[level]
            for kind in group["kinds"]}  # fmt: skip
    responders = {f"{m.provider}::{m.name}::{task}" for m in MODELS for task in TASKS}
    assert {row["rater"] for row in rows} == {"sample-rater"}
    assert {row["rubric"] for row in rows} == {"rubric-mme@1.0"}
    seen = set()
    for row in rows:
        assert row["source_id"] in dataset
        assert row["responder"] in responders or row["responder"] is None
        kind, _, name = row["field"].partition(":")
        if kind in TURN_DIMENSIONS + SESSION_DIMENSIONS:
            assert row["value"] == "cannot_judge" or row["value"] in range(1, 6)
            assert (row["target"] == "session") == (kind in SESSION_DIMENSIONS)
        elif kind == "tags":
            assert set(row["value"]) <= tags and name in TURN_DIMENSIONS + SESSION_DIMENSIONS
        elif kind == "verdict":
            assert row["value"] in ("keep", "revise", "reject") and row["responder"] is None
        if row["target"].startswith("turn:"):
            assert int(row["target"][5:]) < TURNS[row["source_id"]]
        seen.add((row["source_id"], row["responder"], row["target"], row["field"]))
    assert len(seen) == len(rows)
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)
    assert 0 < len({row["source_id"] for row in rows}) < 6


def test_the_marked_span_lies_inside_the_answer(lines: Lines) -> None:
    (span,) = [row for row in lines("labels.jsonl") if row["field"] == "span:accuracy"]
    (answers,) = [
        row
        for row in lines("phase1/northlight_omnibench_video_stream_tts_samples.jsonl")
        if row["dialogue_id"] == span["source_id"]
    ]
    start, end, _ = span["value"][0]
    assert answers["rounds"][int(span["target"][5:])]["prediction"][start:end] == "现在还是绿灯"
