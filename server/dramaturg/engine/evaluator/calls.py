"""How are functions and primitives called, fast where it is easy and with good errors where it fails?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dramaturg.engine.errors import Cancelled, EngineError, WorkflowError
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.primitives.registry import BEHAVIOUR, BINARY
from dramaturg.engine.evaluator.runtime import (
    TAIL,
    ArgumentError,
    Code,
    OperationError,
    Runtime,
    frame_for,
    too_deep,
)
from dramaturg.engine.evaluator.site import CHAIN, Site
from dramaturg.engine.evaluator.values import Closure, Value, type_name
from dramaturg.language.expand import core

#: What a primitive may raise that its call's site turns into an error with a place.
FAULTS = (ArgumentError, OperationError, EngineError, RecursionError, OverflowError)


@compiles(core.Call)
def call(compiler: Compiler, node: core.Call, scope: core.Scope | None, tail: bool) -> Code:
    """A call of a primitive known by name, or of whatever the operator evaluates to."""
    arguments = [compiler.compile(argument, scope) for argument in node.arguments]
    site = compiler.site(node.datum, scope)
    operator = node.operator
    if isinstance(operator, core.GlobalReference) and operator.meaning is not None:
        construct = operator.meaning.construct
        if operator.meaning.kind == "primitive" and construct is not None:
            return primitive_call(construct.name, operator.name, arguments, site)
    code = compiler.compile(operator, scope)
    return tail_call(code, arguments, site) if tail else function_call(code, arguments, site)


def primitive_call(canonical: str, written: str, arguments: list[Code], site: Site) -> Code:
    """A call of a primitive; its number of arguments is checked here, once."""
    from dramaturg.language.table import PRIMITIVE_TABLE

    count = len(arguments)
    construct = PRIMITIVE_TABLE[canonical]
    if not construct.accepts(count):
        message = f"`{written}`: expected {construct.expected}, found {count}"

        def wrong(frame: Any, runtime: Runtime) -> Value:
            raise site.fail("input_validation_failure", message, frame)

        return wrong
    function, needs_runtime = BEHAVIOUR[canonical]
    if needs_runtime:
        return _primitive_with_runtime(function, written, arguments, site)
    if count == 1:
        (only,) = arguments

        def one(frame: Any, runtime: Runtime) -> Value:
            try:
                return function(only(frame, runtime))
            except FAULTS as fault:
                raise site.error(fault, frame, written) from None

        return one
    if count == 2:
        first, second = arguments
        binary = BINARY.get(canonical, function)

        def two(frame: Any, runtime: Runtime) -> Value:
            try:
                return binary(first(frame, runtime), second(frame, runtime))
            except FAULTS as fault:
                raise site.error(fault, frame, written) from None

        return two

    def many(frame: Any, runtime: Runtime) -> Value:
        try:
            return function(*[argument(frame, runtime) for argument in arguments])
        except FAULTS as fault:
            raise site.error(fault, frame, written) from None

    return many


def _primitive_with_runtime(function: Callable[..., Any], written: str, arguments: list[Code], site: Site) -> Code:
    def code(frame: Any, runtime: Runtime) -> Value:
        try:
            return function(runtime, *[argument(frame, runtime) for argument in arguments])
        except FAULTS as fault:
            raise site.error(fault, frame, written) from None

    return code


def function_call(operator: Code, arguments: list[Code], site: Site) -> Code:
    """A call whose value is needed here: it runs the callee and every tail call that follows."""
    count = len(arguments)
    first, second, *_ = *arguments, operator, operator

    def code(frame: Any, runtime: Runtime) -> Value:
        function = operator(frame, runtime)
        if count == 1:
            values = [first(frame, runtime)]
        elif count == 2:
            values = [first(frame, runtime), second(frame, runtime)]
        else:
            values = [argument(frame, runtime) for argument in arguments]
        if type(function) is not Closure:
            return other_call(function, values, site, frame, runtime)
        if function.simple == count:
            values.insert(0, function.environment)
        else:
            values = checked_frame(function, values, site, frame)
        if runtime.run.cancelled:
            raise Cancelled
        runtime.depth += 1
        if runtime.depth > runtime.limit:
            raise site.located(too_deep(runtime.limits.depth).error, frame)
        try:
            result = function.body(values, runtime)
            while result is TAIL:
                if runtime.run.cancelled:
                    raise Cancelled
                function = runtime.function
                result = function.body(runtime.frame, runtime)  # type: ignore[union-attr]
        except WorkflowError as error:
            if len(error.calls) < CHAIN:
                error.calls.append((function.name or "lambda", site.place))
            raise
        except RecursionError as fault:
            raise site.error(fault, None) from None
        runtime.depth -= 1
        return result

    return code


def tail_call(operator: Code, arguments: list[Code], site: Site) -> Code:
    """A call whose value is the caller's own: the callee is left to whoever called the caller."""
    count = len(arguments)

    def code(frame: Any, runtime: Runtime) -> Value:
        function = operator(frame, runtime)
        values = [argument(frame, runtime) for argument in arguments]
        if type(function) is not Closure:
            return other_call(function, values, site, frame, runtime)
        if function.simple == count:
            values.insert(0, function.environment)
        else:
            values = checked_frame(function, values, site, frame)
        runtime.function = function
        runtime.frame = values
        return TAIL

    return code


def checked_frame(function: Closure, values: list[Any], site: Site, frame: Any) -> list[Any]:
    """The frame of a call whose number of arguments must be looked at."""
    try:
        return frame_for(function, values)
    except OperationError as fault:
        raise site.error(fault, frame) from None


def other_call(function: Value, values: list[Any], site: Site, frame: Any, runtime: Runtime) -> Value:
    """A call of a primitive that came as a value, or of something that cannot be called."""
    from dramaturg.engine.evaluator.values import Primitive

    if type(function) is not Primitive:
        message = f"expected a function to call, found {type_name(function)}"
        raise site.fail("input_validation_failure", message, frame)
    try:
        return runtime.call(function, values)
    except FAULTS as fault:
        raise site.error(fault, frame, function.name) from None
