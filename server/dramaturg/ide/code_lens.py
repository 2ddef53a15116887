"""What can be run or looked at above a form or a template?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dramaturg.analysis.snapshot import Document
from dramaturg.text import Span


@dataclass(frozen=True)
class Lens:
    """A title over a span, and the command behind it."""

    span: Span
    title: str
    command: str
    argument: dict[str, Any] = field(default_factory=dict)


def code_lenses(document: Document, uri: str) -> list[Lens]:
    """Run, Preview and Context over templates; Run over a workflow and its tests."""
    if document.language == "template":
        return [
            lens for placed in document.templates.templates for lens in _task(placed.template.name, placed.name_span)
        ]
    found: list[Lens] = []
    forms = [form for form in document.reading.forms if form.root is not None]
    if forms:
        found.append(Lens(Span(forms[0].start, forms[0].start), "Run workflow", "dramaturg.runWorkflow", {"uri": uri}))
    tests = [(form, item) for form, item in document.definitions if item.kind == "test"]
    if tests:
        first = tests[0][0].start
        found.append(Lens(Span(first, first), "Run all tests", "dramaturg.runTests", {"uri": uri}))
    for form, item in tests:
        found.append(Lens(form.span, "Run test", "dramaturg.runTests", {"uri": uri, "name": item.name}))
    for form, item in document.definitions:
        if item.kind == "task":
            found += _task(item.name, item.span.shift(form.start))
    return found


def _task(name: str, span: Span) -> list[Lens]:
    if not name:
        return []
    return [
        Lens(span, "Run", "dramaturg.runTask", {"name": name}),
        Lens(span, "Preview", "dramaturg.previewTask", {"name": name}),
        Lens(span, "Context", "dramaturg.contextMatches", {"task": name}),
    ]
