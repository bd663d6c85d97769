"""The sample as a workspace, made once for the whole run, and the window on a copy of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from annotator.app import make_application
from annotator.ui import i18n
from annotator.workspace.setup import ensure_demo
from tests.helpers.driver import Driver


@pytest.fixture(scope="session")
def sample_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample workspace; copy it before writing to it."""
    return ensure_demo(tmp_path_factory.mktemp("sample") / "workspace")


@pytest.fixture
def workspace(sample_workspace: Path, tmp_path: Path) -> Path:
    """A workspace of this test's own."""
    folder = tmp_path / "workspace"
    shutil.copytree(sample_workspace, folder, ignore=shutil.ignore_patterns("data"))
    # Media lie in the workspace's own folder and are found beside it, wherever it is.
    (folder / "data").symlink_to(sample_workspace / "data", target_is_directory=True)
    return folder


@pytest.fixture
def drive(qapp: object, qtbot: QtBot) -> Iterator[Callable[..., Driver]]:
    """Make windows; all are closed in the end."""
    app = make_application([])
    i18n.set_language("en")
    made: list[Driver] = []

    def make(folder: Path | None = None, size: tuple[int, int] = (1600, 1000)) -> Driver:
        driver = Driver(app, folder, size)
        made.append(driver)
        return driver

    yield make
    for driver in made:
        driver.close()
