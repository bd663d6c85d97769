"""What one score may touch: one row of the queue, two rows of the grid, nothing of the open turn's texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from annotator.domain.queue import QueueRow, facets, next_unfinished, position, step
from annotator.domain.sheet import Cell
from annotator.ui.grid import ScoreGrid
from annotator.ui.queue_model import QueueDelegate, QueueModel
from annotator.ui.queuepanel import QueuePanel
from annotator.ui.score_row import ScoreRow
from annotator.ui.shelf import Places
from annotator.ui.transcript import TranscriptView
from annotator.workspace.views import QueueView
from tests.helpers.invented import invented

ROWS = 7340
T3 = "turn:3"


def queue_rows(count: int) -> list[QueueRow]:
    return [
        QueueRow(
            item_id=f"dialogue:{n // 10:016d}", responder=f"p::m{n % 10}::t", source_id=f"V-{n}", title=f"title {n}",
            alias="A", scenario="work", modality="video", categories=("ocr",), spoken=False, turns=3,
            progress=bytes([8, 3, 0]), session=0, verdict=None, status="started",
        )
        for n in range(count)
    ]  # fmt: skip


def queue_view(rows: list[QueueRow]) -> QueueView:
    return QueueView(tuple(rows), len(rows), sum(r.finished for r in rows), facets(rows), {})


class PaintCount(QObject):
    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.paints = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.paints += event.type() == QEvent.Type.Paint
        return False


def calls(monkeypatch: pytest.MonkeyPatch, kind: type, name: str) -> list[Any]:
    made: list[Any] = []
    inner: Callable[..., Any] = getattr(kind, name)

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        made.append(self)
        return inner(self, *args, **kwargs)

    monkeypatch.setattr(kind, name, counted)
    return made


def test_a_changed_row_is_painted_alone_and_lays_nothing_out(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    painted = calls(monkeypatch, QueueDelegate, "paint")
    counted = calls(monkeypatch, QueueModel, "rowCount")
    rows = queue_rows(ROWS)
    panel = QueuePanel()
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    panel.show_view(queue_view(rows))
    qtbot.waitUntil(lambda: len(painted) > 5)
    qtbot.wait(50)
    painted.clear()
    counted.clear()
    panel.update_row(replace(rows[2], progress=bytes([8, 4, 0])), 0)
    qtbot.waitUntil(lambda: bool(painted))
    qtbot.wait(50)
    assert len(painted) == 1
    assert len(counted) < 50


def test_a_row_out_of_sight_costs_no_paint(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    painted = calls(monkeypatch, QueueDelegate, "paint")
    rows = queue_rows(ROWS)
    panel = QueuePanel()
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    panel.show_view(queue_view(rows))
    qtbot.waitUntil(lambda: len(painted) > 5)
    qtbot.wait(50)
    painted.clear()
    panel.update_row(replace(rows[-1], progress=bytes([8, 8, 8])), 0)
    qtbot.wait(50)
    assert not painted and panel.model.rows[-1].progress == bytes([8, 8, 8])


def test_a_score_touches_the_row_that_got_it(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = ScoreGrid()
    qtbot.addWidget(grid)
    grid.show_sheet(invented("en", half=False), T3)
    shown = calls(monkeypatch, ScoreRow, "show_state")
    grid.score_current(4)
    grid.mark_pending(T3, "accuracy")
    grid.show_sheet(invented("en", half=False, cells={(T3, "accuracy"): Cell(4)}), T3)
    grid.mark_saved(T3, "accuracy")
    assert {row.dimension.id for row in shown} == {"accuracy"}
    assert len(shown) <= 2  # pending, then solid


def test_another_turn_shows_every_row_anew(qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = ScoreGrid()
    qtbot.addWidget(grid)
    view = invented("en", half=False)
    grid.show_sheet(view, T3)
    shown = calls(monkeypatch, ScoreRow, "show_state")
    grid.show_sheet(view, "turn:2")
    assert len(shown) == 8


def test_a_score_of_the_open_turn_paints_nothing_of_the_transcript(qtbot: Any) -> None:
    transcript = TranscriptView()
    qtbot.addWidget(transcript)
    transcript.resize(500, 600)
    transcript.show()
    transcript.show_review(invented("en", half=False))
    transcript.show_turn(3)
    transcript.set_dimension("accuracy")
    watch = PaintCount(transcript.viewport())
    qtbot.waitUntil(lambda: watch.paints > 0)
    qtbot.wait(50)
    watch.paints = 0
    transcript.set_dimension("completeness")
    transcript.show_review(invented("en", half=False, cells={(T3, "accuracy"): Cell(1)}))
    qtbot.wait(50)
    assert watch.paints == 0
    transcript.show_review(invented("en", half=False, cells={("turn:1", "accuracy"): Cell(1)}))
    qtbot.waitUntil(lambda: watch.paints > 0)  # a past turn wears its scores


def test_places_know_rows_without_looking_through_them() -> None:
    rows = queue_rows(50)
    places = Places()
    first = places.replaced(queue_view(rows), [replace(rows[7], status="complete")])
    assert (first.rows[7].status, first.complete, len(first.rows)) == ("complete", 1, 50)
    assert [r.key for r in first.rows] == [r.key for r in rows]
    kept = places._places
    second = places.replaced(first, [replace(rows[7], status="started"), replace(rows[9], responder="gone")])
    assert places._places is kept
    assert second.complete == 0 and second.rows[9] == rows[9]
    other = places.replaced(queue_view(rows[::-1]), [replace(rows[0], status="complete")])
    assert other.rows[-1].status == "complete" and other.complete == 1


def test_walking_the_queue_finds_places_and_ends() -> None:
    rows = queue_rows(30)
    rows[4] = replace(rows[4], status="complete")
    assert (
        position(rows, rows[12].key) == 12 and position(rows, ("no", "where")) is None and position(rows, None) is None
    )
    assert step(rows, rows[29].key, 1) is None
    assert next_unfinished(rows, rows[3].key) == rows[5]
    assert next_unfinished(rows, rows[29].key) == rows[0]
