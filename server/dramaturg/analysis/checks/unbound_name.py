"""Is every name bound?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.language.table import DYNAMIC_NAMES

RULE = Rule(
    "unbound-name", "error", "A name that nothing binds.", "A run would stop where it is used.", "(+ 1 ‸coutn‸)"
)
EXPRESSIONS = (core.GlobalReference,)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """Names that neither the file nor the language nor the workspace knows, with the one that was probably meant."""
    if isinstance(node, core.GlobalReference) and node.meaning is None and node.name not in DYNAMIC_NAMES:
        known = names.known_names()
        near = nearest(node.name, known, 1)
        message = f"`{node.name}` is not bound{did_you_mean(node.name, known)}"
        yield Problem(RULE.code, node.datum.span, message, data=(("replacement", near[0]),) if near else ())
