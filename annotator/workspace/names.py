"""What a rater may read of who answered: aliases instead of names, in every text that reaches the window."""

from __future__ import annotations

import re
from collections.abc import Mapping

from annotator.domain.ids import REFERENCE, model_of
from annotator.domain.report import ImportReport, Problem, ReportLine


def shown_names(aliases: Mapping[str, str], *, hide: bool) -> dict[str, str]:
    """Responder id -> what is shown of it: its letter, or the model's name where names are shown; "" = reference."""
    shown = {r: (letter if hide else model_of(r)) for r, letter in aliases.items()}
    return {**shown, REFERENCE: ""}


class Mask:
    """Replaces tested models' names (and whole responder ids, and provider names beside them) by their aliases."""

    def __init__(self, aliases: Mapping[str, str], *, hide: bool) -> None:
        """`aliases`: responder id -> letter; nothing is replaced unless `hide`."""
        words: dict[str, str] = {}
        if hide:
            for responder, letter in aliases.items():
                parts = responder.split("::")
                words[responder] = f"[{letter}]"
                words["::".join(parts[:2])] = f"[{letter}]"
                if len(parts) >= 3:  # a maker's name gives its models away; it stands for no single one of them
                    words.setdefault(parts[0], "[…]")
                words.setdefault(model_of(responder), f"[{letter}]")
                # The same name as people write it into file names.
                words.setdefault(re.sub(r"[^\w.-]+", "_", model_of(responder)), f"[{letter}]")
        self._words = {w.casefold(): alias for w, alias in words.items() if len(w) >= 2}
        longest_first = sorted(self._words, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if longest_first else None

    def __call__(self, text: str) -> str:
        """The text without names."""
        if self._pattern is None or not text:
            return text
        return self._pattern.sub(lambda m: self._words.get(m.group().casefold(), "[?]"), text)

    def report(self, report: ImportReport) -> ImportReport:
        """An import report as the window may show it."""
        if self._pattern is None:
            return report
        update = {
            "lines": [self.line(line) for line in report.lines],
            "notes": [self(n) for n in report.notes],
            "files": [self(f) for f in report.files],
            "source": self(report.source),
        }
        return report.model_copy(update=update)

    def line(self, line: ReportLine) -> ReportLine:
        """One line of a report without names."""
        return line.model_copy(update={"file": self(line.file), "reason": self(line.reason)})

    def problem(self, problem: Problem) -> Problem:
        """A problem without names; its detail is for programs and left out."""
        update = {"file": self(problem.file), "reason": self(problem.reason), "detail": self._detail(problem.detail)}
        return problem.model_copy(update=update)

    def _detail(self, detail: dict[str, object]) -> dict[str, object]:
        return {k: self(v) if isinstance(v, str) else v for k, v in detail.items()}
