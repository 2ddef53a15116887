"""What do the commands do that look and do not run: matches, index, previews, lists, explanations?"""

from __future__ import annotations

import asyncio
import resource
import sys
from typing import Any

from lsprotocol import types as lsp

from dramaturg import __version__
from dramaturg.analysis.checks.rules import RULES
from dramaturg.engine.errors import EngineError, failed, failure
from dramaturg.engine.memory.indexers.process import index_outside
from dramaturg.ide.task_at import TaskAt, query_at, task_at
from dramaturg.language.nearest import did_you_mean
from dramaturg.language.reference import entry, names
from dramaturg.lsp import convert
from dramaturg.lsp.progress import progress
from dramaturg.lsp.server import DramaturgServer
from dramaturg.text import Span

JSON = dict[str, Any]


def argument_of(params: lsp.ExecuteCommandParams) -> JSON:
    """A command's argument; an empty one where the client sent none, or no object."""
    first = params.arguments[0] if params.arguments else {}
    return first if isinstance(first, dict) else {}


def invalid(message: str) -> JSON:
    """The result of a command whose argument is wrong."""
    return failed(failure("input_validation_failure", message)).as_dict()


def offset_in(server: DramaturgServer, argument: JSON) -> tuple[Any, int] | None:
    """The document and offset of a `{uri, position}`; None where there is no such place."""
    uri, position = argument.get("uri"), argument.get("position")
    document = server.state.document(convert.path_of(uri)) if isinstance(uri, str) else None
    if document is None or not isinstance(position, dict):
        return None
    try:
        place = lsp.Position(int(position["line"]), int(position["character"]))
    except (KeyError, TypeError, ValueError):
        return None
    return document, convert.offset_of(document, place, server.encoding)


def _task_there(server: DramaturgServer, argument: JSON) -> TaskAt | None:
    place = offset_in(server, argument)
    return task_at(place[0], server.state.snapshot(), place[1]) if place is not None else None


async def context_matches(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{query, limit?}`, `{uri, position}` or `{task, inputs?}` → the matches, each with its `range`."""
    argument = argument_of(params)
    query = _query(server, argument)
    if not query.strip():
        expected = "expected `{query, limit?}`, `{uri, position}` or `{task, inputs?}`"
        return {"context_summary": "", "matches": [], "error": f"`dramaturg.contextMatches`: {expected}"}
    limit = argument.get("limit")
    session = server.state.session(None, lambda event: None, [])
    found = await session.match(query, limit if isinstance(limit, int) and limit > 0 else 20)
    if session.indexed:
        server.state.index = session.index_view
    data = found.as_dict()
    data["matches"] = [{**match.as_dict(), "range": _range(match.excerpt)} for match in found.matches]
    return data


def _query(server: DramaturgServer, argument: JSON) -> str:
    """The text that files are matched by."""
    query, task = argument.get("query"), argument.get("task")
    if isinstance(query, str):
        return query
    if isinstance(task, str):
        inputs = argument.get("inputs")
        values = " ".join(map(str, inputs.values())) if isinstance(inputs, dict) else ""
        places = server.state.snapshot().tasks.get(task, [])
        return " ".join([*(place.template.shape().description for place in places[:1]), values]) if places else ""
    place = offset_in(server, argument)
    return query_at(*place) if place is not None else ""


def _range(excerpt: str | None) -> JSON:
    """The lines that an excerpt shows, from the numbers it begins with."""
    numbers = [int(line.split(":", 1)[0]) for line in (excerpt or "").splitlines() if line.split(":", 1)[0].isdigit()]
    first, last = (numbers[0] - 1, numbers[-1]) if numbers else (0, 0)
    return {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}


async def index_workspace(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """Indexes the workspace, with progress and cancel → counts, time, what was skipped."""
    session = server.state.session(None, lambda event: None, [])
    stopped = False

    def stop() -> None:
        nonlocal stopped
        stopped = True

    async with progress(server, params.work_done_token, "Indexing the workspace", stop) as report:

        def step(done: int, total: int) -> bool:
            report(f"{done} of {total} files", int(100 * done / max(total, 1)))
            return not stopped

        force = bool(argument_of(params).get("force"))
        try:
            outcome = await index_outside(session.root, session.settings.index, force, step)
            if not stopped:
                await asyncio.to_thread(session.index, None, False, False)
        except EngineError as error:
            return {"error": error.error.message}
    if not stopped:
        server.state.index = session.index_view
        await server.state.load_files()
    return {**outcome, "cancelled": stopped}


async def index_status(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """How many files the index has."""
    index = server.state.index
    return {"indexed": index is not None, "files": len(index) if index is not None else 0}


async def preview_task(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{name, inputs?}` or `{uri, position}` → the exact request that would be sent, with an estimate of its tokens."""
    from dramaturg.engine.handler.base_handler import request_tokens

    argument = argument_of(params)
    there = _task_there(server, argument)
    name = argument.get("name", there.name if there is not None else None)
    if not isinstance(name, str) or not isinstance(argument.get("inputs", {}), dict | None):
        return invalid("`dramaturg.previewTask`: expected `{name, inputs?}`, or `{uri, position}` of a task")
    inputs = {**(there.inputs if there is not None else {}), **(argument.get("inputs") or {})}
    session = server.state.session(None, lambda event: None, [])
    try:
        prepared = await session.preview_task(name, inputs)
    except EngineError as error:
        return failed(error.error).as_dict()
    return {"request": prepared.request.as_dict(), "tokens": request_tokens(prepared.request), "files": prepared.files}


async def list_tasks(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> list[JSON]:
    """Every task of the workspace's template files."""
    await server.state.files_read()
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


async def explain(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """A name of the language or the code of a finding → `{name, markdown}` of the reference."""
    first = params.arguments[0] if params.arguments else None
    name = first.get("name") if isinstance(first, dict) else first
    if not isinstance(name, str):
        return {"error": "`dramaturg.explain`: expected a name or a code"}
    text = entry(name, RULES)
    if text is None:
        return {"error": f"nothing is called `{name}`{did_you_mean(name, names(RULES))}"}
    return {"name": name, "markdown": text}


async def server_status(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """Versions, memory, documents, index, and how often and how long each kind of request took."""
    index = server.state.index
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform != "darwin" else 1024 * 1024)
    return {
        "version": __version__,
        "python": sys.version.split()[0],
        "memory_mb": peak,
        "documents": {"open": len(server.state.open), "workspace": len(server.state.disk)},
        "index": {"indexed": index is not None, "files": len(index) if index is not None else 0},
        "trusted": server.state.trusted,
        "requests": server.timings.as_dict(),
    }
