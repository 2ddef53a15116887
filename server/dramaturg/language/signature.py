"""What does a construct's signature, itself a form of the language, say of its arguments?

`(substring s:string start:integer &optional end:integer) -> string` is read by
the workflow reader: a parameter is `name` or `name:type`, types are joined by
`|`, what follows `&optional` may be left out, `...` repeats the parameter before
it, and a nested list is the shape of a clause.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dramaturg.syntax.datum import Datum, write
from dramaturg.syntax.workflow import read
from dramaturg.text import Span

#: Every type that a signature may name.
TYPES = frozenset("any nil boolean number integer string symbol list map record function result clause path".split())

ANY: tuple[str, ...] = ("any",)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One place of a signature; `types` are alternatives, `span` lies in the label."""

    name: str
    types: tuple[str, ...] = ANY
    optional: bool = False
    repeats: bool = False
    shape: str = ""
    span: Span = Span(0, 0)

    @property
    def accepts_any(self) -> bool:
        """Whether the parameter takes values of every type."""
        return "any" in self.types


@dataclass(frozen=True)
class Signature:
    """A construct's name, its parameters in order, and the types of its result."""

    name: str
    parameters: tuple[Parameter, ...]
    result: tuple[str, ...]
    label: str

    @cached_property
    def minimum(self) -> int:
        """The fewest arguments."""
        return sum(1 for parameter in self.parameters if not parameter.optional and not parameter.repeats)

    @cached_property
    def maximum(self) -> int | None:
        """The most arguments; None where there is no limit."""
        if any(parameter.repeats for parameter in self.parameters):
            return None
        return len(self.parameters)

    def parameter(self, index: int) -> Parameter | None:
        """The parameter that takes the argument at `index`, from 0."""
        if index < len(self.parameters):
            return self.parameters[index]
        last = self.parameters[-1] if self.parameters else None
        return last if last and last.repeats else None

    def accepts(self, count: int) -> bool:
        """Whether `count` arguments are neither too few nor too many."""
        return count >= self.minimum and (self.maximum is None or count <= self.maximum)


def parse_signature(text: str) -> Signature:
    """The signature that `text` writes down; ValueError where it is none, for whoever edits the table."""
    reading = read(text)
    roots = [form.root for form in reading.forms if form.root is not None]
    if reading.problems or not roots or roots[0].kind != "list" or not roots[0].head:
        raise ValueError(f"not a signature: {text}")
    result = ANY
    if len(roots) == 3 and roots[1].name == "->":
        result = _types(write(roots[2]), text)
    return _signature(roots[0], result, text)


def _signature(root: Datum, result: tuple[str, ...], text: str) -> Signature:
    parameters: list[Parameter] = []
    label = f"({root.head}"
    optional = False
    for item in root.items[1:]:
        if item.name == "&optional":
            optional = True
            continue
        if item.name == "...":
            last = parameters[-1]
            parameters[-1] = Parameter(
                last.name,
                last.types,
                last.optional,
                True,
                last.shape,
                Span(last.span.start, last.span.end + 4),
            )
            label += " ..."
            continue
        shape, name, types = "", "", ANY
        if item.kind == "list":
            shape = _shape(item)
            name = shape
            types = ("clause",)
        else:
            name, _, type_names = item.name.partition(":")
            types = _types(type_names, text) if type_names else ANY
        shown = f"[{name}]" if optional else name
        start = len(label) + 1
        label += " " + shown
        parameters.append(Parameter(name, types, optional, False, shape, Span(start, len(label))))
    return Signature(root.head, tuple(parameters), result, label + ")")


def _shape(item: Datum) -> str:
    if item.kind == "list":
        parts: list[str] = []
        optional = False
        for inner in item.items:
            if inner.name == "&optional":
                optional = True
            elif inner.name == "...":
                parts.append("...")
            else:
                parts.append(f"[{_shape(inner)}]" if optional else _shape(inner))
        return "(" + " ".join(parts) + ")"
    return item.name.partition(":")[0] if item.kind == "symbol" else str(item.value)


def _types(names: str, text: str) -> tuple[str, ...]:
    types = tuple(names.split("|"))
    unknown = [name for name in types if name not in TYPES]
    if unknown:
        raise ValueError(f"unknown type {unknown[0]} in {text}")
    return types


def count_words(signatures: tuple[Signature, ...]) -> str:
    """How many arguments are expected, in words: `2 arguments`, `1 to 3 arguments`, `at least 1 argument`."""
    low = min(signature.minimum for signature in signatures)
    highs = [signature.maximum for signature in signatures]
    return range_words(low, None if None in highs else max(high for high in highs if high is not None))


def range_words(low: int, high: int | None) -> str:
    """`low` to `high` arguments in words."""
    if high is None:
        return f"at least {low} argument{'' if low == 1 else 's'}"
    if low == high:
        return f"{low} argument{'' if low == 1 else 's'}"
    return f"{low} to {high} arguments"
