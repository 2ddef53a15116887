"""How are the forms compiled that bind, choose, repeat and quote?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.errors import Cancelled
from dramaturg.engine.evaluator.calls import checked_frame
from dramaturg.engine.evaluator.compiler import Compiler, compiles, distance, unbound
from dramaturg.engine.evaluator.runtime import TAIL, Code, Runtime
from dramaturg.engine.evaluator.values import UNSET, Closure, Symbol, Value, type_name
from dramaturg.language.expand import core


@compiles(core.If)
def if_(compiler: Compiler, node: core.If, scope: core.Scope | None, tail: bool) -> Code:
    """A choice; what counts as false is false in Python too."""
    test = compiler.compile(node.test, scope)
    then = compiler.compile(node.then, scope, tail)
    otherwise = (
        compiler.compile(node.otherwise, scope, tail) if node.otherwise is not None else compiler.sequence([], scope)
    )

    def code(frame: Any, runtime: Runtime) -> Value:
        if test(frame, runtime):
            return then(frame, runtime)
        return otherwise(frame, runtime)

    return code


@compiles(core.Logic)
def logic(compiler: Compiler, node: core.Logic, scope: core.Scope | None, tail: bool) -> Code:
    """`and`, `or`."""
    stop_at = node.operator == "or"
    if not node.items:
        return lambda frame, runtime: not stop_at
    first = [compiler.compile(item, scope) for item in node.items[:-1]]
    last = compiler.compile(node.items[-1], scope, tail)

    def code(frame: Any, runtime: Runtime) -> Value:
        for item in first:
            value = item(frame, runtime)
            if bool(value) is stop_at:
                return value
        return last(frame, runtime)

    return code


@compiles(core.Sequence)
def sequence(compiler: Compiler, node: core.Sequence, scope: core.Scope | None, tail: bool) -> Code:
    """`progn`."""
    return compiler.sequence(node.items, scope, tail)


@compiles(core.Lambda)
def lambda_(compiler: Compiler, node: core.Lambda, scope: core.Scope | None, tail: bool) -> Code:
    """A function: its body is compiled once, its frame is kept when it is made."""
    body = compiler.sequence(node.body, node.scope, tail=True)
    required = len(node.parameters)
    rest = node.rest is not None
    extra = len(node.scope.bindings) - required - rest
    name = node.name

    def code(frame: Any, runtime: Runtime) -> Value:
        return Closure(name, frame, body, required, rest, extra)

    return code


@compiles(core.Let)
def let(compiler: Compiler, node: core.Let, scope: core.Scope | None, tail: bool) -> Code:
    """The let family: one new frame."""
    seen_from = scope if node.order == "let" else node.scope
    values = [(binding.slot, compiler.compile(binding.value, seen_from)) for binding in node.bindings if binding.value]
    body = compiler.sequence(node.body, node.scope, tail)
    size = len(node.scope.bindings)
    if node.order == "let":
        codes = [code for _, code in values]
        empty = [UNSET] * (size - len(codes))

        def parallel(frame: Any, runtime: Runtime) -> Value:
            inner = [frame]
            inner.extend([code(frame, runtime) for code in codes])
            if empty:
                inner.extend(empty)
            return body(inner, runtime)

        return parallel

    def in_order(frame: Any, runtime: Runtime) -> Value:
        inner = [frame, *[UNSET] * size]
        for slot, code in values:
            inner[slot] = code(inner, runtime)
        return body(inner, runtime)

    return in_order


@compiles(core.NamedLet)
def named_let(compiler: Compiler, node: core.NamedLet, scope: core.Scope | None, tail: bool) -> Code:
    """A function that its own body can call, called at once."""
    values = [compiler.compile(value, scope) for value in node.values]
    function = compiler.compile(node.function, node.outer)
    site = compiler.site(node.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        arguments = [value(frame, runtime) for value in values]
        outer = [frame, UNSET]
        outer[1] = closure = function(outer, runtime)
        runtime.frame = checked_frame(closure, arguments, site, frame)
        runtime.function = closure
        if tail:
            return TAIL
        result: Value = TAIL
        while result is TAIL:
            if runtime.run.cancelled:
                raise Cancelled
            called = runtime.function
            assert called is not None
            result = called.body(runtime.frame, runtime)
        return result

    return code


@compiles(core.Define)
def define(compiler: Compiler, node: core.Define, scope: core.Scope | None, tail: bool) -> Code:
    """`define` gives the name, `bind` the value."""
    value = compiler.compile(node.value, scope)
    name, symbol = node.name, Symbol(node.name)
    gives_name = node.form == "define"
    if node.binding is None:
        top_level = compiler.top_level

        def at_top(frame: Any, runtime: Runtime) -> Value:
            top_level[name] = result = value(frame, runtime)
            return symbol if gives_name else result

        return at_top
    slot = node.binding.slot

    def local(frame: Any, runtime: Runtime) -> Value:
        frame[slot] = result = value(frame, runtime)
        return symbol if gives_name else result

    return local


@compiles(core.Assign)
def assign(compiler: Compiler, node: core.Assign, scope: core.Scope | None, tail: bool) -> Code:
    """`set!` of a name that is bound already."""
    value = compiler.compile(node.value, scope)
    site = compiler.site(node.datum, scope)
    target = node.target
    if isinstance(target, core.LocalReference):
        depth, slot = distance(target.scope, target.binding), target.binding.slot

        def local(frame: Any, runtime: Runtime) -> Value:
            result = value(frame, runtime)
            holder = frame
            for _ in range(depth):
                holder = holder[0]
            if holder[slot] is UNSET:
                message = f"`{target.binding.name}` is set before it has a value"
                raise site.fail("input_validation_failure", message, frame)
            holder[slot] = result
            return result

        return local
    name, top_level = target.name, compiler.top_level

    def at_top(frame: Any, runtime: Runtime) -> Value:
        result = value(frame, runtime)
        if name not in top_level:
            raise site.located(unbound(name, scope, top_level), frame)
        top_level[name] = result
        return result

    return at_top


@compiles(core.Repeat)
def repeat(compiler: Compiler, node: core.Repeat, scope: core.Scope | None, tail: bool) -> Code:
    """`repeat`, `loop`."""
    count = compiler.compile(node.count, scope)
    body = compiler.sequence(node.body, scope)
    site = compiler.site(node.count.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        times = count(frame, runtime)
        if type(times) is not int or times < 0:
            found = times if type(times) is int else type_name(times)
            message = f"expected a non-negative integer as count, found {found}"
            raise site.fail("input_validation_failure", message, frame)
        result = None
        for _ in range(times):
            if runtime.run.cancelled:
                raise Cancelled
            result = body(frame, runtime)
        return result

    return code


@compiles(core.While)
def while_(compiler: Compiler, node: core.While, scope: core.Scope | None, tail: bool) -> Code:
    """`while`, bounded."""
    test = compiler.compile(node.test, scope)
    body = compiler.sequence(node.body, scope)
    site = compiler.site(node.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        result = None
        left = runtime.limits.max_iterations
        while test(frame, runtime):
            if left == 0:
                limit = runtime.limits.max_iterations
                message = f"`while` went round {limit} times: raise `max_iterations` where that is right"
                raise site.fail("execution_halted", message, frame)
            left -= 1
            if runtime.run.cancelled:
                raise Cancelled
            result = body(frame, runtime)
        return result

    return code


@compiles(core.Quasiquote)
def quasiquote(compiler: Compiler, node: core.Quasiquote, scope: core.Scope | None, tail: bool) -> Code:
    """A list made from constant and computed parts."""
    parts = [(compiler.compile(part, scope), spliced) for part, spliced in node.parts]
    site = compiler.site(node.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        result: list[Any] = []
        for part, spliced in parts:
            value = part(frame, runtime)
            if not spliced:
                result.append(value)
            elif type(value) is list:
                result.extend(value)
            else:
                message = f"`,@`: expected a list, found {type_name(value)}"
                raise site.fail("input_validation_failure", message, frame)
        return result

    return code
