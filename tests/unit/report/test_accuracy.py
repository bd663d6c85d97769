"""Accuracy: the published aggregation, intervals over images, nothing that is no answer counted as one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.errors import WorldError
from annotator.report.accuracy import Outcomes, accuracies, avg, avg_c
from annotator.report.accuracy_printed import Printed, every, printed
from annotator.report.accuracy_rates import rates
from annotator.report.figures import Asked, Figure
from annotator.stats import clustered
from annotator.store import create_store
from annotator.workspace.figures_accuracy import accuracy_of
from annotator.workspace.importing import import_source
from tests.helpers.questions import answered, official, write_json, write_lines

PRINTED = [81.38, 44.81, 70.18, 37.30, 34.62]
COUNTS = [5740, 3738, 5433, 2196, 3660]


def test_the_two_means_of_the_paper() -> None:
    assert avg(PRINTED, COUNTS) == pytest.approx(58.96, abs=0.006)
    assert round(avg_c(PRINTED), 2) == 53.66


def test_figures_from_rows_are_those_means() -> None:
    rights = [round(share * count / 100) for share, count in zip(PRINTED, COUNTS, strict=True)]
    right = np.concatenate([np.r_[np.ones(k), np.zeros(n - k)] for k, n in zip(rights, COUNTS, strict=True)])
    domain = np.repeat(np.arange(5), COUNTS)
    made = accuracies(Outcomes(right, domain, domain, np.arange(right.size)), Asked(resamples=200))
    held = {f.name: f for f in made}
    assert round(100 * held["avg"].value, 2) == 58.96 and round(100 * held["avg_c"].value, 2) == 53.66
    assert held["accuracy"].value == held["avg"].value and held["avg"].n == sum(COUNTS)
    assert held["avg_c"].low < held["avg_c"].value < held["avg_c"].high


def test_within_one_domain_the_plain_mean_is_over_categories() -> None:
    right, category = np.array([1.0, 1, 0, 0, 0, 1]), np.array([0, 0, 1, 1, 1, 1])
    made = accuracies(Outcomes(right, np.zeros(6, dtype=int), category, np.arange(6)), Asked(resamples=50))
    assert {f.name: f.value for f in made} == {"accuracy": 0.5, "avg": 0.5, "avg_c": (1.0 + 0.25) / 2}


def test_intervals_are_those_of_resampled_images() -> None:
    rng = np.random.default_rng(7)
    cluster = rng.integers(0, 40, 300)
    right = (rng.random(300) < 0.3 + 0.4 * (cluster % 2)).astype(float)
    zeros = np.zeros(300, dtype=np.int64)
    mine = accuracies(Outcomes(right, zeros, zeros, cluster), Asked(resamples=500, seed=3))[0]
    theirs = clustered(lambda rows: float(right[rows].mean()), cluster, 500, 3)
    assert mine.value == pytest.approx(theirs.value)
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert mine.n_clusters == theirs.n_clusters == len(set(cluster.tolist()))


def test_few_images_give_no_interval_and_say_why() -> None:
    zeros = np.zeros(8, dtype=np.int64)
    figure = accuracies(Outcomes(np.ones(8), zeros, zeros, np.arange(8) % 3), Asked())[0]
    assert figure.value == 1.0 and figure.low is None and "fewer than" in (figure.why or "")


@pytest.fixture
def store(tmp_path: Path) -> Any:
    records = [official(n, key="ABCDE"[n % 5], Task="Perception" if n < 20 else "Reasoning") for n in range(30)]
    with create_store(tmp_path / "w", rater="lin") as opened:
        import_source(opened, write_json(tmp_path / "q.json", records))
        import_source(
            opened, write_lines(tmp_path / "good.jsonl", answered(records, [r["Ground truth"] for r in records]))
        )
        outputs = ["Failed to obtain answer via API.", "", None, *["Based on the image, A"] * 27]
        import_source(opened, write_lines(tmp_path / "bad.jsonl", answered(records, outputs)))
        yield opened


def one(figures: tuple[Figure, ...], name: str, **by: str) -> Figure:
    found = [f for f in figures if f.name == name and dict(f.by) == by]
    assert len(found) == 1, (name, by)
    return found[0]


def test_failed_and_blank_are_wrong_under_every_profile(store: Any) -> None:
    figures, _ = accuracy_of(store, Asked(by=("model", "profile"), resamples=50))
    assert one(figures, "accuracy", model="good", profile="official").value == 1.0
    # The official rule would read A out of the error message, whose key it is, and B out of "Based".
    assert one(figures, "accuracy", model="bad", profile="official").value == pytest.approx(5 / 30)
    assert one(figures, "accuracy", model="bad", profile="careful").value == pytest.approx(5 / 30)
    assert one(figures, "share_failed", model="bad", profile="careful").value == pytest.approx(1 / 30)
    assert one(figures, "share_blank", model="bad", profile="careful").value == pytest.approx(2 / 30)
    assert one(figures, "answered", model="bad", profile="careful").value == pytest.approx(27 / 30)


def test_the_fields_of_the_figures_are_those_asked_for(store: Any) -> None:
    figures, _ = accuracy_of(store, Asked(resamples=50))
    assert one(figures, "accuracy").n == 60
    by_task, _ = accuracy_of(store, Asked(by=("task",), resamples=50))
    assert one(by_task, "accuracy", task="Reasoning").n == 20 and {tuple(f.by) for f in by_task} == {("task",)}
    for field in ("domain", "category", "language", "split", "state", "key", "resolution", "share"):
        assert accuracy_of(store, Asked(by=(field,), resamples=20))[0]
    with pytest.raises(WorldError, match="cannot be grouped"):
        accuracy_of(store, Asked(by=("week",)))


def test_e_is_counted_beside_its_truth_and_wrong_choices_are_told(store: Any) -> None:
    figures, _ = accuracy_of(store, Asked(by=("model",), resamples=20))
    assert one(figures, "e_truth", model="good").value == pytest.approx(0.2)
    assert one(figures, "e_answered", model="bad").value == 0.0
    matrix = one(figures, "confusion", model="bad").value
    assert len(matrix) == 5 and all(len(row) == 6 for row in matrix)
    assert sum(map(sum, matrix)) == 30 and sum(row[0] for row in matrix) == 27 and sum(row[5] for row in matrix) == 3


def test_people_stand_beside_models_and_mended_keys_change_figures(store: Any, tmp_path: Path) -> None:
    heads = store.items.heads("question")
    lines = []
    for rater in ("lin", "mei"):
        for n, head in enumerate(heads[:10]):
            answer = "ABCDE"[n % 5] if n else "B"
            lines.append({"item": head.item_id, "target": "item", "field": "answer", "value": answer, "phase": "blind"})
            lines[-1]["rater"] = rater
        for field, value in (("key_verdict", "wrong"), ("key_letter", "B")):
            lines.append({"item": heads[0].item_id, "target": "item", "field": field, "value": value, "rater": rater})
    import_source(store, write_lines(tmp_path / "labels.jsonl", lines))
    figures, notes = accuracy_of(store, Asked(resamples=50))
    assert one(figures, "accuracy_people").value == pytest.approx(18 / 20) and one(figures, "accuracy_people").n == 20
    assert one(figures, "accuracy").value == pytest.approx((30 + 5) / 60)
    assert one(figures, "accuracy_mended").value == pytest.approx((29 + 5) / 60)
    assert notes == (
        "Keys that at least two people who agree, or an adjudication, call wrong: 1; the mended figures use the right "
        "ones.",
    )
    assert not [figure for figure in figures if figure.name.endswith("_proposed")]


def test_one_persons_word_on_a_key_is_proposed_and_an_adjudication_mends(store: Any, tmp_path: Path) -> None:
    heads = store.items.heads("question")

    def verdict(n: int, rater: str, phase: str = "open") -> list[dict[str, Any]]:
        about = {"item": heads[n].item_id, "target": "item", "rater": rater, "phase": phase}
        return [{**about, "field": "key_verdict", "value": "wrong"}, {**about, "field": "key_letter", "value": "B"}]

    import_source(store, write_lines(tmp_path / "one.jsonl", verdict(0, "lin")))
    figures, notes = accuracy_of(store, Asked(resamples=20))
    assert not [figure for figure in figures if figure.name.endswith("_mended")]
    assert one(figures, "accuracy_proposed").value == pytest.approx((29 + 5) / 60)
    assert notes == ("Keys that one person alone calls wrong: 1; only the proposed figures use these too.",)
    import_source(store, write_lines(tmp_path / "two.jsonl", verdict(5, "lin", "adjudicated")))
    figures, notes = accuracy_of(store, Asked(resamples=20))
    assert one(figures, "accuracy").value == pytest.approx((30 + 5) / 60)
    assert one(figures, "accuracy_mended").value == pytest.approx((29 + 4) / 60)  # here both models had said A
    assert one(figures, "accuracy_proposed").value == pytest.approx((28 + 4) / 60)
    assert len(notes) == 2


def test_letters_that_people_read_make_a_profile_of_their_own(store: Any, tmp_path: Path) -> None:
    head = store.items.heads("question")[3]
    line = {"item": head.item_id, "target": "item", "field": "letter:bad", "value": "D", "rater": "lin"}
    import_source(store, write_lines(tmp_path / "labels.jsonl", [line]))
    figures, _ = accuracy_of(store, Asked(by=("model", "profile"), resamples=20))
    assert one(figures, "accuracy", model="bad", profile="confirmed").value == pytest.approx(6 / 30)
    null = {**line, "value": None}
    import_source(store, write_lines(tmp_path / "labels.jsonl", [null]))
    figures, _ = accuracy_of(store, Asked(by=("model", "profile"), resamples=20))
    assert one(figures, "accuracy", model="bad", profile="confirmed").value == pytest.approx(5 / 30)


def test_a_part_alone_counts(store: Any) -> None:
    part = {"task": frozenset({"Reasoning"}), "model": frozenset({"bad"})}
    figures, _ = accuracy_of(store, Asked(resamples=20), part)
    assert one(figures, "accuracy").n == 10 and one(figures, "accuracy").value == pytest.approx(2 / 10)
    figures, _ = accuracy_of(store, Asked(by=("model",), resamples=20), {"profile": frozenset({"official"})})
    assert one(figures, "accuracy", model="bad").value == pytest.approx(5 / 30)
    heads = store.items.heads("question")
    only = frozenset(head.item_id for head in heads[:3])  # these failed or are blank
    figures, _ = accuracy_of(store, Asked(by=("model",), resamples=20), only=only)
    assert one(figures, "accuracy", model="bad").value == 0.0 and one(figures, "answered", model="bad").value == 0.0
    assert accuracy_of(store, Asked(resamples=20), only=frozenset())[0][0].value is None
    with pytest.raises(WorldError, match="cannot be grouped"):
        accuracy_of(store, Asked(), {"week": frozenset({"1"})})


def test_shares_have_the_intervals_of_resampled_images() -> None:
    rng = np.random.default_rng(5)
    cluster = rng.integers(0, 40, 300)
    mark = (rng.random(300) < 0.1 + 0.2 * (cluster % 3)).astype(float)
    halves = np.arange(300) % 2
    outcomes = Outcomes(np.zeros(300), halves, halves, cluster, {"half": (halves, ("even", "odd"))})
    for by, rows in (((), np.arange(300)), (("half",), np.flatnonzero(halves == 0))):
        mine = rates(outcomes, {"e_answered": mark, "answered": 1 - mark}, Asked(by=by, resamples=400, seed=3))
        theirs = clustered(lambda at, rows=rows: float(mark[rows][at].mean()), cluster[rows], 400, 3)
        assert mine[0].value == pytest.approx(theirs.value) and mine[0].n == rows.size
        assert (mine[0].low, mine[0].high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        assert mine[0].n_clusters == theirs.n_clusters == len(set(cluster[rows].tolist()))
        assert mine[1].value == pytest.approx(1 - theirs.value)


COLUMNS = {"Perception": COUNTS, "Reasoning": [500, 500, 498, 1334]}


@pytest.mark.parametrize("model", every(), ids=lambda model: model.name)
def test_every_printed_row_gives_its_own_means(model: Printed) -> None:
    for task, (mean, plain) in model.means.items():
        shares = [value for (of, _), value in model.domains.items() if of == task]
        assert avg(shares, COLUMNS[task]) == pytest.approx(mean, abs=1.1e-4)
        assert avg_c(shares) == pytest.approx(plain, abs=1.1e-4)


def test_models_of_the_paper_are_known_by_the_names_that_tools_give_them() -> None:
    for name in ("Qwen2-VL-7B-Instruct", "Qwen/Qwen2-VL-7B-Instruct", "qwen2_vl_7b"):
        assert printed(name, "avg_c", "Perception", None) == pytest.approx(0.5366)
    assert printed("GPT-4o-20240806", "accuracy", "Perception", "Monitoring") == pytest.approx(0.3393)
    assert printed("gpt4o-mini", "accuracy", "Reasoning", None) == pytest.approx(0.3248)
    assert printed("Qwen2-VL-72B", "avg", "Perception", None) is None
    assert printed("GPT-4o", "accuracy", "Reasoning", "Remote Sensing") is None


def test_the_printed_figure_stands_beside_ours(tmp_path: Path) -> None:
    records = [official(n, key="ABCDE"[n % 5], Task="Perception" if n < 20 else "Reasoning") for n in range(30)]
    with create_store(tmp_path / "w", rater="lin") as store:
        import_source(store, write_json(tmp_path / "q.json", records))
        lines = answered(records, [r["Ground truth"] for r in records])
        import_source(store, write_lines(tmp_path / "GPT-4o.jsonl", lines))
        figures, _ = accuracy_of(store, Asked(by=("model", "task"), resamples=20))
        assert one(figures, "accuracy", model="GPT-4o", task="Perception").more["printed"] == pytest.approx(0.4643)
        assert one(figures, "avg_c", model="GPT-4o", task="Reasoning").more["printed"] == pytest.approx(0.4228)
        figures, _ = accuracy_of(store, Asked(by=("task", "key"), resamples=20), {"model": frozenset({"GPT-4o"})})
        assert all("printed" not in figure.more for figure in figures)
