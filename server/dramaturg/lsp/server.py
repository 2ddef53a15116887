"""The language server: pygls' own with Dramaturg's state, put together from its handlers."""

from __future__ import annotations

import gc
import logging
import sys
from typing import IO

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dramaturg import __version__
from dramaturg.lsp import convert
from dramaturg.lsp.protocol import DramaturgProtocol
from dramaturg.lsp.state import ServerState
from dramaturg.lsp.timings import Timings
from dramaturg.text import Encoding

log = logging.getLogger(__name__)


class DramaturgServer(LanguageServer):
    """pygls' server with Dramaturg's state."""

    def __init__(self) -> None:
        self.timings = Timings()
        super().__init__(
            "dramaturg",
            __version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
            protocol_cls=DramaturgProtocol,
        )
        self.state = ServerState()

    @property
    def encoding(self) -> Encoding:
        """The position encoding that was negotiated."""
        return convert.encoding_of(self.workspace.position_encoding or "utf-16")


def create_server() -> DramaturgServer:
    """The server with all its handlers, not yet started."""
    from dramaturg.lsp import command_table, diagnosing, documents, features

    server = DramaturgServer()
    documents.register(server)
    diagnosing.register(server)
    features.register(server)
    command_table.register(server)
    return server


def serve_io(source: IO[bytes], sink: IO[bytes]) -> None:
    """Runs the server on two streams until it is told to exit."""
    server = create_server()
    gc.collect()
    gc.freeze()  # What was loaded stays: the collector need not look at it again.
    server.start_io(source, sink)  # type: ignore[arg-type]


def serve(tcp: str | None = None) -> None:
    """Runs the server on standard input and output, or on a loopback port, until it is told to exit."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if tcp is None:
        serve_io(sys.stdin.buffer, sys.stdout.buffer)
        return
    server = create_server()
    host, _, port = tcp.rpartition(":")
    server.start_tcp(host or "127.0.0.1", int(port))
