"""What can be folded, what does a selection grow to, and which two tags are edited as one?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.snapshot import Document
from dramaturg.syntax.xml import XmlElement
from dramaturg.text import Span


def folding_ranges(document: Document) -> list[tuple[int, int, str]]:
    """First and last line, from 0, of each part of several lines; the third is `comment` or `region`."""
    lines = document.lines
    found: dict[int, tuple[int, int, str]] = {}
    for span, kind in _foldable(document):
        first, last = lines.position(span.start).line, lines.position(max(span.start, span.end - 1)).line
        if last > first and (first not in found or found[first][1] < last):
            found[first] = (first, last, kind)
    return sorted(found.values())


def _foldable(document: Document) -> Iterator[tuple[Span, str]]:
    if document.language == "template":
        for unit in document.templates.units:
            for element in unit.reading.xml.walk():
                yield element.span.shift(unit.start), "region"
            for span in unit.reading.xml.comments:
                yield span.shift(unit.start), "comment"
        return
    for form in document.reading.forms:
        if "\n" not in form.text:
            continue
        for datum in form.root.walk() if form.root is not None else ():
            if datum.kind in ("list", "string"):
                yield datum.span.shift(form.start), "region"
        for span in form.tree.comments:
            yield span.shift(form.start), "comment"
    yield from _comment_blocks(document)


def _comment_blocks(document: Document) -> Iterator[tuple[Span, str]]:
    """Line comments that follow one another, as one part."""
    start: int | None = None
    offset = last = 0
    for line in document.text.splitlines(keepends=True):
        if line.lstrip().startswith(";"):
            start = offset if start is None else start
            last = offset + len(line.rstrip("\r\n"))
        elif start is not None:
            yield Span(start, last), "comment"
            start = None
        offset += len(line)
    if start is not None:
        yield Span(start, last), "comment"


def selection_ranges(document: Document, offset: int) -> list[Span]:
    """The spans around an offset, each inside of the next: word, content, form, file."""
    spans = [Span(0, len(document.text))]
    if document.language == "template":
        unit = document.templates.unit_at(offset)
        for element in unit.reading.xml.walk():
            spans += [span.shift(unit.start) for span in _parts(element)]
    else:
        for form in document.reading.forms:
            if form.start <= offset <= form.span.end and form.root is not None:
                for datum in form.root.walk():
                    span = datum.span.shift(form.start)
                    spans.append(span)
                    if datum.kind in ("list", "string") and span.end - span.start > 2:
                        spans.append(Span(span.start + 1, span.end - 1))
    around = {span for span in spans if span.start <= offset <= span.end}
    chain: list[Span] = []
    for span in sorted(around, key=lambda item: (item.end - item.start, -item.start)):
        if not chain or (span.start <= chain[-1].start and chain[-1].end <= span.end):
            chain.append(span)
    return chain


def _parts(element: XmlElement) -> Iterator[Span]:
    yield element.span
    yield element.name_span
    if element.close_span is not None and element.close_span != element.open_span:
        yield Span(element.open_span.end, element.close_span.start)
    for attribute in element.attributes:
        yield Span(attribute.name_span.start, max(attribute.name_span.end, attribute.value_span.end + 1))
        yield attribute.value_span
    for _, span in element.pieces:
        yield span


def linked_editing_ranges(document: Document, offset: int) -> list[Span]:
    """The names of a start tag and its end tag, where the cursor is in one of them."""
    if document.language != "template":
        return []
    unit = document.templates.unit_at(offset)
    for element in unit.reading.xml.walk():
        if element.close_name_span is None or element.close_span == element.open_span:
            continue
        spans = [element.name_span.shift(unit.start), element.close_name_span.shift(unit.start)]
        if any(span.start <= offset <= span.end for span in spans):
            return spans
    return []
