from __future__ import annotations

import math
import re

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from annotator import resources
from annotator.ui import density, style, theme


def luminance(value: str) -> float:
    """Relative luminance, WCAG 2.2 definition."""
    channels = [int(value[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT, SIGN = 4.5, 3.0
# (role, ground in light, ground in dark, needed, ratio light, ratio dark): the worst place each role is used in.
PUBLISHED = [
    ("control", "window", "raised", SIGN, 3.1, 3.3),
    ("text", "selected", "selected", TEXT, 13.7, 10.5),
    ("text2", "selected", "selected", TEXT, 6.3, 6.1),
    ("text3", "selected", "selected", TEXT, 4.7, 4.9),
    ("accent", "selected", "selected", SIGN, 5.3, 5.0),
    ("on-accent", "accent", "accent", TEXT, 6.6, 7.1),
    ("accent-text", "selected", "selected", TEXT, 6.6, 6.5),
    ("ok", "ok-soft", "ok-soft", TEXT, 5.0, 6.2),
    ("warn", "warn-soft", "warn-soft", TEXT, 5.1, 7.4),
    ("error", "error-soft", "error-soft", TEXT, 6.3, 5.3),
    ("info", "info-soft", "info-soft", TEXT, 5.3, 6.7),
    ("s1", "sunken", "panel", TEXT, 6.9, 6.4),
    ("s2", "sunken", "panel", TEXT, 4.6, 6.9),
    ("s3", "on-score", "on-score", TEXT, 5.2, 6.9),
    ("s4", "on-score", "on-score", TEXT, 5.4, 6.5),
    ("s5", "on-score", "on-score", TEXT, 8.5, 7.8),
    ("series-a", "panel", "panel", SIGN, 6.4, 6.3),
    ("series-b", "panel", "panel", SIGN, 4.7, 7.1),
    ("series-c", "panel", "panel", SIGN, 5.4, 7.6),
]


@pytest.mark.parametrize(("role", "light", "dark", "needed", "in_light", "in_dark"), PUBLISHED)
def test_every_role_has_the_contrast_it_needs(
    role: str, light: str, dark: str, needed: float, in_light: float, in_dark: float
) -> None:
    for name, ground, published in (("light", light, in_light), ("dark", dark, in_dark)):
        table = theme.tables()[name]
        found = ratio(table[role], table[ground])
        assert found >= needed, f"{role} on {ground} in {name}: {found:.2f}"
        assert math.floor(found * 10) / 10 == published  # the published ratios are rounded down


@pytest.mark.parametrize("name", ["light", "dark"])
def test_text_holds_on_every_ground_it_stands_on(name: str) -> None:
    table = theme.tables()[name]
    for ink in ("text", "text2", "text3"):
        for ground in ("window", "panel", "raised", "sunken", "hover", "selected", "selected-idle"):
            assert ratio(table[ink], table[ground]) >= TEXT, (ink, ground)


def test_both_themes_have_the_same_roles_and_only_full_hex_colours() -> None:
    light, dark = theme.tables()["light"], theme.tables()["dark"]
    assert list(light) == list(dark)
    assert len(light) == 36
    assert all(re.fullmatch(r"#[0-9A-F]{6}", value) for value in (*light.values(), *dark.values()))


def test_stage_is_nearly_neutral() -> None:
    """The surround of the media has no hue that would tint how a picture is seen."""
    for name in ("light", "dark"):
        value = theme.tables()[name]["stage"]
        channels = [int(value[place : place + 2], 16) for place in (1, 3, 5)]
        assert max(channels) - min(channels) <= 7


def test_a_switch_changes_palette_sheet_and_tells_the_bus(qapp: QApplication, qtbot: QtBot) -> None:
    sheet = qapp.styleSheet()
    with qtbot.waitSignal(theme.bus().changed):
        theme.set_theme(qapp, "dark")
    assert theme.name() == "dark"
    assert theme.color("panel").name().upper() == "#1C1F23"
    assert qapp.palette().color(QPalette.ColorRole.Window).name().upper() == "#16181B"
    assert qapp.styleSheet() != sheet


def test_the_system_choice_resolves_to_a_theme(qapp: QApplication) -> None:
    theme.set_theme(qapp, "system")
    assert theme.choice() == "system"
    assert theme.name() in ("light", "dark")


def test_the_style_sheet_has_no_colour_of_its_own_and_no_open_role() -> None:
    template = resources.path("theme/app.qss").read_text(encoding="utf-8")
    assert not re.search(r"#[0-9A-Fa-f]{3,8}\b", template)
    made = theme.style_sheet()
    assert "@" not in made
    assert "px(" not in made


def test_heights_of_the_sheet_grow_with_the_text_scale(qapp: QApplication, qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    field.ensurePolished()
    before = field.sizeHint().height()
    density.set_text_scale(200)
    field.ensurePolished()
    assert field.sizeHint().height() > before * 1.5


def test_an_unknown_role_is_an_error() -> None:
    with pytest.raises(KeyError):
        theme.color("no-such-role")


@pytest.mark.parametrize("dpr", [1.0, 1.25, 2.0])
def test_the_hatch_is_drawn_at_the_device_pixel_ratio(dpr: float) -> None:
    brush = theme.hatch_brush(dpr)
    assert brush.texture().width() == round(theme.HATCH_TILE * dpr)
    side = round(56 * dpr)
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(dpr)
    painter = QPainter(image)
    theme.fill_hatch(painter, QRectF(0, 0, 56, 56))
    painter.end()
    colours = {image.pixelColor(x, y).name() for x in range(side) for y in range(side)}
    assert theme.color("sunken").name() in colours
    assert len(colours) > 1


def test_the_focus_ring_lies_outside_the_box_with_a_gap() -> None:
    image = QImage(40, 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    style.draw_focus_ring(painter, QRectF(10, 10, 20, 20))
    painter.end()
    accent = theme.color("accent").name()
    assert [image.pixelColor(x, 20).name() for x in (7, 8)] == [accent, accent]
    assert image.pixelColor(9, 20).name() == "#ffffff"
    assert image.pixelColor(10, 20).name() == "#ffffff"


def test_no_other_file_of_the_window_names_a_colour_by_number() -> None:
    """Roles only: hex colours and QColor numbers live in the tokens file."""
    folder = resources.root().parent / "annotator" / "ui"
    offenders = [
        f"{file.name}:{number}"
        for file in folder.rglob("*.py")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"""["']#[0-9A-Fa-f]{6}["']|QColor\(\d""", line)
    ]
    assert offenders == []


def test_high_contrast_takes_the_systems_colours_and_drops_soft_grounds(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(theme, "wants_contrast", lambda: True)
    theme.set_theme(qapp, "system")
    assert set(theme.roles()) == set(theme.tables()["light"])
    assert theme.roles()["warn-soft"] == theme.roles()["panel"] == theme.roles()["selected"]
    assert theme.roles()["s1"] == theme.roles()["text"] == theme.roles()["control"]
    assert theme.color("panel") != theme.color("text")
    theme.set_theme(qapp, "dark")
    assert theme.roles() == theme.tables()["dark"]
