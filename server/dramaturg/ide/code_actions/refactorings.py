"""Which refactorings fit the form under the cursor?

None changes what a run does without its title saying so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.environment import Environment, environment_of
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.code_actions.action import Action, FileEdit
from dramaturg.ide.target import Target, core_of, target_at
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import scopes, walk
from dramaturg.syntax.datum import Datum
from dramaturg.syntax.xml import escaped, quoted
from dramaturg.text import Span


def refactorings(document: Document, snapshot: Snapshot, span: Span) -> list[Action]:
    """The refactorings of a part of a workflow."""
    target = target_at(document, span.start)
    if target is None:
        return []
    environment = environment_of(snapshot, document)
    expression = core_of(target.form, environment)
    if expression is None:
        return []
    nodes = list(walk(expression))
    found: list[Action] = []
    found += _wraps(document, target, nodes)
    found += _extract(document, target, nodes, span, environment)
    found += _inline(document, target, nodes)
    found += _to_template(document, target, expression, snapshot)
    found += _sorted_inputs(document, target, nodes)
    return found


def _node_of(target: Target, nodes: list[core.Expression]) -> core.Expression | None:
    """The innermost expression that is written as a list around the cursor."""
    for datum in reversed(target.chain):
        if datum.kind == "list":
            found = next((node for node in nodes if node.datum is datum), None)
            if found is not None:
                return found
    return None


def _wraps(document: Document, target: Target, nodes: list[core.Expression]) -> Iterator[Action]:
    node = _node_of(target, nodes)
    kinds = (core.Define, core.DefineAtom, core.DefineTest, core.Load, core.Invalid)
    if node is None or isinstance(node, kinds):
        return
    span = target.span(node.datum)
    text = document.text[span.start : span.end]
    outer = target.parent_of(node.datum)
    if isinstance(node, core.TaskCall) and (outer is None or outer.head != "unwrap"):
        edit = FileEdit(span, f"(unwrap {text})")
        yield Action("Wrap in `unwrap`: a failed result is raised as an error", "refactor.rewrite", (edit,))
    if outer is None or outer.head != "try":
        indent = " " * (document.lines.position(span.start).column + 2)
        edit = FileEdit(span, f"(try {text}\n{indent}(catch (e) nil))")
        yield Action("Wrap in `try`: an error becomes nil", "refactor.rewrite", (edit,))


def _extract(
    document: Document, target: Target, nodes: list[core.Expression], span: Span, environment: Environment
) -> Iterator[Action]:
    """The selected expression, or the one that the cursor is at the start of, as a function of its free locals."""
    selected = Span(span.start - target.form.start, span.end - target.form.start)
    node = next((node for node in nodes if node.datum.kind == "list" and node.datum.span == selected), None)
    if node is None or node.datum is target.form.root or isinstance(node, core.Define | core.Invalid):
        return
    inside = set(map(id, walk(node)))
    bound = {id(binding) for item in walk(node) for scope in scopes(item) for binding in scope.bindings}
    free: dict[str, None] = {}
    for item in nodes:
        if id(item) in inside and isinstance(item, core.LocalReference) and id(item.binding) not in bound:
            if item.binding.assigned:
                return
            free[item.binding.name] = None
        if id(item) in inside and isinstance(item, core.Define):
            return
    name, number = "extracted", 2
    while name in environment.definitions:
        name, number = f"extracted-{number}", number + 1
    call = "(" + " ".join([name, *free]) + ")"
    text = document.text[span.start : span.end]
    head = target.form.start
    edits = (FileEdit(Span(head, head), f"(define {call}\n  {text})\n\n"), FileEdit(span, call))
    yield Action(f"Extract to the function `{name}`", "refactor.extract", edits)


def _inline(document: Document, target: Target, nodes: list[core.Expression]) -> Iterator[Action]:
    """A let binding put in the places of its name."""
    for node in nodes:
        if not isinstance(node, core.Let) or node.datum.kind != "list" or len(node.datum.items) < 2:
            continue
        for binding in node.bindings:
            if binding.datum is not target.datum or binding.assigned or binding.value is None or not binding.references:
                continue
            pair = next(
                (item for item in node.datum.items[1].items if item.items and item.items[0] is binding.datum), None
            )
            if pair is None or len(pair.items) != 2 or _captured(binding, node):
                continue
            span = target.span(pair.items[1])
            value = document.text[span.start : span.end]
            constant = isinstance(binding.value, core.Literal_ | core.Lambda)
            count = len(binding.references)
            say = "" if constant else (": it is evaluated where it is used" + (f", {count} times" if count > 1 else ""))
            edits = [FileEdit(target.span(item), value) for item in binding.references]
            edits.append(FileEdit(_without_space(document, target.span(pair), target.span(node.datum.items[1])), ""))
            yield Action(f"Inline `{binding.name}`{say}", "refactor.inline", tuple(edits))


def _captured(binding: core.Binding, node: core.Let) -> bool:
    """Whether a name in the value would mean another binding at one of the uses."""
    value = binding.value
    names = {item.binding.name for item in walk(value) if isinstance(item, core.LocalReference)} if value else set()
    inner = {
        other.name
        for item in walk(node)
        for scope in scopes(item)
        for other in scope.bindings
        if other is not binding and other.datum.start > binding.datum.start
    }
    return bool(names & inner)


def _without_space(document: Document, span: Span, around: Span) -> Span:
    """A binding with the white space that parts it from its neighbour."""
    start, end = span
    while end < around.end - 1 and document.text[end] in " \t\n":
        end += 1
    if end == around.end - 1:
        while start > around.start + 1 and document.text[start - 1] in " \t\n":
            start -= 1
    return Span(start, end)


def _to_template(
    document: Document, target: Target, expression: core.Expression, snapshot: Snapshot
) -> Iterator[Action]:
    """A `defatom` as a template file."""
    if not isinstance(expression, core.DefineAtom) or not re.fullmatch(r"[\w:.-]+", expression.name):
        return
    path = Path(document.path).parent / f"{expression.name.replace(':', '-')}.task.xml"
    if snapshot.exists(path) or target.form.tree.problems:
        return
    end = target.form.span.end
    while document.text[end : end + 1] == "\n":
        end += 1
    edit = FileEdit(Span(target.form.start, end), "")
    title = f"Move to the template {path.name}: every workflow can call it then"
    yield Action(title, "refactor.rewrite", (edit,), creates=(str(path), template_text(expression)))


def template_text(node: core.DefineAtom) -> str:
    """The template that says what a `defatom` says."""
    texts = {name: str(clause.items[1].value) for name, clause in node.clauses.items() if len(clause.items) == 2}
    subtype = f" subtype={quoted(texts['subtype'])}" if "subtype" in texts else ""
    lines = [f'<task name={quoted(node.name)} type="atomic"{subtype}>']
    lines.append(f"  <description>{escaped(texts.get('description', node.name))}</description>")
    lines.append(f"  <instructions>{escaped(texts.get('instructions', ''))}</instructions>")
    lines += [f"  <{name}>{escaped(texts[name])}</{name}>" for name in ("system", "provider", "model") if name in texts]
    if node.parameters:
        lines.append("  <inputs>")
        for item in node.parameters:
            required = ' required="false"' if item.optional else ""
            type_ = f' type="{item.type}"' if item.type != "any" else ""
            lines.append(f"    <input name={quoted(item.name)}{type_}{required}></input>")
        lines.append("  </inputs>")
    output = _pairs(node.clauses.get("output_format"))
    if output:
        lines.append("  <output_format " + " ".join(f"{key}={quoted(value)}" for key, value in output) + "/>")
    for clause in ("context_management", "limits"):
        pairs = _pairs(node.clauses.get(clause))
        if pairs:
            inner = "".join(
                f"<{key.replace('-', '_')}>{escaped(value)}</{key.replace('-', '_')}>" for key, value in pairs
            )
            lines.append(f"  <{clause}>{inner}</{clause}>")
    files = node.clauses.get("files")
    if files is not None:
        paths = "".join(f"<path>{escaped(str(item.value))}</path>" for item in files.items[1:])
        lines.append(f"  <file_paths>{paths}</file_paths>")
    return "\n".join([*lines, "</task>", ""])


def _pairs(clause: Datum | None) -> list[tuple[str, str]]:
    if clause is None:
        return []
    items = clause.items[1].items if len(clause.items) == 2 and not clause.items[1].head else clause.items[1:]
    return [(item.head, _plain(item.items[1])) for item in items if item.head and len(item.items) == 2]


def _plain(datum: Datum) -> str:
    return ("true" if datum.value else "false") if datum.kind == "boolean" else str(datum.value)


def _sorted_inputs(document: Document, target: Target, nodes: list[core.Expression]) -> Iterator[Action]:
    """The inputs of a call in the order in which the task declares them."""
    node = _node_of(target, nodes)
    if not isinstance(node, core.TaskCall) or node.meaning is None or node.meaning.task is None:
        return
    order = [item.name for item in node.meaning.task.inputs]
    named = [item for item in node.inputs if item.name_datum is not item.datum]
    rank = {name: index for index, name in enumerate(order)}
    wanted = sorted(named, key=lambda item: rank.get(item.name, len(order)))
    if wanted == named or len(named) < 2:
        return
    texts = [document.text[slice(*target.span(item.datum))] for item in wanted]
    edits = tuple(FileEdit(target.span(item.datum), text) for item, text in zip(named, texts, strict=True))
    constant = all(isinstance(item.value, core.Literal_ | core.LocalReference | core.GlobalReference) for item in named)
    say = "" if constant else ", which changes the order of evaluation"
    yield Action(f"Sort the inputs as they are declared{say}", "refactor.rewrite", edits)
