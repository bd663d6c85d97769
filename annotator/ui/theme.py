"""Colours by role name: the light and the dark theme, their palette and style sheet, and the switch between them.

The roles live in ``resources/theme/tokens.toml``. Nothing else in the window names a colour by number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QGuiApplication, QPainter, QPalette, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QApplication

from annotator import resources
from annotator.ui import density, fonts, style

ThemeName = Literal["light", "dark"]
ThemeChoice = Literal["light", "dark", "system"]
HATCH_TILE = 14


class ThemeBus(QObject):
    """Tells widgets to read their colours again. Lives on the GUI thread."""

    changed = Signal()

    def follow_system(self) -> None:
        """The desktop switched its colour scheme: follow it if that is the person's choice."""
        app = QApplication.instance()
        if _State.choice == "system" and isinstance(app, QApplication):
            _apply(app, _system())

    def follow_density(self) -> None:
        """The text scale may have changed: the application's own font and sizes follow."""
        app = QApplication.instance()
        if _State.applied and isinstance(app, QApplication):
            _apply_sizes(app)


class _State:
    name: ThemeName = "light"
    choice: ThemeChoice = "light"
    applied = False
    sheet = ""
    forced: dict[str, str] | None = None  # the system's own colours while it asks for high contrast
    colors: dict[str, QColor] | None = None


@cache
def bus() -> ThemeBus:
    """The one bus of theme changes."""
    return ThemeBus()


@cache
def tables() -> dict[str, dict[str, str]]:
    """Both themes as written in the tokens file: ``{"light": {role: "#RRGGBB"}, "dark": {…}}``."""
    found = resources.read_toml(resources.path("theme/tokens.toml").read_text(encoding="utf-8"))
    return {name: dict(found[name]) for name in ("light", "dark")}


def name() -> ThemeName:
    """The theme in force."""
    return _State.name


def choice() -> ThemeChoice:
    """What the person chose, ``system`` included."""
    return _State.choice


def roles() -> dict[str, str]:
    """The current theme's roles with their hex values."""
    return _State.forced or tables()[_State.name]


def color(role: str) -> QColor:
    """The current colour of a role; a name that is no role is a programming error (KeyError). Do not modify it."""
    if _State.colors is None:
        _State.colors = {each: QColor(value) for each, value in roles().items()}
    return _State.colors[role]


def set_theme(app: QApplication, theme: ThemeChoice) -> None:
    """Put a theme on the application: style, palette, style sheet, font; then tell the bus.

    Works live, any number of times.
    """
    first = not _State.applied
    _State.choice = theme
    if first:
        fonts.load()
        app.setStyle(style.RubricStyle())
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(bus().follow_system)
        told = hints.accessibility()
        told.contrastPreferenceChanged.connect(bus().follow_system)
        density.bus().changed.connect(bus().follow_density)
        _State.applied = True
    _apply(app, _system() if theme == "system" else theme)


def _system() -> ThemeName:
    return "dark" if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else "light"


def wants_contrast() -> bool:
    """Whether the desktop asks for high contrast (Qt 6.10 and newer tell)."""
    hints = QGuiApplication.styleHints()
    told = hints.accessibility()
    return told.contrastPreference() is Qt.ContrastPreference.HighContrast


def contrast_roles(system: QPalette) -> dict[str, str]:
    """The roles in the system's own colours: shapes stay, soft grounds and greys go."""
    kind = QPalette.ColorRole
    ground, ink = system.color(kind.Window).name(), system.color(kind.WindowText).name()
    marked, on_marked = system.color(kind.Highlight).name(), system.color(kind.HighlightedText).name()
    off = system.color(QPalette.ColorGroup.Disabled, kind.WindowText).name()
    grounds = {"window", "panel", "raised", "sunken", "stage", "hover", "selected", "selected-idle"}
    table = {role: ground if role in grounds or role.endswith("-soft") else ink for role in tables()["light"]}
    table |= {"text-off": off, "accent": marked, "on-accent": on_marked, "on-score": ground}
    return table


def _apply(app: QApplication, theme: ThemeName) -> None:
    _State.name = theme
    _State.colors = _State.forced = None
    if _State.choice == "system" and wants_contrast():
        app.setPalette(QPalette())  # an unset palette gives the system's own back
        _State.forced = contrast_roles(app.palette())
    hatch_brush.cache_clear()
    hatched.cache_clear()
    app.setPalette(palette())
    _apply_sizes(app)
    bus().changed.emit()


def _apply_sizes(app: QApplication) -> None:
    app.setFont(fonts.font("body"))
    sheet = style_sheet()
    if sheet != _State.sheet:
        _State.sheet = sheet
        app.setStyleSheet(sheet)


@cache
def _template() -> str:
    return resources.path("theme/app.qss").read_text(encoding="utf-8")


def style_sheet() -> str:
    """The one style sheet: ``@role`` becomes the colour.

    ``@px(n)`` n pixels times the text scale (never below n for heights).
    """
    table = roles()
    text = re.sub(r"@px\((\d+)\)", lambda m: f"{density.scaled(int(m.group(1)))}px", _template())
    return re.sub(r"@([a-z][a-z0-9]*(?:-[a-z]+)?)", lambda m: table[m.group(1)], text)


def palette() -> QPalette:
    """The roles on a QPalette, so that native dialogs match the window."""
    made = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: "window", role.WindowText: "text", role.Base: "raised", role.AlternateBase: "panel",
        role.Text: "text", role.Button: "raised", role.ButtonText: "text", role.BrightText: "error",
        role.ToolTipBase: "raised", role.ToolTipText: "text", role.PlaceholderText: "text3",
        role.Highlight: "selected", role.HighlightedText: "text", role.Link: "accent-text",
        role.LinkVisited: "accent-text",
        role.Light: "raised", role.Midlight: "hover", role.Mid: "line", role.Dark: "control", role.Shadow: "line",
        role.Accent: "accent",
    }  # fmt: skip
    for target, source in pairs.items():
        made.setColor(target, color(source))
    for target in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, target, color("text-off"))
    made.setColor(QPalette.ColorGroup.Inactive, role.Highlight, color("selected-idle"))
    return made


@cache
def hatch_brush(dpr: float = 1.0) -> QBrush:
    """The as-of gate's hatch on ``sunken``: one 14 px tile for a device pixel ratio (Qt's own patterns do not scale).

    Paint with ``painter.setBrushOrigin`` at the area's corner when neighbouring areas must not join.
    """
    side = round(HATCH_TILE * dpr)
    tile = QPixmap(side, side)
    tile.fill(color("sunken"))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(color("hatch"), 1.0 * dpr))
    for shift in (-side, 0.0, float(side)):
        painter.drawLine(QPointF(shift - 2, side + 2), QPointF(shift + side + 2, -2))
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(HATCH_TILE / side, HATCH_TILE / side))
    return brush


@lru_cache(maxsize=16)
def hatched(width: int, height: int, dpr: float) -> QPixmap:
    """A hatched area of so many device-independent px, kept: copying it takes a tenth of tiling it anew."""
    made = QPixmap(round(width * dpr), round(height * dpr))
    made.setDevicePixelRatio(dpr)
    painter = QPainter(made)
    painter.fillRect(QRectF(0, 0, width, height), hatch_brush(dpr))
    painter.end()
    return made


def fill_hatch(painter: QPainter, area: QRectF) -> None:
    """Hatch an area of the painter's device, anchored at the area's own corner, in one call."""
    device = painter.device()
    painter.save()
    painter.setBrushOrigin(area.topLeft())
    painter.fillRect(area, hatch_brush(device.devicePixelRatioF() if device is not None else 1.0))
    painter.restore()
