"""What can be written at the cursor?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dramaturg.analysis.environment import Environment, environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide import describe
from dramaturg.ide.part_completion import field_items, path_items
from dramaturg.ide.target import Target, target_at, visible_bindings
from dramaturg.ide.template_completion import template_items
from dramaturg.language.construct import Construct
from dramaturg.language.names import RESERVED_INPUTS, TaskShape
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.chunks import WHITE_SPACE
from dramaturg.syntax.datum import Datum
from dramaturg.text import Span

ItemKind = Literal["keyword", "function", "variable", "task", "tool", "field", "value", "element", "attribute", "file"]

#: How many completions are sent at once; a client asks again as more is typed.
MOST = 200

_SYMBOL = re.compile(rf"[^{WHITE_SPACE}()'\";`,\[\]{{}}]*$")
_OPEN_PLACEHOLDER = re.compile(r"\{\{\s*([\w.-]*)$")


@dataclass(frozen=True)
class Item:
    """One completion; `insert` is a snippet in LSP's syntax where `snippet` is set."""

    label: str
    kind: ItemKind
    span: Span
    detail: str = ""
    doc: str = ""
    insert: str = ""
    snippet: bool = False
    order: int = 5


def completions(document: Document, snapshot: Snapshot, offset: int) -> list[Item]:
    """The completions at an offset, the likeliest first."""
    if document.language == "template":
        return [Item(*item) for item in template_items(document, snapshot, offset)]
    target = target_at(document, offset)
    environment = environment_of(snapshot, document)
    datum = target.datum if target else None
    if target is not None and datum is not None and datum.kind == "string" and target.span(datum).start < offset:
        return _in_string(target, datum, document, offset, environment)
    line_start = document.text.rfind("\n", 0, offset) + 1
    if _in_comment(target, offset) or (";" in document.text[line_start:offset] and target is None):
        return []
    prefix = _SYMBOL.search(document.text, 0, offset)
    start = prefix.start() if prefix else offset
    span = Span(start, offset)
    enclosing = target.enclosing if target else None
    if target is not None and enclosing is not None:
        fields = field_items(target, environment, span, quoted=False)
        if fields:
            return [Item(*row) for row in fields]
        special = _inside(target, enclosing, environment, span)
        if special is not None:
            return special
    at_head = document.text[:start].rstrip(" ").endswith("(")
    return _names(target, environment, span, at_head)


def fitting(items: list[Item], document: Document) -> list[Item]:
    """The items whose labels hold what is typed, its letters in order, and no more of them than anybody reads."""
    kept: list[Item] = []
    for item in items:
        typed = document.text[item.span.start : item.span.end].lower()
        rest = iter(item.label.lower())
        if not typed or all(letter in rest for letter in typed):
            kept.append(item)
            if len(kept) == MOST:
                break
    return kept


def _in_comment(target: Target | None, offset: int) -> bool:
    if target is None:
        return False
    at = offset - target.form.start
    return any(span.start < at <= span.end for span in target.form.tree.comments)


def _inside(target: Target, enclosing: Datum, environment: Environment, span: Span) -> list[Item] | None:
    """Completions of a clause form or a task call; None where expressions are written."""
    local_start = span.start - target.form.start
    at_head = not enclosing.items or enclosing.items[0].start >= local_start
    owner = target.parent_of(enclosing) if at_head else None
    if (
        owner is not None
        and owner.kind == "list"
        and owner.head
        and (not owner.items or owner.items[0] is not enclosing)
    ):
        return _parts(owner, environment, span, bracketed=True, target=target)
    if not at_head and enclosing.head:
        values = _setting_values(target, enclosing, span)
        if values:
            return values
        items = _parts(enclosing, environment, span, bracketed=False, target=target)
        return items if items is not None and _only_clauses(enclosing, environment) else None
    return None


def _only_clauses(owner: Datum, environment: Environment) -> bool:
    form = SPECIAL_FORMS.get(owner.head) or PRIMITIVE_TABLE.get(owner.head)
    if form is not None:
        return bool(form.clauses) and form.name not in ("pmap", "defatom")
    return environment.task_named(owner.head) is not None


def _setting_values(target: Target, enclosing: Datum, span: Span) -> list[Item]:
    """The enumerated values of a clause such as `(inherit_context …)`."""
    from dramaturg.language.forms import CONTEXT_SETTINGS

    owner = target.parent_of(enclosing)
    form = (SPECIAL_FORMS.get(owner.head) or PRIMITIVE_TABLE.get(owner.head)) if owner else None
    clause = form.clause(enclosing.head) if form else None
    clause = clause or CONTEXT_SETTINGS.get(enclosing.head.replace("-", "_"))
    if clause is None or not clause.values:
        return []
    return [Item(value, "value", span, detail=clause.name, doc=clause.doc, order=1) for value in clause.values]


def _parts(owner: Datum, environment: Environment, span: Span, bracketed: bool, target: Target) -> list[Item] | None:
    """Clauses of a form, or inputs of a task, that are not written yet."""
    written = {item.head for item in owner.items[1:] if target.form.start + item.start not in (span.start - 1,)}
    form = SPECIAL_FORMS.get(owner.head) or PRIMITIVE_TABLE.get(owner.head)
    shape: TaskShape | None = None
    if form is not None and form.name in ("atomic-task", "direct-tool", "call"):
        shape = environment.task_named(str(owner.items[1].value)) if len(owner.items) > 1 else None
    elif form is not None:
        if owner.head == "sequential" or form.clauses:
            left = [clause for clause in form.clauses if clause.repeats or clause.name not in written]
            return [
                Item(
                    clause.name,
                    "field",
                    span,
                    "clause" if clause.required else "optional clause",
                    f"`{clause.signature.label}` {clause.doc}",
                    _bracket(f"{clause.name} $1", bracketed),
                    True,
                    1 if clause.required else 2,
                )
                for clause in left
            ]
        return None
    else:
        meaning = environment.meaning(owner.head)
        shape = meaning.task if meaning is not None else None
    if shape is None:
        return None
    items = [
        Item(
            item.name,
            "field",
            span,
            f"{item.type}{'' if item.required else ', optional'}",
            item.doc,
            _bracket(f"{item.name} $1", bracketed),
            True,
            1 if item.required else 2,
        )
        for item in shape.inputs
        if item.name not in written
    ]
    reserved = [
        Item(name, "field", span, "of every call", doc, _bracket(f"{name} $1", bracketed), True, 4)
        for name, doc in RESERVED_INPUTS.items()
        if name not in written
    ]
    return [*items, *reserved]


def _bracket(text: str, bracketed: bool) -> str:
    return text if bracketed else f"({text})"


def _names(target: Target | None, environment: Environment, span: Span, at_head: bool) -> list[Item]:
    """Every name that an expression may use."""
    items: dict[str, Item] = {}

    def add(item: Item) -> None:
        items.setdefault(item.label, item)

    for binding in visible_bindings(target, environment) if target else []:
        add(Item(binding.name, "variable", span, binding.kind, describe.binding(binding), order=0))
    for name, places in environment.definitions.items():
        definition = places[0].definition
        if definition.kind == "task":
            continue
        kind: ItemKind = "function" if definition.kind == "function" else "variable"
        add(Item(name, kind, span, definition.label, order=1))
    if at_head:
        for form in SPECIAL_FORMS.constructs:
            for name in form.names:
                add(
                    Item(
                        name,
                        "keyword",
                        span,
                        form.signatures[0].label,
                        describe.construct(form),
                        _snippet(form, name),
                        True,
                        3,
                    )
                )
    for primitive in PRIMITIVE_TABLE.constructs:
        if at_head or primitive.kind == "primitive":
            for name in primitive.names:
                add(Item(name, "function", span, primitive.signatures[0].label, describe.construct(primitive), order=4))
    for name, doc in DYNAMIC_NAMES.items():
        add(Item(name, "variable", span, "in loops", doc, order=6))
    if at_head:
        for name in environment.task_names():
            shape = environment.task_named(name)
            if shape is not None:
                kind = "tool" if name.startswith("system:") else "task"
                required = [item.name for item in shape.inputs if item.required]
                holes = "".join(f" ({item} ${number})" for number, item in enumerate(required, 1))
                add(Item(name, kind, span, shape.description, describe.task(shape, kind), name + holes, True, 2))
    return sorted(items.values(), key=lambda item: (item.order, item.label))


def _snippet(form: Construct, name: str) -> str:
    """The form with a tab stop at each place, made from its signature and its required clauses."""
    stops = 0
    parts: list[str] = []

    def stop(text: str) -> str:
        nonlocal stops
        stops += 1
        return f"${{{stops}:{text}}}"

    required = [clause for clause in form.clauses if clause.required]
    for parameter in form.signatures[0].parameters:
        if parameter.optional or (parameter.name == "clause" and required):
            continue
        if parameter.shape:
            words = re.sub(r"\.\.\.", "", parameter.shape)
            parts.append(re.sub(r"[A-Za-z][\w-]*", lambda match: stop(match.group()), words).replace(" )", ")"))
        else:
            parts.append(stop(parameter.name))
    if (
        required
        and form.signatures[0].parameters
        and form.signatures[0].parameters[-1].name == "clause"
        and form.name != "defatom"
    ):
        parts.extend(f"\n  ({clause.name} {stop('…')})" for clause in required)
    text = " ".join(parts).replace(" \n", "\n")
    return f"{name} {text}" if not text.startswith("\n") else name + text


def _in_string(target: Target, datum: Datum, document: Document, offset: int, environment: Environment) -> list[Item]:
    """Fields of a known value, paths of files to load, placeholders inside the prompts of a `defatom`."""
    root = target.form.root
    start = target.span(datum).start
    written = document.text[start + 1 : offset]
    enclosing = target.enclosing
    if enclosing is not None and enclosing.head == "load":
        return [Item(*row) for row in path_items(document, environment.snapshot, written, offset)]
    fields = field_items(target, environment, Span(start + 1, offset), quoted=True)
    if fields:
        return [Item(*row) for row in fields]
    opened = _OPEN_PLACEHOLDER.search(document.text[start:offset])
    if root is None or root.head != "defatom" or opened is None:
        return []
    span = Span(offset - len(opened.group(1)), offset)
    closing = "" if document.text.startswith("}}", offset) else "}}"
    from dramaturg.analysis.facts import facts

    shapes = [item.task for item in facts(target.form.tree).definitions if item.task is not None]
    return [
        Item(item.name, "field", span, item.type, item.doc, item.name + closing, False, 1)
        for shape in shapes
        for item in shape.inputs
    ]
