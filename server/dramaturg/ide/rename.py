"""What changes when the name under the cursor is given another one, in both languages?

A renaming is tried before it is answered: the workspace with its edits is asked
for the new name, and where that stands at other places than the old one did,
something would be hidden or caught, and the renaming is refused with the place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.references import Entity, Location, entity_at, locations
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.names import RESERVED_INPUTS, TOOLS
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.chunks import WHITE_SPACE
from dramaturg.syntax.workflow import read
from dramaturg.text import Span

_SYMBOL = re.compile(rf"[^{WHITE_SPACE}()'\";`,\[\]{{}}]+")
_INPUT = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


class Refused(Exception):
    """The renaming cannot be done; the message says why."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of a file and the text that takes its place."""

    path: str
    span: Span
    text: str


def prepare_rename(document: Document, snapshot: Snapshot, offset: int) -> Span:
    """The span of the name that can be renamed; Refused says why there is none."""
    found = entity_at(document, snapshot, offset)
    if found is None:
        raise Refused("there is no name here that can be renamed")
    entity, span = found
    if entity.kind in ("builtin", "tool"):
        raise Refused(f"`{entity.name}` is the language's own and cannot be renamed")
    if entity.kind == "file":
        raise Refused("a file is renamed in the file list")
    return span


def rename(document: Document, snapshot: Snapshot, offset: int, name: str) -> list[Edit]:
    """The edits that rename what stands at an offset, in every file; Refused where it would change a meaning."""
    prepare_rename(document, snapshot, offset)
    found = entity_at(document, snapshot, offset)
    assert found is not None
    entity, name = found[0], name.strip()
    if name == entity.name:
        return []
    _check_name(entity, name, snapshot, document)
    places = locations(entity, snapshot)
    edits = [Edit(place.path, place.span, name) for place in places]
    _check_meaning(entity, name, places, snapshot)
    return edits


def _check_name(entity: Entity, name: str, snapshot: Snapshot, document: Document) -> None:
    if entity.kind == "input":
        if not _INPUT.fullmatch(name):
            raise Refused(f"`{name}` is no input's name: expected letters, digits, `_` or `-`, beginning with a letter")
        if name in RESERVED_INPUTS:
            raise Refused(f"`{name}` is a setting of every call and cannot be an input")
        if _has_input(entity, name, snapshot):
            raise Refused(f"`{entity.task}` already has an input `{name}`")
        return
    reading = read(name)
    is_symbol = len(reading.forms) == 1 and reading.forms[0].root is not None and reading.forms[0].root.kind == "symbol"
    if not _SYMBOL.fullmatch(name) or not is_symbol:
        raise Refused(f"`{name}` is no name: expected a symbol, without spaces, brackets and quotes")
    if name in SPECIAL_FORMS:
        raise Refused(f"`{name}` is a special form")
    if entity.kind == "local":
        return
    environment = environment_of(snapshot, document)
    taken = {
        "a primitive": name in PRIMITIVE_TABLE or name in DYNAMIC_NAMES,
        "a tool": name in TOOLS,
        "a task": name in snapshot.tasks,
        "defined already": name in environment.definitions,
    }
    for what, is_taken in taken.items():
        if is_taken:
            raise Refused(f"`{name}` is {what}")


def _has_input(entity: Entity, name: str, snapshot: Snapshot) -> bool:
    if not entity.path:
        return any(item.shape.name == name for place in snapshot.tasks[entity.task] for item in place.template.inputs)
    document = snapshot.documents[entity.path]
    shape = environment_of(snapshot, document).task_named(entity.task)
    return shape is not None and shape.input(name) is not None


def _check_meaning(entity: Entity, name: str, places: list[Location], snapshot: Snapshot) -> None:
    """Tries the renaming, and refuses it where the new name would not stand at just the old one's places."""
    by_path: dict[str, list[Span]] = defaultdict(list)
    for place in places:
        by_path[place.path].append(place.span)
    documents = dict(snapshot.documents)
    wanted: set[tuple[str, int]] = set()
    at = entity.at
    for path, spans in by_path.items():
        shift, text, last = 0, [], 0
        old = documents[path].text
        for span in sorted(spans):
            wanted.add((path, span.start + shift))
            if span.start < entity.at and path == entity.path:
                at += len(name) - (span.end - span.start)
            shift += len(name) - (span.end - span.start)
            text += [old[last : span.start], name]
            last = span.end
        documents[path] = replace(documents[path], text="".join([*text, old[last:]]))
    task = name if entity.kind == "task" else entity.task
    renamed = replace(entity, name=name, at=at, task=task if entity.kind == "input" else "")
    found = locations(renamed, replace(snapshot, documents=documents))
    missing = wanted - {(place.path, place.span.start) for place in found}
    caught = {(place.path, place.span.start) for place in found} - wanted
    for path, offset in sorted(missing | caught):
        where = documents[path].lines.place(Path(path).name, Span(offset, offset))
        why = "would mean something else" if (path, offset) in missing else "would be taken for it"
        raise Refused(f"`{name}` at {where} {why}: choose another name")
