"""What values has the language, and how are they compared, written and turned into JSON?

nil, booleans, integers, floats, strings, lists and maps are Python's own; truth
is Python's own too (section 2 of the language contract chose it so). Symbols,
functions and records are classes here and in `engine.types`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, ClassVar, Final

from dramaturg.engine.types.model import Interface
from dramaturg.syntax.datum import QUOTES, Datum
from dramaturg.syntax.literals import write_number, write_string

Value = Any


class Symbol:
    """A symbol; two of one name are one object."""

    __slots__ = ("name",)
    _known: ClassVar[dict[str, Symbol]] = {}

    name: str

    def __new__(cls, name: str) -> Symbol:
        known = cls._known.get(name)
        if known is None:
            known = cls._known[name] = super().__new__(cls)
            known.name = name
        return known

    def __repr__(self) -> str:
        return f"Symbol({self.name!r})"


class Unset:
    """What a local name holds before its definition was evaluated."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Final = Unset()


class Closure:
    """A function of the language: its frame, and its body as a Python callable of frame and runtime."""

    __slots__ = ("body", "environment", "extra", "name", "required", "rest", "simple")

    def __init__(
        self,
        name: str,
        environment: list[Any] | None,
        body: Callable[..., Any],
        required: int,
        rest: bool,
        extra: int,
    ) -> None:
        self.name = name
        self.environment = environment
        self.body = body
        self.required = required
        self.rest = rest
        self.extra = extra
        #: the number of parameters where a frame is just the arguments, else -1
        self.simple = -1 if rest or extra else required

    def __repr__(self) -> str:
        return f"<function {self.name or 'lambda'}>"


class Primitive:
    """A primitive as a value; `needs_runtime` where its first argument is the runtime."""

    __slots__ = ("function", "name", "needs_runtime")

    def __init__(self, name: str, function: Callable[..., Any], needs_runtime: bool) -> None:
        self.name = name
        self.function = function
        self.needs_runtime = needs_runtime

    def __repr__(self) -> str:
        return f"<primitive {self.name}>"


def is_function(value: Value) -> bool:
    """Whether the value can be called."""
    return isinstance(value, Closure | Primitive)


def type_name(value: Value) -> str:
    """The value's type in the words of error messages, with its article: `a string`, `an integer`."""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int):
        return "an integer"
    if isinstance(value, float):
        return "a float"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, Symbol):
        return "a symbol"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a map"
    if is_function(value):
        return "a function"
    return "a record"


def from_datum(datum: Datum) -> Value:
    """The value of a quoted datum."""
    if datum.kind == "list":
        return [from_datum(item) for item in datum.items]
    if datum.kind == "symbol":
        return Symbol(datum.name)
    if datum.kind in QUOTES:
        return [Symbol(datum.kind), *(from_datum(item) for item in datum.items)]
    return datum.value


def equal(left: Value, right: Value) -> bool:
    """Equality by value: 1 and 1.0 differ, and so do true and 1."""
    if left is right:
        return True
    if isinstance(left, list):
        return isinstance(right, list) and len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict):
        return (
            isinstance(right, dict)
            and left.keys() == right.keys()
            and all(equal(value, right[key]) for key, value in left.items())
        )
    return type(left) is type(right) and bool(left == right)


def text_of(value: Value) -> str | None:
    """A scalar as text: numbers in shortest form, nil empty, symbols by name; None for everything else."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return write_number(value)
    if isinstance(value, Symbol):
        return value.name
    return None


def display(value: Value) -> str:
    """Any value as text: scalars as `text_of`, the rest as JSON, functions by their name."""
    text = text_of(value)
    if text is not None:
        return text
    if is_function(value):
        return repr(value)
    return to_json_text(value)


def write_value(value: Value) -> str:
    """The value as the language writes it, so that data read back as they were."""
    waiting: list[Value | _Text] = [value]
    parts: list[str] = []
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Text):
            parts.append(item.text)
        elif isinstance(item, str):
            parts.append(write_string(item))
        elif item is None:
            parts.append("nil")
        elif isinstance(item, list):
            waiting.append(_Text(")"))
            for index in range(len(item) - 1, -1, -1):
                waiting.append(item[index])
                waiting.append(_Text(" " if index else "("))
            if not item:
                waiting.append(_Text("("))
        elif isinstance(item, Interface):
            waiting.append(item.as_dict())
        elif isinstance(item, dict):
            waiting.append(_Text(")"))
            for key in reversed(item):
                waiting.extend((_Text(")"), item[key], _Text(f" ({write_string(key)} ")))
            waiting.append(_Text("(dict"))
        elif is_function(item):
            parts.append(repr(item))
        else:
            text = text_of(item)
            parts.append(text if text is not None else str(item))
    return "".join(parts)


class _Text:
    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def to_json(value: Value) -> Any:
    """The value as JSON data: symbols by name, functions null, records as objects."""
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key: to_json(item) for key, item in value.items()}
    if isinstance(value, Interface):
        return value.as_dict()
    if isinstance(value, Symbol):
        return value.name
    if is_function(value):
        return None
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class _Integer(int):
    """An integer that JSON writes at any length."""

    def __repr__(self) -> str:
        return write_number(int(self))

    __str__ = __repr__


def to_json_text(value: Value) -> str:
    """The value as compact JSON text; integers of any length."""
    return json.dumps(_with_long_integers(to_json(value)), ensure_ascii=False, separators=(",", ":"))


def _with_long_integers(data: Any) -> Any:
    if isinstance(data, list):
        return [_with_long_integers(item) for item in data]
    if isinstance(data, dict):
        return {key: _with_long_integers(item) for key, item in data.items()}
    if isinstance(data, int) and not isinstance(data, bool) and data.bit_length() > 12_000:
        return _Integer(data)
    return data
