"""The tray under the media: goal and persona with the rater's own turn scores, notes, and proposed edits."""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from annotator.ui import density, fonts, theme
from annotator.ui.edits import EditsPanel
from annotator.ui.evidence_page import EvidencePage
from annotator.ui.i18n import tr
from annotator.ui.media_terms import TermsPage
from annotator.ui.reason import NoteEdit
from annotator.ui.score_table import ScoreTable
from annotator.ui.textcolumn import Paragraph, TextColumn
from annotator.ui.widgets import ElidedLabel, Keycap, Separator, paint
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

TabId = Literal["evidence", "goal", "terms", "notes", "edits"]
TABS: tuple[TabId, ...] = ("evidence", "goal", "terms", "notes", "edits")
BAR = 30
BODY = {density.Density.SMALL: 208, density.Density.NORMAL: 216, density.Density.WIDE: 216}


def told(value: Any, indent: str = "") -> list[str]:
    """Free-form JSON as lines `key: value`, nested values below their key, in the order of the source."""
    if isinstance(value, dict):
        lines: list[str] = []
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                lines += [f"{indent}{key}:", *told(inner, indent + "    ")]
            else:
                lines.append(f"{indent}{key}: {_scalar(inner)}")
        return lines
    if isinstance(value, list):
        return [line for inner in value for line in told(inner, indent)]
    return [] if value is None else [f"{indent}{_scalar(value)}"]


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "–" if value is None else str(value)


class Tray(Live, QWidget):
    """Tabs over one page each; folded to its tabs where there is no room, until it is opened.

    Signals:
        said(target, field, value), draft(target, field, text): a note or an edit.
        turn_clicked(turn): from the table of own scores.
        opened(on): the pages were shown or folded away.
        left(): the keyboard may go back to the grid.
    """

    said = Signal(str, str, object)
    draft = Signal(str, str, str)
    turn_clicked = Signal(int)
    opened = Signal(bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tray")
        self._view: ReviewView | None = None
        self._turn: int | None = 0
        self._own: dict[tuple[str, str], str | None] = {}
        self._open: bool | None = None
        self.tabs = QTabBar(self)
        self.tabs.setObjectName("trayTabs")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        for _ in TABS:
            self.tabs.addTab("")
        self.cap = Keycap("toggle_tray", self)
        self.pages = QStackedWidget(self)
        self.goal, self.scores, self.edits = TextColumn(), ScoreTable(), EditsPanel()
        self.notes = {"item": NoteEdit(), "turn": NoteEdit()}
        self.note_labels = {name: ElidedLabel(style="meta", role="text3", weight=600) for name in self.notes}
        self.evidence, self.terms = EvidencePage(), TermsPage()
        self.pages.addWidget(self.evidence)
        self.pages.addWidget(self._goal_page())
        self.pages.addWidget(self.terms)
        self.pages.addWidget(self._notes_page())
        self.pages.addWidget(self.edits)
        self._lay_out()
        self.tabs.currentChanged.connect(self._tab)
        self.tabs.tabBarClicked.connect(self._tab_clicked)
        self.evidence.counted.connect(self._words)
        self.scores.turn_clicked.connect(self.turn_clicked)
        self.edits.said.connect(self._edited)
        self.edits.draft.connect(self.draft)
        self.edits.left.connect(self.left)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def _goal_page(self) -> QWidget:
        page = QWidget()
        self.score_area = QScrollArea()
        self.score_area.setWidget(self.scores)
        self.score_area.setFrameShape(QFrame.Shape.NoFrame)
        self.score_area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scores.setProperty("ground", "panel")
        self.divider = Separator(vertical=True)
        row = QHBoxLayout(page)
        row.setContentsMargins(14, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self.goal, 1)
        row.addWidget(self.divider)
        row.addWidget(self.score_area)
        return page

    def _notes_page(self) -> QWidget:
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(14, 8, 12, 8)
        row.setSpacing(12)
        for name, edit in self.notes.items():
            column = QVBoxLayout()
            column.setSpacing(3)
            column.addWidget(self.note_labels[name])
            column.addWidget(edit, 1)
            row.addLayout(column, 1)
            edit.setObjectName(f"note_{name}")
            edit.committed.connect(self._noted)
            edit.drafted.connect(self._drafted)
            edit.left.connect(self.left)
        return page

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(6, 1, 10, 0)
        head.addWidget(self.tabs)
        head.addStretch(1)
        head.addWidget(self.cap)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.pages, 1)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_review(self, view: ReviewView, turn: int | None) -> None:
        """Show a dialogue's goal, persona, notes and edits with `turn` open (None = the session view)."""
        same = self._view is not None and self._view.row.key == view.row.key
        if not same or turn != self._turn:
            for edit in self.notes.values():
                if same:
                    edit.commit()
                edit.forget()
        if not same:
            self._own.clear()
        self._own = {key: v for key, v in self._own.items() if view.sheet.value(*key) != v}
        before, self._view, self._turn = (self._view, self._turn), view, turn
        self._follow_mode(before[0] is None or before[1] is not None, turn is not None)
        self.edits.show_turn(view, turn)
        self.terms.show_review(view, turn)
        self.scores.show_sheet(view)
        self._refresh()

    def _follow_mode(self, was_turn: bool, is_turn: bool) -> None:
        """Evidence lies in front while turns are scored, goal and persona while the session is."""
        if was_turn != is_turn and self.tab() == ("evidence" if was_turn else "goal"):
            self.show_tab("evidence" if is_turn else "goal")

    def show_tab(self, tab: TabId) -> None:
        """Bring a tab to the front."""
        self.tabs.setCurrentIndex(TABS.index(tab))

    def tab(self) -> TabId:
        """The tab in front."""
        return TABS[max(0, self.tabs.currentIndex())]

    def show_edits(self) -> None:
        """Open the tray at the edits with the keyboard in the first field: what a revise verdict asks for."""
        self.set_open(True)
        self.show_tab("edits")
        self.edits.focus_first()

    def set_open(self, on: bool) -> None:
        """Show the pages, or fold the tray to its tabs."""
        if on != self.is_open():
            self._open = on
            self.remeasure()
            self.opened.emit(on)

    def is_open(self) -> bool:
        """Whether the pages are shown; small windows start folded."""
        return not density.metrics().tray_folded if self._open is None else self._open

    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        if action == "toggle_tray":
            self.set_open(not self.is_open())
            return True
        return False

    def flush(self) -> None:
        """Say what is typed but not said; call it before another dialogue is shown."""
        for edit in self.notes.values():
            edit.commit()
        self.edits.flush()

    def _targets(self) -> dict[str, str]:
        return {"item": "item", "turn": "session" if self._turn is None else f"turn:{self._turn}"}

    def _value(self, target: str) -> str:
        key = (target, "note")
        value = self._own[key] if key in self._own else None if self._view is None else self._view.sheet.value(*key)
        return value if isinstance(value, str) else ""

    def _refresh(self) -> None:
        view = self._view
        session = self._turn is None and view is not None
        self.score_area.setVisible(session)
        self.divider.setVisible(session)
        self.score_area.setFixedWidth(min(self.scores.sizeHint().width() + 14, max(240, round(self.width() * 0.7))))
        self.goal.set_texts(self._paragraphs())
        for name, target in self._targets().items():
            draft = None if view is None or (target, "note") in self._own else view.drafts.get((target, "note"))
            self.notes[name].set_value(self._value(target), draft)
            closed = view is None or view.read_only
            if self.notes[name].isReadOnly() != closed:  # each telling styles the field anew
                self.notes[name].setReadOnly(closed)
        self._words()

    def _paragraphs(self) -> tuple[Paragraph, ...]:
        view = self._view
        if view is None:
            return ()
        none = tr("tray.none")
        goal, persona = "\n".join(told(view.dialogue.goal)), "\n".join(told(view.dialogue.persona))
        made: list[Paragraph] = [
            (tr("tray.goal"), goal or none, "text" if goal else "text3"),
            (tr("tray.persona"), persona or none, "text" if persona else "text3"),
            ("", tr("tray.synthetic"), "text3"),
        ]
        if self._turn is None:
            made.append((tr("tray.basis"), tr("tray.basis_text", turns=len(view.turns)), "text2"))
        return tuple(made)

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("tray.name"))
        self.tabs.setAccessibleName(tr("tray.name"))
        self._refresh()

    def _words(self, _shown: int = 0) -> None:
        notes = len(self._view.turns) + 2 if self._view is not None else 0
        targets = ["item", "session", *(f"turn:{k}" for k in range(max(0, notes - 2)))] if self._view else []
        written, proposed = sum(bool(self._value(t)) for t in targets), self.edits.proposals()
        pins, word = len(self.evidence.cards), self.terms.word()
        words: dict[TabId, str] = {
            "evidence": tr("evidence.tab_count", count=pins) if pins else tr("evidence.tab"),
            "goal": tr("tray.tab_goal"),
            "terms": tr("media.terms_tab_word", word=word) if word else tr("media.terms_tab"),
            "notes": tr("tray.tab_notes_count", count=written) if written else tr("tray.tab_notes"),
            "edits": tr("tray.tab_edits_count", count=proposed) if proposed else tr("tray.tab_edits"),
        }
        for number, tab in enumerate(TABS):
            if self.tabs.tabText(number) != words[tab]:  # each set lays all tabs out again
                self.tabs.setTabText(number, words[tab])
        turn = tr("tray.note_session") if self._turn is None else tr("tray.note_turn", turn=self._turn + 1)
        for name, text in (("item", tr("tray.note_item")), ("turn", turn)):
            self.note_labels[name].set_text(text)
            self.notes[name].setAccessibleName(text)

    def remeasure(self) -> None:
        """Height of tabs and pages."""
        self.tabs.setFont(fonts.font("label"))
        is_open = self.is_open()
        self.pages.setVisible(is_open)
        body = density.scaled(BODY[density.current()]) if is_open else 0
        self.setFixedHeight(density.scaled(BAR) + 1 + body)
        super().remeasure()

    def sizeHint(self) -> QSize:
        """Tabs, and the page where it is open."""
        return QSize(480, self.maximumHeight())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, and the lines above and below the tabs."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("panel"))
        paint.hairline(painter, 0, 0, self.width(), 1)
        if self.is_open():
            y = density.scaled(BAR)
            paint.hairline(painter, 0, y, self.width(), y + 1)

    def _tab(self, index: int) -> None:
        self.pages.setCurrentIndex(index)

    def _tab_clicked(self, _index: int) -> None:
        self.set_open(True)

    def _noted(self, text: str) -> None:
        name = self._note_name()
        if name is not None and self._view is not None and not self._view.read_only:
            target = self._targets()[name]
            self._own[(target, "note")] = text or None
            self._words()
            self.said.emit(target, "note", text or None)

    def _edited(self, target: str, field: str, value: object) -> None:
        self._words()
        self.said.emit(target, field, value)

    def _drafted(self, text: str) -> None:
        name = self._note_name()
        if name is not None:
            self.draft.emit(self._targets()[name], "note", text)

    def _note_name(self) -> str | None:
        sender = self.sender()
        return next((name for name, edit in self.notes.items() if edit is sender), None)
