"""How does a run take answers that are written down already: of the run that it resumes, or of any before it?"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from dramaturg.engine.handler.providers.protocol import CompletionRequest, Provider, ProviderEvent
from dramaturg.engine.handler.providers.replay import answer_events
from dramaturg.engine.recordings.entries import Recordings
from dramaturg.engine.recordings.outside import Match, Outside, Script
from dramaturg.engine.runs.journal import Journal
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, ScriptTaskResult


@dataclass
class Taken:
    """Answers of the run that is resumed, each once, then those of the cache where there is one."""

    resumed: Recordings | None
    cache: Journal | None

    def model(self, request: dict[str, Any]) -> Any:
        """The answer to a model's request, or None."""
        found = self.resumed.take("model", request) if self.resumed is not None else None
        return found if found is not None or self.cache is None else self.cache.answer("model", request)


class TakingProvider:
    """Answers what is written down, and asks the inner provider for the rest."""

    def __init__(self, taken: Taken, inner: Provider) -> None:
        self.name = inner.name
        self._taken = taken
        self._inner = inner

    async def complete(self, request: CompletionRequest) -> AsyncIterator[ProviderEvent]:
        """The answer's events; tokens as they were counted then."""
        answer = self._taken.model(request.as_dict())
        if answer is not None:
            for event in answer_events(answer, request.model):
                yield event
            return
        async for event in self._inner.complete(request):
            yield event

    async def close(self) -> None:
        """Closes the inner provider."""
        await self._inner.close()


@dataclass(frozen=True)
class Resumed:
    """Matches and scripts of the run that is resumed; a script that ran is run again only where that is asked."""

    recordings: Recordings
    inner: Outside
    rerun_scripts: bool = False

    async def match(self, request: ContextGenerationInput, live: Match) -> AssociativeMatchResult:
        """The matches that were found then, or new ones."""
        found = self.recordings.take("context", request.as_dict())
        if found is not None:
            return AssociativeMatchResult.model_validate(found)
        return await self.inner.match(request, live)

    async def script(self, inputs: dict[str, Any], live: Script) -> ScriptTaskResult:
        """The script's result of then, or a new one."""
        found = self.recordings.take("script", inputs) if not self.rerun_scripts else None
        return ScriptTaskResult.model_validate(found) if found is not None else await self.inner.script(inputs, live)
