"""Dialogues, answers and judgements find each other in any order, and importing again changes nothing."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.importing import import_source
from annotator.workspace.problems import decide, waiting
from tests.helpers.imports import TASK, bring, codes, image, judged, lines_of, sample, video, workspace, write

M, N = f"p::m::{TASK}", f"p::n::{TASK}"


def _state(store: Store) -> dict[str, Any]:
    """Everything that importing brought, without the order and the places of files."""
    found: dict[str, Any] = {}
    for head in store.items.heads():
        dialogue = store.items.dialogue(head.item_id).model_dump(mode="json", exclude={"record", "source"})
        answers = {r.responder: r.model_dump(mode="json") for r in store.items.responders(head.item_id)}
        judges = sorted(
            json.dumps(r.model_dump(mode="json", exclude={"line"}), sort_keys=True)
            for r in store.judges.records(head.item_id)
        )
        found[head.item_id] = [dialogue, answers, judges]
    found["waiting"] = len(store.judges.waiting())
    return found


def _rounds(record: dict[str, Any]) -> list[dict[str, Any]]:
    head = {k: v for k, v in record.items() if k != "rounds"}
    name = record["dialogue_id"]
    return [{**head, "round_id": f"{name}:round_{r['round_index']:03d}", **r} for r in record["rounds"]]


def _sources(folder: Path) -> list[Path]:
    other = sample("d1", "n")
    other["rounds"][1] |= {"question_text": "another question", "prediction": "n says other"}
    more = sample("d1", "m", 3)  # a round that the dataset has not
    return [
        write(folder / "video_final.json", [video("d1"), video("d2", 1)]),
        write(folder / "m_samples.jsonl", [more, sample("d2", "m", 1)]),
        write(folder / "n_samples.jsonl", [other]),
        write(
            folder / "turn_judgements.jsonl", [judged("d1", 0), judged("d1", 1), judged("d2", 0, "n"), judged("d1", 7)]
        ),
    ]


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=str)
def test_the_order_of_imports_does_not_matter(tmp_path: Path, order: tuple[int, ...]) -> None:
    sources = _sources(tmp_path)
    with workspace(tmp_path / "a") as store, workspace(tmp_path / "b") as other:
        mismatches = 0
        for source in sources:
            mismatches += codes(bring(store, source)).get("pred_mismatch", 0)
        assert mismatches == 2
        for place in order:
            bring(other, sources[place])
        state = _state(store)
        assert _state(other) == state
        assert state["waiting"] == 1
        dialogue = store.items.dialogue(store.items.resolve("d1"))
        assert (dialogue.revision, len(dialogue.turns), dialogue.from_answers) == (1, 2, False)
        n = store.items.responder(dialogue.item_id, N)
        assert n is not None and n.turns is not None
        assert [t.question for t in n.turns] == ["question 0", "another question"]
        assert n.turns[1].evidence == dialogue.turns[1].evidence
        m = store.items.responder(dialogue.item_id, M)
        assert m is not None and m.turns is not None and len(m.turns) == 3
        d2 = store.items.resolve("d2")
        made = store.items.responder(d2, N)
        assert made is not None and made.answers[0].text == "n says 0"
        for source in sources:
            again = bring(other, source)
            assert (again.new, again.revised, again.joined) == (0, 0, 0)
        assert _state(other) == state


def test_a_folder_is_read_in_the_right_order_and_names_what_it_does_not_read(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    _sources(folder)
    (folder / "video_final.json").rename(folder / "z.json")
    (folder / "phase2").mkdir()
    (folder / "m_samples.jsonl").rename(folder / "phase2" / "dialogues.jsonl")
    write(folder / "phase2" / "rounds.jsonl", _rounds(sample("d1", "m", 3)))
    write(folder / "phase2" / "manifest.json", {"files": 3})
    write(folder / "turn_error_attributions.jsonl", [{"candidate_id": "x", "severity": "ok"}])
    (folder / "notes.txt").write_text("x")
    (folder / "broken.json").write_text("[1, 2")
    (folder / "nothing.json").write_text("")
    (folder / ".hidden.json").write_text("x")
    (folder / "clips").mkdir()
    (folder / "clips" / "0.mp4").write_bytes(b"x")
    with workspace(tmp_path) as store, workspace(tmp_path / "one") as single:
        report = bring(store, folder)
        assert not report.refused and report.kind == "auto"
        assert report.files[0] == "z.json" and report.files[-2:] == [
            "turn_judgements.jsonl",
            "turn_error_attributions.jsonl",
        ]
        assert (report.dialogues, report.turns, report.matched, report.waiting) == (2, 3, 3, 1)
        assert report.assets.model_dump() == {"ok": 2, "remapped": 0, "missing": 1, "refused": 0, "remote": 0}
        told = " ".join(report.notes)
        for name in ("notes.txt", "broken.json", "nothing.json", "phase2/manifest.json"):
            assert name in told
        assert "hidden" not in told and "0.mp4" not in told
        for name in (
            "z.json",
            "phase2/dialogues.jsonl",
            "phase2/rounds.jsonl",
            "n_samples.jsonl",
            "turn_judgements.jsonl",
        ):
            bring(single, folder / name)
        first, second = _state(store), _state(single)
        for state in (first, second):
            for held in list(state.values())[:-1]:
                for turn in held[0]["turns"]:
                    turn.pop("evidence")
                held[2] = len(held[2])
                for responder in held[1].values():
                    for turn in responder["turns"] or ():
                        turn.pop("evidence")
        assert first == second


@pytest.mark.parametrize("shuffled", [False, True])
def test_rounds_make_the_same_answers_as_samples(tmp_path: Path, shuffled: bool) -> None:
    records = [sample("d1", "m", 3), sample("d2", "m", 2)]
    rounds = [r for record in records for r in _rounds(record)]
    if shuffled:
        rounds = [rounds[k] for k in (4, 0, 3, 2, 1)]
    with workspace(tmp_path / "a") as store, workspace(tmp_path / "b") as other:
        bring(store, write(tmp_path / "s.jsonl", records))
        report = bring(other, write(tmp_path / "rounds.jsonl", rounds))
        assert (report.dialogues, report.turns, report.records) == (2, 5, 5)
        one, two = _state(store), _state(other)
        assert {k: v for k, v in one.items() if k != "waiting"}.keys() == {k for k in two if k != "waiting"}
        for item in one.keys() - {"waiting"}:
            assert [r["answers"] for r in one[item][1].values()] == [r["answers"] for r in two[item][1].values()]
            assert [t["question"] for t in one[item][0]["turns"]] == [t["question"] for t in two[item][0]["turns"]]


def test_samples_and_dataset_of_one_dialogue_are_one_item_but_not_of_two_modalities(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("x"), image("x")]))
        task = "omnibench_image_multi_text"
        bring(store, write(tmp_path / "s.jsonl", [sample("x"), sample("x", task_name=task, media_mode="image")]))
        heads = {h.modality: h.item_id for h in store.items.heads()}
        assert len(heads) == 2
        assert store.items.responders_of(heads["video"]) == [M]
        assert store.items.responders_of(heads["image"]) == [f"p::m::{task}"]
        with pytest.raises(WorldError, match="stands for 2"):
            store.items.resolve("x")


def test_a_sample_that_does_not_say_its_modality_joins_the_only_dialogue(tmp_path: Path) -> None:
    quiet = {k: v for k, v in sample("i1").items() if k not in ("media_mode", "task_name")}
    for entry in quiet["rounds"]:
        del entry["media_local_path"]
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [image("i1")]))
        report = bring(store, write(tmp_path / "s_chunk1_of_2.jsonl", [quiet | {"model_name": None}]))
        assert len(store.items.heads()) == 1 and report.dialogues == 1
        assert store.items.responders_of(store.items.resolve("i1")) == ["p::s::unknown"]


def test_failed_blank_and_missing_answers(tmp_path: Path) -> None:
    record = sample("d1", turns=4)
    record["rounds"][0] |= {"prediction": "Traceback", "error": "boom"}
    record["rounds"][1]["prediction"] = "  "
    record["rounds"][2] |= {"prediction": None, "has_error": True, "error_type": "timeout"}
    with workspace(tmp_path) as store:
        report = bring(store, write(tmp_path / "s.jsonl", [record]))
        assert (report.failed, report.blank) == (2, 1)
        assert codes(report) == {"pred_failed": 2, "pred_blank": 1}
        found = store.items.responders(store.items.resolve("d1"))[0]
        assert [(a.text, a.error) for a in found.answers] == [
            ("Traceback", "boom"),
            (None, None),
            (None, "timeout"),
            ("m says 3", None),
        ]


def test_answers_seen_again(tmp_path: Path) -> None:
    first = sample("d1", turns=2)
    second = json.loads(json.dumps(first))
    second["rounds"][1]["prediction"] = "changed"
    third = sample("d1", turns=3)
    with workspace(tmp_path) as store:
        report = bring(store, write(tmp_path / "s.jsonl", [first, first, second, third]))
        assert codes(report) == {"dup_conflict": 1}
        item = store.items.resolve("d1")
        texts = [a.text for a in store.items.responders(item)[0].answers]
        assert texts == ["m says 0", "m says 1", "m says 2"]
        (problem,) = waiting(store)
        assert problem.choices == ("keep-first", "keep-second") and "changed" in problem.detail["second"]
        assert codes(bring(store, tmp_path / "s.jsonl")) == {"dup_conflict": 1}
        decide(store, problem.id, "keep-second")
        kept = store.items.responders(item)[0]
        assert kept.answers[1].text == "changed" and kept.revision == 2
        again = bring(store, tmp_path / "s.jsonl")
        assert again.lines == [] and (again.new, again.revised) == (0, 0) and "settled before" in again.notes[0]
        assert store.items.responders(item)[0] == kept


@pytest.mark.parametrize("choice", ["keep-first", "keep-second"])
@pytest.mark.parametrize("apart", [False, True], ids=["one-file", "two-files"])
@pytest.mark.parametrize("make", [video, image])
def test_a_conflict_waits_and_its_decision_survives(
    tmp_path: Path, make: Callable[..., dict[str, Any]], apart: bool, choice: Any
) -> None:
    first, second = make("x", 2), make("x", 3)
    sources = (
        [write(tmp_path / "a.json", [first]), write(tmp_path / "b.json", [second])]
        if apart
        else [write(tmp_path / "a.json", [first, first, second])]
    )
    with workspace(tmp_path) as store:
        reports = [bring(store, s) for s in sources]
        said = codes(reports[-1])
        assert said.get("dup_conflict") == 1 and said.get("dup_exact", 0) == (not apart)
        item = store.items.resolve("x")
        assert len(store.items.dialogue(item).turns) == 2
        (problem,) = waiting(store)
        for wrong in ("drop", "map-scale"):
            with pytest.raises(WorldError, match="choose keep-first or keep-second"):
                decide(store, problem.id, wrong)
        with pytest.raises(WorldError, match="no problem"):
            decide(store, "x", choice)
        decide(store, problem.id, choice)
        turns = 3 if choice == "keep-second" else 2
        for _ in range(2):
            dialogue = store.items.dialogue(item)
            assert (len(dialogue.turns), dialogue.revision) == (turns, turns - 1)
            assert waiting(store) == []
            for source in sources:
                again = bring(store, source)
                assert "dup_conflict" not in codes(again) and (again.new, again.revised) == (0, 0)
        with pytest.raises(WorldError, match="settled before"):
            decide(store, problem.id, choice)


def test_keep_second_keeps_what_models_saw(tmp_path: Path) -> None:
    second = video("d1")
    second["stream_conversation"]["conversations"][0]["text"] = "a better question"
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1"), second]))
        bring(store, write(tmp_path / "s.jsonl", [sample("d1")]))
        decide(store, waiting(store)[0].id, "keep-second")
        item = store.items.resolve("d1")
        assert store.items.dialogue(item).turns[0].question == "a better question"
        saw = store.items.responders(item)[0].turns
        assert saw is not None and saw[0].question == "question 0"


def test_lookalikes_are_both_kept(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        report = bring(
            store, write(tmp_path / "d.json", [video("Café"), video("cafe\u0301"), video("ca fé "), video("caf")])
        )
        assert report.dialogues == 4 and codes(report) == {"id_lookalike": 2}
        assert codes(bring(store, write(tmp_path / "s.jsonl", [sample("Caf")]))) == {"id_lookalike": 1}


def test_media_found_later_are_found_and_never_forgotten(tmp_path: Path) -> None:
    source = write(tmp_path / "data" / "d.json", [video("d1", 1)])
    media = tmp_path / "media"
    (media / "clips").mkdir(parents=True)
    (media / "clips" / "0.mp4").write_bytes(b"x")
    with workspace(tmp_path) as store:
        item_status = lambda: store.items.dialogue(store.items.resolve("d1")).turns[0].evidence[0].status  # noqa: E731
        report = bring(store, source)
        assert report.assets.missing == 1 and report.lines == [] and item_status() == "missing"
        report = bring(store, source, media)
        assert report.assets.ok == 1 and (report.unchanged, report.new) == (1, 0) and item_status() == "ok"
        assert store.desk.media_roots() == (str(media),)
        report = bring(store, source)
        assert report.assets.ok == 1 and item_status() == "ok"
        shutil.rmtree(media)
        assert bring(store, source).assets.missing == 1 and item_status() == "ok"
        assert store.items.dialogue(store.items.resolve("d1")).revision == 1


def test_totals_are_compared(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        report = bring(store, write(tmp_path / "d.json", [video("a", 3), image("b", 2), video("c", 1)]))
        assert {k: v["found"] for k, v in report.totals.items()} == {
            "dialogues": 3, "turns": 6, "video_dialogues": 2, "video_turns": 4, "image_dialogues": 1, "image_turns": 2,
            "scenarios": 2, "categories": 2,
        }  # fmt: skip
        assert report.totals["turns"]["published"] == 5859
        assert bring(store, write(tmp_path / "s.jsonl", [sample("a", turns=3)])).totals == {}


@pytest.mark.parametrize(
    ("name", "data", "sentence"),
    [
        ("empty.json", "", "is empty"),
        ("blank.jsonl", " \n\n", "nothing but blanks"),
        ("word.json", "hello there, this is text", "is not JSON"),
        ("other.json", '[{"a": 1}]', "holds no dialogues"),
        ("other.jsonl", '{"chosen": "x", "rejected": "y"}\n', "preference data"),
        ("cut.json", '[{"_ai_unique_id_": "x"', "middle of a record"),
        ("folder", None, "nothing to import"),
    ],
)
def test_refused_sources_leave_the_workspace_as_it_was(
    tmp_path: Path, name: str, data: str | None, sentence: str
) -> None:
    source = tmp_path / name
    source.mkdir() if data is None else source.write_text(data)
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        before = (_state(store), len(store.imports.published()))
        report = bring(store, source)
        assert report.refused and sentence in report.notes[0] and name in report.notes[0]
        assert "\n" not in report.notes[0] and report.dialogues == 0
        assert (_state(store), len(store.imports.published())) == before


def test_requests_that_cannot_be_met(tmp_path: Path) -> None:
    source = write(tmp_path / "d.json", [video("d1")])
    with workspace(tmp_path) as store:
        for wrong, match in (
            ({"source": tmp_path / "none.json"}, "no file or folder"),
            ({"media_roots": [tmp_path / "none"]}, "media root"),
            ({"media_roots": [source]}, "media root"),
            ({"kind": "soup"}, "no kind"),
        ):
            with pytest.raises(WorldError, match=match):
                import_source(store, **{"source": source, **wrong})  # type: ignore[arg-type]
        report = bring(store, source, kind="judge")
        assert report.refused and "is of kind rubric-mme, not judge" in report.notes[0]
        assert store.items.heads() == []


@pytest.mark.parametrize("after", [1, 60, 900])
def test_cancelling_leaves_nothing(tmp_path: Path, after: int) -> None:
    folder = tmp_path / "release"
    write(folder / "d.json", [video(f"d{k}") for k in range(700)])
    write(folder / "s.jsonl", [sample(f"d{k}") for k in range(700)])
    with workspace(tmp_path) as store:
        token, seen = CancelToken(), [0]

        class Counting(CancelToken):
            def check(self) -> None:
                seen[0] += 1
                if seen[0] > after:
                    token.cancel()
                token.check()

        with pytest.raises(Cancelled):
            bring(store, folder, token=Counting())
        assert store.items.heads() == [] and store.imports.published() == []
        report = bring(store, folder)
        assert (report.dialogues, report.new) == (700, 1400)
        again = bring(store, folder)
        assert (again.new, again.unchanged) == (0, 1400)


def test_a_damaged_file_of_a_folder_refuses_the_folder_and_names_it(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    write(folder / "a.json", [video("d1")])
    cut = write(folder / "b.json", [video("d2"), video("d3")])
    os.truncate(cut, cut.stat().st_size - 20)
    with workspace(tmp_path) as store:
        report = bring(store, folder)
        assert report.refused and "b.json" in report.notes[0]
        assert [line.file for line in lines_of(report, "cut_off")] == ["b.json"]
        assert store.items.heads() == []
