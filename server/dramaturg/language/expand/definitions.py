"""Which names does a body bind by `define` and `bind`, wherever in it they stand?

Scopes are made by the let family, lambda and define bodies, catch, deftest and
sequential; everything else leaves its definitions to the scope around it
(language contract, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dramaturg.language.expand.core import Scope
from dramaturg.syntax.datum import Datum

_OWN_SCOPE = frozenset(("lambda", "letrec", "let*", "sequential", "deftest", "catch", "quote", "defatom"))


def declare(scope: Scope, body: Iterable[Datum]) -> None:
    """Binds in `scope` the names that its body defines, unless the scope has them already."""
    for name, datum in defined_names(body):
        if name not in scope.names:
            scope.bind(name, "define", datum, late=True)


def defined_names(body: Iterable[Datum]) -> Iterator[tuple[str, Datum]]:
    """Every name that `define` or `bind` binds in the scope of `body`, with the name's datum."""
    waiting = list(body)[::-1]
    while waiting:
        datum = waiting.pop()
        if datum.kind == "quasiquote":
            continue
        if datum.kind != "list" or not datum.items:
            continue
        head = datum.head
        if head in ("define", "bind") and len(datum.items) > 1:
            target = datum.items[1]
            if target.kind == "list" and target.head:
                yield target.head, target.items[0]
                continue
            if target.name:
                yield target.name, target
            waiting.extend(reversed(datum.items[2:]))
        elif head == "let" and len(datum.items) > 1:
            bindings = datum.items[1] if datum.items[1].kind == "list" or len(datum.items) < 3 else datum.items[2]
            waiting.extend(pair.items[1] for pair in reversed(bindings.items) if len(pair.items) > 1)
        elif head not in _OWN_SCOPE:
            waiting.extend(reversed(datum.items))
