"""Answers from the editor's own models: a client that has some completes requests for the server.

So that a user with no key can run. The engine knows the client as one callable from
a request, as JSON, to `{"content", "stop_reason"?, "usage"?, "tool_calls"?, "model"?}`
or `{"error"}`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.handler.providers.protocol import CompletionRequest, ProviderEvent
from dramaturg.engine.handler.providers.replay import answer_events

Ask = Callable[[dict[str, Any]], Awaitable[Any]]


class EditorProvider:
    """The `editor` provider."""

    name = "editor"

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The client's answer; `llm_error` where it has none."""
        try:
            answer = await self._ask(request.as_dict())
        except Exception as error:
            raise EngineError(failure("llm_error", f"the editor did not answer: {error}")) from None
        if not isinstance(answer, dict) or not isinstance(answer.get("content"), str):
            said = answer.get("error") if isinstance(answer, dict) else None
            message = said if isinstance(said, str) else "expected `{content}`"
            raise EngineError(failure("llm_error", f"the editor has no answer: {message}"))
        for event in answer_events(answer, str(answer.get("model") or request.model)):
            yield event

    async def close(self) -> None:
        """Nothing is held."""
