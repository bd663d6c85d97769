"""Sets of questions in every published container, and outputs joined to them in any order."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.domain.questions import Question
from annotator.domain.report import ImportReport
from annotator.importers.mme_categories import ENGLISH, canonical
from annotator.importers.predictions import chunk_of
from annotator.store import Store, create_store
from annotator.workspace import intake_questions
from annotator.workspace.importing import import_source
from annotator.workspace.questions_pictures import picture_path
from tests.helpers.questions import SAMPLES, answered, official, packed, png, write_json, write_lines


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with create_store(tmp_path / "w", rater="tester") as opened:
        yield opened


def questions(store: Store) -> list[Question]:
    return [Question.model_validate(body) for _, body in store.items.bodies("question")]


def codes(report: ImportReport) -> dict[str, int]:
    return dict(Counter(line.code for line in report.lines))


def kept(store: Store) -> list[Path]:
    return sorted(p for p in (store.folder / "media").rglob("*") if p.is_file())


# ------------------------------------------------------------------------------------------------------- the samples
def test_the_samples_come_in_whole_and_change_nothing_the_second_time(store: Store) -> None:
    report = import_source(store, SAMPLES, media_roots=[SAMPLES])
    assert not report.refused
    assert (report.questions, report.records, report.joined) == (52, 112, 58)
    assert codes(report) == {
        "choice_dup_letter": 6, "choice_twin": 6, "path_missing": 2, "dup_exact": 2, "pred_blank": 2, "pred_failed": 4,
        "pred_missing": 2,
    }  # fmt: skip
    assert report.totals["EN"] == {"found": 30, "published": 23_609}
    assert report.totals["EN (paper)"]["published"] == 23_599 and report.totals["CN"]["published"] == 5_917
    assert report.totals["Lite"] == {"found": 16, "published": 1_919}
    assert report.totals["EN + CN (paper)"] == {"found": 36, "published": 29_429}
    assert len(kept(store)) == 6  # each picture once, however many containers hold it
    again = import_source(store, SAMPLES, media_roots=[SAMPLES])
    assert again.new == again.revised == 0 and len(kept(store)) == 6
    assert store.desk.get("claimed_ratings")["SampleVLM-7B_MME-RealWorld"]["Overall"] == pytest.approx(0.5714, abs=1e-4)
    assert store.predictions.models() == [
        "sample/SampleVLM-7B", "model_vqa_answers_lowercase_output", "official_results_Output",
        "SampleVLM-7B_MME-RealWorld",
    ]  # fmt: skip


def test_one_question_is_the_same_in_every_container(store: Store) -> None:
    import_source(store, SAMPLES, media_roots=[SAMPLES])
    same = [q for q in questions(store) if q.text.startswith("Invented: phone number")]
    assert len(same) == 6
    assert {tuple(c.text for c in q.choices) for q in same} == {
        ("020 0000 0001", "020 0000 0002", "020 0000 0003", "020 0000 0004", "The image does not feature the number.")
    }
    assert {(q.key, q.canonical, q.language) for q in same} == {
        ("A", ("Perception", "OCR with Complex Context", "phone_and_address"), "en")
    }
    assert all((path := picture_path(q.image, store.folder)) and path.is_file() for q in same)
    chinese = [q for q in questions(store) if q.language == "zh"]
    assert len(chinese) == 6 and all(c.letter for q in chinese for c in q.choices)
    assert {c.text for q in chinese for c in q.choices} >= {"图像的右侧", "13"}


def test_pictures_lie_outside_the_database(store: Store, tmp_path: Path) -> None:
    pictures = [png(n, 300, 200) for n in range(3)]
    source = write_json(tmp_path / "MME_base64_0.json", [packed(n, p) for n, p in enumerate(pictures)])
    import_source(store, source)
    assert sorted(p.read_bytes() for p in kept(store)) == sorted(pictures)
    held = json.dumps([q.model_dump(mode="json") for q in questions(store)])
    assert source.read_text(encoding="utf-8")[30:90] not in held


# ------------------------------------------------------------------------------------------------------- containers
def _rows(count: int) -> list[dict[str, Any]]:
    return [packed(n, png(n)) for n in range(count)]


def test_parquet_is_read_by_row_groups(store: Store, tmp_path: Path) -> None:
    rows = [{**r, "bytes": r.pop("image"), "path": f"a/{r['index']}.png"} for r in _rows(7)]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "train-00000-of-00001.parquet", row_group_size=2)
    report = import_source(store, tmp_path / "train-00000-of-00001.parquet")
    assert report.questions == 7 and report.assets.ok == 7 and len(kept(store)) == 7
    assert [q.index for q in questions(store)] == [str(n) for n in range(7)]


def test_a_spreadsheet_of_questions_keeps_texts(store: Store, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["index", "question", "A", "B", "C", "D", "E", "answer", "category", "l2-category"])
    book.active.append([0, "How many?", "None", "NA", "=1+1", 7, "null", "B", "Perception/Monitoring", "calculate"])
    book.save(tmp_path / "q.xlsx")
    report = import_source(store, tmp_path / "q.xlsx")
    assert [c.text for c in questions(store)[0].choices] == ["None", "NA", "=1+1", "7", "null"]
    assert codes(report) == {"cell_number": 1}


def test_a_short_picture_cell_names_another_row(store: Store, tmp_path: Path) -> None:
    rows = [packed(0, "2"), packed(1, "0"), packed(2, png(9)), packed(3, "7")]
    rows[1]["image"] = "2"
    import_source(store, write_json(tmp_path / "set_base64_0.json", rows))
    insides = [q.image.inside if q.image else None for q in sorted(questions(store), key=lambda q: q.row)]
    assert len(kept(store)) == 1
    assert insides[0] == insides[1] == insides[2] is not None and insides[3] is None
    assert "image_missing" in {f.code for q in questions(store) if q.row == 3 for f in q.findings}


def test_a_localised_table_names_files(store: Store, tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/x.png").write_bytes(png(1))
    head = "index\timage_path\tquestion\tmulti-choice options\tanswer\tcategory\tl2-category\n"
    row = "0\tpictures/x.png\tWhich?\t\"['(A) x', '(B) y']\"\tA\tPerception/Monitoring\tcalculate\n"
    (tmp_path / "s_local.tsv").write_text(head + row, encoding="utf-8")
    report = import_source(store, tmp_path / "s_local.tsv")
    assert report.assets.ok == 1 and report.questions == 1


@pytest.mark.parametrize("data", [b"PK\x03\x04 no sheet", b"", b"\x00" * 50])
@pytest.mark.parametrize("name", ["x.xlsx", "x.parquet"])
def test_tables_that_are_none_are_refused_with_a_sentence(store: Store, tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    report = import_source(store, tmp_path / name)
    assert report.refused and name in report.notes[0] and report.notes[0].endswith(".")


def test_a_picture_that_cannot_be_decoded_is_told(store: Store, tmp_path: Path) -> None:
    import_report = import_source(
        store, write_json(tmp_path / "s_base64_0.json", [packed(0, "!" * 100), packed(1, png(1))])
    )
    assert codes(import_report) == {"picture_bad": 1} and import_report.questions == 2


def test_a_smaller_picture_inside_a_record_is_noticed(store: Store, tmp_path: Path) -> None:
    (tmp_path / "roots/a").mkdir(parents=True)
    (tmp_path / "roots/a/1.png").write_bytes(png(1, 80, 60))
    row = {**packed(0, png(1, 40, 30)), "path": "a/1.png"}
    import_source(store, write_json(tmp_path / "s_base64_0.json", [row]), media_roots=[tmp_path / "roots"])
    assert [f.detail for f in questions(store)[0].findings if f.code == "image_reduced"] == ["40x30 of 80x60"]


def test_paths_that_leave_the_root_are_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "secret.png").write_bytes(png(1))
    records = [official(0, Image="../secret.png"), official(1, Image=str(tmp_path / "secret.png"))]
    source = write_json(tmp_path / "root/q.json", records)
    report = import_source(store, source, media_roots=[tmp_path / "root"])
    assert report.assets.refused == 2 and report.assets.ok == 0 and codes(report) == {"path_refused": 2}


def test_bare_names_are_found_beside_their_file(store: Store, tmp_path: Path) -> None:
    for folder in ("lite/imgs", "images/monitoring_images"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "1.png").write_bytes(png(len(folder)))
    write_json(tmp_path / "lite/Lite.json", [official(1, Image="1.png")])
    write_json(tmp_path / "full.json", [official(1)])
    report = import_source(store, tmp_path, media_roots=[tmp_path])
    found = {q.source: q.image.inside for q in questions(store) if q.image}
    assert found == {"lite/Lite.json": "lite/imgs/1.png", "full.json": "images/monitoring_images/1.png"}
    assert {q.split for q in questions(store) if q.source.startswith("lite")} == {"lite"} and not report.lines


# --------------------------------------------------------------------------------------- broken off, resumed, once more
def test_a_set_with_pictures_goes_on_from_its_last_part(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake_questions, "PART_ROWS", 3)
    source = write_json(tmp_path / "set_base64_0.json", _rows(10))
    token = CancelToken()
    kept_before = intake_questions.PictureStore.keep
    calls: list[int] = []

    def keep(self: Any, picture: Any) -> Any:
        calls.append(1)
        if len(calls) == 8:
            token.cancel()
        return kept_before(self, picture)

    monkeypatch.setattr(intake_questions.PictureStore, "keep", keep)
    with pytest.raises(Cancelled):
        import_source(store, source, token=token)
    assert len(questions(store)) == 6
    calls.clear()
    report = import_source(store, source)
    assert (report.questions, report.new, report.unchanged) == (10, 4, 6)
    assert len(calls) == 4  # the published parts are not decoded again
    assert len(questions(store)) == 10 and store.upkeep.check().ok


def test_a_cancelled_set_without_pictures_leaves_nothing(store: Store, tmp_path: Path) -> None:
    source = write_json(tmp_path / "q.json", [official(n) for n in range(500)])
    token = CancelToken()

    def progress(done: int, total: int) -> None:
        if done > total // 2:
            token.cancel()

    with pytest.raises(Cancelled):
        import_source(store, source, token=token, progress=progress)
    assert questions(store) == []


def test_a_picture_found_later_is_taken_in_without_a_revision(store: Store, tmp_path: Path) -> None:
    source = write_json(tmp_path / "q.json", [official(1)])
    import_source(store, source)
    (tmp_path / "data/monitoring_images").mkdir(parents=True)
    (tmp_path / "data/monitoring_images/1.png").write_bytes(png(1))
    before = store.items.heads("question")[0]
    report = import_source(store, source, media_roots=[tmp_path / "data"])
    after = store.items.heads("question")[0]
    assert (report.new, report.unchanged, report.assets.ok) == (0, 1, 1)
    assert (before.missing, after.missing) == (1, 0) and before.content_hash == after.content_hash
    import_source(store, source)
    assert store.items.heads("question")[0].missing == 0  # found once, not forgotten


# -------------------------------------------------------------------------------------------------------- categories
def test_categories_have_one_spelling_and_keep_their_own(store: Store, tmp_path: Path) -> None:
    source = write_json(
        tmp_path / "q.json",
        [
            official(0, Category="Person/counting"), official(1, Category="person/counting", Task="perception"),
            official(2, Category="Attribute_Motion_Pedestrain", Subtask="Autonomous_Driving"),
            official(3, Category="Attribute_Motion_Pedestrian", Subtask="autonomous driving"),
            official(4, Category="Diagram", Subtask="Diagram and Table"),
        ],
    )  # fmt: skip
    import_source(store, source)
    held = questions(store)
    assert [q.category for q in held][:2] == ["Person/counting", "person/counting"]
    assert held[0].canonical == held[1].canonical == ("Perception", "Monitoring", "person/counting")
    assert held[2].canonical == held[3].canonical
    assert held[4].canonical[2] == "diagram"


def test_published_counts_add_up() -> None:
    assert sum(ENGLISH.values()) == 23_609 and len(ENGLISH) == 39
    assert sum(n for (task, *_), n in ENGLISH.items() if task == "Perception") == 20_767
    assert canonical("reason", "Monitoring", "calculate") == ("Reasoning", "Monitoring", "calculate")


# ----------------------------------------------------------------------------------------------------------- outputs
def test_outputs_wait_for_their_questions_in_any_order(store: Store, tmp_path: Path) -> None:
    records = [official(n) for n in range(5)]
    first = import_source(store, write_lines(tmp_path / "m.jsonl", answered(records, "CCBCC")))
    assert (first.waiting, first.joined) == (5, 0) and store.predictions.count() == 0
    assert store.predictions.waiting() == 5
    second = import_source(store, write_json(tmp_path / "q.json", records))
    assert (second.questions, second.joined, second.correct, second.waiting) == (5, 5, 4, 0)
    assert store.predictions.count() == 5 and store.predictions.waiting() == 0
    assert store.predictions.models() == ["m"]


def test_outputs_of_part_of_a_set_wait_for_the_rest(store: Store, tmp_path: Path) -> None:
    records = [official(n) for n in range(6)]
    import_source(store, write_json(tmp_path / "q.json", records[:4]))
    report = import_source(store, write_lines(tmp_path / "m.jsonl", answered(records, "CCCCCC")))
    assert (report.joined, report.waiting) == (4, 2) and codes(report) == {"pred_extra": 2}
    import_source(store, write_json(tmp_path / "rest.json", records[4:]))
    assert store.predictions.count() == 6


@pytest.mark.parametrize(
    "names", [("m_2_0", "m_2_1"), ("m_chunk0_of_2", "m_chunk1_of_2"), ("m_chunk1_of_2", "m_chunk2_of_2")]
)
@pytest.mark.parametrize("backwards", [False, True])
def test_parts_of_a_run_are_one_model_in_any_order(
    store: Store, tmp_path: Path, names: tuple[str, str], backwards: bool
) -> None:
    records = [official(n) for n in range(6)]
    import_source(store, write_json(tmp_path / "q.json", records))
    halves = [(names[0], records[:3]), (names[1], records[3:5])]
    for name, half in reversed(halves) if backwards else halves:
        report = import_source(store, write_lines(tmp_path / f"{name}.jsonl", answered(half, "C" * len(half))))
        last = name == (names[0] if backwards else names[1])
        assert report.missing == (1 if last else 0)
        assert codes(report) == ({"pred_missing": 1} if last else {})
    assert store.predictions.models() == ["m"] and store.predictions.count() == 5


def test_parts_together_in_one_folder(store: Store, tmp_path: Path) -> None:
    records = [official(n) for n in range(6)]
    write_json(tmp_path / "s/q.json", records)
    for k in range(3):
        write_lines(tmp_path / f"s/run_3_{k}.jsonl", answered(records[2 * k : 2 * k + 2], "CC"))
    report = import_source(store, tmp_path / "s")
    assert (report.joined, report.missing) == (6, 0) and store.predictions.models() == ["run"]


def test_equal_questions_get_one_output_each(store: Store, tmp_path: Path) -> None:
    records = [official(0), official(1), official(1), official(1)]
    import_source(store, write_json(tmp_path / "q.json", records))
    lines = answered(records, "CABC")
    report = import_source(store, write_lines(tmp_path / "m.jsonl", lines))
    assert report.joined == 4 and report.correct == 2
    again = import_source(store, write_lines(tmp_path / "m.jsonl", lines))
    assert (again.joined, again.unchanged, again.new) == (4, 4, 0) and not again.lines


def test_an_answer_seen_again(store: Store, tmp_path: Path) -> None:
    records = [official(n) for n in range(3)]
    import_source(store, write_json(tmp_path / "q.json", records))
    import_source(store, write_lines(tmp_path / "m.jsonl", answered(records, "CCC")))
    report = import_source(store, write_lines(tmp_path / "x/m.jsonl", answered(records, "CCA")))
    assert codes(report) == {"dup_conflict": 1}
    assert [p.output for q in questions(store) for p in store.predictions.of(q.item_id)] == ["C", "C", "C"]
    other = import_source(store, write_lines(tmp_path / "x/m.jsonl", answered(records, "CCA")), model="other")
    assert other.new == 3 and store.predictions.models() == ["m", "other"]


def test_the_set_is_chosen_by_its_content(store: Store, tmp_path: Path) -> None:
    full = [official(n) for n in range(40)]
    lite = [official(n, Image=f"{n}.png") for n in range(0, 40, 4)]
    import_source(store, write_json(tmp_path / "full.json", full))
    import_source(store, write_json(tmp_path / "lite.json", lite))
    report = import_source(store, write_lines(tmp_path / "m.jsonl", answered(lite, "C" * 10)))
    assert (report.joined, report.missing) == (10, 0)
    report = import_source(store, write_lines(tmp_path / "n.jsonl", answered(full, "C" * 40)))
    assert (report.joined, report.missing) == (40, 0)


def test_rows_out_of_order_are_joined_by_content(store: Store, tmp_path: Path) -> None:
    import_source(store, write_json(tmp_path / "q.json", [official(n, key="ABCDE"[n]) for n in range(5)]))
    rows = [
        {"index": 100 + n, "question": f"Which vehicle is in lane {n}?", "A": "blue van", "B": "red car",
         "C": "green bus", "D": "white truck", "E": "The image does not feature the object", "answer": "ABCDE"[n],
         "category": "Perception/Monitoring", "l2-category": "Vehicle/counting", "prediction": "ABCDE"[n]}
        for n in (3, 0, 4, 1, 2)
    ]  # fmt: skip
    report = import_source(store, write_json(tmp_path / "m_MME-RealWorld.json", rows))
    assert (report.joined, report.correct, report.missing) == (5, 5, 0) and not report.lines


def test_a_row_copied_from_another_is_a_mismatch(store: Store, tmp_path: Path) -> None:
    import_source(store, write_json(tmp_path / "q.json", [official(n) for n in range(4)]))
    rows = answered([official(2), official(1), official(2), official(3)], "CCCC")
    rows[0]["Question_id"] = official(0)["Question_id"]
    report = import_source(store, write_lines(tmp_path / "m.jsonl", rows))
    assert report.joined == 3 and codes(report) == {"pred_mismatch": 1, "pred_missing": 1}


@pytest.mark.parametrize("nesting", ["{}", "[{}]", "[[{}]]", "[]"])
def test_harness_rows_of_any_nesting(store: Store, tmp_path: Path, nesting: str) -> None:
    import_source(store, write_json(tmp_path / "set_base64_0.json", _rows(3)))
    rows = [
        {"doc_id": n, "target": "C", "filtered_resps": json.loads(nesting.replace("{}", '"C"')), "doc_hash": "0",
         "mme_realworld_score": {"question_id": n, "pred_answer": "C", "answer": "C"},
         "input": f"Which vehicle is in lane {n}? The choices are listed below:\n(A) blue van\n"}
        for n in range(3)
    ]  # fmt: skip
    report = import_source(store, write_lines(tmp_path / "20310101_101500_samples_mmerealworld.jsonl", rows))
    assert report.joined == 3 and report.blank == (3 if nesting == "[]" else 0)


def test_outputs_of_several_models_in_one_file(store: Store, tmp_path: Path) -> None:
    records = [official(n) for n in range(2)]
    import_source(store, write_json(tmp_path / "q.json", records))
    rows = [{**r, "model": m} for m in ("one", "two") for r in answered(records, "CA")]
    import_source(store, write_lines(tmp_path / "all.jsonl", rows))
    assert store.predictions.models() == ["one", "two"] and store.predictions.count() == 4


def test_marks_of_parts() -> None:
    assert chunk_of("m_chunk3_of_8") == ("m", 3, 8)
    assert chunk_of("m_8_3") == ("m", 3, 8)
    assert chunk_of("m_3") == ("m", 3, -1)
    assert chunk_of("m_MME-RealWorld") == ("m_MME-RealWorld", 0, 0)
    assert chunk_of("m_20310101_101500")[0] == "m_20310101_101500"


def test_records_with_outputs_can_be_taken_as_questions(store: Store, tmp_path: Path) -> None:
    source = write_lines(tmp_path / "m.jsonl", answered([official(0)], "C"))
    assert import_source(store, source, kind="mme-realworld").questions == 1
    shutil.copy(source, tmp_path / "n.jsonl")
    assert import_source(store, tmp_path / "n.jsonl").joined == 1
