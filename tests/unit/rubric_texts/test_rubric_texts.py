"""The rubric, taxonomy, reasons and scenarios are data that raters read: they must be whole and distinct."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from annotator import resources

LANGUAGES = ("en", "zh_CN")
TURN_IDS = [
    "accuracy",
    "completeness",
    "relevance",
    "conciseness",
    "naturalness",
    "proactiveness_helpfulness",
    "intent_understanding_depth",
    "user_state_adaptation",
]
SESSION_IDS = [
    "session_consistency",
    "intent_fulfillment",
    "persona_adaptation",
    "overall_helpfulness_trustworthiness",
]


def load(name: str) -> dict[str, Any]:
    return tomllib.loads(resources.path(name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rubric() -> dict[str, Any]:
    return load("rubric/rubric-mme.toml")


def test_twelve_dimensions_in_the_order_of_the_rubric(rubric: dict[str, Any]) -> None:
    assert (rubric["id"], rubric["version"], rubric["origin"]) == ("rubric-mme", "1.0", "Rubric Annotator")
    found = [(d["id"], d["level"]) for d in rubric["dimension"]]
    assert found == [(i, "turn") for i in TURN_IDS] + [(i, "session") for i in SESSION_IDS]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["short", "text"])
def test_sixty_level_texts_per_language_all_distinct(rubric: dict[str, Any], language: str, kind: str) -> None:
    texts = [level[kind][language].strip() for d in rubric["dimension"] for level in d["levels"]]
    assert len(texts) == 60
    assert len({t.casefold() for t in texts}) == 60
    assert all(texts)


def test_levels_run_from_one_to_five(rubric: dict[str, Any]) -> None:
    for dimension in rubric["dimension"]:
        assert [level["score"] for level in dimension["levels"]] == [1, 2, 3, 4, 5], dimension["id"]


def test_short_texts_fit_a_column_of_the_score_grid(rubric: dict[str, Any]) -> None:
    for dimension in rubric["dimension"]:
        for level in dimension["levels"]:
            assert len(level["short"]["zh_CN"]) <= 14
            assert len(level["short"]["en"]) <= 28
            assert len(level["text"]["zh_CN"]) > len(level["short"]["zh_CN"])
            assert len(level["text"]["en"]) > len(level["short"]["en"])


def test_names_and_questions_in_both_languages_are_distinct(rubric: dict[str, Any]) -> None:
    for key in ("name", "small", "question"):
        for language in LANGUAGES:
            values = [d[key][language] for d in rubric["dimension"]]
            assert len(set(values)) == 12 and all(v.strip() for v in values)


def test_chinese_texts_are_chinese_and_english_texts_are_not(rubric: dict[str, Any]) -> None:
    for dimension in rubric["dimension"]:
        pairs = [dimension["name"], dimension["question"]]
        pairs += [level[kind] for level in dimension["levels"] for kind in ("short", "text")]
        for pair in pairs:
            assert any("\u4e00" <= c <= "\u9fff" for c in pair["zh_CN"])
            assert not any("\u4e00" <= c <= "\u9fff" for c in pair["en"])


def kinds(groups: list[dict[str, Any]]) -> Iterator[dict[str, str]]:
    for group in groups:
        yield from group["kinds"]


def test_taxonomy_has_the_published_groups_and_kinds() -> None:
    taxonomy = load("taxonomy/rubric-mme.toml")
    turn = {g["id"]: [k["id"] for k in g["kinds"]] for g in taxonomy["turn"]}
    assert turn == {
        "事实性错误": ["幻觉与捏造", "对象与属性错误", "时空与数值错误", "内容与媒体不符", "专业知识/常识错误"],
        "完整性缺失": ["核心信息遗漏", "步骤与流程缺失", "细节与背景缺失", "未回答所有子问题"],
        "指令与相关性": ["指令理解错误", "偏离主题", "上下文忽略", "包含无关信息"],
        "回复质量与深度": ["过于笼统肤浅", "过于被动挤牙膏", "缺乏合理引申", "引申误导或错误"],
        "逻辑与表达": ["逻辑推理错误", "表达啰嗦重复", "格式与风格生硬"],
    }
    session = {g["id"]: [k["id"] for k in g["kinds"]] for g in taxonomy["session"]}
    assert session == {
        "对话连贯性问题": ["历史信息断裂", "前后自相矛盾", "长期上下文利用不足"],
        "目标达成问题": ["核心目标推进不足", "关键需求覆盖不全", "总结收束能力不足"],
        "用户适配问题": ["显式用户状态适配不足", "语气与角色不匹配", "互动策略单一"],
        "可信度与帮助性问题": ["持续顺从用户错误前提", "整体事实可靠性不足", "帮助性不成体系"],
    }
    assert (len(list(kinds(taxonomy["turn"]))), len(list(kinds(taxonomy["session"])))) == (20, 12)


def test_every_group_and_kind_has_an_english_gloss_of_its_own() -> None:
    taxonomy = load("taxonomy/rubric-mme.toml")
    groups = taxonomy["turn"] + taxonomy["session"]
    glosses = [e["en"] for e in [*groups, *kinds(groups)]]
    assert len(glosses) == 9 + 32 and all(g.strip() and g.isascii() for g in glosses)
    assert len({g["en"] for g in kinds(groups)}) == 32


def test_seven_verdict_reasons_with_meanings() -> None:
    reasons = load("rubric/verdict_reasons.toml")["reason"]
    ids = ["content", "visual_mismatch", "privacy", "rights", "policy", "language", "other"]
    assert [r["id"] for r in reasons] == ids
    for language in LANGUAGES:
        assert len({r["name"][language] for r in reasons}) == len({r["meaning"][language] for r in reasons}) == 7


def test_seven_scenarios_named_in_both_languages() -> None:
    scenarios = load("rubric/scenarios.toml")["scenario"]
    assert {s["id"] for s in scenarios} == {
        "personal_living_space",
        "health_and_physical_activity",
        "outdoor_public_space",
        "work_and_office_environment",
        "retail_and_consumption_space",
        "family_care_and_home_assistance",
        "industrial_and_production_site",
    }
    for key in ("name", "small"):
        for language in LANGUAGES:
            assert len({s[key][language] for s in scenarios}) == 7
