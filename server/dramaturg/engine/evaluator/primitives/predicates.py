"""What do the predicates do?"""

from __future__ import annotations

from dramaturg.engine.evaluator.primitives.registry import BINARY, primitive
from dramaturg.engine.evaluator.values import Symbol, Value, equal, is_function


@primitive("eq?")
def eq(a: Value, b: Value) -> bool:
    """`eq?`, `equal?`."""
    return equal(a, b)


BINARY["eq?"] = equal


@primitive("null?")
def is_null(value: Value) -> bool:
    """`null?`, `nil?`: nil and the empty list."""
    return value is None or (type(value) is list and not value)


@primitive("list?")
def is_list(value: Value) -> bool:
    """`list?`."""
    return type(value) is list


@primitive("string?")
def is_string(value: Value) -> bool:
    """`string?`."""
    return type(value) is str


@primitive("number?")
def is_number(value: Value) -> bool:
    """`number?`."""
    return type(value) in (int, float)


@primitive("integer?")
def is_integer(value: Value) -> bool:
    """`integer?`."""
    return type(value) is int


@primitive("boolean?")
def is_boolean(value: Value) -> bool:
    """`boolean?`."""
    return type(value) is bool


@primitive("symbol?")
def is_symbol(value: Value) -> bool:
    """`symbol?`."""
    return type(value) is Symbol


@primitive("function?")
def is_callable(value: Value) -> bool:
    """`function?`."""
    return is_function(value)


@primitive("map?")
def is_map(value: Value) -> bool:
    """`map?`."""
    return type(value) is dict


@primitive("not")
def not_(value: Value) -> bool:
    """`not`."""
    return not value
