"""Comparisons as records of the shapes that others use: rows with rankings, pairs of a better and a worse response.

A record that was read and one that is written meet here: what the fields of a `Comparison` do not give back exactly is
kept beside them when it is read, and put back where the source's own labels are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from annotator.domain.comparisons import Comparison, Form, pairs_of, with_example
from annotator.domain.comparisons_sheet import ComparisonSheet
from annotator.domain.rubric import CANNOT_JUDGE, COMPARISON_SCALES

Raw = dict[str, Any]
_OF_RESULTS: Final = ("rewards", "critic")
_OF_PAIRS: Final = ("is_tie",)


@dataclass(frozen=True, slots=True)
class Saying:
    """Somebody's scores, ranks and reasons of all responses, an example constructed for a full tie among the latter.

    Attributes:
        texts: the responses, the constructed one last.
        scores: one mapping for each response; what was not scored, or could not be, is not in it.
        ranking: None where nobody ranked; reasons: None where nobody said one.
        own: the source's own saying, whose record is given back as it was.
    """

    texts: tuple[str, ...]
    scores: tuple[Mapping[str, int], ...]
    ranking: tuple[int, ...] | None
    reasons: tuple[str | None, ...]
    ranking_reason: str | None = None
    own: bool = False

    @classmethod
    def of_source(cls, comparison: Comparison) -> Saying:
        """What the source says."""
        ranking = comparison.source_ranking()
        return cls(
            texts=tuple(r.text for r in comparison.responses),
            scores=tuple(r.scores for r in comparison.responses),
            ranking=None if ranking is None else tuple(ranking),
            reasons=tuple(r.reason for r in comparison.responses),
            ranking_reason=comparison.ranking_reason,
            own=True,
        )

    @classmethod
    def of_sheet(cls, comparison: Comparison, sheet: ComparisonSheet) -> Saying:
        """What a person says; a label that fell out of date does not count."""

        def value(target: str, name: str) -> Any:
            cell = sheet.cell(target, name)
            return None if cell.stale else cell.value

        texts = [r.text for r in comparison.responses]
        places = range(len(texts))
        scores: list[Mapping[str, int]] = [
            {s: v for s in COMPARISON_SCALES if (v := value(f"response:{k}", s)) not in (None, CANNOT_JUDGE)}
            for k in places
        ]
        reasons: list[str | None] = [value(f"response:{k}", "note") for k in places]
        ranking = None if sheet.cell("item", "ranking").stale else sheet.ranking
        example = sheet.example
        if ranking is not None and example is not None and len(set(ranking)) == 1:
            texts.append(example.text)
            scores.append({})
            reasons.append(f"{example.kind.capitalize()} sample")
            ranking = with_example(ranking, example.kind)
        return cls(
            tuple(texts),
            tuple(scores),
            None if ranking is None else tuple(ranking),
            tuple(reasons),
            value("item", "ranking_reason"),
        )

    @property
    def empty(self) -> bool:
        """Whether nothing at all is said."""
        return self.ranking is None and not any(self.scores)


# ------------------------------------------------------------------------------------------------------- own records
def _media(comparison: Comparison) -> Raw:
    """Images and folders of frames under their keys; one alone as a text, several as a list."""
    found: Raw = {}
    for name, clip in (("image", False), ("video", True)):
        raws = [a.raw for a in comparison.media if (a.role == "clip") == clip]
        if raws:
            found[name] = raws[0] if len(raws) == 1 else raws
    return found


def ranked_record(comparison: Comparison, saying: Saying) -> Raw:
    """A row with all responses, scores by scale, ranks and reasons."""
    surplus = comparison.surplus_reasons if saying.own else ()
    return {
        "id": comparison.source_id,
        "question": comparison.prompt,
        "answer": comparison.reference,
        **_media(comparison),
        "models_output": list(saying.texts),
        **{scale: [scores.get(scale) for scores in saying.scores] for scale in COMPARISON_SCALES},
        "final_ranking": None if saying.ranking is None else list(saying.ranking),
        "score_reasons": [*(reason or "" for reason in saying.reasons), *surplus],
        "ranking_reason": saying.ranking_reason or "",
    }


def _pair_record(comparison: Comparison, saying: Saying, better: int, worse: int) -> Raw:
    pair = (better, worse)
    reasons = [saying.reasons[k] for k in pair]
    record: Raw = {
        "id": comparison.source_id,
        "prompt": comparison.prompt,
        "chosen": saying.texts[better],
        "rejected": saying.texts[worse],
    }
    if any(reason is not None for reason in reasons):
        record |= {"chosen_reason": reasons[0] or "", "rejected_reason": reasons[1] or ""}
    record |= _media(comparison)
    if saying.own:
        rewards = [comparison.responses[k].reward for k in pair]
        critics = [comparison.responses[k].critic for k in pair]
        if None not in rewards:
            record["rewards"] = rewards
        if None not in critics:
            record["critic"] = critics
    return record


def own_record(comparison: Comparison) -> Raw:
    """The record of the shape it came in, as far as the fields give it."""
    saying = Saying.of_source(comparison)
    if comparison.form == "pairs":
        return _pair_record(comparison, saying, 0, 1)
    if comparison.form == "swift":
        first, second = saying.texts
        return {
            **_media(comparison), "question": comparison.prompt, "response": first, "rejected_response": second,
        }  # fmt: skip
    if comparison.form == "uni-dpo":
        first, second = saying.texts
        record: Raw = {"instruction": comparison.prompt, "chosen": first, "rejected": second}
        return record | {f"{name}s": [raw] if isinstance(raw, str) else raw for name, raw in _media(comparison).items()}
    return ranked_record(comparison, saying)


def keeping(comparison: Comparison, raw: Mapping[str, Any]) -> Comparison:
    """The comparison with what its fields do not give back of the record `raw` that it was read from."""
    own = own_record(comparison)
    kept = {key: value for key, value in raw.items() if key not in own or not _equal(own[key], value)}
    keys = () if list(raw) == list(own) else tuple(raw)
    return comparison.model_copy(update={"keys": keys, "kept": kept})


def restored(comparison: Comparison) -> Raw:
    """The record that the comparison was read from."""
    own = own_record(comparison)
    return {key: comparison.kept.get(key, own.get(key)) for key in comparison.keys or own}


def _equal(one: Any, two: Any) -> bool:
    """Whether two JSON values are written the same: 1, 1.0 and true are three values, and the order of keys counts."""
    if type(one) is not type(two):
        return False
    if type(one) is list:
        return len(one) == len(two) and all(map(_equal, one, two))
    if type(one) is dict:
        return list(one) == list(two) and all(map(_equal, one.values(), two.values()))
    return repr(one) == repr(two) if type(one) is float else bool(one == two)


# ----------------------------------------------------------------------------------------------------------- exports
def as_ranked(comparison: Comparison, saying: Saying) -> Iterable[Raw]:
    """The one row of a comparison, its source's own record where that is what is said; none where nothing is said."""
    if saying.own and comparison.form == "mm-rlhf":
        yield restored(comparison)
    elif not saying.empty:
        yield _marked(comparison, ranked_record(comparison, saying))


def as_pairs(comparison: Comparison, saying: Saying) -> Iterable[Raw]:
    """A line for every pair of different rank, none for ties; ranks given by nobody give none."""
    for better, worse in pairs_of(saying.ranking or ()):
        if saying.own and comparison.form == "pairs":
            record = _without(restored(comparison), _OF_RESULTS)
        else:
            record = _without(_pair_record(comparison, saying, better, worse), _OF_RESULTS)
            if "chosen_reason" in record:
                record["is_tie"] = False
        yield _marked(comparison, record)


def as_bench(comparison: Comparison, saying: Saying) -> Iterable[Raw]:
    """The same pairs in the shape of a benchmark of reward models: always with reasons, and rewards where known."""
    for better, worse in pairs_of(saying.ranking or ()):
        if saying.own and comparison.form == "pairs" and "chosen_reason" in restored(comparison):
            record = _without(restored(comparison), _OF_PAIRS)
        else:
            given = tuple(reason or "" for reason in saying.reasons)
            record = _pair_record(comparison, replace(saying, reasons=given), better, worse)
        yield _marked(comparison, record)


def _without(record: Raw, keys: Iterable[str]) -> Raw:
    return {key: value for key, value in record.items() if key not in keys}


def _marked(comparison: Comparison, record: Raw) -> Raw:
    return {**record, "evaluation_only": True} if comparison.evaluation_only else record


def form_of(value: Mapping[str, Any]) -> Form | None:
    """Which shape a record has, by the keys that only such records have."""
    if "models_output" in value:
        return "mm-rlhf"
    if "rejected_response" in value and "response" in value:
        return "swift"
    if "chosen" in value and "rejected" in value:
        if "prompt" in value:
            return "pairs"
        if "instruction" in value:
            return "uni-dpo"
    return None
