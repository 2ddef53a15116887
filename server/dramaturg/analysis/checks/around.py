"""What may a check of one expression ask about the names around it?"""

from __future__ import annotations

from typing import Protocol

from dramaturg.analysis.shapes import Shape
from dramaturg.language.expand.core import Binding
from dramaturg.language.names import Names


class NamesOfFile(Names, Protocol):
    """The names around a form: what they mean, which may be suggested, and what is known of their values."""

    @property
    def parameters(self) -> dict[Binding, Shape]:
        """What is known of parameters, gathered while a form is gone through, outermost first."""
        ...

    def known_names(self) -> list[str]:
        """Every global name."""
        ...

    def task_names(self) -> list[str]:
        """Every task and tool."""
        ...

    def value_shape(self, name: str) -> Shape | None:
        """What is known of the value of a top-level name."""
        ...

    def answer_shape(self, task: str) -> Shape | None:
        """What is known of a task's parsed answer, from its output schema."""
        ...
