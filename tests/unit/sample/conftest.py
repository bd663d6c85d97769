"""One sample for all tests of this room: it takes some seconds to make."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from annotator.sample import SampleFolder, build_sample


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> SampleFolder:
    return build_sample(tmp_path_factory.mktemp("sample") / "data")


@pytest.fixture(scope="session")
def lines(sample: SampleFolder) -> Callable[[str], list[dict[str, Any]]]:
    """Reads a JSON Lines file of the sample."""

    def read(name: str) -> list[dict[str, Any]]:
        text = (sample.root / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    return read


@pytest.fixture(scope="session")
def dataset(sample: SampleFolder) -> dict[str, dict[str, Any]]:
    """The six dialogues by id, as they stand in the two dataset files."""
    found: dict[str, dict[str, Any]] = {}
    for file in sample.datasets:
        found |= {entry["_ai_unique_id_"]: entry for entry in json.loads(file.read_text(encoding="utf-8"))}
    return found
