"""The message bar: one sentence at a time, what is so and what to do, between content and verdict bar."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.buttons import Button, IconButton
from annotator.ui.widgets.text import ElidedLabel

MessageKind = Literal["info", "ok", "warn", "error"]
LEAVES_AFTER_MS = 8000
MIN_SENTENCE = 120
WRAP = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
ICONS: dict[str, str] = {"info": "info", "ok": "circle-check", "warn": "triangle-alert", "error": "circle-x"}


class Message(NamedTuple):
    """A sentence and at most two things to do about it.

    ``actions`` are (id, word) pairs. ``key`` names the matter: a later message with the same key replaces this one.
    """

    kind: MessageKind
    text: str
    actions: tuple[tuple[str, str], ...] = ()
    key: str = ""


class _Sentence(QWidget):
    """Plain text that wraps and is centred; it takes the height it is given, the bar asks how many lines it needs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)

    def set_text(self, text: str) -> None:
        self._text = text
        self.update()

    def lines(self, width: int) -> int:
        """Lines at a width; one while the bar has no width yet."""
        if width < MIN_SENTENCE:
            return 1
        metrics = QFontMetrics(fonts.font("body"))
        height = metrics.boundingRect(QRect(0, 0, width, 10_000), WRAP, self._text).height()
        return max(1, round(height / metrics.lineSpacing()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(fonts.font("body"))
        painter.setPen(theme.color("text"))
        painter.drawText(self.rect(), WRAP, self._text)


class MessageBar(Live, QFrame):
    """Shows one message, keeps the others waiting ("1 more"); hidden when there is none.

    Info and ok leave after 8 s if nobody touches them; warn and error stay until dismissed.
    """

    acted = Signal(str, str)
    dismissed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("messageBar")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._queue: list[Message] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.close_current)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.timeout.connect(self._fit)
        self._label = _Sentence(self)
        self._more = ElidedLabel("", "label", "text2", parent=self)
        self._buttons = [Button(kind="flat", small=True, parent=self) for _ in range(2)]
        self._close = IconButton("x", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(38, 0, 8, 1)
        row.setSpacing(2)
        row.addWidget(self._label, 1)
        row.addWidget(self._more)
        for button in self._buttons:
            row.addWidget(button)
            button.clicked.connect(self._act)
        row.addWidget(self._close)
        self._close.clicked.connect(self.close_current)
        self.go_live()
        self._show()

    def current(self) -> Message | None:
        """The message shown."""
        return self._queue[0] if self._queue else None

    def waiting(self) -> int:
        """How many wait behind it."""
        return max(0, len(self._queue) - 1)

    def show_message(self, message: Message) -> None:
        """Show a message, or queue it; one with the key of another takes its place."""
        if len(message.actions) > len(self._buttons):
            raise ValueError("a message has at most two actions")
        for place, known in enumerate(self._queue):
            if message.key and known.key == message.key:
                self._queue[place] = message
                break
        else:
            self._queue.append(message)
        self._show()

    def dismiss(self, key: str) -> None:
        """Take back the messages of a matter that is settled."""
        before = len(self._queue)
        self._queue = [message for message in self._queue if message.key != key]
        if len(self._queue) != before:
            self._show()

    def clear(self) -> None:
        """Take back everything."""
        self._queue.clear()
        self._show()

    def close_current(self) -> None:
        """Close what is shown; the next one comes."""
        if self._queue:
            gone = self._queue.pop(0)
            self._show()
            self.dismissed.emit(gone.key)

    def retranslate(self) -> None:
        """Texts of ours; a message keeps the words it came with."""
        self._close.set_text(i18n.tr("common.close"))
        self._show_more()

    def remeasure(self) -> None:
        """32 px for one line, and a line more where the sentence needs it: it says what to do and is never cut."""
        self._fit()
        super().remeasure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, other lines; asked once the layout has settled, since a height set within it would be lost."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._settle.start(0)

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
        beyond = self._label.lines(self._label.width()) - 1
        self.setFixedHeight(density.metrics().message_bar + beyond * fonts.line_height("body"))

    def event(self, event: QEvent) -> bool:
        """Somebody looks at it: it does not leave under the pointer."""
        if event.type() == QEvent.Type.Enter:
            self._timer.stop()
        elif event.type() == QEvent.Type.Leave:
            self._start_timer()
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Soft ground, edge and icon of the kind."""
        message = self.current()
        if message is None:
            return
        painter = QPainter(self)
        box = QRectF(self.rect())
        painter.fillRect(box, theme.color(f"{message.kind}-soft"))
        painter.fillRect(QRectF(0, 0, 3, box.height()), theme.color(message.kind))
        paint.hairline(painter, 0, box.bottom() - 1, box.right(), box.bottom())
        icons.paint(painter, ICONS[message.kind], 14, (box.height() - 1) / 2 - 8, message.kind)

    def _act(self) -> None:
        message, button = self.current(), self.sender()
        if message is not None and isinstance(button, Button):
            action = message.actions[self._buttons.index(button)][0]
            self.close_current()
            self.acted.emit(message.key, action)

    def _show(self) -> None:
        message = self.current()
        self._timer.stop()
        self.setVisible(message is not None)
        if message is None:
            return
        self._label.set_text(message.text)
        for place, button in enumerate(self._buttons):
            shown = place < len(message.actions)
            button.setVisible(shown)
            if shown:
                button.set_text(message.actions[place][1])
                button.set_kind("flat" if message.kind in ("info", "ok") else "default")
        self.setAccessibleName(message.text)
        self._show_more()
        self._fit()
        self._start_timer()
        self.update()

    def _show_more(self) -> None:
        self._more.setVisible(self.waiting() > 0)
        if self.waiting():
            self._more.set_text(i18n.tr("common.more_messages", n=self.waiting()))

    def _start_timer(self) -> None:
        message = self.current()
        if message is not None and message.kind in ("info", "ok"):
            self._timer.start(LEAVES_AFTER_MS)
