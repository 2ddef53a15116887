"""What do the forms mean that stand at top level only: `defatom`, `load`, `deftest`?"""

from __future__ import annotations

from dramaturg.language.construct import Construct
from dramaturg.language.expand.clauses import context_settings, given_clauses
from dramaturg.language.expand.core import (
    AtomParameter,
    DefineAtom,
    DefineTest,
    Expression,
    Invalid,
    Load,
    Scope,
)
from dramaturg.language.expand.definitions import declare
from dramaturg.language.expand.expander import Expander, handles
from dramaturg.language.problem import Related
from dramaturg.language.table import SPECIAL_FORMS
from dramaturg.syntax.datum import Datum, write

#: Types that an input may declare.
INPUT_TYPES = ("string", "number", "integer", "boolean", "list", "map", "any")

_LITERAL_CLAUSES = frozenset(("instructions", "system", "model", "provider", "description", "subtype"))


@handles("defatom")
def defatom(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`defatom`."""
    name = datum.items[1]
    if not name.name:
        return Invalid(
            datum,
            x.problem("bad-clause", name.span, f"`defatom`: expected a task's name, found `{write(name)}`"),
        )
    given = given_clauses(x, form, datum, datum.items[2:])
    parameters = _parameters(x, given.get("params", []))
    clauses = {key: items[0] for key, items in given.items() if key != "params"}
    for key in _LITERAL_CLAUSES & clauses.keys():
        value = clauses[key].items[1]
        if value.kind not in ("string", "symbol", "error"):
            x.problem(
                "wrong-type",
                value.span,
                f"`defatom`: `{key}` must be a literal string, found `{write(value)}`",
            )
    subtype = clauses.get("subtype")
    if subtype is not None:
        allowed = next(clause.values for clause in form.clauses if clause.name == "subtype")
        value = subtype.items[1]
        if value.kind in ("string", "symbol") and value.value not in allowed:
            x.problem(
                "bad-clause",
                value.span,
                f"`subtype`: expected one of {', '.join(allowed)}, found `{write(value)}`",
            )
    if "context_management" in clauses:
        context_settings(x, "context_management", pairs_of(clauses["context_management"]))
    if name.name in SPECIAL_FORMS:
        x.problem("bad-clause", name.span, f"`{name.name}` is a special form and cannot be a task's name")
    return DefineAtom(datum, name.name, name, parameters, clauses)


def pairs_of(clause: Datum) -> tuple[Datum, ...]:
    """The pairs of a clause, written `(c (a 1) (b 2))` or `(c ((a 1) (b 2)))`."""
    items = clause.items[1:]
    if len(items) == 1 and items[0].kind == "list" and items[0].items and items[0].items[0].kind == "list":
        return items[0].items
    return items


def _parameters(x: Expander, clauses: list[Datum]) -> list[AtomParameter]:
    found: dict[str, AtomParameter] = {}
    for item in (item for clause in clauses for item in clause.items[1:]):
        parts = item.items if item.kind == "list" else (item,)
        names = [part.name for part in parts]
        if not 1 <= len(parts) <= 3 or not all(names) or (len(parts) == 3 and names[1] != "optional"):
            if item.kind != "error":
                message = f"`params`: expected `p`, `(p)`, `(p type)` or `(p optional type)`, found `{write(item)}`"
                x.problem("bad-clause", item.span, message)
            continue
        type_name = names[-1] if len(names) > 1 and names[-1] != "optional" else "any"
        optional = len(names) == 3 or names[1:] == ["optional"]
        if type_name not in INPUT_TYPES:
            message = f"`params`: unknown type `{type_name}`: expected one of {', '.join(INPUT_TYPES)}"
            x.problem("bad-clause", parts[-1].span, message)
        if names[0] in found:
            related = (Related(found[names[0]].datum.span, "declared here first"),)
            x.problem("repeated-parameter", parts[0].span, f"`{names[0]}` is declared twice", related)
            continue
        found[names[0]] = AtomParameter(parts[0], names[0], type_name, optional)
    return list(found.values())


@handles("load")
def load(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`load`."""
    path = datum.items[1]
    if path.kind != "string":
        message = f"`load`: expected a literal path, found `{write(path)}`"
        return Invalid(datum, x.problem("wrong-type", path.span, message))
    return Load(datum, str(path.value), path)


@handles("deftest")
def deftest(x: Expander, datum: Datum, scope: Scope | None, form: Construct) -> Expression:
    """`deftest`."""
    name = datum.items[1]
    if name.kind not in ("symbol", "string"):
        message = f"`deftest`: expected a test's name, found `{write(name)}`"
        return Invalid(datum, x.problem("bad-clause", name.span, message), x.body(datum.items[2:], scope))
    inner = Scope(scope)
    declare(inner, datum.items[2:])
    return DefineTest(datum, str(name.value), name, inner, x.body(datum.items[2:], inner))
