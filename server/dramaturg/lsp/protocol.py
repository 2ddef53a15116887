"""Where does the server differ from pygls' own protocol?"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method


class DramaturgProtocol(LanguageServerProtocol):
    """pygls' protocol, with commands that take their arguments as the client sent them."""

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: lsp.ExecuteCommandParams) -> Generator[Any, Any, Any]:
        """Runs a command; it receives the whole request, so that no arguments and a token are no special cases."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams.of(ValueError(f"there is no command `{params.command}`"))
        result = yield handler, (params,), {}
        return result
