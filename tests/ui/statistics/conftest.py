"""The statistics page on workspaces that are made once: one with several raters and judges, and the bundled sample."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from annotator.app import make_application
from annotator.report.figures import Asked
from annotator.sample.judging import session_records, turn_records
from annotator.sample.labelling import label_records
from annotator.sample.records import answers_entry, dataset_entry
from annotator.sample.script import MODELS, read_dialogues
from annotator.store.readings import Readings
from annotator.ui import density, i18n, theme
from annotator.workspace import figures_room
from annotator.workspace.figures import Figures
from annotator.workspace.figures_room import FigureRoom, Question
from tests.helpers.driver import Driver
from tests.helpers.imports import bring, workspace, write
from tests.ui.statistics.bench import Bench
from tests.ui.statistics.made import build


@pytest.fixture(autouse=True)
def plain_start(qapp: QApplication) -> Iterator[None]:
    _reset(qapp)
    yield
    _reset(qapp)


@pytest.fixture(autouse=True)
def kept_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that one test had calculated serve the next, as long as nothing is written: the page is tested here."""
    for subject in ("agreement", "calibration"):
        monkeypatch.setitem(figures_room.ANSWERS, subject, _keeping(figures_room.ANSWERS[subject]))


_KEPT: dict[tuple[object, ...], Figures] = {}


def _keeping(answer: figures_room.Answer) -> figures_room.Answer:
    def ask(room: FigureRoom, question: Question, asked: Asked) -> Figures:
        key = (room.store.desk.workspace_id, Readings(room.store.database).stamp(), question, asked.resamples)
        if key not in _KEPT:
            _KEPT[key] = answer(room, question, asked)
        return _KEPT[key]

    return ask


def _reset(app: QApplication) -> None:
    i18n.set_language("en")
    density.set_text_scale(100)
    density.update_for(QSize(1600, 1000))
    theme.set_theme(app, "light")


@pytest.fixture(scope="session")
def made_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three raters, two judges, two models, twenty-two dialogues; only read it."""
    return build(tmp_path_factory.mktemp("statistics"))


@pytest.fixture(scope="session")
def sample_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled sample without its media; only read it."""
    folder, dialogues = tmp_path_factory.mktemp("sample"), read_dialogues()
    with workspace(folder) as held:
        for modality in ("video", "image"):
            entries = [dataset_entry(d) for d in dialogues if d.modality == modality]
            bring(held, write(folder / f"{modality}.json", entries))
        bring(held, write(folder / "answers.jsonl", [answers_entry(d, m) for d in dialogues for m in MODELS]))
        bring(held, write(folder / "turns.jsonl", turn_records(dialogues)))
        bring(held, write(folder / "sessions.jsonl", session_records(dialogues)))
        bring(held, write(folder / "labels.jsonl", label_records(dialogues)), kind="labels")
    return folder / "workspace"


@pytest.fixture
def bench(qapp: QApplication) -> Iterator[Callable[..., Bench]]:
    """Makes pages on a workspace; all are closed in the end."""
    made: list[Bench] = []

    def make(
        folder: Path | None, size: tuple[int, int] = (1400, 900), section: str = "calibration", resamples: int = 0
    ) -> Bench:
        one = Bench(folder, size, section, resamples or (200 if section == "calibration" else 2_000))
        made.append(one)
        return one

    yield make
    for one in made:
        one.shut()


@pytest.fixture
def drive(qapp: object) -> Iterator[Callable[[Path], Driver]]:
    """Windows on a copy of a workspace; all are closed in the end."""
    app = make_application([])
    made: list[Driver] = []

    def make(folder: Path) -> Driver:
        driver = Driver(app, folder)
        made.append(driver)
        return driver

    yield make
    for driver in made:
        driver.close()


@pytest.fixture
def own(tmp_path: Path) -> Callable[[Path], Path]:
    """A copy that may be written."""

    def copy(folder: Path) -> Path:
        target = tmp_path / "own"
        shutil.copytree(folder, target)
        return target

    return copy
