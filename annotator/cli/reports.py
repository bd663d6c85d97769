"""An import report for people: counts, what needs somebody, what deserves a look."""

from __future__ import annotations

from collections import Counter
from typing import Final

from annotator.cli import say
from annotator.domain.report import ACT, LOOK, ImportReport, ReportLine

# The field of the report, and what it counts: one, and several where that is another word.
_COUNTS: Final = (
    ("dialogues", "dialogue", "dialogues"),
    ("turns", "turn", "turns"),
    ("unanswered", "question without an answer", "questions without an answer"),
    ("questions", "question", "questions"),
    ("comparisons", "comparison", "comparisons"),
    ("records", "record", "records"),
    ("accepted", "accepted", "accepted"),
    ("rejected", "refused", "refused"),
    ("new", "new", "new"),
    ("revised", "revised", "revised"),
    ("unchanged", "unchanged", "unchanged"),
    ("matched", "matched", "matched"),
    ("score_values", "judge's score", "judge's scores"),
    ("attributions", "error attribution", "error attributions"),
    ("failed", "failed", "failed"),
    ("blank", "blank output", "blank outputs"),
    ("correct", "right", "right"),
    ("missing", "question without an output", "questions without an output"),
    ("waiting", "waiting for its item", "waiting for their item"),
    ("joined", "joined", "joined"),
)
_SHOWN_LINES: Final = 40


def tell(report: ImportReport) -> None:
    """Print it: the counts that are not zero, assets, published totals, lines by weight, remarks."""
    parts = [
        f"{value:,} {one if value == 1 else many}" for field, one, many in _COUNTS if (value := getattr(report, field))
    ]
    nothing = "nothing was imported" if report.refused else "nothing in it"
    say.line(f"{report.source or 'The source'} ({report.kind}): {', '.join(parts) or nothing}.")
    assets = {name: count for name, count in report.assets.model_dump().items() if count}
    if assets:
        say.line("Media: " + ", ".join(f"{count:,} {name}" for name, count in assets.items()) + ".")
    if report.totals:
        rows = [(name, t.get("found"), t.get("published")) for name, t in report.totals.items()]
        say.table(("published totals", "found", "published"), rows)
    _lines(report.lines)
    for note in report.notes[1 if report.refused else 0 :]:
        say.line(f"note: {note}")


def _lines(lines: list[ReportLine]) -> None:
    if not lines:
        return
    weight = {**dict.fromkeys(LOOK, "look"), **dict.fromkeys(ACT, "act")}
    ordered = sorted(lines, key=lambda found: ("act", "look", "info").index(weight.get(found.code, "info")))
    counts = Counter(found.code for found in lines)
    say.line(
        f"{len(lines):,} line{'s' if len(lines) > 1 else ''}: "
        + ", ".join(f"{code} {n}" for code, n in counts.most_common())
        + "."
    )
    rows = [
        (weight.get(found.code, "info"), found.code, place(found), found.reason) for found in ordered[:_SHOWN_LINES]
    ]
    say.table(("", "code", "where", "what"), rows)
    if len(ordered) > _SHOWN_LINES:
        say.line(f"… and {len(ordered) - _SHOWN_LINES:,} more (--json has them all).")


def place(found: ReportLine) -> str:
    """Where a line of the report is about: file, line or record or offset, field."""
    where = found.file
    if found.line is not None:
        where += f":{found.line}"
    elif found.record is not None:
        where += f" record {found.record}"
    elif found.offset is not None:
        where += f" byte {found.offset}"
    return f"{where} {found.field}" if found.field else where


def why_refused(report: ImportReport) -> str:
    """The one sentence about a source that was refused as a whole: its first note."""
    reason = report.notes[0] if report.notes else "nothing in it can be imported."
    return reason if report.source and report.source in reason else f"{report.source}: {reason}"
