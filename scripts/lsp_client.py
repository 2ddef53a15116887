"""A language client in fifty lines: JSON-RPC over a process's standard streams, as an editor speaks it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any


class Client:
    """A running server; leaving the context shuts it down."""

    def __init__(self, command: list[str], root: Path, options: dict[str, Any] | None = None) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root)
        self.number = 0
        self.notifications: list[dict[str, Any]] = []
        folder = {"uri": root.as_uri(), "name": root.name}
        hover = {"contentFormat": ["markdown"]}
        capabilities = {"textDocument": {"hover": hover, "completion": {"completionItem": {"snippetSupport": True}}}}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "capabilities": capabilities,
                "initializationOptions": options or {},
            },
        )
        self.notify("initialized", {})

    def open(self, uri: str, language: str, text: str) -> list[dict[str, Any]]:
        """Opens a document and waits for its diagnostics."""
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        while True:
            message = self._receive()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                found: list[dict[str, Any]] = message["params"]["diagnostics"]
                return found

    def ask(self, method: str, uri: str, line: int, character: int) -> Any:
        """A request about a position, from 0."""
        position = {"line": line, "character": character}
        return self.request(method, {"textDocument": {"uri": uri}, "position": position})

    def command(self, name: str, argument: Any = None) -> Any:
        """Executes a command."""
        return self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def request(self, method: str, params: Any) -> Any:
        """Sends a request and waits for its result."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self.number and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            if "method" in message and "id" in message:
                self._send({"id": message["id"], "result": None})
            elif "method" in message:
                self.notifications.append(message)

    def notify(self, method: str, params: Any) -> None:
        """Sends a notification."""
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) not in (b"\r\n", b"\n"):
            if not line:
                raise RuntimeError("the server has ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
        else:
            self.process.kill()
        self.process.wait(timeout=10)
