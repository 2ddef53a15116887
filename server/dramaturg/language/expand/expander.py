"""What does a form mean, given the names around it?

The expander turns a datum into core expressions and notes every problem of
shape. It resolves local names, so that a local may hide any form, and asks
`Names` for the rest; it never evaluates and never raises.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from dramaturg.language.construct import Construct
from dramaturg.language.expand.core import (
    Call,
    Expression,
    GlobalReference,
    Invalid,
    Literal_,
    LocalReference,
    Quasiquote,
    Scope,
)
from dramaturg.language.names import Names
from dramaturg.language.problem import Problem, Related
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.datum import QUOTES, Datum, write
from dramaturg.text import Span

Handler = Callable[["Expander", Datum, Scope | None, Construct], Expression]

#: What each special form and clause form means, by canonical name; the modules beside this fill it.
HANDLERS: dict[str, Handler] = {}

#: Frames that the deepest permitted form needs, here and in the walks over its core.
RECURSION = 10_000

QUOTE_FORMS = {
    "quote": "quote",
    "quasiquote": "quasiquote",
    "unquote": "unquote",
    "unquote-splicing": "unquote-splicing",
}


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Registers the decorated function as the meaning of the named constructs."""

    def register(handler: Handler) -> Handler:
        for name in names:
            HANDLERS[name] = handler
        return handler

    return register


class Expander:
    """One form's expansion: `problems` collects what is wrong with it."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.problems: list[Problem] = []
        self.fault: Problem | None = None
        if sys.getrecursionlimit() < RECURSION:
            sys.setrecursionlimit(RECURSION)

    def top_level(self, datum: Datum) -> Expression:
        """The core of a top-level form."""
        return self.expression(datum, None, top=True)

    def expression(self, datum: Datum, scope: Scope | None, top: bool = False) -> Expression:
        """The core of a datum in expression position."""
        kind = datum.kind
        if kind == "symbol":
            return self.reference(datum, scope)
        if kind == "list":
            return self.combination(datum, scope, top) if datum.items else Literal_(datum)
        if kind in QUOTE_FORMS:
            if not datum.items:
                return self.unreadable(datum)
            return self.quotation(kind, datum, datum.items[0], scope)
        if kind == "error":
            return self.unreadable(datum)
        return Literal_(datum)

    def combination(self, datum: Datum, scope: Scope | None, top: bool) -> Expression:
        """The core of a list that is not empty: a form, a call of a function, of a task or of a tool."""
        head = datum.head
        if not head or (scope is not None and scope.find(head)):
            return self.call(datum, scope)
        form = SPECIAL_FORMS.get(head)
        if form is not None:
            return self.special_form(form, datum, scope, top)
        meaning = self.names.meaning(head)
        if meaning is not None and meaning.kind == "primitive" and meaning.construct is not None:
            if meaning.construct.kind == "clause-form":
                return self.handled(meaning.construct, datum, scope)
            return self.call(datum, scope)
        if meaning is not None and meaning.kind in ("task", "tool"):
            return self.handled(PRIMITIVE_TABLE["call"], datum, scope)
        if meaning is None and looks_like_task_call(datum):
            return self.handled(PRIMITIVE_TABLE["call"], datum, scope)
        return self.call(datum, scope)

    def special_form(self, form: Construct, datum: Datum, scope: Scope | None, top: bool) -> Expression:
        """The core of a special form, its number of arguments and its place checked first."""
        count = len(datum.items) - 1
        if not form.accepts(count):
            message = f"`{datum.head}`: expected {form.expected}, found {count}"
            # Parts that are no expressions would each be reported as unbound names.
            are_values = form.name not in QUOTES and not form.clauses
            return self.invalid(datum, "arity", message, datum.items[0].span, scope, expand=are_values)
        if form.top_level_only and not top:
            message = f"`{datum.head}` stands at top level only"
            return self.invalid(datum, "bad-clause", message, datum.items[0].span, scope, expand=False)
        return self.handled(form, datum, scope)

    def handled(self, construct: Construct, datum: Datum, scope: Scope | None) -> Expression:
        """What the construct's handler makes of a list; a fault of the list's own makes it `Invalid`."""
        outer = self._replace_fault(None)
        result = HANDLERS[construct.name](self, datum, scope, construct)
        fault = self._replace_fault(outer)
        return result if fault is None or isinstance(result, Invalid) else Invalid(datum, fault, [result])

    def _replace_fault(self, fault: Problem | None) -> Problem | None:
        before, self.fault = self.fault, fault
        return before

    def call(self, datum: Datum, scope: Scope | None) -> Expression:
        """The core of a function call."""
        operator, *arguments = (self.expression(item, scope) for item in datum.items)
        return Call(datum, operator, arguments)

    def reference(self, datum: Datum, scope: Scope | None) -> Expression:
        """The core of a symbol used as a value."""
        name = datum.name
        binding = scope.find(name) if scope is not None else None
        if binding is not None and scope is not None:
            binding.references.append(datum)
            return LocalReference(datum, binding, scope)
        if name in SPECIAL_FORMS:
            return self.not_a_value(datum, "a special form")
        meaning = self.names.meaning(name)
        if meaning is not None:
            if meaning.construct is not None and meaning.construct.kind == "clause-form":
                return self.not_a_value(datum, "a primitive that takes clauses")
            if meaning.kind in ("task", "tool"):
                return self.not_a_value(datum, f"a {meaning.kind}")
        elif name in DYNAMIC_NAMES:
            return GlobalReference(datum, name, None)
        return GlobalReference(datum, name, meaning)

    def not_a_value(self, datum: Datum, what: str) -> Expression:
        message = f"`{datum.name}` is {what}, not a value: wrap the call in a lambda"
        return self.invalid(datum, "not-a-value", message, datum.span, None, expand=False)

    def quotation(self, kind: str, datum: Datum, inner: Datum, scope: Scope | None) -> Expression:
        """The core of a member of the quote family."""
        if kind == "quote":
            return Literal_(inner)
        if kind == "quasiquote":
            return self.template(inner, scope, 1)
        message = f"`{kind}` stands outside of a quasiquotation"
        return self.invalid(datum, "bad-clause", message, datum.span, scope, expand=False)

    def template(self, datum: Datum, scope: Scope | None, depth: int) -> Expression:
        """The core of a quasiquoted datum, `depth` quasiquotations deep."""
        kind, inner = quotation_of(datum)
        if inner is not None and kind in ("unquote", "unquote-splicing"):
            if depth == 1:
                if kind == "unquote-splicing":
                    message = "`,@` stands outside of a list"
                    return self.invalid(datum, "bad-clause", message, datum.span, scope, expand=False)
                return self.expression(inner, scope)
            depth -= 1
        elif inner is not None and kind == "quasiquote":
            depth += 1
        if inner is not None:
            word = Datum("symbol", datum.start, datum.start, kind)
            return Quasiquote(datum, [(Literal_(word), False), (self.template(inner, scope, depth), False)])
        if datum.kind != "list":
            return Literal_(datum)
        parts: list[tuple[Expression, bool]] = []
        for item in datum.items:
            kind, inner = quotation_of(item)
            if kind == "unquote-splicing" and inner is not None and depth == 1:
                parts.append((self.expression(inner, scope), True))
            else:
                parts.append((self.template(item, scope, depth), False))
        if all(isinstance(part, Literal_) and not spliced for part, spliced in parts):
            return Literal_(datum)
        return Quasiquote(datum, parts)

    def body(self, items: Iterable[Datum], scope: Scope | None) -> list[Expression]:
        """The core of each datum, in order."""
        return [self.expression(item, scope) for item in items]

    def problem(
        self,
        code: str,
        span: Span,
        message: str,
        related: tuple[Related, ...] = (),
        data: tuple[tuple[str, str], ...] = (),
    ) -> Problem:
        """Notes a problem, a fault of the construct being handled, and returns it."""
        problem = Problem(code, span, message, related, data)
        self.problems.append(problem)
        self.fault = self.fault or problem
        return problem

    def invalid(
        self, datum: Datum, code: str, message: str, span: Span, scope: Scope | None, expand: bool = True
    ) -> Invalid:
        """Notes a problem and stands for what has it; the arguments are expanded where `expand` is set."""
        parts = self.body(datum.items[1:], scope) if expand and datum.kind == "list" else []
        problem = Problem(code, span, message)
        self.problems.append(problem)
        return Invalid(datum, problem, parts)

    def unreadable(self, datum: Datum) -> Invalid:
        """Stands for what the reader has reported already."""
        return Invalid(datum, Problem("syntax", datum.span, f"`{write(datum)}` cannot be read"))


def quotation_of(datum: Datum) -> tuple[str, Datum | None]:
    """The kind of quotation and what is quoted, short or long form alike; an empty kind for other data."""
    if datum.kind in QUOTE_FORMS and datum.items:
        return datum.kind, datum.items[0]
    if datum.kind == "list" and len(datum.items) == 2 and datum.head in QUOTE_FORMS:
        return datum.head, datum.items[1]
    return "", None


def looks_like_task_call(datum: Datum) -> bool:
    """Whether a list reads as a call with named inputs, each `(name value)`."""
    arguments = datum.items[1:]
    return bool(arguments) and all(
        item.kind == "list" and len(item.items) == 2 and item.head and not _is_function_like(item.head)
        for item in arguments
    )


def _is_function_like(name: str) -> bool:
    return name in SPECIAL_FORMS or name in PRIMITIVE_TABLE
