"""Which clauses has a form been given, and do they have the shape that its table says?"""

from __future__ import annotations

from collections.abc import Iterable

from dramaturg.language.construct import Clause, Construct, same_name
from dramaturg.language.expand.core import Setting
from dramaturg.language.expand.expander import Expander
from dramaturg.language.forms import CONTEXT_SETTINGS
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Related
from dramaturg.syntax.datum import Datum, write


def given_clauses(x: Expander, construct: Construct, datum: Datum, items: Iterable[Datum]) -> dict[str, list[Datum]]:
    """The clauses of a form by canonical name; unknown, repeated and missing ones are reported."""
    where = datum.head
    given: dict[str, list[Datum]] = {}
    for item in items:
        if item.kind == "error":
            continue
        if item.kind != "list" or not item.head:
            expected = ", ".join(f"`{clause.name}`" for clause in construct.clauses)
            x.problem(
                "bad-clause",
                item.span,
                f"`{where}`: expected a clause, one of {expected}, found `{_short(item)}`",
            )
            continue
        clause = construct.clause(item.head)
        if clause is None:
            names = [known.name for known in construct.clauses]
            message = f"`{where}`: unknown clause `{item.head}`{did_you_mean(item.head, names)}"
            x.problem("bad-clause", item.items[0].span, message, data=_replacement(item.head, names))
            continue
        if clause.name in given and not clause.repeats:
            related = (Related(given[clause.name][0].span, "the first one"),)
            x.problem(
                "bad-clause",
                item.items[0].span,
                f"`{where}`: the clause `{clause.name}` is given twice",
                related,
            )
            continue
        count = len(item.items) - 1
        if not clause.signature.accepts(count):
            message = f"`{where}`: the clause `{clause.signature.label}` has {count} part{'' if count == 1 else 's'}"
            x.problem("bad-clause", item.span, message)
            continue
        given.setdefault(clause.name, []).append(item)
    missing = [clause for clause in construct.clauses if clause.required and clause.name not in given]
    reported = {item.head for item in items if item.kind == "list"}
    missing = [clause for clause in missing if not any(same_name(name, clause.name) for name in reported)]
    if missing:
        labels = ", ".join(f"`{clause.signature.label}`" for clause in missing)
        message = f"`{where}`: missing clause{'s' if len(missing) > 1 else ''} {labels}"
        data = (("missing", " ".join(clause.name for clause in missing)),)
        x.problem("bad-clause", datum.items[0].span, message, data=data)
    return given


def context_settings(x: Expander, where: str, items: Iterable[Datum]) -> list[Setting]:
    """Literal context settings such as `(inherit_context none)`, checked against their values."""
    found = settings(x, where, items, CONTEXT_SETTINGS)
    values = {setting.name: setting.value for setting in found}
    if values.get("fresh_context") == "enabled" and values.get("inherit_context") in ("full", "subset"):
        conflict = next(setting for setting in found if setting.name == "fresh_context")
        message = f"`fresh_context` enabled cannot stand beside `inherit_context` {values['inherit_context']}"
        x.problem("context-conflict", conflict.datum.span, message)
    return found


def settings(x: Expander, where: str, items: Iterable[Datum], known: dict[str, Clause]) -> list[Setting]:
    """Literal settings `(name value)`; names may be written with `-` or `_`."""
    found: list[Setting] = []
    for item in items:
        if item.kind != "list" or len(item.items) != 2 or not item.head:
            if item.kind != "error":
                x.problem(
                    "bad-clause",
                    item.span,
                    f"`{where}`: expected a setting `(name value)`, found `{_short(item)}`",
                )
            continue
        name = next((key for key in known if same_name(key, item.head)), None)
        if name is None:
            message = f"`{where}`: unknown setting `{item.head}`{did_you_mean(item.head, known)}"
            x.problem("bad-clause", item.items[0].span, message, data=_replacement(item.head, known))
            continue
        value = _setting_value(item.items[1])
        if any(setting.name == name for setting in found):
            x.problem("bad-clause", item.items[0].span, f"`{where}`: the setting `{name}` is given twice")
            continue
        allowed = known[name].values
        if allowed and str(value).lower() not in allowed:
            message = f"`{name}`: expected one of {', '.join(allowed)}, found `{_short(item.items[1])}`"
            x.problem("bad-clause", item.items[1].span, message)
            continue
        found.append(Setting(item, name, value))
    return found


def _setting_value(datum: Datum) -> object:
    if datum.kind == "quote" and datum.items:
        datum = datum.items[0]
    if datum.kind == "boolean":
        return "true" if datum.value else "false"
    if datum.kind in ("symbol", "string", "number"):
        return datum.value
    return write(datum)


def _replacement(name: str, names: Iterable[str]) -> tuple[tuple[str, str], ...]:
    near = nearest(name, names)
    return (("replacement", near[0]),) if near else ()


def _short(datum: Datum) -> str:
    text = write(datum).replace("\n", " ")
    return text if len(text) <= 40 else text[:36] + " …"
