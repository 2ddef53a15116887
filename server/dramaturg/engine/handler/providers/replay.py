"""Answers from recordings, by the hash of the exact request; nothing here reaches a network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

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


def answer_events(answer: dict[str, Any], model: str) -> Iterator[ProviderEvent]:
    """A recorded answer as the events of a provider."""
    content = str(answer.get("content", ""))
    for start in range(0, len(content), _PIECE):
        yield TextDelta(content[start : start + _PIECE])
    for number, call in enumerate(answer.get("tool_calls") or []):
        yield ToolUse(str(call.get("id", f"tool-{number}")), call["name"], call.get("arguments") or {})
    usage = answer.get("usage") or {}
    stop = str(answer.get("stop_reason", "end_turn"))
    yield Completed(stop, usage.get("input_tokens"), usage.get("output_tokens"), model)


class ReplayProvider:
    """The `replay` provider."""

    name = "replay"

    def __init__(self, recordings: Recordings) -> None:
        self._recordings = recordings

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The recorded answer; `llm_error` that shows what differs where there is none."""
        for event in answer_events(self._recordings.answer("model", request.as_dict()), request.model):
            yield event

    async def close(self) -> None:
        """Nothing is held."""
