"""Which files of the workspace matter for a task? It keeps the index and asks; it ranks nothing itself.

The interface is the IDL's (module src.memory.memory_system), with `async` on what
may call a model.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any, Protocol

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.memory.indexers.git_repository_indexer import GitRepositoryIndexer
from dramaturg.engine.memory.indexers.indexed import IndexMapping
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, FreshContext

log = logging.getLogger(__name__)

_DEFAULTS: dict[str, Any] = {
    "sharding_enabled": False,
    "token_size_per_shard": 4000,
    "max_shards": 10,
    "token_estimation_ratio": 0.25,
    "max_parallel_shards": 4,
}


class ContextMediator(Protocol):
    """What the memory system needs of the task system."""

    async def generate_context_for_memory_system(
        self, context_input: ContextGenerationInput, global_index: IndexMapping
    ) -> AssociativeMatchResult:
        """Matches the request against the index."""
        ...


class MemorySystem:
    """The index of the workspace's files, and requests for context over it."""

    def __init__(
        self,
        handler: object | None = None,
        task_system: ContextMediator | None = None,
        config: dict[str, Any] | None = None,
    ) -> None:
        self.handler = handler
        self.task_system = task_system
        self.global_index: dict[str, str] = {}
        self._config = {**_DEFAULTS, **(config or {})}
        self._sharded_index: list[dict[str, str]] = []
        self._view: IndexMapping | None = None

    def get_global_index(self) -> dict[str, str]:
        """Absolute path → metadata string, of every file known."""
        return self.global_index

    @property
    def view(self) -> IndexMapping:
        """The index as it was given, with all that it carries, while nothing else was added to it."""
        return self._view if self._view is not None else self.global_index

    def update_global_index(self, index: IndexMapping) -> None:
        """Adds entries; INPUT_VALIDATION_FAILURE names a path that is not absolute."""
        for path in index:
            if not Path(path).is_absolute():
                raise EngineError(failure("input_validation_failure", f"{path} is no absolute path"))
        self.global_index.update(index)
        self._view = index if len(index) == len(self.global_index) else None
        self._reshard()

    def enable_sharding(self, enabled: bool) -> None:
        """Turns matching by shards on or off."""
        self._config["sharding_enabled"] = enabled
        self._reshard()

    def configure_sharding(
        self,
        token_size_per_shard: int | None = None,
        max_shards: int | None = None,
        token_estimation_ratio: float | None = None,
        max_parallel_shards: int | None = None,
    ) -> None:
        """Sets the parameters that are given; INPUT_VALIDATION_FAILURE names one that is not positive."""
        given = {
            "token_size_per_shard": token_size_per_shard,
            "max_shards": max_shards,
            "token_estimation_ratio": token_estimation_ratio,
            "max_parallel_shards": max_parallel_shards,
        }
        for name, value in given.items():
            if value is None:
                continue
            wanted = (int, float) if name == "token_estimation_ratio" else (int,)
            if isinstance(value, bool) or not isinstance(value, wanted) or value <= 0:
                message = f"`{name}`: expected a positive number, found {value!r}"
                raise EngineError(failure("input_validation_failure", message))
            self._config[name] = value
        self._reshard()

    def _reshard(self) -> None:
        """Splits the index into shards of about the configured number of tokens."""
        self._sharded_index = []
        if not self._config["sharding_enabled"]:
            return
        ratio, size = self._config["token_estimation_ratio"], self._config["token_size_per_shard"]
        total = sum(len(path) + len(text) for path, text in self.global_index.items()) * ratio
        size = max(size, total / self._config["max_shards"])
        shard: dict[str, str] = {}
        used = 0.0
        for path, text in self.global_index.items():
            tokens = (len(path) + len(text)) * ratio
            if shard and used + tokens > size and len(self._sharded_index) < self._config["max_shards"] - 1:
                self._sharded_index.append(shard)
                shard, used = {}, 0.0
            shard[path] = text
            used += tokens
        if shard:
            self._sharded_index.append(shard)

    async def get_relevant_context_with_description(
        self, query: str, context_description: str
    ) -> AssociativeMatchResult:
        """Matches by the description alone; deprecated in favour of `get_relevant_context_for`."""
        log.debug("context by description for %s", query)
        return await self.get_relevant_context_for({"taskText": context_description})

    async def get_relevant_context_for(
        self, input_data: ContextGenerationInput | dict[str, Any], fresh_context: FreshContext = FreshContext.ENABLED
    ) -> AssociativeMatchResult:
        """The files that matter for a request; a failure is the result's `error`, never an exception."""
        try:
            request = _request(input_data)
        except ValueError as error:
            return AssociativeMatchResult(context_summary="", error=f"the request for context is not valid: {error}")
        if fresh_context is FreshContext.DISABLED:
            return AssociativeMatchResult(context_summary=request.inherited_context or "")
        if self.task_system is None:
            return AssociativeMatchResult(context_summary="", error="no task system: context cannot be matched")
        try:
            if self._config["sharding_enabled"] and len(self._sharded_index) > 1:
                return await self._get_relevant_context_sharded(request)
            return await self._get_relevant_context_with_mediator(request)
        except EngineError as error:
            return AssociativeMatchResult(context_summary="", error=error.error.message)
        except Exception as error:
            log.exception("matching failed")
            return AssociativeMatchResult(context_summary="", error=f"matching failed: {error}")

    async def _get_relevant_context_with_mediator(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        assert self.task_system is not None
        return await self.task_system.generate_context_for_memory_system(request, self.view)

    async def _process_single_shard(
        self, shard: dict[str, str], request: ContextGenerationInput
    ) -> AssociativeMatchResult:
        """The matches of one shard; a failing shard is reported in its own result."""
        assert self.task_system is not None
        try:
            return await self.task_system.generate_context_for_memory_system(request, shard)
        except EngineError as error:
            return AssociativeMatchResult(context_summary="", error=error.error.message)

    async def _get_relevant_context_sharded(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        limit = asyncio.Semaphore(self._config["max_parallel_shards"])

        async def process(shard: dict[str, str]) -> AssociativeMatchResult:
            async with limit:
                return await self._process_single_shard(shard, request)

        return aggregate(await asyncio.gather(*(process(shard) for shard in self._sharded_index)))

    def index_git_repository(self, repo_path: str, options: dict[str, Any] | None = None) -> None:
        """Indexes a repository into the global index."""
        indexer = GitRepositoryIndexer(repo_path, **(options or {}))
        index = indexer.index_repository(self)
        log.info("indexed %d files of %s", len(index), Path(repo_path).name)


def aggregate(results: list[AssociativeMatchResult]) -> AssociativeMatchResult:
    """One result of several shards'; it fails only where all of them did."""
    matches = sorted((match for result in results for match in result.matches), key=lambda m: -m.relevance)
    errors = [result.error for result in results if result.error is not None]
    summaries = [result.context_summary for result in results if result.context_summary]
    if errors:
        summaries.append(f"{len(errors)} of {len(results)} shards failed: {errors[0]}")
    all_failed = bool(errors) and len(errors) == len(results)
    return AssociativeMatchResult(
        context_summary="\n".join(summaries), matches=matches, error=errors[0] if all_failed else None
    )


def _request(data: ContextGenerationInput | dict[str, Any]) -> ContextGenerationInput:
    if isinstance(data, ContextGenerationInput):
        return data
    if "taskText" in data:
        known = {key: data[key] for key in ("inheritedContext", "previousOutputs", "inputs") if key in data}
        return ContextGenerationInput.model_validate({"query": str(data["taskText"]), **known})
    return ContextGenerationInput.model_validate(data)
