"""Pages of questions start as the application does: light theme, English, a normal window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from annotator.ui import density, i18n, theme
from tests.ui.choice.bench import Bench
from tests.ui.choice.invented import FakeQuestions


@pytest.fixture(autouse=True)
def plain_start(qapp: QApplication) -> Iterator[None]:
    _reset(qapp)
    yield
    _reset(qapp)


def _reset(app: QApplication) -> None:
    i18n.set_language("en")
    density.set_text_scale(100)
    density.update_for(QSize(1600, 1000))
    theme.set_theme(app, "light")


@pytest.fixture(scope="session")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images")


@pytest.fixture
def make_bench(qapp: QApplication, images: Path) -> Iterator[Callable[..., Bench]]:
    """Makes pages; all are closed in the end."""
    made: list[Bench] = []

    def make(questions: FakeQuestions | None = None, size: tuple[int, int] = (1600, 1000), **how: int) -> Bench:
        bench = Bench(questions or FakeQuestions(images, **how), size)
        made.append(bench)
        return bench

    yield make
    for bench in made:
        bench.shut()


@pytest.fixture
def bench(make_bench: Callable[..., Bench]) -> Bench:
    return make_bench()
