"""How does a run reach the repository's index and its scripts: for real, from recordings, or writing them down?"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from dramaturg.engine.errors import EngineError
from dramaturg.engine.recordings.entries import Recordings, Writer
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, ScriptTaskResult

Match = Callable[[ContextGenerationInput], Awaitable[AssociativeMatchResult]]
Script = Callable[[dict[str, Any]], Awaitable[ScriptTaskResult]]


class Outside(Protocol):
    """What of the world around a run may be answered from elsewhere; `live` does the real thing."""

    async def match(self, request: ContextGenerationInput, live: Match) -> AssociativeMatchResult:
        """The files that matter; a failure is the result's `error`."""
        ...

    async def script(self, inputs: dict[str, Any], live: Script) -> ScriptTaskResult:
        """A script's result; raises EngineError."""
        ...


class Live:
    """Everything for real."""

    async def match(self, request: ContextGenerationInput, live: Match) -> AssociativeMatchResult:
        """What the index gives."""
        return await live(request)

    async def script(self, inputs: dict[str, Any], live: Script) -> ScriptTaskResult:
        """What the script gives."""
        return await live(inputs)


@dataclass(frozen=True)
class Replayed:
    """Answers from recordings; where `only` is not set, kinds of which there are none are done for real."""

    recordings: Recordings
    only: bool = True

    async def match(self, request: ContextGenerationInput, live: Match) -> AssociativeMatchResult:
        """The recorded matches."""
        if not self.only and not self.recordings.has("context"):
            return await live(request)
        try:
            answer = self.recordings.answer("context", request.as_dict())
        except EngineError as error:
            return AssociativeMatchResult(context_summary="", error=error.error.message)
        return AssociativeMatchResult.model_validate(answer)

    async def script(self, inputs: dict[str, Any], live: Script) -> ScriptTaskResult:
        """The recorded result; nothing runs, so no trust is needed."""
        if not self.only and not self.recordings.has("script"):
            return await live(inputs)
        return ScriptTaskResult.model_validate(self.recordings.answer("script", inputs))


@dataclass(frozen=True)
class Recorded:
    """Passes everything through and writes it down."""

    recorder: Writer
    inner: Outside

    async def match(self, request: ContextGenerationInput, live: Match) -> AssociativeMatchResult:
        """The real matches; a failure is not written down."""
        found = await self.inner.match(request, live)
        if found.error is None:
            self.recorder.write("context", request.as_dict(), found.as_dict())
        return found

    async def script(self, inputs: dict[str, Any], live: Script) -> ScriptTaskResult:
        """The real result."""
        result = await self.inner.script(inputs, live)
        self.recorder.write("script", inputs, result.as_dict())
        return result
