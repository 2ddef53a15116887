"""How does `pmap` keep several calls in flight, and how does evaluation get a stack deep enough?"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

from dramaturg.engine.errors import Cancelled, EngineError
from dramaturg.engine.evaluator.calls import FAULTS
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.runtime import Code, Runtime
from dramaturg.engine.evaluator.site import Site
from dramaturg.engine.evaluator.values import Value, is_function, type_name
from dramaturg.language.expand import core

#: Bytes of stack for a thread that evaluates; reserved, and used only where recursion needs it.
STACK = 512 * 1024 * 1024

#: Python frames that the deepest permitted recursion of the language may need.
FRAMES = 400_000

_starting = threading.Lock()


def in_deep_thread(action: Callable[[], Any], name: str) -> Future[Any]:
    """The future of an action that runs in a thread of its own with a stack for deep recursion."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(action())
        except BaseException as error:
            future.set_exception(error)

    with _starting:
        if sys.getrecursionlimit() < FRAMES:
            sys.setrecursionlimit(FRAMES)
        before = threading.stack_size(STACK)
        try:
            threading.Thread(target=run, name=name, daemon=True).start()
        finally:
            threading.stack_size(before)
    return future


@compiles(core.ParallelMap)
def parallel_map(compiler: Compiler, node: core.ParallelMap, scope: core.Scope | None, tail: bool) -> Code:
    """`pmap`: results in order; the first failure cancels the others and names its item."""
    function = compiler.compile(node.function, scope)
    items = compiler.compile(node.items, scope)
    concurrency = compiler.compile(node.concurrency, scope) if node.concurrency is not None else None
    site = compiler.site(node.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        called, members = function(frame, runtime), items(frame, runtime)
        if not is_function(called):
            raise site.fail(
                "input_validation_failure", f"`pmap`: argument 1: expected a function, found {type_name(called)}", frame
            )
        if type(members) is not list:
            raise site.fail(
                "input_validation_failure", f"`pmap`: argument 2: expected a list, found {type_name(members)}", frame
            )
        limit = runtime.limits.concurrency if concurrency is None else concurrency(frame, runtime)
        if type(limit) is not int or limit < 1:
            found = limit if type(limit) is int else type_name(limit)
            raise site.fail(
                "input_validation_failure", f"`concurrency`: expected a positive integer, found {found}", frame
            )
        return _map(called, members, min(limit, len(members)), runtime, site, frame) if members else []

    return code


def _map(called: Value, members: list[Any], limit: int, runtime: Runtime, site: Site, frame: Any) -> list[Any]:
    part = runtime.run.child()
    results: list[Any] = [None] * len(members)
    waiting = iter(enumerate(members))
    taking = threading.Lock()
    failures: list[tuple[int, BaseException]] = []

    def work() -> None:
        branch = runtime.branch(part)
        while not part.cancelled:
            with taking:
                index, member = next(waiting, (-1, None))
            if index < 0:
                return
            try:
                branch.depth = 0
                results[index] = branch.call(called, [member])
            except BaseException as error:
                with taking:
                    if not (isinstance(error, Cancelled) and part.cancelled):
                        failures.append((index, error))
                part.cancel()
                return

    threads = [in_deep_thread(work, f"pmap-{number}") for number in range(limit)]
    wait(threads)
    runtime.run.children.remove(part)
    if runtime.run.cancelled:
        raise Cancelled
    if failures:
        index, error = failures[0]
        if not isinstance(error, FAULTS):
            raise error
        found: EngineError = site.error(error, frame, "pmap")
        message = f"`pmap`: item {index}: {found.error.message}"
        found.error = found.error.model_copy(update={"message": message})
        found.args = (message,)
        raise found
    return results
