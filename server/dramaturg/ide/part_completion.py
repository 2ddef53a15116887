"""What can be written where a field of a value or the path of a file stands?"""

from __future__ import annotations

import os.path
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.target import Target, core_of, inference_at
from dramaturg.language.expand import core
from dramaturg.language.expand.walk import walk
from dramaturg.text import Span

#: label, kind, span, detail, doc, insert, snippet, order
Row = tuple[Any, ...]

_TAKES_FIELD = ("get-field", "set-field", "has-field?")


def field_items(target: Target, environment: Environment, span: Span, quoted: bool) -> list[Row]:
    """The fields of the value whose field is being named; outside of a string they are written with a quote."""
    enclosing = target.enclosing
    if enclosing is None or enclosing.head not in _TAKES_FIELD or len(enclosing.items) < 2:
        return []
    local = span.start - target.form.start
    position = sum(1 for item in enclosing.items if item.end < local)
    if position != 2:
        return []
    expression = core_of(target.form, environment)
    call = next((node for node in walk(expression) if node.datum is enclosing), None) if expression else None
    if not isinstance(call, core.Call) or not call.arguments:
        return []
    shape = inference_at(target, environment).shape(call.arguments[0])
    if shape is None or not shape.fields:
        return []
    before = target.form.text[:local]
    lead = "" if quoted or before.endswith("'") else "'"
    return [
        (name, "field", span, value.label if value is not None else "", "", lead + name, False, 0)
        for name, value in shape.fields
    ]


def path_items(document: Document, snapshot: Snapshot, written: str, offset: int) -> Iterator[Row]:
    """The workflow files of the workspace, as paths from the document's folder, that begin with what is written."""
    folder = Path(document.path).parent
    span = Span(offset - len(written), offset)
    for path in sorted(snapshot.documents):
        if not path.endswith(".wf") or path == document.path:
            continue
        relative = _relative(Path(path), folder)
        if relative is not None:
            yield (relative, "file", span, "workflow", "", relative, False, 1)


def _relative(path: Path, folder: Path) -> str | None:
    """The path from a folder with forward slashes; None where there is no way between the two."""
    try:
        return str(PurePosixPath(Path(os.path.relpath(path, folder)).as_posix()))
    except ValueError:
        return None
