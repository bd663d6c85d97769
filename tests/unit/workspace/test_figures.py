"""Figures of small workspaces, worked out by hand, and equal to the library called directly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator import stats
from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.report.figures import SCALE, Asked
from annotator.store import Draft, Store
from annotator.workspace.figures import figures_of
from annotator.workspace.figures_items import items_behind
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, bring, judged, sample, video, workspace, write

MODEL = f"p::m::{TASK}"
DIALOGUES = 6
LI = (5, 4, 3, 2, 5, 1)
WU = (5, 3, 3, 2, 4, 3)
JUDGE = (5, 5, 4, 4, 5, 3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Six dialogues of two turns; `li` and `wu` scored the first turn's accuracy, the judge both turns'."""
    names = [f"d{k}" for k in range(DIALOGUES)]
    with workspace(tmp_path) as held:
        bring(held, write(tmp_path / "d.json", [video(name, 2) for name in names]))
        bring(held, write(tmp_path / "s.jsonl", [sample(name, "m", 2) for name in names]))
        rows = [
            judged(name, turn, judge="j", scores={"accuracy": {"score": JUDGE[k] - turn, "reason": ""}})
            for k, name in enumerate(names) for turn in (0, 1)
        ]  # fmt: skip
        rows.append(judged("d0", 0, judge="k", status="parse_error", scores={"accuracy": {"score": 1, "reason": ""}}))
        bring(held, write(tmp_path / "j.jsonl", rows))
        for rater, scores in (("li", LI), ("wu", WU)):
            held.labels.append([draft(held, rater, k, score) for k, score in enumerate(scores)])
        yield held


def draft(store: Store, rater: str, dialogue: int, value: Any, target: str = "turn:0", **more: Any) -> Draft:
    item = store.items.resolve(f"d{dialogue}")
    told = {"field": "accuracy", "responder": MODEL} | more
    return Draft(rater=rater, item_id=item, target=target, value=value, **told)


def ask(store: Store, subject: str, *by: str, **more: Any) -> dict[tuple[Any, ...], dict[str, Any]]:
    """(name, *values of by) -> figure."""
    told = figures_of(store, subject, Asked(by=by, resamples=200), **more).raw()
    found = {}
    for figure in told["figures"]:
        key = (figure["name"], *(str(value) for value in figure["by"].values()))
        assert key not in found
        found[key] = figure
    return found


def test_agreement_equals_the_library_on_the_same_arrays(store: Store) -> None:
    figures = ask(store, "agreement")
    assert figures["exact",]["value"] == pytest.approx(3 / 6)
    assert figures["within_1",]["value"] == pytest.approx(5 / 6)
    assert (figures["exact",]["n"], figures["exact",]["n_clusters"]) == (6, 6)
    items = [store.items.resolve(f"d{k}") for k in range(DIALOGUES)]
    table = np.array([LI, WU], dtype=float)
    how: dict[str, Any] = {"clusters": items, "resamples": 200, "seed": 0}
    for name, direct in {
        "alpha_ordinal": stats.alpha(table, "ordinal", SCALE, **how),
        "ac_quadratic": stats.ac(table, "quadratic", SCALE, **how),
        "icc_2_1": stats.icc(table, "2,1", **how),
    }.items():
        figure = figures[name,]
        assert [figure[part] for part in ("value", "low", "high")] == pytest.approx(
            [direct.value, direct.low, direct.high], abs=1e-12
        )
    kappa = stats.kappa(table[0], table[1], "quadratic", SCALE, **how)
    assert figures["kappa_quadratic", "['li', 'wu']"]["value"] == pytest.approx(kappa.value, abs=1e-12)


def test_conflict_and_stale_and_other_phases_are_no_judgement(store: Store) -> None:
    before = ask(store, "agreement")
    store.labels.append([draft(store, "li", 0, 1, phase="open"), draft(store, "li", 0, 1, phase="revised")])
    assert ask(store, "agreement") == before
    store.labels.append([draft(store, "li", 5, 2, parents=())])  # a second head: this rater's devices disagree
    told = figures_of(store, "agreement", Asked(resamples=20))
    exact = next(figure for figure in told.figures if figure.name == "exact")
    assert (exact.n, exact.value) == (5, pytest.approx(3 / 5))
    assert told.notes == ("1 labels are left out because devices of one rater disagree about them.",)
    store.labels.append([draft(store, "wu", 4, 5, judged="of another text", item_revision=1)])
    told = figures_of(store, "agreement", Asked(resamples=20))
    assert next(figure for figure in told.figures if figure.name == "exact").n == 4
    assert len(told.notes) == 2


def test_cannot_judge_is_missing_and_has_a_rate(store: Store) -> None:
    store.labels.append([draft(store, "wu", 0, "cannot_judge")])
    figures = ask(store, "agreement")
    assert figures["cannot_judge",]["value"] == pytest.approx(1 / 12)
    assert (figures["exact",]["n"], figures["exact",]["value"]) == (5, pytest.approx(2 / 5))


def test_a_rater_is_compared_with_the_others(store: Store) -> None:
    figures = ask(store, "agreement", "rater")
    gaps = np.subtract(LI, WU)
    assert figures["bias", "li"]["value"] == pytest.approx(gaps.mean())
    assert figures["bias", "wu"]["value"] == pytest.approx(-gaps.mean())
    assert figures["exact", "li"]["value"] == pytest.approx(0.5)
    assert figures["spread", "li"]["value"] == pytest.approx(np.std(LI, ddof=1))
    store.labels.append([draft(store, "zoe", 0, 3, target="turn:1")])
    alone = ask(store, "agreement", "rater")["bias", "zoe"]
    assert (alone["value"], alone["why"]) == (None, "undefined: nobody else scored these units")


def test_calibration_of_one_judge(store: Store) -> None:
    figures = ask(store, "calibration", "judge")
    judge = next(key[1] for key in figures if key[1].startswith("api::j"))
    human = (np.array(LI) + np.array(WU)) / 2
    assert figures["bias", judge]["value"] == pytest.approx((np.array(JUDGE) - human).mean())
    assert figures["mae", judge]["value"] == pytest.approx(np.abs(np.array(JUDGE) - human).mean())
    assert figures["exact", judge]["value"] == pytest.approx(np.mean(np.array(JUDGE) == np.minimum(LI, WU)))
    assert figures["ceiling_exact", judge]["value"] == pytest.approx(0.5)
    assert np.sum(figures["confusion", judge]["value"]) == pytest.approx(6)
    assert figures["confusion", judge]["value"][4][4] == 1  # judge 5, people's lower middle 5: once
    direct = stats.ppi_mean(
        human, JUDGE, np.array(JUDGE) - 1, clusters=list("abcdef"), clusters_rest=list("abcdef"), resamples=200
    )
    found = figures["ppi_mean", judge]
    assert [found[part] for part in ("value", "low", "high", "n_rest")] == pytest.approx(
        [direct.value, direct.low, direct.high, 6], abs=1e-12
    )


def test_failed_records_are_counted_and_are_no_scores(store: Store) -> None:
    told = figures_of(store, "calibration", Asked(by=("judge",), resamples=20)).raw()
    records = {judge.split("::")[1]: counts for judge, counts in told["judge_records"].items()}
    assert records == {"j": {"success": 12}, "k": {"parse_error": 1}}
    assert {figure["by"]["judge"].split("::")[1] for figure in told["figures"]} == {"j"}


def test_two_judges_are_compared_on_the_same_items(store: Store, tmp_path: Path) -> None:
    other = (4, 4, 4, 4, 4)  # d5 is not judged by it
    rows = [judged(f"d{k}", 0, judge="n", scores={"accuracy": {"score": s, "reason": ""}}) for k, s in enumerate(other)]
    bring(store, write(tmp_path / "n.jsonl", rows))
    figures = ask(store, "calibration", "judge")
    found = next(value for key, value in figures.items() if key[0] == "difference_bias")
    assert [name.split("::")[1] for name in found["judges"]] == ["j", "n"]
    assert found["value"] == pytest.approx(np.mean(JUDGE[:5]) - np.mean(other)) and found["n"] == 5
    assert found["low"] < found["value"] < found["high"]
    pooled = ask(store, "calibration")["bias",]
    assert pooled["n"] == 11 and len(pooled["judges"]) == 2
    means = ask(store, "retention", "judge")
    assert means["judge_keep_4", next(key[1] for key in means if "::n::" in key[1])]["n"] == 5


def test_longer_answers_and_lenient_scores(store: Store) -> None:
    item = store.items.resolve("d0")
    answer = store.items.responder(item, MODEL)
    assert answer is not None and answer.answers[0].text is not None
    figure = ask(store, "calibration")["pearson_length",]
    assert figure["value"] is None and figure["why"].startswith("undefined")  # every answer is equally long


def test_anchoring_is_how_far_people_moved_towards_the_judge(store: Store) -> None:
    assert not any(key[0] == "anchoring" for key in ask(store, "calibration"))
    revised = {0: 5, 1: 5, 3: 3, 5: "cannot_judge"}  # li said 5, 4, 2 and 1; the judge 5, 5, 4 and 3
    store.labels.append([draft(store, "li", k, value, phase="revised") for k, value in revised.items()])
    store.labels.append([draft(store, "zoe", 0, 1, phase="revised")])  # without a blind label before it
    figures = ask(store, "calibration")
    assert (figures["anchoring",]["value"], figures["anchoring",]["n"]) == (pytest.approx(2 / 3), 3)
    assert figures["anchored",]["value"] == pytest.approx(2 / 3)
    assert (figures["moved_toward",]["value"], figures["moved_away",]["value"]) == (pytest.approx(2 / 3), 0)
    assert figures["mean_human",]["value"] == pytest.approx((np.mean(LI) + np.mean(WU)) / 2)


def test_holm_over_the_dimensions(store: Store) -> None:
    for rater, scores in (("li", LI), ("wu", WU)):
        store.labels.append([draft(store, rater, k, score, field="relevance") for k, score in enumerate(scores)])
    figures = ask(store, "calibration", "dimension")
    bias = figures["bias", "accuracy"]
    assert bias["p"] is not None and bias["p_adjusted"] == pytest.approx(bias["p"])  # one dimension is judged
    by_hand = np.array(JUDGE) - (np.array(LI) + np.array(WU)) / 2
    from scipy.stats import ttest_1samp

    assert bias["p"] == pytest.approx(ttest_1samp(by_hand, 0).pvalue)


def test_every_field_can_be_asked_for(store: Store) -> None:
    expected = {
        "scenario": {"personal_living_space"}, "capability": {"counting"}, "modality": {"video"}, "language": {"en"},
        "model": {MODEL}, "source": {"d.json"}, "dimension": {"accuracy"}, "rater": {"li", "wu"},
    }  # fmt: skip
    for name, values in expected.items():
        figures = figures_of(store, "agreement", Asked(by=(name,), resamples=20)).figures
        assert {figure.by[name] for figure in figures} == values, name
    weeks = {figure.by["week"] for figure in figures_of(store, "agreement", Asked(by=("week",), resamples=20)).figures}
    assert len(weeks) == 1 and weeks.pop()[4:6] == "-W"


def test_the_same_seed_gives_the_same_numbers(store: Store) -> None:
    one, two = (figures_of(store, "calibration", Asked(seed=3, resamples=100)).raw()["figures"] for _ in range(2))
    assert one == two and any(figure["low"] is not None for figure in one)


def test_a_cancelled_calculation_stops(store: Store) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        figures_of(store, "agreement", Asked(token=token))


def test_unknown_fields_and_projects_are_told(store: Store) -> None:
    with pytest.raises(WorldError, match="colour"):
        figures_of(store, "agreement", Asked(by=("colour",)))
    with pytest.raises(WorldError, match="nobody"):
        figures_of(store, "agreement", Asked(), project="nobody")


def verdicts(store: Store, *said: tuple[str, int, str], phase: str = "blind") -> None:
    store.labels.append([
        draft(store, rater, k, value, target="item", field="verdict", responder=None, phase=phase)
        for rater, k, value in said
    ])  # fmt: skip


def test_retention_by_hand(store: Store) -> None:
    verdicts(
        store,
        ("li", 0, "keep"), ("wu", 0, "keep"),
        ("li", 1, "keep"), ("wu", 1, "reject"),
        ("li", 2, "reject"),
        ("li", 3, "keep"), ("wu", 3, "reject"),
    )  # fmt: skip
    verdicts(store, ("lead", 3, "revise"), phase="adjudicated")
    reason = draft(store, "li", 2, ["privacy"], target="item", field="verdict_reasons", responder=None)
    store.labels.append([reason])
    figures = ask(store, "retention")
    keep = figures["wilson_keep",]
    direct = stats.wilson(1, 3)
    assert [keep[part] for part in ("value", "low", "high", "n", "undecided")] == pytest.approx(
        [direct.value, direct.low, direct.high, 3, 1]
    )
    assert figures["wilson_keep_undecided_lost",]["value"] == pytest.approx(1 / 4)
    assert figures["wilson_keep_undecided_kept",]["value"] == pytest.approx(2 / 4)
    assert [figures[f"funnel_{name}",]["value"] for name in ("imported", "heard", "decided", "kept")] == [6, 4, 3, 1]
    assert figures["reason_privacy",]["value"] == pytest.approx(1 / 2)
    assert figures["verdict_exact",]["value"] == pytest.approx(1 / 3)
    # means of the judge by dialogue: 4.5 4.5 3.5 3.5 4.5 2.5
    assert figures["judge_keep_4",]["value"] == pytest.approx(3 / 6)
    assert figures["judge_keep_4",]["table"] == {
        "both_keep": 1, "saved_by_people": 0, "missed_by_judge": 0, "both_drop": 2
    }  # fmt: skip
    assert figures["judge_keep_3.5",]["table"]["missed_by_judge"] == 2
    assert figures["auc",]["value"] == 1.0
    assert figures["funnel_two_raters",]["value"] == 3
    assert items_behind(store, "retention", "funnel_two_raters", {}) == tuple(
        sorted(store.items.resolve(f"d{k}") for k in (0, 1, 3))
    )
    by_rater = ask(store, "retention", "rater")
    assert [by_rater["funnel_two_raters", rater]["value"] for rater in ("li", "wu")] == [3, 3]
    assert by_rater["wilson_keep", "wu"]["value"] == pytest.approx(1 / 3)
    assert by_rater["wilson_keep", "li"]["value"] == pytest.approx(3 / 4)


def test_media_are_complete_where_every_file_is_there_or_has_a_copy_bound(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        root, copy = tmp_path / "media", tmp_path / "copy.mp4"
        (root / "clips").mkdir(parents=True)
        (root / "clips" / "0.mp4").write_bytes(b"clip 0")
        copy.write_bytes(b"clip 1")
        bring(store, write(tmp_path / "d.json", [video("d0", 1), video("d1", 2), video("d2", 3)]), root)
        lacking = items_behind(store, "retention", "funnel_media_complete", {})
        assert lacking == (store.items.resolve("d0"),)
        entries = [{"path": f"clips/{k}.mp4", "source": "ask", "terms": "t"} for k in (1, 2)]
        bring(store, write(tmp_path / "m.json", entries))
        door = Workspace(store)
        door.bind_asset("clips/1.mp4", copy)
        told = ask(store, "retention")
        assert told["funnel_media_complete",]["value"] == 2
        assert told["funnel_imported",]["value"] == told["funnel_media_complete",]["n"] == 3
        door.assets.unbind("clips/1.mp4")
        assert ask(store, "retention")["funnel_media_complete",]["value"] == 1


def test_nothing_said_is_undefined_with_its_reason(tmp_path: Path) -> None:
    with workspace(tmp_path / "empty") as empty:
        for subject in ("agreement", "calibration", "retention", "effort"):
            for figure in figures_of(empty, subject, Asked(resamples=20)).raw()["figures"]:
                assert figure["value"] in (None, 0), figure
                assert figure["value"] is not None or figure["why"], figure
            assert figures_of(empty, subject, Asked(by=("scenario",), resamples=20)).figures == ()


def test_effort_counts_time_and_rushed_turns(store: Store) -> None:
    from annotator.domain.rubric import TURN_DIMENSIONS

    for k, (each_ms, value) in enumerate(((100, 4), (1_000, 4))):
        store.labels.append([
            draft(store, "ann", k, value, field=dimension, active_ms=each_ms) for dimension in TURN_DIMENSIONS
        ])  # fmt: skip
    figures = ask(store, "effort", "rater")
    assert figures["minutes", "ann"]["value"] == pytest.approx(8.8 / 60)
    assert figures["minutes_per_item", "ann"]["value"] == pytest.approx(4.4 / 60)
    assert (figures["rushed", "ann"]["value"], figures["rushed", "ann"]["n"]) == (0.5, 2)
    assert figures["labels_per_hour", "ann"]["value"] == pytest.approx(16 / (8.8 / 3600))
    assert figures["minutes_per_item", "li"]["why"] == "undefined: no working time is known"


def test_a_rater_is_held_against_the_own_score_of_the_same_content_in_another_item(tmp_path: Path) -> None:
    """Planted copies: d0 comes again as d3, d1 as d4; d2 differs by one word, and its copy is another dialogue."""
    with workspace(tmp_path) as held:
        made = [video(f"d{k}", 1) for k in range(6)]
        for k, dialogue in enumerate(made):
            dialogue["stream_conversation"]["conversations"][0]["text"] = f"question {k if k in (2, 5) else k % 3}"
        bring(held, write(tmp_path / "d.json", made))
        asked = [{**sample(f"d{k}", "m", 1)} for k in range(6)]
        for k, record in enumerate(asked):
            record["rounds"][0]["question_text"] = f"question {k if k in (2, 5) else k % 3}"
        bring(held, write(tmp_path / "s.jsonl", asked))
        for rater, scores in (("li", (5, 3, 4, 5, 1, 2)), ("wu", (4, 4, 4, 3, "cannot_judge", 4))):
            for k, score in enumerate(scores):
                held.labels.append([draft(held, rater, k, score, at=f"2026-03-0{k + 1}T10:00:00.000000Z")])
        figures = ask(held, "agreement")
        told = {name: figures[name,] for name in ("self_exact", "self_within_1", "self_ac_quadratic")}
        assert {(one["n"], one["n_clusters"]) for one in told.values()} == {(3, 2)}
        assert told["self_exact"]["value"] == pytest.approx(1 / 3)
        assert told["self_within_1"]["value"] == pytest.approx(2 / 3)
        first, again = np.array([5.0, 3.0, 4.0]), np.array([5.0, 1.0, 3.0])
        wanted = stats.ac(np.stack([first, again]), "quadratic", SCALE).value
        assert told["self_ac_quadratic"]["value"] == pytest.approx(wanted)
        by_rater = ask(held, "agreement", "rater")
        assert [by_rater["self_exact", rater]["value"] for rater in ("li", "wu")] == [0.5, 0.0]
        assert [by_rater["self_exact", rater]["n"] for rater in ("li", "wu")] == [2, 1]
        narrow = ask(held, "agreement", where={"rater": frozenset({"wu"})})
        assert narrow["self_exact",]["n"] == 1
        behind = items_behind(held, "agreement", "self_exact", {"rater": "li"})
        assert behind == tuple(sorted(held.items.resolve(name) for name in ("d0", "d1")))


def test_without_copies_there_is_no_self_agreement_and_it_says_why(tmp_path: Path) -> None:
    with workspace(tmp_path) as held:
        bring(held, write(tmp_path / "d.json", [video("d0", 2)]))
        bring(held, write(tmp_path / "s.jsonl", [sample("d0", "m", 2)]))
        held.labels.append([draft(held, "li", 0, 4), draft(held, "li", 0, 5, target="turn:1")])
        figure = ask(held, "agreement")["self_exact",]
        assert (figure["value"], figure["why"], figure["n"]) == (None, "undefined: nothing was shown twice", 0)
