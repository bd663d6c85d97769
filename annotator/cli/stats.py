"""The command that prints figures, and the list of subjects that it knows."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from annotator.cli import say
from annotator.cli.compare import preference
from annotator.cli.options import Json, Subject, opened, stoppable
from annotator.errors import WorldError

if TYPE_CHECKING:
    from annotator.cancel import CancelToken

_NAMES_SHOWN: Final = 60


class Phase(enum.StrEnum):
    """In which state of knowledge labels were made."""

    BLIND = "blind"
    OPEN = "open"
    SOURCE = "source"
    ADJUDICATED = "adjudicated"


def _part(where: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pairs = [text.partition("=") for text in where]
    wrong = next((text for text, (field, sign, _) in zip(where, pairs, strict=True) if not (field and sign)), None)
    if wrong is not None:
        raise typer.BadParameter(f'"{wrong}" names no part: give FIELD=VALUE, such as modality=video.')
    return tuple((field.strip(), value) for field, _, value in pairs)


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line.

    Attributes:
        source: a workspace, or a CSV file.
        subject: one of the registered names.
        judge: the rater of a CSV file that is a judge; project: the spot-check whose weights count.
        where: (field, value) of the part that counts; phase: whose labels count as human judgement.
    """

    source: Path
    subject: str
    by: tuple[str, ...] = ()
    seed: int = 0
    resamples: int = 2_000
    judge: str | None = None
    project: str | None = None
    epsilon: float = 0.2
    where: tuple[tuple[str, str], ...] = ()
    phase: str = "blind"

    def part(self) -> dict[str, frozenset[str]]:
        """Field -> values that count."""
        return {name: frozenset(v for field, v in self.where if field == name) for name, _ in self.where}


Answer = Callable[["Request", "CancelToken", "say.Progress"], dict[str, Any]]
"""Makes the JSON object of contracts: `figures`, `seed`, `resamples`, `rubric`, and what else belongs to it."""

SUBJECTS: Final[dict[str, Answer]] = {}
"""Subject -> what answers it. Other rooms of the command line add theirs here, and their name to `Subject`."""


def _of_workspace(request: Request, token: CancelToken, progress: say.Progress) -> dict[str, Any]:
    from annotator.report.figures import Asked
    from annotator.workspace.figures import Held, figures_of

    asked = Asked(
        by=request.by, seed=request.seed, resamples=request.resamples, epsilon=request.epsilon, token=token,
        progress=progress,
    )  # fmt: skip
    with opened(request.source) as door:
        held = Held(door.store, request.phase)
        return figures_of(door.store, request.subject, asked, request.project, held, request.part()).raw()


def _of_csv(request: Request, token: CancelToken, progress: say.Progress) -> dict[str, Any]:
    from annotator.domain.rubric import load_rubric
    from annotator.report.figures import Asked
    from annotator.workspace.figures_csv import figures_of_csv

    asked = Asked(
        by=request.by, seed=request.seed, resamples=request.resamples, epsilon=request.epsilon, wide=True, token=token,
        progress=progress,
    )  # fmt: skip
    figures, read = figures_of_csv(request.source, request.subject, asked, request.judge)
    return {
        "subject": request.subject,
        "figures": [figure.raw() for figure in figures],
        "seed": request.seed,
        "resamples": request.resamples,
        "rubric": load_rubric().name,
        "missing": read.missing,
        "notes": [] if "cluster" in read.columns else ["No intervals: the file has no column cluster."],
        "lines": [
            {"code": line.code, "file": read.path.name, "line": line.line, "reason": line.reason} for line in read.lines
        ],
    }


def _of_questions(request: Request, token: CancelToken, progress: say.Progress) -> dict[str, Any]:
    from annotator.report.figures import Asked
    from annotator.workspace.figures_accuracy import accuracy_of
    from annotator.workspace.questions import RUBRIC

    asked = Asked(
        by=request.by, seed=request.seed, resamples=request.resamples, token=token, progress=progress,
    )  # fmt: skip
    with opened(request.source) as door:
        figures, notes = accuracy_of(door.store, asked, request.part())
    return {
        "subject": request.subject,
        "figures": [figure.raw() for figure in figures],
        "seed": request.seed,
        "resamples": request.resamples,
        "rubric": RUBRIC,
        "notes": list(notes),
    }


for _subject in ("agreement", "calibration", "retention", "effort"):
    SUBJECTS[_subject] = _of_workspace
SUBJECTS["accuracy"] = _of_questions
SUBJECTS["preference"] = preference


def stats(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="WORKSPACE|FILE.csv",
            help="A workspace, or a CSV: item, rater, score.",
            show_default=False,
            readable=False,
        ),
    ],
    subject: Annotated[Subject, typer.Argument(help="What the figures are about.", show_default=False)],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Apart by dimension, scenario, model, ...; may be given several times."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling.")] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="How many, for each interval.")] = 2_000,
    judge: Annotated[str | None, typer.Option(metavar="RATER", help="Which rater of a CSV file is a judge.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="NAME", help="Over a spot-check's sample, with its weights.")
    ] = None,
    epsilon: Annotated[
        float,
        typer.Option(min=0.0, max=0.99, help="Of the alternative annotator test: what a judge's low cost is worth."),
    ] = 0.2,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=VALUE", help="Only this part; values of one field add up, fields narrow."),
    ] = None,
    phase: Annotated[Phase, typer.Option(help="Whose labels count as human judgement.")] = Phase.BLIND,
    figure: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="This figure alone; may be given several times.")
    ] = None,
    json: Json = False,
) -> None:
    """Print figures with intervals: agreement, calibration and more."""
    request = Request(
        source, subject.value, tuple(dict.fromkeys(by or ())), seed, resamples, judge, project, epsilon,
        _part(where or ()), phase.value,
    )  # fmt: skip
    progress = say.Progress("Calculating:")
    csv = not source.is_dir() and source.suffix.lower() == ".csv"
    answer = _of_csv if csv else SUBJECTS[subject.value]
    with stoppable("Stopped: nothing was changed.") as token:
        try:
            told = answer(request, token, progress)
        except ValueError as error:
            raise WorldError(f"{source} cannot be calculated: {error}.", path=str(source)) from error
        finally:
            progress.clear()
    if figure:
        told["figures"] = [one for one in told["figures"] if one["name"] in figure]
        if not told["figures"]:
            raise WorldError(
                f"There is no figure {' or '.join(figure)} of {subject.value}: leave --figure out for all."
            )
    if json:
        say.as_json(told)
    else:
        tell(told)


def tell(told: dict[str, Any]) -> None:
    """Figures for people: one line each, with n and interval, or why there is none."""
    rows = [
        (
            figure["name"],
            ", ".join(_said(value) for value in figure["by"].values()),
            _shown(figure["value"]),
            "" if figure["low"] is None else f"{_shown(figure['low'])} to {_shown(figure['high'])}",
            figure["n"],
            figure["n_clusters"],
            figure["why"] or "",
        )
        for figure in told["figures"]
    ]
    whole = "images" if told.get("subject") == "accuracy" else "dialogues"
    say.table(("figure", "of", "value", "95 % interval", "n", whole, "why"), rows)
    for line in told.get("lines", []):
        say.complain(f"{line['file']}, line {line['line']}: {line['reason']} ({line['code']}).")
    for note in told.get("notes", []):
        say.line(note)
    say.line(f"seed {told['seed']}, {told['resamples']:,} resamples, rubric {told['rubric']}.")


def _said(value: Any) -> str:
    return " | ".join(str(part) for part in value) if isinstance(value, list) else str(value)


def _shown(value: Any) -> str:
    if value is None:
        return "undefined"
    if isinstance(value, list | tuple):
        return say.cut("[" + ", ".join(_shown(part) for part in value) + "]", _NAMES_SHOWN)
    return f"{value:.4f}" if isinstance(value, float) else str(value)
