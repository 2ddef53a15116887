"""How far is a new line indented while code is typed? As the formatter would, without laying anything out."""

from __future__ import annotations

from dramaturg.analysis.snapshot import Document
from dramaturg.ide.target import target_at
from dramaturg.language.table import PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.datum import Datum


def indentation_at(document: Document, offset: int) -> int:
    """The column of a line that begins at `offset`, in characters."""
    target = target_at(document, offset)
    enclosing = target.enclosing if target is not None else None
    if target is None or enclosing is None:
        return 0

    def column(datum: Datum) -> int:
        return document.lines.position(target.span(datum).start).column

    before = [item for item in enclosing.items if target.form.start + item.end <= offset]
    if not before:
        return column(enclosing) + 1
    construct = SPECIAL_FORMS.get(enclosing.head) or PRIMITIVE_TABLE.get(enclosing.head)
    if construct is not None and construct.body >= 0 and len(before) > construct.body:
        return column(enclosing) + 2
    if not enclosing.head:
        return column(before[0])
    if len(before) > 1:
        line = document.lines.position(target.span(enclosing).start).line
        if document.lines.position(target.span(before[1]).start).line == line:
            return column(before[1])
    return column(enclosing) + 2
