"""What does the server know of the client's workspace: documents, folders, settings, trust, index?"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.analysis.snapshot import Document, Language, Snapshot, language_of
from dramaturg.config import LoadedSettings, Settings, find_root, load_settings
from dramaturg.engine.errors import EngineError
from dramaturg.engine.events import Listener
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.memory.indexers.indexed import IndexMapping
from dramaturg.engine.recordings.entries import read_recordings
from dramaturg.engine.session import Session
from dramaturg.engine.task_system.loader import template_files
from dramaturg.workspace import snapshot_of

log = logging.getLogger(__name__)

_LANGUAGES: dict[str, Language] = {"dramaturg-workflow": "workflow", "dramaturg-task": "template"}


@dataclass
class ServerState:
    """The workspace as the server sees it; documents are replaced, never changed."""

    roots: list[Path] = field(default_factory=list)
    open: dict[str, Document] = field(default_factory=dict)
    disk: dict[str, Document] = field(default_factory=dict)
    loaded: LoadedSettings = field(default_factory=lambda: LoadedSettings(Settings()))
    options: dict[str, Any] = field(default_factory=dict)
    index: IndexMapping | None = None
    sessions: dict[str, Session] = field(default_factory=dict)

    @property
    def root(self) -> Path | None:
        """The first workspace folder."""
        return self.roots[0] if self.roots else None

    @property
    def trusted(self) -> bool:
        """Whether the client said that the user trusts the workspace."""
        return self.options.get("trusted") is True

    def start(self, roots: list[Path], options: Any) -> None:
        """Takes the folders and options of `initialize`."""
        self.roots = [root.resolve() for root in roots]
        self.options = options if isinstance(options, dict) else {}
        self.loaded = load_settings(self.root)

    def load_templates(self) -> None:
        """Reads the template files of all folders; unreadable ones are left out."""
        found: dict[str, Document] = {}
        for root in self.roots:
            try:
                paths = template_files(root, self.loaded.settings.templates.include)
            except EngineError as error:
                log.warning("templates of %s cannot be listed: %s", root, error)
                continue
            for path in paths:
                text = self._read(path)
                if text is not None:
                    found[str(path)] = Document(str(path), "template", text)
        self.disk = found

    def put(self, path: str, language_id: str, text: str) -> Document | None:
        """An open buffer's text; None where its language is none of ours."""
        known = self.open.get(path)
        language = known.language if known else (_LANGUAGES.get(language_id) or language_of(path))
        if language is None:
            return None
        document = self.open[path] = Document(path, language, text)
        return document

    def snapshot(self) -> Snapshot:
        """The workspace now: files on disk, open buffers over them."""
        return snapshot_of(self.root, {**self.disk, **self.open}, self._read, self.loaded.settings)

    def _read(self, path: Path) -> str | None:
        roots = self.roots or [path.parent]
        return FileAccessManager(roots).read_file(path, 4_000_000)

    def session(self, path: str | None, listener: Listener, replay: list[str] | None = None) -> Session:
        """A session for a run: over the folder that holds `path`, with the open buffers."""
        folder = next((root for root in self.roots if path and Path(path).is_relative_to(root)), self.root)
        if folder is None:
            folder = find_root(Path(path) if path and Path(path).is_absolute() else Path.cwd())
        overlay = {name: document.text for name, document in self.open.items()}
        files = replay if replay is not None else self.options.get("replay")
        session = Session(folder, self.loaded.settings, self.trusted, None, listener, overlay)
        if files:
            session.replay(read_recordings([folder / item for item in files], folder))
        session.load_templates()
        if self.index is not None and folder == self.root:
            session.adopt_index(self.index)
        return session
