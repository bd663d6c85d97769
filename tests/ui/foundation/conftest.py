"""The window's foundation as the application starts it: light theme, English, a normal window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from annotator.ui import density, i18n, keys, theme


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
    keys.set_complete_key(None)
