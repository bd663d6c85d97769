"""Charts as SVG text: values with their intervals, a table of counts, a curve, bars. Colours are CSS roles."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

ROW: Final = 22
LABEL: Final = 380
PLOT: Final = 300
NOTE: Final = 232
WIDTH: Final = LABEL + PLOT + NOTE
_CELL: Final = 46
_FITS: Final = 51  # of 12 px in the widest of the usual typefaces
_WHY_FITS: Final = 44


@dataclass(frozen=True)
class Mark:
    """One row of a chart: a value with its interval, or the reason why there is none; `note` stands at the right.

    A label that is too long for its place is cut, and whole where one points at it.

    `link` is the place in the page that its label leads to.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str = ""
    why: str = ""
    link: str = ""


def forest(marks: Sequence[Mark], low: float, high: float, title: str, at: float | None = None) -> str:
    """Values as dots with whiskers between `low` and `high`; a line marks `at` (no bias, say)."""
    height = ROW * len(marks) + 34
    parts = [_axis(low, high, height)]
    if at is not None and low < at < high:
        x = _x(at, low, high)
        parts.append(f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 26}"/>')
    for place, mark in enumerate(marks):
        y = 16 + ROW * place
        parts.append(
            _linked(f'<text class="label" x="{LABEL - 10}" y="{y + 4}">{escape(_cut(mark.label))}</text>', mark)
        )
        parts.append(_mark(mark, y, low, high))
        parts.append(f'<text class="note" x="{LABEL + PLOT + 12}" y="{y + 4}">{escape(mark.note)}</text>')
    return _svg(title, WIDTH, height, parts)


def _mark(mark: Mark, y: int, low: float, high: float) -> str:
    if mark.value is None:
        return f'<text class="why" x="{LABEL + 6}" y="{y + 4}">{escape(_cut(mark.why, _WHY_FITS))}</text>'
    parts = []
    if mark.low is not None and mark.high is not None:
        ends = [_x(end, low, high) for end in (mark.low, mark.high)]
        parts.append(f'<line class="whisker" x1="{ends[0]:.1f}" x2="{ends[1]:.1f}" y1="{y}" y2="{y}"/>')
    parts.append(f'<circle class="dot" cx="{_x(mark.value, low, high):.1f}" cy="{y}" r="4.5"/>')
    return "".join(parts)


def _x(value: float, low: float, high: float) -> float:
    return LABEL + PLOT * (min(max(value, low), high) - low) / (high - low)


def _axis(low: float, high: float, height: int) -> str:
    parts = []
    for step in range(5):
        value = low + (high - low) * step / 4
        x = _x(value, low, high)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 26}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 10}">{value:g}</text>')
    return "".join(parts)


def heat(cells: Sequence[Sequence[float]], title: str, rows: str, columns: str) -> str:
    """A square table of counts; rows go down from 1, darker cells hold more. `rows` and `columns` name the sides."""
    size = len(cells)
    most = max((cell for row in cells for cell in row), default=0) or 1
    parts = [
        f'<text class="side" x="{60 + size * _CELL / 2}" y="14">{escape(columns)}</text>',
        f'<text class="side" transform="translate(14 {30 + size * _CELL / 2}) rotate(-90)">{escape(rows)}</text>',
    ]
    for i, row in enumerate(cells):
        parts.append(f'<text class="tick" x="46" y="{30 + i * _CELL + 28}">{i + 1}</text>')
        parts.append(f'<text class="tick" x="{60 + i * _CELL + 23}" y="{30 + size * _CELL + 16}">{i + 1}</text>')
        for j, cell in enumerate(row):
            x, y = 60 + j * _CELL, 30 + i * _CELL
            share = cell / most
            kind = "cell same" if i == j else "cell"
            parts.append(
                f'<rect class="{kind}" style="fill-opacity:{0.06 + 0.6 * share:.3f}" x="{x}" y="{y}" '
                f'width="{_CELL - 2}" height="{_CELL - 2}"/>'
                f'<text class="count" x="{x + 22}" y="{y + 27}">{cell:.4g}</text>'
            )
    return _svg(title, 70 + size * _CELL, 54 + size * _CELL, parts)


def curve(
    points: Sequence[tuple[float, float, float | None, float | None]], title: str, *, low: float, high: float,
    bottom: float, top: float, diagonal: bool = False,
) -> str:  # fmt: skip
    """A line through (x, y) with a band between the last two where both are there; `diagonal`: x = y is drawn."""
    width, height = 520, 260

    def x(value: float) -> float:
        return 50 + 450 * (value - low) / (high - low)

    def y(value: float) -> float:
        return 16 + 200 * (top - min(max(value, bottom), top)) / (top - bottom)

    parts = []
    for step in range(5):
        across, up = low + (high - low) * step / 4, bottom + (top - bottom) * step / 4
        parts.append(f'<line class="grid" x1="50" x2="500" y1="{y(up):.1f}" y2="{y(up):.1f}"/>')
        parts.append(f'<text class="label" x="44" y="{y(up) + 4:.1f}">{up:g}</text>')
        parts.append(f'<text class="tick" x="{x(across):.1f}" y="236">{across:g}</text>')
    if diagonal:
        parts.append(f'<line class="zero" x1="{x(low)}" y1="{y(low)}" x2="{x(high)}" y2="{y(high)}"/>')
    ends = [(x(px), y(lo), y(hi)) for px, _, lo, hi in points if lo is not None and hi is not None]
    if len(ends) > 1:
        there = " ".join(f"{px:.1f},{lo:.1f}" for px, lo, _ in ends)
        back = " ".join(f"{px:.1f},{hi:.1f}" for px, _, hi in reversed(ends))
        parts.append(f'<polygon class="band" points="{there} {back}"/>')
    line = " ".join(f"{x(px):.1f},{y(py):.1f}" for px, py, _, _ in points)
    parts.append(f'<polyline class="line" points="{line}"/>')
    parts += [f'<circle class="dot" cx="{x(px):.1f}" cy="{y(py):.1f}" r="3.5"/>' for px, py, _, _ in points]
    return _svg(title, width, height, parts)


def bars(marks: Sequence[Mark], title: str) -> str:
    """Counts as bars from the left, each with its number: a funnel, or reasons."""
    most = max((mark.value or 0 for mark in marks), default=0) or 1
    parts = []
    for place, mark in enumerate(marks):
        y, count = 6 + ROW * place, mark.value or 0
        wide = PLOT * count / most
        label = f'<text class="label" x="{LABEL - 10}" y="{y + 13}">{escape(_cut(mark.label))}</text>'
        parts.append(_linked(label, mark))
        parts.append(f'<rect class="bar" x="{LABEL}" y="{y}" width="{wide:.1f}" height="{ROW - 6}"/>')
        parts.append(f'<text class="note" x="{LABEL + wide + 8:.1f}" y="{y + 13}">{count:g}</text>')
    return _svg(title, WIDTH, ROW * len(marks) + 12, parts)


def _linked(label: str, mark: Mark) -> str:
    if _cut(mark.label) != mark.label:
        label = label.replace("</text>", f"<title>{escape(mark.label)}</title></text>")
    return f'<a href="#{escape(mark.link)}">{label}</a>' if mark.link else label


def _svg(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg role="img" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
    )


def _cut(text: str, width: int = _FITS) -> str:
    """The text as far as it fits, in halves of a Chinese character's width."""
    used = 0
    for place, letter in enumerate(text):
        used += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if used > width:
            return text[:place].rstrip() + "…"
    return text
