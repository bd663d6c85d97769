"""Label lines into the log: checked one by one, the good ones kept, the others refused with a reason."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Final

from annotator.domain.ids import REFERENCE
from annotator.domain.labels import (
    PHASES,
    Key,
    LabelError,
    LabelEvent,
    check_target,
    check_value,
    is_dimension,
    needs_responder,
    turn_index,
)
from annotator.domain.question_sheet import NO_LETTER
from annotator.domain.report import ReportLine
from annotator.domain.rubric import load_rubric
from annotator.importers.jsonvalue import WrittenFloat
from annotator.importers.labels import LabelFound
from annotator.store import Draft, Known
from annotator.workspace.intake import Run
from annotator.workspace.intake_label_checks import Answers, check_event_id, check_revision, check_time
from annotator.workspace.intake_stable import say_stable

_BATCH: Final = 500


@dataclass(slots=True)
class LabelIntake:
    """Takes label lines; nothing is said before `finish`, so that a cancelled import says nothing.

    Attributes:
        rater: who speaks where a line does not say so; with `rater_wins`, who speaks in every line.
    """

    run: Run
    rater: str | None = None
    rater_wins: bool = False
    file: str = ""
    _drafts: list[Draft] = field(default_factory=list)
    _events: list[tuple[LabelEvent, ReportLine]] = field(default_factory=list)
    _items: dict[str, str] = field(default_factory=dict)
    _kinds: dict[str, tuple[str, int]] = field(default_factory=dict)
    _rows: dict[str, list[str]] = field(default_factory=dict)
    _said: dict[Key, Any] = field(default_factory=dict)
    _looked: set[str] = field(default_factory=set)
    _spoken: set[Key] = field(default_factory=set)  # keys about which there are labels here
    _torn: set[Key] = field(default_factory=set)  # those of them that are in conflict
    _logs: dict[tuple[str, str], dict[Key, list[Any]]] = field(default_factory=dict)  # by item and rater
    _places: dict[str, list[str]] | None = None
    _answers: Answers = field(init=False)

    def __post_init__(self) -> None:
        """Answers are looked up as they are needed."""
        self._answers = Answers(self.run)

    def take(self, found: LabelFound) -> None:
        """Check one line, and keep it for the end."""
        try:
            self._take(found)
        except LabelError as error:
            self.run.report.rejected += 1
            self.run.say(self._line(found, str(error)))

    def _line(self, found: LabelFound, reason: str) -> ReportLine:
        return ReportLine(
            code="label_refused", file=self.file, line=found.line, record=found.record, field=found.value.get("field"),
            reason=reason,
        )  # fmt: skip

    def _take(self, found: LabelFound) -> None:
        line = found.value
        item = self._item(line)
        kind, parts = self._about(item)
        target, name = line["target"], line["field"]
        value = _plain(name, line["value"])
        check_value(target, name, value)
        responder = self._responder(kind, item, name, line.get("responder"))
        index = turn_index(target)
        if index is not None and index >= parts and responder not in (None, REFERENCE):
            saw = self.run.writer.responder(item, str(responder))
            parts = max(parts, len(saw.turns or ()) if saw is not None else 0)
        check_target(kind, target, parts)
        phase = line.get("phase") or "open"
        if phase not in PHASES:
            raise LabelError(f'phase "{phase}" is none of {", ".join(PHASES)}')
        if name.startswith("span:"):
            self._answers.check_spans(kind, item, responder, target, value)
        check_time(line.get("at"))
        if self.rater_wins:
            check_event_id(line.get("event_id"))
            check_revision(line.get("item_revision"), self._known(item))
        rater = self.rater if self.rater_wins else line.get("rater") or self.rater
        if not rater:
            raise LabelError('"rater" is missing')
        if line.get("event_id") and not self.rater_wins:
            event = self._event(line, item, line.get("responder"), value, rater, phase)
            self._events.append((event, self._line(found, "")))
            return
        draft = Draft(
            rater=rater,
            item_id=item,
            target=target,
            field=name,
            value=value,
            responder=responder,
            phase=phase,
            rubric=line.get("rubric") or load_rubric().name,
            lang=line.get("lang") or "",
            active_ms=line.get("active_ms") or 0,
            item_revision=self._revision(item, line.get("item_revision")),
            judged=line.get("judged") or None,
            at=line.get("at") or None,
            extra=line.get("extra") or "",
        )
        self._say(draft)

    # ------------------------------------------------------------------------------------------ what it is about
    def _item(self, line: dict[str, Any]) -> str:
        ref = line.get("item") or line["source_id"]
        if ref not in self._items:
            self._items[ref] = self._resolve(ref)
        return self._items[ref]

    def _resolve(self, ref: str) -> str:
        if self._known(ref) is not None:
            return ref
        if self._places is None:
            self._places = self.run.writer.known_source_ids()
        found = self._places.get(ref, [])
        if not found:
            raise LabelError(f'item "{ref}" is not in the workspace')
        if len(found) > 1:
            raise LabelError(f'"{ref}" stands for {len(found)} items: {", ".join(found)}; name one of these')
        return found[0]

    def _known(self, item: str) -> Known | None:
        return self.run.writer.known_dialogue(item)

    def _about(self, item: str) -> tuple[str, int]:
        """Kind and number of parts."""
        held = self._kinds.get(item)
        if held is None:
            head = self.run.store.items.head(item)
            if item in self.run.brought:
                held = ("dialogue", self.run.brought[item][1])
            elif head is not None:
                held = (head.kind, head.parts)
            else:
                raise LabelError(f'item "{item}" is not in the workspace')
            self._kinds[item] = held
        return held

    def _responder(self, kind: str, item: str, name: str, stated: str | None) -> str | None:
        if kind != "dialogue":
            return None
        if not needs_responder(kind, name) and stated is None:
            return None
        rows = self._rows.get(item)
        if rows is None:
            mine = [r for i, r in self.run.answered if i == item]
            rows = self._rows[item] = list(dict.fromkeys([*self.run.store.items.responders_of(item), *mine]))
            if mine and rows[:1] == [REFERENCE]:
                rows.remove(REFERENCE)
        if stated is not None:
            if stated != REFERENCE and stated not in rows:
                raise LabelError(f'responder "{stated}" did not answer this dialogue')
            return stated if needs_responder(kind, name) or name == "note" or not _of_candidate(name) else None
        if len(rows) > 1:
            raise LabelError(f'"responder" is missing, and the dialogue has {len(rows)}')
        return rows[0] if rows else REFERENCE

    def _revision(self, item: str, stated: int | None) -> int | None:
        known = self._known(item)
        if stated is None or known is None or stated >= known.revision or stated < 1:
            return None
        return stated

    # --------------------------------------------------------------------------------------------------- the saying
    def _say(self, draft: Draft) -> None:
        """Keep a statement unless it is what is said already."""
        key = _key(draft)
        if draft.item_id not in self._looked:
            self._looked.add(draft.item_id)
            for held in self.run.store.labels.current(item_id=draft.item_id):
                self._spoken.add(held.current.key)
                if held.current.in_conflict:
                    self._torn.add(held.current.key)
                else:
                    self._said.setdefault(held.current.key, held.current.value)
        self.run.report.accepted += 1
        if self._said.get(key) == draft.value:  # what was never said counts as withdrawn
            self.run.report.unchanged += 1
            return
        self._said[key] = draft.value
        self.run.report.new += 1
        self._drafts.append(draft)

    def _event(
        self, line: dict[str, Any], item: str, responder: str | None, value: Any, rater: str, phase: str
    ) -> LabelEvent:
        missing = [k for k in ("device", "seq", "digest", "at") if not line.get(k)]
        if missing:
            raise LabelError(f'a line with an event_id needs "{missing[0]}"')
        check_event_id(line["event_id"])
        event = LabelEvent(
            event_id=line["event_id"],
            device=line["device"],
            seq=line["seq"],
            rater=rater,
            item_id=item,
            item_revision=line.get("item_revision") or 1,
            responder=responder,
            target=line["target"],
            field=line["field"],
            value=value,
            parents=tuple(line.get("parents") or ()),
            rubric=line.get("rubric") or "",
            phase=phase,
            lang=line.get("lang") or "",
            active_ms=line.get("active_ms") or 0,
            at=line["at"],
            judged=line.get("judged") or "",
            extra=line.get("extra") or "",
            digest=line["digest"],
        )
        if "judged" not in line and event.compute_digest() != event.digest:
            judged = self.run.store.items.judged(item, responder, event.target, event.field)
            other = replace(event, judged=judged)
            event = other if other.compute_digest() == event.digest else event
        return event

    def finish(self) -> None:
        """Say everything that was found good; the items are visible by now.

        Raises:
            WorldError: when it cannot be saved.
        """
        report = self.run.report
        mine: list[Draft] = []
        everywhere: list[Draft] = []
        for draft in self._not_yet_said():
            (everywhere if self._is_stable(draft) else mine).append(draft)
        say_stable(self.run.store, everywhere)
        for start in range(0, len(mine), _BATCH):
            self.run.store.labels.append(mine[start : start + _BATCH])
        if not self._events:
            return
        result = self.run.store.labels.merge(event for event, _ in self._events)
        report.new += result.inserted
        report.unchanged += result.duplicates
        report.accepted += result.inserted + result.duplicates
        report.rejected += len(result.quarantined)
        lines = {event.event_id: line for event, line in self._events}
        for kept in result.quarantined:
            line = lines.get(kept.event_id) or ReportLine(code="label_refused", file=self.file)
            self.run.say(line.model_copy(update={"reason": f"event {kept.event_id}: {kept.reason}"}))

    def _is_stable(self, draft: Draft) -> bool:
        """Whether the event can be the same in every workspace: a source says it, and nobody said anything here.

        What a person says by the `label` command is said now, on this device.
        """
        return not self.rater_wins and draft.item_revision is None and _key(draft) not in self._spoken

    def _not_yet_said(self) -> list[Draft]:
        """The statements without those of keys whose log ends with them: the file was imported before.

        A file may say one key several times. Each of its lines differs from the one before it, so that they cannot be
        told one by one from news.
        """
        of_key: dict[Key, list[Any]] = {}
        for draft in self._drafts:
            of_key.setdefault(_key(draft), []).append(draft.value)
        again = {
            key
            for key, values in of_key.items()
            if len(values) > 1 and key in self._spoken - self._torn and self._log_of(key)[-len(values) :] == values
        }
        fresh = [draft for draft in self._drafts if _key(draft) not in again]
        self.run.report.new -= len(self._drafts) - len(fresh)
        self.run.report.unchanged += len(self._drafts) - len(fresh)
        return fresh

    def _log_of(self, key: Key) -> list[Any]:
        place = (key.item_id, key.rater)
        if place not in self._logs:
            logs = self._logs[place] = {}
            for event in self.run.store.labels.events(item_id=key.item_id, rater=key.rater):
                logs.setdefault(event.key, []).append(event.value)
        return self._logs[place].get(key, [])


def _key(draft: Draft) -> Key:
    return Key(draft.rater, draft.item_id, draft.responder, draft.target, draft.field, draft.phase)


def _of_candidate(name: str) -> bool:
    return name.startswith(("verdict", "edit:")) or name in ("voice_ok", "category_ok")


def _plain(name: str, value: Any) -> Any:
    """A score written as `4.0` is the score 4; that a person read no letter (null) is said by a word."""
    if value is None and name.startswith("letter:"):
        return NO_LETTER
    if isinstance(value, WrittenFloat) and is_dimension(name) and value.is_integer():
        return int(value)
    return value
