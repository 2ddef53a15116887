"""What does a provider of completions take and give?

A request is plain data, so that it can be hashed, recorded, shown and sent to any
provider; what comes back is a stream of small events.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ToolDefinition:
    """A tool that the model may use; the schema is JSON Schema of its arguments."""

    name: str
    description: str
    input_schema: dict[str, Any] = field(hash=False)


@dataclass(frozen=True)
class CompletionRequest:
    """The exact request to a model; messages are `{role, content}` with text or content blocks."""

    model: str
    system: str
    messages: tuple[dict[str, Any], ...] = field(hash=False)
    max_tokens: int = 8192
    tools: tuple[ToolDefinition, ...] = ()
    output_schema: dict[str, Any] | None = field(default=None, hash=False)

    def as_dict(self) -> dict[str, Any]:
        """The request as JSON data."""
        data: dict[str, Any] = {
            "model": self.model,
            "system": self.system,
            "messages": list(self.messages),
            "max_tokens": self.max_tokens,
        }
        if self.tools:
            data["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
                for tool in self.tools
            ]
        if self.output_schema is not None:
            data["output_schema"] = self.output_schema
        return data


@dataclass(frozen=True, slots=True)
class TextDelta:
    """Some more of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The model wants a tool used; `arguments` are complete."""

    id: str
    name: str
    arguments: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Retried:
    """An attempt failed and the provider tries again."""

    attempt: int
    reason: str


@dataclass(frozen=True, slots=True)
class Completed:
    """The answer is complete; tokens as the provider counts them, None where it does not say."""

    stop_reason: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str = ""


ProviderEvent = TextDelta | ToolUse | Retried | Completed


class Provider(Protocol):
    """Whoever completes requests."""

    name: str

    def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The answer's events, `Completed` last; raises EngineError (`llm_error`) where there is none."""
        ...

    async def close(self) -> None:
        """Frees what the provider holds."""
        ...
