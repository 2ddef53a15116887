"""What do the commands do that a client may execute?"""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp

from dramaturg.engine.errors import EngineError, failed, failure
from dramaturg.engine.events import Event
from dramaturg.engine.session import Session
from dramaturg.engine.types import TaskResult
from dramaturg.lsp import convert
from dramaturg.lsp.events import as_json, as_line
from dramaturg.lsp.progress import Report, progress
from dramaturg.lsp.server import DramaturgServer
from dramaturg.text import Span

JSON = dict[str, Any]


def register(server: DramaturgServer) -> None:
    """Registers every command."""
    server.command("dramaturg.runTask")(run_task)
    server.command("dramaturg.runWorkflow")(run_workflow)
    server.command("dramaturg.contextMatches")(context_matches)
    server.command("dramaturg.indexWorkspace")(index_workspace)
    server.command("dramaturg.indexStatus")(index_status)
    server.command("dramaturg.cancelRun")(cancel_run)
    server.command("dramaturg.previewTask")(preview_task)
    server.command("dramaturg.listTasks")(list_tasks)


def _argument(params: lsp.ExecuteCommandParams) -> JSON:
    first = params.arguments[0] if params.arguments else {}
    return first if isinstance(first, dict) else {}


def _invalid(message: str) -> JSON:
    return failed(failure("input_validation_failure", message)).as_dict()


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
    argument = _argument(params)
    name = argument.get("name")
    if not isinstance(name, str) or not name:
        return _invalid("`dramaturg.runTask`: expected `{name, inputs?}`")
    inputs = argument.get("inputs") or {}
    if not isinstance(inputs, dict):
        return _invalid("`inputs`: expected an object")
    if not isinstance(argument.get("model"), str | None):
        return _invalid("`model`: expected a string")

    async def run(session: Session) -> TaskResult:
        return await session.run_task(
            name, inputs, argument.get("files"), argument.get("context"), argument.get("model")
        )

    return await _run(server, params, None, f"Running {name}", run)


async def run_workflow(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{uri, range?}` → the value as a TaskResult; with a range, the definitions before it and the forms in it."""
    argument = _argument(params)
    uri = argument.get("uri")
    if not isinstance(uri, str):
        return _invalid("`dramaturg.runWorkflow`: expected `{uri, range?}`")
    path = convert.path_of(uri)
    document = server.state.snapshot().document(path)
    if document is None or document.language != "workflow":
        return _invalid(f"{path} is no workflow that can be read")
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
    argument = _argument(params)
    replay = argument.get("replay")
    try:
        session = server.state.session(path, events, replay if isinstance(replay, list) else None)
    except EngineError as error:
        return failed(error.error).as_dict()
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


async def context_matches(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{query, limit?}` → AssociativeMatchResult with a `range` for each match."""
    argument = _argument(params)
    query = argument.get("query")
    if not isinstance(query, str) or not query.strip():
        return {"context_summary": "", "matches": [], "error": "`dramaturg.contextMatches`: expected `{query, limit?}`"}
    limit = argument.get("limit")
    session = server.state.session(None, lambda event: None, [])
    found = await session.match(query, limit if isinstance(limit, int) and limit > 0 else 20)
    if session.indexed:
        server.state.index = session.index_view
    data = found.as_dict()
    data["matches"] = [{**match.as_dict(), "range": _range(match.excerpt)} for match in found.matches]
    return data


def _range(excerpt: str | None) -> JSON:
    """The lines that an excerpt shows, from the numbers it begins with."""
    numbers = [int(line.split(":", 1)[0]) for line in (excerpt or "").splitlines() if line.split(":", 1)[0].isdigit()]
    first, last = (numbers[0] - 1, numbers[-1]) if numbers else (0, 0)
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}


async def index_workspace(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """Indexes the workspace, with progress and cancel → counts, time, what was skipped."""
    session = server.state.session(None, lambda event: None, [])
    stopped = False
    loop = asyncio.get_running_loop()

    def stop() -> None:
        nonlocal stopped
        stopped = True

    async with progress(server, params.work_done_token, "Indexing the workspace", stop) as report:

        def step(done: int, total: int) -> bool:
            loop.call_soon_threadsafe(report, f"{done} of {total} files", int(100 * done / max(total, 1)))
            return not stopped

        try:
            outcome = await asyncio.to_thread(session.index, step, bool(_argument(params).get("force")), False)
        except EngineError as error:
            return {"error": error.error.message}
    if not stopped:
        server.state.index = session.index_view
        server.state.load_files()
    return {**outcome.as_dict(), "cancelled": stopped}


async def index_status(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """How many files the index has."""
    index = server.state.index
    return {"indexed": index is not None, "files": len(index) if index is not None else 0}


async def preview_task(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{name, inputs?}` → the exact request that would be sent, with an estimate of its tokens."""
    from dramaturg.engine.handler.base_handler import request_tokens

    argument = _argument(params)
    if not isinstance(argument.get("name"), str) or not isinstance(argument.get("inputs", {}), dict | None):
        return _invalid("`dramaturg.previewTask`: expected `{name, inputs?}`")
    session = server.state.session(None, lambda event: None, [])
    try:
        prepared = await session.preview_task(argument["name"], argument.get("inputs") or {})
    except EngineError as error:
        return failed(error.error).as_dict()
    return {"request": prepared.request.as_dict(), "tokens": request_tokens(prepared.request), "files": prepared.files}


async def list_tasks(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> list[JSON]:
    """Every task of the workspace's template files."""
    found: list[JSON] = []
    for name, places in sorted(server.state.snapshot().tasks.items()):
        for place in places:
            span: Span = place.name_span
            document = server.state.snapshot().document(place.path)
            assert document is not None
            found.append(
                {
                    "name": name,
                    "uri": convert.uri_of(place.path),
                    "line": document.lines.position(span.start).line,
                    "description": place.template.shape().description,
                    "inputs": [
                        {"name": item.shape.name, "required": item.shape.required, "type": item.shape.type}
                        for item in place.template.inputs
                    ],
                }
            )
    return found
