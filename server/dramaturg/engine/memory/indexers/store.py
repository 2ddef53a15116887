"""Where do records stay between runs? One SQLite file in the user's cache folder, keyed by blob id.

A store that cannot be read is put aside and made anew; it never costs more than
reading the files again.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sqlite3
import zlib
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from dramaturg.engine.memory.indexers.records import Record

#: Raised whenever records change their shape or their making.
VERSION = 1


def store_path() -> Path:
    """The file of the store; `DRAMATURG_CACHE` names another folder."""
    folder = os.environ.get("DRAMATURG_CACHE") or platformdirs.user_cache_dir("dramaturg")
    return Path(folder) / f"index-{VERSION}.sqlite3"


class RecordStore:
    """Records by blob id; every failure of the file is a miss."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or store_path()
        self._connection = self._open()

    def _open(self) -> sqlite3.Connection | None:
        for _ in range(2):
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                connection = sqlite3.connect(self._path, timeout=5.0)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute("CREATE TABLE IF NOT EXISTS record (blob TEXT PRIMARY KEY, data BLOB NOT NULL)")
                connection.execute("SELECT count(*) FROM (SELECT 1 FROM record LIMIT 1)")
                return connection
            except (sqlite3.DatabaseError, OSError):
                with contextlib.suppress(OSError):
                    self._path.replace(self._path.with_suffix(".damaged"))
        return None

    def load(self, blobs: Iterable[str]) -> dict[str, Record]:
        """The records of those blobs that are stored."""
        found: dict[str, Record] = {}
        if self._connection is None:
            return found
        wanted = list(blobs)
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            marks = ",".join("?" * len(part))
            try:
                rows = self._connection.execute(f"SELECT blob, data FROM record WHERE blob IN ({marks})", part)
                for blob, data in rows:
                    with contextlib.suppress(Exception):
                        found[blob] = pickle.loads(zlib.decompress(data))
            except sqlite3.DatabaseError:
                break
        return found

    def save(self, records: dict[str, Record]) -> None:
        """Stores records; a full disk or a read-only folder costs the store, not the run."""
        if self._connection is None or not records:
            return
        rows = [(blob, zlib.compress(pickle.dumps(item, 5), 1)) for blob, item in records.items()]
        with contextlib.suppress(sqlite3.DatabaseError), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO record VALUES (?, ?)", rows)

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
