"""Completions of another provider, written down so that `replay` can answer them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    Provider,
    ProviderEvent,
    TextDelta,
    ToolUse,
)
from dramaturg.engine.recordings.entries import Writer


class RecordingProvider:
    """Passes everything through and writes each finished answer down."""

    def __init__(self, inner: Provider, recorder: Writer) -> None:
        self.name = inner.name
        self._inner = inner
        self._recorder = recorder

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The inner provider's events."""
        text: list[str] = []
        tools: list[dict[str, Any]] = []
        async for event in self._inner.complete(request):
            if isinstance(event, TextDelta):
                text.append(event.text)
            elif isinstance(event, ToolUse):
                tools.append({"id": event.id, "name": event.name, "arguments": event.arguments})
            elif isinstance(event, Completed):
                self._write(request, "".join(text), tools, event)
            yield event

    def _write(self, request: CompletionRequest, text: str, tools: list[dict[str, Any]], done: Completed) -> None:
        response: dict[str, Any] = {"content": text, "stop_reason": done.stop_reason}
        if tools:
            response["tool_calls"] = tools
        if done.input_tokens is not None or done.output_tokens is not None:
            response["usage"] = {"input_tokens": done.input_tokens, "output_tokens": done.output_tokens}
        self._recorder.write("model", request.as_dict(), response)

    async def close(self) -> None:
        """Closes the inner provider."""
        await self._inner.close()
