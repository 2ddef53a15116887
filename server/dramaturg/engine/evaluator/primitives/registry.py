"""Where do primitives register what they do?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dramaturg.engine.evaluator.runtime import ArgumentError, OperationError
from dramaturg.engine.evaluator.values import Symbol, Value, is_function
from dramaturg.language.table import PRIMITIVE_TABLE

F = TypeVar("F", bound=Callable[..., Any])

#: Canonical name → the function, and whether its first argument is the runtime.
BEHAVIOUR: dict[str, tuple[Callable[..., Any], bool]] = {}

#: Faster functions for calls with exactly two arguments.
BINARY: dict[str, Callable[[Any, Any], Any]] = {}


def primitive(name: str, needs_runtime: bool = False) -> Callable[[F], F]:
    """Registers the decorated function as the behaviour of a primitive."""

    def register(function: F) -> F:
        BEHAVIOUR[name] = (function, needs_runtime)
        return function

    return register


def check_arity(name: str, count: int) -> None:
    """Raises OperationError where a primitive does not take `count` arguments."""
    construct = PRIMITIVE_TABLE[name]
    if not construct.accepts(count):
        raise OperationError(f"`{name}`: expected {construct.expected}, found {count}")


def a_list(value: Value, place: int) -> list[Any]:
    """The value if it is a list."""
    if type(value) is not list:
        raise ArgumentError(place, "a list", value)
    return value


def a_string(value: Value, place: int) -> str:
    """The value if it is a string."""
    if type(value) is not str:
        raise ArgumentError(place, "a string", value)
    return value


def an_integer(value: Value, place: int) -> int:
    """The value if it is an integer."""
    if type(value) is not int:
        raise ArgumentError(place, "an integer", value)
    return value


def a_function(value: Value, place: int) -> Value:
    """The value if it can be called."""
    if not is_function(value):
        raise ArgumentError(place, "a function", value)
    return value


def a_key(value: Value, place: int) -> str:
    """The name of a field: a string, or a symbol's name."""
    if type(value) is str:
        return value
    if type(value) is Symbol:
        return value.name
    raise ArgumentError(place, "a string or a symbol", value)
