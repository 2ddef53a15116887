"""How does one task run, from template to TaskResult?

Find the template → merge and check the context settings → file paths → fresh
context where enabled → prompt → handler → output parsed and checked → result.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from dramaturg.config import Settings
from dramaturg.engine.errors import EngineError, failed, failure
from dramaturg.engine.events import ContextMatched, Listener, PromptBuilt, TaskFinished, TaskStarted, Warned
from dramaturg.engine.handler.base_handler import Answer, BaseHandler, ToolRunner, request_tokens
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.handler.models import model_facts
from dramaturg.engine.handler.providers.protocol import CompletionRequest, Provider
from dramaturg.engine.handler.tools import tool_definitions
from dramaturg.engine.matching.local import match_locally
from dramaturg.engine.memory.indexers.indexed import IndexMapping
from dramaturg.engine.memory.memory_system import MemorySystem
from dramaturg.engine.results import unexpected
from dramaturg.engine.secrets import mask_data
from dramaturg.engine.task_system.choice import ranked_tasks
from dramaturg.engine.task_system.files import template_files_of
from dramaturg.engine.task_system.inputs import checked_inputs
from dramaturg.engine.task_system.library import TaskLibrary
from dramaturg.engine.task_system.output import parse_output
from dramaturg.engine.task_system.prompt import PromptParts, prompts, relative, system_prompt, user_message
from dramaturg.engine.task_system.repair import joined, repaired, unfit
from dramaturg.engine.task_system.schemas import OutputSchemas
from dramaturg.engine.types import (
    AssociativeMatchResult,
    ContextGenerationInput,
    ContextManagement,
    FreshContext,
    HandlerConfig,
    InheritContext,
    Notes,
    ResourceLimits,
    ReturnStatus,
    SubtaskRequest,
    TaskResult,
    ValidationFailure,
)
from dramaturg.engine.types.model import Interface
from dramaturg.engine.types.templates import TaskTemplate
from dramaturg.language.elements import CONTEXT_NAMES, context_conflict, effective_context
from dramaturg.text import Place


@dataclass(frozen=True)
class Surroundings:
    """What a task call has around it: context, position, and a model of its own choice."""

    inherited_context: str = ""
    previous_outputs: str = ""
    model: str | None = None
    place: Place | None = None


@dataclass
class Prepared:
    """A task ready to be sent: what `preview` shows and `execute_atomic_template` sends."""

    template: TaskTemplate
    inputs: dict[str, Any]
    settings: ContextManagement
    request: CompletionRequest
    handler: BaseHandler
    schema: dict[str, Any] | None
    files: list[str] = field(default_factory=list)
    context_source: str = "none"


class TaskSystem:
    """Runs atomic tasks; the memory system's mediator for matching."""

    def __init__(
        self,
        library: TaskLibrary,
        settings: Settings,
        files: FileAccessManager,
        provider: Callable[[str], Provider],
        emit: Listener,
        match: Callable[[ContextGenerationInput], Awaitable[AssociativeMatchResult]],
        run_tool: ToolRunner | None = None,
        command_paths: Callable[[str], Any] | None = None,
        trusted: bool = False,
    ) -> None:
        self.library = library
        self.settings = settings
        self.files = files
        self.memory = MemorySystem(task_system=self)
        self.emit = emit
        self._provider = provider
        self._match = match
        self._run_tool = run_tool
        self.command_paths = command_paths
        self._calls = 0
        self._schemas = OutputSchemas(files, settings.templates.schema_modules if trusted else ())

    def find_template(self, name: str) -> TaskTemplate:
        """The template of that name, its `ref` filled in; template_not_found where there is none."""
        template = self.library.get_task(name)
        seen = [name]
        while template.ref is not None:
            if template.ref in seen:
                cycle = " → ".join([*seen, template.ref])
                raise EngineError(
                    ValidationFailure(message=f"`ref` goes round in a cycle: {cycle}", path=template.source)
                )
            seen.append(template.ref)
            template = _filled(template, self.library.get_task(template.ref))
        return template

    def register_template(self, template: TaskTemplate) -> None:
        """Adds a template; VALIDATION_ERROR where its name is taken."""
        self.library.register_task(template)

    def find_matching_tasks(self, text: str) -> list[tuple[str, float]]:
        """Tasks by the likeness of their names, descriptions, criteria and inputs to a text, from 1 to above 0."""
        return ranked_tasks(text, list(self.library))

    async def execute_atomic_template(
        self, request: SubtaskRequest, surroundings: Surroundings | None = None
    ) -> TaskResult:
        """The task's result; a failure is a FAILED result with `notes.error`, never an exception."""
        around = surroundings or Surroundings()
        self._calls += 1
        call = self._calls
        started = time.time()
        self.emit(TaskStarted(request.name, call, mask_data(request.inputs), around.place))
        try:
            prepared = await self.prepare(request, around, call)
            result = await self._run(prepared, call, started)
        except EngineError as error:
            notes: dict[str, Any] = {"template": request.name, "seconds": round(time.time() - started, 3)}
            result = failed(error.error, **notes)
        except Exception as error:
            result = unexpected(error)
        self.emit(
            TaskFinished(request.name, call, str(result.status), time.time() - started, mask_data(result.as_dict()))
        )
        return result

    async def prepare(self, request: SubtaskRequest, around: Surroundings, call: int = 0) -> Prepared:
        """Everything up to the model call; raises EngineError."""
        template = self.find_template(request.name)
        inputs = checked_inputs(template, request.inputs)
        context = self.context_settings(template, request)
        own = prompts(template, inputs, self.find_template)
        schema = await self._schemas.find(template.output_format.output_schema, template.source)
        parts = PromptParts()
        if context.inherit_context is not InheritContext.NONE:
            parts.inherited_context = around.inherited_context
        parts.previous_outputs = around.previous_outputs
        paths = await self.resolve_file_paths(template, request, inputs)
        source = "request" if request.file_paths else ("template" if paths else "none")
        if context.fresh_context is FreshContext.ENABLED:
            found = await self._fresh_context(template, inputs, around, call)
            parts.context_summary = found.context_summary
            if not paths:
                paths = [match.path for match in found.matches[: self.settings.matching.task_files]]
            source = "fresh"
        parts.files = self._read(paths, call)
        handler = self._handler(template, call)
        model = around.model or template.model or self.settings.model
        completion = handler.request(
            system_prompt(own.system, self.settings),
            [{"role": "user", "content": user_message(own.instructions, parts, self.settings)}],
            model,
            tool_definitions(handler.config.tools or []),
            schema if schema and schema.get("type") == "object" and "properties" in schema else None,
        )
        shown = [path for path, _ in parts.files]
        return Prepared(template, inputs, context, completion, handler, schema, shown, source)

    async def _run(self, prepared: Prepared, call: int, started: float) -> TaskResult:
        template = prepared.template
        prepared.handler.provider = self._provider(template.provider or self.settings.provider)
        request = prepared.request
        self.emit(PromptBuilt(template.name, call, mask_data(request.as_dict()), request_tokens(request)))
        retries = 0 if template.disable_reparsing else self.settings.output_retries
        answer = await prepared.handler.converse(request)
        parsed: Any = None
        violations: list[str] = []
        wants_json = template.output_format.type == "json" and not template.is_manual_xml
        while wants_json:
            parsed, violations = parse_output(answer.content, prepared.schema)
            if not violations or retries == 0:
                break
            retries -= 1
            self.emit(Warned(f"the answer does not fit, asking again: {violations[0]}", call))
            request = repaired(request, answer.content, violations)
            answer = joined(answer, await prepared.handler.converse(request))
        notes = self._notes(prepared, answer, started)
        if violations:
            return unfit(answer.content, violations, notes)
        return TaskResult(
            content=answer.content,
            status=ReturnStatus.COMPLETE,
            criteria=template.criteria,
            parsed_content=parsed,
            notes=Notes.model_validate(notes),
        )

    def context_settings(self, template: TaskTemplate, request: SubtaskRequest) -> ContextManagement:
        """The settings in force: request over template over subtype; VALIDATION_ERROR on a conflict."""
        layers = [_written(template.context_management)]
        if request.context_management is not None:
            layers.append(_written(request.context_management))
        for layer in layers:
            conflict = context_conflict(layer)
            if conflict:
                raise EngineError(ValidationFailure(message=f"`{template.name}`: {conflict}", path=template.source))
        return ContextManagement.model_validate(effective_context(str(template.atomic_subtype), *layers))

    async def resolve_file_paths(
        self, template: TaskTemplate, request: SubtaskRequest, inputs: dict[str, Any]
    ) -> list[str]:
        """The files of a call: the request's own first, else those of the template's source."""
        if request.file_paths is not None:
            return request.file_paths
        return await template_files_of(template, inputs, self._matched, self.command_paths, self.settings)

    async def generate_context_for_memory_system(
        self, context_input: ContextGenerationInput, global_index: IndexMapping
    ) -> AssociativeMatchResult:
        """Matches a request against an index, by words and structure."""
        return match_locally(context_input, global_index, self.settings.matching.limit)

    async def _fresh_context(
        self, template: TaskTemplate, inputs: dict[str, Any], around: Surroundings, call: int
    ) -> AssociativeMatchResult:
        started = time.time()
        relevant = {k: v for k, v in inputs.items() if template.context_relevance.get(k, True)}
        request = ContextGenerationInput(
            template_description=template.description,
            template_type="atomic",
            template_subtype=str(template.atomic_subtype),
            inputs=relevant,
            inherited_context=around.inherited_context or None,
            previous_outputs=around.previous_outputs or None,
        )
        found = await self._matched(request)
        self.emit(ContextMatched(template.description, len(found.matches), time.time() - started, call))
        return found

    async def _matched(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        """What matching finds; raises EngineError where it fails."""
        found = await self._match(request)
        if found.error is not None:
            raise EngineError(failure("context_retrieval_failure", found.error))
        return found

    def _read(self, paths: list[str], call: int) -> list[tuple[str, str]]:
        read: list[tuple[str, str]] = []
        for path in dict.fromkeys(paths):
            text = self.files.read_file(path)
            if text is None:
                self.emit(Warned(f"{path} is not read: absent, outside of the workspace, too large or no text", call))
            else:
                read.append((relative(path, self.files.roots), text))
        return read

    def _handler(self, template: TaskTemplate, call: int) -> BaseHandler:
        limits, own = self.settings.limits, template.limits
        config = HandlerConfig(
            provider=template.provider or self.settings.provider or "anthropic",
            max_turns=own.max_turns or limits.max_turns,
            max_context_window_fraction=limits.max_context_window_fraction,
            default_model=self.settings.model,
            system_prompt=self.settings.system_prompt,
            tools=list(self.settings.tools) or None,
        )
        resources = ResourceLimits(
            max_turns=config.max_turns,
            max_context_window=own.max_context_window or limits.max_context_window,
            warning_threshold=own.warning_threshold if own.warning_threshold is not None else limits.warning_threshold,
            timeout=own.timeout or limits.timeout,
        )
        output = own.max_output_tokens or limits.max_output_tokens
        return BaseHandler(config, resources, _Unset(), self.emit, call, output, self._run_tool)

    def _notes(self, prepared: Prepared, answer: Answer, started: float) -> dict[str, Any]:
        template = prepared.template
        notes: dict[str, Any] = {
            "template": template.name,
            "context_management": prepared.settings.as_dict(),
            "context_source": prepared.context_source,
            "files": prepared.files,
            "model": answer.model,
            "provider": prepared.handler.provider.name,
            "seconds": round(time.time() - started, 3),
            "retries": answer.retries,
        }
        if answer.input_tokens is not None or answer.output_tokens is not None:
            notes["tokens"] = {"input": answer.input_tokens, "output": answer.output_tokens}
            facts = model_facts(answer.model, self.settings.models)
            cost = facts.cost(answer.input_tokens, answer.output_tokens)
            if cost is not None:
                notes["cost"] = round(cost, 6)
        if answer.tools:
            notes["tools"] = answer.tools
        return notes


class _Unset:
    """No provider yet: a prompt can be prepared without one."""

    name = ""

    def complete(self, request: CompletionRequest) -> Any:
        raise EngineError(failure("llm_error", "no provider is set"))

    async def close(self) -> None:
        """Nothing is held."""


def _written(settings: Interface) -> dict[str, str]:
    data = settings.model_dump(mode="json", exclude_none=True, by_alias=False)
    return {name: str(data[name]).lower() for name in CONTEXT_NAMES if name in data}


def _filled(template: TaskTemplate, other: TaskTemplate) -> TaskTemplate:
    """The template with what it does not say taken from another."""
    missing = {
        name: getattr(other, name)
        for name in TaskTemplate.model_fields
        if name not in ("name", "type", "source")
        and getattr(template, name) == TaskTemplate.model_fields[name].get_default(call_default_factory=True)
    }
    return template.model_copy(update={**missing, "ref": other.ref})
