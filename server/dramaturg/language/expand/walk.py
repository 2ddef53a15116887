"""Which expressions lie directly inside an expression, and which scopes does it make?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.language.expand import core


def children(node: core.Expression) -> list[core.Expression]:
    """The expressions directly inside `node`, in the order of the text."""
    match node:
        case core.Call():
            return [node.operator, *node.arguments]
        case core.TaskCall():
            return [*([node.computed] if node.computed else []), *(item.value for item in node.inputs)]
        case core.ClauseCall():
            return [item.value for item in node.clauses]
        case core.DictExpression():
            return [item.value for item in node.entries]
        case core.Assert():
            return [node.test, *([node.message] if node.message else [])]
        case core.If():
            return [node.test, node.then, *([node.otherwise] if node.otherwise else [])]
        case core.Logic() | core.Sequence():
            return node.items
        case core.Let():
            return [*(binding.value for binding in node.bindings if binding.value is not None), *node.body]
        case core.NamedLet():
            return [*node.values, node.function]
        case core.Lambda():
            return node.body
        case core.Define():
            return [node.value]
        case core.Assign():
            return [node.target, node.value]
        case core.Repeat():
            return [node.count, *node.body]
        case core.While():
            return [node.test, *node.body]
        case core.Try():
            return [*node.body, *node.handler]
        case core.Quasiquote():
            return [part for part, _ in node.parts]
        case core.LoopForm() | core.ReduceTask():
            return list(node.clauses.values())
        case core.Sequential():
            return [step.value for step in node.steps]
        case core.ParallelMap():
            return [node.function, node.items, *([node.concurrency] if node.concurrency else [])]
        case core.DefineTest():
            return node.body
        case core.Invalid():
            return node.parts
    return []


def walk(node: core.Expression) -> Iterator[core.Expression]:
    """The expression and all inside it, outermost first."""
    waiting = [node]
    while waiting:
        expression = waiting.pop()
        yield expression
        waiting.extend(reversed(children(expression)))


def scopes(node: core.Expression) -> list[core.Scope]:
    """The scopes that `node` itself makes."""
    match node:
        case core.Let() | core.Lambda() | core.Try() | core.Sequential() | core.DefineTest():
            return [node.scope]
        case core.NamedLet():
            return [node.outer]
    return []


#: The kinds of expression for which `scopes` gives any.
SCOPE_MAKERS = (core.Let, core.NamedLet, core.Lambda, core.Try, core.Sequential, core.DefineTest)
