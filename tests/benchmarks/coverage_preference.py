"""How often the intervals of preference hold the true value, on studies whose preference model is known.

    python -m tests.benchmarks.coverage_preference [--studies 1000] [--write]

The truth of a predictor is what the predictor that a study ends up with, fitted to all its pairs, foretells in a
population of 100,000 dialogues; of strengths, what that population's wins and ties give. `--write` puts the table into
docs/statistics.md; the exit code is 1 if an interval covers less than 93 % or more than 97 %.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import numpy as np

from annotator import stats
from annotator.report.figures import Asked, Figure
from annotator.report.preference import POLICIES, strengths
from annotator.report.preference_prediction import SETS, fit, prediction
from tests.benchmarks.coverage_tally import BAND, HEAD, Tally
from tests.helpers.preferences import NAMES, Array, Ints, Study, World, ballots_of, draw, pairs_of

SEED = 20_260_104
PAGE = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"
POPULATION = World(dialogues=100_000, places=1, raters=16)
MARK = "coverage of preference"
NAMED = {"accuracy": "accuracy alone", "twelve": "twelve dimensions"}
TIES = {"half": "ties half", "drop": "ties left out", "loss": "ties wrong"}


class Population:
    """Everybody there is: what a guess at each pair earns on average, and how strong responders are."""

    def __init__(self, world: World = POPULATION, seed: int = SEED - 1) -> None:
        """Draw it; each pair is judged by many raters, so that chance has little to say."""
        whole = draw(world, np.random.default_rng(seed))
        self.gaps = pairs_of(Study(whole.scores, whole.ranks[:1], whole.dialogue)).gaps.astype(np.float32)
        first, second = np.triu_indices(len(NAMES), 1)
        truth = np.sign(whole.ranks[:, :, second] - whole.ranks[:, :, first])
        self.chance = {sign: (truth == sign).mean(axis=0).ravel() for sign in (-1, 0, 1)}
        wins, ties = np.zeros((len(NAMES), len(NAMES))), np.zeros((len(NAMES), len(NAMES)))
        for at, (i, j) in enumerate(zip(first, second, strict=True)):
            wins[i, j], wins[j, i] = (truth[:, :, at] > 0).sum(), (truth[:, :, at] < 0).sum()
            ties[i, j] = ties[j, i] = (truth[:, :, at] == 0).sum()
        self.strengths = stats.davidson(wins, ties).value

    def accuracies(self, gaps: Array, truth: Ints, columns: tuple[int, ...]) -> dict[str, float]:
        """By policy: how often the predictor that is learnt from these pairs is right here."""
        learn = truth != 0
        spread = np.sqrt((gaps[learn][:, columns] ** 2).mean(axis=0))
        weights = fit(gaps[learn][:, columns] / spread, truth[learn].astype(np.float64))
        said = self.gaps[:, columns] @ (weights / spread).astype(np.float32)
        guess = np.where(np.abs(said) < 1e-6, 0, np.sign(said))
        right = np.where(guess > 0, self.chance[1], self.chance[-1])
        tie, sure = self.chance[0], guess != 0
        return {
            "half": float(np.where(sure, right + tie / 2, 0.5).mean()),
            "drop": float(right[sure].sum() / (1 - tie[sure]).sum()),
            "loss": float(np.where(sure, right, 0.0).mean()),
        }

    def truths(self, study: Study) -> dict[str, float]:
        """The true value of every figure under study, by the figure's name."""
        pairs = pairs_of(study)
        found: dict[str, float] = {}
        for which, columns in SETS.items():
            for policy, value in self.accuracies(pairs.gaps, pairs.truth, columns).items():
                found[f"prediction_{which}_{policy}"] = value
        found["prediction_gain"] = found["prediction_twelve_half"] - found["prediction_accuracy_half"]
        return found


def figures(study: Study, seed: int, resamples: int) -> dict[str, Figure]:
    """What the program says of a study."""
    ballots = ballots_of(study)
    asked = Asked(seed=seed, resamples=resamples)
    return {one.name: one for one in (*prediction(ballots, {}, asked), *strengths(ballots, {}, asked))}


def study_all(studies: int, seed: int = SEED, resamples: int = 2_000) -> tuple[dict[str, Tally], int]:
    """(tallies by name, how often the better predictor's interval lies above the worse one's figure)."""
    population, world = Population(), World()
    tallies: dict[str, Tally] = defaultdict(Tally)
    apart = 0
    for number in range(studies):
        study = draw(world, np.random.default_rng([seed, number]))
        made = figures(study, number, resamples)
        for name, true in population.truths(study).items():
            tallies[name].add(made[name], true)
        strength = made["davidson"]
        assert isinstance(population.strengths, tuple) and strength.low is not None
        for at, (name, true) in enumerate(zip(NAMES, population.strengths, strict=True)):
            one = Figure("", {}, strength.value[at], low=strength.low[at], high=strength.high[at])
            tallies[f"strength of {name}"].add(one, true)
        apart += made["prediction_twelve_half"].low > made["prediction_accuracy_half"].value
    return dict(tallies), apart


def shown(name: str) -> str:
    """A figure's name as the table has it."""
    parts = name.split("_")
    if name == "prediction_gain":
        return "twelve less one, ties half"
    return f"{NAMED[parts[1]]}, {TIES[parts[2]]}" if parts[0] == "prediction" else name


def lines_of(studies: int, tallies: dict[str, Tally], apart: int) -> list[str]:
    """The table, with what it was made from."""
    said = ", ".join(f"{f.name.replace('_', ' ')} {getattr(World(), f.name):g}" for f in fields(World))
    head = (
        f"Preference: {studies:,} studies of three responders, seed {SEED}, 95 % intervals, 2,000 resamples. {said}. "
        f"Truth: a population of {POPULATION.dialogues:,} dialogues, each ranked by {POPULATION.raters}."
    )
    foot = (
        f"The twelve dimensions' interval lies above accuracy's own figure in {apart / studies:.1%} of these studies."
    )
    return [head, "", HEAD, *(tally.row(shown(name)) for name, tally in tallies.items()), "", foot]


def run(studies: int, *, write: bool) -> list[str]:
    """Print the table and, if wanted, write it down; returns what covers too little or too much."""
    assert set(POLICIES) == set(TIES)
    tallies, apart = study_all(studies)
    lines = lines_of(studies, tallies, apart)
    print("\n".join(lines))
    if write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition(f"<!-- {MARK} -->")
        after = rest.partition(f"<!-- /{MARK} -->")[2]
        text = f"{before}<!-- {MARK} -->\n" + "\n".join(lines) + f"\n<!-- /{MARK} -->{after}"
        PAGE.write_text(text, encoding="utf-8")
    return [
        f"{shown(name)} covers {tally.held / tally.made:.1%}, which was not to be"
        for name, tally in tallies.items()
        if not BAND[0] <= tally.held / tally.made <= BAND[1]
    ]


def main() -> int:
    """The command."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--studies", type=int, default=1_000, help="simulated studies")
    words.add_argument("--write", action="store_true", help="put the table into docs/statistics.md")
    asked = words.parse_args()
    started = time.process_time()
    wrong = run(asked.studies, write=asked.write)
    print(f"\n{time.process_time() - started:.0f} s of CPU time")
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
