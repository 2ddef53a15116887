"""Which paths written in the workspace lead elsewhere once files are renamed?"""

from __future__ import annotations

import os.path
from pathlib import Path

from dramaturg.analysis.references import Entity, definitions
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.document_link import files_named
from dramaturg.ide.rename import Edit


def file_renames(snapshot: Snapshot, renamed: dict[str, str]) -> list[Edit]:
    """The edits that keep `load`s, schemas and paths leading to files that get new names."""
    edits: list[Edit] = []
    for document in snapshot.documents.values():
        for start, occurrence in files_named(document, snapshot):
            found = definitions(Entity("file", occurrence.name, document.path), snapshot)
            target = renamed.get(found[0].path) if found else None
            moved = renamed.get(document.path)
            if found and (target is not None or moved is not None):
                text = _written(occurrence.name, document, moved or document.path, target or found[0].path, snapshot)
                if text != occurrence.name:
                    edits.append(Edit(document.path, occurrence.span.shift(start), text))
    return edits


def _written(old: str, document: Document, here: str, target: str, snapshot: Snapshot) -> str:
    """The path as the file writes it: from its own folder, or from the root where the old one was."""
    beside = (Path(document.path).parent / old).resolve()
    from_root = snapshot.root is not None and not beside.exists() and str(beside) not in snapshot.documents
    folder = snapshot.root if from_root and snapshot.root is not None else Path(here).parent
    return Path(os.path.relpath(target, folder)).as_posix()
