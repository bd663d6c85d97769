"""Models' answers into the workspace: joined to their dialogue in any order, merged over files, never overwritten."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import Final

from annotator.domain.base import content_hash
from annotator.domain.ids import item_id
from annotator.domain.items import Answer, Dialogue, Modality, Responder, Turn
from annotator.domain.report import Problem, ReportLine
from annotator.importers.samples import SampleFound
from annotator.workspace.intake import Run, problem_id, with_found_media
from annotator.workspace.intake_dialogues import rebased

_BATCH: Final = 64
_HELD_CHARACTERS: Final = 16_000_000


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is needed of a dialogue to compare a sample with it: hashes of its texts, and whether it is a sample's."""

    texts: tuple[tuple[int, int], ...]
    from_answers: bool

    @classmethod
    def of(cls, dialogue: Dialogue) -> _Shape:
        return cls(tuple((_hash(t.question), _hash(t.reference)) for t in dialogue.turns), dialogue.from_answers)

    def differs(self, seen: dict[int, Turn]) -> bool:
        """Whether a model saw other texts, or rounds that the dialogue has not."""
        for index, turn in seen.items():
            if index >= len(self.texts):
                return True
            for mine, theirs in zip((turn.question, turn.reference), self.texts[index], strict=True):
                if mine.strip() and _hash(mine) != theirs:
                    return True
        return False


def _hash(text: str) -> int:
    return hash(text.strip())


@dataclass(slots=True)
class SampleIntake:
    """Takes the answers of sample and round files; call `finish` at the end of each file."""

    run: Run
    file: str = ""
    _shapes: dict[str, _Shape] = field(default_factory=dict)
    _batch: list[SampleFound] = field(default_factory=list)
    _places: dict[str, list[str]] | None = None
    _made: dict[str, Dialogue] = field(default_factory=dict)
    _made_size: int = 0

    def take(self, found: SampleFound) -> None:
        """Keep one record's answers; neighbouring rounds of one pair are put together first."""
        last = self._batch[-1] if self._batch else None
        if last is not None and _continues(last, found):
            self._batch[-1] = replace(
                last,
                seen={**last.seen, **found.seen},
                answers=(*last.answers, *found.answers),
                item_lines=(*last.item_lines, *found.item_lines),
            )
            return
        if len(self._batch) >= _BATCH:
            self.finish()
        self._batch.append(found)

    def finish(self) -> None:
        """Keep what is still held back."""
        batch, self._batch = self._batch, []
        pairs = [(found, self._item(found)) for found in batch]
        # Looked up together: reading makes the writer write down what it holds.
        for _, item in pairs:
            self._shape(item)
        for found, item in pairs:
            self._keep(found, item)

    def _item(self, found: SampleFound) -> str:
        modality = found.modality
        if modality is None:
            if self._places is None:
                self._places = self.run.writer.known_source_ids()
            known = self._places.get(found.source_id, [])
            if len(known) == 1:
                return known[0]
            modality = "video"
        return item_id("dialogue", found.source_id, modality)

    def _shape(self, item: str) -> _Shape | None:
        shape = self._shapes.get(item)
        if shape is None and self.run.writer.known_dialogue(item) is not None:
            dialogue = self.run.writer.dialogue(item)
            if dialogue is not None:
                shape = self._shapes[item] = _Shape.of(dialogue)
        return shape

    def _keep(self, found: SampleFound, item: str) -> None:
        run = self.run
        if item not in run.turns:
            run.met(found.source_id, self.file, found.line, found.record)
        shape = self._shape(item)
        if shape is None or shape.from_answers:
            shape = self._make_dialogue(found, item)
        run.turns[item] = len(shape.texts)
        turns = None
        differs = shape.differs(found.seen)
        if differs or shape.from_answers:
            dialogue = self._made.get(item) or run.writer.dialogue(item)
            turns = rebased(found.seen, dialogue.turns) if dialogue is not None else None
            if turns is None and dialogue is not None and shape.from_answers:
                turns = dialogue.turns  # said in full, so that the dataset's own record can be compared with it later
        if differs:
            which = ", ".join(str(k) for k in sorted(found.seen) if shape.differs({k: found.seen[k]}))
            reason = f"{found.responder} saw other texts than the dialogue's (rounds {which}); kept as its own version"
            run.say(self._line("pred_mismatch", found, reason))
        run.report.failed += sum(a.error is not None for a in found.answers)
        run.report.blank += sum(a.text is None and a.error is None for a in found.answers)
        self._put(found, Responder(item_id=item, responder=found.responder, answers=found.answers, turns=turns))

    def _make_dialogue(self, found: SampleFound, item: str) -> _Shape:
        """Make the dialogue from the sample, or let the sample fill what earlier samples left open."""
        run = self.run
        modality: Modality = found.modality or "video"
        made = found.dialogue(modality, self.file).model_copy(update={"item_id": item})
        old = self._made.get(item)
        if old is None and run.writer.known_dialogue(item) is not None:
            old = run.writer.dialogue(item)
        if old is None:
            for line in found.item_lines:
                run.say(line)
            run.count_assets(made)
            run.put(made)
            run.report.new += 1
        else:
            filled = old.model_copy(update={"turns": _filled(old.turns, made.turns)})
            fresh = with_found_media(old, filled) if filled.turns != old.turns else None
            if filled.content_hash() != old.content_hash():
                fresh = filled
            if fresh is not None:
                run.put(fresh)
            made = fresh or old
        self._hold(item, made)
        shape = self._shapes[item] = _Shape.of(made)
        return shape

    def _hold(self, item: str, dialogue: Dialogue) -> None:
        """Keep a dialogue at hand for the next model's sample, within bounds: reading it back costs a transaction."""
        if item not in self._made:
            self._made_size += sum(len(t.question) + len(t.reference) + 200 for t in dialogue.turns)
        self._made[item] = dialogue
        if self._made_size > _HELD_CHARACTERS:
            self._made.clear()
            self._made_size = 0

    def _put(self, found: SampleFound, new: Responder) -> None:
        run, pair = self.run, (new.item_id, new.responder)
        known = run.writer.known_responder(*pair)
        if known is None:
            run.put_answers(new)
            run.report.new += 1
        elif new.content_hash() in known.hashes:
            run.report.unchanged += 1
        else:
            held = run.writer.responder(*pair)
            if held is not None:
                new = self._merge(found, held, new)
        run.answered[pair] = run.answered.get(pair, frozenset()) | {a.index for a in new.answers}

    def _merge(self, found: SampleFound, held: Responder, new: Responder) -> Responder:
        """Answers to rounds that had none are added; another answer to the same round is a conflict."""
        before = {a.index: a for a in held.answers}
        other = [a.index for a in new.answers if a.index in before and _said(a) != _said(before[a.index])]
        more = [a for a in new.answers if a.index not in before]
        answers = tuple(sorted((*held.answers, *more), key=lambda a: a.index))
        turns = held.turns
        if new.turns is not None:
            # What a model saw is known from its samples; a responder that a judge's record made knows nothing of it.
            saw = {a.index: new.turns[a.index] for a in new.answers if a.index not in other}
            saw |= {t.index: t for t in held.turns or () if t.index in before}
            dialogue = self._made.get(held.item_id) or self.run.writer.dialogue(held.item_id)
            if dialogue is not None:
                turns = rebased(saw, dialogue.turns)
                turns = dialogue.turns if turns is None and dialogue.from_answers else turns
        merged = held.model_copy(update={"answers": answers, "turns": turns})
        if merged != held:
            self.run.put_answers(merged)
            self.run.report.new += 1
        elif not other:
            self.run.report.unchanged += 1
        if other:
            self._conflict(found, merged, new, other)
        return merged

    def _conflict(self, found: SampleFound, held: Responder, new: Responder, rounds: list[int]) -> None:
        which = ", ".join(map(str, rounds))
        other = {a.index: [a.index, *_said(a)] for a in new.answers}
        reason = f"{new.responder} has another answer to rounds {which} here; the first stays"
        known = self.run.writer.known_responder(held.item_id, held.responder)
        second = with_answers(held, new, rounds)
        if known is not None and second.content_hash() in known.hashes:
            self.run.settled["keep-second"] += 1
            return
        problem = Problem(
            id=problem_id("dup_conflict", held.item_id, held.responder, content_hash([other[k] for k in rounds])),
            code="dup_conflict",
            item=held.item_id,
            file=self.file,
            line=found.line,
            reason=reason,
            choices=("keep-first", "keep-second"),
            detail={
                "first": _told(held, rounds),
                "second": _told(new, rounds),
                "responder": new.model_dump(mode="json"),
                "rounds": rounds,
            },
        )
        self.run.wait(problem, self._line("dup_conflict", found, reason))

    def _line(self, code: str, found: SampleFound, reason: str) -> ReportLine:
        return ReportLine(code=code, file=self.file, line=found.line, record=found.record, reason=reason)


def _continues(last: SampleFound, found: SampleFound) -> bool:
    """Whether a record is another round of the pair before it."""
    same = (last.source_id, last.modality, last.responder) == (found.source_id, found.modality, found.responder)
    return same and last.line != found.line and not last.seen.keys() & found.seen.keys()


def _said(answer: Answer) -> list[str | None]:
    return [answer.text, answer.error if answer.text is None else None]


def _told(responder: Responder, rounds: list[int]) -> str:
    found = {a.index: a.text or f"({a.error or 'blank'})" for a in responder.answers}
    return "\n".join(f"turn {k + 1}: {found.get(k, '')}"[:300] for k in rounds[:8])


def with_answers(held: Responder, new: Responder, rounds: Collection[int]) -> Responder:
    """What `held` is with the other's answers to these rounds, and with what the other saw in them."""
    answers = {a.index: a for a in held.answers} | {a.index: a for a in new.answers if a.index in rounds}
    turns = held.turns
    if turns is not None and new.turns is not None:
        turns = tuple(new.turns[t.index] if t.index in rounds else t for t in turns)
    return held.model_copy(update={"answers": tuple(answers[k] for k in sorted(answers)), "turns": turns or new.turns})


def _filled(old: tuple[Turn, ...], new: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """Turns of two samples put together: the first one's word stands, what it left open comes from the second."""
    made: list[Turn] = []
    for index in range(max(len(old), len(new))):
        one = old[index] if index < len(old) else None
        two = new[index] if index < len(new) else None
        if one is None or two is None:
            made.append(one or two)  # type: ignore[arg-type]
            continue
        open_fields = {}
        for name in ("question", "reference", "category", "evidence", "audio"):
            mine, theirs = getattr(one, name), getattr(two, name)
            if theirs and (not mine or (name == "evidence" and mine[0].raw == theirs[0].raw)):
                open_fields[name] = theirs
        if one.timestamp.kind == "none":
            open_fields["timestamp"] = two.timestamp
        made.append(one.model_copy(update=open_fields) if open_fields else one)
    return tuple(made)
