"""The guide: both languages say the same things, every key it names exists, nothing in it is fetched."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from annotator import resources
from annotator.ui import i18n
from annotator.ui.help import HelpDialog


def guide(language: str) -> str:
    return resources.path(f"help/{language}.md").read_text(encoding="utf-8")


def test_both_guides_have_the_same_chapters_and_keys() -> None:
    english, chinese = guide("en"), guide("zh_CN")
    assert english.count("\n## ") == chinese.count("\n## ")
    keys = [sorted(set(re.findall(r"`([^`]+)`", text))) for text in (english, chinese)]
    only = set(keys[0]) ^ set(keys[1])
    assert only <= {"annotator --help"}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_guide_is_shown_in_the_language_in_force_and_switches(qtbot: QtBot, language: str) -> None:
    i18n.set_language("en")
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    i18n.set_language(language)  # type: ignore[arg-type]
    first = guide(language).splitlines()[0].lstrip("# ")
    assert first in dialog.view.toPlainText()
    i18n.set_language("en")


def test_nothing_is_loaded_from_anywhere(qtbot: QtBot) -> None:
    dialog = HelpDialog()
    qtbot.addWidget(dialog)
    assert dialog.view.loadResource(2, QUrl("http://127.0.0.1:9/x.png")) is None
    assert not dialog.view.openLinks()
