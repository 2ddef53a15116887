"""What do calls with named parts mean: tasks, tools, context, maps, assertions?"""

from __future__ import annotations

from dramaturg.language.construct import Construct
from dramaturg.language.expand.clauses import context_settings, given_clauses
from dramaturg.language.expand.core import (
    Assert,
    ClauseCall,
    DictExpression,
    Expression,
    Invalid,
    Literal_,
    NamedInput,
    Scope,
    TaskCall,
)
from dramaturg.language.expand.expander import Expander, handles
from dramaturg.language.names import RESERVED_INPUTS, Meaning, TaskShape
from dramaturg.language.problem import Related
from dramaturg.language.signature import range_words
from dramaturg.syntax.datum import Datum, write

_BY_NAME = frozenset(("call", "atomic-task", "direct-tool"))


@handles("call", "atomic-task", "direct-tool")
def call(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`(task (input e) ...)`, and the three calls that name a task or a tool otherwise."""
    head = datum.items[0]
    if datum.head not in _BY_NAME or (meaning := x.names.meaning(datum.head)) is None or meaning.kind != "primitive":
        named = TaskCall(datum, datum.head, None, x.names.meaning(datum.head), [])
        return _with_inputs(x, named, datum.head, datum.items[1:], scope)
    if len(datum.items) < 2:
        return x.invalid(datum, "arity", f"`{datum.head}`: expected at least 1 argument, found 0", head.span, scope)
    target = datum.items[1]
    computed: Expression | None = None
    name = target.name or (str(target.value) if target.kind == "string" else "")
    if form.name == "call" and target.kind != "string":
        computed = x.expression(target, scope)
        quoted = isinstance(computed, Literal_) and computed.datum.kind == "symbol"
        name = computed.datum.name if quoted else ""
    elif not name:
        message = f"`{datum.head}`: expected the name of a {'tool' if form.name == 'direct-tool' else 'task'}, found `{write(target)}`"
        return Invalid(datum, x.problem("bad-clause", target.span, message), x.body(_values(datum.items[2:]), scope))
    found = _meaning(x, name)
    task = TaskCall(datum, name, computed, found, [])
    task.task_only, task.tool_only = form.name == "atomic-task", form.name == "direct-tool"
    return _with_inputs(x, task, name or "call", datum.items[2:], scope)


def _meaning(x: Expander, name: str) -> Meaning | None:
    shape = x.names.task_named(name) if name else None
    return Meaning("task", None, shape) if shape else None


def _values(items: tuple[Datum, ...]) -> list[Datum]:
    return [part for item in items for part in item.items[1:]]


def _with_inputs(x: Expander, task: TaskCall, where: str, items: tuple[Datum, ...], scope: Scope | None) -> Expression:
    shape = task.meaning.task if task.meaning is not None else None
    if shape is not None and shape.positional and not _are_named(items, shape):
        return _by_position(x, task, shape, items, scope)
    seen: dict[str, Datum] = {}
    for item in items:
        if item.kind != "list" or len(item.items) < 1 or not item.head:
            if item.kind != "error":
                message = f"`{where}` is a task: expected named inputs `(name value)`, found `{write(item)}`"
                x.problem("bad-clause", item.span, message)
            continue
        name = item.head
        if name in seen:
            related = (Related(seen[name].span, "given here first"),)
            x.problem("repeated-input", item.items[0].span, f"`{where}`: the input `{name}` is given twice", related)
            continue
        seen[name] = item.items[0]
        if name in ("context", "history_config"):
            if name == "context":
                task.context = context_settings(x, where, item.items[1:])
            continue
        if len(item.items) != 2:
            count = len(item.items) - 1
            message = f"`{where}`: the input `{name}` needs one value, found {count}"
            x.problem("arity", item.items[0].span, message)
            x.body(item.items[1:], scope)
            continue
        task.inputs.append(NamedInput(item, name, item.items[0], x.expression(item.items[1], scope)))
    return task


def _are_named(items: tuple[Datum, ...], shape: TaskShape) -> bool:
    """Whether the arguments of a function template are written `(name value)`, as those of other tasks are."""
    known = {*(item.name for item in shape.inputs), *RESERVED_INPUTS}
    return all(item.kind == "list" and len(item.items) == 2 and item.head in known for item in items)


def _by_position(
    x: Expander, task: TaskCall, shape: TaskShape, items: tuple[Datum, ...], scope: Scope | None
) -> Expression:
    """A call of a function template by position: each argument is the parameter's of its place."""
    if len(items) > len(shape.inputs):
        words = range_words(len(shape.inputs), len(shape.inputs))
        message = f"`{task.name}`: expected {words}, found {len(items)}"
        x.problem("arity", items[len(shape.inputs)].span, message)
    for declared, item in zip(shape.inputs, items, strict=False):
        task.inputs.append(NamedInput(item, declared.name, item, x.expression(item, scope)))
    return task


@handles("get_context", "context-matches")
def context(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`get_context` and `context-matches`."""
    given = given_clauses(x, form, datum, datum.items[1:])
    clauses = [
        NamedInput(item, name, item.items[0], x.expression(item.items[1], scope))
        for name, items in given.items()
        for item in items
    ]
    for clause in clauses:
        value = clause.datum.items[1]
        if clause.name == "matching_strategy" and value.kind == "string" and value.value not in ("content", "metadata"):
            x.problem(
                "bad-clause",
                value.span,
                f'`matching_strategy`: expected "content" or "metadata", found `{write(value)}`',
            )
    return ClauseCall(datum, form.name, clauses)


@handles("dict")
def dict_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`dict`."""
    entries: list[NamedInput] = []
    seen: dict[str, Datum] = {}
    for item in datum.items[1:]:
        key = item.items[0] if item.kind == "list" and len(item.items) == 2 else None
        if key is None or key.kind not in ("symbol", "string"):
            if item.kind != "error":
                message = f"`dict`: expected `(key value)` with a symbol or a string as key, found `{write(item)}`"
                x.problem("bad-clause", item.span, message)
            x.body(item.items[1:], scope)
            continue
        name = str(key.value)
        if name in seen:
            related = (Related(seen[name].span, "given here first"),)
            x.problem("bad-clause", key.span, f"`dict`: the key `{name}` is given twice", related)
        seen[name] = key
        entries.append(NamedInput(item, name, key, x.expression(item.items[1], scope)))
    return DictExpression(datum, entries)


@handles("assert")
def assert_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`assert`."""
    count = len(datum.items) - 1
    if not form.accepts(count):
        message = f"`assert`: expected {form.expected}, found {count}"
        return x.invalid(datum, "arity", message, datum.items[0].span, scope)
    test, *message_ = x.body(datum.items[1:], scope)
    return Assert(datum, test, message_[0] if message_ else None)
