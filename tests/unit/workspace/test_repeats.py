"""Hidden repeats of dialogues: drawn alike everywhere, unknown by name or place, in no figure but self-agreement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.store import Draft, Store
from annotator.workspace.comparisons_making import make_comparisons
from annotator.workspace.exporting import export_labels
from annotator.workspace.figures import figures_of
from annotator.workspace.figures_items import items_behind
from annotator.workspace.repeats import disguised, make_dialogue_repeats, repeats_made
from annotator.workspace.spotcheck import draw
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, bring, judged, sample, video, workspace, write

ROW = {model: f"p::{model}::{TASK}" for model in "mn"}
NAMES = tuple(f"d{k:02d}" for k in range(20))
SCORES = {"accuracy": {"score": 4, "reason": ""}}


def filled(store: Store, folder: Path) -> None:
    """Twenty dialogues of different words, each answered by two models; one turn of one of them is judged."""
    dialogues = [video(name, 2) for name in NAMES]
    for name, one in zip(NAMES, dialogues, strict=True):
        one["stream_conversation"]["conversations"][0]["text"] = f"question of {name}"
        one["stream_conversation"]["conversations"][2]["text"] = f"second question of {name}"
    bring(store, write(folder / "d.json", dialogues))
    samples = [sample(name, model, 2) for name in NAMES for model in "mn"]
    for one in samples:
        for index, text in enumerate(("question", "second question")):
            one["rounds"][index]["question_text"] = f"{text} of {one['dialogue_id']}"
    bring(store, write(folder / "s.jsonl", samples))
    bring(store, write(folder / "j.jsonl", [judged(name, 0, scores=SCORES) for name in NAMES]))


def say_all(door: Workspace, item: str, responder: str, value: Any) -> None:
    for target, names in (("turn:0", TURN_DIMENSIONS), ("turn:1", TURN_DIMENSIONS), ("session", SESSION_DIMENSIONS)):
        door.say(item, responder, [Intent(target, name, value) for name in names], 1_000, "en")
    door.say(item, responder, [Intent("item", "verdict", "keep")], 1_000, "en")


def told(store: Store, subject: str, *by: str) -> dict[tuple[Any, ...], dict[str, Any]]:
    raw = figures_of(store, subject, Asked(by=by, resamples=50)).raw()["figures"]
    return {(figure["name"], *figure["by"].values()): figure for figure in raw}


def test_the_same_rows_come_again_on_every_machine_and_look_like_any_other(tmp_path: Path) -> None:
    held = []
    for place in ("one", "two"):
        with workspace(tmp_path / place) as store:
            filled(store, tmp_path / place)
            made = make_dialogue_repeats(store, 0.25, 3)
            (drawing,) = repeats_made(store)
            assert sorted(drawing["items"]) == made and (drawing["rate"], drawing["seed"]) == (0.25, 3)
            assert make_dialogue_repeats(store, 0.25, 3) == made  # what comes again does not come again once more
            assert len(store.items.heads("dialogue")) == len(NAMES) + len(made)
            rows = [row for row in store.queue.rows("tester") if row.item_id in made]
            names = {head.item_id: head.source_id for head in store.items.heads("dialogue")}
            assert len(set(names.values())) == len(names)
            assert {len(names[item]) for item in made} == {3} and all(names[item].startswith("d") for item in made)
            held.append((made, sorted((row.item_id, row.responder) for row in rows)))
            row = rows[0]
            once = store.items.dialogue(drawing["items"][row.item_id])
            again = Workspace(store).review(row.item_id, row.responder)
            assert [turn.question for turn in again.turns] == [turn.question for turn in once.turns]
            assert again.reveal.state == "none" and "repeat" not in repr(again.row)
    assert held[0] == held[1] and 5 <= len(held[0][1]) <= 15  # 40 rows, a quarter of them


def test_a_repeat_stands_half_a_queue_behind(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        before = list(dict.fromkeys(row.item_id for row in store.queue.rows("tester")))
        made = make_dialogue_repeats(store, 0.3, 1)
        order = list(dict.fromkeys(row.item_id for row in store.queue.rows("tester")))
        assert [item for item in order if item not in made] == before
        once = repeats_made(store)[0]["items"]
        for item in made:
            between = order[order.index(once[item]) + 1 : order.index(item)]
            assert len([one for one in between if one not in made]) >= min(9, len(NAMES) - 1 - before.index(once[item]))
        assert order[-1] in made or len(made) < 3


def test_no_figure_but_those_of_self_agreement_stands_on_a_repeat(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        door = Workspace(store)
        for number, name in enumerate(NAMES):
            say_all(door, store.items.resolve(name), ROW["m"], 3 + number % 2)
        before = {subject: told(store, subject, "rater") for subject in ("agreement", "calibration", "retention")}
        made = make_dialogue_repeats(store, 0.3, 2)
        once = repeats_made(store)[0]["items"]
        rows = [row for row in store.queue.rows("tester") if row.item_id in made]
        for row in rows:  # each one level higher than the first time
            number = NAMES.index(store.items.dialogue(once[row.item_id]).source_id)
            say_all(door, row.item_id, row.responder, 4 + number % 2)
        for subject, figures in before.items():
            for key, figure in told(store, subject, "rater").items():
                if not key[0].startswith("self_"):
                    assert figure == figures[key], key
        both = [row for row in rows if row.responder == ROW["m"]]
        of_tester = told(store, "agreement", "rater")
        wanted = {"self_exact": 0.0, "self_within_1": 1.0, "self_shift": 1.0}
        for name, value in wanted.items():
            figure = of_tester[name, "tester"]
            assert (figure["value"], figure["n"], figure["n_clusters"]) == (
                pytest.approx(value),
                20 * len(both),
                len(both),
            )
        behind = items_behind(store, "agreement", "self_exact", {"rater": "tester"})
        assert behind == tuple(sorted({once[row.item_id] for row in both}))
        assert told(store, "retention")["funnel_imported",]["value"] == len(NAMES)
        assert draw(store, "spot", 20).population == 20
        with pytest.raises(WorldError, match="20 sessions were answered by all"):
            make_comparisons(store, tuple(ROW.values()), 1_000, level="session", seed=0, project="all")


def test_a_repeat_that_was_scored_first_counts_the_same(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        (item,) = make_dialogue_repeats(store, 0.02, _seed_of_one(store))
        row = next(row for row in store.queue.rows("tester") if row.item_id == item)
        once = repeats_made(store)[0]["items"][item]
        door = Workspace(store)
        say_all(door, item, row.responder, 5)
        say_all(door, once, row.responder, 3)
        figures = told(store, "agreement")
        assert (figures["self_exact",]["n"], figures["self_exact",]["value"]) == (20, 0.0)
        assert figures["self_shift",]["value"] == -2.0 and figures["mean",]["value"] == 3.0


def _seed_of_one(store: Store) -> int:
    from annotator.domain.comparisons import drawn_for_repeat

    keys = [f"{row.item_id}|{row.responder}" for row in store.queue.rows("tester")]
    return next(seed for seed in range(1_000) if sum(drawn_for_repeat(key, 0.02, seed) for key in keys) == 1)


def test_records_and_labels_that_name_an_id_find_the_dialogue_and_not_its_repeat(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        made = make_dialogue_repeats(store, 1, 0)
        names = {store.items.dialogue(item).source_id for item in made}
        name = sorted(names)[0]
        report = bring(store, write(tmp_path / "j2.jsonl", [judged(name, 0, scores=SCORES)]))
        assert report.waiting == 1  # the id of a repeat is nobody's
        bring(store, write(tmp_path / "d2.json", [video(name, 2)]))
        bring(store, write(tmp_path / "s2.jsonl", [sample(name, "m", 2)]))
        (record,) = [r for head in store.items.heads("dialogue") if head.source_id == name
                     for r in store.judges.records(head.item_id)]  # fmt: skip
        assert record.source_id == name


def test_a_rate_that_is_none_is_refused(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        for rate in (-0.1, 1.1):
            with pytest.raises(WorldError, match="does not fit"):
                make_dialogue_repeats(store, rate, 0)
        assert make_dialogue_repeats(store, 1, 0) == [] and repeats_made(store)[0]["items"] == {}


@settings(max_examples=40, deadline=None)
@given(st.text(min_size=1, max_size=80), st.integers(1, 12))
def test_a_disguise_is_of_the_same_make_and_never_taken(source_id: str, times: int) -> None:
    taken = {source_id}
    for _ in range(times):
        made = disguised(source_id, taken)
        assert made not in taken
        assert made == disguised(source_id, set(taken))
        taken.add(made)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_an_export_names_the_repeats_among_its_items(tmp_path: Path, form: str) -> None:
    with workspace(tmp_path) as store:
        filled(store, tmp_path)
        export_labels(store, tmp_path / f"before.{form}", format_name=form)
        made = make_dialogue_repeats(store, 0.5, 3)
        pairs = store.desk.repeats()
        assert set(made) == set(pairs)
        again = made[0]
        for item in (again, pairs[again]):
            responder = store.items.responders_of(item)[0]
            store.labels.append([Draft("lin", item, "turn:0", "accuracy", 4, responder=responder)])
        export_labels(store, tmp_path / f"after.{form}", format_name=form)
        beside = [json.loads((tmp_path / f"{n}.{form}.meta.json").read_text("utf-8")) for n in ("before", "after")]
        assert "repeats" not in beside[0]
        assert beside[1]["repeats"] == {again: pairs[again]}
