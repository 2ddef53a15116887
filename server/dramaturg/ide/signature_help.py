"""Which parameters has the call under the cursor, and which of them is being written?"""

from __future__ import annotations

from dataclasses import dataclass

from dramaturg.analysis.environment import Environment, environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide import describe
from dramaturg.ide.target import Target, reference_at, target_at
from dramaturg.language import elements
from dramaturg.language.construct import Construct
from dramaturg.language.expand import core
from dramaturg.language.names import TaskShape
from dramaturg.language.table import SPECIAL_FORMS
from dramaturg.syntax.datum import Datum
from dramaturg.text import Span


@dataclass(frozen=True)
class ParameterHelp:
    """A parameter's place in the label, and what is said of it."""

    span: Span
    doc: str = ""


@dataclass(frozen=True)
class SignatureHelp:
    """A call's signature; `active` counts the parameter that is being written, None where none is."""

    label: str
    doc: str
    parameters: tuple[ParameterHelp, ...]
    active: int | None


def signature_help(document: Document, snapshot: Snapshot, offset: int) -> SignatureHelp | None:
    """The signature of the innermost call around an offset, or of the start tag in a template."""
    if document.language == "template":
        return _of_tag(document, offset)
    target = target_at(document, offset)
    environment = environment_of(snapshot, document)
    for call in _calls(target) if target is not None else ():
        assert target is not None
        found = _of_call(target, call, environment)
        if found is not None:
            return found
    return None


def _calls(target: Target) -> list[Datum]:
    """The lists around the cursor, innermost first."""
    return [item for item in reversed(target.chain) if item.kind == "list" and item.start < target.offset and item.head]


def _of_call(target: Target, call: Datum, environment: Environment) -> SignatureHelp | None:
    written = [item for item in call.items[1:] if item.end < target.offset]
    name = call.head
    head = Target(target.form, call.items[0].start, (*target.chain[:1], call.items[0]))
    found = reference_at(head, environment)
    if isinstance(found, core.LocalReference):
        value = found.binding.value
        return _of_function(name, _names(value), len(written)) if isinstance(value, core.Lambda) else None
    meaning = environment.meaning(name)
    construct = SPECIAL_FORMS.get(name) or (meaning.construct if meaning is not None else None)
    if construct is not None and construct.name not in ("call", "atomic-task", "direct-tool"):
        return _of_construct(construct, call, written, target.offset)
    shape = meaning.task if meaning is not None else None
    if construct is not None and len(call.items) > 1:
        shape = environment.task_named(str(call.items[1].value))
    if shape is not None:
        return _of_task(shape, call, target.offset)
    places = environment.definitions.get(name, [])
    for place in places:
        if place.definition.kind == "function":
            parameters = place.definition.label.strip("()").split()[1:]
            return _of_function(name, parameters, len(written))
    return None


def _names(function: core.Lambda) -> list[str]:
    rest = [".", function.rest.name] if function.rest is not None else []
    return [*(item.name for item in function.parameters), *rest]


def _of_function(name: str, parameters: list[str], written: int) -> SignatureHelp:
    label, spans = f"({name}", []
    for item in parameters:
        spans.append(Span(len(label) + 1, len(label) + 1 + len(item)))
        label += f" {item}"
    dotted = "." in parameters
    last = len(parameters) - 1
    active = min(written, last) if parameters else None
    if dotted and active is not None and active >= parameters.index("."):
        active = last
    return SignatureHelp(label + ")", "", tuple(ParameterHelp(span) for span in spans), active)


def _of_construct(construct: Construct, call: Datum, written: list[Datum], offset: int) -> SignatureHelp:
    arguments = len(call.items) - 1
    signature = construct.signature_for(max(arguments, len(written) + 1))
    parameters = tuple(ParameterHelp(item.span) for item in signature.parameters)
    active: int | None = len(written)
    if parameters and active is not None and active >= len(parameters):
        active = len(parameters) - 1 if signature.parameters[-1].repeats else None
    inner = next((item for item in call.items[1:] if item.start < offset <= item.end and item.head), None)
    clause = construct.clause(inner.head) if inner is not None else None
    doc = construct.doc if clause is None else f"`{clause.signature.label}` {clause.doc}"
    return SignatureHelp(signature.label, doc, parameters, active if parameters else None)


def _of_task(shape: TaskShape, call: Datum, offset: int) -> SignatureHelp:
    label, parameters = f"({shape.name}", []
    for item in shape.inputs:
        text = f"({item.name} {item.type})" if item.required else f"[({item.name} {item.type})]"
        parameters.append(ParameterHelp(Span(len(label) + 1, len(label) + 1 + len(text)), item.doc))
        label += f" {text}"
    names = [item.name for item in shape.inputs]
    inner = next((item for item in call.items[1:] if item.start < offset <= item.end), None)
    given = {item.head for item in call.items[1:] if item is not inner}
    active: int | None = None
    if inner is not None and inner.head in names:
        active = names.index(inner.head)
    else:
        active = next((index for index, name in enumerate(names) if name not in given), None)
    return SignatureHelp(label + ")", shape.description, tuple(parameters), active)


def _of_tag(document: Document, offset: int) -> SignatureHelp | None:
    """The attributes of the start tag that the cursor is in."""
    unit = document.templates.unit_at(offset)
    local = offset - unit.start
    for item in unit.reading.xml.walk():
        if not item.name_span.end < local <= item.open_span.end - (0 if item.open_ended else 1):
            continue
        known = elements.element(item.name, item.parent.name if item.parent else elements.ROOT)
        if known is None or not known.attributes:
            return None
        label, parameters = f"<{item.name}", []
        for attribute in known.attributes:
            text = f"{attribute.name}=" if attribute.required else f"[{attribute.name}=]"
            doc = describe.attribute(known, attribute)
            parameters.append(ParameterHelp(Span(len(label) + 1, len(label) + 1 + len(text)), doc))
            label += f" {text}"
        inside = next((a for a in item.attributes if a.name_span.start <= local <= a.value_span.end + 1), None)
        names = [attribute.name for attribute in known.attributes]
        active = names.index(inside.name) if inside is not None and inside.name in names else None
        return SignatureHelp(label + ">", known.doc, tuple(parameters), active)
    return None
