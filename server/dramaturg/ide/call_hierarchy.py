"""Who calls a function or a task, and what does it call?"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.occurrences import in_form
from dramaturg.analysis.references import Entity, definitions, entity_at, locations
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.symbols import Symbol, document_symbols
from dramaturg.text import Span


@dataclass(frozen=True)
class CallItem:
    """A function, a task, a test or a file's top level that calls or is called."""

    name: str
    kind: str
    path: str
    span: Span
    name_span: Span


def prepare_call_hierarchy(document: Document, snapshot: Snapshot, offset: int) -> list[CallItem]:
    """The function or task whose name stands at an offset."""
    found = entity_at(document, snapshot, offset)
    return _items(found[0], snapshot) if found is not None and found[0].kind in ("global", "task") else []


def _items(entity: Entity, snapshot: Snapshot) -> list[CallItem]:
    found: list[CallItem] = []
    for place in definitions(entity, snapshot)[:1]:
        document = snapshot.document(place.path)
        symbol = _symbol_at(document, place.span.start) if document is not None else None
        if symbol is not None:
            found.append(CallItem(symbol.name, symbol.kind, place.path, symbol.span, place.span))
    return found


def _symbol_at(document: Document, offset: int) -> Symbol | None:
    return next((item for item in document_symbols(document) if item.span.start <= offset < item.span.end), None)


def incoming_calls(item: CallItem, snapshot: Snapshot) -> list[tuple[CallItem, list[Span]]]:
    """Who names the item, each with the places where it does."""
    document = snapshot.document(item.path)
    found = entity_at(document, snapshot, item.name_span.start) if document is not None else None
    if found is None:
        return []
    callers: dict[tuple[str, Span], tuple[CallItem, list[Span]]] = {}
    for place in locations(found[0], snapshot):
        caller = snapshot.document(place.path)
        if place.role == "definition" or caller is None:
            continue
        symbol = _symbol_at(caller, place.span.start)
        span = symbol.span if symbol is not None else _form_at(caller, place.span.start)
        name = symbol.name if symbol is not None else "top level"
        made = CallItem(
            name, symbol.kind if symbol else "value", place.path, span, symbol.name_span if symbol else span
        )
        callers.setdefault((place.path, span), (made, []))[1].append(place.span)
    return list(callers.values())


def _form_at(document: Document, offset: int) -> Span:
    if document.language == "workflow":
        for form in document.reading.forms:
            if form.start <= offset < form.span.end:
                return form.span
    return Span(offset, offset)


def outgoing_calls(item: CallItem, snapshot: Snapshot) -> list[tuple[CallItem, list[Span]]]:
    """What the item's definition names, each with the places; a template of a task calls nothing."""
    document = snapshot.document(item.path)
    if document is None or document.language != "workflow":
        return []
    environment = environment_of(snapshot, document)
    places: dict[Entity, list[Span]] = defaultdict(list)
    for form in document.reading.forms:
        if not (form.start <= item.span.start < form.span.end):
            continue
        for occurrence in in_form(form, environment):
            if occurrence.kind in ("global", "task") and occurrence.role == "reference":
                span = occurrence.span.shift(form.start)
                found = entity_at(document, snapshot, span.start)
                if found is not None:
                    places[found[0]].append(span)
    return [(called, spans) for entity, spans in places.items() for called in _items(entity, snapshot)]
