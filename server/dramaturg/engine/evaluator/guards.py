"""How are `try` and `assert` compiled?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.errors import Cancelled, EngineError
from dramaturg.engine.evaluator.calls import FAULTS
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.runtime import Code, Runtime
from dramaturg.engine.evaluator.site import describe
from dramaturg.engine.evaluator.values import UNSET, Value, display
from dramaturg.engine.types import TaskError
from dramaturg.language.expand import core


@compiles(core.Try)
def try_(compiler: Compiler, node: core.Try, scope: core.Scope | None, tail: bool) -> Code:
    """`try`: everything but a cancelled run can be caught."""
    body = compiler.sequence(node.body, scope)
    handler = compiler.sequence(node.handler, node.scope, tail)
    size = len(node.scope.bindings)

    def code(frame: Any, runtime: Runtime) -> Value:
        depth = runtime.depth
        try:
            return body(frame, runtime)
        except Cancelled:
            raise
        except EngineError as error:
            caught = error_map(error.error)
        runtime.depth = depth
        inner = [frame, *[UNSET] * size]
        inner[node.binding.slot] = caught
        return handler(inner, runtime)

    return code


def error_map(error: TaskError) -> dict[str, Any]:
    """An error as a `catch` sees it: `type`, `reason`, `message`, `details`, and what else it has."""
    data: dict[str, Any] = error.as_dict()
    notes = data.get("notes")
    details = notes.get("details") if isinstance(notes, dict) else None
    shown = {"type": data["type"], "reason": data.get("reason"), "message": data["message"]}
    return {**data, **shown, "details": details if details is not None else data.get("details")}


@compiles(core.Assert)
def assert_(compiler: Compiler, node: core.Assert, scope: core.Scope | None, tail: bool) -> Code:
    """`assert`: the parts of the test are evaluated one by one, to be shown where it fails."""
    site = compiler.site(node.datum, scope)
    message = compiler.compile(node.message, scope) if node.message is not None else None
    test = node.test
    parts: list[tuple[core.Expression, Code]] = []
    if isinstance(test, core.Call) and isinstance(test.operator, core.GlobalReference):
        parts = [(part, compiler.compile(part, scope)) for part in test.arguments]
    operator = compiler.compile(test.operator, scope) if parts and isinstance(test, core.Call) else None
    whole = compiler.compile(test, scope)
    test_site = compiler.site(test.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        values: list[Any] = []
        if operator is None:
            result = whole(frame, runtime)
        else:
            function = operator(frame, runtime)
            values = [part(frame, runtime) for _, part in parts]
            try:
                result = runtime.call(function, values)
            except FAULTS as fault:
                raise test_site.error(fault, frame) from None
        if result:
            return True
        text = f"assertion failed: {test_site.text}"
        shown = [
            f"{compiler.site(part.datum, scope).text} is {describe(value)}"
            for (part, _), value in zip(parts, values, strict=True)
            if not isinstance(part, core.Literal_)
        ]
        if shown:
            text += "; " + ", ".join(shown)
        if message is not None:
            text = f"{display(message(frame, runtime))}: {text}"
        raise site.fail("execution_halted", text, frame)

    return code
