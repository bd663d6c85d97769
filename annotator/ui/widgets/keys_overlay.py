"""All keys on one page, shown by `?`: in the window's language, with the other one beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from annotator.ui import i18n, keys
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.buttons import Button
from annotator.ui.widgets.frames import Ground
from annotator.ui.widgets.text import ElidedLabel, Keycap, PlainLabel

# Runs of like keys are one line: first key, dash, last key, and one sentence.
_RUNS: dict[str, tuple[str, str]] = {
    "score_1": ("score_5", "keys.run_score"),
    "answer_a": ("answer_e", "keys.run_answer"),
    "letter_a": ("letter_e", "keys.run_letter"),
    "pick_a": ("pick_e", "keys.run_pick"),
    "response_flag_1": ("response_flag_5", "keys.run_response_flag"),
}
_COLUMNS: tuple[tuple[keys.Group, ...], ...] = (
    ("score", "move", "turn", "verdict"),
    ("media", "window"),
    ("question", "comparison"),
)
# The middle one has the longest sentences.
_SHARES = (12, 13, 11)


class KeysOverlay(Live, QDialog):
    """A plain dialog; Esc, `?` or the button close it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModal(True)
        self._title = ElidedLabel("", "page")
        self._note = PlainLabel("", "label", "text3")
        self._close = Button(kind="default", key="Esc")
        self._close.clicked.connect(self.accept)
        self._heads: list[tuple[keys.Group, ElidedLabel]] = []
        self._lines: list[tuple[str, ElidedLabel, ElidedLabel]] = []
        page = Ground("panel")
        columns = QHBoxLayout(page)
        columns.setContentsMargins(16, 12, 16, 12)
        columns.setSpacing(20)
        for groups, share in zip(_COLUMNS, _SHARES, strict=True):
            columns.addLayout(self._column(groups), share)
        area = QScrollArea()
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = QHBoxLayout()
        head.setContentsMargins(16, 10, 12, 10)
        head.addWidget(self._title)
        head.addSpacing(12)
        head.addWidget(self._note, 1)
        head.addWidget(self._close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(head)
        whole.addWidget(area, 1)
        self.resize(1320, 700)
        self.go_live()

    def retranslate(self) -> None:
        """Both languages of every line."""
        self.setWindowTitle(i18n.tr("keys.title"))
        self._title.set_text(i18n.tr("keys.title"))
        self._note.set_text(i18n.tr("keys.note"))
        self._close.set_text(i18n.tr("keys.close"))
        for group, label in self._heads:
            label.set_text(i18n.tr(f"keys.group_{group}"))
        for key, first, second in self._lines:
            first.set_text(i18n.tr(key))
            second.set_text(i18n.tr_in(i18n.other_language(), key))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """`?` closes what it opened."""
        if event.key() == Qt.Key.Key_Question:
            self.accept()
            return
        super().keyPressEvent(event)

    def _column(self, groups: tuple[keys.Group, ...]) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(4)
        for group in groups:
            label = ElidedLabel("", "label", "text3", 600)
            self._heads.append((group, label))
            column.addWidget(label)
            column.addLayout(self._group(group))
            column.addSpacing(10)
        column.addStretch(1)
        return column

    def _group(self, group: keys.Group) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(3)
        grid.setColumnMinimumWidth(0, 86)
        grid.setColumnStretch(1, 1)
        skip_until = ""
        row = 0
        for key in (each for each in keys.KEYS if each.group == group):
            if skip_until:
                skip_until = "" if key.id == skip_until else skip_until
                continue
            last, text = _RUNS.get(key.id, ("", f"keys.{key.id}"))
            skip_until = last
            caps = (keys.label(key.id), "–", keys.label(last)) if last else keys.caps(key.id)
            grid.addLayout(self._caps(caps), row, 0)
            words = QHBoxLayout()
            words.setSpacing(8)
            first, second = ElidedLabel("", "label"), ElidedLabel("", "meta", "text3")
            words.addWidget(first)
            words.addWidget(second, 1)
            grid.addLayout(words, row, 1)
            self._lines.append((text, first, second))
            row += 1
        return grid

    def _caps(self, caps: tuple[str, ...]) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(3)
        for cap in caps:
            row.addWidget(ElidedLabel("–", "label", "text3") if cap == "–" else Keycap(cap))
        row.addStretch(1)
        return row
