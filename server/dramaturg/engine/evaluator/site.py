"""Where in the source does an error stand, and what could be seen there?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dramaturg.engine.errors import EngineError, WorkflowError, failure
from dramaturg.engine.evaluator.runtime import ArgumentError
from dramaturg.engine.evaluator.values import UNSET, Value, is_function, write_value
from dramaturg.engine.secrets import mask
from dramaturg.engine.types import TaskFailure, TaskFailureDetails
from dramaturg.language.expand.core import Scope
from dramaturg.syntax.datum import Datum
from dramaturg.text import LineIndex, Place, Span

#: How many calls an error's chain keeps.
CHAIN = 20
_SHORT = 120


@dataclass(frozen=True)
class Unit:
    """A source text being evaluated."""

    path: str
    text: str

    @cached_property
    def lines(self) -> LineIndex:
        """The text's lines."""
        return LineIndex(self.text)


class Site:
    """An expression's place; makes errors that say where they happened."""

    __slots__ = ("base", "datum", "scope", "unit")

    def __init__(self, unit: Unit, base: int, datum: Datum, scope: Scope | None) -> None:
        self.unit = unit
        self.base = base
        self.datum = datum
        self.scope = scope

    @property
    def place(self) -> Place:
        """The expression's place in its file."""
        return self.unit.lines.place(self.unit.path, self.datum.span.shift(self.base))

    @property
    def text(self) -> str:
        """The expression as it is written, shortened."""
        start, end = Span(self.datum.start, self.datum.end).shift(self.base)
        return shorten(" ".join(self.unit.text[start:end].split()))

    def error(self, cause: BaseException, frame: list[Any] | None, name: str = "") -> EngineError:
        """What to raise for `cause`: its error with this place, unless it has one already."""
        if isinstance(cause, WorkflowError):
            return cause
        if isinstance(cause, EngineError):
            error = cause.error
        elif isinstance(cause, RecursionError):
            error = failure("execution_halted", "values or calls are nested too deeply")
        elif isinstance(cause, ArgumentError):
            error = failure("input_validation_failure", f"`{cause.primitive or name}`: {cause}")
        else:
            message = str(cause)
            name = getattr(cause, "primitive", "") or name
            error = failure(
                "input_validation_failure", message if message.startswith("`") or not name else f"`{name}`: {message}"
            )
        return self.located(error, frame)

    def located(self, error: Any, frame: list[Any] | None) -> WorkflowError:
        """The error with this place and, for a TASK_FAILURE, the expression and the names seen from it."""
        if isinstance(error, TaskFailure):
            details = error.details or TaskFailureDetails()
            if details.failing_expression is None:
                details = details.model_copy(
                    update={
                        "failing_expression": mask(self.text),
                        "s_expression_environment": environment(self.scope, frame),
                    }
                )
                error = error.model_copy(update={"details": details})
        return WorkflowError(error, self.place)

    def fail(self, reason: str, message: str, frame: list[Any] | None) -> WorkflowError:
        """A new failure at this place."""
        return self.located(failure(reason, message), frame)


def environment(scope: Scope | None, frame: list[Any] | None) -> dict[str, str]:
    """The visible local names with shortened values, secrets masked; the innermost binding of a name wins."""
    seen: dict[str, str] = {}
    while scope is not None and frame is not None:
        for name, binding in scope.names.items():
            if name not in seen and binding.slot < len(frame):
                seen[name] = describe(frame[binding.slot])
        scope, frame = scope.parent, frame[0]
    return seen


def describe(value: Value) -> str:
    """A value as short text, secrets masked."""
    if value is UNSET:
        return "(no value yet)"
    if is_function(value):
        return repr(value)
    return mask(shorten(write_value(value)))


def shorten(text: str) -> str:
    """At most some 120 characters of a text."""
    return text if len(text) <= _SHORT else text[: _SHORT - 2] + " …"
