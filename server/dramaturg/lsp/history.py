"""What do the commands do that look at runs of the past?"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lsprotocol import types as lsp

from dramaturg.engine.errors import EngineError
from dramaturg.engine.runs.history import Run, difference, rows, run_of
from dramaturg.engine.runs.journal import FOLDER, Journal
from dramaturg.engine.runs.page import page
from dramaturg.lsp import convert
from dramaturg.lsp.queries import argument_of
from dramaturg.lsp.server import DramaturgServer

JSON = dict[str, Any]


def _journal(server: DramaturgServer) -> Journal | None:
    journal = Journal(server.state.root) if server.state.root is not None else None
    return journal if journal is not None and journal.path.exists() else None


def _found(server: DramaturgServer, identity: Any) -> Run | JSON:
    journal = _journal(server)
    if journal is None or not isinstance(identity, str):
        return {"error": "expected the id of a run that this workspace's journal holds"}
    try:
        return run_of(journal, identity)
    except EngineError as error:
        return {"error": error.error.message}


async def list_runs(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> list[JSON]:
    """`{limit?}` → the last runs, newest first."""
    journal, limit = _journal(server), argument_of(params).get("limit")
    return rows(journal, limit if isinstance(limit, int) and limit > 0 else 50) if journal is not None else []


async def show_run(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{run, show?}` → the run's steps and result; its page is opened where the client shows documents."""
    argument = argument_of(params)
    first = params.arguments[0] if params.arguments else None
    run = _found(server, argument.get("run", first))
    if not isinstance(run, Run):
        return run
    assert server.state.root is not None
    path = server.state.root / FOLDER / f"run-{run.row['id']}.html"
    path.write_text(page(run), encoding="utf-8")
    uri = convert.uri_of(str(path))
    window = server.client_capabilities.window
    if argument.get("show") is True and window is not None and window.show_document is not None:
        await server.window_show_document_async(lsp.ShowDocumentParams(uri, external=True))
    return {"run": run.row, "steps": [asdict(step) for step in run.steps], "result": run.result, "page": uri}


async def diff_runs(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> JSON:
    """`{left, right}` → where two runs differ, as lines."""
    argument = argument_of(params)
    left, right = _found(server, argument.get("left")), _found(server, argument.get("right"))
    for run in (left, right):
        if not isinstance(run, Run):
            return run
    assert isinstance(left, Run)
    assert isinstance(right, Run)
    return {"differences": difference(left, right)}
