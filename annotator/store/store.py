"""An open workspace as its caller sees it: one object, its subjects behind it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import TracebackType

from annotator.errors import WorldError
from annotator.store import device as devices
from annotator.store.attributions import Attributions
from annotator.store.database import Database
from annotator.store.desk import Desk
from annotator.store.imports import Imports
from annotator.store.items import Items
from annotator.store.journal import Journal
from annotator.store.judged import Judged
from annotator.store.judges import Judges
from annotator.store.labels import Labels
from annotator.store.locks import FileLock
from annotator.store.many import ManyLabels
from annotator.store.media_places import MOVES
from annotator.store.predictions import Predictions
from annotator.store.queue import Queue
from annotator.store.spots import SpotDraws
from annotator.store.union import Union
from annotator.store.upkeep import Upkeep


class Store:
    """An open workspace; usable from any thread, to be closed once.

    Attributes:
        folder: the workspace.
        device: the id under which labels are made here.
        network_share: it lies on a network file system.
        warnings: sentences about what was found at opening.
        items, labels, many, queue, judges, predictions, imports, union, desk, upkeep: its subjects.
    """

    def __init__(
        self,
        database: Database,
        device: str,
        *,
        window: FileLock | None = None,
        network_share: bool = False,
    ) -> None:
        """Put the subjects together; `window` is the lock of the window that opened it."""
        self.folder: Path = database.folder
        self.network_share = network_share
        self.warnings: tuple[str, ...] = ()
        self.database = database
        self.journal = Journal(self.folder)
        self._window = window
        judged = Judged()
        self.desk = Desk(database)
        database.places.set_moves(self.desk.get(MOVES, {}))
        self.items = Items(database, judged, self.desk)
        self.labels = Labels(database, self.journal, judged, device)
        self.many = ManyLabels(database, self.journal, judged, self.labels)
        self.queue = Queue(database, self.desk)
        self.union = Union(database, self.journal, judged, self.labels)
        self.judges = Judges(database)
        self.attributions = Attributions(database)
        self.spots = SpotDraws(database)
        self.predictions = Predictions(database)
        self.imports = Imports(database, judged)
        self.upkeep = Upkeep(database, self.journal, judged, self.items)
        self._closed = False

    @property
    def device(self) -> str:
        """The id under which labels are made here."""
        return self.labels.device

    @property
    def read_only(self) -> bool:
        """Whether writing is refused."""
        return self.database.read_only

    @property
    def fixed(self) -> bool:
        """Whether the place it lies in cannot be written, so that what is read is the file alone or a copy."""
        return self.database.target is not None

    @property
    def why(self) -> str:
        """A sentence why it cannot be written, else ""."""
        return self.database.why

    @property
    def journal_warning(self) -> str:
        """A sentence while labels are saved but their second copy cannot be written, else ""."""
        return self.journal.warning

    def version(self) -> int:
        """A number that differs from the last one on this thread when anybody wrote meanwhile."""
        return int(self.database.all("PRAGMA data_version")[0][0])

    def __enter__(self) -> Store:
        """Use it inside a block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Remember how far this device counted, and let go of everything; a second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if not self.read_only:
                self._leave()
        finally:
            self.database.close()
            if self._window is not None:
                self._window.close()

    def _leave(self) -> None:
        """What is better done now than at the next opening, which does it otherwise."""
        with suppress(WorldError, OSError), self.database.read() as connection:
            if self.journal.warning:
                with self.database.locked():
                    self.journal.complete(connection)
            seq = devices.highest_seq(connection, self.device)
            devices.remember(self.desk.workspace_id, self.folder, self.database.file, self.device, seq)
