"""Answers from recordings, by the hash of the exact request; nothing here reaches a network."""

from __future__ import annotations

from collections.abc import AsyncIterator

from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    ProviderEvent,
    TextDelta,
    ToolUse,
)
from dramaturg.engine.recordings.entries import Recordings

#: How long the pieces are in which a recorded answer streams, in characters.
_PIECE = 80


class ReplayProvider:
    """The `replay` provider."""

    name = "replay"

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The recorded answer; `llm_error` that shows what differs where there is none."""
        answer = self._recordings.answer("model", request.as_dict())
        content = str(answer.get("content", ""))
        for start in range(0, len(content), _PIECE):
            yield TextDelta(content[start : start + _PIECE])
        for number, call in enumerate(answer.get("tool_calls") or []):
            yield ToolUse(str(call.get("id", f"tool-{number}")), call["name"], call.get("arguments") or {})
        usage = answer.get("usage") or {}
        yield Completed(
            str(answer.get("stop_reason", "end_turn")),
            usage.get("input_tokens"),
            usage.get("output_tokens"),
            request.model,
        )

    async def close(self) -> None:
        """Nothing is held."""
