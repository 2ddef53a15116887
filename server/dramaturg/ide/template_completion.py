"""What can be written at the cursor of a template?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide import describe
from dramaturg.language import elements
from dramaturg.language.template import UnitReading
from dramaturg.syntax.xml import XmlElement
from dramaturg.text import Span

_OPEN_PLACEHOLDER = re.compile(r"\{\{\s*([\w.-]*)$")
_IN_VALUE = re.compile(r"<([\w.-]+)(?:\s+[\w.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s+([\w.-]+)\s*=\s*([\"'])([^\"'<]*)$")
_IN_TAG = re.compile(r"<([\w.-]+)((?:\s+[\w.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s+([\w.-]*)$")
_IN_NAME = re.compile(r"<([\w.-]*)$")
_IN_CLOSING = re.compile(r"</([\w.-]*)$")

#: label, kind, span, detail, doc, insert, snippet, order
Row = tuple[Any, ...]


def template_items(document: Document, snapshot: Snapshot, offset: int) -> Iterator[Row]:
    """The completions of a template as the fields of `completion.Item`."""
    unit = document.templates.unit_at(offset)
    for label, kind, span, *rest in _items(At(unit.reading, offset - unit.start), snapshot):
        yield (label, kind, span.shift(unit.start), *rest)


@dataclass(frozen=True)
class At:
    """A place in a unit; `text` and offsets are the unit's."""

    reading: UnitReading
    offset: int

    @property
    def text(self) -> str:
        """The unit's text."""
        return self.reading.text


def _items(document: At, snapshot: Snapshot) -> Iterator[Row]:
    offset = document.offset
    before = document.text[:offset]
    around = document.reading.xml.element_at(offset)
    if found := _OPEN_PLACEHOLDER.search(before):
        yield from _placeholders(document, offset, found.group(1))
    elif found := _IN_CLOSING.search(before):
        yield from _closing(document, offset, found.group(1))
    elif found := _IN_VALUE.search(before):
        yield from _values(document, snapshot, offset, found)
    elif found := _IN_TAG.search(before):
        yield from _attributes(document, offset, found)
    elif found := _IN_NAME.search(before):
        yield from _elements(document, offset, len(found.group(1)), "")
    elif around is not None and around.open_span.end <= offset:
        definition = elements.element(around.name, around.parent.name if around.parent else elements.ROOT)
        if definition is not None and definition.content == "children":
            yield from _elements(document, offset, 0, "<")
        elif definition is not None and definition.values:
            word = re.search(r"[\w]*$", before)
            span = Span(offset - (len(word.group()) if word else 0), offset)
            for value in definition.values:
                yield (value, "value", span, around.name, definition.doc, value, False, 1)
    elif around is None and not document.reading.xml.roots:
        yield from _elements(document, offset, 0, "<")


def _placeholders(document: At, offset: int, prefix: str) -> Iterator[Row]:
    span = Span(offset - len(prefix), offset)
    closing = "" if document.text.startswith("}}", offset) else "}}"
    for template in document.reading.templates:
        if template.span.holds(offset):
            for entry in template.inputs:
                item = entry.shape
                yield (item.name, "field", span, item.type, item.doc, item.name + closing, False, 1)


def _open_at(document: At, offset: int) -> XmlElement | None:
    """The innermost element whose content the offset lies in."""
    best = None
    for item in document.reading.xml.walk():
        end = item.close_span.start if item.close_span else max(item.span.end, offset)
        if item.open_span.end <= offset <= end and item.close_span != item.open_span and not item.open_ended:
            best = item
    return best


def _closing(document: At, offset: int, prefix: str) -> Iterator[Row]:
    item = _open_at(document, offset)
    if item is not None:
        end = "" if document.text.startswith(">", offset) else ">"
        yield (item.name, "element", Span(offset - len(prefix), offset), "closing tag", "", item.name + end, False, 0)


def _elements(document: At, offset: int, prefix: int, lead: str) -> Iterator[Row]:
    parent = _open_at(document, offset)
    name = parent.name if parent is not None else elements.ROOT
    written = {child.name for child in parent.children} if parent is not None else set()
    for item in elements.children_of(name):
        if item.name in written and not item.repeats:
            continue
        required = "".join(
            f' {a.name}="${{{n}:{a.values[0] if len(a.values) == 1 else ""}}}"'
            for n, a in enumerate([a for a in item.attributes if a.required], 1)
        )
        body = (
            f"{lead}{item.name}{required}/>"
            if item.content == "empty"
            else f"{lead}{item.name}{required}>$0</{item.name}>"
        )
        span = Span(offset - prefix, offset)
        yield (
            item.name,
            "element",
            span,
            "required" if item.required else "",
            describe.element(item),
            body,
            True,
            1 if item.required else 3,
        )


def _definition(document: At, name: str, offset: int) -> elements.Element | None:
    parent = _open_at(document, offset)
    found = elements.element(name, parent.name if parent is not None else elements.ROOT)
    return found or next((item for item in elements.ELEMENTS if item.name == name), None)


def _attributes(document: At, offset: int, found: re.Match[str]) -> Iterator[Row]:
    definition = _definition(document, found.group(1), found.start())
    written = set(re.findall(r"([\w.-]+)\s*=", found.group(2)))
    for item in definition.attributes if definition else ():
        if item.name not in written:
            span = Span(offset - len(found.group(3)), offset)
            assert definition is not None
            text = f'{item.name}="$1"'
            yield (
                item.name,
                "attribute",
                span,
                "required" if item.required else "",
                describe.attribute(definition, item),
                text,
                True,
                1 if item.required else 3,
            )


def _values(document: At, snapshot: Snapshot, offset: int, found: re.Match[str]) -> Iterator[Row]:
    definition = _definition(document, found.group(1), found.start())
    known = definition.attribute(found.group(2)) if definition else None
    span = Span(offset - len(found.group(4)), offset)
    if known is None:
        return
    if known.name == "ref":
        for name in snapshot.tasks:
            yield (name, "task", span, "task", "", name, False, 1)
    for value in known.values:
        yield (value, "value", span, known.name, known.doc, value, False, 1)
