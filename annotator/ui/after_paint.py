"""Work that may wait until what was changed is on the screen."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal


class AfterPaint(QObject):
    """Asks for something once the paint that is due has gone out; asked for again meanwhile, it happens once.

    A paint is posted to the event loop. Timers fire behind what is posted, in the same turn of the loop: after two
    turns the paint has gone out, and what its receivers posted has been answered.

    Signals:
        due: it has.
    """

    due = Signal()

    def __init__(self, parent: QObject) -> None:
        """Nothing is asked for."""
        super().__init__(parent)
        self._first, self._second = QTimer(self), QTimer(self)
        for timer in (self._first, self._second):
            timer.setSingleShot(True)
        self._first.timeout.connect(self._second.start)
        self._second.timeout.connect(self.due)

    def start(self) -> None:
        """Ask for it."""
        if not self._second.isActive():
            self._first.start()

    def stop(self) -> None:
        """It is not wanted any more."""
        self._first.stop()
        self._second.stop()
