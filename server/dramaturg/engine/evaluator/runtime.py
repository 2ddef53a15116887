"""What does a running program need beside its code: depth, cancelling, dynamic names, services?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from dramaturg.engine.errors import Cancelled, EngineError, failure
from dramaturg.engine.evaluator.values import UNSET, Closure, Primitive, Value, type_name
from dramaturg.engine.events import Event
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, TaskResult
from dramaturg.language.expand.core import DefineAtom
from dramaturg.language.signature import range_words
from dramaturg.text import Place

#: A compiled expression: called with the frame and the runtime.
Code = Callable[[Any, Any], Any]

TAIL = object()


class ArgumentError(Exception):
    """A primitive's argument is wrong; the call's site adds where. Places count from 1.

    `primitive` is set where another primitive made the call, such as `map`.
    """

    primitive = ""

    def __init__(self, place: int, expected: str, found: Value) -> None:
        super().__init__(f"argument {place}: expected {expected}, found {type_name(found)}")


class OperationError(Exception):
    """A primitive cannot do what it was asked, such as dividing by zero."""

    primitive = ""


@dataclass(frozen=True)
class TaskCallOptions:
    """What a call says beside its inputs."""

    files: list[str] | None = None
    context: dict[str, str] = field(default_factory=dict)
    model: str | None = None
    max_depth: int | None = None
    template_hints: list[str] | None = None
    inherited_context: str | None = None
    previous_outputs: str | None = None


class Services(Protocol):
    """What evaluation asks of the engine around it; all of it may wait."""

    async def call_task(
        self, name: str, inputs: dict[str, Value], options: TaskCallOptions, place: Place | None
    ) -> TaskResult:
        """Runs an atomic task; a failure is a FAILED result."""
        ...

    async def call_tool(self, name: str, inputs: dict[str, Value], place: Place | None) -> TaskResult:
        """Runs a tool; a failure is a FAILED result."""
        ...

    async def match_context(self, request: ContextGenerationInput) -> AssociativeMatchResult:
        """Finds the files that matter; a failure is the result's `error`."""
        ...

    def register_atom(self, definition: DefineAtom, path: str) -> None:
        """Makes a task of a `defatom`, for this run."""
        ...

    def emit(self, event: Event) -> None:
        """Reports an event of the run."""
        ...


@dataclass
class Limits:
    """Bounds of evaluation, from the configuration."""

    depth: int = 10_000
    max_iterations: int = 10_000
    concurrency: int = 8


@dataclass(frozen=True)
class ContextState:
    """The two components of context, kept apart (decision record, section 2), and what is done with them."""

    inherited: str | None = None
    accumulated: str | None = None
    settings: dict[str, str] = field(default_factory=dict)


class Runtime:
    """The state of one thread of evaluation; branches of `pmap` have one each."""

    __slots__ = (
        "context",
        "depth",
        "dynamic",
        "frame",
        "function",
        "limit",
        "limits",
        "loop",
        "run",
        "services",
    )

    def __init__(
        self, services: Services, loop: asyncio.AbstractEventLoop | None, limits: Limits, run: RunState
    ) -> None:
        self.services = services
        self.loop = loop
        self.limits = limits
        self.limit = limits.depth
        self.depth = 0
        self.run = run
        self.dynamic: dict[str, Value] = {}
        self.context = ContextState()
        self.function: Closure | None = None
        self.frame: list[Any] = []

    def branch(self, run: RunState | None = None) -> Runtime:
        """A runtime for a parallel branch: it inherits context, and accumulates nothing."""
        other = Runtime(self.services, self.loop, self.limits, run or self.run)
        other.dynamic = dict(self.dynamic)
        other.context = ContextState(self.context.inherited, None, self.context.settings)
        return other

    def wait(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """The coroutine's result, awaited by the event loop; raises Cancelled when the run is."""
        if self.loop is None:
            return asyncio.run(coroutine)
        future: Future[Any] = Future()
        run, loop = self.run, self.loop

        def finish(task: asyncio.Task[Any]) -> None:
            run.tasks.discard(task)
            error = Cancelled() if task.cancelled() else task.exception()
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(task.result())

        def start() -> None:
            task = loop.create_task(coroutine)
            run.tasks.add(task)
            task.add_done_callback(finish)
            if run.cancelled:
                task.cancel()

        loop.call_soon_threadsafe(start)
        return future.result()

    def call(self, function: Value, arguments: list[Value]) -> Value:
        """The value of a function of the language called from a primitive or a form."""
        if type(function) is Closure:
            if self.run.cancelled:
                raise Cancelled
            self.depth += 1
            if self.depth > self.limit:
                raise too_deep(self.limits.depth)
            result = function.body(frame_for(function, arguments), self)
            while result is TAIL:
                if self.run.cancelled:
                    raise Cancelled
                code = self.function
                assert code is not None
                result = code.body(self.frame, self)
            self.depth -= 1
            return result
        if type(function) is Primitive:
            from dramaturg.engine.evaluator.primitives import check_arity

            check_arity(function.name, len(arguments))
            try:
                if function.needs_runtime:
                    return function.function(self, *arguments)
                return function.function(*arguments)
            except (ArgumentError, OperationError) as error:
                error.primitive = error.primitive or function.name
                raise
        raise OperationError(f"expected a function, found {type_name(function)}")


class RunState:
    """What all threads of a run share: whether it was cancelled, and what it waits for."""

    __slots__ = ("cancelled", "children", "tasks")

    def __init__(self) -> None:
        self.cancelled = False
        self.tasks: set[asyncio.Task[Any]] = set()
        self.children: list[RunState] = []

    def cancel(self) -> None:
        """Stops the run at its next evaluation, and what it waits for at once."""
        self.cancelled = True
        for task in list(self.tasks):
            task.get_loop().call_soon_threadsafe(task.cancel)
        for child in list(self.children):
            child.cancel()

    def child(self) -> RunState:
        """A part of the run that can be cancelled alone, and is with the whole."""
        part = RunState()
        part.cancelled = self.cancelled
        self.children.append(part)
        return part


def frame_for(function: Closure, arguments: list[Value]) -> list[Any]:
    """The frame of a call; OperationError where the number of arguments is wrong."""
    count = len(arguments)
    if count == function.simple:
        return [function.environment, *arguments]
    required = function.required
    if count < required or (count > required and not function.rest):
        expected = range_words(required, None if function.rest else required)
        named = f"`{function.name}`: " if function.name else ""
        raise OperationError(f"{named}expected {expected}, found {count}")
    frame: list[Any] = [function.environment, *arguments[:required]]
    if function.rest:
        frame.append(arguments[required:])
    if function.extra:
        frame.extend([UNSET] * function.extra)
    return frame


def too_deep(limit: int) -> EngineError:
    """The error of recursion past its bound."""
    return EngineError(
        failure(
            "execution_halted",
            f"recursion is deeper than {limit} calls: make the call the last thing a function does, or use a loop",
        )
    )
