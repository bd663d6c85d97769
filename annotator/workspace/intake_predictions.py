"""Models' outputs into the workspace: joined to questions by id, index or place with a look at the content.

A file is read row by row. The set of questions that it answers is chosen by its first rows; a row then takes the
question that its id, index or place names, if the content agrees, else a free one of its set with equal content. What
has no question yet waits for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.questions import NO_ANSWER
from annotator.domain.report import ReportLine
from annotator.importers.predictions import Chunk, PredictionFound
from annotator.store import PredictionRun, WaitingPrediction
from annotator.store.rows import output_hash
from annotator.workspace.intake import Run
from annotator.workspace.predictions_join import candidates_of, found_of, named, prediction_of
from annotator.workspace.questions_book import Collection, Entry, QuestionBook, first_free, fits

_LOOKED_AT: Final = 200
_SAID: Final = 500  # lines of one code about one file; the rest is one note


@dataclass(slots=True)
class _File:
    """One file of one model's outputs while it is read."""

    model: str
    name: str
    chunk: Chunk
    held: list[PredictionFound] = field(default_factory=list)
    chosen: Collection | None = None
    decided: bool = False
    left: list[PredictionFound] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)
    records: int = 0
    said: Counter[str] = field(default_factory=Counter)
    waits: bool = False


@dataclass(slots=True)
class PredictionIntake:
    """Takes the outputs of one import, file by file."""

    run: Run
    book: QuestionBook
    _file: _File | None = None
    _outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    _sets: dict[str, set[str]] = field(default_factory=dict)
    _runs: list[PredictionRun] = field(default_factory=list)

    def begin(self, model: str, name: str, chunk: Chunk) -> None:
        """Another file begins."""
        self._file = _File(model, name, chunk)

    def take(self, found: PredictionFound) -> None:
        """Take one output."""
        file = self._current()
        file.records += 1
        if file.decided:
            self._one(file, found)
            return
        file.held.append(found)
        if len(file.held) >= _LOOKED_AT:
            self._decide(file)

    def finish_file(self) -> None:
        """Settle what is left of the file: rows whose place held other content, and rows that must wait."""
        file = self._current()
        self._file = None
        if not file.decided:
            self._decide(file)
        for found in file.left:
            self._left_over(file, found)
        run = PredictionRun(
            file.model, file.name, file.chosen.name if file.chosen else "", file.chunk.part, file.chunk.parts,
            file.records,
        )  # fmt: skip
        if file.records and run not in self._runs:
            self._runs.append(run)
        if file.chosen is not None:
            self._sets.setdefault(file.model, set()).add(file.chosen.name)
        for code, count in file.said.items():
            if count > _SAID:
                self.run.report.notes.append(f"{file.name}: {count - _SAID:,} more lines {code}.")

    def _current(self) -> _File:
        if self._file is None:
            raise ValueError("no file has begun")
        return self._file

    # ------------------------------------------------------------------------------------------- the set it answers
    def _decide(self, file: _File) -> None:
        """Choose the set by the rows seen so far: most contents found, most at their own place, the nearest size."""
        file.decided = True
        best: tuple[tuple[int, int, int, int, int], Collection] | None = None
        for held in self.book.sets().values():
            found = sum(self._anywhere(held, row) for row in file.held)
            if not found:
                continue
            places = sum(self._direct(held, row, set()) is not None for row in file.held)
            known = int(any(r.model == file.model and r.collection == held.name for r in self._all_runs()))
            whole = -abs(len(held.entries) - len(file.held)) if not file.chunk.parts else len(held.entries)
            pictures = sum(self._pictured(held, row) for row in file.held)
            rank = (found, pictures, places, known, whole)
            if best is None or rank > best[0]:
                best = (rank, held)
        file.chosen = best[1] if best is not None else None
        held_rows, file.held = file.held, []
        for row in held_rows:
            self._one(file, row)

    def _all_runs(self) -> list[PredictionRun]:
        return [*self.run.store.predictions.runs(), *self._runs]

    @staticmethod
    def _anywhere(held: Collection, row: PredictionFound) -> bool:
        return any(fits(e, row.text, row.choices, row.truth) for e in candidates_of(held, row))

    @staticmethod
    def _pictured(held: Collection, row: PredictionFound) -> bool:
        return row.image is not None and any(e.image == row.image for e in candidates_of(held, row))

    @staticmethod
    def _direct(held: Collection, row: PredictionFound, taken: set[str]) -> Entry | None:
        """The question that the row's id, index or place names, if its content agrees."""
        return first_free(
            (e for e in named(held, row) if fits(e, row.text, row.choices, row.truth)), taken
        )  # fmt: skip

    # -------------------------------------------------------------------------------------------------- one output
    def _one(self, file: _File, found: PredictionFound) -> None:
        if file.chosen is None:
            self._wait(file, found)
            return
        entry = self._direct(file.chosen, found, file.taken)
        if entry is None:
            file.left.append(found)
        else:
            self._join(file, entry, found)

    def _left_over(self, file: _File, found: PredictionFound) -> None:
        held = file.chosen
        if held is None:
            self._wait(file, found)
            return
        candidates = [e for e in candidates_of(held, found) if fits(e, found.text, found.choices, found.truth)]
        entry = self._again(file, candidates, found) or first_free(candidates, file.taken)
        if entry is not None:
            self._join(file, entry, found)
            return
        there = next(iter(named(held, found)), None) or (candidates[0] if candidates else None)
        if there is not None:
            self.run.report.rejected += 1
            self._say(
                file, "pred_mismatch", found,
                f'the record belongs to other content than the question "{there.source_id}" at its place; left out',
            )  # fmt: skip
            return
        self._say(file, "pred_extra", found, "no question is here for it; it waits")
        self._wait(file, found)

    def _again(self, file: _File, candidates: Iterable[Entry], found: PredictionFound) -> Entry | None:
        """Of questions with equal content the one that got this very output before: parts come one by one."""
        held = self._of_model(file.model)
        digest = output_hash(found.output)
        free = (e for e in candidates if e.item_id not in file.taken)
        ranked = sorted(free, key=lambda e: (held.get(e.item_id) not in (digest, None), held.get(e.item_id) is None))
        return ranked[0] if ranked else None

    def _of_model(self, model: str) -> dict[str, str]:
        if model not in self._outputs:
            self._outputs[model] = self.run.store.predictions.hashes(model)
        return self._outputs[model]

    def _join(self, file: _File, entry: Entry, found: PredictionFound) -> None:
        report = self.run.report
        report.joined += 1
        file.taken.add(entry.item_id)
        made = prediction_of(entry, file.model, found)
        if made.state in NO_ANSWER:
            failed = made.state == "failed"
            report.failed += failed
            report.blank += not failed
            shown = "an error message of the runner" if failed else "blank"
            self._say(file, "pred_failed" if failed else "pred_blank", found, f"the output is {shown}; no answer")
        report.correct += made.letter("careful") is not None and made.letter("careful") == entry.key
        held, digest = self._of_model(file.model), output_hash(found.output)
        before = held.get(entry.item_id)
        if before is not None:
            if before == digest:
                report.unchanged += 1
            else:
                self._say(file, "dup_conflict", found, f"{file.model} answered this question before; the first stays")
            return
        held[entry.item_id] = digest
        report.new += 1
        self.run.writer.put_predictions([made])

    def _wait(self, file: _File, found: PredictionFound) -> None:
        self.run.report.waiting += 1
        file.waits = True
        self.run.writer.put_waiting_predictions(
            [
                WaitingPrediction(
                    file.model, file.name, found.place if found.place is not None else found.record, found.line,
                    found.output, found.source_id, found.index, found.text, list(found.choices), found.truth,
                    found.claims, file.chunk.part, file.chunk.parts,
                )
            ]
        )  # fmt: skip

    def _say(self, file: _File, code: str, found: PredictionFound, reason: str) -> None:
        file.said[code] += 1
        if file.said[code] <= _SAID:
            self.run.say(ReportLine(code=code, file=file.name, line=found.line, record=found.record, reason=reason))

    # ------------------------------------------------------------------------------------------------ what was waiting
    def join_waiting(self) -> None:
        """Join what waited, now that this import brought questions."""
        groups: dict[tuple[str, str], list[tuple[int, WaitingPrediction]]] = {}
        for place, record in self.run.writer.waiting_predictions():
            groups.setdefault((record.model, record.file), []).append((place, record))
        before = self.run.report.waiting
        for (model, name), rows in groups.items():
            if not any(self._anywhere(h, found_of(r)) for h in self.book.sets().values() for _, r in rows[:_LOOKED_AT]):
                continue
            first = rows[0][1]
            self.begin(model, name, Chunk(name, first.chunk, first.chunks))
            for _, record in rows:
                self.take(found_of(record))
            self.finish_file()
            self.run.writer.join(place for place, _ in rows)
        self.run.report.waiting = before

    def finish(self) -> None:
        """Write down which files were read, and say which questions have no output of a model that is all in."""
        known = self.run.store.predictions.runs()
        for run in self._runs:
            if run not in known:
                self.run.writer.put_prediction_run(run)
        for model, names in self._sets.items():
            for name in sorted(names):
                self._missing(model, self.book.sets()[name])

    def _missing(self, model: str, held: Collection) -> None:
        runs = [r for r in self._all_runs() if r.model == model and r.collection == held.name]
        parts = max((r.chunks for r in runs if r.chunks > 0), default=0)
        there = {r.chunk for r in runs if r.chunks == parts}
        answered = self._of_model(model)
        missing = [e for e in held.entries if e.item_id not in answered]
        if not missing:
            return
        if parts and len(there) < parts:
            self.run.report.notes.append(
                f"{model}: {len(there)} of {parts} parts are in; what is missing is told then."
            )
            return
        if not parts and any(r.chunks < 0 for r in runs):
            self.run.report.notes.append(f"{model}: {len(missing):,} questions have no output in the parts so far.")
            return
        self.run.report.missing += len(missing)
        for entry in missing[:_SAID]:
            reason = f'{model} has no output for the question "{entry.source_id}" (row {entry.row})'
            self.run.say(ReportLine(code="pred_missing", record=entry.row, reason=reason))
        if len(missing) > _SAID:
            self.run.report.notes.append(f"{model}: {len(missing) - _SAID:,} more questions have no output.")
