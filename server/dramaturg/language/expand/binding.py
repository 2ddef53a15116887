"""What do the forms mean that bind names?"""

from __future__ import annotations

from typing import Literal, cast

from dramaturg.language.construct import Construct
from dramaturg.language.expand.core import (
    Assign,
    Binding,
    BindingKind,
    Define,
    Expression,
    GlobalReference,
    Invalid,
    Lambda,
    Let,
    LocalReference,
    NamedLet,
    Scope,
)
from dramaturg.language.expand.definitions import declare
from dramaturg.language.expand.expander import Expander, handles
from dramaturg.language.problem import Related
from dramaturg.language.table import SPECIAL_FORMS
from dramaturg.syntax.datum import Datum, write


@handles("let", "let*", "letrec")
def let(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`let`, `let*`, `letrec`, and the named let."""
    if form.name == "let" and datum.items[1].name:
        return _named_let(x, datum, scope)
    order = cast(Literal["let", "let*", "letrec"], form.name)
    inner = Scope(scope)
    pairs = binding_pairs(x, datum.items[1], order)
    bindings: list[Binding] = []
    if order == "letrec":
        bindings = [bind(x, inner, name, "let", late=True) for name, _ in pairs]
        declare(inner, datum.items[2:])
        for binding, (_, raw) in zip(bindings, pairs, strict=True):
            binding.value = x.expression(raw, inner)
    elif order == "let":
        values = [x.expression(raw, scope) for _, raw in pairs]
        for (name, _), value in zip(pairs, values, strict=True):
            bindings.append(bind(x, inner, name, "let"))
            bindings[-1].value = value
        declare(inner, datum.items[2:])
    else:
        for name, raw in pairs:
            declare(inner, [raw])
            value = x.expression(raw, inner)
            binding = inner.bind(name.name, "let", name)
            binding.value = value
            bindings.append(binding)
        declare(inner, datum.items[2:])
    return Let(datum, order, bindings, inner, x.body(datum.items[2:], inner))


def _named_let(x: Expander, datum: Datum, scope: Scope | None) -> Expression:
    if len(datum.items) < 3:
        return x.invalid(
            datum,
            "arity",
            "named `let`: expected bindings after the name",
            datum.items[1].span,
            scope,
            expand=False,
        )
    outer = Scope(scope)
    name = datum.items[1]
    pairs = binding_pairs(x, datum.items[2], "let")
    values = [x.expression(value, scope) for _, value in pairs]
    binding = outer.bind(name.name, "loop", name, late=True)
    inner = Scope(outer)
    parameters = [bind(x, inner, pair, "parameter") for pair, _ in pairs]
    declare(inner, datum.items[3:])
    function = Lambda(datum, name.name, parameters, None, inner, x.body(datum.items[3:], inner))
    binding.value = function
    return NamedLet(datum, outer, binding, function, values)


def binding_pairs(x: Expander, datum: Datum, form: str) -> list[tuple[Datum, Datum]]:
    """The `(name value)` pairs of a let form; others are reported and left out."""
    if datum.kind != "list":
        x.problem(
            "bad-clause",
            datum.span,
            f"`{form}`: expected a list of bindings `((name value) ...)`, found `{_short(datum)}`",
        )
        return []
    pairs: list[tuple[Datum, Datum]] = []
    for item in datum.items:
        if item.kind == "list" and len(item.items) == 2 and item.items[0].name:
            pairs.append((item.items[0], item.items[1]))
        elif item.kind != "error":
            message = f"`{form}`: expected a binding `(name value)`, found `{_short(item)}`"
            x.problem("bad-clause", item.span, message)
            if item.kind == "list" and item.head:
                # The name is bound all the same, so that its uses are not reported too.
                pairs.append((item.items[0], Datum("nil", item.end, item.end)))
    return pairs


def bind(x: Expander, scope: Scope, datum: Datum, kind: BindingKind, late: bool = False) -> Binding:
    """Binds a name that must be new in its scope; a repeated one is reported."""
    first = scope.names.get(datum.name)
    if first is not None:
        related = (Related(first.datum.span, f"`{datum.name}` is bound here first"),)
        x.problem("repeated-parameter", datum.span, f"`{datum.name}` is bound twice", related)
    return scope.bind(datum.name, kind, datum, late)


@handles("lambda")
def lambda_(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`lambda`."""
    return function(x, datum, "", datum.items[1], datum.items[2:], scope)


def function(
    x: Expander, datum: Datum, name: str, parameters: Datum, body: tuple[Datum, ...], scope: Scope | None
) -> Expression:
    """A function with a parameter list; with a name, the list is `(name p ...)`."""
    inner = Scope(scope)
    items = parameters.items
    if parameters.kind != "list":
        message = f"`lambda`: expected a list of parameters, found `{_short(parameters)}`"
        x.problem("bad-clause", parameters.span, message)
        # A name alone takes all arguments in other Lisps: it is bound, so that its uses are not reported too.
        items = ()
        if parameters.name:
            inner.bind(parameters.name, "parameter", parameters)
    elif name:
        items = items[1:]
    bound: list[Binding] = []
    rest: Binding | None = None
    dotted = False
    for item in items:
        if not item.name:
            if item.kind != "error":
                x.problem("bad-clause", item.span, f"expected a parameter's name, found `{_short(item)}`")
        elif item.name == "." and not dotted:
            dotted = True
            if item is not items[-2 if len(items) > 1 else -1] or item is items[-1]:
                x.problem("bad-clause", item.span, "expected one name after `.`: it takes the remaining arguments")
        elif dotted:
            rest = bind(x, inner, item, "parameter")
        else:
            bound.append(bind(x, inner, item, "parameter"))
    declare(inner, body)
    return Lambda(datum, name, bound, rest, inner, x.body(body, inner))


@handles("define", "bind")
def define(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`define` and `bind`."""
    keyword = cast(Literal["define", "bind"], form.name)
    target = datum.items[1]
    if target.kind == "list" and target.head and keyword == "define":
        name = target.items[0]
        value = function(x, datum, name.name, target, datum.items[2:], scope)
    elif not target.name:
        message = f"`{keyword}`: expected a name, found `{_short(target)}`"
        return Invalid(datum, x.problem("bad-clause", target.span, message), x.body(datum.items[2:], scope))
    elif len(datum.items) != 3:
        message = f"`{keyword}`: expected one value for `{target.name}`, found {len(datum.items) - 2}"
        return Invalid(datum, x.problem("arity", target.span, message), x.body(datum.items[2:], scope))
    else:
        name = target
        value = x.expression(datum.items[2], scope)
        if isinstance(value, Lambda) and not value.name:
            value.name = name.name
    binding = scope.names.get(name.name) if scope is not None else None
    if binding is not None and binding.value is None:
        binding.value = value
    if scope is None and name.name in SPECIAL_FORMS:
        message = f"`{name.name}` is a special form and cannot be defined"
        return Invalid(datum, x.problem("bad-clause", name.span, message), [value])
    return Define(datum, keyword, name.name, name, binding, scope, value)


@handles("set!")
def assign(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`set!`."""
    name, value = datum.items[1], x.expression(datum.items[2], scope)
    if not name.name:
        message = f"`set!`: expected a name, found `{_short(name)}`"
        return Invalid(datum, x.problem("bad-clause", name.span, message), [value])
    target = x.reference(name, scope)
    if isinstance(target, LocalReference):
        target.binding.assigned = True
        return Assign(datum, target, value)
    if isinstance(target, GlobalReference):
        return Assign(datum, target, value)
    assert isinstance(target, Invalid)
    return Invalid(datum, target.problem, [value])


def _short(datum: Datum) -> str:
    text = write(datum).replace("\n", " ")
    return text if len(text) <= 40 else text[:36] + " …"
