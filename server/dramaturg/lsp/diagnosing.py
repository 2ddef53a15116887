"""How do findings reach the client: pushed, or pulled by clients that ask for them, never both?"""

from __future__ import annotations

import hashlib

from lsprotocol import types as lsp

from dramaturg.analysis.snapshot import Document
from dramaturg.ide.diagnostics import diagnostics
from dramaturg.lsp import convert
from dramaturg.lsp.server import DramaturgServer


def pulls(server: DramaturgServer) -> bool:
    """Whether the client asks for diagnostics itself."""
    text = server.client_capabilities.text_document
    return text is not None and text.diagnostic is not None


def register(server: DramaturgServer) -> None:
    """Registers the requests of clients that pull."""
    options = lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=True, identifier="dramaturg")
    server.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(on_document_diagnostic)
    server.feature(lsp.WORKSPACE_DIAGNOSTIC)(on_workspace_diagnostic)


def publish(server: DramaturgServer, path: str) -> None:
    """Sends the findings of an open document to a client that does not pull."""
    document = server.state.open.get(path)
    if document is None or pulls(server) or not server.state.knows_files:
        return  # What is open is published once the files are read.
    items = _items(server, document)
    version = server.state.version(path)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(convert.uri_of(path), items, version))


def publish_others(server: DramaturgServer, edited: str = "") -> None:
    """Brings the other open documents up to date, as tasks and definitions changed under them."""
    if pulls(server):
        workspace = server.client_capabilities.workspace
        if workspace is not None and workspace.diagnostics is not None and workspace.diagnostics.refresh_support:
            server.workspace_diagnostic_refresh(None)
        return
    for path in list(server.state.open):
        if path != edited:
            publish(server, path)


def _items(server: DramaturgServer, document: Document) -> list[lsp.Diagnostic]:
    snapshot = server.state.snapshot()
    found = diagnostics(document, snapshot)
    return [convert.diagnostic(item, document, snapshot, server.encoding) for item in found]


def _identity(items: list[lsp.Diagnostic]) -> str:
    return hashlib.sha256(repr(items).encode("utf-8", "surrogatepass")).hexdigest()[:16]


async def on_document_diagnostic(
    server: DramaturgServer, params: lsp.DocumentDiagnosticParams
) -> lsp.RelatedFullDocumentDiagnosticReport | lsp.RelatedUnchangedDocumentDiagnosticReport:
    """The findings of a document, or that they are those of the last answer."""
    await server.state.files_read()
    document = server.state.document(convert.path_of(params.text_document.uri))
    items = _items(server, document) if document is not None else []
    identity = _identity(items)
    if params.previous_result_id == identity:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(identity)
    return lsp.RelatedFullDocumentDiagnosticReport(items, result_id=identity)


async def on_workspace_diagnostic(
    server: DramaturgServer, params: lsp.WorkspaceDiagnosticParams
) -> lsp.WorkspaceDiagnosticReport:
    """The findings of every file, sent in parts where the client takes them so; files that are unchanged say so."""
    await server.state.files_read()
    before = {item.uri: item.value for item in params.previous_result_ids}
    reports: list[lsp.WorkspaceFullDocumentDiagnosticReport | lsp.WorkspaceUnchangedDocumentDiagnosticReport] = []
    for path, document in sorted(server.state.snapshot().documents.items()):
        uri = convert.uri_of(path)
        items = _items(server, document)
        identity = _identity(items)
        version = server.state.version(path)
        if before.get(uri) == identity:
            reports.append(lsp.WorkspaceUnchangedDocumentDiagnosticReport(uri, identity, version))
        else:
            reports.append(lsp.WorkspaceFullDocumentDiagnosticReport(uri, items, version, result_id=identity))
    if params.partial_result_token is None:
        return lsp.WorkspaceDiagnosticReport(reports)
    for start in range(0, len(reports), 50):
        part = lsp.WorkspaceDiagnosticReportPartialResult(reports[start : start + 50])
        value = server.protocol._converter.unstructure(part)
        server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(params.partial_result_token, value))
    return lsp.WorkspaceDiagnosticReport([])
