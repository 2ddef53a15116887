"""What does the server know of the client's workspace: documents, folders, settings, trust, index?"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dramaturg.analysis.snapshot import Document, Language, Snapshot, language_of
from dramaturg.config import LoadedSettings, Settings, find_root, is_workspace, load_settings
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.lsp.tokens import SentTokens
from dramaturg.workspace import snapshot_of

if TYPE_CHECKING:
    # What runs things is loaded when something runs: an editor's first hover does not wait for it.
    from dramaturg.engine.events import Listener
    from dramaturg.engine.memory.indexers.indexed import IndexMapping
    from dramaturg.engine.session import Session

log = logging.getLogger(__name__)

_LANGUAGES: dict[str, Language] = {"dramaturg-workflow": "workflow", "dramaturg-task": "template"}


@dataclass
class ServerState:
    """The workspace as the server sees it; documents are replaced, never changed."""

    roots: list[Path] = field(default_factory=list)
    open: dict[str, Document] = field(default_factory=dict)
    disk: dict[str, Document] = field(default_factory=dict)
    versions: dict[str, int | None] = field(default_factory=dict)
    loaded: LoadedSettings = field(default_factory=lambda: LoadedSettings(Settings()))
    options: dict[str, Any] = field(default_factory=dict)
    index: IndexMapping | None = None
    sessions: dict[str, Session] = field(default_factory=dict)
    tokens: SentTokens = field(default_factory=SentTokens)
    offered: dict[str, Any] = field(default_factory=dict)
    _snapshot: Snapshot | None = None
    _loaded: asyncio.Event = field(default_factory=asyncio.Event)

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
        self.configure(options)

    def configure(self, options: Any) -> None:
        """Takes the client's options, and reads the workspace's settings anew."""
        if isinstance(options, dict):
            self.options = {**self.options, **options}
        self.loaded = load_settings(self.root)
        self._snapshot = None

    def change_folders(self, added: list[Path], removed: list[Path]) -> None:
        """Takes folders that were added to the workspace or removed from it."""
        gone = {root.resolve() for root in removed}
        self.roots = [root for root in self.roots if root not in gone]
        self.roots += [root.resolve() for root in added if root.resolve() not in self.roots]
        self.index = None
        self.configure({})

    async def load_files(self) -> None:
        """Reads the workflows and templates of all folders, in a thread: there may be thousands."""
        self.disk = await asyncio.to_thread(self._files)
        self._snapshot = None
        self._loaded.set()

    @property
    def knows_files(self) -> bool:
        """Whether the workspace's files were read: before, every task would seem unknown."""
        return self._loaded.is_set() or not self.roots

    async def files_read(self) -> None:
        """Waits until the workspace's files were read for the first time, ten seconds at most."""
        if self.knows_files:
            return
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._loaded.wait(), 10)

    def _files(self) -> dict[str, Document]:
        """The documents on disk; unreadable ones are left out, those that are known as they are stay the same."""
        from dramaturg.engine.errors import EngineError
        from dramaturg.engine.task_system.loader import template_files

        found: dict[str, Document] = {}
        patterns = (*self.loaded.settings.templates.include, "**/*.wf")
        for root in self.roots:
            try:
                paths = template_files(root, patterns)
            except EngineError as error:
                log.warning("the files of %s cannot be listed: %s", root, error)
                continue
            for path in paths:
                text = self._read(path)
                if text is not None:
                    known = self.disk.get(str(path))
                    language = language_of(path.name) or "template"
                    same = known is not None and known.text == text
                    found[str(path)] = known if same and known is not None else Document(str(path), language, text)
        return found

    def language(self, path: str, language_id: str) -> Language | None:
        """The language of a document; None where it is none of ours."""
        known = self.open.get(path)
        return known.language if known else (_LANGUAGES.get(language_id) or language_of(path))

    def put(self, document: Document, version: int | None) -> None:
        """Takes an open buffer's state."""
        known = self.open.get(document.path)
        self.open[document.path] = document
        self.versions[document.path] = version
        before = self._snapshot
        self._snapshot = self.snapshot().with_document(document) if known is not None else None
        if before is not None:
            # What was made of the old snapshot refers back to it: without this it waits for the collector.
            before.around.clear()

    def close(self, path: str) -> None:
        """The file on disk counts again, as it is now."""
        self.open.pop(path, None)
        self.versions.pop(path, None)
        self.disk.pop(path, None)
        text = self._read(Path(path)) if language_of(path) is not None else None
        if text is not None and any(Path(path).is_relative_to(root) for root in self.roots):
            self.disk[path] = Document(path, language_of(path) or "workflow", text)
        self._snapshot = None

    def version(self, path: str) -> int | None:
        """The version of an open document."""
        return self.versions.get(path)

    def document(self, path: str) -> Document | None:
        """A document that is open, or one of the workspace's files."""
        return self.open.get(path) or self.disk.get(path)

    def snapshot(self) -> Snapshot:
        """The workspace now: files on disk, open buffers over them; the same object until something changes."""
        if self._snapshot is None:
            documents = {**self.disk, **self.open}
            self._snapshot = snapshot_of(self.root, documents, self._read, self.loaded.settings)
        return self._snapshot

    def _read(self, path: Path) -> str | None:
        roots = self.roots or [path.parent]
        return FileAccessManager(roots).read_file(path, 4_000_000)

    def session(self, path: str | None, listener: Listener, replay: list[str] | None = None) -> Session:
        """A session for a run: over the folder that holds `path`, with the open buffers."""
        from dramaturg.engine.recordings.entries import read_recordings
        from dramaturg.engine.runs.journal import Journal
        from dramaturg.engine.session import Session

        folder = next((root for root in self.roots if path and Path(path).is_relative_to(root)), self.root)
        if folder is None:
            folder = find_root(Path(path) if path and Path(path).is_absolute() else Path.cwd())
        overlay = {name: document.text for name, document in self.open.items()}
        files = replay if replay is not None else self.options.get("replay")
        session = Session(folder, self.loaded.settings, self.trusted, None, listener, overlay)
        session.index_apart = True
        if self.loaded.settings.runs.log and is_workspace(folder):
            session.journal = Journal(session.root)
        if files:
            session.replay(read_recordings([folder / item for item in files], folder))
        session.load_templates()
        if self.index is not None and folder == self.root:
            session.adopt_index(self.index)
        return session
