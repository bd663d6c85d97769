"""The first page: what to start on the left, what to go on with on the right. Imports nothing of the domain."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator import __version__
from annotator.ui import fonts, icons, key_table, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import ElidedLabel, EmptyState, Ground, PlainLabel, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.ui.welcome_recent import RecentList
    from annotator.ui.widgets import SearchField


class Mark(Live, QWidget):
    """The program's mark: four rising bars, the last one full."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """48 px square."""
        super().__init__(parent)
        self.setFixedSize(48, 48)
        self.go_live()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(QRectF(0, 0, 48, 48), 10, 10)
        for i, height in enumerate((10, 16, 22, 28)):
            bar = QRectF(9 + i * 8, 38 - height, 6, height)
            if i == 3:
                painter.setBrush(theme.color("on-accent"))
                painter.setPen(Qt.PenStyle.NoPen)
            else:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                pen = painter.pen()
                pen.setStyle(Qt.PenStyle.SolidLine)
                pen.setColor(theme.color("on-accent"))
                pen.setWidthF(1.6)
                painter.setPen(pen)
                bar = bar.adjusted(0.8, 0.8, -0.8, -0.8)
            painter.drawRoundedRect(bar, 1.5, 1.5)
        painter.end()


class StartButton(Live, QAbstractButton):
    """A card that starts something: icon, title, a line of what it does, its key."""

    def __init__(self, name: str, icon: str, cap: str, parent: QWidget | None = None) -> None:
        """`name` names the texts `welcome.<name>` and `welcome.<name>_why`; `cap` is the keycap's text."""
        super().__init__(parent)
        self.name = name
        self._icon_name = icon
        self._cap = cap
        self.setObjectName(f"welcome_{name}")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def retranslate(self) -> None:
        """Read the texts again."""
        self.setText(tr(f"welcome.{self.name}"))
        self.setAccessibleName(tr(f"welcome.{self.name}"))
        self.setAccessibleDescription(tr(f"welcome.{self.name}_why"))
        self.update()

    def sizeHint(self) -> QSize:
        """Two lines and air."""
        return QSize(380, fonts.px(64))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = self.hasFocus()
        ground = "selected" if chosen else "hover" if self.underMouse() else "panel"
        painter.setBrush(theme.color(ground))
        painter.setPen(theme.color("accent" if chosen else "line"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        role = "accent-text" if chosen else "text2"
        icons.paint(painter, self._icon_name, 16, (self.height() - 18) // 2, role, 18)
        cap = paint.keycap_width(self._cap)
        width = self.width() - 50 - cap - 26
        top = (self.height() - fonts.px(38)) / 2
        title = QRectF(50, top, width, fonts.px(20))
        paint.draw_text(painter, title, self.text(), fonts.font("body", weight=600), "text")
        line = QRectF(50, top + fonts.px(20), width, fonts.px(18))
        paint.draw_text(painter, line, tr(f"welcome.{self.name}_why"), fonts.font("label"), "text2")
        paint.draw_keycap(painter, self.width() - cap - 14, (self.height() - 17) // 2, self._cap)
        painter.end()


class DropArea(Live, QWidget):
    """Where files and folders may be dropped.

    Signals:
        dropped: the local paths.
    """

    dropped = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Wait for a drop."""
        super().__init__(parent)
        self._over = False
        self.setAcceptDrops(True)
        self.go_live()

    def sizeHint(self) -> QSize:
        """Room for one line under an icon."""
        return QSize(380, fonts.px(96))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Say that it is welcome."""
        if event.mimeData().hasUrls():
            self._over = True
            event.acceptProposedAction()
            self.update()

    def dragLeaveEvent(self, event: QEvent) -> None:
        """It went elsewhere."""
        self._over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        """Hand the paths on."""
        self._over = False
        self.update()
        paths = [u.toLocalFile() for u in event.mimeData().urls() if u.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def paintEvent(self, event: QPaintEvent) -> None:
        """A dashed frame, an icon and a line."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = painter.pen()
        pen.setColor(theme.color("accent" if self._over else "control"))
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        middle = self.height() // 2
        icons.paint(painter, "layers", (self.width() - 18) // 2, middle - 22, "text2", 18)
        box = QRectF(8, middle, self.width() - 16, fonts.px(20))
        painter.setFont(fonts.font("body"))
        painter.setPen(theme.color("text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), tr("welcome.drop"))
        painter.end()


class Fact(Live, QWidget):
    """One of the three promises at the foot of the page."""

    def __init__(self, name: str, icon: str, parent: QWidget | None = None) -> None:
        """`name` names the texts."""
        super().__init__(parent)
        self._name = name
        self._icon_name = icon
        self.title = ElidedLabel("", style="body", weight=600)
        self.text = PlainLabel("", style="label", role="text2")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(38, 12, 14, 12)
        layout.setSpacing(2)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addStretch(1)
        self.go_live()

    def retranslate(self) -> None:
        """Read the texts again."""
        self.title.set_text(tr(f"welcome.{self._name}"))
        self.text.set_text(tr(f"welcome.{self._name}_why"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, frame and icon."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(theme.color("panel"))
        painter.setPen(theme.color("hair"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        icons.paint(painter, self._icon_name, 14, 14, "text2", 16)
        painter.end()


class WelcomePage(Live, QWidget):
    """Start or go on.

    Signals:
        sample_wanted, fetch_wanted, open_wanted, new_wanted.
        import_wanted: dropped paths, or an empty list when they shall be asked for.
        recent_chosen: the folder of a workspace.
    """

    sample_wanted = Signal()
    import_wanted = Signal(list)
    fetch_wanted = Signal()
    open_wanted = Signal()
    new_wanted = Signal()
    recent_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing recent is known yet."""
        super().__init__(parent)
        self.buttons = {
            "sample": StartButton("sample", "play", "1"),
            "import": StartButton("import", "download", "2"),
            "fetch": StartButton("fetch", "cloud", "3"),
            "open": StartButton("open", "folder-open", key_table.label("open_workspace")),
            "new": StartButton("new", "plus", key_table.label("new_workspace")),
        }
        self.drop = DropArea()
        self.recent: RecentList | None = None  # made with the first recent workspace: lists and fields are dear
        self.search: SearchField | None = None
        self.none = EmptyState("folder-open")
        self.facts = [Fact("offline", "cloud-off"), Fact("durable", "circle-check"), Fact("evaluation", "shield-check")]
        self._title = ElidedLabel("Rubric Annotator", style="figure")
        self._line = ElidedLabel("", style="body", role="text2")
        self._head = ElidedLabel("", style="body", weight=600)
        self._version = ElidedLabel("", style="meta", role="text3")
        self._lay_out()
        self._connect()
        self.go_live()

    def _lay_out(self) -> None:
        outer = QGridLayout(self)
        outer.setContentsMargins(32, 24, 32, 24)
        outer.setColumnStretch(0, 1)
        outer.setColumnStretch(3, 1)
        outer.setColumnMinimumWidth(1, 380)
        outer.setColumnStretch(2, 4)
        outer.setHorizontalSpacing(40)
        outer.setRowStretch(0, 1)
        outer.setRowStretch(2, 2)
        outer.addWidget(self._left(), 1, 1)
        outer.addWidget(self._right(), 1, 2)

    def _left(self) -> QWidget:
        left = QWidget()
        left.setFixedWidth(400)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        head = QHBoxLayout()
        head.setSpacing(14)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._line)
        head.addWidget(Mark())
        head.addLayout(words, 1)
        column.addLayout(head)
        column.addSpacing(12)
        for button in self.buttons.values():
            column.addWidget(button)
        column.addWidget(self.drop)
        column.addWidget(self._version)
        column.addStretch(1)
        return left

    def _right(self) -> QWidget:
        right = QWidget()
        right.setMinimumWidth(520)
        right.setMaximumWidth(900)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self._head_row = QHBoxLayout()
        self._head_row.addWidget(self._head, 1)
        column.addLayout(self._head_row)
        self._recent_place = QVBoxLayout()
        column.addLayout(self._recent_place, 1)
        box = Ground("panel")
        inner = QVBoxLayout(box)
        inner.addWidget(self.none)
        box.setMinimumHeight(220)
        self._none_box = box
        column.addWidget(box, 1)
        row = QHBoxLayout()
        row.setSpacing(12)
        for fact in self.facts:
            row.addWidget(fact, 1)
        column.addSpacing(6)
        column.addLayout(row)
        return right

    def _connect(self) -> None:
        self.buttons["sample"].clicked.connect(self.sample_wanted)
        self.buttons["import"].clicked.connect(self._ask_import)
        self.buttons["fetch"].clicked.connect(self.fetch_wanted)
        self.buttons["open"].clicked.connect(self.open_wanted)
        self.buttons["new"].clicked.connect(self.new_wanted)
        self.drop.dropped.connect(self.import_wanted)
        for button in self.buttons.values():
            button.installEventFilter(self)

    def _make_recent(self) -> RecentList:
        from annotator.ui.welcome_recent import RecentList
        from annotator.ui.widgets import SearchField

        self.recent, self.search = recent, search = RecentList(), SearchField()
        search.setFixedWidth(220)
        self._head_row.addWidget(search)
        self._recent_place.addWidget(recent)
        recent.chosen.connect(self.recent_chosen)
        search.changed.connect(recent.set_filter)
        recent.installEventFilter(self)
        return recent

    def _ask_import(self) -> None:
        self.import_wanted.emit([])

    def show_recent(self, folders: tuple[str, ...]) -> None:
        """Show the workspaces that were open lately; those that are gone are said to be gone."""
        if folders or self.recent is not None:
            recent = self.recent or self._make_recent()
            recent.show_folders([Path(f) for f in folders])
            recent.setVisible(bool(folders))
        if self.search is not None:
            self.search.setVisible(len(folders) > 1)
        self._none_box.setVisible(not folders)
        self.retranslate()

    def set_busy(self, text: str) -> None:
        """Say what is being made, or "" when it is done."""
        for button in self.buttons.values():
            button.setEnabled(not text)
        self._line.set_text(text or tr("welcome.line"))

    def page_shown(self) -> None:
        """The page is in front."""
        self.take_keyboard()

    def take_keyboard(self) -> None:
        """The first action has the focus; with something recent, that has."""
        target = self.recent if self.recent is not None and self.recent.count() else self.buttons["sample"]
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        """The `/` key."""
        if self.search is not None:
            self.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QEvent) -> None:
        """Take the keyboard when shown."""
        self.take_keyboard()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Digits start the first three actions; Return presses the card that has the focus; arrows walk."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            digits = {Qt.Key.Key_1: "sample", Qt.Key.Key_2: "import", Qt.Key.Key_3: "fetch"}
            if key in digits:
                self.buttons[digits[Qt.Key(key)]].click()
                return True
            if isinstance(watched, StartButton) and key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                watched.click()
                return True
        return super().eventFilter(watched, event)

    def retranslate(self) -> None:
        """Read the texts again."""
        self._line.set_text(tr("welcome.line"))
        known = self.recent.count() if self.recent is not None else 0
        self._head.set_text(tr("welcome.recent", n=known) if known else tr("welcome.recent_none"))
        if self.search is not None:
            self.search.set_placeholder(tr("welcome.search"))
        self._version.set_text(tr("welcome.version", version=__version__))
        self.none.set_texts(tr("welcome.none"), tr("welcome.none_why"), "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.end()
