"""What stands under the cursor? Asked once, used by every feature."""

from __future__ import annotations

from dataclasses import dataclass

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.forms import expression_of
from dramaturg.analysis.infer import Inference
from dramaturg.analysis.snapshot import Document
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import scopes, walk
from dramaturg.syntax.datum import Datum
from dramaturg.syntax.workflow import Form
from dramaturg.text import Span


@dataclass(frozen=True)
class Target:
    """The form at an offset, and the data that hold it, outermost first; `offset` counts from the form's start."""

    form: Form
    offset: int
    chain: tuple[Datum, ...]

    @property
    def datum(self) -> Datum | None:
        """The innermost datum."""
        return self.chain[-1] if self.chain else None

    @property
    def enclosing(self) -> Datum | None:
        """The innermost list around the cursor that the cursor is inside of."""
        for datum in reversed(self.chain):
            if (
                datum.kind == "list"
                and datum.start < self.offset
                and (self.offset < datum.end or _is_open(self.form, datum))
            ):
                return datum
        return None

    def parent_of(self, datum: Datum) -> Datum | None:
        """The datum directly around one of the chain."""
        for index, item in enumerate(self.chain):
            if item is datum:
                return self.chain[index - 1] if index else None
        return None

    def span(self, datum: Datum) -> Span:
        """The datum's span in the file."""
        return datum.span.shift(self.form.start)


def _is_open(form: Form, datum: Datum) -> bool:
    """Whether a list reaches the end of its form's text without a parenthesis of its own."""
    return datum.end == len(form.text) and any(item.span.start == datum.start for item in form.tree.problems)


def target_at(document: Document, offset: int) -> Target | None:
    """The target at an offset of a workflow; None between forms."""
    best: Target | None = None
    for form in document.reading.forms:
        if form.start > offset:
            break
        inside = offset <= form.span.end or (form.tree.problems and form is document.reading.forms[-1])
        if inside and form.root is not None:
            best = Target(form, offset - form.start, _chain(form, form.root, offset - form.start))
    return best


def _chain(form: Form, root: Datum, offset: int) -> tuple[Datum, ...]:
    """The data that hold an offset; a list that is not closed yet holds what comes after it too."""
    chain = [root]
    while True:
        inside = [
            item
            for item in chain[-1].items
            if item.start <= offset and (offset <= item.end or (item.kind == "list" and _is_open(form, item)))
        ]
        if not inside:
            return tuple(chain)
        # Where two touch at the cursor, the one that is a word wins over a bracket's edge.
        chain.append(next((item for item in inside if item.kind not in ("list", "error")), inside[-1]))


def visible_bindings(target: Target, environment: Environment) -> list[core.Binding]:
    """The local bindings that can be seen at the cursor, innermost first, hidden ones left out."""
    expression = core_of(target.form, environment)
    if expression is None:
        return []
    seen: dict[str, core.Binding] = {}
    offset = min(target.offset, len(target.form.text))
    around = [node for node in walk(expression) if node.datum.start < offset <= node.datum.end]
    for node in sorted(around, key=lambda item: item.datum.end - item.datum.start):
        for scope in scopes(node):
            for binding in reversed(scope.bindings):
                seen.setdefault(binding.name, binding)
    return list(seen.values())


def inference_at(target: Target, environment: Environment) -> Inference:
    """What is known of values in the form under the cursor, parameters of mapped functions included."""
    expression = core_of(target.form, environment)
    inference = Inference(environment)
    for node in walk(expression) if expression is not None else ():
        inference.learn(node)
    return inference


def core_of(form: Form, environment: Environment) -> core.Expression | None:
    """The core of a form; the same object while the environment is the same."""
    known = environment.cores
    if id(form.tree) not in known:
        known[id(form.tree)] = (form.tree, expression_of(form, environment))
    return known[id(form.tree)][1]


def reference_at(target: Target, environment: Environment) -> core.Expression | core.Binding | None:
    """The core node that the symbol under the cursor is: a reference, a binding's own place, a task call's head."""
    datum = target.datum
    expression = core_of(target.form, environment)
    if datum is None or expression is None:
        return None
    for node in walk(expression):
        if node.datum is datum and isinstance(node, core.LocalReference | core.GlobalReference):
            return node
        if isinstance(node, core.TaskCall) and datum in node.datum.items[:2] and datum.value == node.name:
            return node
        for scope in scopes(node):
            for binding in scope.bindings:
                if binding.datum is datum:
                    return binding
    return None
