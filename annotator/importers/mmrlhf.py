"""Preference records: rows with several scored and ranked responses, and pairs in the shapes met in the wild.

Nothing is invented: a null score is missing, a ranking that cannot be read is none, and reasons stay where they stood.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.base import content_hash
from annotator.domain.comparisons import FEWEST, MOST, Comparison, Form, Response
from annotator.domain.comparisons_records import form_of, keeping
from annotator.domain.ids import item_id
from annotator.domain.items import Asset
from annotator.domain.report import ReportLine
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.importers.base import Context, Record, Sayings, kind_of, source_id, text_of
from annotator.importers.mmrlhf_fields import (
    listed,
    media_of,
    origin_of,
    plain,
    ranking_of,
    real,
    reasons_of,
    scores_of,
    subset_of,
)

LOST: Final = "comparison_lost"
_PAIR_KEYS: Final[dict[Form, tuple[str, str, str]]] = {
    "pairs": ("prompt", "chosen", "rejected"),
    "swift": ("question", "response", "rejected_response"),
    "uni-dpo": ("instruction", "chosen", "rejected"),
}


@dataclass(frozen=True, slots=True)
class ComparisonFound:
    """One comparison, where it stands, and how many scores its record leaves open."""

    comparison: Comparison
    record: int
    line: int | None
    missing: int = 0


@dataclass(slots=True)
class ComparisonReader:
    """Reads the records of one file."""

    context: Context
    notes: list[str] = field(default_factory=list)
    _nameless: int = 0

    def read(self, record: Record) -> Iterator[ComparisonFound | ReportLine]:
        """What one record holds, and what is to be said about it."""
        sayings = Sayings(self.context.file, record.record, record.line)
        form = form_of(record.value)
        if form is None:
            sayings.say(LOST, "neither responses with a ranking nor a pair of responses; the record is left out")
            found = None
        elif form == "mm-rlhf":
            found = self._ranked(record, sayings)
        else:
            found = self._pair(record, form, sayings)
        yield from sayings.lines
        if found is not None:
            yield found

    # ------------------------------------------------------------------------------------------------------ rankings
    def _ranked(self, record: Record, sayings: Sayings) -> ComparisonFound | None:
        value = record.value
        texts = listed(value["models_output"])
        if not isinstance(texts, list) or len(texts) < FEWEST:
            what = f"{len(texts)} responses" if isinstance(texts, list) else kind_of(texts)
            sayings.say(LOST, f"at least two responses are needed to compare, found {what}; left out", "models_output")
            return None
        named = source_id(record, "id", sayings)
        if named is None:
            return None
        count = len(texts)
        if count > MOST:
            sayings.say("response_count", f"{count} responses, where up to {MOST} are usual; all are kept")
        scores = {scale: scores_of(value.get(scale), count, scale, sayings) for scale in COMPARISON_SCALES}
        ranking = ranking_of(value.get("final_ranking"), count, "final_ranking", sayings)
        reasons, surplus = reasons_of(value.get("score_reasons"), count, "score_reasons", sayings)
        responses = tuple(
            Response(
                text=text_of(text, "models_output", sayings),
                origin=origin_of(reasons[place]),
                scores={scale: score for scale in COMPARISON_SCALES if (score := scores[scale][place]) is not None},
                rank=None if ranking is None else ranking[place],
                reason=reasons[place],
            )
            for place, text in enumerate(texts)
        )
        answer = value.get("answer")
        return self._found(
            record,
            Comparison(
                item_id=item_id("comparison", named, "ranked"),
                source_id=named,
                form="mm-rlhf",
                prompt=text_of(value.get("question"), "question", sayings),
                reference=None if answer is None else text_of(answer, "answer", sayings, blank=False),
                media=media_of(value, self.context, sayings),
                responses=responses,
                ranking_reason=_optional(value, "ranking_reason", sayings),
                surplus_reasons=surplus,
            ),
            missing=sum(score is None for held in scores.values() for score in held),
        )

    # --------------------------------------------------------------------------------------------------------- pairs
    def _pair(self, record: Record, form: Form, sayings: Sayings) -> ComparisonFound | None:
        value = record.value
        keys = _PAIR_KEYS[form]
        prompt, better, worse = (text_of(value.get(key), key, sayings) for key in keys)
        media = media_of(value, self.context, sayings)
        named = self._pair_id(record, form, prompt, media, sayings)
        if named is None:
            return None
        rewards, critics = listed(value.get("rewards")), listed(value.get("critic"))
        ranks = (1, 1) if value.get("is_tie") is True else (1, 2)
        responses = tuple(
            Response(
                text=text,
                rank=ranks[place],
                reason=_optional(value, ("chosen_reason", "rejected_reason")[place], sayings),
                reward=real(rewards[place]) if isinstance(rewards, list) and len(rewards) == 2 else None,
                critic=_entry(critics, place),
            )
            for place, text in enumerate((better, worse))
        )
        return self._found(
            record,
            Comparison(
                item_id=item_id("comparison", named, "pair", content_hash([prompt, better, worse])),
                source_id=named,
                form=form,
                prompt=prompt,
                media=media,
                responses=responses,
            ),
        )

    def _pair_id(
        self, record: Record, form: Form, prompt: str, media: tuple[Asset, ...], sayings: Sayings
    ) -> str | None:
        """The record's id; converted files have none, so their pairs share one by what was asked about what."""
        if form == "pairs" or "id" in record.value:
            return source_id(record, "id", sayings)
        if not self._nameless:
            self.notes.append(f"{self.context.file} has no ids: its pairs are named after their question and media.")
        self._nameless += 1
        return f"no-id-{content_hash([prompt, [asset.raw for asset in media]])[:12]}"

    def _found(self, record: Record, comparison: Comparison, missing: int = 0) -> ComparisonFound:
        placed = comparison.model_copy(
            update={"source": self.context.file, "record": record.record, "subset": subset_of(comparison.media)}
        )
        return ComparisonFound(keeping(placed, plain(record.value)), record.record, record.line, missing)


def _optional(value: dict[str, Any], name: str, sayings: Sayings) -> str | None:
    held = value.get(name)
    return None if held is None else text_of(held, name, sayings, blank=False)


def _entry(held: Any, place: int) -> str | None:
    if not isinstance(held, list) or len(held) != 2:
        return None
    return held[place] if isinstance(held[place], str) else None
