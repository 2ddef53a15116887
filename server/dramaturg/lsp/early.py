"""How is `initialize` answered before the protocol's library is loaded?

Loading it takes most of a second's CPU on a slow machine. This module, which
imports nothing of it, answers the first message from capabilities that were
written down (`capabilities.json`, compared by a test with what pygls itself
answers to every kind of client), then hands the message to pygls, whose own
answer to it is swallowed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

_ENCODINGS = ("utf-8", "utf-16", "utf-32")


def capabilities(client: dict[str, Any]) -> dict[str, Any]:
    """The server's capabilities for a client's, both as JSON."""
    answer: dict[str, Any] = json.loads(Path(__file__).with_name("capabilities.json").read_text(encoding="utf-8"))
    offered = _at(client, "general", "positionEncodings") or []
    answer["positionEncoding"] = next((item for item in offered if item in _ENCODINGS), "utf-16")
    for name in ("willSave", "willSaveWaitUntil"):
        if _at(client, "textDocument", "synchronization", name) is not None:
            answer["textDocumentSync"][name] = False
    if not _at(client, "textDocument", "rename", "prepareSupport"):
        answer["renameProvider"] = True
    if not _at(client, "workspace", "fileOperations", "willRename"):
        answer["workspace"]["fileOperations"].pop("willRename", None)
    return answer


def _at(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def answer_first(source: IO[bytes], sink: IO[bytes], version: str) -> tuple[IO[bytes], IO[bytes]]:
    """Answers the first message where it is `initialize`; the streams to go on with."""
    raw, body = _read(source)
    identity: Any = None
    try:
        message = json.loads(body) if body else {}
    except ValueError:
        message = {}
    if isinstance(message, dict) and message.get("method") == "initialize" and "id" in message:
        params = message.get("params")
        client = params.get("capabilities") if isinstance(params, dict) else None
        if isinstance(client, dict):
            identity = message["id"]
            info = {"name": "dramaturg", "version": version}
            result = {"capabilities": capabilities(client), "serverInfo": info}
            data = json.dumps({"jsonrpc": "2.0", "id": identity, "result": result}).encode()
            sink.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            sink.flush()
    replayed: Any = _Replayed(raw, source)
    return replayed, (_Swallowing(sink, identity) if identity is not None else sink)  # type: ignore[return-value]


def _read(source: IO[bytes]) -> tuple[bytes, bytes]:
    """The first message with its header, and its body alone."""
    raw, length = b"", 0
    while line := source.readline():
        raw += line
        if not line.strip():
            break
        if line.lower().startswith(b"content-length:"):
            digits = line.split(b":", 1)[1].strip()
            length = int(digits) if digits.isdigit() else 0
    body = source.read(length) if length else b""
    return raw + body, body


class _Replayed:
    """A stream that gives some bytes again before it goes on."""

    def __init__(self, again: bytes, source: IO[bytes]) -> None:
        self.again = again
        self.source = source

    def readline(self) -> bytes:
        """The next line."""
        if not self.again:
            return self.source.readline()
        end = self.again.find(b"\n") + 1 or len(self.again)
        line, self.again = self.again[:end], self.again[end:]
        return line

    def read(self, size: int) -> bytes:
        """The next bytes, `size` of them unless the stream ends."""
        if not self.again:
            return self.source.read(size)
        part, self.again = self.again[:size], self.again[size:]
        return part if len(part) == size else part + self.source.read(size - len(part))


class _Swallowing:
    """A stream that drops the second answer to `initialize`."""

    def __init__(self, sink: IO[bytes], identity: Any) -> None:
        self.sink = sink
        self.identity = identity
        self.waiting = True

    def write(self, data: bytes) -> int:
        """Writes a whole message, unless it is that answer."""
        if self.waiting:
            body = data.partition(b"\r\n\r\n")[2]
            message = json.loads(body) if body else {}
            if message.get("id") == self.identity and "method" not in message:
                self.waiting = False
                return len(data)
        return self.sink.write(data)

    def flush(self) -> None:
        """Sends what was written."""
        self.sink.flush()

    def close(self) -> None:
        """Closes the stream."""
        self.sink.close()
