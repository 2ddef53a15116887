"""What does the index know of a file, and what did an indexing do?"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from dramaturg.engine.memory.indexers.records import Record, language_of

#: Absolute path → metadata string; a view may carry more than the strings.
IndexMapping = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Commit:
    """The last commit that changed a file."""

    id: str
    author: str
    date: int
    subject: str


@dataclass
class IndexedFile:
    """A file of the workspace: its path, its record, what commits say of it."""

    path: str
    relative: str
    blob: str
    record: Record
    commit: Commit | None = None
    subjects: Counter[str] = field(default_factory=Counter)
    path_tokens: tuple[str, ...] = ()

    def metadata(self) -> str:
        """The metadata string of the IDL's indexer: one `key: value` a line."""
        lines = [
            f"path: {self.relative}",
            f"size: {self.record.size} bytes, {self.record.lines} lines",
            f"language: {language_of(self.relative)}",
        ]
        if self.record.summary:
            lines.append(f"summary: {self.record.summary}")
        if self.record.definitions:
            lines.append(f"defines: {', '.join(self.record.definitions[:40])}")
        if self.commit is not None:
            day = time.strftime("%Y-%m-%d", time.gmtime(self.commit.date))
            lines.append(f"commit: {self.commit.id[:10]} {day} {self.commit.author}: {self.commit.subject}")
        return "\n".join(lines)


class IndexView(Mapping[str, str]):
    """Path → metadata string, carrying the files themselves for the matcher."""

    def __init__(self, files: list[IndexedFile]) -> None:
        self.files = {file.path: file for file in files}

    def __getitem__(self, path: str) -> str:
        return self.files[path].metadata()

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)


@dataclass
class IndexReport:
    """What an indexing did; `skipped` counts files by reason."""

    files: int = 0
    indexed: int = 0
    reused: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """The report as JSON data."""
        return {
            "files": self.files,
            "indexed": self.indexed,
            "reused": self.reused,
            "skipped": dict(self.skipped),
            "seconds": round(self.seconds, 3),
        }
