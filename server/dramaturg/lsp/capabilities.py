"""What does pygls answer to `initialize` for a client, as JSON? What is written down for `early` is made from it."""

from __future__ import annotations

import json
from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import ServerCapabilitiesBuilder

from dramaturg.lsp.server import create_server


def server_capabilities(client: lsp.ClientCapabilities) -> dict[str, Any]:
    """The capabilities that the real server answers a client with."""
    server = create_server()
    manager = server.protocol.fm
    built = ServerCapabilitiesBuilder(
        client,
        {*manager.features, *manager.builtin_features},
        manager.feature_options,
        list(manager.commands),
        lsp.TextDocumentSyncKind.Incremental,
        None,
        ServerCapabilitiesBuilder.choose_position_encoding(client),
    ).build()  # type: ignore[no-untyped-call]
    found: dict[str, Any] = json.loads(json.dumps(built, default=server.protocol._serialize_message))
    return found


def capabilities_text() -> str:
    """The answer to a client that can do everything which the answer depends on."""
    client = lsp.ClientCapabilities(
        text_document=lsp.TextDocumentClientCapabilities(rename=lsp.RenameClientCapabilities(prepare_support=True)),
        workspace=lsp.WorkspaceClientCapabilities(
            file_operations=lsp.FileOperationClientCapabilities(will_rename=True)
        ),
    )
    return json.dumps(server_capabilities(client), indent=1, sort_keys=True) + "\n"
