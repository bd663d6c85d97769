"""The awkward files of tests/data/media, unpacked once, and clips made on the spot."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parents[2] / "data" / "media"


def load_cases(kind: str) -> list[dict[str, Any]]:
    cases = json.loads((DATA / "media-cases.json").read_text(encoding="utf-8"))["cases"]
    return [case for case in cases if case["kind"] == kind]


@pytest.fixture(scope="session")
def media_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where images/, videos/ and frames/ of the case files lie."""
    root = tmp_path_factory.mktemp("media-cases")
    with tarfile.open(DATA / "media.tar.gz") as tar:
        wanted = [m for m in tar.getmembers() if m.name.lstrip("./").split("/")[0] in ("images", "videos", "frames")]
        tar.extractall(root, members=wanted, filter="data")
    return root
