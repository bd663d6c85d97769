"""Charts: painted widgets over values, walked by arrows, opened by Enter, told to screen readers."""

from __future__ import annotations

from annotator.ui.statistics.charts.bars import Bar, Bars
from annotator.ui.statistics.charts.base import SERIES, Chart, Hit, Legend
from annotator.ui.statistics.charts.curve import Curve, Line, Point
from annotator.ui.statistics.charts.forest import Forest, Mark, Row
from annotator.ui.statistics.charts.funnel import Funnel, Stage
from annotator.ui.statistics.charts.heat import Cell, Heat

__all__ = [
    "SERIES",
    "Bar",
    "Bars",
    "Cell",
    "Chart",
    "Curve",
    "Forest",
    "Funnel",
    "Heat",
    "Hit",
    "Legend",
    "Line",
    "Mark",
    "Point",
    "Row",
    "Stage",
]
