"""The first page and the settings: by keys, remembered, switched live."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from annotator import settings as preferences
from annotator.app import make_application
from annotator.ui import density, i18n, keys, theme
from annotator.ui.settingsdialog import SettingsDialog
from annotator.ui.welcome import WelcomePage
from annotator.ui.welcome_recent import look_at


@pytest.fixture
def page(qtbot: QtBot) -> WelcomePage:
    i18n.set_language("en")
    made = WelcomePage()
    qtbot.addWidget(made)
    made.resize(1366, 740)
    made.show_recent(())
    made.show()
    return made


def test_digits_and_return_start(page: WelcomePage, qtbot: QtBot) -> None:
    page.take_keyboard()
    with qtbot.waitSignal(page.sample_wanted):
        qtbot.keyClick(page.buttons["sample"], Qt.Key.Key_Return)
    with qtbot.waitSignal(page.import_wanted) as told:
        qtbot.keyClick(page.buttons["sample"], "2")
    assert told.args == [[]]


def test_recent_workspaces_are_listed_found_and_opened(page: WelcomePage, qtbot: QtBot, tmp_path: Path) -> None:
    here, gone = tmp_path / "here", tmp_path / "gone"
    (here / "cache").mkdir(parents=True)
    (here / "workspace.db").touch()
    (here / "cache" / "summary.json").write_text(json.dumps({"complete": 3, "rows": 12}), encoding="utf-8")
    assert (look_at(here).done, look_at(here).total) == (3, 12)
    assert not look_at(gone).there
    page.show_recent((str(here), str(gone)))
    assert page.recent.count() == 2
    page.search.set_text("gone")
    page.recent.set_filter("gone")
    assert page.recent.count() == 1
    page.recent.set_filter("")
    with qtbot.waitSignal(page.recent_chosen) as told:
        qtbot.keyClick(page.recent, Qt.Key.Key_Return)
    assert told.args == [str(here)]


def test_a_damaged_summary_is_no_summary(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "workspace.db").touch()
    (tmp_path / "cache" / "summary.json").write_text("{", encoding="utf-8")
    assert look_at(tmp_path).total is None
    assert look_at(tmp_path).there


@pytest.fixture
def dialog(qapp: QApplication, qtbot: QtBot) -> Iterator[SettingsDialog]:
    make_application([])
    i18n.set_language("en")
    made = SettingsDialog()
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    yield made
    keys.set_complete_key(None)
    density.set_text_scale(100)
    i18n.set_language("en")
    theme.set_theme(qapp, "light")


def test_choices_apply_at_once_and_are_remembered(dialog: SettingsDialog) -> None:
    dialog.language.part("zh_CN").click()
    assert i18n.language() == "zh_CN"
    dialog.theme.part("dark").click()
    assert theme.name() == "dark"
    dialog.scale.part("130").click()
    assert density.text_scale() == 130
    held = preferences.load()
    assert (held.language, held.theme, held.text_scale) == ("zh_CN", "dark", 130)


def test_a_free_key_is_taken_and_a_used_one_refused(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.key.click()
    qtbot.keyClick(dialog.key, Qt.Key.Key_K)
    assert "K" in dialog.key_note.text()
    assert preferences.load().complete_key == ""
    dialog.key.click()
    qtbot.keyClick(dialog.key, Qt.Key.Key_F4)
    assert preferences.load().complete_key == "F4"
    assert "F4" in keys.sequences("complete_next")
    dialog.key.click()
    qtbot.keyClick(dialog.key, Qt.Key.Key_Delete)
    assert preferences.load().complete_key == ""


def test_settings_survive_damage_and_nonsense(own_home: Path) -> None:
    file = preferences.config_dir() / preferences.FILE_NAME
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("theme = [", encoding="utf-8")
    assert preferences.load() == preferences.Settings()
    assert list(file.parent.glob("*.damaged-*"))
    file.write_text('theme = 3\ntext_scale = 900\nrecent = ["a", 5]\nunknown = 1\n', encoding="utf-8")
    held = preferences.load()
    assert (held.theme, held.text_scale, held.recent) == ("system", 200, ("a", "5"))


def test_recent_workspaces_are_kept_newest_first_without_repeats(tmp_path: Path, own_home: Path) -> None:
    for name in ("a", "b", "a"):
        preferences.remember(tmp_path / name)
    assert [Path(r).name for r in preferences.load().recent] == ["a", "b"]
