"""How many candidates survive the audit: verdicts of dialogues, their rate, and what a judge would have kept.

A dialogue's verdict is the adjudicated one, else what more than half of the blind verdicts say; one verdict decides;
without a majority it is undecided, never guessed. The rate is keep / (keep + revise + reject).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, Final

import numpy as np

from annotator import stats
from annotator.domain.labels import VERDICT_REASONS, VERDICTS
from annotator.report.figures import Asked, Figure, of_result

KEEP: Final = "keep"
UNDECIDED: Final = "undecided"
THRESHOLDS: Final = tuple(number / 4 for number in range(4, 21))
"""Mean judge scores from which a dialogue would be kept, 1 to 5."""
CODES: Final = {verdict: float(place) for place, verdict in enumerate(VERDICTS, 1)}
NOTHING: Final = "undefined: no dialogue has a verdict that decides"
NOT_JUDGED: Final = "undefined: no dialogue was scored by a judge"


@dataclass(frozen=True)
class Candidate:
    """One dialogue with what was said of it.

    Attributes:
        fields: name -> the dialogue's values of it (several where it probes several things).
        blind: rater -> verdict; adjudicated: the final verdicts.
        reasons: (rater or "" for the adjudication) -> reason codes.
        weeks: rater or "" -> the week of that verdict.
        judged: the mean of its judge scores, None where no judge scored it; judged_by: judge -> the mean of its own.
        complete: whether every file that it names is there.
        voices: how many people gave a blind verdict, whichever of them are looked at.
    """

    item_id: str
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    blind: Mapping[str, str] = field(default_factory=dict)
    adjudicated: tuple[str, ...] = ()
    reasons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weeks: Mapping[str, str] = field(default_factory=dict)
    judged: float | None = None
    judged_by: Mapping[str, float] = field(default_factory=dict)
    complete: bool = True
    voices: int = 0

    def of_raters(self, raters: Collection[str]) -> Candidate:
        """As some raters alone see it."""
        kept = {name: verdict for name, verdict in self.blind.items() if name in raters}
        return replace(self, blind=kept, adjudicated=())

    def of_judge(self, judge: str) -> Candidate:
        """With the scores of one judge alone."""
        return replace(self, judged=self.judged_by.get(judge))

    def verdict(self) -> str | None:
        """keep, revise, reject or undecided; None where nobody gave a verdict."""
        if self.adjudicated:
            return self.adjudicated[0] if len(set(self.adjudicated)) == 1 else UNDECIDED
        if not self.blind:
            return None
        verdict, votes = Counter(self.blind.values()).most_common(1)[0]
        return verdict if 2 * votes > len(self.blind) else UNDECIDED

    @property
    def by_two(self) -> bool:
        """Whether two people or more gave it a blind verdict, one of those that are looked at among them."""
        return bool(self.blind) and max(self.voices, len(self.blind)) > 1

    def week(self) -> str | None:
        """The week of the last verdict that counts."""
        counted = [""] if self.adjudicated else list(self.blind)
        return max((self.weeks[name] for name in counted if name in self.weeks), default=None)

    def why_not(self) -> frozenset[str]:
        """The reason codes of those whose verdict is the dialogue's; only where it is not kept."""
        verdict = self.verdict()
        if verdict in (None, KEEP, UNDECIDED):
            return frozenset()
        said = [""] if self.adjudicated else [rater for rater, own in self.blind.items() if own == verdict]
        return frozenset(reason for name in said for reason in self.reasons.get(name, ()))


def retention(candidates: Sequence[Candidate], asked: Asked) -> list[Figure]:
    """Every figure of retention for each combination of the fields."""
    found = list(groups_of(candidates, asked.by))
    figures: list[Figure] = []
    for done, (by, members) in enumerate(found):
        asked.tell(done, len(found))
        figures += _of_group(members, by, asked)
    return figures


def groups_of(candidates: Sequence[Candidate], by: Sequence[str]) -> Iterator[tuple[dict[str, str], list[Candidate]]]:
    """Raters and judges are seen one at a time, each with all candidates; other fields part the candidates."""
    raters = sorted({rater for one in candidates for rater in one.blind}) if "rater" in by else [""]
    judges = sorted({judge for one in candidates for judge in one.judged_by}) if "judge" in by else [""]
    for rater, judge in product(raters, judges):
        seen = [one.of_raters((rater,)) for one in candidates] if rater else candidates
        seen = [one.of_judge(judge) for one in seen] if judge else seen
        members: dict[tuple[str, ...], list[Candidate]] = {} if by else {(): []}
        for one in seen:
            for combination in product(*(_values(one, name, rater, judge) for name in by)):
                members.setdefault(combination, []).append(one)
        for combination in sorted(members):
            yield dict(zip(by, combination, strict=True)), members[combination]


def _values(one: Candidate, name: str, rater: str, judge: str) -> tuple[str, ...]:
    if name in ("rater", "judge"):
        return (rater if name == "rater" else judge,)
    if name == "week":
        week = one.week()
        return () if week is None else (week,)
    return one.fields[name]


def _of_group(members: Sequence[Candidate], by: Mapping[str, Any], asked: Asked) -> list[Figure]:
    verdicts = [one.verdict() for one in members]
    count = Counter(verdict for verdict in verdicts if verdict is not None)
    undecided = count.pop(UNDECIDED, 0)
    decided, heard = sum(count.values()), sum(count.values()) + undecided
    figures = [_rate("wilson_keep", by, count[KEEP], decided, undecided=undecided, counts=dict(count))]
    figures.append(_rate("wilson_keep_undecided_lost", by, count[KEEP], heard))
    figures.append(_rate("wilson_keep_undecided_kept", by, count[KEEP] + undecided, heard))
    figures += [_rate(f"wilson_{name}", by, count[name], decided) for name in VERDICTS if name != KEEP]
    stages = (
        ("imported", len(members)), ("media_complete", sum(one.complete for one in members)), ("heard", heard),
        ("two_raters", sum(one.by_two for one in members)), ("decided", decided), ("kept", count[KEEP]),
    )  # fmt: skip
    figures += [Figure(f"funnel_{name}", by, number, n=len(members)) for name, number in stages]
    lost = [one.why_not() for one, verdict in zip(members, verdicts, strict=True) if verdict in ("revise", "reject")]
    for reason in VERDICT_REASONS:
        figures.append(_rate(f"reason_{reason}", by, sum(reason in said for said in lost), len(lost)))
    figures += _agreement(members, by, asked)
    return [*figures, *_judged(members, by, asked)]


def _rate(name: str, by: Mapping[str, Any], k: int, n: int, **more: Any) -> Figure:
    result = stats.wilson(k, n)
    figure = of_result(name, by, result, k=k, **more)
    if result.value is None:
        why = NOTHING if not name.startswith("reason") else "undefined: no dialogue was sent back or rejected"
        return Figure(name, by, None, why, n=0, n_clusters=0, more=figure.more)
    return Figure(name, by, figure.value, None, figure.low, figure.high, n, n, figure.more)


def _agreement(members: Sequence[Candidate], by: Mapping[str, Any], asked: Asked) -> Iterator[Figure]:
    """Do people agree on the verdict: a nominal scale of three, one unit per dialogue."""
    raters = sorted({rater for one in members for rater in one.blind})
    scores = np.full((len(raters), len(members)), np.nan)
    for place, one in enumerate(members):
        for rater, verdict in one.blind.items():
            scores[raters.index(rater), place] = CODES[verdict]
    how = {"clusters": np.arange(len(members))} | asked.how()
    scale = tuple(CODES.values())
    yield of_result("verdict_exact", by, stats.exact(scores, **how))
    yield of_result("verdict_alpha_nominal", by, stats.alpha(scores, "nominal", scale, **how))
    yield of_result("verdict_ac", by, stats.ac(scores, None, scale, **how))


def scored_of(members: Sequence[Candidate]) -> list[tuple[float, str | None]]:
    """(judge's mean, people's verdict) of those that a judge scored."""
    return [(one.judged, one.verdict()) for one in members if one.judged is not None]


def at_threshold(
    scored: Sequence[tuple[float, str | None]], threshold: float, by: Mapping[str, Any]
) -> tuple[Figure, Figure]:
    """What a threshold on the judge's mean would keep, and the true rate that this tells of.

    The first, `judge_keep_<t>`, is the share at or above it among all that the judge scored, Wilson's interval as its
    band, with people's verdicts against it (`table`) and McNemar's exact p. The second, `rogan_gladen_<t>`, corrects
    that share by how often the judge keeps what people kept (sensitivity) and drops what they did not (specificity).
    """
    cells = Counter((verdict == KEEP, score >= threshold) for score, verdict in scored if verdict in VERDICTS)
    table = {
        "both_keep": cells[True, True],
        "saved_by_people": cells[True, False],
        "missed_by_judge": cells[False, True],
        "both_drop": cells[False, False],
    }
    kept = sum(score >= threshold for score, _ in scored)
    tested = stats.mcnemar_exact(table["saved_by_people"], table["missed_by_judge"])
    more = {"threshold": threshold, "table": table, "mcnemar_p": tested.value}
    result = stats.wilson(kept, len(scored))
    why = result.why and NOT_JUDGED
    figure = of_result(f"judge_keep_{threshold:g}", by, result, k=kept, **more)
    kept_figure = Figure(
        figure.name, by, figure.value, why, figure.low, figure.high, figure.n, len(scored), figure.more
    )
    tp, fn, fp, tn = (table[name] for name in ("both_keep", "saved_by_people", "missed_by_judge", "both_drop"))
    true = stats.rogan_gladen(kept, len(scored), tp, fn, tn, fp)
    judged = {"threshold": threshold, "sensitivity": true.sensitivity, "specificity": true.specificity}
    corrected = of_result(f"rogan_gladen_{threshold:g}", by, true, decided=sum(table.values()), **judged)
    told = NOT_JUDGED if not scored else _in_words(true.why)
    return kept_figure, Figure(
        corrected.name,
        by,
        corrected.value,
        told,
        corrected.low,
        corrected.high,
        len(scored),
        len(scored),
        corrected.more,
    )


def _in_words(why: str | None) -> str | None:
    """What a test of positives and negatives lacks, said of dialogues."""
    for part, said in (("no positive", "undefined: people kept no dialogue that the judge scored"),
                       ("no negative", "undefined: people kept every dialogue that the judge scored")):  # fmt: skip
        if why is not None and part in why:
            return said
    return why


def _judged(members: Sequence[Candidate], by: Mapping[str, Any], asked: Asked) -> Iterator[Figure]:
    """What thresholds would keep, against what people kept: the what-if, its 2x2 table, and the corrected rate."""
    scored = scored_of(members)
    made = [at_threshold(scored, threshold, by) for threshold in THRESHOLDS]
    yield from (kept for kept, _ in made)
    yield from (true for _, true in made)
    both = [(score, float(verdict == KEEP)) for score, verdict in scored if verdict in VERDICTS]
    pairs = np.array(both, dtype=np.float64).reshape(-1, 2)
    found = stats.auc(pairs[:, 0], pairs[:, 1], clusters=np.arange(len(pairs)), **asked.how())
    yield of_result("auc", by, found)
