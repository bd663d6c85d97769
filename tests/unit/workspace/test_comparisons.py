"""Preference data through a workspace: all samples in and out again, labels of the source, people's own word."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.domain.comparisons import Comparison
from annotator.domain.comparisons_records import restored
from annotator.errors import WorldError
from annotator.store import Draft, Store
from annotator.workspace.comparisons_export import export_comparisons
from annotator.workspace.importing import import_source
from annotator.workspace.intake_comparisons import comparisons_in
from tests.helpers.imports import bring, codes, workspace

SAMPLES = Path(__file__).parents[2] / "data" / "mmrlhf"
PARQUET = "data/train-00000-of-00001.parquet"
COUNTS = {
    "data.jsonl": 5,
    PARQUET: 5,
    "dpo_pairs.jsonl": 20,
    "dpo_pairs_with_reasons.jsonl": 20,
    "mm_reward_bench.jsonl": 5,
    "mm_reward_bench_result_chunk0_of_1.jsonl": 5,
    "swift_image.jsonl": 15,
    "uni_dpo_style.json": 3,
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path) as made:
        yield made


def _records(file: Path) -> list[dict[str, Any]]:
    text = file.read_text(encoding="utf-8")
    held = json.loads(text) if file.suffix == ".json" else [json.loads(line) for line in text.splitlines()]
    assert isinstance(held, list)
    return held


def _export(store: Store, folder: Path, name: str, **more: Any) -> Path:
    return export_comparisons(store, folder / f"{name}.jsonl", name, **more).file


@pytest.mark.parametrize("name", COUNTS)
def test_every_sample_imports_whole_and_twice_changes_nothing(store: Store, name: str) -> None:
    report = bring(store, SAMPLES / name, SAMPLES)
    count = COUNTS[name]
    assert not report.refused and report.kind == "mm-rlhf"
    assert (report.comparisons, report.records, report.accepted, report.new) == (count,) * 4
    assert report.assets.missing == report.assets.refused == 0
    labels = store.labels.count()
    again = bring(store, SAMPLES / name, SAMPLES)
    assert (again.new, again.revised, again.unchanged) == (0, 0, count) and store.labels.count() == labels


@pytest.mark.parametrize("name", [n for n in COUNTS if n != PARQUET])
def test_every_record_is_given_back_exactly(store: Store, name: str) -> None:
    bring(store, SAMPLES / name, SAMPLES)
    given = [restored(comparison) for comparison in comparisons_in(store)]
    assert [list(g.items()) for g in given] == [list(r.items()) for r in _records(SAMPLES / name)]


@pytest.mark.parametrize(
    ("name", "shape", "same_as"),
    [
        ("data.jsonl", "mm-rlhf", "data.jsonl"),
        ("data.jsonl", "pairs", "dpo_pairs_with_reasons.jsonl"),
        ("dpo_pairs.jsonl", "pairs", "dpo_pairs.jsonl"),
        ("dpo_pairs_with_reasons.jsonl", "pairs", "dpo_pairs_with_reasons.jsonl"),
        ("mm_reward_bench.jsonl", "reward-bench", "mm_reward_bench.jsonl"),
        ("mm_reward_bench_result_chunk0_of_1.jsonl", "reward-bench", "mm_reward_bench_result_chunk0_of_1.jsonl"),
    ],
)
def test_export_is_the_inverse_of_import_byte_for_byte(
    store: Store, tmp_path: Path, name: str, shape: str, same_as: str
) -> None:
    bring(store, SAMPLES / name, SAMPLES)
    assert _export(store, tmp_path, shape).read_bytes() == (SAMPLES / same_as).read_bytes()


@pytest.mark.parametrize(
    ("name", "shape"), [(PARQUET, "mm-rlhf"), ("swift_image.jsonl", "pairs"), ("uni_dpo_style.json", "pairs")]
)
def test_import_is_the_inverse_of_export_for_the_other_shapes(tmp_path: Path, name: str, shape: str) -> None:
    def essence(store: Store) -> list[Any]:
        return [
            (c.item_id, c.source_id, c.content(), c.reference, [r.model_dump() for r in c.responses], c.source_labels())
            for c in comparisons_in(store)
        ]

    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    with workspace(tmp_path / "1") as first, workspace(tmp_path / "2") as second:
        bring(first, SAMPLES / name, SAMPLES)
        bring(second, _export(first, tmp_path, shape), SAMPLES)
        assert essence(first) == essence(second)


def test_the_whole_folder_makes_one_item_of_each_pair_however_often_it_is_told(store: Store, tmp_path: Path) -> None:
    report = bring(store, SAMPLES, SAMPLES)
    assert not report.refused and report.records == 78 and report.comparisons == 5 + 20 + 15 + 3
    bench = [c for c in comparisons_in(store) if any(r.reward is not None for r in c.responses)]
    assert len(bench) == 5 and all(r.reason for c in bench for r in c.responses)
    pairs = _records(_export(store, tmp_path, "pairs"))
    assert len({json.dumps([p["id"], p["chosen"], p["rejected"]]) for p in pairs}) == 20 + 15 + 3


def test_what_the_source_says_becomes_its_labels_and_nothing_is_invented(store: Store) -> None:
    report = bring(store, SAMPLES / "data.jsonl", SAMPLES)
    assert report.missing == 5 and report.score_values == 52 and codes(report) == {"list_surplus": 1}
    labels = [c.current for c in store.labels.current()]
    assert {(c.key.rater, c.key.phase, c.rubric) for c in labels} == {("mm-rlhf", "source", "mm-rlhf@1")}
    item = store.items.resolve("sample_safety_993_000004")
    said = {(c.key.target, c.key.field): c.value for c in labels if c.key.item_id == item}
    assert not any(field == "faithfulness" for _, field in said)
    assert said["response:2", "helpfulness"] == 5 and said["response:1", "note"] == "harmful"
    assert said["item", "ranking"] == [2, 5, 1, 3, 3] and said["item", "ranking_reason"] == "Safety first."
    tied = Comparison.model_validate(store.items.body(store.items.resolve("sample_clip_992_000005")))
    assert tied.surplus_reasons == ("extra trailing reason: list one longer than models_output",)
    assert tied.responses[3].origin == "constructed_negative"
    assert (tied.media[0].role, tied.media[0].status, tied.subset) == ("clip", "ok", "video")


def test_changed_content_is_a_revision_and_older_labels_grow_old(store: Store, tmp_path: Path) -> None:
    records = _records(SAMPLES / "data.jsonl")[:1]
    bring(store, SAMPLES / "data.jsonl", SAMPLES)
    item = store.items.resolve(records[0]["id"])
    store.labels.append([Draft("tester", item, "item", "ranking", [1, 2, 3, 4])])
    records[0]["models_output"][1] = "Three boxes."
    changed = tmp_path / "data.jsonl"
    changed.write_text(json.dumps(records[0]) + "\n", encoding="utf-8")
    report = bring(store, changed, SAMPLES)
    assert (report.new, report.revised) == (0, 1)
    mine = store.labels.current(item_id=item, rater="tester")
    assert [c.stale for c in mine] == [True]
    source = store.labels.current(item_id=item, rater="mm-rlhf", phase="source")
    assert source and not any(c.stale for c in source)


def test_repeats_and_conflicts_inside_a_file_are_told_and_lose_nothing(store: Store, tmp_path: Path) -> None:
    first, second = _records(SAMPLES / "data.jsonl")[:2]
    second["id"] = first["id"]
    file = tmp_path / "data.jsonl"
    file.write_text("".join(json.dumps(r) + "\n" for r in (first, first, second)), encoding="utf-8")
    report = bring(store, file, SAMPLES)
    assert codes(report) == {"dup_exact": 1, "dup_conflict": 1} and report.comparisons == 2
    with pytest.raises(WorldError, match="stands for 2 items"):
        store.items.resolve(first["id"])
    assert [c.responses[0].text for c in comparisons_in(store)] == ["A box and one arrow.", "A"]


def test_damaged_lines_are_left_out_and_the_good_ones_kept(store: Store, tmp_path: Path) -> None:
    good = (SAMPLES / "data.jsonl").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "data.jsonl"
    file.write_text("\n".join([good[0], "{broken", '{"id": "x", "models_output": ["one"]}', good[1]]), encoding="utf-8")
    report = bring(store, file, SAMPLES)
    assert (report.comparisons, report.records, report.rejected) == (2, 4, 2)
    assert set(codes(report)) == {"bad_line", "comparison_lost"}


def test_a_cancelled_import_leaves_nothing(store: Store) -> None:
    token = CancelToken()

    def stop(done: int, total: int) -> None:
        token.cancel()

    with pytest.raises(Cancelled):
        import_source(store, SAMPLES, media_roots=[SAMPLES], token=token, progress=stop)
    assert store.items.heads("comparison") == [] and store.labels.count() == 0


def test_labels_that_a_stop_left_unsaid_are_said_by_the_next_import(store: Store) -> None:
    bring(store, SAMPLES / "data.jsonl", SAMPLES)
    item = store.items.resolve("sample_diagram_990_000001")
    store.labels.append([Draft("mm-rlhf", item, "item", "ranking", None, phase="source")])
    bring(store, SAMPLES / "data.jsonl", SAMPLES)
    held = store.labels.current(item_id=item, rater="mm-rlhf", phase="source")
    assert [1, 3, 2, 4] in [c.current.value for c in held]


def _say(store: Store, item: str, rater: str, ranking: list[int], phase: str = "blind", **more: Any) -> None:
    drafts = [Draft(rater, item, "item", "ranking", ranking, phase=phase)]
    drafts += [Draft(rater, item, "item", name, value, phase=phase) for name, value in more.items()]
    store.labels.append(drafts)


def test_people_come_before_the_source_and_the_settled_word_before_all(store: Store, tmp_path: Path) -> None:
    bring(store, SAMPLES / "data.jsonl", SAMPLES)
    item = store.items.resolve("sample_diagram_990_000001")

    def first(**more: Any) -> dict[str, Any]:
        return _records(_export(store, tmp_path, "mm-rlhf", **more))[0]

    _say(store, item, "zoe", [4, 3, 2, 1])
    assert first()["final_ranking"] == [4, 3, 2, 1]
    _say(store, item, "tester", [2, 1, 1, 4])
    store.labels.append([Draft("tester", item, "response:0", "faithfulness", 3)])
    assert first()["final_ranking"] == [2, 1, 1, 4] and first()["faithfulness"] == [3, None, None, None]
    _say(store, item, "lead", [1, 1, 1, 2], phase="adjudicated")
    assert first()["final_ranking"] == [1, 1, 1, 2] and first()["faithfulness"] == [3, None, None, None]
    assert first(rater="zoe")["final_ranking"] == [4, 3, 2, 1]
    assert first(rater="mm-rlhf") == _records(SAMPLES / "data.jsonl")[0]
    meta = json.loads((tmp_path / "mm-rlhf.jsonl.meta.json").read_text(encoding="utf-8"))
    assert meta["by_rater"] == {"mm-rlhf": 5} and meta["evaluation_only"] is False


def test_a_tie_with_a_constructed_example_gives_its_pairs(store: Store, tmp_path: Path) -> None:
    bring(store, SAMPLES / "data.jsonl", SAMPLES)
    item = store.items.resolve("sample_mcq_991_000002")
    _say(store, item, "tester", [1, 1, 1], constructed={"kind": "negative", "text": "(B) blue"})
    row = next(r for r in _records(_export(store, tmp_path, "mm-rlhf")) if r["id"] == "sample_mcq_991_000002")
    assert row["models_output"][3] == "(B) blue" and row["final_ranking"] == [1, 1, 1, 4]
    pairs = [p for p in _records(_export(store, tmp_path, "pairs")) if p["id"] == "sample_mcq_991_000002"]
    assert [(p["chosen"], p["rejected"]) for p in pairs] == [(t, "(B) blue") for t in ("A", "(A) red", "Answer: A")]
    (tmp_path / "other").mkdir()
    with workspace(tmp_path / "other") as other:
        bring(other, tmp_path / "mm-rlhf.jsonl", SAMPLES)
        back = Comparison.model_validate(other.items.body(other.items.resolve("sample_mcq_991_000002")))
    assert [r.origin for r in back.responses] == ["model"] * 3 + ["constructed_negative"]


def test_media_are_found_beside_the_file_when_no_root_is_named(store: Store, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES, tmp_path / "set")
    report = import_source(store, tmp_path / "set" / "data.jsonl")
    assert report.assets.ok == 5


def test_a_table_of_preferences_may_be_anywhere_in_a_folder(store: Store, tmp_path: Path) -> None:
    shutil.copytree(SAMPLES / "data", tmp_path / "set" / "data")
    report = import_source(store, tmp_path / "set")
    assert report.comparisons == 5 and report.assets.missing == 5 and not report.refused


def test_a_format_that_is_none_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(WorldError, match="no format"):
        export_comparisons(store, tmp_path / "x.jsonl", "odd")


def test_progress_goes_on_while_labels_are_said_and_a_stop_there_is_told(store: Store) -> None:
    token, steps = CancelToken(), list[tuple[int, int]]()

    def look(done: int, total: int) -> None:
        steps.append((done, total))
        if store.items.count("comparison"):  # the items are visible: the labels' turn has come
            token.cancel()

    rows = [{**r, "id": f"{r['id']}-{k}"} for k in range(30) for r in _records(SAMPLES / "data.jsonl")]
    file = store.folder.parent / "many.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    report = import_source(store, file, token=token, progress=look)
    said = store.labels.count()
    assert report.comparisons == 150 and "import once more" in report.notes[-1] and said > 0
    again = list[tuple[int, int]]()
    import_source(store, file, progress=lambda done, total: again.append((done, total)))
    assert store.labels.count() > said
    shares = [done / total for done, total in again if total == again[-1][1]]
    assert shares == sorted(shares) and shares[-1] == 1.0 and any(share > 0.5 for share in shares[:-1])
    held = store.labels.count()
    import_source(store, file)
    assert store.labels.count() == held and store.upkeep.check().ok
