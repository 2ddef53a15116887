"""How is a template laid out? Two spaces a level, a child a line; the text of prompts stays as it is.

Text that is not well-formed is left alone. Comments stay where they are, at most
one blank line is kept between children.
"""

from __future__ import annotations

from bisect import bisect_left

from dramaturg.syntax.xml import XmlElement, XmlReading, read_xml
from dramaturg.text import Span


def format_template(text: str) -> str | None:
    """The text laid out; None where it is not well-formed."""
    reading = read_xml(text)
    if reading.problems or len(reading.roots) != 1:
        return None
    root = reading.roots[0]
    return text[: root.span.start] + _Layout(reading).element(root, 0) + text[root.span.end :]


class _Layout:
    def __init__(self, reading: XmlReading) -> None:
        self.text = reading.text
        self.comments: list[Span] = sorted(reading.comments)

    def element(self, item: XmlElement, depth: int) -> str:
        """An element as it is written at a depth; the first line without its indentation."""
        if item.close_span is None or item.close_span == item.open_span or not item.children:
            close = item.close_span if item.close_span is not None else item.open_span
            return self.tag(item) + self.text[item.open_span.end : max(close.end, item.open_span.end)]
        if item.text.strip():
            # Text among elements: nobody but its author knows which of its spaces matter.
            return self.tag(item) + self.text[item.open_span.end : item.close_span.end]
        indent = "  " * (depth + 1)
        parts: list[str] = []
        last = item.open_span.end
        for span, child in self.members(item):
            gap = self.text[last : span.start]
            lines = gap.count("\n")
            if child is None and lines == 0 and parts:
                # A comment behind an element stays on its line.
                parts[-1] += " " + self.text[span.start : span.end]
            else:
                blank = "\n" if lines > 1 and parts else ""
                body = self.text[span.start : span.end] if child is None else self.element(child, depth + 1)
                parts.append(f"{blank}{indent}{body}")
            last = span.end
        ending = "  " * depth + self.text[item.close_span.start : item.close_span.end]
        return "\n".join([self.tag(item), *parts, ending])

    def members(self, item: XmlElement) -> list[tuple[Span, XmlElement | None]]:
        """The children and the comments between them, in order."""
        assert item.close_span is not None
        found: list[tuple[Span, XmlElement | None]] = [(child.span, child) for child in item.children]
        start = bisect_left(self.comments, item.open_span.end, key=lambda span: span.start)
        for comment in self.comments[start:]:
            if comment.start >= item.close_span.start:
                break
            if not any(child.span.start <= comment.start < child.span.end for child in item.children):
                found.append((comment, None))
        return sorted(found, key=lambda pair: pair[0])

    def tag(self, item: XmlElement) -> str:
        """The start tag with one space between its parts."""
        span = item.open_span
        source = self.text[span.start : span.end]
        if "\n" in source:
            return source
        attributes = [self.text[a.name_span.start : a.value_span.end + 1] for a in item.attributes]
        end = "/>" if item.close_span == item.open_span else ">"
        return "<" + " ".join([item.name, *attributes]) + end
