"""Where does the name under the cursor stand, in the file and in the workspace?"""

from __future__ import annotations

from dramaturg.analysis.references import Location, entity_at, locations
from dramaturg.analysis.snapshot import Document, Snapshot


def references(document: Document, snapshot: Snapshot, offset: int) -> list[Location]:
    """Every place of the name at an offset, definitions among them; nothing for names of the language."""
    found = entity_at(document, snapshot, offset)
    if found is None or found[0].kind in ("builtin", "tool"):
        return []
    return locations(found[0], snapshot)


def document_highlights(document: Document, snapshot: Snapshot, offset: int) -> list[Location]:
    """The places of the name at an offset in its own file; also of names of the language."""
    found = entity_at(document, snapshot, offset)
    if found is None:
        return []
    alone = Snapshot(snapshot.root, {**_tasks_alone(snapshot), document.path: document}, snapshot.read_file)
    return [place for place in locations(found[0], alone) if place.path == document.path]


def _tasks_alone(snapshot: Snapshot) -> dict[str, Document]:
    """The template files, which names of a workflow are looked up in."""
    return {path: item for path, item in snapshot.documents.items() if item.language == "template"}
