"""What does the reader make of a workflow's text?

A datum is a piece of the tree: an atom, a list, or a member of the quote
family, with its span. Nothing here knows what any of it means.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dramaturg.text import Span

Kind = Literal[
    "list",
    "symbol",
    "string",
    "number",
    "boolean",
    "nil",
    "quote",
    "quasiquote",
    "unquote",
    "unquote-splicing",
    "error",
]

QUOTES = ("quote", "quasiquote", "unquote", "unquote-splicing")


class Datum:
    """A node of the tree; spans count from the start of the top-level form's text.

    `value` is the atom's value (a symbol's is its name), `items` the members of
    a list or the one datum of a quotation.
    """

    __slots__ = ("end", "items", "kind", "start", "value")

    def __init__(self, kind: Kind, start: int, end: int, value: object = None, items: tuple[Datum, ...] = ()) -> None:
        self.kind: Kind = kind
        self.start = start
        self.end = end
        self.value = value
        self.items = items

    @property
    def span(self) -> Span:
        """The datum's span."""
        return Span(self.start, self.end)

    @property
    def name(self) -> str:
        """The name of a symbol; the empty string for anything else."""
        return self.value if self.kind == "symbol" and isinstance(self.value, str) else ""

    @property
    def head(self) -> str:
        """The name of the symbol that a list begins with; the empty string where there is none."""
        return self.items[0].name if self.kind == "list" and self.items else ""

    def walk(self) -> Iterator[Datum]:
        """This datum and all below it, in the order of the text."""
        waiting = [self]
        while waiting:
            datum = waiting.pop()
            yield datum
            waiting.extend(reversed(datum.items))

    def __repr__(self) -> str:
        return f"Datum({write(self)!r}, {self.start}:{self.end})"


_PREFIX = {"quote": "'", "quasiquote": "`", "unquote": ",", "unquote-splicing": ",@"}


def write(datum: Datum) -> str:
    """The datum as text that reads back as the same datum, on one line."""
    from dramaturg.syntax.literals import write_number, write_string

    if datum.kind == "list":
        return "(" + " ".join(write(item) for item in datum.items) + ")"
    if datum.kind in _PREFIX:
        return _PREFIX[datum.kind] + (write(datum.items[0]) if datum.items else "")
    if datum.kind == "string":
        return write_string(str(datum.value))
    if datum.kind == "number" and isinstance(datum.value, int | float):
        return write_number(datum.value)
    if datum.kind == "boolean":
        return "true" if datum.value else "false"
    if datum.kind == "nil":
        return "nil"
    return str(datum.value)
