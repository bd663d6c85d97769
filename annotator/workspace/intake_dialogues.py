"""Dialogues of dataset files into the workspace: new, unchanged, or in conflict with what is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from annotator.domain.items import Dialogue, Responder, Turn
from annotator.domain.report import Problem, ReportLine
from annotator.importers.dialogues import DialogueFound
from annotator.importers.samples import blank_turn
from annotator.workspace.intake import Run, Totals, problem_id, with_found_media


@dataclass(slots=True)
class DialogueIntake:
    """Takes the dialogues of dataset files, in the order of the files."""

    run: Run
    totals: Totals = field(default_factory=Totals)
    _seen: dict[str, set[str]] = field(default_factory=dict)

    def take(self, found: DialogueFound) -> None:
        """Keep one dialogue, or say why it is not kept."""
        run, dialogue = self.run, found.dialogue
        digest = dialogue.content_hash()
        seen = self._seen.get(dialogue.item_id)
        if seen is not None:
            self._again(found, digest, seen)
            return
        self._seen[dialogue.item_id] = {digest}
        run.met(dialogue.source_id, dialogue.source, found.line, found.record)
        run.turns[dialogue.item_id] = len(dialogue.turns)
        run.report.unanswered += found.unanswered
        run.count_assets(dialogue)
        self.totals.add(dialogue)
        known = run.writer.known_dialogue(dialogue.item_id)
        if known is None:
            run.put(dialogue)
            run.report.new += 1
        elif digest in known.hashes:
            run.report.unchanged += 1
            self._refresh(found, digest == known.content_hash)
        else:
            self._differs(found, digest)

    def _again(self, found: DialogueFound, digest: str, seen: set[str]) -> None:
        """The same id a second time in one source."""
        dialogue = found.dialogue
        if digest in seen:
            reason = f'"{dialogue.source_id}" stands here a second time with equal content; ignored'
            self.run.say(_line("dup_exact", found, reason))
            self.run.report.unchanged += 1
            return
        seen.add(digest)
        known = self.run.writer.known_dialogue(dialogue.item_id)
        if known is not None and digest in known.hashes:
            self.run.settled["keep-second"] += 1
            self.run.report.unchanged += 1
            return
        self._conflict(found, digest)

    def _refresh(self, found: DialogueFound, newest: bool) -> None:
        """Where the content is known, look again at where its files are."""
        if not newest:
            return
        old = self.run.store.items.dialogue(found.dialogue.item_id)
        if old.from_answers:
            self._replace(found, old)
            return
        fresh = with_found_media(old, found.dialogue)
        if fresh is not None:
            self.run.put(fresh)

    def _differs(self, found: DialogueFound, digest: str) -> None:
        """Another content than the one that is there: the dataset's word against a sample's, or a conflict."""
        old = self.run.store.items.dialogue(found.dialogue.item_id)
        if old.from_answers:
            self._replace(found, old)
            self.run.report.new += 1
        else:
            self._conflict(found, digest)

    def _replace(self, found: DialogueFound, old: Dialogue) -> None:
        """The dataset's own record takes the place of what samples told; what models saw is held against it."""
        differs = found.dialogue.content_hash() != old.content_hash()
        labelled = differs and bool(self.run.store.labels.current(item_id=old.item_id))
        new = found.dialogue.model_copy(update={"revision": old.revision + labelled})
        self.run.put(new)
        for responder in self.run.store.items.responders(old.item_id):
            fresh = on_other_turns(responder, old, new)
            if fresh is not None:
                self.run.writer.put_responders([fresh])
            if fresh is not None and fresh.turns is not None:
                reason = f"{responder.responder} answered other texts than the dataset's; both are kept"
                self.run.say(_line("pred_mismatch", found, reason))

    def _conflict(self, found: DialogueFound, digest: str) -> None:
        dialogue = found.dialogue
        first = self.run.writer.dialogue(dialogue.item_id)
        reason = f'"{dialogue.source_id}" has other content than the first record with this id; the first is kept'
        problem = Problem(
            id=problem_id("dup_conflict", dialogue.item_id, digest),
            code="dup_conflict",
            item=dialogue.item_id,
            file=dialogue.source,
            line=found.line,
            reason=reason,
            choices=("keep-first", "keep-second"),
            detail={
                "first": differing(first, dialogue) if first else "",
                "second": differing(dialogue, first) if first else "",
                "dialogue": dialogue.model_dump(mode="json"),
            },
        )
        self.run.wait(problem, _line("dup_conflict", found, reason))


def _line(code: str, found: DialogueFound, reason: str) -> ReportLine:
    return ReportLine(code=code, file=found.dialogue.source, line=found.line, record=found.record, reason=reason)


def on_other_turns(responder: Responder, old: Dialogue, new: Dialogue) -> Responder | None:
    """The responder when its dialogue gets other texts: what it saw is kept where it differs. None where equal."""
    if responder.turns is None and old.from_answers:
        return None  # made by a judge's record, which does not say what the model saw
    saw = old.turns if responder.turns is None else responder.turns
    answered = {a.index for a in responder.answers}
    turns = rebased({t.index: t for t in saw if t.index in answered}, new.turns)
    return None if turns == responder.turns else responder.model_copy(update={"turns": turns})


def rebased(seen: Mapping[int, Turn], turns: tuple[Turn, ...]) -> tuple[Turn, ...] | None:
    """The dialogue's turns with the texts that a model saw, None where they are the same.

    Blanks at the ends do not count, and a text that the model's record does not carry differs from nothing. Rounds
    beyond the dialogue's last turn are kept behind it.
    """
    made: list[Turn] = []
    for index in range(max(len(turns), max(seen, default=-1) + 1)):
        base = turns[index] if index < len(turns) else None
        mine = seen.get(index)
        if base is None:
            made.append(mine or blank_turn(index))
            continue
        texts = {} if mine is None else {"question": mine.question, "reference": mine.reference}
        other = {k: v for k, v in texts.items() if v.strip() and v.strip() != getattr(base, k).strip()}
        made.append(base.model_copy(update=other) if other else base)
    return None if tuple(made) == turns else tuple(made)


def differing(one: Dialogue, other: Dialogue | None) -> str:
    """What one content says where two differ, a line for each field; for a person who must choose."""
    if other is None:
        return one.title()
    mine, theirs = one.content(), other.content()
    rows = [f"{k}: {mine[k]}" for k in ("environment", "goal", "persona", "meta") if mine[k] != theirs[k]]
    for index, turn in enumerate(mine["turns"]):
        beside = theirs["turns"][index] if index < len(theirs["turns"]) else {}
        rows += [f"turn {index + 1}, {k}: {v}" for k, v in turn.items() if v != beside.get(k)]
    if len(mine["turns"]) != len(theirs["turns"]):
        rows.append(f"{len(mine['turns'])} turns")
    if mine["unanswered"] != theirs["unanswered"]:
        rows.append(f"{len(mine['unanswered'])} entries without an answer")
    return "\n".join(row[:300] for row in rows[:8])
