"""A lead takes the labels out in the window: formats, whose, stopped, refused, and what is told of it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.cancel import CancelToken, check
from annotator.ui import export_flow, i18n
from annotator.ui.export_dialog import ExportDialog, ExportRequest
from annotator.workspace.exporting import Exported
from tests.helpers.driver import Driver
from tests.helpers.exporting import csv_rows, parquet_rows, xlsx_rows

Drive = Callable[..., Driver]


def dialog_of(driver: Driver) -> ExportDialog:
    """The dialog, opened by the rail."""
    driver.window.rail.buttons["export"].click()
    dialog = driver.window.flows.exports.dialog
    assert dialog is not None and dialog.isVisible()
    return dialog


def choose(monkeypatch: pytest.MonkeyPatch, file: Path | None) -> list[str]:
    """Answer the file dialog; returns what it was asked."""
    asked: list[str] = []

    def answer(_parent: object, title: str, place: str, kinds: str) -> tuple[str, str]:
        asked.extend([title, Path(place).name, kinds])
        return (str(file) if file is not None else "", kinds)

    monkeypatch.setattr(export_flow.QFileDialog, "getSaveFileName", staticmethod(answer))
    return asked


def press(widget: Any) -> None:
    """Press a button by the keyboard."""
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_Space)


@pytest.mark.parametrize(("form", "read"), [("csv", csv_rows), ("xlsx", xlsx_rows), ("parquet", parquet_rows)])
def test_labels_are_written_as_a_table(
    drive: Drive, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, read: Any
) -> None:
    driver = drive(workspace)
    dialog = dialog_of(driver)
    press(dialog.formats.part(form))
    asked = choose(monkeypatch, tmp_path / "out")
    press(dialog.write)
    driver.settle()
    assert asked[1] == f"workspace-labels.{form}" and f"*.{form}" in asked[2]
    file = tmp_path / f"out.{form}"  # the format's own suffix is added
    rows = read(file)
    assert len(rows) == 195 and json.loads((tmp_path / f"out.{form}.meta.json").read_text(encoding="utf-8"))
    assert dialog.told.text() == f"195 labels are in out.{form}; what it is stands in the file beside it."
    assert dialog.write.isEnabled() and not dialog.stop.isVisible()


def test_only_the_own_labels_or_every_event_may_be_wanted(drive: Drive, workspace: Path, tmp_path: Path) -> None:
    driver = drive(workspace)
    driver.press("4")
    dialog = dialog_of(driver)
    assert "other raters" in dialog.whose_note.text() and not dialog.events.isVisible()
    dialog.whose.part("mine").click()
    assert "other raters" not in dialog.whose_note.text() and "names the tested models" in dialog.whose_note.text()
    rater = driver.window.desk.info.rater if driver.window.desk.info else ""
    assert dialog.request() == ExportRequest("csv", rater, False)
    driver.window.flows.exports.write(dialog.request(), tmp_path / "mine.csv")
    driver.settle()
    assert [(row["rater"], row["score"]) for row in csv_rows(tmp_path / "mine.csv") if row["score"]] == [(rater, "4")]
    dialog.formats.part("jsonl").click()
    assert dialog.events.isVisible() and not dialog.told.isVisible()
    dialog.events.click()
    dialog.whose.part("all").click()
    driver.window.flows.exports.write(dialog.request(), tmp_path / "e.jsonl")
    driver.settle()
    lines = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 195 and all("event_id" in line for line in lines)


def test_it_is_stopped_and_nothing_is_left(
    drive: Drive, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_store: object, file: Path, *, token: CancelToken, progress: Any, **_: Any) -> Exported:
        progress(50, 100)
        begun.set()
        go_on.wait(20)
        check(token)
        return Exported(file, file, 1)

    monkeypatch.setattr(export_flow, "export_labels", slow)
    driver = drive(workspace)
    dialog = dialog_of(driver)
    flow = driver.window.flows.exports
    flow.write(dialog.request(), tmp_path / "l.csv")
    driver.wait(lambda: begun.is_set() and dialog.bar.value() == 500)
    assert dialog.told.text() == "Writing l.csv…" and dialog.stop.isVisible() and not dialog.write.isEnabled()
    flow.ask(dialog.request())  # one at a time
    press(dialog.stop)
    go_on.set()
    driver.settle()
    assert dialog.told.text() == "Stopped: nothing was written." and not dialog.bar.isVisible()
    assert list(tmp_path.glob("l.csv*")) == []


def test_leaving_the_workspace_stops_it_and_takes_the_dialog_away(
    drive: Drive, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, tokens = threading.Event(), list[CancelToken]()

    def slow(_store: object, file: Path, *, token: CancelToken, **_: Any) -> Exported:
        tokens.append(token)
        begun.set()
        while not token.cancelled:
            go.wait(0.01)
        check(token)
        return Exported(file, file, 1)

    go = threading.Event()
    monkeypatch.setattr(export_flow, "export_labels", slow)
    driver = drive(workspace)
    dialog = dialog_of(driver)
    driver.window.flows.exports.write(dialog.request(), tmp_path / "l.csv")
    driver.wait(begun.is_set)
    driver.window.leave_workspace()
    driver.settle()
    assert tokens[0].cancelled and driver.window.flows.exports.dialog is None


def test_a_fault_is_told_in_one_sentence_where_it_is_looked_for(drive: Drive, workspace: Path, tmp_path: Path) -> None:
    driver = drive(workspace)
    dialog = dialog_of(driver)
    flow = driver.window.flows.exports
    flow.write(dialog.request(), tmp_path / "no" / "l.csv")
    driver.settle()
    assert "the folder" in dialog.told.text() and "is not there" in dialog.told.text()
    dialog.close()
    flow.write(dialog.request(), tmp_path / "no" / "l.csv")
    driver.settle()
    assert "is not there" in driver.message()
    flow.write(dialog.request(), tmp_path / "l.csv")
    driver.settle()
    assert (tmp_path / "l.csv").exists()


def test_what_is_marked_is_told_and_the_words_follow_the_language(
    drive: Drive, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = drive(workspace)
    choose(monkeypatch, None)
    dialog = dialog_of(driver)
    press(dialog.write)  # and the file dialog is left without an answer
    driver.settle()
    assert not dialog.told.isVisible()
    done = Exported(tmp_path / "l.csv", tmp_path / "m", 1200, 2, 0, 0, 3, [{"code": "cell_formula", "count": 17}],
                    tmp_path / "l.csv.manifest.jsonl")  # fmt: skip
    dialog.show_done(done)
    assert dialog.told.text().splitlines() == [
        "1,200 labels are in l.csv; what it is stands in the file beside it.",
        "17 cells are marked, cut or too long to be shown; l.csv.manifest.jsonl lists them.",
        "2 labels are left out because two devices of one rater disagree; settle them on the sync page.",
        "3 labels are left out because their file was taken down.",
    ]
    i18n.set_language("zh_CN")
    assert dialog.windowTitle() == "导出标签" and "17 个单元格" in dialog.told.text()
    i18n.set_language("en")
    assert dialog.windowTitle() == "Export labels"
