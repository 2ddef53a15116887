"""What do the primitives do? Behaviour hung on the definitions of `language.primitives`, by name."""

from __future__ import annotations

from dramaturg.engine.evaluator.primitives import effects, lists, maps, numbers, predicates, strings
from dramaturg.engine.evaluator.primitives.registry import BEHAVIOUR, check_arity
from dramaturg.engine.evaluator.values import Primitive
from dramaturg.language.table import PRIMITIVE_TABLE

#: Every primitive that is a value, by each of its names.
PRIMITIVE_VALUES: dict[str, Primitive] = {
    name: Primitive(construct.name, *BEHAVIOUR[construct.name])
    for construct in PRIMITIVE_TABLE.constructs
    if construct.kind == "primitive"
    for name in construct.names
}

__all__ = [
    "BEHAVIOUR",
    "PRIMITIVE_VALUES",
    "check_arity",
    "effects",
    "lists",
    "maps",
    "numbers",
    "predicates",
    "strings",
]
