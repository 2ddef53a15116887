"""Completions from the Messages API, by Anthropic's own SDK.

The only module that knows the SDK, which is imported when the first request is
made. The key comes from the environment or the SDK's own sources, never from a
workspace; `base_url` may point at any server that speaks the Messages API, which
receives no key: a gateway that needs one is named in ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    ProviderEvent,
    TextDelta,
    ToolUse,
)
from dramaturg.engine.secrets import mask

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")

#: The SDK insists on a key. One from the environment never goes to an address that a workspace names.
_NO_KEY = "local"


def has_key() -> bool:
    """Whether the environment holds a key."""
    return any(os.environ.get(name) for name in _KEYS)


class AnthropicProvider:
    """The `anthropic` provider."""

    name = "anthropic"

    def __init__(self, base_url: str = "", timeout: float = 600.0, max_retries: int = 2) -> None:
        self._base_url = base_url
        self._timeout = timeout
        self._max_retries = max_retries
        self._client: AsyncAnthropic | None = None

    def _connect(self) -> AsyncAnthropic:
        if self._client is None:
            from anthropic import AsyncAnthropic

            options: dict[str, Any] = {"timeout": self._timeout, "max_retries": self._max_retries}
            if self._base_url:
                options |= {"base_url": self._base_url, "api_key": _NO_KEY}
            self._client = AsyncAnthropic(**options)
        return self._client

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The answer's events; every failure of the SDK becomes an `llm_error` that says what to do."""
        import anthropic

        try:
            async with self._connect().messages.stream(**_parameters(request)) as stream:
                async for event in stream:
                    if event.type == "text":
                        yield TextDelta(event.text)
                final = await stream.get_final_message()
        except anthropic.APIStatusError as error:
            raise EngineError(_status_failure(error.status_code, str(error.message))) from error
        except anthropic.APITimeoutError as error:
            raise EngineError(failure("llm_error", f"the model did not answer within {self._timeout:g} s")) from error
        except anthropic.APIConnectionError as error:
            where = self._base_url or "the provider"
            message = f"no connection to {where}: {error.__cause__ or error}; check the network and `base_url`"
            raise EngineError(failure("llm_error", mask(message))) from error
        except anthropic.AnthropicError as error:
            raise EngineError(failure("llm_error", mask(f"the model call failed: {error}"))) from error
        if final.stop_reason is None:
            raise EngineError(failure("llm_error", "the stream ended before the answer did: try again"))
        for block in final.content:
            if block.type == "tool_use":
                arguments = block.input if isinstance(block.input, dict) else {}
                yield ToolUse(block.id, _tool_name(block.name, request), arguments)
        usage = final.usage
        yield Completed(final.stop_reason, usage.input_tokens, usage.output_tokens, final.model)

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            await self._client.close()
            self._client = None


def _wire_name(name: str) -> str:
    """A tool's name as the API allows it: letters, digits, `_` and `-`."""
    return name.replace(":", "__")


def _tool_name(wire: str, request: CompletionRequest) -> str:
    return next((tool.name for tool in request.tools if _wire_name(tool.name) == wire), wire)


def _parameters(request: CompletionRequest) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "model": request.model,
        "max_tokens": request.max_tokens,
        "messages": [_wire_message(message) for message in request.messages],
    }
    if request.system:
        parameters["system"] = request.system
    if request.tools:
        parameters["tools"] = [
            {"name": _wire_name(tool.name), "description": tool.description, "input_schema": tool.input_schema}
            for tool in request.tools
        ]
    if request.output_schema is not None:
        parameters["output_config"] = {"format": {"type": "json_schema", "schema": request.output_schema}}
    return parameters


def _wire_message(message: dict[str, Any]) -> dict[str, Any]:
    content = message["content"]
    if isinstance(content, str):
        return message
    blocks = [
        {**block, "name": _wire_name(block["name"])} if block.get("type") == "tool_use" else block for block in content
    ]
    return {**message, "content": blocks}


_ADVICE = {
    401: "the key was refused: check ANTHROPIC_API_KEY",
    403: "the key may not use this model or endpoint",
    404: "no such model or endpoint: check `model` and `base_url`",
    413: "the request is too large",
    429: "the rate limit is reached: try again later, or lower `concurrency`",
    529: "the provider is overloaded: try again later",
}


def _status_failure(status: int, message: str) -> Any:
    advice = _ADVICE.get(status, "the provider failed: try again later" if status >= 500 else "the request was refused")
    return failure("llm_error", mask(f"{advice} (HTTP {status}: {message})"))
