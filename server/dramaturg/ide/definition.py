"""Where is the name under the cursor defined, and where the type of its value?"""

from __future__ import annotations

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.references import Entity, Location, definitions, entity_at
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.target import core_of, target_at
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import scopes, walk


def definition(document: Document, snapshot: Snapshot, offset: int) -> list[Location]:
    """The definitions of the name at an offset, in whichever language they are written."""
    found = entity_at(document, snapshot, offset)
    return definitions(found[0], snapshot) if found is not None else []


def type_definition(document: Document, snapshot: Snapshot, offset: int) -> list[Location]:
    """The output schema of the task whose result the name at an offset is: its file, or where it is written."""
    found = entity_at(document, snapshot, offset)
    task = _task_of(found[0], document, snapshot) if found is not None else ""
    for place in snapshot.tasks.get(task, ()):
        for reference in place.template.references:
            if reference.kind == "schema":
                file = definitions(Entity("file", reference.name, place.path), snapshot)
                return file or [Location(place.path, reference.span.shift(place.placed.start), "definition")]
    return []


def _task_of(entity: Entity, document: Document, snapshot: Snapshot) -> str:
    """The task that an entity is, or whose result it is bound to."""
    if entity.kind == "task":
        return entity.name
    target = target_at(document, entity.at) if entity.kind == "local" else None
    if target is None:
        return ""
    expression = core_of(target.form, environment_of(snapshot, document))
    for node in walk(expression) if expression is not None else ():
        for scope in scopes(node):
            for binding in scope.bindings:
                if binding.datum.start + target.form.start == entity.at and isinstance(binding.value, core.TaskCall):
                    return binding.value.name
    return ""
