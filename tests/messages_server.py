"""A server of the Messages API in a few lines, for what a real model server cannot be made to do."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Script:
    """What the server does, answer by answer; `requests` and `headers` are what it was sent."""

    answers: list[dict[str, Any]]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)


def text(content: str, stop: str = "end_turn") -> dict[str, Any]:
    """An answer that streams a text."""
    return {"blocks": [{"type": "text", "text": content}], "stop": stop}


def tool(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """An answer that asks for a tool."""
    return {"blocks": [{"type": "tool_use", "id": "tool-1", "name": name, "input": arguments}], "stop": "tool_use"}


def status(code: int) -> dict[str, Any]:
    """An answer that is an error."""
    return {"status": code}


def _events(answer: dict[str, Any], model: str) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 11, "output_tokens": 1}
    message = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [],
        "model": model,
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    yield {"type": "message_start", "message": message}
    for index, block in enumerate(answer["blocks"]):
        if block["type"] == "text":
            yield {"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}
            for word in block["text"].split(" "):
                yield {
                    "type": "content_block_delta",
                    "index": index,
                    "delta": {"type": "text_delta", "text": word + " "},
                }
        else:
            yield {"type": "content_block_start", "index": index, "content_block": {**block, "input": {}}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": answer["stop"], "stop_sequence": None},
        "usage": {"output_tokens": 7},
    }
    yield {"type": "message_stop"}


@contextmanager
def serving(*answers: dict[str, Any]) -> Iterator[tuple[str, Script]]:
    """The server's address on loopback, and what it was asked."""
    script = Script(list(answers))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            script.requests.append(body)
            script.headers.append(dict(self.headers))
            answer = script.answers.pop(0) if len(script.answers) > 1 else script.answers[0]
            if "status" in answer:
                data = json.dumps({"type": "error", "error": {"type": "api_error", "message": "as scripted"}}).encode()
                self.send_response(answer["status"])
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                return
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for event in _events(answer, body["model"]):
                if answer.get("cut") and event["type"] == "message_delta":
                    return
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()

        def log_message(self, format: str, *arguments: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", script
    finally:
        server.shutdown()
        server.server_close()
