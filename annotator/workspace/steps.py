"""Reading the files of one import in order: each through its reader into its intake."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from annotator.cancel import Cancelled, CancelToken, check
from annotator.domain.assets import AssetTerms
from annotator.domain.report import ReportLine
from annotator.errors import Refused
from annotator.importers import text
from annotator.importers.attributions import AttributionReader
from annotator.importers.base import Context, Located, Record
from annotator.importers.detect import Kind
from annotator.importers.dialogues import DialogueReader
from annotator.importers.jsonstream import LOST_RECORD, Reader
from annotator.importers.judgements import JudgeReader
from annotator.importers.labels import LabelReader
from annotator.importers.manifest import TABLE_SUFFIXES, ManifestReader, table_records
from annotator.importers.mmrlhf import LOST, ComparisonReader
from annotator.importers.samples import NO_ROUND, SampleReader
from annotator.importers.tables import BINARY_SUFFIXES
from annotator.importers.tables import TABLE_SUFFIXES as ROW_SUFFIXES
from annotator.importers.tables import records as rows_of
from annotator.media.roots import Roots
from annotator.workspace.assets import MANIFEST, AssetBook, merged
from annotator.workspace.intake import Run, assets_of
from annotator.workspace.intake_attributions import AttributionIntake
from annotator.workspace.intake_comparisons import ComparisonIntake
from annotator.workspace.intake_dialogues import DialogueIntake
from annotator.workspace.intake_judges import JudgeIntake, Scales
from annotator.workspace.intake_labels import LabelIntake
from annotator.workspace.intake_samples import SampleIntake
from annotator.workspace.intake_tested import TESTED, TestedSteps
from annotator.workspace.sources import Job, said_size

_ITEMS: Final = frozenset({"dataset", "samples", "rounds"})
# Lines by which a reader says that it makes nothing of a record.
_REFUSED: Final = frozenset({"id_damaged", "label_refused", "asset_unnamed", NO_ROUND, LOST})
_ROWS: Final = TESTED | {"comparisons"}
_AS_ROWS: Final = _ROWS | {"labels"}


class Steps:
    """The readers and intakes of one import."""

    def __init__(self, run: Run, job: Job, roots: Roots, scales: Scales) -> None:
        self._run = run
        self._job = job
        self._roots = roots
        self._scales = scales
        self._dialogues = DialogueIntake(run)
        self._samples = SampleIntake(run)
        self._judges = JudgeIntake(run)
        self._attributions = AttributionIntake(run, self._judges)
        self._tested = TestedSteps(run, job, roots)
        self._comparisons = ComparisonIntake(run)
        self._labels = LabelIntake(run, job.rater, job.rater_wins)
        self._assets: list[AssetTerms] = []
        self._read: list[tuple[text.TextFile, Kind]] = []

    def read(self, file: text.TextFile, kind: Kind) -> None:
        """Read one file into the import.

        Raises:
            Refused: when it is damaged as a whole, or of no known kind.
        """
        self._read.append((file, kind))
        context = self._context(file)
        if kind == "dataset":
            self._each(file, DialogueReader(context), self._dialogues.take)
        elif kind in ("samples", "rounds"):
            self._samples.file = file.name
            self._each(file, SampleReader(context), self._samples.take)
            self._samples.finish()
        elif kind == "judge":
            self._each(file, self._judge_reader(context), self._judges.take)
        elif kind == "attributions":
            self._each(file, AttributionReader(context), self._attributions.take)
        elif kind in TESTED:
            self._tested.read(file, kind, self._each)
        elif kind == "comparisons":
            self._comparisons.begin(file.name)
            self._each(file, ComparisonReader(context), self._comparisons.take, kind)
        elif kind == "manifest":
            self._each(file, ManifestReader(context), self._assets.append)
        elif kind == "labels":
            self._labels.file = file.name
            self._each(file, LabelReader(context), self._labels.take, kind)
        else:
            self._other(file, kind)

    def _judge_reader(self, context: Context, silenced: frozenset[str] = frozenset()) -> JudgeReader:
        return JudgeReader(context, scales=self._scales.mapped, silenced=self._scales.silenced | silenced)

    def _context(self, file: text.TextFile) -> Context:
        def locate(raw: Any) -> Located:
            found = self._roots.resolve(raw)
            return Located(found.status, found.inside, found.root, found.reason)

        def locate_folder(raw: Any) -> Located:
            found = self._roots.resolve(raw, "folder")
            return Located(found.status, found.inside, found.root, found.reason)

        stated = bool(self._job.roots)
        return Context(file.name, file.path.stem, locate, stated, self._job.model, locate_folder)

    def _each(self, file: text.TextFile, reader: Any, take: Callable[[Any], None], kind: Kind = "unknown") -> None:
        """Hand every record of a file to its reader, and what that finds to its intake."""
        report, refused_ids = self._run.report, 0
        for found in self._records(file, kind):
            for value in reader.read(found):
                if isinstance(value, ReportLine):
                    self._run.say(value)
                    refused_ids += value.code in _REFUSED
                else:
                    take(value)
        report.rejected += refused_ids
        report.notes += reader.notes

    def _records(self, file: text.TextFile, kind: Kind = "unknown") -> Iterator[Record]:
        """The records of a file; lines about them go straight into the report."""
        report = self._run.report
        table = file.path.suffix.lower() in TABLE_SUFFIXES
        read = table_records if table else _json_records
        suffix = file.path.suffix.lower()
        if suffix in BINARY_SUFFIXES or (kind in _AS_ROWS and suffix in ROW_SUFFIXES):
            read = rows_of
        for found in read(file, self._job.token, self._job.meter):
            check(self._job.token)
            if isinstance(found, Record):
                report.records += 1
                yield found
                continue
            if found.code in LOST_RECORD and found.record is not None:
                report.records += 1
                report.rejected += 1
            self._run.say(found)

    def _other(self, file: text.TextFile, kind: Kind) -> None:
        """A lone file that holds no record of a known kind: an empty list is fine, anything else is refused."""
        for _ in self._records(file):
            pass
        if kind != "empty":
            why = f'"{file.path}" holds no dialogues, answers, judgements or labels: nothing was imported from it.'
            raise Refused(why, code="kind", path=str(file.path))

    def in_parts(self, publish_part: Callable[[], None]) -> None:
        """Let sets that bring their pictures be published in parts."""
        self._tested.questions.publish_part = publish_part

    def keep_claims(self) -> None:
        """Remember tools' own accuracies, once the import is published."""
        self._tested.keep_claims()

    def say_source_labels(self) -> None:
        """Say what sources of preferences say, once their items are visible."""
        self._comparisons.say_labels(self._job.meter.part(said_size(self._read)))

    def finish(self) -> LabelIntake | None:
        """Join, count and ask; returns the labels that are to be said once the items are visible."""
        run, report = self._run, self._run.report
        kinds = {kind for _, kind in self._read}
        if kinds & _ITEMS:
            self._judges.join(run.source_ids)
            self._attributions.join(run.source_ids)
        if "judge" in kinds:
            self._silence(self._judges.suspects(self._scales))
            self._judges.finish()
        if "attributions" in kinds:
            self._attributions.finish()
        if "dataset" in kinds:
            report.totals = self._dialogues.totals.compared()
        if kinds & TESTED:
            self._tested.finish()
        self._comparisons.finish()
        report.dialogues = len(run.turns)
        report.turns = sum(run.turns.values())
        if kinds & (_ITEMS | _ROWS) and not kinds & {"judge", "attributions", "labels", "manifest"}:
            report.accepted = report.records - report.rejected
        if "manifest" in kinds:
            self._count_manifest()
        return self._labels if "labels" in kinds else None

    def _count_manifest(self) -> None:
        report = self._run.report
        _, counts = merged(self._run.store.desk.get(MANIFEST, []), self._assets)
        report.accepted += len(self._assets)
        report.new += counts["new"]
        report.revised += counts["revised"]
        report.unchanged += counts["unchanged"]
        taken = sum(terms.takedown for terms in self._assets)
        if taken:
            what = "1 asset is" if taken == 1 else f"{taken} assets are"
            report.notes.append(f"{what} under takedown: hidden from now on, and left out of exports.")

    def facts(self) -> dict[str, Any]:
        """What is published with the import: the manifest, so that a takedown holds from the same moment on."""
        if not self._assets:
            return {}
        entries, _ = merged(self._run.store.desk.get(MANIFEST, []), self._assets)
        return {MANIFEST: entries}

    def learn_hashes(self) -> None:
        """Learn the hashes that the manifest needs."""
        book = AssetBook(self._run.store)
        if len(book):
            items = self._run.store.items
            dialogues = (items.dialogue(head.item_id) for head in items.heads("dialogue"))
            try:
                book.learn_hashes((a for d in dialogues for a in assets_of(d)), self._job.token)
            except Cancelled:  # the import itself stands; what is not hashed yet is hashed by the next one
                self._run.report.notes.append("Stopped before all files were hashed: import once more to finish.")

    def _silence(self, suspects: dict[str, tuple[float, float]]) -> None:
        """Read the judge files once more, and keep the suspected judges' records without scores."""
        new = frozenset(suspects) - self._scales.silenced
        if not new:
            return
        for file, kind in self._read:
            if kind != "judge":
                continue
            reader = self._judge_reader(self._context(file), new)
            for record in Reader(file, self._job.token).records():
                for found in reader.read(record) if isinstance(record, Record) else ():
                    if not isinstance(found, ReportLine) and found.record.judge in new and self._judges.is_last(found):
                        self._judges.silence(found)


def _json_records(
    file: text.TextFile, token: CancelToken | None, meter: text.Meter | None
) -> Iterator[Record | ReportLine]:
    return Reader(file, token, meter).records()
