"""Which placeholders does a prompt have, and what text comes of it?

One scanner for the editor and the engine: `{{name}}` and `{{name.field}}` take
their values from a call's inputs; `{{{{` stands for `{{` itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from dramaturg.text import Span

_OPENING = re.compile(r"\{\{\{\{|\{\{")
_NAME = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One `{{name.field}}`: its span with the braces, and that of the input's name alone."""

    name: str
    fields: tuple[str, ...]
    span: Span
    name_span: Span


@dataclass(frozen=True, slots=True)
class BrokenPlaceholder:
    """What looks like a placeholder and is none."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Scan:
    """A text's placeholders, broken ones, and escapes of `{{`."""

    placeholders: tuple[Placeholder, ...]
    broken: tuple[BrokenPlaceholder, ...]
    escapes: tuple[Span, ...]


def scan(text: str, base: int = 0) -> Scan:
    """The placeholders of `text`, whose first character stands at offset `base`."""
    placeholders: list[Placeholder] = []
    broken: list[BrokenPlaceholder] = []
    escapes: list[Span] = []
    position = 0
    while opening := _OPENING.search(text, position):
        start = opening.start()
        if len(opening.group()) == 4:
            escapes.append(Span(start, opening.end()).shift(base))
            position = opening.end()
            continue
        end = text.find("}}", opening.end())
        line_end = text.find("\n", opening.end())
        if end < 0 or (0 <= line_end < end):
            span = Span(start, opening.end()).shift(base)
            broken.append(BrokenPlaceholder(span, "this placeholder is never closed: expected `}}` on the same line"))
            position = opening.end()
            continue
        position = end + 2
        inner = text[opening.end() : end]
        name = inner.strip()
        span = Span(start, position).shift(base)
        if not _NAME.fullmatch(name):
            broken.append(BrokenPlaceholder(span, _why(name)))
            continue
        first, *fields = name.split(".")
        at = opening.end() + len(inner) - len(inner.lstrip())
        placeholders.append(Placeholder(first, tuple(fields), span, Span(at, at + len(first)).shift(base)))
    return Scan(tuple(placeholders), tuple(broken), tuple(escapes))


def _why(name: str) -> str:
    if not name:
        return "the placeholder is empty: expected an input's name"
    if "(" in name:
        return f"`{name}` is a call: a placeholder takes an input's name, and fields of it"
    return f"`{name}` is no input's name: expected letters, digits, `_` or `-`, and `.` before fields"


def render(text: str, values: Mapping[str, Any], quote: Callable[[str], str] = str) -> str:
    """The text with each placeholder's value put in; `quote` is applied to every value, as for a shell.

    A name without a value is empty text; broken placeholders stay as they are.
    """
    found = scan(text)
    marks: list[tuple[Span, str]] = [(span, "{{") for span in found.escapes]
    marks += [(item.span, quote(as_text(_value(item, values)))) for item in found.placeholders]
    parts: list[str] = []
    done = 0
    for span, replacement in sorted(marks):
        parts += (text[done : span.start], replacement)
        done = span.end
    return "".join([*parts, text[done:]])


def _value(placeholder: Placeholder, values: Mapping[str, Any]) -> Any:
    value = values.get(placeholder.name)
    for key in placeholder.fields:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def as_text(value: Any) -> str:
    """A value in a prompt: strings as they are, numbers and booleans as text, lists and maps as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False)
