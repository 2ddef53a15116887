"""Which commands may a client execute, and which module does each? Modules are loaded when first needed.

What runs workflows takes a third of a second to load, which an editor need not
wait for before it shows the first hover.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

from lsprotocol import types as lsp

from dramaturg.lsp.server import DramaturgServer

COMMANDS = {
    "dramaturg.runTask": "commands.run_task",
    "dramaturg.runWorkflow": "commands.run_workflow",
    "dramaturg.runTests": "commands.run_tests",
    "dramaturg.cancelRun": "commands.cancel_run",
    "dramaturg.contextMatches": "queries.context_matches",
    "dramaturg.indexWorkspace": "queries.index_workspace",
    "dramaturg.indexStatus": "queries.index_status",
    "dramaturg.previewTask": "queries.preview_task",
    "dramaturg.listTasks": "queries.list_tasks",
    "dramaturg.explain": "queries.explain",
    "dramaturg.serverStatus": "queries.server_status",
    "dramaturg.listRuns": "history.list_runs",
    "dramaturg.showRun": "history.show_run",
    "dramaturg.diffRuns": "history.diff_runs",
}

Handler = Callable[[DramaturgServer, lsp.ExecuteCommandParams], Awaitable[Any]]


def register(server: DramaturgServer) -> None:
    """Registers every command."""
    for name, place in COMMANDS.items():
        server.command(name)(_loading(place))


def _loading(place: str) -> Handler:
    module, _, function = place.partition(".")

    async def handler(server: DramaturgServer, params: lsp.ExecuteCommandParams) -> Any:
        run: Handler = getattr(import_module(f"dramaturg.lsp.{module}"), function)
        return await run(server, params)

    return handler
