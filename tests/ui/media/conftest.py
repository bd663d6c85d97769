"""A theme on the application, and panels over fakes or the real service."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator.media.service import MediaService
from annotator.ui import density, i18n, theme
from annotator.ui.media_panel import MediaPanel
from annotator.ui.player import SoundPlayer
from tests.ui.media.fake import FakeService


@pytest.fixture(autouse=True)
def looks(qapp: QApplication) -> Iterator[None]:
    theme.set_theme(qapp, "light")
    i18n.set_language("en")
    density.update_for(QSize(1600, 1000))
    yield
    theme.set_theme(qapp, "light")
    i18n.set_language("en")


@pytest.fixture(autouse=True)
def silence(monkeypatch: pytest.MonkeyPatch) -> None:
    """No sound device here, and no search for one; tests of sound bring their own."""
    monkeypatch.setattr(SoundPlayer, "_make_sink", lambda *_: None)


@pytest.fixture
def fake() -> FakeService:
    return FakeService()


@pytest.fixture
def make_panel(qtbot: QtBot) -> Iterator[Callable[[object], MediaPanel]]:
    made: list[MediaPanel] = []

    def make(service: object) -> MediaPanel:
        panel = MediaPanel(lambda: service)  # type: ignore[arg-type,return-value]
        qtbot.addWidget(panel)
        panel.resize(741, 754)
        panel.show()
        made.append(panel)
        return panel

    yield make
    for panel in made:
        panel.close_media()


@pytest.fixture
def service() -> Iterator[MediaService]:
    with MediaService(workers=2) as made:
        yield made
