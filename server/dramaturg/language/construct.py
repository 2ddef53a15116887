"""What is one construct of the workflow language?

A construct is defined once, in the tables beside this module; arity, parameter
spans, snippet, hover, completion, semantic token and reference page follow from
its definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from dramaturg.language.signature import Signature, count_words, parse_signature

ConstructKind = Literal["form", "primitive", "clause-form"]


@dataclass(frozen=True)
class Clause:
    """A clause of a form, such as `(max-iterations n:integer)`; its name is the signature's.

    `start` is what an editor writes into it where it is missing.
    """

    text: str
    doc: str
    required: bool = False
    repeats: bool = False
    values: tuple[str, ...] = ()
    start: str = "nil"

    @cached_property
    def signature(self) -> Signature:
        """The clause's signature, read."""
        return parse_signature(self.text)

    @property
    def name(self) -> str:
        """The clause's canonical name."""
        return self.signature.name


@dataclass(frozen=True)
class Construct:
    """A special form, a primitive, or a primitive that takes clauses in place of values.

    `example` is an expression with its value behind `=>`, run by a test; `body`
    says from which argument on the formatter indents by two, -1 for none.
    """

    texts: tuple[str, ...]
    doc: str
    example: str
    group: str
    kind: ConstructKind
    aliases: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    body: int = -1
    top_level_only: bool = False
    since: str = "0.1"

    @cached_property
    def signatures(self) -> tuple[Signature, ...]:
        """The construct's signatures, read; more than one where the number of arguments decides."""
        return tuple(parse_signature(text) for text in self.texts)

    @property
    def name(self) -> str:
        """The construct's canonical name."""
        return self.signatures[0].name

    @property
    def names(self) -> tuple[str, ...]:
        """The canonical name, then the aliases."""
        return (self.name, *self.aliases)

    def accepts(self, count: int) -> bool:
        """Whether `count` arguments fit one of the signatures."""
        return any(signature.accepts(count) for signature in self.signatures)

    def signature_for(self, count: int) -> Signature:
        """The signature that a call with `count` arguments means; the last where none fits."""
        for signature in self.signatures:
            if signature.accepts(count):
                return signature
        return self.signatures[-1]

    @property
    def expected(self) -> str:
        """The number of arguments in words."""
        return count_words(self.signatures)

    def clause(self, name: str) -> Clause | None:
        """The clause of that name, written with `-` or `_`."""
        return next((clause for clause in self.clauses if same_name(clause.name, name)), None)


def same_name(left: str, right: str) -> bool:
    """Whether two clause or setting names are the same, `-` and `_` being one."""
    return left.replace("_", "-") == right.replace("_", "-")


class Table(Mapping[str, Construct]):
    """Constructs by each of their names."""

    def __init__(self, constructs: Iterable[Construct]) -> None:
        self.constructs = tuple(constructs)
        self._by_name: dict[str, Construct] = {}
        for construct in self.constructs:
            for name in construct.names:
                if name in self._by_name:
                    raise ValueError(f"`{name}` is defined twice")
                self._by_name[name] = construct

    def __getitem__(self, name: str) -> Construct:
        return self._by_name[name]

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)
