"""Reading questions, models' outputs and tools' own tables of accuracies, as part of one import."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from annotator.importers import text
from annotator.importers.base import Context
from annotator.importers.detect import Kind
from annotator.importers.mme import QuestionReader
from annotator.importers.predictions import PredictionReader, chunk_of, is_harness_run, model_of_stem
from annotator.importers.ratings import RatingReader
from annotator.media.roots import Roots
from annotator.workspace.intake import Run
from annotator.workspace.intake_predictions import PredictionIntake
from annotator.workspace.intake_questions import QuestionIntake
from annotator.workspace.questions_book import QuestionBook
from annotator.workspace.questions_pictures import Finder
from annotator.workspace.sources import Job

TESTED: Final[frozenset[str]] = frozenset({"questions", "predictions", "ratings"})
CLAIMED: Final = "claimed_ratings"
_SCORED: Final = "_score"
_RESULTS: Final = "_results.json"


class Each(Protocol):
    """Hands every record of a file to a reader, and what that finds to its intake."""

    def __call__(self, file: text.TextFile, reader: Any, take: Callable[[Any], None], kind: Kind = "unknown") -> None:
        """Read one file."""


class TestedSteps:
    """The readers and intakes of questions and outputs in one import."""

    def __init__(self, run: Run, job: Job, roots: Roots) -> None:
        """`roots` are where pictures are looked for."""
        self._run = run
        self._job = job
        self._book = QuestionBook(run)
        self.questions = QuestionIntake(run, self._book)
        self._predictions = PredictionIntake(run, self._book)
        self._finder = Finder(roots, search=bool(job.roots))
        self._kinds: set[str] = set()
        self._joined = False
        self.claimed: dict[str, Any] = {}

    def read(self, file: text.TextFile, kind: Kind, each: Each) -> None:
        """Read one file of a kind in `TESTED`; questions come before outputs."""
        self._kinds.add(kind)
        context = Context(file.name, file.path.stem, self._finder.locate, bool(self._job.roots), self._job.model)
        if kind == "questions":
            self._finder.beside = file.path.parent.resolve().as_posix()
            self.questions.begin(file.name)
            each(file, QuestionReader(context, file.sha256), self.questions.take, kind)
            self.questions.finish_file()
        elif kind == "predictions":
            self._join_waiting()
            stem = file.path.stem
            chunk = chunk_of(stem.removesuffix(_SCORED))
            model = self._job.model or _model_of_run(file.path) or model_of_stem(stem)
            self._outputs(file, PredictionReader(context), model, chunk, each)
        else:
            model = self._job.model or _model_of_run(file.path) or file.path.stem.removesuffix("_rating")
            each(file, RatingReader(context, model), self._claim, kind)

    def _outputs(self, file: text.TextFile, reader: PredictionReader, model: str, chunk: Any, each: Each) -> None:
        """The outputs of a file; records that name another model than the one before begin anew."""
        current: list[str] = []

        def take(found: Any) -> None:
            named = model if self._job.model else found.model or model
            if current != [named]:
                if current:
                    self._predictions.finish_file()
                current[:] = [named]
                self._predictions.begin(named, file.name, chunk)
            self._predictions.take(found)

        each(file, reader, take, "predictions")
        if current:
            self._predictions.finish_file()

    def _claim(self, found: tuple[str, dict[str, Any]]) -> None:
        self.claimed[found[0]] = found[1]

    def _join_waiting(self) -> None:
        if "questions" in self._kinds and not self._joined:
            self._joined = True
            self._predictions.join_waiting()

    def finish(self) -> None:
        """Join what waited, and count."""
        self._join_waiting()
        if "questions" in self._kinds:
            self.questions.finish()
        self._predictions.finish()

    def keep_claims(self) -> None:
        """Remember the tools' own accuracies, once the import is published; they are shown beside ours."""
        if self.claimed:
            held = self._run.store.desk.get(CLAIMED, {})
            self._run.store.desk.set(CLAIMED, {**held, **self.claimed})


def _model_of_run(path: Path) -> str | None:
    """The model of a run that is named by its time alone: the results beside it say so, else its folder's name."""
    if not (is_harness_run(path.stem) or path.name.endswith(_RESULTS)):
        return None
    for beside in sorted(path.parent.glob(f"*{_RESULTS}")):
        try:
            held = json.loads(beside.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        name = held.get("model_name") if isinstance(held, dict) else None
        if isinstance(name, str) and name.strip():
            return name
    return path.parent.name if "__" in path.parent.name else None
