"""The current time of the transport: a label until it is clicked, then a field for an instant or a frame number."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QSizePolicy

from annotator.ui import fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.widgets import paint, plain_tooltip
from annotator.ui.widgets.base import Live

_PAD = 5


class TimeField(Live, QLineEdit):
    """Shows where the clip is; a click or its key makes it a field: `41.32`, `1:23.5`, or `#1033` for a frame.

    Signals:
        typed(text): go there; answer with `end`.
        left(): the keyboard may go elsewhere.
    """

    typed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        """A label."""
        super().__init__()
        self.setObjectName("transportTime")
        self.setFrame(False)
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._shown = ""
        self._ready = self._wrong = False
        self.returnPressed.connect(self._entered)
        self.textEdited.connect(self._edited)
        self.go_live()

    def show_time(self, text: str, ready: bool) -> None:
        """The time as text; `ready`: there is a clip to go through."""
        if text != self._shown or ready != self._ready:
            self._shown, self._ready = text, ready
            self.updateGeometry()
            self.update()

    def shown(self) -> str:
        """The time that is shown."""
        return self._shown

    def begin(self) -> None:
        """Become a field with the time selected."""
        if not self._ready or not self.isReadOnly():
            return
        self.setReadOnly(False)
        self._wrong = False
        self.setText(self._shown)
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()
        self.update()

    def end(self, went: bool) -> None:
        """The stage went there: be a label again. It did not: keep the text, and show that it is wrong."""
        self._wrong = not went
        if went:
            self._close()
            self.left.emit()
        self.update()

    def leave(self) -> None:
        """Be a label again; what was typed is dropped."""
        if not self.isReadOnly():
            self._close()

    def _close(self) -> None:
        self.setReadOnly(True)
        self.deselect()
        self._wrong = False
        self.update()

    def _entered(self) -> None:
        if not self.isReadOnly():
            self.typed.emit(self.text())

    def _edited(self, _text: str) -> None:
        self._wrong = False
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click makes it a field."""
        if self.isReadOnly():
            self.begin()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the time as it is."""
        if event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self._close()
            self.left.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Left without Enter: the time stays."""
        super().focusOutEvent(event)
        if not self.isReadOnly():
            self._close()

    def event(self, event: QEvent) -> bool:
        """While it is a label it keeps no key to itself."""
        if event.type() == QEvent.Type.ShortcutOverride and self.isReadOnly():
            return False
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The label, or the field."""
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(0.5, 3.5, -0.5, -3.5)
        if self.isReadOnly():
            if self.underMouse() and self._ready:
                paint.frame(painter, box, theme.color("hover"), None, 4.0)
            paint.draw_text(painter, box.adjusted(_PAD, 0, 0, 0), self._shown, self.font(), "text")
            return
        border = "error" if self._wrong else "accent"
        paint.frame(painter, box, theme.color("raised"), theme.color(border), 4.0, 1.5)
        painter.end()
        super().paintEvent(event)

    def sizeHint(self) -> QSize:
        """As wide as an hour's time."""
        wide = max(paint.text_width(self._shown, self.font()), paint.text_width("00:00.000", self.font()))
        return QSize(round(wide) + 2 * _PAD + 4, fonts.line_height("time") + 12)

    def minimumSizeHint(self) -> QSize:
        """It never shrinks."""
        return self.sizeHint()

    def retranslate(self) -> None:
        """Its name, and how to type."""
        self.setAccessibleName(tr("transport.time"))
        self.setToolTip(plain_tooltip(tr("transport.time_hint", cap=label("go_to_time"))))

    def restyle(self) -> None:
        """No ground of its own: the frame is painted."""
        self.setStyleSheet(f"QLineEdit {{ background: transparent; border: none; padding: 0 {_PAD}px; }}")
        self.update()

    def remeasure(self) -> None:
        """The time's font."""
        self.setFont(fonts.font("time", tabular=True))
        super().remeasure()
