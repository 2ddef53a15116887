"""What do the forms mean that compose calls: loops, steps, reductions, parallel maps?"""

from __future__ import annotations

from typing import Literal, cast

from dramaturg.language.construct import Construct
from dramaturg.language.expand.binding import bind
from dramaturg.language.expand.clauses import context_settings, given_clauses
from dramaturg.language.expand.control import check_count
from dramaturg.language.expand.core import (
    Expression,
    Invalid,
    Literal_,
    LoopForm,
    ParallelMap,
    ReduceTask,
    Scope,
    Sequential,
    Step,
)
from dramaturg.language.expand.definitions import declare
from dramaturg.language.expand.expander import Expander, handles
from dramaturg.syntax.datum import Datum, write

_FUNCTIONS = frozenset(("director", "executor", "evaluator", "controller", "validator", "inner", "reduction"))


@handles("director-evaluator-loop", "iterative-loop")
def loop(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """The two loops."""
    clauses = _single_clauses(x, form, datum, scope)
    name = cast(Literal["director-evaluator-loop", "iterative-loop"], form.name)
    return LoopForm(datum, name, clauses)


def _single_clauses(x: Expander, form: Construct, datum: Datum, scope: Scope | None) -> dict[str, Expression]:
    given = given_clauses(x, form, datum, datum.items[1:])
    clauses: dict[str, Expression] = {}
    for name, (item, *_) in given.items():
        if name == "context":
            continue
        value = item.items[1]
        clauses[name] = x.expression(value, scope)
        if name == "max-iterations":
            check_count(x, value, "the clause `max-iterations`")
        if name in _FUNCTIONS and isinstance(clauses[name], Literal_):
            x.problem("bad-clause", value.span, f"the clause `{name}`: expected a function, found `{write(value)}`")
    return clauses


@handles("sequential")
def sequential(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`sequential`."""
    given = given_clauses(x, form, datum, datum.items[1:])
    context = [
        setting for item in given.get("context", []) for setting in context_settings(x, "sequential", item.items[1:])
    ]
    inner = Scope(scope)
    steps: list[Step] = []
    for item in given.get("step", []):
        name, raw = item.items[1], item.items[2]
        if not name.name:
            x.problem("bad-clause", name.span, f"`sequential`: expected a step's name, found `{write(name)}`")
            continue
        declare(inner, [raw])
        value = x.expression(raw, inner)
        binding = bind(x, inner, name, "step")
        binding.value = value
        steps.append(Step(item, binding, value))
    return Sequential(datum, context, inner, steps)


@handles("reduce-task")
def reduce_task(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`reduce-task`; it inherits context and never accumulates (decision record, section 1)."""
    clauses = _single_clauses(x, form, datum, scope)
    context = [
        setting
        for item in datum.items[1:]
        if item.head == "context"
        for setting in context_settings(x, "reduce-task", item.items[1:])
    ]
    for setting in context:
        if setting.name == "accumulate_data" and setting.value == "true":
            x.problem("bad-clause", setting.datum.span, "`reduce-task` inherits context and never accumulates")
    return ReduceTask(datum, context, clauses)


@handles("pmap")
def parallel_map(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`pmap`."""
    function, items = x.body(datum.items[1:3], scope)
    concurrency: Expression | None = None
    if len(datum.items) == 4:
        clause = datum.items[3]
        if clause.head != "concurrency" or len(clause.items) != 2:
            message = f"`pmap`: expected `(concurrency n)`, found `{write(clause)}`"
            return Invalid(datum, x.problem("bad-clause", clause.span, message), [function, items])
        value = clause.items[1]
        concurrency = x.expression(value, scope)
        if value.kind == "number" and value.value == 0:
            x.problem("wrong-type", value.span, "`concurrency`: expected a positive integer, found `0`")
        check_count(x, value, "`concurrency`")
    return ParallelMap(datum, function, items, concurrency)
