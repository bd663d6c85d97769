"""The two switches at the foot of the window, language and theme: at once, and remembered."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QApplication

from annotator import settings as preferences
from annotator.ui import i18n, theme


def toggle_language() -> None:
    """Chinese or English."""
    i18n.set_language(i18n.other_language())
    preferences.save(replace(preferences.load(), language=i18n.language()))


def toggle_theme() -> None:
    """System, light, dark, in turn."""
    order: tuple[theme.ThemeChoice, ...] = ("system", "light", "dark")
    chosen = order[(order.index(theme.choice()) + 1) % 3]
    theme.set_theme(QApplication.instance(), chosen)  # type: ignore[arg-type]
    preferences.save(replace(preferences.load(), theme=chosen))
