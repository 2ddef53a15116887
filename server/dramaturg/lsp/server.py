"""The language server: its state, and the handlers of documents and features."""

from __future__ import annotations

import logging
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from dramaturg import __version__
from dramaturg.ide.completion import completions
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.ide.format import format_workflow
from dramaturg.ide.hover import hover
from dramaturg.lsp import convert
from dramaturg.lsp.protocol import DramaturgProtocol
from dramaturg.lsp.state import ServerState
from dramaturg.text import Encoding, Span

log = logging.getLogger(__name__)


class DramaturgServer(LanguageServer):
    """pygls' server with Dramaturg's state."""

    def __init__(self) -> None:
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

    def publish(self, path: str) -> None:
        """Sends the diagnostics of an open document."""
        document = self.state.open.get(path)
        if document is None:
            return
        found = diagnostics(document, self.state.snapshot())
        items = [convert.diagnostic(item, document, self.encoding) for item in found]
        version = self.workspace.get_text_document(convert.uri_of(path)).version
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(convert.uri_of(path), items, version))

    def publish_others(self, edited: str = "") -> None:
        """Sends the diagnostics of the other open documents, as tasks and definitions may have changed under them."""
        for path in list(self.state.open):
            if path != edited:
                self.publish(path)


def create_server() -> DramaturgServer:
    """The server with all its handlers, not yet started."""
    from dramaturg.lsp import commands

    server = DramaturgServer()
    server.feature(lsp.INITIALIZE)(initialize)
    server.feature(lsp.INITIALIZED)(initialized)
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(on_hover)
    options = lsp.CompletionOptions(trigger_characters=["(", "{", "<", '"', " "])
    server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)(on_completion)
    server.feature(lsp.TEXT_DOCUMENT_FORMATTING)(on_formatting)
    commands.register(server)
    return server


def initialize(server: DramaturgServer, params: lsp.InitializeParams) -> None:
    """Takes the folders and the client's options."""
    folders = [folder.uri for folder in params.workspace_folders or []]
    if not folders and params.root_uri:
        folders = [params.root_uri]
    server.state.start([Path(convert.path_of(uri)) for uri in folders], params.initialization_options)


def initialized(server: DramaturgServer, params: lsp.InitializedParams) -> None:
    """Reads the workspace's templates, and says what is wrong with its settings."""
    server.state.load_templates()
    for warning in server.state.loaded.warnings:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, warning))
    server.publish_others()


def did_open(server: DramaturgServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Takes a document and publishes what is wrong with it."""
    item = params.text_document
    _changed(server, convert.path_of(item.uri), item.language_id, item.text)


def did_change(server: DramaturgServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Takes an edit."""
    text = server.workspace.get_text_document(params.text_document.uri).source
    _changed(server, convert.path_of(params.text_document.uri), "", text)


def _changed(server: DramaturgServer, path: str, language_id: str, text: str) -> None:
    document = server.state.put(path, language_id, text)
    if document is None:
        return
    server.publish(path)
    server.publish_others(path)


def did_save(server: DramaturgServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """The index is stale from now on; templates may be new."""
    server.state.index = None
    server.state.load_templates()
    server.publish_others()


def did_close(server: DramaturgServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """The file on disk counts again."""
    server.state.open.pop(convert.path_of(params.text_document.uri), None)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))
    server.publish_others()


def did_change_watched_files(server: DramaturgServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk: templates are read again."""
    server.state.index = None
    server.state.load_templates()
    server.publish_others()


def on_hover(server: DramaturgServer, params: lsp.HoverParams) -> lsp.Hover | None:
    """Hover."""
    document = server.state.open.get(convert.path_of(params.text_document.uri))
    if document is None:
        return None
    offset = convert.offset_of(document, params.position, server.encoding)
    found = hover(document, server.state.snapshot(), offset)
    able = convert.abilities(server.client_capabilities)
    return convert.hover(found, document, server.encoding, able) if found else None


def on_completion(server: DramaturgServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    """Completion."""
    document = server.state.open.get(convert.path_of(params.text_document.uri))
    if document is None:
        return lsp.CompletionList(False, [])
    offset = convert.offset_of(document, params.position, server.encoding)
    items = completions(document, server.state.snapshot(), offset)
    able = convert.abilities(server.client_capabilities)
    return lsp.CompletionList(
        False, [convert.completion_item(item, n, document, server.encoding, able) for n, item in enumerate(items)]
    )


def on_formatting(server: DramaturgServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """Formatting of a workflow; a template, or text with syntax errors, is left alone."""
    document = server.state.open.get(convert.path_of(params.text_document.uri))
    if document is None or document.language != "workflow":
        return []
    laid_out = format_workflow(document.text)
    if laid_out is None or laid_out == document.text:
        return []
    whole = convert.range_of(document.lines, Span(0, len(document.text)), server.encoding)
    return [lsp.TextEdit(whole, laid_out)]


def serve(tcp: str | None = None) -> None:
    """Runs the server on standard input and output, or on a loopback port, until it is told to exit."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    server = create_server()
    if tcp is None:
        server.start_io()
        return
    host, _, port = tcp.rpartition(":")
    server.start_tcp(host or "127.0.0.1", int(port))
