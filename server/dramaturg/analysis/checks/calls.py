"""Do calls of primitives and functions fit their signatures?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.names import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.problem import Problem
from dramaturg.language.signature import range_words
from dramaturg.syntax.datum import Datum, write

_ARTICLES = {"integer": "an integer"}
_LITERALS = frozenset(("number", "string", "boolean", "nil", "list", "symbol"))


def check_arity(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`arity` of primitives, of top-level functions, and of functions bound by a name that nothing changes."""
    if not isinstance(node, core.Call):
        return
    operator, count = node.operator, len(node.arguments)
    expected = ""
    name = node.datum.head
    if isinstance(operator, core.GlobalReference) and operator.meaning is not None:
        construct, arity = operator.meaning.construct, operator.meaning.arity
        if construct is not None and operator.meaning.kind == "primitive" and not construct.accepts(count):
            expected = construct.expected
        elif arity is not None and not _fits(arity, count):
            expected = range_words(*arity)
    elif isinstance(operator, core.LocalReference):
        value = operator.binding.value
        if isinstance(value, core.Lambda) and not operator.binding.assigned and not _fits(value.arity, count):
            expected = range_words(*value.arity)
    elif isinstance(operator, core.Lambda) and not _fits(operator.arity, count):
        expected, name = range_words(*operator.arity), "lambda"
    if expected:
        yield Problem("arity", node.datum.items[0].span, f"`{name}`: expected {expected}, found {count}")


def _fits(arity: tuple[int, int | None], count: int) -> bool:
    low, high = arity
    return count >= low and (high is None or count <= high)


def check_literal_types(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`wrong-type`: literals that a primitive does not take, and calls of literals."""
    if not isinstance(node, core.Call):
        return
    operator = node.operator
    if isinstance(operator, core.Literal_):
        yield Problem(
            "wrong-type", operator.datum.span, f"expected a function to call, found `{_short(operator.datum)}`"
        )
        return
    if not isinstance(operator, core.GlobalReference) or operator.meaning is None:
        return
    construct = operator.meaning.construct
    if construct is None or operator.meaning.kind != "primitive" or not construct.accepts(len(node.arguments)):
        return
    signature = construct.signature_for(len(node.arguments))
    for index, argument in enumerate(node.arguments):
        parameter = signature.parameter(index)
        if parameter is None or parameter.accepts_any or not isinstance(argument, core.Literal_):
            continue
        found = literal_type(argument.datum)
        if found is not None and not _accepts(parameter.types, found):
            expected = " or ".join(
                _ARTICLES.get(name, name if name == "nil" else f"a {name}") for name in parameter.types
            )
            shown = _ARTICLES.get(found, found if found == "nil" else f"a {found}")
            message = f"`{operator.name}`: argument {index + 1}: expected {expected}, found {shown}"
            yield Problem("wrong-type", argument.datum.span, message)


def literal_type(datum: Datum) -> str | None:
    """The type of a literal's value in the words of signatures; None where it has none."""
    if datum.kind not in _LITERALS:
        return None
    if datum.kind == "number":
        return "integer" if isinstance(datum.value, int) else "number"
    return datum.kind


def _accepts(types: tuple[str, ...], found: str) -> bool:
    if found in types or (found == "integer" and "number" in types):
        return True
    return found == "list" and bool({"map", "record"} & set(types))


def _short(datum: Datum) -> str:
    text = " ".join(write(datum).split())
    return text if len(text) <= 30 else text[:26] + " …"
