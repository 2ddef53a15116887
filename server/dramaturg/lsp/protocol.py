"""Where does the server differ from pygls' own protocol?

Commands take their arguments as the client sent them; a request whose params are
malformed gets an error, where pygls would leave it without an answer; what is
kept of each message is dropped when it is done; requests are timed.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import time
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage

from dramaturg.lsp.timings import Timings

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Malformed:
    """Stands for params that could not be read."""

    reason: str


class DramaturgProtocol(LanguageServerProtocol):
    """pygls' protocol, answering every request."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.timings = self._server.timings = Timings()  # type: ignore[attr-defined]

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Runs a command with the whole request; cancelling the request cancels what the command awaits."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams.of(ValueError(f"there is no command `{params.command}`"))
        result = handler(params)
        return await result if inspect.isawaitable(result) else result

    # Documents are kept by `state`, whose texts cost an edit what the edit is worth:
    # pygls' own copies, cut into lines anew at each change, would cost a third more.

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Leaves the document to our own handler."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Leaves the edit to our own handler."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Leaves the document to our own handler."""
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """The message as the protocol's types; one that does not fit them keeps its id and method."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method, identity = data.get("method"), data.get("id")
            if not isinstance(method, str):
                raise
            malformed = _Malformed(f"the params of `{method}` do not fit the protocol: {error.__cause__ or error}")
            if isinstance(identity, str | int):
                return JsonRPCRequestMessage(identity, method, "2.0", malformed)
            return JsonRPCNotification(method, "2.0", malformed)

    def _handle_request(self, msg_id: Any, method_name: str, params: Any) -> None:
        if isinstance(params, _Malformed):
            error = JsonRpcInvalidParams(params.reason.splitlines()[0])
            self._send_response(msg_id, None, error.to_response_error())
            return
        super()._handle_request(msg_id, method_name, params)

    def _handle_notification(self, method_name: str, params: Any) -> None:
        if isinstance(params, _Malformed):
            log.warning("%s", params.reason)
            return
        super()._handle_notification(method_name, params)

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Any,
        callback: Callable[[Future[Any]], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        started = time.perf_counter()

        def done(future: Future[Any]) -> None:
            self._drop(msg_id)
            self.timings.add(getattr(handler, "__name__", str(handler)), time.perf_counter() - started)
            callback(future)

        super()._execute_handler(msg_id, handler, done, args, kwargs)

    def _drop(self, msg_id: Any) -> None:
        """Drops what is kept of a message: pygls does so for requests only, every notification would stay.

        Not at once where a loop runs, since pygls cancels what is left while it goes through it.
        """
        try:
            asyncio.get_running_loop().call_soon(self._request_futures.pop, msg_id, None)
        except RuntimeError:
            self._request_futures.pop(msg_id, None)
