"""How fast are other language servers at the like, on this machine and in the same run? `make bench`

A Python file of 10,000 lines is opened, edited and asked about in `ruff server`, `ty
server` and `jedi-language-server`. What one does not answer has no figure.
"""

from __future__ import annotations

import json
import os
import queue
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

PYTHON = """def step_{n}(topic, depth):
    # plan, then join what comes of it
    plan = plan_task(topic, depth + 1)
    items = plan["items"]
    if not items:
        raise ValueError("no items")
    return join_task(items)

"""
TEXT = "def plan_task(a, b):\n    return {}\n\ndef join_task(a):\n    return a\n\n" + "".join(
    PYTHON.format(n=n) for n in range(1250)
)
PATIENCE = 30.0


class Peer:
    """A server process; what it asks of its client is answered with null."""

    def __init__(self, command: list[str], root: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, cwd=root)
        self.messages: queue.Queue[dict[str, Any]] = queue.Queue()
        self.number = 0
        self.uri = (root / "large.py").as_uri()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        source = self.process.stdout
        assert source is not None
        while True:
            length = 0
            while (line := source.readline()).strip():
                if line.lower().startswith(b"content-length"):
                    length = int(line.split(b":")[1])
            if not line:
                return
            message = json.loads(source.read(length))
            if "method" in message and "id" in message:
                items = (message.get("params") or {}).get("items") if isinstance(message.get("params"), dict) else None
                self.send(id=message["id"], result=[None] * len(items) if items else None)
            else:
                self.messages.put(message)

    def send(self, **message: Any) -> None:
        """Sends a message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def request(self, method: str, params: dict[str, Any]) -> Any:
        """A request's result; TimeoutError where none comes."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        return self._until(lambda message: message.get("id") == self.number)

    def published(self) -> None:
        """Waits for diagnostics."""
        self._until(lambda message: message.get("method") == "textDocument/publishDiagnostics")

    def _until(self, wanted: Any) -> Any:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                message = self.messages.get(timeout=PATIENCE)
            except queue.Empty:
                break
            if wanted(message):
                return message.get("result")
        raise TimeoutError

    def memory(self) -> float:
        """Resident memory in MB."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * 4096 / 1e6


def _timed(action: Any, rounds: int = 9) -> float:
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        action()
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times)


def measure(name: str, command: list[str], root: Path) -> dict[str, float]:
    """The figures of one peer, by name."""
    (root / "large.py").write_text(TEXT, encoding="utf-8")
    peer = Peer(command, root)
    found: dict[str, float] = {}
    started = time.perf_counter()
    capabilities = {
        "textDocument": {"publishDiagnostics": {}, "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}
    }
    params = {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": capabilities}
    folders = [{"uri": root.as_uri(), "name": "bench"}]
    peer.request("initialize", {**params, "workspaceFolders": folders})
    found["start → initialize answered"] = 1000 * (time.perf_counter() - started)
    peer.send(method="initialized", params={})
    whole = {"textDocument": {"uri": peer.uri}}
    version = [1]

    def opened() -> None:
        item = {"uri": peer.uri, "languageId": "python", "version": 1, "text": TEXT}
        peer.send(method="textDocument/didOpen", params={"textDocument": item})
        peer.published()

    def edited() -> None:
        version[0] += 1
        place = {"line": 5003, "character": 0}
        change = {"range": {"start": place, "end": place}, "text": " " if version[0] % 2 else "\n"}
        document = {"uri": peer.uri, "version": version[0]}
        peer.send(method="textDocument/didChange", params={"textDocument": document, "contentChanges": [change]})
        peer.published()

    for figure, action, rounds in (
        ("first open → diagnostics", opened, 1),
        ("one edit → diagnostics published", edited, 9),
        (
            "hover",
            lambda: peer.request("textDocument/hover", {**whole, "position": {"line": 5008, "character": 12}}),
            9,
        ),
        ("document symbols", lambda: peer.request("textDocument/documentSymbol", whole), 5),
        ("semantic tokens, full", lambda: peer.request("textDocument/semanticTokens/full", whole), 5),
    ):
        try:
            if rounds > 1 and action is not edited and action() is None:
                continue
            found[figure] = _timed(action, rounds)
        except (TimeoutError, BrokenPipeError, OSError):
            continue
    found["memory (MB)"] = peer.memory()
    peer.process.kill()
    return found


def main(folder: Path) -> int:
    """Prints what each peer that is installed in a folder needs."""
    import tempfile

    peers = {"ruff": ["ruff", "server"], "ty": ["ty", "server"], "jedi": ["jedi-language-server"]}
    for name, (program, *arguments) in peers.items():
        if (folder / program).exists():
            with tempfile.TemporaryDirectory() as root:
                for figure, value in measure(name, [str(folder / program), *arguments], Path(root)).items():
                    print(f"{name:6} {figure:36} {value:9.1f}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
