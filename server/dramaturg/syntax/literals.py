"""What value does a literal's text stand for, and how is a value written?

Numbers and strings of the workflow language in both directions; see section 1
of the language's contract.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from dramaturg.text import Span

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"'}
_DIGITS_AT_ONCE = 4000  # below CPython's limit on the conversion of integers (PEP: CVE-2020-10735)


@dataclass(frozen=True, slots=True)
class LiteralError:
    """What is wrong with a literal, and where, counted from the literal's start."""

    span: Span
    message: str


def read_integer(text: str) -> int:
    """The integer that decimal `text` of any length stands for."""
    if len(text) <= _DIGITS_AT_ONCE:
        return int(text)
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    value = _join_digits(digits)
    return -value if sign == "-" else value


def _join_digits(digits: str) -> int:
    if len(digits) <= _DIGITS_AT_ONCE:
        return int(digits)
    low = len(digits) // 2
    return int(_join_digits(digits[:-low]) * 10**low + _join_digits(digits[-low:]))


def write_integer(value: int) -> str:
    """Decimal text of an integer of any size."""
    if value.bit_length() <= 3 * _DIGITS_AT_ONCE:
        return str(value)
    if value < 0:
        return "-" + write_integer(-value)
    digits = int(value.bit_length() * math.log10(2)) // 2
    high, low = divmod(value, 10**digits)
    return write_integer(high) + write_integer(low).rjust(digits, "0")


def write_number(value: int | float) -> str:
    """The shortest text that reads back as the same number; a float keeps its point."""
    return write_integer(value) if isinstance(value, int) else repr(value)


def read_number(text: str) -> int | float | LiteralError:
    """The number that `text` stands for, or why there is none: a float out of range."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return read_integer(text)
    value = float(text)
    if math.isinf(value):
        return LiteralError(Span(0, len(text)), f"`{_short(text)}` is too large for a float")
    return value


def write_string(value: str) -> str:
    """The string as a literal, on as many lines as it has."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r")
    return '"' + escaped + '"'


def read_string(text: str) -> tuple[str, list[LiteralError]]:
    """The value of the literal `text`, quotes included, and every bad escape in it.

    A bad escape stands for its own text, so that tools can go on.
    """
    inner = text[1:-1]
    if "\\" not in inner:
        return inner, []
    errors: list[LiteralError] = []
    parts: list[str] = []
    done = 0
    for match in _ESCAPE.finditer(inner):
        parts.append(inner[done : match.start()])
        done = match.end()
        code = match.group(1)
        if code in _SIMPLE:
            parts.append(_SIMPLE[code])
        elif len(code) == 5:
            parts.append(chr(int(code[1:], 16)))
        else:
            parts.append(match.group(0))
            span = Span(match.start() + 1, match.end() + 1)
            if code == "u":
                message = "`\\u` needs four hexadecimal digits"
            else:
                message = f'unknown escape `\\{code}`: expected one of \\n \\t \\r \\\\ \\" \\uXXXX'
            errors.append(LiteralError(span, message))
    parts.append(inner[done:])
    value = "".join(parts)
    return _join_surrogates(value, inner, errors), errors


_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


def _join_surrogates(value: str, inner: str, errors: list[LiteralError]) -> str:
    if not _SURROGATE.search(value):
        return value
    value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if not _SURROGATE.search(value):
        return value
    errors.extend(_lone_surrogates(inner))
    return _SURROGATE.sub("\ufffd", value)


def _lone_surrogates(inner: str) -> list[LiteralError]:
    found = [match for match in _ESCAPE.finditer(inner) if _ESCAPED_SURROGATE.fullmatch(match.group(0))]
    lone: list[LiteralError] = []
    index = 0
    while index < len(found):
        match = found[index]
        follower = found[index + 1] if index + 1 < len(found) else None
        high = int(match.group(1)[1:], 16) < 0xDC00
        if high and follower and follower.start() == match.end() and int(follower.group(1)[1:], 16) >= 0xDC00:
            index += 2
            continue
        span = Span(match.start() + 1, match.end() + 1)
        lone.append(LiteralError(span, f"`{match.group(0)}` is half of a surrogate pair: its other half is missing"))
        index += 1
    return lone


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:20] + "…"
