"""A sliding window over a text that is too long to hold: filled on demand, emptied as it is consumed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_BLANK: Final = re.compile(r"[ \t\r\n]*")
_OUTSIDE: Final = re.compile(r'["\[\]{}]')
_INSIDE: Final = re.compile(r'["\\]')


class Window:
    """Text from a stream of pieces.

    Attributes:
        text: what is held now; `pos`: where reading stands in it.
        line: the physical line of `pos`, from 1.
    """

    def __init__(self, pieces: Iterator[str]) -> None:
        """Take the pieces as they are needed."""
        self.text = ""
        self.pos = 0
        self.line = 1
        self._pieces = pieces
        self._before = 0  # characters of the current line that are no longer held

    def fill(self) -> bool:
        """Let go of what is consumed and hold at least twice as much as is left; False at the end of the text.

        Doubling keeps the work linear when one record is longer than many pieces.
        """
        rest = self.text[self.pos :]
        new: list[str] = []
        length = 0
        while length <= len(rest):
            piece = next(self._pieces, None)
            if piece is None:
                break
            new.append(piece)
            length += len(piece)
        if not new:
            return False
        last = self.text.rfind("\n", 0, self.pos)
        self._before = self.pos - last - 1 if last >= 0 else self._before + self.pos
        self.text = "".join([rest, *new])
        self.pos = 0
        return True

    def take(self, count: int = 1) -> None:
        """Step over `count` characters."""
        self.line += self.text.count("\n", self.pos, self.pos + count)
        self.pos += count

    def drop(self, pos: int) -> None:
        """Remove one character that means nothing."""
        self.text = self.text[:pos] + self.text[pos + 1 :]

    def next_char(self) -> str:
        """Step over blanks; the character that follows, "" at the end."""
        while True:
            if self.pos < len(self.text) and self.text[self.pos] > " ":
                return self.text[self.pos]
            match = _BLANK.match(self.text, self.pos)
            self.take((match.end() if match else self.pos) - self.pos)
            if self.pos < len(self.text):
                return self.text[self.pos]
            if not self.fill():
                return ""

    def line_at(self, pos: int) -> int:
        """The physical line of a place at or behind `pos`."""
        return self.line + self.text.count("\n", self.pos, pos)

    def column_at(self, pos: int) -> int:
        """The column of a place in characters, from 1."""
        last = self.text.rfind("\n", 0, pos)
        return pos - last if last >= 0 else self._before + pos + 1

    def skip_value(self) -> bool:
        """Step over one list or object by its brackets alone, however deep; False where the text ends before it."""
        depth, inside = 0, False
        while True:
            match = (_INSIDE if inside else _OUTSIDE).search(self.text, self.pos)
            if match is None:
                self.take(len(self.text) - self.pos)
                if not self.fill():
                    return False
                continue
            mark = match.group()
            if mark == "\\" and match.end() == len(self.text):
                self.take(match.start() - self.pos)
                if not self.fill():
                    return False
                continue
            self.take(match.end() - self.pos + (mark == "\\"))
            if mark == '"':
                inside = not inside
            elif mark != "\\":
                depth += 1 if mark in "[{" else -1
                if depth == 0:
                    return True
