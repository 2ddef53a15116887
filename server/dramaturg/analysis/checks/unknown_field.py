"""Has a value the field that is asked of it?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.analysis.infer import MAPPING, Inference
from dramaturg.analysis.shapes import Shape
from dramaturg.language.expand import core
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.syntax.datum import Datum

RULE = Rule(
    "unknown-field",
    "warning",
    "A field that the value, as far as it is known, does not have.",
    "It is nil, always.",
    "(get-field (dict (title 1)) '‸titel‸)",
)
EXPRESSIONS = (core.Call, core.ParallelMap)


def check_expression(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`get-field` and `get-in` of records, of literal maps, and of answers with a known schema."""
    if isinstance(node, core.ParallelMap):
        Inference(names).learn(node)
    if not isinstance(node, core.Call) or not isinstance(node.operator, core.GlobalReference):
        return
    if node.operator.name in MAPPING:
        Inference(names).learn(node)
    if node.operator.name not in ("get-field", "get-in") or len(node.arguments) != 2:
        return
    meaning, key = node.operator.meaning, node.arguments[1]
    if meaning is None or meaning.kind != "primitive" or not isinstance(key, core.Literal_):
        return
    shape = Inference(names).shape(node.arguments[0])
    keys = [key.datum] if node.operator.name == "get-field" else list(key.datum.items)
    for datum in keys:
        if shape is None or datum.kind not in ("string", "symbol"):
            return
        if shape.fields is not None and str(datum.value) not in dict(shape.fields):
            yield _unknown(datum, shape)
            return
        shape = shape.field(str(datum.value))


def _unknown(datum: Datum, shape: Shape) -> Problem:
    known = [name for name, _ in shape.fields or ()]
    name = str(datum.value)
    hint = did_you_mean(name, known)
    if not hint and known:
        hint = f": expected one of {', '.join(known[:8])}{', …' if len(known) > 8 else ''}"
    near = nearest(name, known, 1)
    message = f"{shape.name or 'this map'} has no field `{name}`{hint}"
    return Problem(RULE.code, datum.span, message, data=(("replacement", near[0]),) if near else ())
