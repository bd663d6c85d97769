"""The statistics page's way to figures: its own reading connection, what was read and what was answered kept.

All calls come from one worker thread, one after the other. The connection is the room's own, so that the window may
close its workspace while something is being calculated here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.report.figures import Asked, Figure
from annotator.store import Store, open_store
from annotator.store.readings import Readings
from annotator.workspace.figures import BLIND, FIELDS, UNIT_FIELDS, Figures, Held, figures_of, table_of
from annotator.workspace.figures_behind import Behind, Cell, behind_both, behind_figures, behind_raters, unlabelled
from annotator.workspace.reveal import closed_to

__all__ = ["ANSWERS", "Figure", "FigureRoom", "Figures", "Question"]

KEPT: Final = 96
PHASES: Final = (BLIND, "open", "source", "adjudicated")
OF_JUDGES: Final = frozenset({"calibration", "what_if"})
"""Subjects that stand on judges whole; retention leaves them out for as long, see `figures_keeping`."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Question:
    """One question about a workspace; equal questions have equal answers as long as nobody writes.

    Attributes:
        subject: a key of `ANSWERS`; by: the fields to group by.
        where: (field, values) of the part that counts, in the order of the fields; values in their order.
        project: a spot-check whose units and weights count. phase: whose labels count as human judgement.
    """

    subject: str
    by: tuple[str, ...] = ()
    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    project: str | None = None
    phase: str = BLIND
    seed: int = 0
    resamples: int = 2_000
    epsilon: float = 0.2

    def asked(self, token: CancelToken | None = None, progress: Progress | None = None) -> Asked:
        """How it is asked of the library."""
        return Asked(
            by=self.by, seed=self.seed, resamples=self.resamples, epsilon=self.epsilon, token=token, progress=progress
        )

    def part(self) -> dict[str, frozenset[str]]:
        """The part that counts."""
        return {name: frozenset(values) for name, values in self.where if values}

    def command(self, folder: Path) -> str:
        """The command that prints these figures."""
        words = ["annotator", "stats", _quoted(str(folder)), self.subject]
        for name in self.by:
            words += ["--by", name]
        for name, values in self.where:
            for value in values:
                words += ["--where", _quoted(f"{name}={value}")]
        if self.project is not None:
            words += ["--project", _quoted(self.project)]
        if self.phase != BLIND:
            words += ["--phase", self.phase]
        usual = Question(self.subject)
        for name in ("seed", "resamples", "epsilon"):
            if getattr(self, name) != getattr(usual, name):
                words += [f"--{name}", f"{getattr(self, name):g}"]
        return " ".join(words)


def _quoted(text: str) -> str:
    plain = all(letter.isalnum() or letter in "-_./=:\\" for letter in text)
    return text if plain and text else '"' + text.replace('"', '\\"') + '"'


@dataclass(frozen=True)
class Choices:
    """What a part can be chosen by: field -> (value, how many labels carry it); and the spot-checks that were drawn.

    `totals`: dialogues, units, labels, raters and judges of the whole workspace.
    """

    fields: Mapping[str, tuple[tuple[str, int], ...]]
    projects: tuple[str, ...]
    totals: Mapping[str, int]


Answer = Callable[["FigureRoom", Question, Asked], Figures]


class FigureRoom:
    """One workspace's figures for one page; see the module for its thread."""

    def __init__(self, folder: Path) -> None:
        """Opened with the first question."""
        self.folder = folder
        self._store: Store | None = None
        self._version: int | None = None
        self._stamp: tuple[int, ...] = ()
        self._held: dict[str, Held] = {}
        self._answers: OrderedDict[tuple[Question, bool], Figures] = OrderedDict()
        self._choices: Choices | None = None
        self.closed = ""

    @property
    def store(self) -> Store:
        """The workspace, open for reading."""
        if self._store is None:
            self._store = open_store(self.folder, write=False)
        return self._store

    def close(self) -> None:
        """Let go of everything."""
        self._forget()
        if self._store is not None:
            self._store.close()
            self._store = None
            self._version = None

    def rest(self) -> None:
        """Let go of the rows, which are many; answers are few and stay."""
        self._held.clear()

    def look(self) -> bool:
        """Whether anything that figures stand on was written since the last look; then all that was kept is gone.

        While this rater is in the middle of a blind spot-check `closed` says so, and the connection itself refuses to
        read what judges said.
        """
        version = self.store.version()
        if version == self._version:
            return False
        first, self._version = self._version is None, version
        self.closed = closed_to(self.store, self.store.desk.rater)
        turned = bool(self.closed) != self.store.database.blind
        self.store.database.set_blind(bool(self.closed))
        stamp = Readings(self.store.database).stamp()
        if stamp == self._stamp and not turned:
            return False
        self._stamp = stamp
        self._forget()
        return not first

    def _forget(self) -> None:
        self._held.clear()
        self._answers.clear()
        self._choices = None

    def held(self, phase: str = BLIND) -> Held:
        """The rows of a phase, read once."""
        if phase not in self._held:
            self._held[phase] = Held(self.store, phase)
        return self._held[phase]

    def known(self, question: Question) -> Figures | None:
        """A whole answer that is at hand."""
        return self._answers.get((question, False))

    def answer(
        self, question: Question, points: bool, token: CancelToken | None = None, progress: Progress | None = None
    ) -> Figures:
        """The figures; with `points` values alone, without intervals, which are quick to have.

        Raises:
            WorldError: see `figures_of`; Cancelled: stopped, nothing is kept.
        """
        self.look()
        self._refuse_closed(question.subject)
        whole = self.known(question)
        if whole is not None:
            return whole
        key = (question, points)
        if key not in self._answers:
            asked = question.asked(token, progress)
            made = ANSWERS[question.subject](self, question, replace(asked, resamples=1) if points else asked)
            self._answers[key] = _without_intervals(made) if points else made
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return self._answers[key]

    def _refuse_closed(self, subject: str) -> None:
        """Keep figures that stand on judges from a rater who is in the middle of a blind spot-check."""
        if self.closed and subject in OF_JUDGES:
            raise WorldError(self.closed, code="blind")

    def report(self, file: Path, lang: str, token: CancelToken, progress: Progress) -> int:
        """Write the report of the whole workspace as one page; returns how many figures are in it.

        Raises:
            WorldError: a file cannot be written, or figures of judges are closed; Cancelled: nothing was written.
        """
        from annotator.workspace.reporting import write_report

        self.look()
        self._refuse_closed("calibration")
        return write_report(self.store, file, Asked(token=token, progress=progress), lang).figures

    def choices(self, token: CancelToken | None = None) -> Choices:
        """What a part can be chosen by, over people's blind labels."""
        self.look()
        if self._choices is None:
            self._choices = _choices(self, token)
        return self._choices

    def behind(self, question: Question, by: Mapping[str, str], cell: Cell | None = None) -> Behind:
        """The queue rows behind a figure: see `figures_behind`."""
        self.look()
        self._refuse_closed(question.subject)
        return behind_figures(self.store, self.held(question.phase), question, by, cell)

    def behind_both(self, question: Question, judges: Sequence[str]) -> Behind:
        """What people and each of these judges scored."""
        self.look()
        self._refuse_closed(question.subject)
        return behind_both(self.store, self.held(question.phase), question, judges)

    def behind_raters(self, question: Question, raters: Sequence[str]) -> Behind:
        """What each of these raters scored."""
        self.look()
        return behind_raters(self.store, self.held(question.phase), question, raters)

    def unlabelled(self, question: Question, by: Mapping[str, str]) -> Behind:
        """What the judge scored in a group and no person did."""
        self.look()
        self._refuse_closed(question.subject)
        return unlabelled(self.store, self.held(question.phase), question, by)


def _scores(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    held = room.held(question.phase)
    return figures_of(room.store, question.subject, asked, question.project, held, question.part())


def _retention(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    from annotator.workspace.figures_keeping import answer_retention, answer_what_if

    return (answer_what_if if question.subject == "what_if" else answer_retention)(room, question, asked)


def _effort(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    from annotator.workspace.figures_own import answer_drift, answer_effort

    return (answer_drift if question.subject == "drift" else answer_effort)(room, question, asked)


def _preference(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    from annotator.workspace.figures_preference import answer

    return answer(room, question, asked)


def _accuracy(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    from annotator.workspace.figures_accuracy_room import answer

    return answer(room, question, asked)


ANSWERS: Final[dict[str, Answer]] = {
    "agreement": _scores, "calibration": _scores, "retention": _retention, "what_if": _retention, "effort": _effort,
    "drift": _effort, "preference": _preference, "accuracy": _accuracy,
}  # fmt: skip
"""Subject -> what answers it, with the question's part."""


def _without_intervals(made: Figures) -> Figures:
    """Values alone: an interval out of one resample is none."""
    figures = []
    for figure in made.figures:
        more = {name: value for name, value in figure.more.items() if not name.endswith(("_low", "_high"))}
        why = figure.why if figure.value is None else None
        figures.append(replace(figure, low=None, high=None, why=why, more=more))
    return replace(made, figures=tuple(figures))


def _choices(room: FigureRoom, token: CancelToken | None) -> Choices:
    from annotator.workspace.figures_accuracy_room import choices as of_questions
    from annotator.workspace.figures_preference import choices as of_preference
    from annotator.workspace.spotcheck import projects

    fields = tuple(name for name in (*UNIT_FIELDS, "week") if name != "dimension")
    asked = Asked(by=fields, token=token)
    table, _, _ = table_of(room.store, asked, judged=not room.closed, held=room.held())
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for name in (*fields, "rater"):
        one = table.label_column(name)
        counts = _counts(one.codes, len(one.names))
        found[name] = tuple((text, counts[at]) for at, text in enumerate(one.names) if counts[at])
    judged = _counts(table.judge_code, len(table.judges))
    found["judge"] = tuple((name, judged[at]) for at, name in enumerate(table.judges))
    units = {table.units[int(unit)] for unit in set(table.label_unit.tolist())}
    totals = {
        "dialogues": len({unit.item_id for unit in units}),
        "places": len({(unit.item_id, unit.responder, unit.target) for unit in units}),
        "labels": int(table.values.size),
        "raters": len(table.raters),
        "judges": len(table.judges),
        "judged": int(table.judge_values.size),
    }
    assert set(FIELDS["calibration"]) >= set(found)
    more = of_questions(room.store, found)
    return Choices({**found, **of_preference(room.store, found["rater"]), **more}, tuple(projects(room.store)), totals)


def _counts(codes: object, size: int) -> list[int]:
    import numpy as np

    return [int(count) for count in np.bincount(np.asarray(codes, dtype=np.int64), minlength=size)]
