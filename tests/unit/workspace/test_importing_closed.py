"""Files and folders that may not be read: one sentence that names them, and nothing passed over in silence."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import WorldError
from tests.helpers.imports import bring, video, workspace, write


def _close(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Let a folder be closed, as to a person without permission; a test may run as one whom nothing is closed to."""
    real_scan: Callable[..., Any] = os.scandir
    real_stat: Callable[..., Any] = os.stat

    def refuse(path: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))

    def scan(path: Any = ".") -> Iterator[os.DirEntry[str]]:
        if Path(path) == folder:
            refuse(path)
        return real_scan(path)

    def look(path: Any, *more: Any, **named: Any) -> os.stat_result:
        if not isinstance(path, int) and folder in Path(os.fsdecode(path)).parents:
            refuse(path)
        return real_stat(path, *more, **named)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(os, "stat", look)
    monkeypatch.setattr(os, "access", lambda path, mode, **named: Path(path) != folder)


def test_a_source_that_may_not_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(tmp_path / "data" / "d.json", [video("d1")])
    inner = write(tmp_path / "closed" / "e.json", [video("e1")])
    with workspace(tmp_path) as store:
        _close(monkeypatch, inner.parent)
        for source, roots in ((inner.parent, []), (inner, []), (data, [inner.parent])):
            with pytest.raises(WorldError, match=r"closed.*may not be read: change its permissions"):
                bring(store, source, *roots)
        assert store.items.heads() == [] and store.imports.published() == []


def test_a_closed_folder_inside_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "data" / "d.json", [video("d1")])
    inner = write(tmp_path / "data" / "in" / "e.json", [video("e1")])
    with workspace(tmp_path) as store:
        _close(monkeypatch, inner.parent)
        report = bring(store, tmp_path / "data")
        assert report.dialogues == 1
        assert report.notes == ["The folder in may not be read: change its permissions."]
