"""What pygls does by itself, and what we do round it: each fact has a case. Raw messages, the real process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp
from lsprotocol.converters import get_converter

from dramaturg.analysis.document import problems
from dramaturg.analysis.forms import forget
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.semantic_tokens import difference, semantic_tokens
from dramaturg.lsp import early
from dramaturg.lsp.capabilities import capabilities_text, server_capabilities
from dramaturg.lsp.server import create_server
from dramaturg.syntax.workflow import forget as forget_trees
from dramaturg.syntax.workflow import read
from dramaturg.text import LineIndex

CLIENTS = sorted((Path(pytest_lsp.__file__).parent / "clients").glob("*.json"))


class Raw:
    """A client that writes and reads messages as they are."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.sink, self.source = process.stdin, process.stdout

    def send(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sink.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.sink.flush()

    def receive(self) -> dict[str, Any]:
        length = 0
        while (line := self.source.readline().strip()) != b"":
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self.source.read(length))
        return message

    def answer(self, identity: int) -> dict[str, Any]:
        while (message := self.receive()).get("id") != identity or "method" in message:
            pass
        return message


@contextmanager
def server(*arguments: str, root: Path | None = None, **options: Any) -> Iterator[Raw]:
    command = [sys.executable, *(arguments or ("-m", "dramaturg", "lsp"))]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    client = Raw(process)
    uri = root.as_uri() if root is not None else None
    params = {"processId": None, "rootUri": uri, "capabilities": {}, "initializationOptions": options}
    client.send(id=0, method="initialize", params=params)
    assert "capabilities" in client.answer(0)["result"]
    client.send(method="initialized", params={})
    try:
        yield client
    finally:
        process.kill()
        process.wait()


def open_(client: Raw, text: str) -> dict[str, Any]:
    item = {"uri": "file:///w/a.wf", "languageId": "dramaturg-workflow", "version": 1, "text": text}
    client.send(method="textDocument/didOpen", params={"textDocument": item})
    return {"textDocument": {"uri": "file:///w/a.wf"}, "position": {"line": 0, "character": 2}}


@pytest.mark.parametrize("path", CLIENTS, ids=lambda path: path.stem)
def test_what_is_answered_early_is_what_pygls_answers(path: Path) -> None:
    client = json.loads(path.read_text(encoding="utf-8"))
    client = client.get("capabilities", client)
    structured = get_converter().structure(client, lsp.ClientCapabilities)
    assert early.capabilities(client) == server_capabilities(structured)


def test_the_written_capabilities_are_those_of_this_server() -> None:
    written = Path(early.__file__).with_name("capabilities.json").read_text(encoding="utf-8")
    assert written == capabilities_text(), "run `make reference`"


def test_initialize_is_answered_once() -> None:
    with server() as client:
        where = open_(client, "(list 1)")
        client.send(id=1, method="textDocument/hover", params=where)
        seen = client.answer(1)
        assert "list" in seen["result"]["contents"]["value"]


def test_malformed_params_and_unknown_methods_are_answered_with_an_error() -> None:
    with server() as client:
        client.send(id=1, method="textDocument/hover", params={"textDocument": 5})
        assert client.answer(1)["error"]["code"] == -32602
        client.send(id=2, method="textDocument/nothing", params={})
        assert client.answer(2)["error"]["code"] == -32601
        client.send(method="textDocument/didOpen", params={"nonsense": True})
        client.send(id=3, method="textDocument/hover", params=open_(client, "(list 1)"))
        assert client.answer(3)["result"] is not None


def test_what_prints_does_not_reach_the_protocol_and_a_failing_handler_costs_its_own_request() -> None:
    source = """
import sys, dramaturg.lsp.features as features
real = features.hover
def hover(document, snapshot, offset):
    print("noise")
    if "fail" in document.text:
        raise RuntimeError("no")
    return real(document, snapshot, offset)
features.hover = hover
sys.argv = ["dramaturg", "lsp"]
from dramaturg.__main__ import main
main()
"""
    with server("-c", source) as client:
        client.send(id=1, method="textDocument/hover", params=open_(client, "(fail 1)"))
        assert client.answer(1)["error"]["code"] == -32603
        client.send(id=2, method="textDocument/hover", params=open_(client, "(list 1)"))
        assert client.answer(2)["result"] is not None


def test_a_cancelled_request_is_answered_so_and_its_run_ends(tmp_path: Path) -> None:
    (tmp_path / "a.wf").write_text('(system:run_script (command "sleep 30"))')
    with server(root=tmp_path, trusted=True) as client:
        arguments = [{"uri": (tmp_path / "a.wf").as_uri()}]
        client.send(
            id=1, method="workspace/executeCommand", params={"command": "dramaturg.runWorkflow", "arguments": arguments}
        )
        time.sleep(1.0)
        client.send(method="$/cancelRequest", params={"id": 1})
        assert client.answer(1)["error"]["code"] == -32800
        for identity in range(2, 100):
            asked = {"command": "dramaturg.cancelRun", "arguments": []}
            client.send(id=identity, method="workspace/executeCommand", params=asked)
            if client.answer(identity)["result"] is False:
                break
            time.sleep(0.05)
        else:
            raise AssertionError("the run goes on")
        client.send(id=100, method="workspace/executeCommand", params={"command": "dramaturg.serverStatus"})
        assert client.answer(100)["result"]["requests"]


def test_workspace_diagnostics_come_in_parts_to_clients_that_take_them_so(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"w{number}.wf").write_text("(missing-thing)\n")
    with server(root=tmp_path) as client:
        client.send(id=1, method="workspace/executeCommand", params={"command": "dramaturg.listTasks"})
        assert client.answer(1)["result"] == []
        params = {"previousResultIds": [], "partialResultToken": "parts"}
        client.send(id=2, method="workspace/diagnostic", params=params)
        found: list[dict[str, Any]] = []
        while (message := client.receive()).get("id") != 2:
            if message.get("method") == "$/progress":
                found += message["params"]["value"]["items"]
        assert message["result"] == {"items": []}
        assert sorted(len(item["items"]) for item in found) == [1] * 60


def test_nothing_is_kept_of_notifications() -> None:
    made = create_server()
    made.protocol.set_writer(_Nowhere())
    message = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
    made.protocol.handle_message(made.protocol.structure_message(message))
    item = {"uri": "file:///w/a.wf", "languageId": "dramaturg-workflow", "version": 1, "text": "(list 1)"}
    opened = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
    made.protocol.handle_message(_structured(made, opened))
    for version in range(2, 300):
        change = {
            "textDocument": {"uri": "file:///w/a.wf", "version": version},
            "contentChanges": [{"text": f"(list {version})"}],
        }
        made.protocol.handle_message(
            _structured(made, {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change})
        )
    assert made.state.open["/w/a.wf"].text == "(list 299)"
    assert made.protocol._request_futures == {}


def _structured(made: Any, message: dict[str, Any]) -> Any:
    return json.loads(json.dumps(message), object_hook=made.protocol.structure_message)


class _Nowhere:
    def write(self, data: bytes) -> None:
        """Drops it."""

    def close(self) -> None:
        """Nothing is open."""


START = """(define (f x) (list x 1))
; a comment
(let ((y (f 2))) y) (second-on-the-line)
word
(defatom t (params a) (instructions "{{a}}
(in a string)"))
(t (a "b"))
#| (block) |#
(f (f 3))
"""
PIECES = st.sampled_from(
    ["(", ")", '"', "x", " ", "\n", "\n(", "; ", "#|", "|#", "#;", "'", "(f 1)\n", "\r\n", "(define x 1)\n"]
)
EDITS = st.lists(
    st.tuples(st.integers(0, 200), st.integers(0, 12), st.lists(PIECES, max_size=3).map("".join)), max_size=6
)


@given(EDITS)
@settings(max_examples=300)
def test_any_edits_give_what_opening_the_final_text_gives(edits: list[tuple[int, int, str]]) -> None:
    document = Document("/w/a.wf", "workflow", START)
    snapshot = Snapshot(Path("/w"), {"/w/a.wf": document})
    problems(document, snapshot)
    tokens: list[int] = []
    for at, length, inserted in edits:
        text = document.text[:at] + inserted + document.text[at + length :]
        document = document.edited(text)
        snapshot = snapshot.with_document(document)
        assert document.lines.starts == LineIndex(text).starts
        fresh = read(text)
        assert [(form.start, form.text, form.tree.problems) for form in document.reading.forms] == [
            (form.start, form.text, form.tree.problems) for form in fresh.forms
        ]
        found = problems(document, snapshot)
        now = semantic_tokens(document, snapshot, "utf-16")
        start, removed, new = difference(tokens, now)
        assert [*tokens[:start], *new, *tokens[start + removed :]] == now
        tokens = now
    forget()
    forget_trees()
    afresh = Document("/w/a.wf", "workflow", document.text)
    around = Snapshot(Path("/w"), {"/w/a.wf": afresh})
    if edits:
        assert problems(afresh, around) == found
        assert semantic_tokens(afresh, around, "utf-16") == tokens
