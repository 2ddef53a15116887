"""What do the primitives on strings do?"""

from __future__ import annotations

from dramaturg.engine.evaluator.primitives.registry import a_list, a_string, an_integer, primitive
from dramaturg.engine.evaluator.runtime import ArgumentError, OperationError
from dramaturg.engine.evaluator.values import Value, display, text_of, to_json_text


@primitive("string-append")
def string_append(*parts: Value) -> str:
    """`string-append`."""
    return "".join([_text(part, place) for place, part in enumerate(parts, 1)])


def _text(value: Value, place: int) -> str:
    text = text_of(value)
    if text is None:
        raise ArgumentError(place, "text (a string, number, boolean, symbol or nil)", value)
    return text


@primitive("string=?")
def string_equal(a: Value, b: Value) -> bool:
    """`string=?`."""
    return a_string(a, 1) == a_string(b, 2)


@primitive("string-length")
def string_length(value: Value) -> int:
    """`string-length`."""
    return len(a_string(value, 1))


@primitive("substring")
def substring(value: Value, start: Value, end: Value = None) -> str:
    """`substring`."""
    text, first = a_string(value, 1), an_integer(start, 2)
    last = len(text) if end is None else an_integer(end, 3)
    if not 0 <= first <= last <= len(text):
        raise OperationError(f"{first} to {last} is outside of a string of {len(text)} characters")
    return text[first:last]


@primitive("string-split")
def string_split(value: Value, separator: Value) -> list[str]:
    """`string-split`; an empty separator gives the characters."""
    text, sep = a_string(value, 1), a_string(separator, 2)
    return text.split(sep) if sep else list(text)


@primitive("string-join")
def string_join(members: Value, separator: Value) -> str:
    """`string-join`."""
    parts = []
    for member in a_list(members, 1):
        text = text_of(member)
        if text is None:
            raise ArgumentError(1, "a list of texts, not one that holds other values", member)
        parts.append(text)
    return a_string(separator, 2).join(parts)


@primitive("string-contains?")
def string_contains(value: Value, part: Value) -> bool:
    """`string-contains?`."""
    return a_string(part, 2) in a_string(value, 1)


@primitive("string-replace")
def string_replace(value: Value, old: Value, new: Value) -> str:
    """`string-replace`."""
    text, wanted, other = a_string(value, 1), a_string(old, 2), a_string(new, 3)
    if not wanted:
        raise OperationError("the text to replace is empty")
    return text.replace(wanted, other)


@primitive("string-upcase")
def string_upcase(value: Value) -> str:
    """`string-upcase`."""
    return a_string(value, 1).upper()


@primitive("string-downcase")
def string_downcase(value: Value) -> str:
    """`string-downcase`."""
    return a_string(value, 1).lower()


@primitive("string-trim")
def string_trim(value: Value) -> str:
    """`string-trim`."""
    return a_string(value, 1).strip()


@primitive("format")
def format_(template: Value, *values: Value) -> str:
    """`format`: `{}` takes the next value."""
    pieces = a_string(template, 1).split("{}")
    if len(pieces) - 1 != len(values):
        raise OperationError(f"the text has {len(pieces) - 1} `{{}}`, the number of values is {len(values)}")
    parts = [pieces[0]]
    for value, piece in zip(values, pieces[1:], strict=True):
        parts += (display(value), piece)
    return "".join(parts)


@primitive("json-stringify")
def json_stringify(value: Value) -> str:
    """`json-stringify`."""
    return to_json_text(value)
