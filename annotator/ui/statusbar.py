"""The foot of the window: the saved mark at the left, then progress, pixel and zoom; at the right who and language."""

from __future__ import annotations

import time

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QWidget

from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.sync_chip import SyncLabel
from annotator.ui.widgets import ElidedLabel, Keycap, SavedLabel, Separator
from annotator.ui.widgets.base import Live


class ProgressBit(Live, QWidget):
    """How many rows are complete, as a number and a short bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing done of nothing."""
        super().__init__(parent)
        self._done, self._total = 0, 0
        self.go_live()

    def set_progress(self, done: int, total: int) -> None:
        """Show other numbers."""
        if (done, total) == (self._done, self._total):
            return
        self._done, self._total = done, total
        self.setAccessibleName(tr("status.progress_full", done=done, total=total))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Wide enough for the text and the bar."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text()) + 84 + 8, density.metrics().status_bar)

    def remeasure(self) -> None:
        """The text size changed."""
        self.setFont(fonts.font("label", tabular=True))
        super().remeasure()

    def _text(self) -> str:
        return tr("status.progress", done=i18n.count(self._done), total=i18n.count(self._total))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint text and bar."""
        painter = QPainter(self)
        text = self._text()
        width = self.fontMetrics().horizontalAdvance(text)
        box = QRectF(0, 0, width + 2, self.height())
        painter.setPen(theme.color("text2"))
        painter.setFont(self.font())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), text)
        bar = QRectF(width + 8, self.height() / 2 - 2, 84, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hair"))
        painter.drawRoundedRect(bar, 2, 2)
        if self._total and self._done:
            bar.setWidth(max(4.0, bar.width() * self._done / self._total))
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(bar, 2, 2)
        painter.end()


class Swatch(QWidget):
    """The colour of one pixel, with a line around it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """No colour yet."""
        super().__init__(parent)
        self._color: QColor | None = None
        self.setFixedSize(12, 12)

    def set_color(self, color: QColor | None) -> None:
        """Show a colour."""
        self._color = color
        self.setVisible(color is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the square."""
        if self._color is not None:
            painter = QPainter(self)
            painter.fillRect(1, 1, 10, 10, self._color)
            painter.setPen(theme.color("line"))
            painter.drawRect(0, 0, 11, 11)
            painter.end()


class StatusButton(Live, QAbstractButton):
    """A flat entry of the status bar that acts: icon and word."""

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        """`icon` is drawn before the text."""
        super().__init__(parent)
        self._icon_name = icon
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.go_live()

    def remeasure(self) -> None:
        """The text size changed."""
        self.setFont(fonts.font("label", tabular=True))
        super().remeasure()

    def sizeHint(self) -> QSize:
        """Icon, text and room at both sides."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 16 + 6 + 24, density.metrics().status_bar)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint icon and word."""
        painter = QPainter(self)
        if self.underMouse():
            painter.fillRect(self.rect(), theme.color("hover"))
        icons.paint(painter, self._icon_name, 12, (self.height() - 14) // 2, "text2", 14)
        painter.setPen(theme.color("text2"))
        painter.setFont(self.font())
        box = QRectF(12 + 14 + 6, 0, self.width(), self.height())
        painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.text())
        painter.end()


class StatusBar(Live, QWidget):
    """One line of facts.

    Signals:
        language_wanted, theme_wanted, keys_wanted, guide_wanted: the entries at the right were clicked.
        retry_wanted: the failed mark was clicked.
    """

    language_wanted = Signal()
    theme_wanted = Signal()
    keys_wanted = Signal()
    guide_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything but the language hidden until there is something to say."""
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self.saved = SavedLabel()
        self.sync = SyncLabel()
        self.progress = ProgressBit()
        self.pixel = ElidedLabel("", style="label", role="text2")
        self.swatch = Swatch()
        self.zoom = ElidedLabel("", style="label", role="text2")
        self.rater = StatusButton("user-round")
        self.language = StatusButton("languages")
        self.theme = StatusButton("contrast")
        self.guide = StatusButton("book-open")
        self.keys = StatusButton("keyboard")
        self._build()
        self.language.clicked.connect(self.language_wanted)
        self.theme.clicked.connect(self.theme_wanted)
        self.keys.clicked.connect(self.keys_wanted)
        self.guide.clicked.connect(self.guide_wanted)
        self.show_workspace(rater="", open_=False)
        self.go_live()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 0, 0)
        row.setSpacing(0)
        self._parts: dict[str, list[QWidget]] = {}
        for name, widgets in (
            ("saved", (self.saved,)),
            ("sync", (self.sync,)),
            ("progress", (self.progress,)),
            ("pixel", (self.pixel, self.swatch)),
            ("zoom", (self.zoom,)),
        ):
            held: list[QWidget] = []
            for widget in widgets:
                row.addWidget(widget)
                row.addSpacing(8)
                held.append(widget)
            line = Separator(vertical=True)
            row.addWidget(line)
            row.addSpacing(10)
            self._parts[name] = [*held, line]
        row.addStretch(1)
        for button in (self.rater, self.guide, self.theme, self.language, self.keys):
            row.addWidget(Separator(vertical=True))
            row.addWidget(button)
        cap = Keycap("all_keys")
        row.addWidget(cap)
        row.addSpacing(10)

    def show_workspace(self, *, rater: str, open_: bool) -> None:
        """Show the entries that only mean something with a workspace open."""
        self.rater.setText(rater)
        self.rater.setVisible(bool(rater))
        for name in ("saved", "sync", "progress"):
            for widget in self._parts[name]:
                widget.setVisible(open_)
        if not open_:
            self.show_pixel("", None)
            self.show_zoom("")

    def show_pixel(self, text: str, color: QColor | None) -> None:
        """Position and colour of the pixel under the pointer; "" hides it."""
        self.pixel.set_text(text)
        for widget in self._parts["pixel"]:
            widget.setVisible(bool(text))
        self.swatch.set_color(color if text else None)

    def show_zoom(self, text: str) -> None:
        """The zoom in words; "" hides it."""
        self.zoom.set_text(text)
        for widget in self._parts["zoom"]:
            widget.setVisible(bool(text))

    def show_media(self, shown: bool) -> None:
        """Pixel and zoom belong to the audit page; elsewhere they are hidden."""
        for widget in (*self._parts["pixel"], *self._parts["zoom"]):
            widget.setVisible(shown and bool(self.zoom.text() if widget in self._parts["zoom"] else self.pixel.text()))

    def show_pending(self) -> None:
        """Something is said and not on disk: the check goes; the word "saving" comes only after 150 ms."""
        self.saved.set_pending()

    def show_saved(self, at: float | None) -> None:
        """Everything is on disk since `at` (monotonic seconds; None = nothing was said yet)."""
        if at is None:
            self.saved.set_all_saved()
        else:
            self.saved.set_saved(max(0.0, time.monotonic() - at))

    def show_failed(self, waiting: int) -> None:
        """Saving fails; `waiting` statements are kept on screen."""
        self.saved.set_failed(waiting)

    def show_read_only(self) -> None:
        """The workspace can only be read."""
        self.saved.set_read_only()

    def retranslate(self) -> None:
        """Read all texts again."""
        self.language.setText(tr("status.language"))
        self.language.setAccessibleName(tr("status.language_name"))
        self.theme.setText(tr(f"status.theme_{theme.choice()}"))
        self.keys.setText(tr("status.keys"))
        self.guide.setText(tr("status.guide"))
        for button in (self.language, self.theme, self.keys, self.guide, self.rater):
            button.updateGeometry()
            button.update()

    def remeasure(self) -> None:
        """The bar's height follows the text scale."""
        self.setFixedHeight(density.metrics().status_bar)

    def restyle(self) -> None:
        """Colours changed, and perhaps which theme is chosen."""
        self.retranslate()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line above."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(0, 0, self.width(), 1, theme.color("hair"))
        painter.end()
