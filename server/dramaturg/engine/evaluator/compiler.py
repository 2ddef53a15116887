"""How does core become Python callables, once, before it is evaluated?

Every expression becomes a function of a frame and the runtime. A frame is a list:
the frame around it, then the values of one scope's names. Calls in tail position
hand the callee to the nearest caller that is not in one, so loops by recursion
run in constant space. The other modules of this package register the forms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from dramaturg.engine.errors import failure
from dramaturg.engine.evaluator.primitives import PRIMITIVE_VALUES
from dramaturg.engine.evaluator.runtime import Code, Runtime
from dramaturg.engine.evaluator.site import Site, Unit
from dramaturg.engine.evaluator.values import UNSET, Value, from_datum
from dramaturg.language.expand import core
from dramaturg.language.nearest import did_you_mean
from dramaturg.language.table import DYNAMIC_NAMES
from dramaturg.syntax.datum import Datum

Node = TypeVar("Node", bound=core.Expression)
Compile = Callable[["Compiler", Any, core.Scope | None, bool], Code]

#: How each kind of core expression is compiled.
COMPILERS: dict[type[core.Expression], Compile] = {}


def compiles(node_type: type[Node]) -> Callable[[Callable[[Compiler, Node, core.Scope | None, bool], Code]], Compile]:
    """Registers the decorated function for a kind of core expression."""

    def register(function: Callable[[Compiler, Node, core.Scope | None, bool], Code]) -> Compile:
        COMPILERS[node_type] = function
        return function

    return register


class Compiler:
    """Compiles the forms of one source text against the program's top-level values."""

    def __init__(self, unit: Unit, base: int, top_level: dict[str, Value]) -> None:
        self.unit = unit
        self.base = base
        self.top_level = top_level

    def compile(self, node: core.Expression, scope: core.Scope | None, tail: bool = False) -> Code:
        """The expression as a callable; with `tail` it may leave a call to its caller."""
        return COMPILERS[type(node)](self, node, scope, tail)

    def sequence(self, items: list[core.Expression], scope: core.Scope | None, tail: bool = False) -> Code:
        """The items in order, with the last one's value, nil where there is none."""
        if not items:
            return _nil
        if len(items) == 1:
            return self.compile(items[0], scope, tail)
        first = [self.compile(item, scope) for item in items[:-1]]
        last = self.compile(items[-1], scope, tail)
        if len(first) == 1:
            only = first[0]

            def two(frame: Any, runtime: Runtime) -> Value:
                only(frame, runtime)
                return last(frame, runtime)

            return two

        def many(frame: Any, runtime: Runtime) -> Value:
            for code in first:
                code(frame, runtime)
            return last(frame, runtime)

        return many

    def site(self, datum: Datum, scope: core.Scope | None) -> Site:
        """The place of a datum, for errors."""
        return Site(self.unit, self.base, datum, scope)


def _nil(frame: Any, runtime: Runtime) -> None:
    return None


@compiles(core.Literal_)
def literal(compiler: Compiler, node: core.Literal_, scope: core.Scope | None, tail: bool) -> Code:
    """A constant."""
    value = from_datum(node.datum)
    return lambda frame, runtime: value


@compiles(core.Invalid)
def invalid(compiler: Compiler, node: core.Invalid, scope: core.Scope | None, tail: bool) -> Code:
    """What the expander found wrong fails when it is reached."""
    site = compiler.site(node.datum, scope)
    message = node.problem.message

    def code(frame: Any, runtime: Runtime) -> Value:
        raise site.fail("input_validation_failure", message, frame)

    return code


@compiles(core.LocalReference)
def local_reference(compiler: Compiler, node: core.LocalReference, scope: core.Scope | None, tail: bool) -> Code:
    """A local name: so many frames up, in its slot."""
    depth, slot = distance(node.scope, node.binding), node.binding.slot
    if node.binding.late:
        site = compiler.site(node.datum, scope)

        def late(frame: Any, runtime: Runtime) -> Value:
            holder = frame
            for _ in range(depth):
                holder = holder[0]
            value = holder[slot]
            if value is UNSET:
                message = f"`{node.binding.name}` is used before it has a value"
                raise site.fail("input_validation_failure", message, frame)
            return value

        return late
    if depth == 0:
        return lambda frame, runtime: frame[slot]
    if depth == 1:
        return lambda frame, runtime: frame[0][slot]
    if depth == 2:
        return lambda frame, runtime: frame[0][0][slot]

    def far(frame: Any, runtime: Runtime) -> Value:
        for _ in range(depth):
            frame = frame[0]
        return frame[slot]

    return far


def distance(scope: core.Scope, binding: core.Binding) -> int:
    """How many frames lie between a scope and the one that holds a binding."""
    steps = 0
    here: core.Scope | None = scope
    while here is not None and here is not binding.scope:
        here = here.parent
        steps += 1
    return steps


@compiles(core.GlobalReference)
def global_reference(compiler: Compiler, node: core.GlobalReference, scope: core.Scope | None, tail: bool) -> Code:
    """A top-level name, else a primitive, else an error that names what is near."""
    name, top_level = node.name, compiler.top_level
    primitive = PRIMITIVE_VALUES.get(name)
    if primitive is not None and (node.meaning is None or node.meaning.kind == "primitive"):
        return lambda frame, runtime: primitive
    site = compiler.site(node.datum, scope)
    dynamic = name in DYNAMIC_NAMES

    def code(frame: Any, runtime: Runtime) -> Value:
        if dynamic and name in runtime.dynamic:
            return runtime.dynamic[name]
        try:
            return top_level[name]
        except KeyError:
            if primitive is not None:
                return primitive
            raise site.located(unbound(name, scope, top_level), frame) from None

    return code


def unbound(name: str, scope: core.Scope | None, top_level: dict[str, Value]) -> Any:
    """The error for a name that nothing binds, with the nearest name that something does."""
    known = [*top_level, *PRIMITIVE_VALUES]
    while scope is not None:
        known.extend(scope.names)
        scope = scope.parent
    return failure("input_validation_failure", f"`{name}` is not bound{did_you_mean(name, known)}")
