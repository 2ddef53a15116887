"""What is found wrong with a program, as data?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.text import Span

Severity = Literal["error", "warning", "information", "hint", "off"]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a problem speaks of; `path` is empty for the same file."""

    span: Span
    message: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding: the code of its rule, where it stands, and what to say.

    `data` carries what a fix needs, such as the name that was probably meant.
    """

    code: str
    span: Span
    message: str
    related: tuple[Related, ...] = ()
    data: tuple[tuple[str, str], ...] = ()

    def shift(self, by: int) -> Problem:
        """The same problem `by` code points further on."""
        related = tuple(place if place.path else Related(place.span.shift(by), place.message) for place in self.related)
        return Problem(self.code, self.span.shift(by), self.message, related, self.data)
