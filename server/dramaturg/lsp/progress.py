"""How does long work show itself in the editor, and how is it cancelled there?"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

#: Reports a message and perhaps a share of 100.
Report = Callable[[str, int | None], None]


@asynccontextmanager
async def progress(
    server: LanguageServer, token: lsp.ProgressToken | None, title: str, cancel: Callable[[], None]
) -> AsyncIterator[Report]:
    """Progress under the client's token, or under one made for clients that show progress; else silently."""
    supports = bool((server.client_capabilities.window or lsp.WindowClientCapabilities()).work_done_progress)
    if token is None and supports:
        token = uuid.uuid4().hex
        try:
            await server.work_done_progress.create_async(token)
        except Exception:
            token = None
    if token is None:
        yield lambda message, percentage: None
        return
    server.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title=title, cancellable=True, percentage=0))
    server.work_done_progress.tokens[token].add_done_callback(lambda future: cancel() if future.cancelled() else None)

    def report(message: str, percentage: int | None) -> None:
        value = lsp.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True)
        server.work_done_progress.report(token, value)

    try:
        yield report
    finally:
        server.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
        server.work_done_progress.tokens.pop(token, None)
