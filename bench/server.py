"""How fast does the language server answer, over standard input and output? `make bench`

A file of 10,000 lines (1,250 functions that call tasks) is opened, edited and asked
about in a real server process. Times are the server's CPU, best or median of some
rounds, as the operating system counts it, or wall times where that is too coarse;
machines differ, so compare two states in one sitting.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from language import ATOMS, FORM

URI = "file:///bench/large.wf"


class Server:
    """A server process and what it is asked."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "dramaturg", "lsp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.sink, self.source = self.process.stdin, self.process.stdout
        self.number = 0
        self.version = 1

    def send(self, **message: Any) -> None:
        """Sends a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sink.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.sink.flush()

    def receive(self) -> dict[str, Any]:
        """The next message."""
        length = 0
        while (line := self.source.readline().strip()) != b"":
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        found: dict[str, Any] = json.loads(self.source.read(length))
        return found

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """A request's result."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while True:
            message = self.receive()
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")

    def open(self, text: str) -> None:
        """Opens the file and waits for its diagnostics."""
        item = {"uri": URI, "languageId": "dramaturg-workflow", "version": 1, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": item})
        self.published()

    def published(self) -> None:
        """Waits for diagnostics."""
        while self.receive().get("method") != "textDocument/publishDiagnostics":
            pass

    def edit(self, line: int, text: str = " ") -> None:
        """Types something and waits for the diagnostics."""
        self.version += 1
        place = {"line": line, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": text}
        document = {"uri": URI, "version": self.version}
        self.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})
        self.published()

    def cpu(self) -> float:
        """The process's CPU time so far, in milliseconds; the system counts in steps of ten."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Resident memory in MB."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6


def wall(action: Callable[[], object], rounds: int = 15) -> float:
    """The median wall time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def workflow(lines: int) -> str:
    """A workflow of about so many lines."""
    return "".join(FORM.format(n=n) for n in range(lines // 8)) + ATOMS


def started() -> tuple[Server, float]:
    """A server that answered `initialize`, and its CPU time then."""
    server = Server()
    server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    cpu = server.cpu()
    server.send(method="initialized", params={})
    return server, cpu


def measure(lines: int = 10_000) -> list[tuple[str, float, float]]:
    """Each figure with its goal."""
    server, initialized = started()
    where = {"textDocument": {"uri": URI}, "position": {"line": lines // 2, "character": 20}}
    whole = {"textDocument": {"uri": URI}}
    server.open("(list 1)")
    server.request("textDocument/hover", {**whole, "position": {"line": 0, "character": 2}})
    first_hover = server.cpu()
    server.send(method="textDocument/didClose", params=whole)
    server.published()
    begun = server.cpu()
    server.open(workflow(lines))
    memory = server.memory()
    rows = [
        ("start → initialize answered (CPU)", initialized, 150.0),
        ("start → first hover answered (CPU)", first_hover, 650.0),
        (f"first open of {lines:,} lines → diagnostics (CPU)", server.cpu() - begun, 400.0),
        ("one edit → diagnostics published", wall(lambda: server.edit(lines // 2 + 3)), 10.0),
        ("hover", wall(lambda: server.request("textDocument/hover", where)), 2.0),
    ]

    def complete() -> None:
        server.edit(lines // 2 + 3)
        server.request("textDocument/completion", where)

    edit = rows[3][1]
    rows.append(("completion right after a keystroke", wall(complete) - edit, 20.0))
    rows.append(("document symbols", wall(lambda: server.request("textDocument/documentSymbol", whole)), 30.0))
    sent = server.request("textDocument/semanticTokens/full", whole)
    rows.append(
        ("semantic tokens, full", wall(lambda: server.request("textDocument/semanticTokens/full", whole)), 40.0)
    )
    identity = [server.request("textDocument/semanticTokens/full", whole)["resultId"]]

    def delta() -> None:
        server.edit(lines // 2 + 3)
        answer = server.request("textDocument/semanticTokens/full/delta", {**whole, "previousResultId": identity[0]})
        identity[0] = answer["resultId"]

    rows.append(("semantic tokens, delta after one key", wall(delta) - edit, 8.0))
    rows.append(("memory after opening all of it (MB)", memory, 100.0))
    server.process.kill()
    assert sent
    small, _ = started()
    small.open(workflow(lines // 10))
    rows.append(("an edit, 1k → 10k lines (ratio)", edit / wall(lambda: small.edit(lines // 20 + 3)), 1.5))
    small.process.kill()
    large, _ = started()
    large.open(workflow(5 * lines))
    rows.append((f"one edit in {5 * lines:,} lines", wall(lambda: large.edit(lines)), 40.0))
    large.process.kill()
    return rows


if __name__ == "__main__":
    for name, value, goal in measure():
        print(f"{name:50} {value:8.1f} {goal:8.1f}")  # noqa: T201
