"""How do settings and the engine's knowledge become what the checks see?

Here the CLI and the language server meet: both see analysis and engine, which do
not see each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings
from dramaturg.engine.handler.models import known_models


def snapshot_of(
    root: Path | None,
    documents: Mapping[str, Document],
    read_file: Callable[[Path], str | None],
    settings: Settings,
) -> Snapshot:
    """The snapshot of a workspace: its documents, and what its settings say of severities, models and schemas.

    A server of the user's own may serve any model, so none is unknown there
    unless the settings list them.
    """
    listed = settings.templates.models
    known = (*listed, settings.model, *known_models()) if not settings.base_url or listed else ()
    return Snapshot(root, documents, read_file, settings.severities, known, settings.templates.schema_modules)
