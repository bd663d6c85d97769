"""Comparisons into the workspace, and what their source says of them as labels of that source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from annotator.domain.base import canonical_json
from annotator.domain.comparisons import SOURCE_RATER, SOURCE_RUBRIC, Comparison
from annotator.domain.ids import item_id
from annotator.domain.report import ReportLine
from annotator.importers.mmrlhf import ComparisonFound
from annotator.store import Draft, ImportWriter, Store
from annotator.store.codec import body_of
from annotator.workspace.intake import Run

_AT_A_TIME: Final = 100
_PHASE: Final = "source"
REPEAT: Final = "repeat"
# What a later record of the same responses may add to what is known of them.
_FACTS: Final = ("rank", "reason", "reward", "critic")


@dataclass(slots=True)
class ComparisonIntake:
    """Takes the comparisons of one import; the source's labels are said once the items are visible."""

    run: Run
    file: str = ""
    _seen: dict[str, tuple[bytes, int]] = field(default_factory=dict)
    _met: dict[str, None] = field(default_factory=dict)
    _new: set[str] = field(default_factory=set)

    def begin(self, file: str) -> None:
        """Another file begins: what is repeated in it is told of this file alone."""
        self.file, self._seen = file, {}

    def take(self, found: ComparisonFound) -> None:
        """Write one comparison, unless it is there as it is."""
        report = self.run.report
        comparison = self._apart(found)
        if comparison is None:
            return
        report.missing += found.missing
        report.score_values += sum(len(r.scores) for r in comparison.responses)
        self._count_media(comparison)
        self._met[comparison.item_id] = None
        known = self.run.writer.known_dialogue(comparison.item_id)
        if known is None:
            report.new += 1
            self._new.add(comparison.item_id)
            put_comparison(self.run.writer, comparison)
        elif known.content_hash == comparison.content_hash():
            report.unchanged += 1
            held = Comparison.model_validate(self.run.writer.body(comparison.item_id))
            better = merged(held, comparison)
            if better != held:
                put_comparison(self.run.writer, better.model_copy(update={"revision": known.revision}))
        else:
            report.revised += 1
            put_comparison(self.run.writer, comparison.model_copy(update={"revision": known.revision + 1}))

    def _apart(self, found: ComparisonFound) -> Comparison | None:
        """The comparison, as an item of its own where its id stood for another before; None for an exact repeat."""
        comparison = found.comparison
        first = self._seen.get(comparison.item_id)
        if first is None:
            self._seen[comparison.item_id] = (_told(comparison), found.record)
            return comparison
        if first[0] == _told(comparison):
            self._say("dup_exact", found, f'equals record {first[1]} with the id "{comparison.source_id}"; kept once')
            return None
        facts = comparison.model_dump(mode="json", exclude={"record", "media"}) | {
            "media": [a.raw for a in comparison.media]
        }
        why = f'other content under the id "{comparison.source_id}" of record {first[1]}; kept as an item of its own'
        self._say("dup_conflict", found, why)
        digest = item_id("comparison", str(facts))
        return comparison.model_copy(update={"item_id": item_id("comparison", comparison.item_id, digest)})

    def _say(self, code: str, found: ComparisonFound, reason: str) -> None:
        self.run.say(
            ReportLine(code=code, file=self.file, line=found.line, record=found.record, field="id", reason=reason)
        )

    def _count_media(self, comparison: Comparison) -> None:
        counts = self.run.report.assets
        for asset in comparison.media:
            name = "remote" if asset.status == "url" else asset.status
            setattr(counts, name, getattr(counts, name) + 1)

    def finish(self) -> None:
        """Count."""
        self.run.report.comparisons = len(self._met)

    def say_labels(self, told: Callable[[int, int], None] | None = None) -> None:
        """Say what the source says, where it is not said already; the items are visible by now.

        `told` hears how many items are through, and of how many. A stop in between leaves the items; the next import
        of the source says what is missing.
        """
        store, token = self.run.store, self.run.token
        met = list(self._met)
        for start in range(0, len(met), _AT_A_TIME):
            ids = met[start : start + _AT_A_TIME]
            if token is not None and token.cancelled:
                self.run.report.notes.append("Stopped before all of the source's labels were said: import once more.")
                return
            held = store.items.bodies_of(ids)
            store.many.append(
                [
                    draft
                    for one in ids
                    for draft in source_drafts(store, Comparison.model_validate(held[one]), known=one not in self._new)
                ]
            )
            if told is not None:
                told(start + len(ids), len(met))


def _told(comparison: Comparison) -> bytes:
    """A digest of all that one record says, wherever it stands and wherever its media are."""
    text = body_of(comparison.model_copy(update={"record": 0, "media": ()}))
    media = canonical_json([asset.raw for asset in comparison.media])
    return blake2b(f"{text}\n{media}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def put_comparison(writer: ImportWriter, comparison: Comparison) -> None:
    """Write one comparison at the revision that it carries."""
    clip = any(asset.role == "clip" for asset in comparison.media)
    writer.put_item(
        "comparison",
        comparison.item_id,
        comparison.source_id,
        body_of(comparison),
        revision=comparison.revision,
        title=" ".join(comparison.prompt.replace("<image>", " ").split())[:200],
        parts=len(comparison.responses),
        search=[comparison.prompt, *(r.text for r in comparison.responses)],
        digest=comparison.content_hash(),
        scenario=comparison.subset,
        modality="video" if clip else "image",
        categories=(comparison.form, *((REPEAT,) if comparison.repeat_of else ())),
        missing=sum(not asset.found for asset in comparison.media),
    )


def merged(held: Comparison, new: Comparison) -> Comparison:
    """What is known of unchanged content after another record of it: new facts added, none taken away."""
    responses = tuple(
        old.model_copy(
            update={
                "scores": {**old.scores, **fresh.scores},
                **{name: value for name in _FACTS if (value := getattr(fresh, name)) is not None},
                **({"origin": fresh.origin} if fresh.origin != "model" else {}),
            }
        )
        for old, fresh in zip(held.responses, new.responses, strict=True)
    )
    update: dict[str, Any] = {"responses": responses}
    if sum(a.found for a in new.media) > sum(a.found for a in held.media):
        update["media"] = new.media
    if new.ranking_reason:
        update["ranking_reason"] = new.ranking_reason
    if new.surplus_reasons:
        update["surplus_reasons"] = new.surplus_reasons
    if new.reference and not held.reference:
        update["reference"] = new.reference
    if responses != held.responses:  # the richer record is the one to give back
        update |= {"keys": new.keys, "kept": {**held.kept, **new.kept}}
    return held.model_copy(update=update)


def source_drafts(store: Store, comparison: Comparison, *, known: bool = True) -> Iterator[Draft]:
    """What the source says and is not said yet; with `known` false nothing can have been said."""
    said: dict[tuple[str, str], Any] = {}
    if known:
        labels = store.labels.current(item_id=comparison.item_id, rater=SOURCE_RATER, phase=_PHASE)
        said = {(c.current.key.target, c.current.key.field): c.current.value for c in labels if not c.stale}
    for target, name, value in comparison.source_labels():
        if said.get((target, name)) != value:
            yield Draft(SOURCE_RATER, comparison.item_id, target, name, value, phase=_PHASE, rubric=SOURCE_RUBRIC)


def comparisons_in(store: Store, *, repeats: bool = True) -> Iterator[Comparison]:
    """Every comparison of a workspace in order of import."""
    for _, body in store.items.bodies("comparison"):
        comparison = Comparison.model_validate(body)
        if repeats or comparison.repeat_of is None:
            yield comparison
