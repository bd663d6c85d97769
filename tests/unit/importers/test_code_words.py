"""Every code that a line of an import report may carry is said in words, in both languages."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from annotator.domain.report import ACT, LOOK
from annotator.resources import path

ROOT: Final = Path(__file__).resolve().parents[3]
_SAID: Final = re.compile(r'(?:\.say\(|ReportLine\(\s*code=|_line\()\s*"([a-z0-9]+_[a-z_]+)"')


def _said() -> set[str]:
    """The codes that readers and intakes write down."""
    files = [*(ROOT / "annotator/importers").glob("*.py"), *(ROOT / "annotator/workspace").glob("*.py")]
    return {code for file in files for code in _SAID.findall(file.read_text(encoding="utf-8"))}


def _listed() -> set[str]:
    held = json.loads((ROOT / "tests/data/cases/import-cases.json").read_text(encoding="utf-8"))
    return set(held["report_codes"])


@pytest.mark.parametrize("codes", [_said(), _listed(), ACT | LOOK], ids=["said", "listed", "graded"])
def test_every_code_has_words_in_both_languages(codes: set[str]) -> None:
    words = tomllib.loads(path("i18n/codes.toml").read_text(encoding="utf-8"))
    assert len(codes) > 20
    assert {code for code in codes if not all(words.get(code, {}).get(lang) for lang in ("en", "zh_CN"))} == set()
