"""What do the forms mean that choose, repeat, quote and catch?"""

from __future__ import annotations

from typing import Literal, cast

from dramaturg.language.construct import Construct
from dramaturg.language.expand.binding import bind
from dramaturg.language.expand.core import (
    Expression,
    If,
    Invalid,
    Literal_,
    Logic,
    Repeat,
    Scope,
    Sequence,
    Try,
    While,
)
from dramaturg.language.expand.definitions import declare
from dramaturg.language.expand.expander import Expander, handles
from dramaturg.syntax.datum import Datum, write


@handles("quote", "quasiquote", "unquote", "unquote-splicing")
def quotation(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """The quote family written as lists."""
    return x.quotation(form.name, datum, datum.items[1], scope)


@handles("if")
def if_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`if`."""
    test, then, *otherwise = x.body(datum.items[1:], scope)
    return If(datum, test, then, otherwise[0] if otherwise else None)


@handles("when", "unless")
def when(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`when` and `unless`."""
    test = x.expression(datum.items[1], scope)
    body = Sequence(datum, x.body(datum.items[2:], scope))
    nothing = Literal_(Datum("nil", datum.start, datum.start))
    return If(datum, test, body, None) if form.name == "when" else If(datum, test, nothing, body)


@handles("cond")
def cond(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`cond`, as nested choices."""
    clauses: list[tuple[Datum, Expression | None, list[Expression]]] = []
    for clause in datum.items[1:]:
        if clause.kind != "list" or not clause.items:
            if clause.kind != "error":
                x.problem(
                    "bad-clause",
                    clause.span,
                    f"`cond`: expected a clause `(test value ...)`, found `{write(clause)}`",
                )
            continue
        is_else = clause.head == "else" and not (scope and scope.find("else"))
        if is_else and clause is not datum.items[-1]:
            x.problem("bad-clause", clause.items[0].span, "`cond`: `else` must be the last clause")
        test = None if is_else else x.expression(clause.items[0], scope)
        clauses.append((clause, test, x.body(clause.items[1:], scope)))
    result: Expression | None = None
    for clause, test, body in reversed(clauses):
        if test is None:
            result = Sequence(clause, body)
        elif not body:
            rest = [result] if result is not None else [Literal_(Datum("nil", clause.end, clause.end))]
            result = Logic(clause, "or", [test, *rest])
        else:
            result = If(clause, test, Sequence(clause, body), result)
    return result if result is not None else Sequence(datum, [])


@handles("and", "or")
def logic(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`and` and `or`."""
    return Logic(datum, cast(Literal["and", "or"], form.name), x.body(datum.items[1:], scope))


@handles("progn")
def progn(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`progn`, `begin`."""
    return Sequence(datum, x.body(datum.items[1:], scope))


@handles("repeat", "loop")
def repeat(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`repeat`, `loop`."""
    count = x.expression(datum.items[1], scope)
    check_count(x, datum.items[1], f"`{datum.head}`")
    return Repeat(datum, count, x.body(datum.items[2:], scope))


def check_count(x: Expander, datum: Datum, where: str) -> None:
    """Reports a literal that is no non-negative integer."""
    value = datum.value
    literal = datum.kind in ("number", "string", "boolean", "nil")
    if literal and (datum.kind != "number" or not isinstance(value, int) or value < 0):
        x.problem("wrong-type", datum.span, f"{where}: expected a non-negative integer, found `{write(datum)}`")


@handles("while")
def while_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`while`."""
    return While(datum, x.expression(datum.items[1], scope), x.body(datum.items[2:], scope))


@handles("try")
def try_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`try` with its `catch`, which comes last."""
    *body, last = datum.items[1:]
    well_formed = last.head == "catch" and len(last.items) > 1 and last.items[1].kind == "list"
    if not well_formed or len(last.items[1].items) != 1 or not last.items[1].items[0].name:
        message = "`try`: expected `(catch (name) handler ...)` at its end"
        span = last.span if last.head == "catch" else datum.items[0].span
        rest = [] if last.head == "catch" else [last]
        return Invalid(datum, x.problem("bad-clause", span, message), x.body([*body, *rest], scope))
    for item in body:
        if item.head == "catch" and not (scope and scope.find("catch")):
            x.problem("bad-clause", item.items[0].span, "`try`: only one `catch`, at the end")
    expressions = x.body(body, scope)
    inner = Scope(scope)
    binding = bind(x, inner, last.items[1].items[0], "catch")
    declare(inner, last.items[2:])
    return Try(datum, expressions, binding, inner, x.body(last.items[2:], inner))
