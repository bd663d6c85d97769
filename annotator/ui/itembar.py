"""The item bar: which dialogue, whose answers, turns or session, undo and redo. Nothing else acts here."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS, scenario_name
from annotator.ui import density, i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import Chip, Combo, ElidedLabel, IconButton, Segmented, Separator, paint
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

TITLE_FIRST = 1000
TITLE_SMALL_PX = 200


class ItemBar(Live, QWidget):
    """One line above media and texts.

    Signals:
        mode_chosen(mode): `turns` or `session`.
        responder_chosen(responder): show this responder's answers.
        undo_wanted(), redo_wanted(): take back the last label, or say it again.
    """

    mode_chosen = Signal(str)
    responder_chosen = Signal(str)
    undo_wanted = Signal()
    redo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("itemBar")
        self._view: ReviewView | None = None
        self._turn: int | None = 0
        self._undo_words = ("", "")
        self.source = ElidedLabel(style="mono", role="text2", parent=self)
        self.title = ElidedLabel(weight=600, parent=self)
        self.kind = Chip(kind="outline", icon="film", parent=self)
        self.scenario = Chip(kind="outline", parent=self)
        self.locked = Chip(kind="warn", icon="lock", parent=self)
        self.undo = IconButton("undo-2", key="undo", parent=self)
        self.undo.setObjectName("undoButton")
        self.redo = IconButton("redo-2", key="redo", parent=self)
        self.redo.setObjectName("redoButton")
        self.mode = Segmented(self)
        self.mode.setObjectName("modeSwitch")
        self.mode.add("turns", "").setObjectName("mode_turns")
        self.mode.add("session", "", key="toggle_session").setObjectName("mode_session")
        self.label = ElidedLabel(style="label", role="text3", parent=self)
        self.responder = Combo(self)
        self.responder.setObjectName("responderBox")
        self.undo.clicked.connect(self.undo_wanted)
        self.redo.clicked.connect(self.redo_wanted)
        self.mode.chosen.connect(self._mode)
        self.responder.activated.connect(self._responder)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_undo(can_undo=False, can_redo=False)
        self.go_live()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 7, 1)
        row.setSpacing(8)
        # Where there is little room the title alone gives way: it wants nothing, takes what is left, and never more
        # than its text needs.
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        for widget in (self.source, self.title, self.kind, self.scenario, self.locked):
            row.addWidget(widget, TITLE_FIRST if widget is self.title else 0)
        row.addStretch(1)
        row.addWidget(self.undo)
        row.addWidget(self.redo)
        self.line = Separator(vertical=True, parent=self)
        self.line.setFixedHeight(16)
        row.addWidget(self.line)
        row.addWidget(self.mode)
        row.addWidget(self.label)
        row.addWidget(self.responder)

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_review(self, view: ReviewView, turn: int | None) -> None:
        """Show a dialogue with `turn` open (None = the session view)."""
        self._view, self._turn = view, turn
        self._words()

    def set_undo(self, *, can_undo: bool, can_redo: bool, undo_what: str = "", redo_what: str = "") -> None:
        """Whether there is something to undo and redo, and what it is, in words."""
        self.undo.setEnabled(can_undo)
        self.redo.setEnabled(can_redo)
        self._undo_words = (undo_what, redo_what)
        self._undo_texts()

    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        if action == "toggle_session":
            self.mode_chosen.emit("turns" if self._turn is None else "session")
            return True
        if action in ("undo", "redo"):
            button = self.undo if action == "undo" else self.redo
            if button.isEnabled():
                (self.undo_wanted if action == "undo" else self.redo_wanted).emit()
            return True
        return False

    def _words(self) -> None:
        view = self._view
        for widget in (self.source, self.title, self.kind, self.mode, self.responder):
            widget.setVisible(view is not None)
        if view is None:
            self.scenario.hide()
            self.locked.hide()
            self.label.hide()
            return
        dialogue, sheet = view.dialogue, view.sheet
        self.source.set_text(dialogue.source_id)
        self.title.set_text(view.row.title or dialogue.title())
        self._limit_title()
        video = dialogue.modality == "video"
        key = "itembar.video" if video else "itembar.images"
        self.kind.set_icon("film" if video else "images")
        self.kind.set_text(tr(key, turns=len(view.turns)))
        small = density.current() is density.Density.SMALL
        self.scenario.set_text(scenario_name(dialogue.scenario, i18n.language(), small=small))
        self.locked.set_text(tr("itembar.read_only"))
        done = sum(sheet.done(f"turn:{k}") == len(TURN_DIMENSIONS) for k in range(sheet.turns))
        session = sheet.done("session")
        shown = done if self._turn is None else self._turn + 1
        self.mode.set_text("turns", tr("itembar.turns", at=shown, all=sheet.turns))
        self.mode.set_text("session", tr("itembar.session", done=session, all=len(SESSION_DIMENSIONS)))
        self.mode.set_icon("turns", "check" if done == sheet.turns else None)
        self.mode.set_icon("session", "check" if session == len(SESSION_DIMENSIONS) else None)
        self.mode.set_current("session" if self._turn is None else "turns")
        self._responders(view)
        self._drop()

    def _responders(self, view: ReviewView) -> None:
        wanted = [(r, responder_text(r, shown)) for r, shown in view.responders]
        have = [(self.responder.itemData(i), self.responder.itemText(i)) for i in range(self.responder.count())]
        if wanted != have:
            self.responder.clear()
            for responder, text in wanted:
                self.responder.addItem(text, responder)
        self.responder.setCurrentIndex(self.responder.findData(view.row.responder))
        self.responder.setEnabled(len(wanted) > 1)
        self.responder.updateGeometry()

    def _drop(self) -> None:
        """Chips go where the window is narrow; what acts stays."""
        if self._view is None:
            return
        table, narrow = density.metrics(), density.queue_closes()
        self.kind.setVisible(not narrow)
        self.scenario.setVisible(not narrow and table.queue_scenario)
        self.label.setVisible(table.key_hints)
        self.locked.setVisible(self._view.read_only)
        self._limit_title()

    def retranslate(self) -> None:
        """All words again."""
        self.setAccessibleName(tr("itembar.name"))
        self.label.set_text(tr("itembar.answers_by"))
        self.responder.setAccessibleName(tr("itembar.answers_by"))
        self._undo_texts()
        self._words()

    def _undo_texts(self) -> None:
        undo, redo = self._undo_words
        self.undo.set_text(tr("itembar.undo_what", what=undo) if undo else tr("itembar.undo"))
        self.redo.set_text(tr("itembar.redo_what", what=redo) if redo else tr("itembar.redo"))

    def _limit_title(self) -> None:
        small = density.current() is density.Density.SMALL
        wanted = self.title.sizeHint().width()
        self.title.setMaximumWidth(min(wanted, density.scaled(TITLE_SMALL_PX)) if small else wanted)

    def remeasure(self) -> None:
        """Height and chips of the size class."""
        self.setFixedHeight(density.metrics().item_bar)
        self._words()
        super().remeasure()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(640, density.metrics().item_bar)

    def minimumSizeHint(self) -> QSize:
        """Title and chips elide."""
        return QSize(360, density.metrics().item_bar)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground and the line below."""
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), theme.color("window"))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())

    def _mode(self, mode: str) -> None:
        self.mode.set_current("session" if self._turn is None else "turns")
        if mode != ("session" if self._turn is None else "turns"):
            self.mode_chosen.emit(mode)

    def _responder(self, index: int) -> None:
        chosen = str(self.responder.itemData(index))
        if self._view is not None and chosen != self._view.row.responder:
            self.responder.setCurrentIndex(self.responder.findData(self._view.row.responder))
            self.responder_chosen.emit(chosen)


def responder_text(responder: str, shown: str) -> str:
    """A responder in words: the reference, an alias with the note that the name is hidden, or the model's own name."""
    if responder == "reference":
        return tr("itembar.reference")
    parts = responder.split("::")
    own_name = any(part and part in shown for part in parts[1:2] or parts)
    return shown if own_name else tr("itembar.hidden_model", letter=shown)
