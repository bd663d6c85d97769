"""The window: rail, pages, message bar, verdict bar and status bar, and which page is shown when.

The window lays out and switches; what happens on the audit page is connected in `review`. Pages are made when they are
first shown, so that the first paint waits for nothing.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from annotator import settings as preferences
from annotator.errors import WorldError
from annotator.ui import density, i18n, key_table, switches
from annotator.ui.farewell import Farewell
from annotator.ui.i18n import tr
from annotator.ui.lanes import Lanes
from annotator.ui.pages import Keyed, Pages, Shown
from annotator.ui.statusbar import StatusBar
from annotator.ui.welcome import WelcomePage

if TYPE_CHECKING:
    from annotator.ui.desk import Desk
    from annotator.ui.flows import Flows
    from annotator.ui.importpage import ImportPage
    from annotator.ui.keys import KeyRouter
    from annotator.ui.problemspage import ProblemsPage
    from annotator.ui.rail import Rail
    from annotator.ui.review import ReviewPage
    from annotator.ui.widgets.message import MessageBar, MessageKind
    from annotator.workspace.views import WorkspaceInfo

log = logging.getLogger(__name__)
MIN_SIZE = (1024, 640)


class MainWindow(QMainWindow):
    """The one window.

    Signals:
        first_painted: the window is on screen; what the first paint did without may be made now.
        ready: the first row of a workspace is shown (or it has none).
    """

    first_painted = Signal()
    ready = Signal()

    def __init__(self, lanes: Lanes) -> None:
        """Show the welcome page; nothing of the domain is imported yet."""
        super().__init__()
        self.lanes = lanes
        self._farewell = Farewell(self)
        self._desk: Desk | None = None
        self._flows: Flows | None = None
        self._review: ReviewPage | None = None
        self.stack = QStackedWidget()
        self.pages = Pages(self, self.stack)
        self.welcome = WelcomePage()
        self.stack.addWidget(self.welcome)
        self.foot = QVBoxLayout()
        self.status = StatusBar()
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.setMinimumSize(*MIN_SIZE)
        self.retranslate()
        self._restore()
        self._painted = False

    def _lay_out(self) -> None:
        self._inner = inner = QVBoxLayout()
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        self.foot.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(self.stack, 1)
        inner.addLayout(self.foot)
        self._upper = upper = QHBoxLayout()
        upper.setContentsMargins(0, 0, 0, 0)
        upper.setSpacing(0)
        upper.addLayout(inner, 1)
        body = QWidget()
        whole = QVBoxLayout(body)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(upper, 1)
        whole.addWidget(self.status)
        self.setCentralWidget(body)

    def _connect(self) -> None:
        welcome = self.welcome
        welcome.sample_wanted.connect(self.open_sample)
        welcome.import_wanted.connect(self.import_into_new)
        welcome.fetch_wanted.connect(self.fetch_into_new)
        welcome.open_wanted.connect(self.choose_workspace)
        welcome.new_wanted.connect(self.make_workspace)
        welcome.recent_chosen.connect(self.open_path)
        self.status.language_wanted.connect(switches.toggle_language)
        self.status.theme_wanted.connect(switches.toggle_theme)
        self.status.keys_wanted.connect(self.show_keys)
        self.status.guide_wanted.connect(self.show_guide)
        self.lanes.trouble.connect(self.tell_error)
        self.lanes.bug.connect(self._tell_bug)
        i18n.bus().changed.connect(self.retranslate)

    def _restore(self) -> None:
        held = preferences.load()
        self.resize(1600, 1000)
        if held.geometry:
            self.restoreGeometry(QByteArray.fromBase64(held.geometry.encode("ascii", "replace")))
        else:
            screen = QGuiApplication.primaryScreen()
            if screen is not None:
                self.resize(screen.availableGeometry().size().boundedTo(self.size()))
        self.welcome.show_recent(held.recent)
        key_table.restore_complete_key(held.complete_key)

    # --- parts that the first paint does without ----------------------------------------------------------------
    @cached_property
    def rail(self) -> Rail:
        """The pages of an open workspace."""
        from annotator.ui.rail import Rail

        rail = Rail()
        rail.hide()
        rail.chosen.connect(self._rail_chosen)
        self._upper.insertWidget(0, rail)
        return rail

    @cached_property
    def messages(self) -> MessageBar:
        """The message bar, between the page and the verdict bar."""
        from annotator.ui.widgets.message import MessageBar

        messages = MessageBar()
        messages.acted.connect(self._message_acted)
        self._inner.insertWidget(1, messages)
        return messages

    @cached_property
    def router(self) -> KeyRouter:
        """Turns key presses into actions."""
        from annotator.ui.keys import KeyRouter

        router = KeyRouter(self)
        router.triggered.connect(self._key)
        return router

    def _after_paint(self) -> None:
        _ = self.router  # made: there is a window to press keys in now
        self.first_painted.emit()

    # --- pages --------------------------------------------------------------------------------------------------
    @property
    def desk(self) -> Desk:
        """The desk, made when first needed (it imports the domain)."""
        if self._desk is None:
            from annotator.ui.desk import Desk
            from annotator.ui.item_entry import entries
            from annotator.ui.sync_flow import SyncFlow

            self._desk = desk = Desk(self.lanes, self)
            self.sync = SyncFlow(self, desk)
            desk.opened.connect(self._opened)
            desk.refused.connect(self._refused)
            desk.closed.connect(self._closed)
            self.choice, self.comparison = entries(self, desk)
        return self._desk

    @property
    def flows(self) -> Flows:
        """Importing and deciding, made when first needed."""
        if self._flows is None:
            from annotator.ui.flows import Flows

            self._flows = Flows(self)
        return self._flows

    @property
    def review(self) -> ReviewPage:
        """The audit page, made when first needed."""
        if self._review is None:
            from annotator.ui.review import ReviewPage

            self._review = review = ReviewPage(self.desk, self.router, self.status, self.messages)
            self.stack.addWidget(review)
            self.foot.addWidget(review.verdict)
            review.verdict.hide()
            review.ready.connect(self.ready)
        return self._review

    @property
    def import_page(self) -> ImportPage:
        """The import page."""
        return cast("ImportPage", self.pages.get("import"))

    @property
    def problems_page(self) -> ProblemsPage:
        """The problems page."""
        return cast("ProblemsPage", self.pages.get("problems"))

    def show_page(self, name: str) -> None:
        """Show `welcome`, `review`, or a page of `pages.MAKERS`."""
        page: QWidget = self.welcome
        if name != "welcome":
            page = self.review if name == "review" else self.pages.get(name)
        self.stack.setCurrentWidget(page)
        self.rail.setVisible(name != "welcome")
        self.rail.set_current(name)
        if self._review is not None:
            self._review.verdict.setVisible(name == "review")
        self.status.show_media(name in ("review", "choice", "compare"))
        self.router.set_context(page.key_context if isinstance(page, Keyed) else "none")  # type: ignore[arg-type]
        if name == "welcome":
            self.welcome.show_recent(preferences.load().recent)
        if isinstance(page, Shown):
            page.page_shown()

    def _rail_chosen(self, name: str) -> None:
        commands = {"home": self.leave_workspace, "keys": self.show_keys, "settings": self.show_settings,
                    "export": self.show_export}  # fmt: skip
        commands[name]() if name in commands else self.show_page(name)

    def show_export(self) -> None:
        """Labels into files."""
        self.flows.exports.show_dialog()

    # --- workspaces ---------------------------------------------------------------------------------------------
    def open_path(self, folder: str | Path) -> None:
        """Open a workspace; the window stays usable meanwhile."""
        self.desk.open(Path(folder))

    def choose_workspace(self) -> None:
        """Ask which workspace to open."""
        if folder := self._ask_folder(tr("window.choose_workspace")):
            self.open_path(folder)

    def _ask_folder(self, title: str) -> str:
        from PySide6.QtWidgets import QFileDialog

        return QFileDialog.getExistingDirectory(self, title)

    def make_workspace(self) -> None:
        """Ask where to make a new workspace, and open it."""
        if folder := self._ask_folder(tr("window.choose_empty")):
            self.flows.make_workspace(Path(folder))

    def open_sample(self) -> None:
        """Make the sample where it is missing, and open it."""
        self.flows.open_sample()

    def import_into_new(self, paths: list[str]) -> None:
        """Import files or a folder: into the open workspace, else into a new one that is asked for."""
        self.flows.start_import([Path(p) for p in paths])

    def fetch_into_new(self) -> None:
        """The Hub's page, with the open workspace or a new one."""
        self.flows.start_fetch()

    def leave_workspace(self) -> None:
        """Back to the welcome page; the workspace is closed once everything is on disk."""
        self.desk.close()

    def _opened(self, info: WorkspaceInfo) -> None:
        preferences.remember(info.folder)
        self.status.show_workspace(rater=info.rater, open_=True)
        self.setWindowTitle(tr("window.title_workspace", name=info.name))
        self.show_page("review" if info.dialogues else "import")
        if info.read_only:
            self.status.show_read_only()
            self._message("warn", info.why, "read_only", ("retry", tr("messages.open_again")))
        else:
            self.status.show_saved(None)
        for sentence in info.warnings:
            self._message("warn", sentence, sentence[:40])
        if not info.dialogues:
            self.ready.emit()

    def _refused(self, error: WorldError) -> None:
        self.show_page("welcome")
        self.tell_error(error)
        self.ready.emit()

    def _closed(self) -> None:
        self.messages.clear()
        self.status.show_workspace(rater="", open_=False)
        self.retranslate()
        self.show_page("welcome")

    # --- telling ------------------------------------------------------------------------------------------------
    def tell(self, kind: MessageKind, text_key: str, *, key: str = "", **values: object) -> None:
        """Show a sentence of `messages.toml` in the message bar."""
        self._message(kind, tr(text_key, **values), key or text_key)

    def _message(self, kind: MessageKind, text: str, key: str, *actions: tuple[str, str]) -> None:
        from annotator.ui.sentences import message

        self.messages.show_message(message(kind, text, actions, key))

    def tell_error(self, error: WorldError) -> None:
        """Show the world's fault in the message bar."""
        self._message("error", error.sentence, error.sentence[:60])

    def _tell_bug(self, error: BaseException) -> None:
        self._message("error", tr("messages.bug", what=f"{type(error).__name__}: {error}"[:160]), "bug")

    def _message_acted(self, key: str, action: str) -> None:
        if (key, action) == ("read_only", "retry") and self._desk is not None and self._desk.info is not None:
            self.open_path(self._desk.info.folder)

    # --- keys, language, theme ----------------------------------------------------------------------------------
    def _key(self, action: str) -> None:
        commands = {"all_keys": self.show_keys, "guide": self.show_guide, "open_workspace": self.choose_workspace,
                    "new_workspace": self.make_workspace}  # fmt: skip
        if action in commands:
            commands[action]()
        elif isinstance(page := self.stack.currentWidget(), Keyed):
            page.key(action)
        elif action == "search":
            self.welcome.focus_search()

    def show_keys(self) -> None:
        """All keys."""
        from annotator.ui.widgets.keys_overlay import KeysOverlay

        KeysOverlay(self).open()

    def show_guide(self) -> None:
        """The guide, beside the work."""
        from annotator.ui.help import HelpDialog

        dialog = HelpDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def show_settings(self) -> None:
        """Language, theme, text size, the rebindable key."""
        from annotator.ui.settingsdialog import SettingsDialog

        SettingsDialog(self).open()

    def retranslate(self) -> None:
        """The window's own texts."""
        info = self._desk.info if self._desk is not None else None
        self.setWindowTitle(tr("window.title_workspace", name=info.name) if info else tr("window.title"))

    # --- events -------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        """The first time, tell once the whole window is painted."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self._after_paint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The size class follows the window."""
        density.update_for(self.size())
        super().resizeEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files and folders may be dropped anywhere."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Import what is dropped; a workspace is opened."""
        paths = [Path(u.toLocalFile()) for u in event.mimeData().urls() if u.isLocalFile()]
        if len(paths) == 1 and (paths[0] / "workspace.db").is_file():
            self.open_path(paths[0])
        elif paths:
            self.flows.start_import(paths)
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close once everything that was said is on disk; only where that fails a person is asked."""
        desk = self._desk
        if desk is not None and not self._farewell.may_go(desk):
            event.ignore()
            return
        self._remember_place()
        self.pages.shut_down(self._review)
        if desk is not None:
            desk.close()
        self.lanes.shutdown()
        super().closeEvent(event)

    def _remember_place(self) -> None:
        encoded = bytes(self.saveGeometry().toBase64().data()).decode("ascii")
        try:
            preferences.save(replace(preferences.load(), geometry=encoded))
        except OSError as error:
            log.warning("settings not saved: %s", error)
