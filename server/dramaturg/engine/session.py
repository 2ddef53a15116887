"""What does a whole workspace need to run: settings, templates, index, provider, trust?

The engine's face: the CLI and the language server make one `Session` a workspace
and call it; it reports through one listener.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from dramaturg.config import Settings
from dramaturg.engine.errors import Cancelled, EngineError, failed, failure
from dramaturg.engine.evaluator.parallel import in_deep_thread
from dramaturg.engine.evaluator.program import Program
from dramaturg.engine.evaluator.runtime import Limits, RunState, TaskCallOptions
from dramaturg.engine.evaluator.values import Value
from dramaturg.engine.events import (
    Event,
    Listener,
    RunCancelled,
    RunFailed,
    RunFinished,
    RunStarted,
    ToolCalled,
    Warned,
    ignore,
)
from dramaturg.engine.executors.direct_tools import DirectTools
from dramaturg.engine.handler.file_access import FileAccessManager
from dramaturg.engine.handler.providers.editor import Ask
from dramaturg.engine.handler.providers.protocol import Provider
from dramaturg.engine.handler.providers.recording import RecordingProvider
from dramaturg.engine.handler.providers.replay import ReplayProvider
from dramaturg.engine.memory.indexers.git_repository_indexer import GitRepositoryIndexer, Progress
from dramaturg.engine.memory.indexers.indexed import IndexMapping, IndexReport
from dramaturg.engine.memory.indexers.process import index_outside
from dramaturg.engine.providers import choose_provider
from dramaturg.engine.recordings.entries import Recordings, Writer
from dramaturg.engine.recordings.outside import Live, Outside, Recorded, Replayed
from dramaturg.engine.results import error_result, unexpected, value_result
from dramaturg.engine.runs.active import ActiveRun
from dramaturg.engine.runs.journal import Journal
from dramaturg.engine.runs.tracing import tracing_listener
from dramaturg.engine.secrets import mask_data
from dramaturg.engine.task_system.library import TaskLibrary
from dramaturg.engine.task_system.loader import atom_template, load_templates, template_files
from dramaturg.engine.task_system.prompt import relative
from dramaturg.engine.task_system.task_system import Prepared, Surroundings, TaskSystem
from dramaturg.engine.testing import TestOutcome, outcomes
from dramaturg.engine.types import (
    AssociativeMatchResult,
    ContextGenerationInput,
    PartialContextManagement,
    ReturnStatus,
    SubtaskRequest,
    TaskResult,
)
from dramaturg.language.expand.core import DefineAtom
from dramaturg.language.names import InputShape, TaskShape
from dramaturg.text import Place

log = logging.getLogger(__name__)

#: Seconds that a cancelled run may take to end.
_ENDING = 5.0


@dataclass
class Session:
    """One workspace, ready to run; `overlay` holds the texts of open editors, which win over files.

    With `index_apart` the files are indexed in a process of their own first.
    """

    root: Path
    settings: Settings
    trusted: bool = False
    provider: Provider | None = None
    listener: Listener = ignore
    overlay: dict[str, str] = field(default_factory=dict)
    outside: Outside = field(default_factory=Live)
    indexed: bool = False
    index_apart: bool = False
    journal: Journal | None = None
    editor: Ask | None = None
    resume: str = ""
    rerun_scripts: bool = False
    load_problems: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = self.root.resolve()
        self.files = FileAccessManager([self.root])
        self._run = RunState()
        self._task: asyncio.Future[Value] | None = None
        self._own_provider = False
        self._recorder: Writer | None = None
        self._active = ActiveRun(self.settings)
        self._spans = tracing_listener()
        self._indexing = asyncio.Lock()
        self.task_system = TaskSystem(
            TaskLibrary(),
            self.settings,
            self.files,
            self._provider,
            self.emit,
            self.match_context,
            self._model_tool,
            self._command_paths,
            self.trusted,
        )

    # recordings

    def replay(self, recordings: Recordings, only: bool = False) -> None:
        """Answers model calls from recordings, matches and scripts too where there are any, or `only` from them."""
        self.provider = ReplayProvider(recordings)
        self.outside = Replayed(recordings, only)

    def record(self, recorder: Writer) -> None:
        """Writes down what models, matching and scripts answer from now on."""
        self._recorder = recorder
        self.outside = Recorded(recorder, self.outside)
        if self.provider is not None:
            self.provider = RecordingProvider(self.provider, recorder)

    # templates and index

    def load_templates(self) -> None:
        """Loads every template of the workspace; files that do not load are named in `load_problems`."""
        library = TaskLibrary()
        self.load_problems = []
        try:
            paths = template_files(self.root, self.settings.templates.include)
        except EngineError as error:
            self.load_problems.append(f"the workspace's templates cannot be listed: {error.error.message}")
            paths = []
        for path in paths:
            text = self.overlay.get(str(path))
            if text is None:
                text = self.files.read_file(path, 4_000_000)
            if text is None:
                self.load_problems.append(f"{path}: cannot be read")
                continue
            try:
                for template in load_templates(text, str(path)):
                    library.register_task(template)
            except EngineError as error:
                self.load_problems.append(error.error.message)
        self.task_system.library = library

    def index(
        self, progress: Progress | None = None, force: bool = False, require_repository: bool = True
    ) -> IndexReport:
        """Indexes the workspace; raises EngineError where it cannot."""
        settings = self.settings.index
        indexer = GitRepositoryIndexer(
            self.root,
            list(settings.include),
            list(settings.exclude),
            settings.max_file_size,
            require_repository=require_repository,
            force=force,
        )
        self.adopt_index(indexer.index(progress))
        return indexer.report

    def adopt_index(self, view: IndexMapping) -> None:
        """Takes an index that was made elsewhere, in place of its own."""
        self.task_system.memory.global_index.clear()
        self.task_system.memory.update_global_index(view)
        self.indexed = True

    @property
    def index_view(self) -> IndexMapping:
        """The index in force."""
        return self.task_system.memory.view

    async def _ensure_index(self) -> None:
        async with self._indexing:
            if not self.indexed:
                if self.index_apart:
                    await index_outside(self.root, self.settings.index, False, lambda done, total: True)
                await asyncio.to_thread(self.index, None, False, False)

    # runs

    def cancel(self) -> None:
        """Cancels what is running: between two evaluations, or in a wait at once."""
        self._run.cancel()
        if self._task is not None:
            self._task.cancel()

    async def run_workflow(self, text: str, path: str, inputs: dict[str, Any] | None = None) -> TaskResult:
        """The value of a workflow's text as a TaskResult; never raises."""
        return await self._guarded("workflow", path, lambda: self._evaluate(text, path, inputs or {}))

    async def run_tests(self, text: str, path: str) -> list[TestOutcome]:
        """The outcome of each test of a workflow's text; raises EngineError where its definitions fail."""
        self._run = RunState()
        program = self._program({})
        program.only_definitions = True
        return await asyncio.wrap_future(in_deep_thread(lambda: outcomes(program, text, path), "tests"))

    async def run_task(
        self,
        name: str,
        inputs: dict[str, Any],
        files: list[str] | None = None,
        context: dict[str, str] | None = None,
        model: str | None = None,
    ) -> TaskResult:
        """One task's result; never raises."""
        options = TaskCallOptions(files=files, context=context or {}, model=model)
        return await self._guarded("task", name, lambda: self.call_task(name, inputs, options, None))

    async def preview_task(self, name: str, inputs: dict[str, Any]) -> Prepared:
        """The exact request of a task, not sent; raises EngineError."""
        return await self.task_system.prepare(SubtaskRequest(name=name, inputs=inputs), Surroundings())

    async def match(self, query: str, limit: int | None = None, strategy: str | None = None) -> AssociativeMatchResult:
        """The files that matter for a query, best first; a failure is its `error`."""
        try:
            request = ContextGenerationInput.model_validate({"query": query, "matching_strategy": strategy})
        except ValidationError as error:
            return AssociativeMatchResult(context_summary="", error=str(error.errors()[0]["msg"]))
        found = await self.match_context(request)
        return found if limit is None else found.model_copy(update={"matches": found.matches[:limit]})

    async def close(self) -> None:
        """Frees what the provider holds."""
        if self.provider is not None:
            await self.provider.close()

    async def _guarded(self, kind: str, name: str, action: Callable[[], Awaitable[Value]]) -> TaskResult:
        self._run = RunState()
        outside = self.outside
        self._active = ActiveRun(self.settings, self.journal, rerun_scripts=self.rerun_scripts)
        warning = self._active.start(kind, relative(name, [self.root]), self.resume)
        self.outside = self._active.outside(outside)
        self.emit(RunStarted(kind, name))
        if warning:
            self.emit(Warned(warning))
        task = asyncio.ensure_future(action())
        self._task = task if kind == "task" else None
        result: TaskResult | None = None
        try:
            result = value_result(await asyncio.shield(task))
        except asyncio.CancelledError:
            self.emit(RunCancelled())
            if task.cancelled():
                return failed(Cancelled().error)
            # Whoever awaits the run was cancelled: the run ends first, with what it started.
            self.cancel()
            await asyncio.wait([task], timeout=_ENDING)
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            raise
        except Cancelled as error:
            self.emit(RunCancelled())
            return failed(error.error)
        except EngineError as error:
            result = error_result(error)
        except Exception as error:
            result = unexpected(error)
        finally:
            if self._own_provider and self.provider is not None:
                await self.provider.close()
                self.provider, self._own_provider = None, False
            if result is not None:
                ended = RunFailed if result.status is ReturnStatus.FAILED else RunFinished
                self.emit(ended(mask_data(result.as_dict())))
            self._active.end(str(result.status) if result is not None else "CANCELLED")
            self.outside = outside
        assert result is not None
        return result

    async def _evaluate(self, text: str, path: str, inputs: dict[str, Any]) -> Value:
        library = self.task_system.library
        self.task_system.library = library.copy()
        program = self._program(inputs)
        try:
            return await asyncio.wrap_future(in_deep_thread(lambda: program.evaluate(text, path), "workflow"))
        finally:
            self.task_system.library = library

    def _program(self, inputs: dict[str, Any]) -> Program:
        limits = self.settings.limits
        return Program(
            services=self,
            limits=Limits(limits.depth, limits.max_iterations, limits.concurrency),
            run=self._run,
            task_shape=self.task_shape,
            read_file=self._source,
            loop=asyncio.get_running_loop(),
            top_level=dict(inputs),
        )

    def _source(self, path: Path) -> str:
        text = self.overlay.get(str(path))
        if text is None:
            text = self.files.read_file(self.files.resolve(path))
        if text is None:
            shown = path.relative_to(self.root) if path.is_relative_to(self.root) else path
            raise EngineError(failure("input_validation_failure", f"{shown} cannot be read"))
        return text

    # services of the evaluator

    def emit(self, event: Event) -> None:
        """Reports an event; a listener that fails costs its report and no more."""
        self._active.event(event)
        try:
            if self._spans is not None:
                self._spans(event)
            self.listener(event)
        except Exception:
            log.exception("a listener failed")

    def task_shape(self, name: str) -> TaskShape | None:
        """What a call must know of a task."""
        template = self.task_system.library.find(name)
        if template is None:
            return None
        inputs = tuple(
            InputShape(item.name, item.required, item.type, item.description, item.default)
            for item in template.inputs.values()
        )
        return TaskShape(name, inputs, template.description, positional=template.positional)

    async def call_task(
        self, name: str, inputs: dict[str, Value], options: TaskCallOptions, place: Place | None
    ) -> TaskResult:
        """Runs an atomic task."""
        try:
            context = PartialContextManagement.model_validate(options.context) if options.context else None
            request = SubtaskRequest(
                name=name,
                inputs=inputs,
                context_management=context,
                file_paths=options.files,
                max_depth=options.max_depth,
                template_hints=options.template_hints,
            )
        except ValidationError as error:
            return failed(failure("input_validation_failure", f"`{name}`: {error.errors()[0]['msg']}"))
        around = Surroundings(options.inherited_context or "", options.previous_outputs or "", options.model, place)
        return await self.task_system.execute_atomic_template(request, around)

    async def call_tool(self, name: str, inputs: dict[str, Value], place: Place | None) -> TaskResult:
        """Runs a tool."""
        started = time.time()
        try:
            result = await self._tools().run(name, inputs)
        except EngineError as error:
            result = failed(error.error)
        is_failed = result.status is ReturnStatus.FAILED
        self.emit(ToolCalled(name, mask_data(inputs), is_failed, time.time() - started))
        return result

    async def match_context(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        """Finds the files that matter; a failure is the result's `error`."""
        return await self.outside.match(request, self._match_live)

    get_relevant_context_for = match_context

    async def _match_live(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        """What the memory system finds, indexing first where that was not done."""
        try:
            await self._ensure_index()
        except EngineError as error:
            return AssociativeMatchResult(context_summary="", error=error.error.message)
        return await self.task_system.memory.get_relevant_context_for(request)

    def register_atom(self, definition: DefineAtom, path: str) -> None:
        """Makes a task of a `defatom`; it wins over a template file's task of its name."""
        self.task_system.library.replace_task(atom_template(definition, path))

    # tools, scripts, providers

    def _tools(self) -> DirectTools:
        return DirectTools(self.root, self.settings.limits, self.files, self, self.trusted, self.outside)

    async def _command_paths(self, command: str) -> str:
        result = await self._tools().run_script({"command": command})
        if result.exit_code != 0:
            message = f"the command that gives file paths ended with {result.exit_code}: {result.stderr.strip()[:200]}"
            raise EngineError(failure("tool_execution_error", message))
        return result.stdout

    async def _model_tool(self, name: str, arguments: dict[str, Any]) -> TaskResult:
        return await self.call_tool(name, arguments, None)

    def _provider(self, name: str) -> Provider:
        if self.provider is None:
            self.provider = choose_provider(name, self.settings, self.trusted, self.editor)
            if self._recorder is not None:
                self.provider = RecordingProvider(self.provider, self._recorder)
            self._own_provider = True
        return self._active.provider(self.provider)
