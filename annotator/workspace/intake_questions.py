"""Questions into the workspace: each row an item of its own, its picture found or kept once by content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.items import Asset
from annotator.domain.questions import Finding, Question
from annotator.domain.report import ReportLine
from annotator.errors import WorldError
from annotator.importers.mme import MISSING, QuestionFound
from annotator.importers.mme_categories import QuestionTotals
from annotator.media.header import read_header
from annotator.store.codec import body_of
from annotator.workspace.intake import Run
from annotator.workspace.questions_book import QuestionBook
from annotator.workspace.questions_pictures import PictureStore, picture_path

# A part of a set whose records hold their pictures is published after so many rows, or so many bytes of pictures.
PART_ROWS: Final = 2_000
PART_BYTES: Final = 256 << 20


@dataclass(slots=True)
class QuestionIntake:
    """Takes the questions of one import.

    Attributes:
        publish_part: makes what was written so far visible and goes on; None where everything is published at once.
    """

    run: Run
    book: QuestionBook
    publish_part: Callable[[], None] | None = None
    totals: QuestionTotals = field(default_factory=QuestionTotals)
    count: int = 0
    _kept: PictureStore | None = None
    _by_index: dict[str, Asset] = field(default_factory=dict)
    _refers: list[tuple[QuestionFound, str]] = field(default_factory=list)
    _file: str = ""
    _rows: int = 0
    _bytes: int = 0
    _counts: Counter[str] = field(default_factory=Counter)
    _images: Counter[str] = field(default_factory=Counter)

    def begin(self, file: str) -> None:
        """Another file begins: indices count anew."""
        self.finish_file()
        self._file = file

    def take(self, found: QuestionFound) -> None:
        """Write one question unless it is there already."""
        question = found.question
        self.count += 1
        self.totals.add(question.language, question.split, question.canonical)
        known = self.run.writer.known_dialogue(question.item_id)
        if known is not None and found.picture is not None:
            # Its picture was kept when it came first: nothing is decoded again, so that a broken-off import goes on
            # quickly from its last part.
            held = self._held(question)
            self._remember(held)
            self._counts["unchanged"] += 1
            self._count_image(held)
            return
        if found.picture is not None:
            question = self._with_picture(question, found)
        elif found.refers is not None:
            shared = self._by_index.get(found.refers)
            if shared is None:
                self._refers.append((found, found.refers))
                return
            question = question.model_copy(update={"image": shared})
        self._put(question, known is not None)

    def _held(self, question: Question) -> Question:
        body = self.run.store.items.bodies_of([question.item_id])
        return Question.model_validate(body[question.item_id]) if question.item_id in body else question

    def _with_picture(self, question: Question, found: QuestionFound) -> Question:
        if self._kept is None:
            self._kept = PictureStore(self.run.store.folder)
        picture = found.picture or ""
        inside = self._kept.keep(picture)
        if inside is None:
            self.run.say(
                ReportLine(
                    code="picture_bad", file=self._file, line=found.line, record=found.record, field="image",
                    reason="the picture inside the record cannot be decoded; the question is kept without it",
                )
            )  # fmt: skip
            return question
        self._bytes += len(picture)
        raw = question.image.raw if question.image is not None else None
        kept = Asset(role="image", raw=raw, field="image", status="ok", inside=inside)
        reduced = self._reduced(question.image, kept)
        findings = (*question.findings, *reduced)
        return question.model_copy(update={"image": kept, "findings": findings})

    def _reduced(self, original: Asset | None, kept: Asset) -> tuple[Finding, ...]:
        """Whether the record's own picture is smaller than the file that it names."""
        first, second = picture_path(original, self.run.store.folder), picture_path(kept, self.run.store.folder)
        if first is None or second is None:
            return ()
        try:
            whole, small = read_header(first).displayed, read_header(second).displayed
        except WorldError:
            return ()
        if small[0] * small[1] >= whole[0] * whole[1]:
            return ()
        return (Finding(code="image_reduced", detail=f"{small[0]}x{small[1]} of {whole[0]}x{whole[1]}"),)

    def _put(self, question: Question, known: bool) -> None:
        image = question.image
        found = image is not None and image.found
        if found and MISSING in question.findings:
            findings = tuple(f for f in question.findings if f != MISSING)
            question = question.model_copy(update={"findings": findings})
        self._remember(question)
        self._count_image(question)
        self.book.forget()
        self._counts["unchanged" if known else "new"] += 1
        if known and not self._better(question):
            return
        task, domain, category = question.canonical
        self.run.writer.put_item(
            "question",
            question.item_id,
            question.source_id,
            body_of(question),
            title=" ".join(question.text.split())[:200],
            parts=len(question.choices),
            search=[question.text, *[c.text for c in question.choices]],
            digest=question.content_hash(),
            scenario=domain,
            modality="image",
            categories=(task, category, question.language, question.split),
            missing=int(not found),
        )
        self._rows += 1
        if self._bytes and (self._rows >= PART_ROWS or self._bytes >= PART_BYTES) and self.publish_part is not None:
            self._tell()
            self.publish_part()
            self._rows = self._bytes = 0

    def _better(self, question: Question) -> bool:
        """Whether a question that is there is found with a picture now that it was without."""
        head = self.run.store.items.head(question.item_id)
        return head is not None and head.missing > 0 and question.image is not None and question.image.found

    def _remember(self, question: Question) -> None:
        if question.index is not None and question.image is not None and question.image.found:
            self._by_index[question.index] = question.image

    def _count_image(self, question: Question) -> None:
        if question.image is not None:
            status = question.image.status
            self._images["remote" if status == "url" else status] += 1

    def _tell(self) -> None:
        """Put what was counted into the report: there each step is checked, which tens of thousands feel."""
        for value, counts in ((self.run.report, self._counts), (self.run.report.assets, self._images)):
            for name, count in counts.items():
                setattr(value, name, getattr(value, name) + count)
            counts.clear()

    def finish_file(self) -> None:
        """Settle the rows whose picture stood in a later row."""
        waiting, self._refers = self._refers, []
        for found, index in waiting:
            shared = self._by_index.get(index)
            question = found.question if shared is None else found.question.model_copy(update={"image": shared})
            self._put(question, self.run.writer.known_dialogue(question.item_id) is not None)
        self._by_index = {}
        self._tell()

    def finish(self) -> None:
        """Count what was found beside what was published."""
        self.finish_file()
        self.run.report.questions = self.count
        self.run.report.totals |= self.totals.compared()
