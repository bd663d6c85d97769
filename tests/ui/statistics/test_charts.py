"""Charts: what can be pointed at, how arrows walk, what is said, and that every state can be painted."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from annotator.ui import theme
from annotator.ui.statistics.charts import (
    Bar,
    Bars,
    Cell,
    Chart,
    Curve,
    Forest,
    Funnel,
    Heat,
    Legend,
    Line,
    Mark,
    Point,
    Row,
    Stage,
)
from annotator.ui.statistics.charts.base import span_of, ticks
from annotator.ui.statistics.charts.heat import mixed
from annotator.ui.statistics.parts import Tile, Tiles


def cells() -> list[list[Cell]]:
    counts = ((0, 2, 9), (1, 5, 0), (7, 0, 0))
    return [
        [
            Cell((3 - r, c + 1), n, "same" if 3 - r == c + 1 else "near", text=f"{3 - r} {c + 1}: {n}")
            for c, n in enumerate(row)
        ]
        for r, row in enumerate(counts)
    ]  # fmt: skip


def forest() -> Forest:
    made = Forest(at=0.0)
    made.set_rows(
        [
            Row("one", "One", (Mark("a", 0.5, 0.2, 0.8), Mark("b", 0.1)), band=(0.4, 0.6), cells=(("0.5", "text2"),)),
            Row("two", "Two", why="undefined: all scores are 5", text="Two: undefined", gap=True),
            Row("three", "Three", (Mark("a", -0.5, -0.6, -0.4),), few=True, opens=False, cells=(("6", "text2"),)),
        ],
        ("n",),
    )  # fmt: skip
    return made


def heat() -> Heat:
    made = Heat()
    made.set_cells(cells(), ("3", "2", "1"), ("1", "2", "3"), ("judge", "people"))
    return made


def curve() -> Curve:
    made = Curve((1, 5), (1, 5), diagonal=True)
    points = tuple(Point(("level", x), x, x - 0.5, x - 0.8, x - 0.2, f"judge {x}") for x in (2, 3, 4))
    rising = tuple(Point(("map", x), x, x - 0.6, text=f"map {x}") for x in (2, 4))
    made.set_lines([Line("a", points), Line("c", rising, marked=False)], ("judge", "people"))
    made.set_level(3.0, 2.8, 3.2, "people 3.0")
    made.set_at(3.5)
    return made


def bars() -> Bars:
    made = Bars()
    made.set_bars(
        [Bar("x", "X", 3, "3", low=1, high=4), Bar("y", "Y", None, why="undefined: nobody"), Bar("z", "Z", 0)]
    )
    return made


def funnel() -> Funnel:
    made = Funnel()
    made.set_stages([Stage("all", "All", 10), Stage("kept", "Kept", 4, "six went", (("ok", 3), ("warn", 1)))])
    return made


def tiles() -> Tiles:
    made = Tiles()
    made.set_tiles([Tile("a", "0.79", "AC2", "0.75 to 0.83", opens=True), Tile("b", "–", "alpha", "undefined")])
    return made


MADE = {"forest": forest, "heat": heat, "curve": curve, "bars": bars, "funnel": funnel, "tiles": tiles}


@pytest.fixture(params=MADE)
def chart(request: pytest.FixtureRequest, qtbot: QtBot) -> Chart:
    made: Chart = MADE[request.param]()
    made.set_title("A title")
    qtbot.addWidget(made)
    made.resize(520, 320)
    made.show()
    return made


def inked(chart: Chart) -> int:
    """How many colours the painted chart has."""
    image = chart.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    return len({image.pixel(x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3)})


def test_it_is_painted_in_both_themes_and_at_any_size(chart: Chart, qapp: object) -> None:
    for look in ("light", "dark"):
        theme.set_theme(qapp, look)  # type: ignore[arg-type]
        for size in ((520, 320), (240, 160), (60, 40)):
            chart.resize(*size)
            assert inked(chart) > 2


def test_arrows_walk_every_mark_and_tell_each(chart: Chart) -> None:
    told: list[str] = []
    chart.pointed.connect(told.append)
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chart, Qt.Key.Key_Home)
    seen = {chart.current().key}  # type: ignore[union-attr]
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Right):
        for _ in range(len(chart.hits())):
            QTest.keyClick(chart, key)
            current = chart.current()
            assert current is not None
            seen.add(current.key)
            assert chart.accessibleName() == f"A title: {current.text}"
            assert told[-1] == current.text
    QTest.keyClick(chart, Qt.Key.Key_End)
    assert chart.current().key == chart.hits()[-1].key  # type: ignore[union-attr]
    if not isinstance(chart, Heat):
        rows = {hit.row for hit in chart.hits()}
        assert {next(hit.row for hit in chart.hits() if hit.key == key) for key in seen} == rows


def test_enter_and_click_open_what_has_items(chart: Chart) -> None:
    opened: list[object] = []
    chart.activated.connect(opened.append)
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chart, Qt.Key.Key_Home)
    for hit in chart.hits():
        before = len(opened)
        at = hit.area.center()
        on_top = chart.hit_at(at)
        assert on_top is not None
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(round(at.x()), round(at.y())))
        QTest.keyClick(chart, Qt.Key.Key_Return)
        assert opened[before:] == [on_top.key] * (2 if on_top.opens else 0)


def test_the_pointer_tells_what_lies_under_it(chart: Chart) -> None:
    told: list[str] = []
    chart.pointed.connect(told.append)
    hit = chart.hits()[0]
    at = QPoint(round(hit.area.center().x()), round(hit.area.center().y()))
    QTest.mouseMove(chart, at)
    on_top = chart.hit_at(hit.area.center())
    assert on_top is not None
    assert chart.current() == on_top
    assert told[-1] == on_top.text


def test_ticks_are_round_and_within() -> None:
    assert ticks(0, 1, 6) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert ticks(-0.3, 0.3, 4) == [-0.2, 0, 0.2]
    assert ticks(1, 5, 5) == [1, 2, 3, 4, 5]
    assert ticks(2, 2) == [2]
    for low, high in ((0.013, 0.017), (-400, 3000), (0.5, 0.51)):
        found = ticks(low, high)
        assert 2 <= len(found) <= 6
        assert all(low <= value <= high for value in found)


def test_a_span_is_never_empty() -> None:
    assert span_of([], None, None) == pytest.approx((-0.06, 1.06))
    assert span_of([3.0], None, None) == pytest.approx((2.9, 3.1))
    assert span_of([0.2, 0.6], None, 1.0)[1] == 1.0
    low, high = span_of([5.0], 5.0, 5.0)
    assert low < high


def test_a_cell_is_mixed_by_the_root_of_its_share() -> None:
    panel, strong = theme.color("panel"), theme.color("series-c")
    assert mixed(panel, strong, 0.0).name() == panel.name()
    assert mixed(panel, strong, 1.0).name() == strong.name()
    half = mixed(panel, strong, 0.5)
    assert abs(half.redF() - (panel.redF() + strong.redF()) / 2) < 0.01


def test_an_empty_table_says_why(qtbot: QtBot) -> None:
    made = Heat()
    qtbot.addWidget(made)
    made.set_cells([], (), (), ("", ""), "undefined: no unit has both scores")
    made.resize(400, 300)
    assert made.hits() == []
    assert inked(made) > 2
    legend = Legend()
    qtbot.addWidget(legend)
    legend.set_parts(("band", "people"), ("a", "judge"))
    assert legend.accessibleName() == "people, judge"
    assert legend.sizeHint().width() > 80
