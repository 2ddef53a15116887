"""Where is an offset, in whichever units somebody counts?

Offsets everywhere in Dramaturg are code points from the start of a text. This
module alone turns them into lines and columns and back; it knows nothing of
languages or of protocols.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal, NamedTuple

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")


class Span(NamedTuple):
    """A half-open range of offsets."""

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """The same span `by` code points further on."""
        return Span(self.start + by, self.end + by)

    def holds(self, offset: int) -> bool:
        """Whether a cursor at `offset` touches the span, its end included."""
        return self.start <= offset <= self.end


class Position(NamedTuple):
    """A line and a column, both from 0; the unit of the column is its reader's choice."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Place:
    """A span of a file, with its start as people count: line and column from 1."""

    path: str
    span: Span
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}"


def width(text: str, encoding: Encoding) -> int:
    """The number of code units of `text` in `encoding`."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-16":
        return len(text) + sum(1 for character in text if character > "\uffff")
    return len(text.encode("utf-8", "surrogatepass"))


class LineIndex:
    """The starts of a text's lines, and conversions that rest on them."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        if "\r" in text:
            self.starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        else:
            self.starts = list(accumulate([len(line) + 1 for line in text.split("\n")[:-1]], initial=0))

    @classmethod
    def edited(cls, before: LineIndex, text: str) -> LineIndex:
        """The lines of a text that comes of another one by an edit."""
        if "\r" in text or "\r" in before.text:
            return cls(text)
        old = before.text
        prefix = common_prefix(old, text)
        suffix = common_suffix(old, text, min(len(old), len(text)) - prefix)
        shift = len(text) - len(old)
        starts = before.starts
        first = bisect_right(starts, prefix)
        last = bisect_right(starts, len(old) - suffix)
        line = prefix
        middle = []
        while (line := text.find("\n", line, len(text) - suffix) + 1) > 0:
            middle.append(line)
        after = cls.__new__(cls)
        after.text = text
        rest = starts[last:]
        after.starts = [*starts[:first], *middle, *([start + shift for start in rest] if shift else rest)]
        return after

    def position(self, offset: int, encoding: Encoding = "utf-32") -> Position:
        """The position of `offset`, which is clamped to the text; columns in units of `encoding`."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        return Position(line, width(self.text[start:offset], encoding))

    def offset(self, line: int, column: int, encoding: Encoding = "utf-32") -> int:
        """The offset of a position; a column past its line's end means the end, as LSP 3.17 asks."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        content = self.line(line)
        start = self.starts[line]
        if encoding == "utf-32" or content.isascii():
            return start + max(0, min(column, len(content)))
        units = 0
        for index, character in enumerate(content):
            if units >= column:
                return start + index
            units += width(character, encoding)
        return start + len(content)

    def line(self, line: int) -> str:
        """The text of a line without its end."""
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def place(self, path: str, span: Span) -> Place:
        """The place of `span` in the file `path`, counted from 1 for people."""
        line, column = self.position(span.start)
        return Place(path, span, line + 1, column + 1)


def common_prefix(left: str, right: str) -> int:
    """How many characters at the beginning of two texts are the same, found by comparing halves."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def common_suffix(left: str, right: str, limit: int) -> int:
    """How many characters at the end of two texts are the same, `limit` at most."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if left[len(left) - middle : len(left) - low] == right[len(right) - middle : len(right) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def code_points(text: str) -> list[int]:
    """For every offset in UTF-8, the offset in code points."""
    widths = (len(character.encode("utf-8", "surrogatepass")) for character in text)
    ends = accumulate(widths, initial=0)
    offsets: list[int] = []
    for index, end in enumerate(ends):
        offsets.extend([index] * (end + 1 - len(offsets)))
    return offsets
