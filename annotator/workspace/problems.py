"""Settling what an import left for a person to decide; each decision is an import of its own, published at once."""

from __future__ import annotations

from annotator.domain.items import Dialogue, Responder
from annotator.domain.judge import JudgeRecord
from annotator.domain.report import Choice, ImportReport, Problem
from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.importers.base import Context, Located, Record
from annotator.importers.judgements import JudgeFound, JudgeReader
from annotator.store import ImportWriter, Store
from annotator.workspace.intake import Run
from annotator.workspace.intake_dialogues import on_other_turns
from annotator.workspace.intake_judges import JudgeIntake
from annotator.workspace.intake_samples import with_answers
from annotator.workspace.waiting import is_waiting, let_go, waiting_problems


def waiting(store: Store) -> list[Problem]:
    """What waits for a decision, in order of import, and then records that wait for their dialogue."""
    return [*store.imports.problems(open_only=True), *waiting_problems(store)]


def decide(store: Store, problem_id: str, choice: Choice) -> ImportReport:
    """Settle one problem; labels stay with what the person saw.

    The decision is remembered by the problem's id, so importing the same source again asks nothing.

    Raises:
        WorldError: no such problem, settled already, a choice that it does not offer, or a workspace that cannot be
            written.
    """
    if store.read_only:
        raise ReadOnlyWorkspace(store.why or "The workspace can only be read.", code="read_only")
    if is_waiting(problem_id):
        return _let_go(store, problem_id, choice)
    problem = store.imports.problem(problem_id)
    if problem is None:
        raise WorldError(f'There is no problem "{problem_id}": `annotator check` lists what waits.', code="no_problem")
    settled = store.imports.decisions().get(problem_id)
    if settled is not None:
        raise WorldError(f'The problem "{problem_id}" was settled before ({settled}).', code="settled")
    if choice not in problem.choices:
        raise WorldError(
            f'"{choice}" does not fit the problem "{problem_id}": choose {" or ".join(problem.choices)}.', code="choice"
        )
    report = ImportReport(kind="decision", source=f"{problem_id} {choice}")
    with store.imports.begin("decision", report.source) as writer:
        if choice == "keep-second":
            _keep_second(store, writer, problem, report)
        elif choice == "map-scale":
            _map_scale(store, writer, problem, report)
        writer.put_decision(problem_id, choice)
        writer.publish(report)
    return report


def _let_go(store: Store, problem_id: str, choice: Choice) -> ImportReport:
    report = ImportReport(kind="decision", source=f"{problem_id} {choice}")
    if choice != "drop":
        raise WorldError(f'"{choice}" does not fit the problem "{problem_id}": choose drop.', code="choice")
    with store.imports.begin("decision", report.source) as writer:
        if not let_go(store, writer, problem_id, report):
            raise WorldError(f'Nothing of the problem "{problem_id}" waits any more.', code="no_problem")
        writer.publish(report)
    return report


def _keep_second(store: Store, writer: ImportWriter, problem: Problem, report: ImportReport) -> None:
    """The second content becomes a new revision."""
    report.revised = 1
    held = problem.detail.get("responder")
    if held is not None:
        second = Responder.model_validate(held)
        first = store.items.responder(second.item_id, second.responder)
        if first is not None:
            chosen = with_answers(first, second, problem.detail["rounds"])
            writer.put_responders([chosen.model_copy(update={"revision": first.revision + 1})])
        return
    dialogue = Dialogue.model_validate(problem.detail["dialogue"])
    old = store.items.dialogue(dialogue.item_id)
    new = dialogue.model_copy(update={"revision": old.revision + 1})
    writer.put_dialogues([new])
    for answered in store.items.responders(old.item_id):
        fresh = on_other_turns(answered, old, new)
        if fresh is not None:
            writer.put_responders([fresh])
    run = Run(store, writer, report, {}, brought={new.item_id: (new.modality, len(new.turns))})
    JudgeIntake(run).join([new.source_id])  # what was said of turns that only the second content has


def _map_scale(store: Store, writer: ImportWriter, problem: Problem, report: ImportReport) -> None:
    """Read the judge's records again by the confirmed scale, those that still wait for their item included."""
    judge = str(problem.detail["judge"])
    scale = (float(problem.detail["low"]), float(problem.detail["high"]))
    for head in store.items.heads("dialogue"):
        with store.database.seeing():
            records = store.judges.records(head.item_id)
        for record in records:
            if record.judge == judge:
                mapped = _read_again(record, scale)
                writer.put_judge_records([(head.item_id, mapped)])
                report.score_values += len(mapped.scores)
                report.revised += 1
    for place, record in writer.waiting():
        if record.judge == judge:
            writer.put_waiting([_read_again(record, scale)])
            writer.join([place])
            report.revised += 1


def _read_again(record: JudgeRecord, scale: tuple[float, float]) -> JudgeRecord:
    """The record with its values mapped from `scale` to 1-5; all else stays as it was read."""
    reader = JudgeReader(Context(record.file, "", lambda _: Located("missing")), scales={record.judge: scale})
    again = next(found for found in reader.read(Record(record.raw, 0, record.line)) if isinstance(found, JudgeFound))
    return record.model_copy(update={"scores": again.record.scores, "avg": again.record.avg})
