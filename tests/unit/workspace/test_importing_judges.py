"""Judge records: forms of scores, retries, other scales, waiting and joining."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotator.importers.scales import Tally, nearest
from annotator.store import Store
from annotator.workspace.problems import decide, waiting
from tests.helpers.imports import bring, codes, image, judged, lines_of, video, workspace, write


def _scores(store: Store, name: str = "d1") -> list[dict[str, int]]:
    return [r.scores for r in store.judges.records(store.items.resolve(name))]


def _with(score: Any, **more: Any) -> dict[str, Any]:
    return judged(scores={"accuracy": {"score": score, "reason": "r"}}, **more)


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    return write(tmp_path / "d.json", [video("d1", 9)])


@pytest.mark.parametrize(
    ("score", "kept", "said"),
    [
        (1, 1, []),
        ("5.", 5, []),
        ("+3", 3, []),
        ("3e0", 3, []),
        ("\t2\n", 2, []),
        (5.0, 5, []),
        (None, None, []),
        (4.9999, None, ["score_fraction"]),
        ("1.5", None, ["score_fraction"]),
        (5.0001, None, ["score_rejected"]),
        (0.5, None, ["score_rejected"]),
        ("", None, ["score_rejected"]),
        ("NaN", None, ["score_rejected"]),
        ("1e400", None, ["score_rejected"]),
        ("٤", None, ["score_rejected"]),
        ("Ⅳ", None, ["score_rejected"]),
        ("0x4", None, ["score_rejected"]),
        ("4 分", None, ["score_rejected"]),
        (10**400, None, ["score_rejected"]),
        (True, None, ["score_rejected"]),
    ],
)
def test_what_counts_as_a_score(tmp_path: Path, dataset: Path, score: Any, kept: int | None, said: list[str]) -> None:
    with workspace(tmp_path) as store:
        bring(store, dataset)
        report = bring(store, write(tmp_path / "j.jsonl", [_with(score)]))
        assert _scores(store) == [{} if kept is None else {"accuracy": kept}]
        assert list(codes(report)) == said
        assert (report.accepted, report.rejected) == (int(kept is not None), len(said))


def test_the_last_of_several_records_counts_for_each_judge(tmp_path: Path, dataset: Path) -> None:
    rows = [
        _with(9), _with(2, judge="k"), judged(status="api_error"), _with(4), _with(3, judge="k"),
        _with(1, judge_prompt_version="v2"), _with(5, index=1, status="parse_error"),
    ]  # fmt: skip
    with workspace(tmp_path) as store:
        bring(store, dataset)
        report = bring(store, write(tmp_path / "j.jsonl", rows))
        assert codes(report) == {"judge_retry": 2, "judge_no_score": 1}
        assert (report.records, report.matched, report.score_values, report.new) == (7, 4, 3, 4)
        assert [line.line for line in lines_of(report, "judge_retry")] == [4, 5]
        found = {(r.judge, r.target): r.scores for r in store.judges.records(store.items.resolve("d1"))}
        assert found == {
            ("api::j::v1", "turn:0"): {"accuracy": 4},
            ("api::k::v1", "turn:0"): {"accuracy": 3},
            ("api::j::v2", "turn:0"): {"accuracy": 1},
            ("api::j::v1", "turn:1"): {},
        }
        again = bring(store, tmp_path / "j.jsonl")
        assert (again.unchanged, again.new, again.revised) == (4, 0, 0) and codes(again) == codes(report)
        later = bring(store, write(tmp_path / "more.jsonl", [_with(5)]))
        assert (later.revised, later.unchanged) == (1, 0)
        assert {r.scores["accuracy"] for r in store.judges.records(store.items.resolve("d1")) if r.scores} == {5, 3, 1}


def test_dimensions_shapes_and_averages(tmp_path: Path, dataset: Path) -> None:
    both = {"accuracy": {"score": 4}, "intent_fulfillment": {"score": 2}, "humour": {"score": 3}}
    rows = [
        judged(scores=both, avg_score=3.0),
        judged(index=None, scores={"intent_fulfillment": {"score": 2}, "accuracy": {"score": 4}}, avg_score="2"),
        judged(
            index=1, scores={"accuracy": {"score": 4}}, score_vector={"accuracy": 2, "relevance": "5"}, avg_score=4.5
        ),
        judged(index=2, scores=None, score_vector={"accuracy": 5}, avg_score="high"),
        judged(index=3, scores="x", score_vector=[1]),
    ]
    with workspace(tmp_path) as store:
        bring(store, dataset)
        report = bring(store, write(tmp_path / "j.jsonl", rows))
        assert _scores(store) == [
            {"accuracy": 4},
            {"intent_fulfillment": 2},
            {"accuracy": 4, "relevance": 5},
            {"accuracy": 5},
            {},
        ]
        assert codes(report) == {"dim_wrong_level": 2, "dim_unknown": 1, "vector_differs": 1, "field_type": 4}
        raw = store.judges.records(store.items.resolve("d1"))[0].raw
        assert raw["scores"]["humour"] == {"score": 3}


def test_the_round_by_index_id_or_not_at_all(tmp_path: Path, dataset: Path) -> None:
    rows = [
        judged(index=2, round_index=None),
        judged(index=3, round_index="3", round_id=None),
        judged(index=4, round_index=True, round_id=None),
        {k: v for k, v in judged("zz", 5).items() if k != "dialogue_id"},
    ]
    rows[3]["dialogue_scope_key"] = rows[3]["dialogue_scope_key"].replace("zz", "d1")
    with workspace(tmp_path) as store:
        bring(store, dataset)
        report = bring(store, write(tmp_path / "j.jsonl", rows))
        assert [r.target for r in store.judges.records(store.items.resolve("d1"))] == ["turn:2", "turn:3", "turn:5"]
        assert report.matched == 3 and codes(report)["field_type"] >= 2


def test_judges_of_the_other_modality_wait(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [image("x")]))
        report = bring(
            store,
            write(
                tmp_path / "j.jsonl",
                [judged("x"), judged("x", task_name="omnibench_image_multi_tts", judgement_id="i")],
            ),
        )
        assert (report.matched, report.waiting) == (1, 1)
        assert bring(store, write(tmp_path / "e.json", [video("x")])).joined == 1


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([0.2, 0.8, 1.0, 0.5], (0, 1)),
        ([0, 1, 1, 0], (0, 1)),
        ([7, 8, 9, 10, 3], (1, 10)),
        ([0, 8, 9.5, 3], (0, 10)),
        ([85, 90, 72, 100], (0, 100)),
        ([-1, 0.5, 0.25], (-1, 1)),
        ([0, 0, 3, 4, 2], (0, 4)),
        ([4, 5, 3, 1, 2], None),
        ([0.5, 0.6], None),
        ([6, 4, 4, 4], None),
        ([*[4] * 30, 6, 7], None),
        ([500, 600, 700], None),
    ],
)
def test_which_scale_values_look_like(values: list[float], scale: tuple[float, float] | None) -> None:
    tally = Tally()
    tally.add((1.0, 2.0))
    tally.remove((1.0, 2.0))
    tally.add(tuple(map(float, values)))
    assert tally.suspect() == scale


def test_mapping_is_linear_and_rounds_halves_up() -> None:
    assert [nearest(v, 0, 1) for v in (0, 0.1, 0.125, 0.2, 0.375, 0.5, 0.625, 0.8, 0.875, 1)] == [
        1, 1, 2, 2, 3, 3, 4, 4, 5, 5,
    ]  # fmt: skip
    assert [nearest(v, 1, 10) for v in (1, 10, 5.5)] == [1, 5, 3]


@pytest.mark.parametrize("choice", ["map-scale", "drop"])
@pytest.mark.parametrize("judges_first", [False, True])
def test_another_scale_waits_and_its_decision_survives(
    tmp_path: Path, dataset: Path, choice: Any, judges_first: bool
) -> None:
    values = [0.2, 0.8, 1, 0.5, "1.0", 0.95, 0]
    judges = write(tmp_path / "j.jsonl", [*(_with(v, index=k) for k, v in enumerate(values)), _with(4, judge="fair")])
    with workspace(tmp_path) as store:
        for source in (judges, dataset) if judges_first else (dataset, judges):
            report = bring(store, source)
        for _ in range(2):
            report = bring(store, judges)
            assert (report.accepted, report.rejected, report.score_values) == (3, 5, 1)
            assert codes(report) == {"score_rejected": 5, "scale_suspect": 1}
        assert [s for s in _scores(store) if s] == [{"accuracy": 4}]
        (problem,) = waiting(store)
        assert problem.detail["scale"] == "0-1" and "api::j::v1" in problem.reason
        decide(store, problem.id, choice)
        expected = [2, 4, 5, 3, 5, 5, 1] if choice == "map-scale" else []
        for _ in range(2):
            found = [r for r in store.judges.records(store.items.resolve("d1")) if r.judge == "api::j::v1"]
            assert [r.scores["accuracy"] for r in sorted(found, key=lambda r: r.target) if r.scores] == expected
            again = bring(store, judges)
            assert (again.new, again.revised, again.unchanged) == (0, 0, 8) and waiting(store) == []
            assert codes(again) == ({} if choice == "map-scale" else {"score_rejected": 5})
        more = bring(store, write(tmp_path / "more.jsonl", [_with(0.75, index=8)]))
        assert more.score_values == (choice == "map-scale")


def test_a_scale_decided_before_the_dialogue_comes(tmp_path: Path, dataset: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "j.jsonl", [_with(v, index=k) for k, v in enumerate([0.25, 0.5, 0.75])]))
        decide(store, waiting(store)[0].id, "map-scale")
        report = bring(store, dataset)
        assert report.joined == 3 and _scores(store) == [{"accuracy": 2}, {"accuracy": 3}, {"accuracy": 4}]
        assert store.judges.waiting() == []


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030", "utf-8-sig"])
def test_judges_in_other_encodings(tmp_path: Path, dataset: Path, encoding: str) -> None:
    source = write(tmp_path / "j.jsonl", [_with(4, overall_summary="很好，没有问题"), _with(5, index=1)])
    source.write_bytes(source.read_text(encoding="utf-8").replace("\n", "\r\n").encode(encoding))
    with workspace(tmp_path) as store:
        bring(store, dataset)
        report = bring(store, source)
        assert report.score_values == 2 and codes(report) == ({} if encoding == "utf-8-sig" else {"encoding": 1})


def test_a_turn_that_only_the_second_content_has(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1", 1), video("d1", 4)]))
        rows = [_with(2, index=3), _with(4, index=3)]
        assert bring(store, write(tmp_path / "j.jsonl", rows)).waiting == 1
        assert len(store.judges.waiting()) == 1
        report = decide(store, waiting(store)[0].id, "keep-second")
        assert report.joined == 1 and _scores(store) == [{"accuracy": 4}]
        assert store.items.responders(store.items.resolve("d1"))[0].answers[0].text == "m says 3"
