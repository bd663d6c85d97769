"""Two people with equal data, and a folder that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.sync.made import Place


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    return folder


@pytest.fixture
def settle_in(tmp_path: Path) -> Iterator[Callable[..., Place]]:
    """Make workspaces; all are closed in the end."""
    made: list[Place] = []

    def make(name: str, rater: str = "", *, items: bool = True) -> Place:
        made.append(Place(tmp_path / name, rater or name, items=items))
        return made[-1]

    yield make
    for place in made:
        place.door.close()


@pytest.fixture
def anna(settle_in: Callable[..., Place]) -> Place:
    return settle_in("anna")


@pytest.fixture
def bo(settle_in: Callable[..., Place]) -> Place:
    return settle_in("bo")
