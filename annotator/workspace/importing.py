"""One import from beginning to end: looking, reading in order, publishing it or leaving no trace."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken, check
from annotator.domain.report import ImportReport
from annotator.errors import ReadOnlyWorkspace, Refused, WorldError
from annotator.importers import detect, text
from annotator.media.roots import Roots
from annotator.store import Store
from annotator.workspace.intake import Run
from annotator.workspace.intake_judges import Scales
from annotator.workspace.sources import Job, Source, check_space, fit, look
from annotator.workspace.steps import Steps

Progress = Callable[[int, int], None]
KINDS: Final = ("auto", *detect.NAMES)


def import_source(
    store: Store,
    source: Path,
    *,
    kind: str = "auto",
    media_roots: Sequence[Path] = (),
    model: str | None = None,
    token: CancelToken | None = None,
    progress: Progress | None = None,
    rater: str | None = None,
    rater_wins: bool = False,
) -> ImportReport:
    """Bring a file or folder into a workspace; nothing is visible before the end.

    A source that cannot be used as a whole comes back as a report with `refused` set, whose first note is the sentence
    that says why; the workspace is then as it was. `progress` is told the bytes read and the bytes to read (each is
    read twice). `rater` speaks in label lines that name nobody; with `rater_wins`, in all of them.

    Raises:
        WorldError: no such source, kind or media root; a disk that is full; a workspace that cannot be written.
        Cancelled: the token was cancelled; nothing was changed.
    """
    started = time.monotonic()
    _check_request(store, source, kind, media_roots)
    report = ImportReport(kind=kind, source=str(source))
    job = Job(kind, media_roots, model, token, text.Meter(0, progress), rater, rater_wins)
    try:
        found = look(source, job, report)
        fit(found, kind)
        check_space(found, store)
        report.kind = kind if kind != "auto" else found.kinds[0] if len(found.kinds) == 1 else "auto"
        _bring_in(store, found, job, report)
    except Refused as error:
        report = _refused(report, error)
    report.seconds = round(time.monotonic() - started, 3)
    return report


def _check_request(store: Store, source: Path, kind: str, media_roots: Sequence[Path]) -> None:
    if store.read_only:
        raise ReadOnlyWorkspace(store.why or "The workspace can only be read.", code="read_only")
    try:
        there = source.exists()
    except OSError as error:  # a folder on the way may not be entered
        raise text.unreadable(source, error) from error
    if not there:
        raise WorldError(f'There is no file or folder "{source}": check the path.', code="no_file", path=str(source))
    if not (source.is_file() or source.is_dir()):
        # A pipe or a device may never end, and reading one cannot be cancelled.
        raise WorldError(f'"{source}" is no file or folder: choose one.', code="no_file", path=str(source))
    if kind not in KINDS:
        raise WorldError(f'There is no kind "{kind}": use one of {", ".join(KINDS)}.', code="kind")
    for root in media_roots:
        if not root.is_dir():
            raise WorldError(
                f'The media root "{root}" is no folder: check the path.', code="media_root", path=str(root)
            )
        if not os.access(root, os.R_OK | os.X_OK):
            why = f'The media root "{root}" may not be read: change its permissions.'
            raise WorldError(why, code="media_root", path=str(root))


def _refused(report: ImportReport, error: Refused) -> ImportReport:
    """The report of a source of which nothing was kept."""
    return ImportReport(
        kind=report.kind,
        source=report.source,
        source_hash=report.source_hash,
        files=report.files,
        records=report.records,
        rejected=report.rejected,
        lines=report.lines,
        notes=[error.sentence, *report.notes],
        refused=True,
    )


def _bring_in(store: Store, found: Source, job: Job, report: ImportReport) -> None:
    """Read the files in order and publish what they hold."""
    report.notes += found.notes
    with ExitStack() as stack:
        run = Run(
            store, stack.enter_context(store.imports.begin(report.kind, str(found.path))), report,
            store.imports.decisions(), job.token,
        )  # fmt: skip
        roots = _roots(store, found, job)
        steps = Steps(run, job, roots, Scales.of(store))
        if set(found.kinds) == {"mme-realworld"}:
            # Sets that bring gigabytes of pictures are published in parts, so that a broken-off import goes on there.
            steps.in_parts(partial(_publish_part, store, run, stack))
        for file, kind in found.files:
            check(job.token)
            steps.read(file, kind)
        labels = steps.finish()
        check(job.token)
        run.remark()
        run.writer.publish(report, steps.facts())
    steps.learn_hashes()
    steps.keep_claims()
    steps.say_source_labels()
    store.desk.add_media_roots(str(root.resolve()) for root in job.roots)
    if labels is not None:
        labels.finish()
    if labels is not None and not report.accepted and report.records and set(found.kinds) == {"labels"}:
        raise Refused(f'No line of "{found.path}" could be kept: see the reasons in the report.', code="labels")


def _publish_part(store: Store, run: Run, stack: ExitStack) -> None:
    """Make what was written so far visible, and go on writing."""
    check(run.token)
    run.writer.publish(run.report)
    run.writer = stack.enter_context(store.imports.begin(run.report.kind, run.report.source))


def _roots(store: Store, found: Source, job: Job) -> Roots:
    """The stated data roots, else the source's own folder; then those that earlier imports stated."""
    own = found.path if found.path.is_dir() else found.path.parent
    folders = [*(job.roots or [own]), *map(Path, store.desk.media_roots())]
    return Roots(dict.fromkeys(f.resolve() for f in folders), stated=bool(job.roots))
