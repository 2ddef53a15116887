"""How does one task talk to a model: its turns, its tools, its limits?

One session a task. The handler only signals what runs out; it allocates nothing
(decision record, section 3).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.events import Listener, TokenDelta, Warned
from dramaturg.engine.handler.providers.protocol import (
    Completed,
    CompletionRequest,
    Provider,
    Retried,
    TextDelta,
    ToolDefinition,
    ToolUse,
)
from dramaturg.engine.handler.tokens import estimate
from dramaturg.engine.types import (
    ContextMetrics,
    HandlerConfig,
    InvalidOutput,
    ResourceExhaustion,
    ResourceLimits,
    ResourceMetrics,
    TaskResult,
    TurnMetrics,
    Usage,
)

#: Runs a tool that the model asked for.
ToolRunner = Callable[[str, dict[str, Any]], Awaitable[TaskResult]]


@dataclass
class Answer:
    """What a session came to: the text, the tokens, the turns, the tools used."""

    content: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    retries: int = 0
    tools: list[str] = field(default_factory=list)


class BaseHandler:
    """A session with a model under limits. [HandlerConfig, ResourceLimits, ResourceMetrics of type document 000]"""

    def __init__(
        self,
        config: HandlerConfig,
        limits: ResourceLimits,
        provider: Provider,
        emit: Listener,
        call: int,
        max_output_tokens: int = 8192,
        run_tool: ToolRunner | None = None,
    ) -> None:
        self.config = config
        self.limits = limits
        self.provider = provider
        self.emit = emit
        self.call = call
        self.max_output_tokens = max_output_tokens
        self.run_tool = run_tool
        window = min(
            limits.max_context_window, int(limits.max_context_window * config.max_context_window_fraction) or 1
        )
        self.metrics = ResourceMetrics(
            turns=TurnMetrics(used=0, limit=limits.max_turns, last_turn_at=None),
            context=ContextMetrics(used=0, limit=window, peak_usage=0),
        )
        self._warned: set[str] = set()

    def request(
        self,
        system: str,
        messages: list[dict[str, Any]],
        model: str,
        tools: tuple[ToolDefinition, ...] = (),
        output_schema: dict[str, Any] | None = None,
    ) -> CompletionRequest:
        """The exact request for these messages."""
        return CompletionRequest(model, system, tuple(messages), self.max_output_tokens, tools, output_schema)

    async def converse(self, request: CompletionRequest) -> Answer:
        """The answer, after as many turns as the model's tools need.

        Raises EngineError: RESOURCE_EXHAUSTION with what there was so far,
        `execution_timeout`, INVALID_OUTPUT where the model refuses, `llm_error`.
        """
        answer = Answer("")
        try:
            async with asyncio.timeout(self.limits.timeout):
                return await self._turns(request, answer)
        except TimeoutError:
            message = f"the task took longer than {self.limits.timeout} s"
            raise EngineError(failure("execution_timeout", message, content=answer.content or None)) from None

    async def _turns(self, request: CompletionRequest, answer: Answer) -> Answer:
        messages = list(request.messages)
        while True:
            self._use_turn(answer)
            turn = CompletionRequest(
                request.model, request.system, tuple(messages), request.max_tokens, request.tools, request.output_schema
            )
            self._use_context(turn, answer)
            text, tools, completed = await self._turn(turn, answer)
            if completed.stop_reason == "refusal":
                raise EngineError(
                    InvalidOutput(message="the model refused to answer", content=text or None, violations=["refusal"])
                )
            if completed.stop_reason in ("max_tokens", "model_context_window_exceeded"):
                resource = "output" if completed.stop_reason == "max_tokens" else "context"
                used = completed.output_tokens or estimate(text)
                limit = request.max_tokens if resource == "output" else self.metrics.context.limit
                self._exhausted(resource, f"the answer was cut off after {used} tokens", used, limit, answer.content)
            if not tools:
                return answer
            results = [await self._tool(use, answer) for use in tools]
            blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
            blocks += [{"type": "tool_use", "id": use.id, "name": use.name, "input": use.arguments} for use in tools]
            messages += [{"role": "assistant", "content": blocks}, {"role": "user", "content": results}]
            answer.content = ""

    async def _turn(self, request: CompletionRequest, answer: Answer) -> tuple[str, list[ToolUse], Completed]:
        text: list[str] = []
        tools: list[ToolUse] = []
        completed: Completed | None = None
        async for event in self.provider.complete(request):
            if isinstance(event, TextDelta):
                text.append(event.text)
                answer.content += event.text
                self.emit(TokenDelta(self.call, event.text))
            elif isinstance(event, ToolUse):
                tools.append(event)
            elif isinstance(event, Retried):
                answer.retries += 1
                self.emit(Warned(f"attempt {event.attempt} failed, trying again: {event.reason}", self.call))
            else:
                completed = event
        if completed is None:
            message = "the answer's stream ended before the answer did"
            raise EngineError(failure("llm_error", message, content=answer.content or None))
        answer.model = completed.model or request.model
        answer.input_tokens = _sum(answer.input_tokens, completed.input_tokens)
        answer.output_tokens = _sum(answer.output_tokens, completed.output_tokens)
        return "".join(text), tools, completed

    async def _tool(self, use: ToolUse, answer: Answer) -> dict[str, Any]:
        allowed = self.config.tools or []
        if self.run_tool is None or use.name not in allowed:
            message = f"the model asked for the tool `{use.name}`, which this task may not use"
            raise EngineError(failure("tool_execution_error", message, content=answer.content or None))
        answer.tools.append(use.name)
        result = await self.run_tool(use.name, use.arguments)
        failed = result.status == "FAILED"
        return {"type": "tool_result", "tool_use_id": use.id, "content": result.content, "is_error": failed}

    def _use_turn(self, answer: Answer) -> None:
        turns = self.metrics.turns
        if turns.used >= turns.limit:
            message = f"all {turns.limit} turns are used up: raise `max_turns`, or ask for less"
            self._exhausted("turns", message, turns.used, turns.limit, answer.content)
        turns.used += 1
        turns.last_turn_at = datetime.now(UTC)
        self._warn("turns", turns.used, turns.limit)

    def _use_context(self, request: CompletionRequest, answer: Answer) -> None:
        context = self.metrics.context
        used = request_tokens(request)
        context.used = used
        context.peak_usage = max(context.peak_usage, used)
        if used > context.limit:
            message = (
                f"the prompt has some {used} tokens and the context window {context.limit}: give fewer or smaller files"
            )
            self._exhausted("context", message, used, context.limit, answer.content)
        self._warn("context", used, context.limit)

    def _warn(self, resource: str, used: int, limit: int) -> None:
        if resource not in self._warned and limit > 1 and used >= limit * self.limits.warning_threshold:
            self._warned.add(resource)
            self.emit(Warned(f"{resource}: {used} of {limit} used", self.call))

    def _exhausted(self, resource: str, message: str, used: int, limit: int, content: str) -> None:
        raise EngineError(
            ResourceExhaustion(
                resource=resource,
                message=message,
                metrics=Usage(used=used, limit=limit),
                content=content or None,
            )
        )


def request_tokens(request: CompletionRequest) -> int:
    """An estimate of a request's tokens."""
    total = estimate(request.system)
    for message in request.messages:
        content = message["content"]
        total += 4 + estimate(content if isinstance(content, str) else str(content))
    return total + sum(estimate(tool.description) + estimate(str(tool.input_schema)) for tool in request.tools)


def _sum(left: int | None, right: int | None) -> int | None:
    return right if left is None else left + (right or 0)
