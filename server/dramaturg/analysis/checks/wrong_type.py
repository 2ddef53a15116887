"""Are literals of the type that takes them?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.syntax.datum import Datum, write

RULE = Rule(
    "wrong-type", "error", "A literal of a type that does not fit.", "A run would stop at the call.", '(+ 1 ‸"2"‸)'
)
EXPRESSIONS = (core.Call, core.TaskCall)

_LITERALS = frozenset(("number", "string", "boolean", "nil", "list", "symbol"))

#: Which literals an input of a declared type takes; types that are not here take any.
_FITTING = {
    "string": ("string",),
    "number": ("number", "integer"),
    "integer": ("integer",),
    "boolean": ("boolean",),
    "list": ("list",),
    "map": (),
}


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Literals that a primitive or a task's input does not take, and calls of literals."""
    if isinstance(node, core.TaskCall):
        yield from _inputs(node)
    elif isinstance(node, core.Call):
        operator = node.operator
        if isinstance(operator, core.Literal_):
            message = f"expected a function to call, found `{_short(operator.datum)}`"
            yield Problem(RULE.code, operator.datum.span, message)
        elif isinstance(operator, core.GlobalReference):
            yield from _arguments(node, operator)


def _arguments(node: core.Call, operator: core.GlobalReference) -> Iterator[Problem]:
    construct = operator.meaning.construct if operator.meaning is not None else None
    if construct is None or construct.kind != "primitive" or not construct.accepts(len(node.arguments)):
        return
    signature = construct.signature_for(len(node.arguments))
    for index, argument in enumerate(node.arguments):
        parameter = signature.parameter(index)
        if parameter is None or parameter.accepts_any or not isinstance(argument, core.Literal_):
            continue
        found = literal_type(argument.datum)
        if found is not None and not _accepts(parameter.types, found):
            expected = " or ".join(_article(name) for name in parameter.types)
            message = f"`{operator.name}`: argument {index + 1}: expected {expected}, found {_article(found)}"
            yield Problem(RULE.code, argument.datum.span, message)


def _inputs(node: core.TaskCall) -> Iterator[Problem]:
    shape = node.meaning.task if node.meaning is not None else None
    for item in node.inputs if shape is not None else ():
        declared = shape.input(item.name) if shape is not None else None
        if declared is None or not isinstance(item.value, core.Literal_) or declared.type not in _FITTING:
            continue
        found = literal_type(item.value.datum)
        if found is not None and found not in (*_FITTING[declared.type], "nil"):
            message = f"`{node.name}`: the input `{item.name}` must be of type {declared.type}, found {found}"
            yield Problem(RULE.code, item.value.datum.span, message)


def literal_type(datum: Datum) -> str | None:
    """The type of a literal's value in the words of signatures; None where it has none."""
    if datum.kind not in _LITERALS:
        return None
    if datum.kind == "number":
        return "integer" if isinstance(datum.value, int) else "number"
    return datum.kind


def _article(name: str) -> str:
    if name == "nil":
        return name
    return f"an {name}" if name == "integer" else f"a {name}"


def _accepts(types: tuple[str, ...], found: str) -> bool:
    if found in types or (found == "integer" and "number" in types):
        return True
    return found == "list" and bool({"map", "record"} & set(types))


def _short(datum: Datum) -> str:
    text = " ".join(write(datum).split())
    return text if len(text) <= 30 else text[:26] + " …"
