"""Which task stands at a place of a file, and which of its inputs are written there as literals?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.target import core_of, target_at
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import walk
from dramaturg.syntax.datum import Datum
from dramaturg.text import Span


@dataclass(frozen=True)
class TaskAt:
    """A task's name, the literal inputs of its call, and the call or definition that was found."""

    name: str
    span: Span
    inputs: dict[str, Any] = field(default_factory=dict)


def task_at(document: Document, snapshot: Snapshot, offset: int, end: int | None = None) -> TaskAt | None:
    """The task that is called or defined around `offset`; with `end`, also one that begins between the two."""
    if document.language == "template":
        return _template_at(document, offset)
    last = offset if end is None else end
    environment = environment_of(snapshot, document)
    best: TaskAt | None = None
    for form in document.reading.forms:
        if form.span.end < offset or form.start > last:
            continue
        expression = core_of(form, environment)
        for node in walk(expression) if expression is not None else ():
            span = node.datum.span.shift(form.start)
            if not (span.start <= last and span.end >= offset):
                continue
            if isinstance(node, core.TaskCall) and node.computed is None and node.meaning is not None:
                inputs = {item.name: value for item in node.inputs if (value := _value(item.value)) is not None}
                best = TaskAt(node.name, span, inputs)
            elif isinstance(node, core.DefineAtom):
                best = TaskAt(node.name, span)
    return best


def _template_at(document: Document, offset: int) -> TaskAt | None:
    unit = document.templates.unit_at(offset)
    for template in unit.reading.templates:
        span = template.span.shift(unit.start)
        if template.name and span.start <= offset <= span.end:
            return TaskAt(template.name, span)
    return None


def _value(node: core.Expression) -> Any:
    """A literal's value as JSON data; None for what only a run can tell."""
    return _data(node.datum) if isinstance(node, core.Literal_) else None


def _data(datum: Datum) -> Any:
    if datum.kind == "list":
        return [_data(item) for item in datum.items]
    return datum.value


def query_at(document: Document, offset: int) -> str:
    """The text of the form, or of the template, at an offset: what context is to be found for."""
    if document.language == "template":
        found = _template_at(document, offset)
        return document.text[found.span.start : found.span.end] if found is not None else document.text[:4000]
    target = target_at(document, offset)
    return target.form.text if target is not None else ""
