"""What happens when documents, folders, files or settings change?"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from dramaturg.analysis.snapshot import Document
from dramaturg.config import FILE_NAME
from dramaturg.lsp import convert
from dramaturg.lsp.diagnosing import publish, publish_others, pulls
from dramaturg.lsp.server import DramaturgServer


def register(server: DramaturgServer) -> None:
    """Registers the lifecycle of the server and of documents."""
    server.feature(lsp.INITIALIZE)(initialize)
    server.feature(lsp.INITIALIZED)(initialized)
    server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)(did_open)
    server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)(did_change)
    server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)(did_save)
    server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)(did_close)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(did_change_watched_files)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(did_change_folders)
    server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(did_change_configuration)


def initialize(server: DramaturgServer, params: lsp.InitializeParams) -> None:
    """Takes the folders and the client's options."""
    folders = [folder.uri for folder in params.workspace_folders or []]
    if not folders and params.root_uri:
        folders = [params.root_uri]
    server.state.start([Path(convert.path_of(uri)) for uri in folders], params.initialization_options)


async def initialized(server: DramaturgServer, params: lsp.InitializedParams) -> None:
    """Reads the workspace's files, says what is wrong with its settings, and asks to hear of changes."""
    await server.state.load_files()
    _warn(server)
    publish_others(server)
    workspace = server.client_capabilities.workspace
    watching = workspace.did_change_watched_files if workspace is not None else None
    if watching is not None and watching.dynamic_registration:
        patterns = ("**/*.wf", "**/*.xml", "**/*.json", f"**/{FILE_NAME}")
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(item) for item in patterns])
        registration = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        with contextlib.suppress(JsonRpcException):  # A client that refuses does without.
            await server.client_register_capability_async(lsp.RegistrationParams([registration]))


def _warn(server: DramaturgServer) -> None:
    for warning in server.state.loaded.warnings:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, warning))


def did_open(server: DramaturgServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """Takes a document and publishes what is wrong with it."""
    item = params.text_document
    _changed(server, convert.path_of(item.uri), item.language_id, item.text, item.version)


def did_change(server: DramaturgServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """Takes edits, each of the text that the one before it made."""
    path = convert.path_of(params.text_document.uri)
    document = server.state.open.get(path)
    if document is None:
        return
    for change in params.content_changes:
        document = _edited(document, change, server)
    _take(server, path, document, params.text_document.version)


def _edited(document: Document, change: lsp.TextDocumentContentChangeEvent, server: DramaturgServer) -> Document:
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return document.edited(change.text)
    start, end = (convert.offset_of(document, edge, server.encoding) for edge in (change.range.start, change.range.end))
    return document.edited(document.text[:start] + change.text + document.text[max(start, end) :])


def _changed(server: DramaturgServer, path: str, language_id: str, text: str, version: int | None) -> None:
    language = server.state.language(path, language_id)
    if language is not None:
        _take(server, path, Document(path, language, text), version)


def _take(server: DramaturgServer, path: str, document: Document, version: int | None) -> None:
    before = server.state.document(path)
    server.state.put(document, version)
    publish(server, path)
    if before is None or _seen_outside(before) != _seen_outside(document):
        publish_others(server, path)


def _seen_outside(document: Document) -> object:
    """What other files see of a document: as long as it stays the same, their findings do."""
    if document.language == "template":
        return [
            (item.template.shape(), item.template.ref, item.template.output_schema, item.template.texts)
            for item in document.templates.templates
        ]
    return document.exports


def did_save(server: DramaturgServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """The index is stale from now on."""
    server.state.index = None


def did_close(server: DramaturgServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """The file on disk counts again."""
    path = convert.path_of(params.text_document.uri)
    server.state.close(path)
    server.state.tokens.forget(params.text_document.uri)
    if not pulls(server):
        server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))
    publish_others(server)


async def did_change_watched_files(server: DramaturgServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Files changed on disk: workflows, templates and settings are read again."""
    server.state.index = None
    if any(item.uri.endswith(f"/{FILE_NAME}") for item in params.changes):
        server.state.configure({})
        _warn(server)
    await server.state.load_files()
    publish_others(server)


async def did_change_folders(server: DramaturgServer, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Folders were added or removed."""
    added, removed = (
        [Path(convert.path_of(item.uri)) for item in part] for part in (params.event.added, params.event.removed)
    )
    server.state.change_folders(added, removed)
    await server.state.load_files()
    publish_others(server)


def did_change_configuration(server: DramaturgServer, params: lsp.DidChangeConfigurationParams) -> None:
    """The client's options changed: `dramaturg` of its settings, or the settings themselves."""
    settings = plain_data(params.settings)
    if isinstance(settings, dict):
        server.state.configure(settings.get("dramaturg", settings))
    publish_others(server)


def plain_data(value: Any) -> Any:
    """What the protocol library made objects of, as JSON data again."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain_data(item) for key, item in value.items()}
    return [plain_data(item) for item in value] if isinstance(value, list) else value
