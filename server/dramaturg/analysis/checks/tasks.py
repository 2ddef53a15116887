"""Does a call give a task the inputs that it declares?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.checks.calls import literal_type
from dramaturg.analysis.checks.names import NamesOfFile
from dramaturg.language.expand import core
from dramaturg.language.names import RESERVED_INPUTS
from dramaturg.language.nearest import did_you_mean, nearest
from dramaturg.language.problem import Problem

_FITTING = {
    "string": ("string",),
    "number": ("number", "integer"),
    "integer": ("integer",),
    "boolean": ("boolean",),
    "list": ("list",),
    "map": (),
}


def check_inputs(node: core.Expression, names: NamesOfFile) -> Iterator[Problem]:
    """`missing-input`, `unknown-input`, and `wrong-type` of literals given to a task."""
    if not isinstance(node, core.TaskCall) or node.meaning is None or node.meaning.task is None:
        return
    shape = node.meaning.task
    known = [item.name for item in shape.inputs]
    head = node.datum.items[0] if node.datum.head == node.name else node.datum.items[1]
    given = {item.name for item in node.inputs}
    missing = [item.name for item in shape.inputs if item.required and item.name not in given]
    written = {item.head for item in node.datum.items[1:]}
    missing = [name for name in missing if name not in written]
    if missing:
        listed = ", ".join(f"`{name}`" for name in missing)
        message = f"`{node.name}` needs the input{'s' if len(missing) > 1 else ''} {listed}"
        yield Problem("missing-input", head.span, message, data=(("missing", " ".join(missing)),))
    for item in node.inputs:
        declared = shape.input(item.name)
        if declared is None:
            if item.name not in RESERVED_INPUTS:
                near = nearest(item.name, known, 1)
                message = f"`{node.name}` has no input `{item.name}`{did_you_mean(item.name, known)}"
                data = (("replacement", near[0]),) if near else ()
                yield Problem("unknown-input", item.name_datum.span, message, data=data)
        elif isinstance(item.value, core.Literal_) and declared.type in _FITTING:
            found = literal_type(item.value.datum)
            if found is not None and found not in (*_FITTING[declared.type], "nil"):
                message = f"`{node.name}`: the input `{item.name}` must be of type {declared.type}, found {found}"
                yield Problem("wrong-type", item.value.datum.span, message)
