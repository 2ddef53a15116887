"""Completions of another provider, written down so that `replay` can answer them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    Provider,
    ProviderEvent,
    TextDelta,
    ToolUse,
)
from dramaturg.engine.secrets import mask_data


class RecordingProvider:
    """Passes everything through and appends each finished answer to a file."""

    def __init__(self, inner: Provider, path: Path, note: str = "") -> None:
        self.name = inner.name
        self._inner = inner
        self._path = path
        self._note = note

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
        line: dict[str, Any] = {"note": self._note} if self._note else {}
        line |= {"request": request.as_dict(), "response": response}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(mask_data(line), ensure_ascii=False) + "\n")

    async def close(self) -> None:
        """Closes the inner provider."""
        await self._inner.close()
