"""Which edits lay out a file, a part of it, or the line that was just begun?"""

from __future__ import annotations

from dramaturg.analysis.snapshot import Document
from dramaturg.ide.code_actions.action import FileEdit
from dramaturg.ide.format import format_workflow
from dramaturg.ide.format_template import format_template
from dramaturg.ide.indent import indentation_at
from dramaturg.text import Span


def formatting(document: Document) -> list[FileEdit]:
    """The edit of the whole file, as small as its common beginning and end allow; none where it cannot be read."""
    laid_out = format_workflow(document.text) if document.language == "workflow" else format_template(document.text)
    return [] if laid_out is None else _difference(document.text, laid_out, 0)


def range_formatting(document: Document, span: Span) -> list[FileEdit]:
    """The edits of the top-level forms that a part touches; of a template, those of the whole file."""
    if document.language == "template":
        return formatting(document)
    edits: list[FileEdit] = []
    for form in document.reading.forms:
        if form.start <= span.end and span.start <= form.span.end and form.root is not None:
            laid_out = format_workflow(form.text)
            if laid_out is not None:
                edits += _difference(form.text, laid_out.rstrip("\r\n"), form.start)
    return edits


def on_type_formatting(document: Document, offset: int) -> list[FileEdit]:
    """The indentation of the line that the cursor is on, after a line break was typed."""
    if document.language == "template":
        return []
    line = document.lines.position(offset).line
    start = document.lines.starts[line]
    text = document.lines.line(line)
    written = len(text) - len(text.lstrip(" \t"))
    wanted = indentation_at(document, start)
    if written == wanted or _in_string(document, start):
        return []
    return [FileEdit(Span(start, start + written), " " * wanted)]


def _in_string(document: Document, offset: int) -> bool:
    for form in document.reading.forms:
        if form.start < offset <= form.span.end and form.root is not None:
            at = offset - form.start
            return any(item.kind == "string" and item.start < at < item.end for item in form.root.walk())
    return False


def _difference(old: str, new: str, base: int) -> list[FileEdit]:
    if old == new:
        return []
    start = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    limit = min(len(old), len(new)) - start
    end = next((n for n in range(limit) if old[-1 - n] != new[-1 - n]), limit)
    return [FileEdit(Span(base + start, base + len(old) - end), new[start : len(new) - end])]
