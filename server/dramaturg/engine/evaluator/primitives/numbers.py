"""What do the primitives on numbers do?"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from dramaturg.engine.evaluator.primitives.registry import BEHAVIOUR, BINARY, a_string, an_integer, primitive
from dramaturg.engine.evaluator.runtime import ArgumentError, OperationError
from dramaturg.engine.evaluator.values import Value
from dramaturg.syntax.literals import LiteralError, read_number, write_number

Number = int | float


def number(value: Value, place: int) -> Number:
    """The value if it is a number; booleans are none."""
    if type(value) is int or type(value) is float:
        return value
    raise ArgumentError(place, "a number", value)


def _finite(value: Number) -> Number:
    if type(value) is float and not math.isfinite(value):
        raise OperationError("the result is too large for a float")
    return value


def _bad_number(arguments: tuple[Value, ...]) -> ArgumentError:
    for place, value in enumerate(arguments, 1):
        if type(value) is not int and type(value) is not float:
            return ArgumentError(place, "a number", value)
    raise AssertionError("all arguments are numbers")


def _arithmetic(name: str, operation: Callable[[Any, Any], Any], unit: int) -> None:
    def binary(a: Value, b: Value) -> Number:
        if type(a) is int and type(b) is int:
            return operation(a, b)  # type: ignore[no-any-return]
        if (type(a) is int or type(a) is float) and (type(b) is int or type(b) is float):
            try:
                result: Number = operation(a, b)
            except OverflowError:
                raise OperationError("the result is too large for a float") from None
            return _finite(result)
        raise _bad_number((a, b))

    def many(*arguments: Value) -> Number:
        if not arguments:
            return unit
        result = number(arguments[0], 1)
        for place, value in enumerate(arguments[1:], 2):
            result = binary(result, number(value, place))
        return result

    BINARY[name] = binary
    BEHAVIOUR[name] = (many, False)


_arithmetic("+", operator.add, 0)
_arithmetic("*", operator.mul, 1)


@primitive("-")
def subtract(first: Value, *more: Value) -> Number:
    """`-`."""
    result = number(first, 1)
    if not more:
        return -result
    for place, value in enumerate(more, 2):
        result = _subtract(result, number(value, place))
    return result


def _subtract(a: Value, b: Value) -> Number:
    if type(a) is int and type(b) is int:
        return a - b
    if (type(a) is int or type(a) is float) and (type(b) is int or type(b) is float):
        try:
            return _finite(a - b)
        except OverflowError:
            raise OperationError("the result is too large for a float") from None
    raise _bad_number((a, b))


BINARY["-"] = _subtract


@primitive("/")
def divide(first: Value, *more: Value) -> Number:
    """`/`: whole quotients of integers stay integers."""
    result = number(first, 1)
    if not more:
        return _divide(1, result)
    for place, value in enumerate(more, 2):
        result = _divide(result, number(value, place))
    return result


def _divide(a: Number, b: Number) -> Number:
    if b == 0:
        raise OperationError("division by zero")
    if type(a) is int and type(b) is int:
        whole, remainder = divmod(a, b)
        if remainder == 0:
            return whole
    try:
        return _finite(a / b)
    except OverflowError:
        raise OperationError("the result is too large for a float") from None


@primitive("quotient")
def quotient(a: Value, b: Value) -> int:
    """`quotient`, towards zero."""
    dividend, divisor = an_integer(a, 1), an_integer(b, 2)
    if divisor == 0:
        raise OperationError("division by zero")
    whole = abs(dividend) // abs(divisor)
    return whole if (dividend < 0) == (divisor < 0) else -whole


@primitive("modulo")
def modulo(a: Value, b: Value) -> Number:
    """`modulo`, with the divisor's sign."""
    dividend, divisor = number(a, 1), number(b, 2)
    if divisor == 0:
        raise OperationError("division by zero")
    return dividend % divisor


@primitive("min")
def minimum(*arguments: Value) -> Number:
    """`min`."""
    return min(number(value, place) for place, value in enumerate(arguments, 1))


@primitive("max")
def maximum(*arguments: Value) -> Number:
    """`max`."""
    return max(number(value, place) for place, value in enumerate(arguments, 1))


@primitive("abs")
def absolute(value: Value) -> Number:
    """`abs`."""
    return abs(number(value, 1))


@primitive("round")
def round_(value: Value) -> int:
    """`round`, half to even."""
    return round(number(value, 1))


@primitive("number->string")
def number_to_string(value: Value) -> str:
    """`number->string`."""
    return write_number(number(value, 1))


@primitive("string->number")
def string_to_number(value: Value) -> Number | None:
    """`string->number`, by the reader's own rules."""
    import re

    text = a_string(value, 1).strip()
    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?", text):
        return None
    read = read_number(text)
    return None if isinstance(read, LiteralError) else read


def _comparison(name: str, operation: Callable[[Any, Any], Any]) -> None:
    def binary(a: Value, b: Value) -> bool:
        if (type(a) is int or type(a) is float) and (type(b) is int or type(b) is float):
            return operation(a, b)  # type: ignore[no-any-return]
        raise _bad_number((a, b))

    def many(*arguments: Value) -> bool:
        numbers = [number(value, place) for place, value in enumerate(arguments, 1)]
        return all(map(operation, numbers, numbers[1:]))

    BINARY[name] = binary
    BEHAVIOUR[name] = (many, False)


for _name, _operation in (
    ("=", operator.eq),
    ("<", operator.lt),
    (">", operator.gt),
    ("<=", operator.le),
    (">=", operator.ge),
):
    _comparison(_name, _operation)
