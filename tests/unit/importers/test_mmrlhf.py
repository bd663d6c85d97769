"""Records of preference data, with the troubles that published files have."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.report import ReportLine
from annotator.importers.base import Context, Located, Record, Sayings
from annotator.importers.detect import kind_of_record
from annotator.importers.mmrlhf import LOST, ComparisonFound, ComparisonReader
from annotator.importers.mmrlhf_fields import media_of, origin_of, ranking_of, subset_of


def _context(there: frozenset[str] = frozenset(), folders: frozenset[str] = frozenset()) -> Context:
    def look(known: frozenset[str]) -> Any:
        return lambda raw: Located("ok", raw, "/root") if raw in known else Located("missing")

    return Context("data.jsonl", "data", look(there), True, None, look(folders))


def _read(**value: Any) -> tuple[list[ComparisonFound], list[ReportLine], ComparisonReader]:
    reader = ComparisonReader(_context())
    found = list(reader.read(Record(value, 0, 1)))
    lines = [one for one in found if isinstance(one, ReportLine)]
    return [one for one in found if isinstance(one, ComparisonFound)], lines, reader


def _row(**more: Any) -> dict[str, Any]:
    return {"id": "one", "question": "What?", "models_output": ["a", "b", "c"], **more}


def _rank(value: Any, count: int = 4) -> tuple[list[int] | None, int]:
    sayings = Sayings("data.jsonl", 0, 1)
    return ranking_of(value, count, "final_ranking", sayings), len(sayings.lines)


@pytest.mark.parametrize(
    ("value", "ranks"),
    [
        ([1, 2, 2, 3], [1, 2, 2, 3]),
        (["1", 2.0, 2, "4"], [1, 2, 2, 4]),
        ([0, 1, 1, 2], [1, 2, 2, 3]),
        ("[4, 3, 2, 1]", [4, 3, 2, 1]),
        ("1>2=3>4", [1, 2, 2, 4]),
        ("R3 ＞ R1＝R2 ＞ R4", [2, 2, 1, 4]),
        ([[2], [1, 3], [4]], [2, 1, 2, 4]),
    ],
)
def test_a_ranking_is_read_in_each_spelling(value: Any, ranks: list[int]) -> None:
    assert _rank(value) == (ranks, 0)


@pytest.mark.parametrize(
    "value", [[1, 2], [1, 2, 3, None], "1>2", "1>2>2>4", "best first", [[1], [2]], {"a": 1}, [1, 2, 3, 1.5]]
)
def test_a_ranking_that_cannot_be_read_is_none_and_told(value: Any) -> None:
    assert _rank(value) == (None, 1)


def test_an_absent_ranking_is_nothing_to_tell() -> None:
    assert _rank(None) == (None, 0) and _rank([]) == (None, 0)


def test_scores_are_missing_where_null_and_never_rounded() -> None:
    found, lines, _ = _read(**_row(faithfulness=[5, None], helpfulness=["4", 2.5, 9], ethical=[1, 2, 3, 4]))
    scores = [r.scores for r in found[0].comparison.responses]
    assert scores == [{"faithfulness": 5, "helpfulness": 4, "ethical": 1}, {"ethical": 2}, {"ethical": 3}]
    assert sorted(line.code for line in lines) == ["list_surplus", "score_fraction", "score_rejected"]
    assert found[0].missing == 4
    assert found[0].comparison.kept["ethical"] == [1, 2, 3, 4]


def test_reasons_stay_at_their_place_and_the_surplus_is_kept() -> None:
    found, lines, _ = _read(**_row(score_reasons=["x", "Negative sample: wrong", "z", "more"]))
    comparison = found[0].comparison
    assert [r.reason for r in comparison.responses] == ["x", "Negative sample: wrong", "z"]
    assert comparison.surplus_reasons == ("more",)
    assert [r.origin for r in comparison.responses] == ["model", "constructed_negative", "model"]
    assert [line.code for line in lines] == ["list_surplus"]
    short, lines, _ = _read(**_row(score_reasons=["x"]))
    assert [r.reason for r in short[0].comparison.responses] == ["x", None, None] and lines[0].code == "list_short"


def test_only_a_reason_that_says_so_makes_a_constructed_sample() -> None:
    assert origin_of("构造负样本：颜色错误") == "model", "an opening word that is not known is no claim"
    assert origin_of("负样本：颜色错误") == "constructed_negative"
    assert origin_of("(Constructed positive example) right") == "constructed_positive"
    assert origin_of("Correct, but negative in tone") == "model" and origin_of(None) == "model"


def test_records_that_cannot_be_compared_are_left_out_with_a_line() -> None:
    for value in (_row(models_output=["only"]), _row(models_output=None), {"chosen": "a"}):
        found, lines, _ = _read(**value)
        assert not found and lines[0].code == LOST
    many, lines, _ = _read(**_row(models_output=list("abcdef")))
    assert len(many[0].comparison.responses) == 6 and lines[0].code == "response_count"


def test_pairs_of_converted_files_share_an_id_by_what_was_asked() -> None:
    reader = ComparisonReader(_context())
    ids = []
    for record, (question, worse) in enumerate((("q", "b"), ("q", "c"), ("other", "b"))):
        value = {"question": question, "response": "a", "rejected_response": worse, "image": "/data/x.png"}
        ids += [f.comparison for f in reader.read(Record(value, record, None)) if isinstance(f, ComparisonFound)]
    assert ids[0].source_id == ids[1].source_id != ids[2].source_id
    assert len({c.item_id for c in ids}) == 3 and len(reader.notes) == 1


def test_a_tie_marked_in_a_pair_is_a_tie() -> None:
    found, _, _ = _read(id="p", prompt="q", chosen="a", rejected="b", is_tie=True)
    assert found[0].comparison.source_ranking() == [1, 1]


def test_rewards_are_facts_and_no_scores() -> None:
    found, _, _ = _read(id="p", prompt="q", chosen="a", rejected="b", rewards=[1.5, -2], critic=["x", "y"])
    assert [(r.reward, r.critic, r.scores) for r in found[0].comparison.responses] == [(1.5, "x", {}), (-2.0, "y", {})]


def test_media_are_found_by_full_path_then_inside_an_extra_folder_or_without_it() -> None:
    there = frozenset({"long/a.png", "short/short/b.png", "c.png"})
    sayings = Sayings("data.jsonl", 0, 1)
    value = {"image": ["long/a.png", "short/b.png", "mcq/c.png", "mcq/d.png"], "video": "video/clip"}
    found = media_of(value, _context(there, frozenset({"video/clip"})), sayings)
    assert [(a.role, a.status, a.inside) for a in found] == [
        ("image", "ok", "long/a.png"),
        ("image", "remapped", "short/short/b.png"),
        ("image", "remapped", "c.png"),
        ("image", "missing", None),
        ("clip", "ok", "video/clip"),
    ]
    assert [line.code for line in sayings.lines] == ["path_remapped", "path_remapped", "path_missing"]


def test_a_subset_is_a_folder_of_the_path_and_not_a_part_of_a_name() -> None:
    context = _context(frozenset({"short/a_long_road.png", "/data/X/safety/b.jpg", "mcq.png"}))
    for raw, subset in (("short/a_long_road.png", "short"), ("/data/X/safety/b.jpg", "safety"), ("mcq.png", "")):
        assert subset_of(media_of({"image": raw}, context, Sayings("f", 0, 1))) == subset


def test_records_are_told_apart_by_their_keys() -> None:
    assert kind_of_record(_row())[0] == "comparisons"
    assert kind_of_record({"id": "p", "prompt": "q", "chosen": "a", "rejected": "b"})[0] == "comparisons"
    assert (
        kind_of_record({"image": "x", "question": "q", "response": "a", "rejected_response": "b"})[0] == "comparisons"
    )
    assert kind_of_record({"instruction": "q", "chosen": "a", "rejected": "b"})[0] == "comparisons"
    assert kind_of_record({"question": "q", "response": "a"})[0] == "unknown"
