"""Where is it written down what ran? One SQLite file a workspace: log, cache and what a resumed run takes up.

Events are written as they happen, each in a transaction of its own, so that a kill
at any moment loses at most the one being written; large texts are kept once, by
their hash. Two processes may write at once (WAL). Secrets are masked before
anything reaches the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
import threading
import time
import uuid
from dataclasses import fields
from pathlib import Path
from typing import Any

from dramaturg.engine import events
from dramaturg.engine.recordings.entries import Kind, Recordings, portable, request_hash
from dramaturg.engine.secrets import mask_data
from dramaturg.text import Place

FOLDER = ".dramaturg"
FILE = "runs.sqlite"

#: Texts longer than this, in characters of JSON, are kept apart by their hash.
_LARGE = 512

#: Each step brings a file of the version before it to its own; `user_version` says how many were taken.
MIGRATIONS = (
    """
    CREATE TABLE runs (
        id TEXT PRIMARY KEY, kind TEXT, name TEXT, started REAL, ended REAL, status TEXT,
        input_tokens INTEGER DEFAULT 0, output_tokens INTEGER DEFAULT 0, cost REAL, resumed TEXT
    );
    CREATE INDEX runs_started ON runs (started);
    CREATE TABLE events (run TEXT, seq INTEGER, at REAL, kind TEXT, data TEXT, PRIMARY KEY (run, seq));
    CREATE TABLE texts (hash TEXT PRIMARY KEY, data TEXT);
    CREATE TABLE answers (
        run TEXT, seq INTEGER, kind TEXT, request_hash TEXT, request TEXT, response TEXT, PRIMARY KEY (run, seq)
    );
    CREATE INDEX answers_request ON answers (kind, request_hash);
    """,
)


class Journal:
    """A workspace's journal; it is opened when first written or read."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / FOLDER / FILE
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def connection(self) -> sqlite3.Connection:
        """The open file, brought to this version; one that is damaged is set aside."""
        with self._lock:
            if self._connection is None:
                self.path.parent.mkdir(exist_ok=True)
                ignored = self.path.parent / ".gitignore"
                if not ignored.exists():
                    ignored.write_text("*\n", encoding="utf-8")
                try:
                    self._connection = _opened(self.path)
                except sqlite3.DatabaseError as error:
                    if isinstance(error, sqlite3.OperationalError):
                        raise
                    self.path.rename(self.path.with_suffix(f".damaged-{int(time.time())}"))
                    for rest in ("-wal", "-shm"):
                        self.path.with_name(FILE + rest).unlink(missing_ok=True)
                    self._connection = _opened(self.path)
            return self._connection

    def start(self, kind: str, name: str, resumed: str = "") -> RunLog:
        """A new run's log."""
        identity = uuid.uuid4().hex[:12]
        with self._lock:
            self.connection().execute(
                "INSERT INTO runs (id, kind, name, started, status, resumed) VALUES (?, ?, ?, ?, 'running', ?)",
                (identity, kind, name, time.time(), resumed),
            )
        return RunLog(self, identity)

    def execute(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """The rows of a statement."""
        with self._lock:
            return self.connection().execute(sql, values).fetchall()

    def keep(self, text: str) -> str:
        """Keeps a text; returns its hash."""
        identity = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        self.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (identity, text))
        return identity

    def text(self, identity: str) -> str:
        """A text by its hash; empty where it was dropped."""
        rows = self.execute("SELECT data FROM texts WHERE hash = ?", (identity,))
        return str(rows[0]["data"]) if rows else ""

    def answer(self, kind: Kind, request: dict[str, Any]) -> Any:
        """The last response to an identical request, or None."""
        wanted = request_hash(portable(mask_data(request), self.root))
        sql = "SELECT response FROM answers WHERE kind = ? AND request_hash = ? ORDER BY rowid DESC LIMIT 1"
        rows = self.execute(sql, (kind, wanted))
        return json.loads(self.text(rows[0]["response"]) or "null") if rows else None

    def recordings(self, run: str) -> Recordings:
        """What models, matching and scripts answered in a run, each to be used once."""
        rows = self.execute("SELECT kind, request, response FROM answers WHERE run = ? ORDER BY seq", (run,))
        entries = [
            {
                "kind": row["kind"],
                "request": json.loads(self.text(row["request"])),
                "response": json.loads(self.text(row["response"])),
            }
            for row in rows
        ]
        return Recordings(entries, self.root)

    def prune(self, days: int, runs: int, megabytes: int) -> None:
        """Drops runs older than some days, all but the last so many, and older ones while the file is too large.

        Texts that only they had go with them.
        """
        if self.path.exists() and self.path.stat().st_size > megabytes * 1_000_000:
            count = self.execute("SELECT count(*) AS n FROM runs")[0]["n"]
            runs = min(runs, count // 2)
        with self._lock, contextlib.suppress(sqlite3.OperationalError):
            last = "SELECT id FROM runs ORDER BY started DESC LIMIT ?"
            sql = f"SELECT id FROM runs WHERE started < ? OR id NOT IN ({last})"
            old = self.execute(sql, (time.time() - 86_400 * days, runs))
            for row in old:
                for table, column in (("events", "run"), ("answers", "run"), ("runs", "id")):
                    self.execute(f"DELETE FROM {table} WHERE {column} = ?", (row["id"],))
            if old:
                used = "SELECT request FROM answers UNION SELECT response FROM answers"
                self.execute(
                    f"DELETE FROM texts WHERE hash NOT IN ({used}) "
                    "AND NOT EXISTS (SELECT 1 FROM events WHERE instr(events.data, texts.hash))"
                )
                self.execute("VACUUM")

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10.0, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    _patiently(connection, "PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    if connection.execute("PRAGMA user_version").fetchone()[0] < len(MIGRATIONS):
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have been here while this one waited.
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for step in MIGRATIONS[version:]:
            for statement in step.split(";"):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    return connection


def _patiently(connection: sqlite3.Connection, statement: str) -> None:
    """Executes what SQLite's own waiting does not cover: changing the mode while another process does so too."""
    for _ in range(200):
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute(statement)
            return
        time.sleep(0.02)
    connection.execute(statement)


class RunLog:
    """One run's events and answers; a `Recorder` to whoever answers."""

    def __init__(self, journal: Journal, identity: str) -> None:
        self.journal = journal
        self.id = identity
        self._seq = 0
        self._answers = 0
        self._lock = threading.Lock()

    def event(self, event: events.Event) -> None:
        """Writes an event; tokens that stream are not written one by one, the answer comes whole."""
        if isinstance(event, events.TokenDelta):
            return
        with self._lock:
            self._seq += 1
            number = self._seq
        data = json.dumps(self._slim(mask_data(as_data(event))), ensure_ascii=False)
        self.journal.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?)", (self.id, number, time.time(), type(event).__name__, data)
        )

    def _slim(self, data: Any) -> Any:
        """JSON data with large parts put apart."""
        if isinstance(data, dict):
            found = {key: self._slim(value) for key, value in data.items()}
        elif isinstance(data, list):
            return [self._slim(value) for value in data]
        elif isinstance(data, str) and len(data) > _LARGE:
            return {"$text": self.journal.keep(data)}
        else:
            return data
        return found

    def write(self, kind: Kind, request: dict[str, Any], response: dict[str, Any]) -> None:
        """Writes what was answered to a request."""
        with self._lock:
            self._answers += 1
            number = self._answers
        line = portable(mask_data({"request": request, "response": response}), self.journal.root)
        keep = self.journal.keep
        texts = [keep(json.dumps(line[part], ensure_ascii=False, sort_keys=True)) for part in ("request", "response")]
        self.journal.execute(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)",
            (self.id, number, kind, request_hash(line["request"]), *texts),
        )

    def end(self, status: str, tokens: tuple[int, int], cost: float | None) -> None:
        """Writes how the run ended."""
        self.journal.execute(
            "UPDATE runs SET ended = ?, status = ?, input_tokens = ?, output_tokens = ?, cost = ? WHERE id = ?",
            (time.time(), status, *tokens, cost, self.id),
        )


def as_data(event: events.Event) -> dict[str, Any]:
    """An event's fields as JSON data; places as path, line and column from 1."""
    data: dict[str, Any] = {}
    for item in fields(event):
        value = getattr(event, item.name)
        if isinstance(value, Place):
            value = {"path": value.path, "line": value.line, "column": value.column}
        data[item.name] = value
    return data
