"""Plain text laid out by our own line advance: the only way in which dialogue text reaches the screen.

Nothing here reads markup. Positions that leave this file are code points; Qt's own UTF-16 offsets stay inside. A long
text is laid out in pieces, and only up to a limit unless all of it was asked for, so that it never holds the window.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QTextLayout, QTextLine, QTextOption

LIMIT_CHARS = 5000
LIMIT_LINES = 160
PIECE_CHARS = 2000
_BREAK = re.compile("\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")


def to_utf16(text: str, position: int) -> int:
    """The UTF-16 offset of a code point position."""
    return len(text[:position].encode("utf-16-le", "surrogatepass")) // 2


def from_utf16(text: str, offset: int) -> int:
    """The code point position of a UTF-16 offset; inside a pair it is the pair's start."""
    units = text.encode("utf-16-le", "surrogatepass")[: offset * 2]
    return len(units.decode("utf-16-le", "ignore"))


def is_rtl(text: str) -> bool:
    """Whether the first strong character runs right to left (rule P2 of the bidirectional algorithm)."""
    for char in text[:PIECE_CHARS]:
        kind = unicodedata.bidirectional(char)
        if kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The paragraphs of a text with their first code point; an empty line is a paragraph too."""
    start = 0
    for match in _BREAK.finditer(text):
        yield start, text[start : match.start()]
        start = match.end()
    yield start, text[start:]


@dataclass(frozen=True, slots=True)
class Line:
    """One visual line: `start` to `end` in code points of the whole text; `y` its top inside the block, in px."""

    start: int
    end: int
    y: float
    piece: int
    line: QTextLine


@dataclass(frozen=True, slots=True)
class Piece:
    """One QTextLayout and the code point at which its text begins; Qt's lines live only as long as it does.

    `mixed` says that some of it runs right to left, so that the edges of a stretch need not be its ends.
    """

    layout: QTextLayout
    start: int
    text: str
    mixed: bool


class TextBlock:
    """One text at one width: its lines, its height, and the way between pixels and code points.

    Attributes:
        text: the whole text, as typed.
        height: px; `width` px is what the lines were broken at.
        cut: whether lines beyond the limit were left out.
    """

    def __init__(self, text: str, font: QFont, advance: float, width: float, limited: bool = True) -> None:
        """Lay out `text` with `advance` px from line to line; `limited` stops at LIMIT_CHARS or LIMIT_LINES."""
        self.text = text
        self.width = max(16.0, width)
        self.cut = False
        self.lines: list[Line] = []
        self._font = font
        self._advance = advance
        self._pieces: list[Piece] = []
        metrics = QFontMetricsF(font)
        self._tab = 4 * metrics.horizontalAdvance(" ")
        self._baseline = (advance - metrics.ascent() - metrics.descent()) / 2 + metrics.ascent()
        self._lay_out(limited)
        self.height = len(self.lines) * advance

    def _lay_out(self, limited: bool) -> None:
        for start, paragraph in paragraphs(self.text):
            if limited and (start >= LIMIT_CHARS or len(self.lines) >= LIMIT_LINES):
                self.cut = True
                return
            whole = len(paragraph)
            if limited and start + whole > LIMIT_CHARS + PIECE_CHARS // 2:
                self.cut = True
                paragraph = paragraph[: LIMIT_CHARS - start]
            self._paragraph(start, paragraph, LIMIT_LINES if limited else None)
            if self.cut:
                return

    def _paragraph(self, start: int, paragraph: str, most_lines: int | None) -> None:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(self._tab)
        rtl = is_rtl(paragraph)
        option.setTextDirection(Qt.LayoutDirection.RightToLeft if rtl else Qt.LayoutDirection.LeftToRight)
        option.setAlignment(Qt.AlignmentFlag.AlignRight if rtl else Qt.AlignmentFlag.AlignLeft)
        at = 0
        while True:
            text = paragraph[at : at + PIECE_CHARS]
            last = at + len(text) >= len(paragraph)
            taken = self._piece(start + at, text, option, last)
            at += taken
            if last:
                return
            if most_lines is not None and len(self.lines) >= most_lines:
                self.cut = True
                return

    def _piece(self, start: int, text: str, option: QTextOption, last: bool) -> int:
        """Lay out one piece and say how many code points it took: its last line is left to the piece after it."""
        layout = QTextLayout(text, self._font)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        piece = len(self._pieces)
        mixed = any(unicodedata.bidirectional(char) in ("R", "AL", "RLO", "RLE", "RLI") for char in text)
        self._pieces.append(Piece(layout, start, text, mixed))
        made: list[QTextLine] = []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self.width)
            made.append(line)
        layout.endLayout()
        if not last and len(made) > 1:
            made.pop()
        bmp = len(text) == to_utf16(text, len(text))
        taken = 0
        for line in made:
            y = len(self.lines) * self._advance
            line.setPosition(QPointF(0, y + self._baseline - line.ascent()))
            end = line.textStart() + line.textLength()
            begin_cp = taken
            taken = end if bmp else from_utf16(text, end)
            self.lines.append(Line(start + begin_cp, start + taken, y, piece, line))
        return taken

    def draw(self, painter: QPainter, x: float, y: float, clip: QRectF) -> None:
        """Draw the lines that `clip` (painter coordinates) touches, in the painter's pen colour."""
        first = max(0, int((clip.top() - y) // self._advance))
        last = int((clip.bottom() - y) // self._advance) + 1
        origin = QPointF(x, y)
        for line in self.lines[first : max(first, last)]:
            line.line.draw(painter, origin)

    def position_at(self, x: float, y: float) -> int:
        """The code point boundary nearest to a point of the block, in px."""
        if not self.lines:
            return 0
        row = min(len(self.lines) - 1, max(0, int(y // self._advance)))
        line = self.lines[row]
        piece = self._pieces[line.piece]
        return piece.start + from_utf16(piece.text, line.line.xToCursor(x))

    def rects(self, start: int, end: int) -> list[QRectF]:
        """Where the code points from `start` to `end` stand: one rectangle per visual line, in px of the block.

        A stretch that runs both ways inside one line is covered from its leftmost to its rightmost edge.
        """
        found: list[QRectF] = []
        for line in self.lines:
            low, high = max(start, line.start), min(end, line.end)
            if low >= high:
                continue
            piece = self._pieces[line.piece]
            between = range(low, high) if piece.mixed else ()
            edges = [self._x(line, piece, at) for at in {low, high, *between}]
            found.append(QRectF(min(edges), line.y, max(2.0, max(edges) - min(edges)), self._advance))
        return found

    @staticmethod
    def _x(line: Line, piece: Piece, position: int) -> float:
        # The binding answers with (x, cursor position); its stub promises an object.
        x: Any = line.line.cursorToX(to_utf16(piece.text, position - piece.start))
        return float(x[0] if isinstance(x, tuple) else x)

    def step(self, position: int, by: int, *, by_word: bool) -> int:
        """The next (`by` 1) or previous (-1) place where a selection may end: a whole character as read, or a word."""
        if not self.text or not 0 <= position + by <= len(self.text):
            return position
        if by_word:
            start, end = self.word_at(position if by > 0 else position - 1)
            return end if by > 0 else start
        for piece in self._pieces:
            if piece.start <= min(position, position + by) and max(position, position + by) <= piece.start + len(
                piece.text
            ):
                here = to_utf16(piece.text, position - piece.start)
                there = piece.layout.nextCursorPosition(here) if by > 0 else piece.layout.previousCursorPosition(here)
                return piece.start + from_utf16(piece.text, there)
        return position + by

    def word_at(self, position: int) -> tuple[int, int]:
        """The stretch that a double click selects: a run of letters and digits, else one character."""
        if not self.text:
            return (0, 0)
        at = min(position, len(self.text) - 1)
        start = end = at
        while start > 0 and _wordy(self.text[start - 1]) and _wordy(self.text[at]):
            start -= 1
        while end < len(self.text) and _wordy(self.text[end]) and _wordy(self.text[at]):
            end += 1
        return (start, max(end, at + 1))


def _wordy(char: str) -> bool:
    return char.isalnum() and not "\u2e80" <= char <= "\u9fff"
