"""Which files does a file name, so that a click opens them?"""

from __future__ import annotations

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.occurrences import Occurrence, in_form, in_unit
from dramaturg.analysis.references import Entity, definitions
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.text import Span


def document_links(document: Document, snapshot: Snapshot) -> list[tuple[Span, str]]:
    """The spans of paths of loaded workflows, schemas and files, each with the file that it leads to."""
    found: list[tuple[Span, str]] = []
    for start, occurrence in files_named(document, snapshot):
        places = definitions(Entity("file", occurrence.name, document.path), snapshot)
        if places:
            found.append((occurrence.span.shift(start), places[0].path))
    return found


def files_named(document: Document, snapshot: Snapshot) -> list[tuple[int, Occurrence]]:
    """The places where a document names a file, each with the start of its piece."""
    if document.language == "template":
        pieces = [(unit.start, in_unit(unit.reading)) for unit in document.templates.units]
    else:
        environment = environment_of(snapshot, document)
        forms = [form for form in document.reading.forms if "load" in form.text]
        pieces = [(form.start, in_form(form, environment)) for form in forms]
    return [(start, item) for start, items in pieces for item in items if item.kind == "file"]
