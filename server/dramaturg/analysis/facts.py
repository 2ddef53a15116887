"""What does one top-level form say by itself, whatever stands around it?

A pure function of the form's tree; spans count from the form's start. What
crosses forms and files is folded from these facts by `environment`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.language.expand.definitions import defined_names
from dramaturg.language.names import InputShape, TaskShape
from dramaturg.syntax.datum import Datum, write
from dramaturg.syntax.workflow import Tree
from dramaturg.text import Span

DefinitionKind = Literal["function", "value", "task", "test"]


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level name that a form defines; `arity` and `label` are a function's."""

    name: str
    kind: DefinitionKind
    span: Span
    label: str = ""
    arity: tuple[int, int | None] | None = None
    task: TaskShape | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """A form's definitions, and the files that it loads."""

    definitions: tuple[Definition, ...] = ()
    loads: tuple[tuple[str, Span], ...] = ()


def facts(tree: Tree) -> Facts:
    """The facts of one form."""
    found: Facts | None = tree.notes.get("facts")
    if found is None:
        found = tree.notes["facts"] = _facts(tree)
    return found


def _facts(tree: Tree) -> Facts:
    root = tree.root
    if root is None or root.kind != "list":
        return Facts()
    head = root.head
    if head == "load" and len(root.items) == 2 and root.items[1].kind == "string":
        return Facts(loads=((str(root.items[1].value), root.items[1].span),))
    if head == "defatom" and len(root.items) > 1 and root.items[1].name:
        name = root.items[1]
        shape = _atom_shape(root)
        return Facts((Definition(name.name, "task", name.span, write(root.items[1]), None, shape),))
    if head == "deftest":
        if len(root.items) > 1 and root.items[1].kind in ("symbol", "string"):
            return Facts((Definition(str(root.items[1].value), "test", root.items[1].span),))
        return Facts()
    return Facts(tuple(_definition(root, name, datum) for name, datum in defined_names([root])))


def assigned(tree: Tree) -> frozenset[str]:
    """The names that a form may change by `set!`."""
    found: frozenset[str] | None = tree.notes.get("assigned")
    if found is None:
        found = tree.notes["assigned"] = _assigned(tree)
    return found


def _assigned(tree: Tree) -> frozenset[str]:
    data = tree.root.walk() if tree.root is not None else ()
    return frozenset(item.items[1].name for item in data if item.head == "set!" and len(item.items) > 1)


def _definition(root: Datum, name: str, datum: Datum) -> Definition:
    if root.head == "define" and len(root.items) > 1:
        target = root.items[1]
        if target.kind == "list" and target.items and target.items[0] is datum:
            return Definition(name, "function", datum.span, write(target), _arity(target.items[1:]))
        if target is datum and len(root.items) == 3 and root.items[2].head == "lambda" and len(root.items[2].items) > 1:
            parameters = root.items[2].items[1].items
            label = "(" + " ".join([name, *(write(item) for item in parameters)]) + ")"
            return Definition(name, "function", datum.span, label, _arity(parameters))
    return Definition(name, "value", datum.span, name)


def _arity(parameters: tuple[Datum, ...]) -> tuple[int, int | None]:
    names = [item.name for item in parameters]
    if "." in names:
        return names.index("."), None
    return len(names), len(names)


def _atom_shape(root: Datum) -> TaskShape:
    inputs: list[InputShape] = []
    description, schema = "", None
    for clause in root.items[2:]:
        if clause.head == "params":
            for item in clause.items[1:]:
                parts = [part.name for part in (item.items if item.kind == "list" else (item,))]
                if parts and parts[0]:
                    optional = "optional" in parts[1:2]
                    type_ = parts[-1] if len(parts) > 1 and parts[-1] != "optional" else "any"
                    inputs.append(InputShape(parts[0], not optional, type_))
        elif clause.head == "description" and len(clause.items) == 2:
            description = str(clause.items[1].value)
        elif clause.head.replace("-", "_") == "output_format":
            schema = _schema(clause)
    return TaskShape(root.items[1].name, tuple(inputs), description, schema)


def _schema(clause: Datum) -> str | None:
    """The schema that an `output_format` clause names, in either way of writing its pairs."""
    pairs = clause.items[1].items if len(clause.items) == 2 and not clause.items[1].head else clause.items[1:]
    named = next((pair.items[1] for pair in pairs if pair.head == "schema" and len(pair.items) == 2), None)
    return str(named.value) if named is not None and named.kind in ("string", "symbol") else None
