"""What a source consists of: its files, what each holds, and whether that is what was asked for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken
from annotator.domain.report import ImportReport
from annotator.errors import Refused, WorldError
from annotator.importers import detect, tables, text
from annotator.importers.detect import Kind
from annotator.store import Store

_NAMED: Final = 100
# What a source says of its responses is said once they are read, which takes this many times as long as one reading.
SAYING: Final = 3
_KEPT_WHOLE: Final[frozenset[Kind]] = frozenset({"dataset", "judge"})
_MEGABYTE: Final = 1024 * 1024
_OBJECTS: Final = frozenset({".pkl", ".pickle"})


@dataclass(slots=True)
class Source:
    """The files of one source, with what each holds."""

    path: Path
    files: list[tuple[text.TextFile, Kind]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def kinds(self) -> tuple[str, ...]:
        """What a person calls the kinds that are in it."""
        return tuple(dict.fromkeys(detect.NAME_OF[k] for _, k in self.files if k in detect.NAME_OF))


@dataclass(slots=True)
class Job:
    """What was asked for.

    Attributes:
        kind: `auto`, or a name of `detect.NAMES`.
        roots: the stated media roots; `model`: the model's name, given by hand.
        token, meter: for stopping and for telling how far it is.
        rater: who speaks in label lines that name nobody; with `rater_wins`, in all.
    """

    kind: str = "auto"
    roots: Sequence[Path] = ()
    model: str | None = None
    token: CancelToken | None = None
    meter: text.Meter = field(default_factory=text.Meter)
    rater: str | None = None
    rater_wins: bool = False


def look(source: Path, job: Job, report: ImportReport) -> Source:
    """Find the files of a source and what they hold.

    Raises:
        Refused: a lone file that holds nothing, or a folder with nothing to import.
    """
    if not source.is_dir():
        job.meter.total = 2 * size_of(source)
        _refuse_objects(source)
        file = tables.inspect(source, source.name, job.token, job.meter)
        report.files, report.source_hash = [file.name], file.sha256
        kind, what = detect.kind_of_file(file, job.token)
        if kind == "unknown" and job.kind == "labels":
            kind = "labels"  # lines that lack what tells a label are told one by one
        if kind == "predictions" and job.kind == "mme-realworld":
            kind = "questions"  # outputs stand in whole question records, and somebody wants the questions
        job.meter.total += said_size([(file, kind)])
        return Source(source, [(file, kind)], [what] if what else [])
    return _look_into(source, job, report)


def _look_into(source: Path, job: Job, report: ImportReport) -> Source:
    """The files of a folder; what is not read is told, and what is damaged gets a line."""
    walked = detect.files_of(source)
    others = walked.others
    if "." in walked.closed:
        why = f'The folder "{source}" may not be read: change its permissions.'
        raise WorldError(why, code="no_access", path=str(source))
    job.meter.total = 2 * sum(size_of(path) for path in walked.data)
    found = Source(source)
    for path in walked.data:
        name = path.relative_to(source).as_posix()
        try:
            file = tables.inspect(path, name, job.token, job.meter)
        except Refused:
            found.notes.append(f"{name} is empty; not read.")
            continue
        kind, what = detect.kind_of_file(file, job.token)
        if kind in detect.ORDER and job.kind in ("auto", detect.NAME_OF[kind]):
            found.files.append((file, kind))
        elif kind == "empty":
            found.notes.append(f"{name} is an empty list; nothing to import from it.")
        elif kind == "other":
            found.notes.append(f"{name} holds {what}, which this version does not read.")
        elif (damage := detect.damage_of(file, job.token)) is not None:
            report.lines.append(damage)
            found.notes.append(f"{name} is damaged ({damage.reason}); not read.")
        else:
            others.append(name)
    found.notes += [f"The folder {name} may not be read: change its permissions." for name in walked.closed]
    found.notes += [f"{name} is a link to nothing, or no file; not read." for name in walked.gone]
    found.notes += [f"{name} is of no known kind; not read." for name in others[:_NAMED]]
    if len(others) > _NAMED:
        found.notes.append(f"{len(others) - _NAMED} more files are of no known kind; not read.")
    if not found.files:
        report.notes += found.notes
        raise Refused(
            f'The folder "{source}" holds nothing to import: name a folder with dataset files, answers or judgements.',
            code="nothing",
            path=str(source),
        )
    found.files.sort(key=lambda pair: (detect.ORDER.index(pair[1]), pair[0].name))
    job.meter.total += said_size(found.files)
    report.files = [file.name for file, _ in found.files]
    digest = hashlib.sha256("".join(file.sha256 for file, _ in found.files).encode("ascii"))
    report.source_hash = digest.hexdigest()
    return found


def check_space(found: Source, store: Store) -> None:
    """Refuse a source that cannot fit, before anything of it is written.

    Dialogues and judgements are kept whole, so that the workspace grows by their size at least, unless it holds them
    already; what it holds now is therefore taken off.

    Raises:
        WorldError: the disk has less left than that.
    """
    needs = sum(file.size for file, kind in found.files if kind in _KEPT_WHOLE)
    free = store.upkeep.free_bytes()
    database = store.database.file
    log = database.with_name(f"{database.name}-wal")
    holds = database.stat().st_size + (log.stat().st_size if log.exists() else 0)
    if needs > free + holds:
        raise WorldError(
            f"The disk that holds {store.folder} is too full for this import: it has {free / _MEGABYTE:,.0f} MB left, "
            f'and "{found.path}" needs more than {needs / _MEGABYTE:,.0f} MB; free some space and import it again.',
            code="disk_full",
            path=str(store.folder),
        )


def size_of(path: Path) -> int:
    """How many bytes a file has.

    Raises:
        WorldError: it went away since it was found.
    """
    try:
        return path.stat().st_size
    except OSError as error:
        raise text.unreadable(path, error) from error


def said_size(files: Sequence[tuple[text.TextFile, Kind]]) -> int:
    """As how many bytes it counts to say what these files say of responses."""
    return SAYING * sum(file.size for file, kind in files if kind == "comparisons")


def _refuse_objects(source: Path) -> None:
    """A pickle may run anything when it is loaded: it never is.

    Raises:
        Refused: for such a file.
    """
    if source.suffix.lower() in _OBJECTS:
        why = f'"{source}" is a file of Python objects, which is never loaded: import the xlsx, tsv or json beside it.'
        raise Refused(why, code="kind", path=str(source))


def fit(found: Source, kind: str) -> None:
    """Check a lone file against the kind that was asked for; what is no JSON is told when it is read.

    Raises:
        Refused: when it is of another kind, or of none that is known.
    """
    if len(found.files) != 1 or found.path.is_dir():
        return
    file, holds = found.files[0]
    if holds == "other":
        why = f'"{file.path}" holds {found.notes.pop()}, which this version does not read: nothing was imported.'
        raise Refused(why, code="kind", path=str(file.path))
    if holds in detect.ORDER and kind not in ("auto", detect.NAME_OF[holds]):
        why = f'"{file.path}" is of kind {detect.NAME_OF[holds]}, not {kind}: import it as {detect.NAME_OF[holds]}.'
        raise Refused(why, code="kind", path=str(file.path))
