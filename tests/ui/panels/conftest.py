"""Panels start as the application does: light theme, English, a normal window; what they say is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui import density, i18n, reason, theme
from tests.ui.panels.helpers import QUIET_MS, Desk


@pytest.fixture(autouse=True)
def plain_start(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(reason, "QUIET_MS", QUIET_MS)
    _reset(qapp)
    yield
    _reset(qapp)


def _reset(app: QApplication) -> None:
    i18n.set_language("en")
    density.set_text_scale(100)
    density.update_for(QSize(1600, 1000))
    theme.set_theme(app, "light")


@pytest.fixture
def desk(qtbot: Any) -> Callable[..., Desk]:
    """Puts panels on a shown desk of a size."""

    held: list[Desk] = []  # qtbot holds windows weakly: without this a desk goes while its panels are still tested

    def make(*panels: QWidget, width: int = 572, height: int = 640) -> Desk:
        made = Desk(*panels)
        held.append(made)
        qtbot.addWidget(made)
        made.resize(width, height)
        made.show()
        qtbot.waitExposed(made)
        made.activateWindow()
        return made

    return make
