"""What do the commands do that run tasks, workflows and tests?"""

from __future__ import annotations

import asyncio
import uuid
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from dramaturg.analysis.effective import effective
from dramaturg.engine.errors import EngineError, failed
from dramaturg.engine.events import Event
from dramaturg.engine.recordings.entries import read_recordings
from dramaturg.engine.session import Session
from dramaturg.engine.types import TaskResult
from dramaturg.lsp import convert
from dramaturg.lsp.documents import plain_data
from dramaturg.lsp.events import as_json, as_line
from dramaturg.lsp.progress import Report, progress
from dramaturg.lsp.queries import argument_of, invalid
from dramaturg.lsp.server import DramaturgServer

JSON = dict[str, Any]


class _Events:
    """Passes a run's events, which come from its own thread, to the client."""

    def __init__(self, server: DramaturgServer, run: str) -> None:
        self.server = server
        self.run = run
        self.loop = asyncio.get_running_loop()
        self.report: Report = lambda message, percentage: None
        self.wants = server.state.options.get("runEvents") is True

    def __call__(self, event: Event) -> None:
        self.loop.call_soon_threadsafe(self.send, event)

    def send(self, event: Event) -> None:
        if self.wants:
            self.server.protocol.notify("dramaturg/runEvent", {"run": self.run, **as_json(event)})
        line = as_line(event)
        if line is not None:
            self.report(line[:200], None)


async def run_task(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{name, inputs?, files?, context?, model?}` → TaskResult."""
    argument = argument_of(params)
    name = argument.get("name")
    if not isinstance(name, str) or not name:
        return invalid("`dramaturg.runTask`: expected `{name, inputs?}`")
    inputs = argument.get("inputs") or {}
    if not isinstance(inputs, dict):
        return invalid("`inputs`: expected an object")
    if not isinstance(argument.get("model"), str | None):
        return invalid("`model`: expected a string")

    await server.state.files_read()
    given = await _with_missing(server, name, inputs)

    async def run(session: Session) -> TaskResult:
        return await session.run_task(
            name, given, argument.get("files"), argument.get("context"), argument.get("model")
        )

    return await _run(server, params, None, f"Running {name}", run)


async def _complete(server: DramaturgServer, request: JSON) -> JSON:
    """The answer of the client's own models (`dramaturg/complete`), as plain data."""
    answer = await server.protocol.send_request_async("dramaturg/complete", request)
    found: JSON = plain_data(answer)
    return found


async def _with_missing(server: DramaturgServer, name: str, inputs: JSON) -> JSON:
    """The inputs with those that are missing asked for, where the client can ask its user (`dramaturg/askInput`).

    An answer of null leaves the input out, and the run says that it is missing.
    """
    places = server.state.snapshot().tasks.get(name)
    if not places or server.state.options.get("askInput") is not True:
        return inputs
    shape = effective(places[0].template, server.state.snapshot()).shape(places[0].path)
    given = dict(inputs)
    for item in shape.inputs:
        if item.required and given.get(item.name) is None:
            question = {"task": name, "input": item.name, "type": item.type, "description": item.doc}
            answer = await server.protocol.send_request_async("dramaturg/askInput", question)
            if answer is None:
                break
            given[item.name] = plain_data(answer)
    return given


async def run_tests(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{uri?, name?}` → `{passed, failed, tests: [{name, uri, line, status, message}]}`, answered from recordings."""
    argument = argument_of(params)
    chosen = argument.get("uri")
    snapshot = server.state.snapshot()
    paths = [convert.path_of(chosen)] if isinstance(chosen, str) else list(snapshot.documents)
    rows: list[JSON] = []
    async with progress(server, params.work_done_token, "Running tests", lambda: None) as report:
        for path in paths:
            document = snapshot.document(path)
            if document is None or document.language != "workflow" or "deftest" not in document.text:
                continue
            report(Path(path).name, None)
            rows += await _tests_of(server, path, document.text)
    if isinstance(argument.get("name"), str):
        rows = [row for row in rows if row["name"] == argument["name"]]
    failures = sum(row["status"] == "failed" for row in rows)
    return {"passed": len(rows) - failures, "failed": failures, "tests": rows}


async def _tests_of(server: DramaturgServer, path: str, text: str) -> list[JSON]:
    uri = convert.uri_of(path)
    recordings = Path(path).with_suffix(".recordings.jsonl")
    try:
        session = server.state.session(path, lambda event: None, [])
        session.replay(read_recordings([recordings] if recordings.is_file() else [], session.root), only=True)
        outcomes = await session.run_tests(text, path)
    except EngineError as error:
        message = f"the definitions fail: {error.error.message}"
        return [{"name": "", "uri": uri, "line": 0, "status": "failed", "message": message}]
    return [
        {
            "name": item.name,
            "uri": uri,
            "line": (item.failed_at or item.place).line - 1,
            "status": item.status,
            "message": item.message,
        }
        for item in outcomes
    ]


async def run_workflow(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{uri, range?}` → the value as a TaskResult; with a range, the definitions before it and the forms in it."""
    argument = argument_of(params)
    uri = argument.get("uri")
    if not isinstance(uri, str):
        return invalid("`dramaturg.runWorkflow`: expected `{uri, range?}`")
    path = convert.path_of(uri)
    document = server.state.snapshot().document(path)
    if document is None or document.language != "workflow":
        return invalid(f"{path} is no workflow that can be read")
    text = document.text
    if isinstance(argument.get("range"), dict):
        text = _selected(server, text, path, argument["range"])

    async def run(session: Session) -> TaskResult:
        return await session.run_workflow(text, path)

    return await _run(server, params, path, f"Running {Path(path).name}", run)


def _selected(server: DramaturgServer, text: str, path: str, chosen: JSON) -> str:
    """The text with every form outside of a range blanked, but for definitions before it."""
    document = server.state.snapshot().document(path)
    assert document is not None
    try:
        start, end = (
            document.lines.offset(int(chosen[edge]["line"]), int(chosen[edge]["character"]), server.encoding)
            for edge in ("start", "end")
        )
    except (KeyError, TypeError, ValueError):
        return text
    kept = list(text)
    for form in document.reading.forms:
        inside = form.start < max(end, start + 1) and form.span.end > start
        defines = (
            form.span.end <= start and form.root is not None and form.root.head in ("define", "bind", "defatom", "load")
        )
        if not inside and not defines:
            for index in range(*form.span):
                kept[index] = "\n" if kept[index] == "\n" else " "
    return "".join(kept)


async def _run(
    server: DramaturgServer, params: lsp.ExecuteCommandParams, path: str | None, title: str, run: Any
) -> JSON:
    identity = uuid.uuid4().hex[:12]
    events = _Events(server, identity)
    argument = argument_of(params)
    replay = argument.get("replay")
    try:
        session = server.state.session(path, events, replay if isinstance(replay, list) else None)
    except EngineError as error:
        return failed(error.error).as_dict()
    if server.state.options.get("complete") is True:
        session.editor = partial(_complete, server)
    server.state.sessions[identity] = session
    try:
        async with progress(server, params.work_done_token, title, session.cancel) as report:
            events.report = report
            result: TaskResult = await run(session)
            await asyncio.sleep(0)
    finally:
        server.state.sessions.pop(identity, None)
        if session.indexed:
            server.state.index = session.index_view
    return {**result.as_dict(), "run": identity}


async def cancel_run(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> bool:
    """A run's id, or nothing for all → whether anything was running."""
    first = params.arguments[0] if params.arguments else None
    wanted = first.get("run") if isinstance(first, dict) else first
    found = [session for run, session in server.state.sessions.items() if wanted in (None, run)]
    for session in found:
        session.cancel()
    return bool(found)
