"""Which things does a file, or the workspace, define?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.text import Span

SymbolKind = Literal["function", "value", "task", "test", "input"]


@dataclass(frozen=True)
class Symbol:
    """Something that is defined: its name's span, that of all of it, and what it holds."""

    name: str
    kind: SymbolKind
    detail: str
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = field(default=())


def document_symbols(document: Document) -> list[Symbol]:
    """The definitions of a file, in order."""
    if document.language == "template":
        return list(_templates(document))
    found: list[Symbol] = []
    for form, item in document.definitions:
        inputs = item.task.inputs if item.task is not None else ()
        detail = item.label if item.kind == "function" else " ".join(shape.name for shape in inputs)
        found.append(Symbol(item.name, item.kind, detail, form.span, item.span.shift(form.start)))
    return found


def _templates(document: Document) -> Iterator[Symbol]:
    for placed in document.templates.templates:
        template, start = placed.template, placed.start
        if not template.name:
            continue
        children = tuple(
            Symbol(entry.shape.name, "input", entry.shape.type, entry.span.shift(start), entry.name_span.shift(start))
            for entry in template.inputs
            if template.span.start <= entry.span.start and entry.span.end <= template.span.end
        )
        detail = " ".join(entry.shape.name for entry in template.inputs)
        span = template.span
        if not (span.start <= template.name_span.start and template.name_span.end <= span.end):
            span = Span(min(span.start, template.name_span.start), max(span.end, template.name_span.end))
        yield Symbol(template.name, "task", detail, span.shift(start), placed.name_span, children)


def workspace_symbols(snapshot: Snapshot, query: str, limit: int = 1000) -> list[tuple[Document, Symbol]]:
    """The definitions of all files whose names hold the query's letters in order, small and capital ones alike."""
    found: list[tuple[Document, Symbol]] = []
    for _, document in sorted(snapshot.documents.items()):
        for symbol in document_symbols(document):
            if _holds(symbol.name.lower(), query.lower()):
                found.append((document, symbol))
                if len(found) >= limit:
                    return found
    return found


def _holds(name: str, letters: str) -> bool:
    rest = iter(name)
    return all(letter in rest for letter in letters)
