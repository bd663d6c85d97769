"""Lucide icons in the colour of the text beside them.

A missing file is told by a test; at run time it becomes an empty picture and one log line, never a crash.
"""

from __future__ import annotations

import logging
from functools import cache

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from annotator import resources
from annotator.ui import theme

log = logging.getLogger(__name__)
STROKE = "1.75"
_pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}


def names() -> frozenset[str]:
    """The icons that are there."""
    folder = resources.root() / "icons"
    return frozenset(file.stem for file in folder.glob("*.svg")) if folder.is_dir() else frozenset()


@cache
def _source(name: str) -> str | None:
    file = resources.root() / "icons" / f"{name}.svg"
    if not file.is_file():
        log.warning("The icon %s is missing from the resources; the place stays empty.", name)
        return None
    return file.read_text(encoding="utf-8").replace('stroke-width="2"', f'stroke-width="{STROKE}"')


def pixmap(name: str, role: str = "text", size: int = 16, dpr: float | None = None) -> QPixmap:
    """The icon ``size`` px wide in the current colour of ``role``; ``dpr`` defaults to the application's highest."""
    ratio = dpr if dpr is not None else _ratio()
    colour = theme.color(role).name()
    key = (name, colour, size, ratio)
    found = _pixmaps.get(key)
    if found is None:
        found = _pixmaps[key] = _render(name, colour, size, ratio)
    return found


def icon(name: str, role: str = "text", size: int = 16, off_role: str = "text-off") -> QIcon:
    """A QIcon with a disabled state in ``off_role``; ask again after a theme change."""
    made = QIcon(pixmap(name, role, size))
    made.addPixmap(pixmap(name, off_role, size), QIcon.Mode.Disabled)
    return made


def paint(painter: QPainter, name: str, x: float, y: float, role: str = "text", size: int = 16) -> None:
    """Draw an icon with its top left corner at (x, y), sharp at the painter's device pixel ratio."""
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    painter.drawPixmap(QPointF(x, y), pixmap(name, role, size, ratio))


def clear() -> None:
    """Forget all pictures; the colours changed."""
    _pixmaps.clear()


def _ratio() -> float:
    app = QGuiApplication.instance()
    return app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0


def _render(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    made = QPixmap(QSize(size, size) * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    source = _source(name)
    if source is not None:
        painter = QPainter(made)
        renderer = QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode()))
        renderer.render(painter, QRectF(0, 0, size, size))
        painter.end()
    return made


theme.bus().changed.connect(clear)
