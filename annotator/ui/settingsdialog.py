"""Settings: language, theme, text size, and the one key that can be chosen. Everything applies at once."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from annotator import settings as preferences
from annotator.ui import density, i18n, keys, theme
from annotator.ui.i18n import tr
from annotator.ui.reveal_setting import RevealSetting
from annotator.ui.widgets import Button, ElidedLabel, PlainLabel, Segmented
from annotator.ui.widgets.base import Live

SCALES = (90, 100, 115, 130, 150)
_MODIFIERS = frozenset({Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr})


class KeyButton(Button):
    """Shows a key; pressed, it takes the next key as the new one. Delete takes the key away, Esc leaves it."""

    def __init__(self, owner: SettingsDialog) -> None:
        """The dialog decides whether a key may be taken."""
        super().__init__("", icon="keyboard")
        self._owner = owner
        self.listening = False
        self.clicked.connect(self._listen)

    def _listen(self) -> None:
        self.listening = True
        self._owner.retranslate()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the key while listening."""
        if not self.listening:
            super().keyPressEvent(event)
        elif Qt.Key(event.key()) not in _MODIFIERS:
            self.listening = False
            self._owner.take_key(event)


class SettingsDialog(Live, QDialog):
    """What one person prefers on this machine."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Show what is in force."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._problem = ""
        self.labels = {
            name: ElidedLabel("", style="body", weight=500) for name in ("language", "theme", "scale", "key")
        }
        self.language = Segmented()
        self.theme = Segmented()
        self.scale = Segmented()
        for name in ("system", "zh_CN", "en"):
            self.language.add(name, name)
        for name in ("system", "light", "dark"):
            self.theme.add(name, name)
        for percent in SCALES:
            self.scale.add(str(percent), f"{percent} %")
        self.key = KeyButton(self)
        self.key_note = PlainLabel("", style="label", role="text3")
        self.close_button = Button("", kind="primary")
        self.reveal = RevealSetting(parent)
        self._lay_out()
        self.language.chosen.connect(self._choose_language)
        self.theme.chosen.connect(self._choose_theme)
        self.scale.chosen.connect(self._choose_scale)
        self.close_button.clicked.connect(self.accept)
        self.go_live()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(16)
        rows = (("language", self.language), ("theme", self.theme), ("scale", self.scale), ("key", self.key))
        for row, (name, control) in enumerate(rows):
            grid.addWidget(self.labels[name], row, 0)
            grid.addWidget(control, row, 1, Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(self.key_note, len(rows), 1)
        grid.setColumnMinimumWidth(0, 140)
        grid.setColumnStretch(1, 1)
        self.reveal.lay_out(grid, len(rows) + 1)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 16)
        layout.setSpacing(20)
        layout.addLayout(grid)
        layout.addLayout(foot)
        self.setMinimumWidth(560)

    def _choose_language(self, name: str) -> None:
        chosen = i18n.system_language() if name == "system" else cast(i18n.Language, name)
        preferences.save(replace(preferences.load(), language=name))
        i18n.set_language(chosen)
        self.retranslate()

    def _choose_theme(self, name: str) -> None:
        preferences.save(replace(preferences.load(), theme=name))
        theme.set_theme(cast(QApplication, QApplication.instance()), cast(theme.ThemeChoice, name))
        self.retranslate()

    def _choose_scale(self, name: str) -> None:
        preferences.save(replace(preferences.load(), text_scale=int(name)))
        density.set_text_scale(int(name))
        theme.set_theme(cast(QApplication, QApplication.instance()), theme.choice())
        self.retranslate()

    def take_key(self, event: QKeyEvent) -> None:
        """Bind the pressed key to complete-and-next, unless it means something already."""
        self._problem = ""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._bind("")
        elif event.key() != Qt.Key.Key_Escape:
            sequence = QKeySequence(event.keyCombination()).toString(QKeySequence.SequenceFormat.PortableText)
            if keys.can_bind(sequence):
                self._bind(sequence)
            else:
                self._problem = tr("settings.key_taken", name=sequence)
        self.retranslate()

    def _bind(self, sequence: str) -> None:
        keys.set_complete_key(sequence or None)
        preferences.save(replace(preferences.load(), complete_key=sequence))

    def retranslate(self) -> None:
        """Read the texts again."""
        held = preferences.load()
        self.setWindowTitle(tr("settings.title"))
        for name, label in self.labels.items():
            label.set_text(tr(f"settings.{name}"))
        for name in ("system", "zh_CN", "en"):
            self.language.set_text(name, tr(f"settings.language_{name}"))
        for name in ("system", "light", "dark"):
            self.theme.set_text(name, tr(f"settings.theme_{name}"))
        self.language.set_current(held.language if held.language in ("zh_CN", "en") else "system")
        self.theme.set_current(theme.choice())
        self.scale.set_current(str(min(SCALES, key=lambda s: abs(s - density.text_scale()))))
        self.key.set_text(
            tr("settings.key_press") if self.key.listening else held.complete_key or tr("settings.key_none")
        )
        self.key_note.set_text(self._problem or tr("settings.key_note"))
        self.key_note.set_role("error" if self._problem else "text3")
        self.reveal.retranslate()
        self.close_button.set_text(tr("settings.close"))
