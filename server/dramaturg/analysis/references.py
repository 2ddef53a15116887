"""What does the name at a place mean across the workspace, and where else does it stand?

Nothing is rebuilt for a question: pieces of text that hold the name are looked
into, and what is found in each is kept by its text (`occurrences`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dramaturg.analysis.environment import Environment, environment_of
from dramaturg.analysis.occurrences import EntityKind, Occurrence, Role, in_form, in_unit
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.text import Span


@dataclass(frozen=True, slots=True)
class Location:
    """A span of a file; `role` says what the name does there."""

    path: str
    span: Span
    role: Role = "reference"


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that has a name.

    `path` is the file that a local, a top-level name or a `defatom` belongs to, empty
    for what template files define; `at` is where a local is bound in that file; `task`
    is the task that declares an input.
    """

    kind: EntityKind
    name: str
    path: str = ""
    task: str = ""
    at: int = -1


def entity_at(document: Document, snapshot: Snapshot, offset: int) -> tuple[Entity, Span] | None:
    """The entity whose name stands at an offset, and that name's span."""
    for start, occurrence, environment in _around(document, snapshot, offset):
        span = occurrence.span.shift(start)
        if span.start <= offset <= span.end:
            return _entity(occurrence, document, start, snapshot, environment), span
    return None


def _around(
    document: Document, snapshot: Snapshot, offset: int
) -> Iterator[tuple[int, Occurrence, Environment | None]]:
    if document.language == "template":
        unit = document.templates.unit_at(offset)
        for occurrence in in_unit(unit.reading):
            yield unit.start, occurrence, None
        return
    environment = environment_of(snapshot, document)
    for form in document.reading.forms:
        if form.start <= offset <= form.span.end:
            for occurrence in in_form(form, environment):
                yield form.start, occurrence, environment


def _entity(
    occurrence: Occurrence, document: Document, start: int, snapshot: Snapshot, environment: Environment | None
) -> Entity:
    kind, name = occurrence.kind, occurrence.name
    if kind == "local":
        return Entity(kind, name, document.path, at=start + occurrence.at)
    if kind == "global":
        places = environment.definitions.get(name) if environment is not None else None
        return Entity(kind, name, places[0].path if places else document.path)
    if kind == "task":
        return Entity(kind, name, _atom_path(name, environment))
    if kind == "input":
        path = _atom_path(occurrence.task, environment)
        return Entity(kind, name, path, occurrence.task if path else declaring_task(occurrence.task, snapshot))
    if kind == "file":
        return Entity(kind, name, document.path)
    return Entity(kind, name)


def _atom_path(task: str, environment: Environment | None) -> str:
    """The file whose `defatom` a task is, empty where a template file defines it."""
    places = environment.definitions.get(task, ()) if environment is not None else ()
    return next((place.path for place in places if place.definition.kind == "task"), "")


def declaring_task(task: str, snapshot: Snapshot) -> str:
    """The task whose inputs a template has: its own, or those of the first `ref` that declares some."""
    seen: set[str] = set()
    name = task
    while name not in seen:
        seen.add(name)
        places = snapshot.tasks.get(name)
        if not places:
            break
        template = places[0].template
        if template.inputs:
            return name
        if not template.ref:
            break
        name = template.ref
    return task


def locations(entity: Entity, snapshot: Snapshot) -> list[Location]:
    """Every place where an entity's name stands, definitions among them, by file and place."""
    found: list[Location] = []
    for path, document in sorted(snapshot.documents.items()):
        if entity.kind in ("local", "file") and path != entity.path:
            continue
        if entity.name in document.text:
            found += _in_document(entity, document, snapshot)
    return found


def _in_document(entity: Entity, document: Document, snapshot: Snapshot) -> Iterator[Location]:
    for start, found, environment in _pieces(entity, document, snapshot):
        for occurrence in found:
            if occurrence.name != entity.name or occurrence.kind != entity.kind:
                continue
            if _entity(occurrence, document, start, snapshot, environment) == entity:
                yield Location(document.path, occurrence.span.shift(start), occurrence.role)


def _pieces(
    entity: Entity, document: Document, snapshot: Snapshot
) -> Iterator[tuple[int, tuple[Occurrence, ...], Environment | None]]:
    """The names of each piece of a document that holds the entity's, and where the piece starts."""
    if document.language == "template":
        if not entity.path and entity.kind in ("task", "input"):
            for unit in document.templates.units:
                if entity.name in unit.reading.text:
                    yield unit.start, in_unit(unit.reading), None
        return
    environment = environment_of(snapshot, document)
    for form in document.reading.forms:
        if entity.kind == "local" and not form.start <= entity.at < form.span.end:
            continue
        if entity.name in form.text:
            yield form.start, in_form(form, environment), environment


def definitions(entity: Entity, snapshot: Snapshot) -> list[Location]:
    """Where an entity is defined: names, files; nothing for what the language itself defines."""
    if entity.kind == "file":
        return _file(entity, snapshot)
    return [place for place in locations(entity, snapshot) if place.role == "definition"]


def _file(entity: Entity, snapshot: Snapshot) -> list[Location]:
    folders = [Path(entity.path).parent, *([snapshot.root] if snapshot.root is not None else [])]
    for folder in folders:
        path = (folder / entity.name).resolve()
        if str(path) in snapshot.documents or path.is_file():
            return [Location(str(path), Span(0, 0), "definition")]
    return []
