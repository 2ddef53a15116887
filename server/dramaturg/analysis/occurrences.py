"""Where do names stand in one form or one unit of a template file, and what does each name?

Across both languages: tasks, their inputs, top-level names, locals, what the
language itself defines, files. Facts of one piece of text among the names around
it; spans count from the piece's start, what crosses pieces is asked in `references`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.kept import Asking, Kept
from dramaturg.language.expand import Expander, core
from dramaturg.language.expand.walk import scopes, walk
from dramaturg.language.placeholders import scan
from dramaturg.language.template import Template, UnitReading
from dramaturg.syntax.datum import Datum
from dramaturg.syntax.workflow import Form
from dramaturg.syntax.xml import XmlElement
from dramaturg.text import Span

EntityKind = Literal["local", "global", "task", "tool", "input", "builtin", "file"]
Role = Literal["definition", "reference", "write"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name in a piece of text; `task` is an input's task, `at` tells locals of one form apart.

    `is_function` is set for top-level names that are defined as functions.
    """

    kind: EntityKind
    name: str
    span: Span
    role: Role = "reference"
    task: str = ""
    at: int = -1
    is_function: bool = False


_forms: Kept[tuple[Occurrence, ...], None] = Kept("occurrences")


def in_form(form: Form, environment: Environment) -> tuple[Occurrence, ...]:
    """The names of a workflow's form, in the order of the text."""
    return _forms.get(form, environment, _in_form, None)


def _in_form(form: Form, asking: Asking, _: None) -> tuple[Occurrence, ...]:
    if form.root is None:
        return ()
    expression = Expander(asking).top_level(form.root)
    found: dict[tuple[Span, EntityKind], Occurrence] = {}
    for node in walk(expression):
        for item in _of_node(node, form):
            # A form says first what it does to a name (`set!`), then the name itself speaks.
            found.setdefault((item.span, item.kind), item)
    return tuple(sorted(found.values(), key=lambda item: item.span))


def _of_node(node: core.Expression, form: Form) -> Iterator[Occurrence]:
    for scope in scopes(node):
        for binding in scope.bindings:
            yield Occurrence("local", binding.name, binding.datum.span, "definition", at=binding.datum.start)
    match node:
        case core.LocalReference():
            yield Occurrence("local", node.binding.name, node.datum.span, at=node.binding.datum.start)
        case core.GlobalReference() if node.meaning is not None and node.datum.kind == "symbol":
            kind: EntityKind = "global" if node.meaning.kind == "top-level" else "builtin"
            yield Occurrence(kind, node.name, node.datum.span, is_function=node.meaning.is_function)
        case core.Assign():
            target = node.target
            if isinstance(target, core.LocalReference):
                at = target.binding.datum.start
                yield Occurrence("local", target.binding.name, target.datum.span, "write", at=at)
            elif target.meaning is not None and target.meaning.kind == "top-level":
                yield Occurrence("global", target.name, target.datum.span, "write")
        case core.Define():
            if node.binding is None and node.scope is None:
                is_function = isinstance(node.value, core.Lambda)
                yield Occurrence("global", node.name, node.name_datum.span, "definition", is_function=is_function)
            elif node.binding is not None and node.binding.datum is not node.name_datum:
                yield Occurrence("local", node.name, node.name_datum.span, "write", at=node.binding.datum.start)
        case core.TaskCall():
            yield from _of_call(node)
        case core.DefineAtom():
            yield from _of_atom(node, form)
        case core.Load():
            yield Occurrence("file", node.path, _inside(node.path_datum))


def _of_call(node: core.TaskCall) -> Iterator[Occurrence]:
    name, datum = node.name, node.name_datum
    if node.computed is not None:
        if not isinstance(node.computed, core.Literal_) or not name:
            return
        datum = node.computed.datum
    if node.meaning is None:
        return
    is_tool = node.meaning is not None and (node.meaning.kind == "tool" or name.startswith("system:"))
    yield Occurrence("tool" if is_tool else "task", name, _inside(datum))
    shape = node.meaning.task if node.meaning is not None else None
    for item in node.inputs if shape is not None else ():
        is_named = item.name_datum is not item.datum and item.name_datum.kind == "symbol"
        if is_named and shape is not None and shape.input(item.name) is not None:
            yield Occurrence("input", item.name, item.name_datum.span, task=name)


def _of_atom(node: core.DefineAtom, form: Form) -> Iterator[Occurrence]:
    yield Occurrence("task", node.name, node.name_datum.span, "definition")
    for parameter in node.parameters:
        datum = parameter.datum.items[0] if parameter.datum.kind == "list" else parameter.datum
        yield Occurrence("input", parameter.name, datum.span, "definition", task=node.name)
    declared = {parameter.name for parameter in node.parameters}
    for clause in node.clauses.values():
        for datum in clause.items[1:]:
            if datum.kind == "string" and clause.head in ("instructions", "system", "description"):
                found = scan(form.text[datum.start : datum.end], datum.start)
                for item in found.placeholders:
                    if item.name in declared:
                        yield Occurrence("input", item.name, item.name_span, task=node.name)


def _inside(datum: Datum) -> Span:
    """A string's text without its quotes; a symbol's span."""
    return Span(datum.start + 1, datum.end - 1) if datum.kind == "string" else datum.span


def in_unit(reading: UnitReading) -> tuple[Occurrence, ...]:
    """The names of a unit of a template file, in the order of the text."""
    known: tuple[Occurrence, ...] | None = reading.notes.get("occurrences")
    if known is None:
        known = reading.notes["occurrences"] = _in_unit(reading)
    return known


def _in_unit(reading: UnitReading) -> tuple[Occurrence, ...]:
    found = (item for template in reading.templates for item in _of_template(template))
    return tuple(sorted(found, key=lambda item: item.span))


def _of_template(template: Template) -> Iterator[Occurrence]:
    name = template.name
    for element in _named(template.element):
        attribute = element.attribute("name")
        if attribute is not None and attribute.value == name:
            yield Occurrence("task", name, attribute.value_span, "definition")
    if template.ref:
        yield Occurrence("task", template.ref, template.ref_span)
    if template.call is not None:
        yield Occurrence("task", template.call.template, template.call.span)
    for entry in template.inputs:
        yield Occurrence("input", entry.shape.name, entry.name_span, "definition", name)
    for placeholder in template.placeholders:
        yield Occurrence("input", placeholder.name, placeholder.name_span, task=name)
    relevance = template.element.child("context_relevance")
    for item in relevance.children if relevance is not None else ():
        attribute = item.attribute("name")
        if attribute is not None:
            yield Occurrence("input", attribute.value, attribute.value_span, task=name)
    for reference in template.references:
        yield Occurrence("file", reference.name, reference.span)


def _named(element: XmlElement) -> list[XmlElement]:
    """The task's element, and the `<template>` around it, which has its name too."""
    return [element, *([element.parent] if element.parent is not None and element.parent.name == "template" else [])]
