"""What does the editor say of the thing under the cursor?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dramaturg.analysis.environment import Environment, environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide import describe
from dramaturg.ide.target import Target, inference_at, reference_at, target_at
from dramaturg.language import elements
from dramaturg.language.expand import core
from dramaturg.language.names import RESERVED_INPUTS
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.language.template import Template, UnitReading
from dramaturg.syntax.datum import Datum
from dramaturg.text import Span


@dataclass(frozen=True)
class Hover:
    """Markdown, and the span that it is about."""

    markdown: str
    span: Span


def hover(document: Document, snapshot: Snapshot, offset: int) -> Hover | None:
    """The hover at an offset; None where there is nothing to say."""
    if document.language == "template":
        return _template_hover(document, snapshot, offset)
    target = target_at(document, offset)
    if target is None or target.datum is None or target.datum.kind != "symbol":
        return None
    text = _symbol(target, target.datum, environment_of(snapshot, document), snapshot)
    return Hover(text, target.span(target.datum)) if text else None


def _symbol(target: Target, datum: Datum, environment: Environment, snapshot: Snapshot) -> str | None:
    name = datum.name
    found = reference_at(target, environment)
    if isinstance(found, core.LocalReference):
        found = found.binding
    if isinstance(found, core.Binding):
        return describe.binding(found, inference_at(target, environment).binding(found))
    parent = target.parent_of(datum)
    is_head = parent is not None and parent.items and parent.items[0] is datum
    if is_head and parent is not None:
        clause = _clause(target, parent, environment)
        if clause:
            return clause
    if isinstance(found, core.TaskCall):
        return _global(name, environment, snapshot)
    if is_head and name in SPECIAL_FORMS:
        return describe.construct(SPECIAL_FORMS[name])
    return _global(name, environment, snapshot)


def _global(name: str, environment: Environment, snapshot: Snapshot) -> str | None:
    meaning = environment.meaning(name)
    if meaning is None:
        if name in DYNAMIC_NAMES:
            return f"`{name}`\n\n{DYNAMIC_NAMES[name]}"
        return describe.construct(SPECIAL_FORMS[name]) if name in SPECIAL_FORMS else None
    if meaning.construct is not None:
        return describe.construct(meaning.construct)
    if meaning.task is not None:
        places = snapshot.tasks.get(name)
        template = places[0].template if places and meaning.task.path else None
        return describe.task(meaning.task, meaning.kind, template)
    place = environment.definitions[name][0]
    kind = "function" if place.definition.kind == "function" else "value"
    where = f", in {Path(place.path).name}" if place.path != environment.document.path else ""
    text = f"```dramaturg-workflow\n{place.definition.label}\n```\n\n*top-level {kind}*{where}"
    shape = environment.value_shape(name)
    if shape is not None and shape.kind == "function":
        return text + (f"\n\nResult: `{shape.result.label}`" if shape.result is not None else "")
    return f"{text}\n\n{describe.known(shape)}" if shape is not None else text


def _clause(target: Target, clause: Datum, environment: Environment) -> str | None:
    """A clause of a form, or an input of a task call."""
    owner = target.parent_of(clause)
    if owner is None or owner.kind != "list" or not owner.head or owner.items[0] is clause:
        return None
    definition = SPECIAL_FORMS.get(owner.head) or PRIMITIVE_TABLE.get(owner.head)
    known = definition.clause(clause.head) if definition else None
    if known is not None:
        values = f"\n\nOne of {', '.join(f'`{value}`' for value in known.values)}." if known.values else ""
        return f"```dramaturg-workflow\n{known.signature.label}\n```\n\n{known.doc}{values}"
    if definition is not None and definition.name not in ("atomic-task", "direct-tool"):
        return None
    name = owner.head if definition is None else (owner.items[1].name if len(owner.items) > 1 else "")
    shape = environment.task_named(name)
    declared = shape.input(clause.head) if shape else None
    if shape is not None and declared is not None:
        note = "required" if declared.required else "optional"
        head = f"```dramaturg-workflow\n({declared.name} {declared.type})\n```"
        return f"{head}\n\n*input of {shape.name}, {note}* {declared.doc}".rstrip()
    if shape is not None and clause.head in RESERVED_INPUTS:
        return f"`{clause.head}`\n\n{RESERVED_INPUTS[clause.head]}"
    return None


def _template_hover(document: Document, snapshot: Snapshot, offset: int) -> Hover | None:
    unit = document.templates.unit_at(offset)
    found = _unit_hover(unit.reading, offset - unit.start)
    return Hover(found.markdown, found.span.shift(unit.start)) if found is not None else None


def _unit_hover(reading: UnitReading, offset: int) -> Hover | None:
    for template in reading.templates:
        for placeholder in template.placeholders:
            if placeholder.span.holds(offset):
                return Hover(_placeholder(template, placeholder.name), placeholder.span)
    for item in reading.xml.walk():
        parent = item.parent.name if item.parent else elements.ROOT
        definition = elements.element(item.name, parent)
        if definition is None:
            continue
        names = [item.name_span, *([item.close_name_span] if item.close_name_span else [])]
        for span in names:
            if span.holds(offset):
                text = describe.element(definition)
                if item.name == "context_management":
                    owner = next((t for t in reading.templates if t.element is item.parent), None)
                    text += f"\n\n{describe.settings(owner)}" if owner else ""
                return Hover(text, span)
        for given in item.attributes:
            known = definition.attribute(given.name)
            if known is not None and (given.name_span.holds(offset) or given.value_span.holds(offset)):
                return Hover(describe.attribute(definition, known), given.name_span)
    return None


def _placeholder(template: Template, name: str) -> str:
    declared = next((entry.shape for entry in template.inputs if entry.shape.name == name), None)
    if declared is None:
        return f"`{name}` is not declared as an input of `{template.name}`"
    note = "required" if declared.required else f"optional, default `{declared.default or ''}`"
    head = f'```xml\n<input name="{name}" type="{declared.type}">\n```'
    return f"{head}\n\n*input of {template.name}, {note}* {declared.doc}".rstrip()
