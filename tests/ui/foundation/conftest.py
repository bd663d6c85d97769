"""The window's foundation as the application starts it: light theme, English, a normal window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from annotator.ui import density, i18n, keys, theme

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The offscreen platform tells what it cannot do for a window; that is no fault of a widget."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(
                pytest.mark.qt_log_ignore("plugin does not support (propagateSizeHints|raise|grabbing the keyboard)")
            )


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
