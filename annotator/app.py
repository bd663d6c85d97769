"""The window's composition root: log, application, lanes, window; and what happens to errors nobody caught.

Before the first paint only PySide6 and the floor are imported; the workspace, and with it the domain and the store, is
opened in a lane while the window is on screen.
"""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QLoggingCategory, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from annotator import __version__
from annotator import settings as preferences
from annotator.errors import without_tokens
from annotator.ui import collector, density, i18n, theme
from annotator.ui.lanes import Lanes
from annotator.ui.window import MainWindow

log = logging.getLogger(__name__)
LOG_BYTES = 5_000_000
LOG_FILES = 5


class LogFile(logging.Handler):
    """The rotating log file, made at its first record: the module it needs is not worth its import before that."""

    def __init__(self, file: Path) -> None:
        """`file` is written to once there is something to write."""
        super().__init__()
        self._path = file
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        if self._file is None:
            from logging.handlers import RotatingFileHandler

            self._file = RotatingFileHandler(
                self._path, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8", delay=True
            )
            self._file.setFormatter(self.formatter)
        self._file.emit(record)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
        super().close()


class LogLines(logging.Formatter):
    """Lines from which tokens are taken out, also out of tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """One record as text."""
        return without_tokens(super().format(record))


def start_log() -> None:
    """Log to a rotating file: UTC, no label texts. Without a place to write, the program works all the same."""
    try:
        folder = preferences.log_dir()
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    handler = LogFile(folder / "annotator.log")
    lines = LogLines("%(asctime)s %(levelname)s %(name)s %(message)s", "%Y-%m-%dT%H:%M:%SZ")
    lines.converter = time.gmtime
    handler.setFormatter(lines)
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    sys.excepthook = _uncaught
    threading.excepthook = _uncaught_in_thread
    qInstallMessageHandler(_qt_message)
    if sys.stderr is not None:
        faulthandler.enable()


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        log.critical("uncaught", exc_info=(kind, error, trace))
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, MainWindow):
                widget.lanes.bug.emit(error)
    sys.__excepthook__(kind, error, trace)


def _uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.critical("uncaught in a thread", exc_info=args.exc_value)


def _qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    levels = {
        QtMsgType.QtDebugMsg: 10,
        QtMsgType.QtInfoMsg: 20,
        QtMsgType.QtWarningMsg: 30,
        QtMsgType.QtCriticalMsg: 40,
    }
    logging.getLogger("qt").log(levels.get(kind, 50), "%s", text)


def make_application(argv: list[str] | None = None) -> QApplication:
    """The QApplication with the person's language, theme and text size."""
    QLoggingCategory.setFilterRules("qt.qpa.fonts.warning=false\nqt.multimedia.symbolsresolver=false")
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication(argv if argv is not None else sys.argv[:1])
    app.setApplicationName("Rubric Annotator")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("rubric-annotator")
    held = preferences.load()
    i18n.set_language(held.language if held.language in ("en", "zh_CN") else i18n.system_language())  # type: ignore[arg-type]
    density.set_text_scale(held.text_scale)
    theme.set_theme(app, held.theme if held.theme in ("light", "dark") else "system")  # type: ignore[arg-type]
    return app


def main(workspace: Path | None = None, *, sample: bool = False) -> int:
    """Show the window, on a workspace where one is given, on the last one where there is one, else the welcome page.

    The caller may have paused the garbage collector: the first paint makes next to no garbage. It runs again from then.
    """
    start_log()
    app = make_application()
    window = MainWindow(Lanes())
    target = workspace if workspace is not None or sample else _last_workspace()

    # The painting thread gets the interpreter back within a millisecond from whoever computes beside it.
    sys.setswitchinterval(0.001)

    def go_on() -> None:
        collector.start()
        if sample:
            window.open_sample()
        elif target is not None:
            window.open_path(target)

    window.first_painted.connect(go_on)
    window.show()
    return app.exec()


def _last_workspace() -> Path | None:
    recent = preferences.load().recent
    last = Path(recent[0]) if recent else None
    return last if last is not None and (last / "workspace.db").is_file() else None


def gui_main() -> None:
    """Entry point of the desktop launcher."""
    sys.exit(main())
