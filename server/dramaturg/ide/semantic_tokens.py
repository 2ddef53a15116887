"""Which kind of thing is each name of a file, for the editor's colours?

Tokens of a form are kept, encoded, by what its names mean; the file's answer is
their concatenation, with the first token of each form set to its place.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.occurrences import Occurrence, in_form, in_unit
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.table import DYNAMIC_NAMES, PRIMITIVE_TABLE, SPECIAL_FORMS
from dramaturg.syntax.datum import QUOTES, Datum
from dramaturg.syntax.workflow import Tree
from dramaturg.text import Encoding, LineIndex, Span

#: The legend, in the protocol's order; names are the protocol's own.
TYPES = ("keyword", "function", "variable", "parameter", "property", "class", "enumMember", "macro")
MODIFIERS = ("definition", "defaultLibrary", "modification")

_TYPE = {name: number for number, name in enumerate(TYPES)}
_DEFINITION, _LIBRARY, _MODIFICATION = 1, 2, 4
_ROLES = {"definition": _DEFINITION, "write": _MODIFICATION, "reference": 0}

Token = tuple[Span, int, int]


def semantic_tokens(document: Document, snapshot: Snapshot, encoding: Encoding, part: Span | None = None) -> list[int]:
    """The protocol's numbers, five a token: line and column as differences, length, type, modifiers."""
    data: list[int] = []
    line = column = 0
    starts, lines = document.lines.starts, document.lines
    for start, end, key, tokens in _pieces(document, snapshot):
        if part is not None and (end < part.start or start > part.end):
            continue
        encoded, last_line, last_column = _encode(key, tokens, start, end, document.text, encoding)
        if not encoded:
            continue
        at_line = bisect_right(starts, start) - 1
        at_column = 0 if starts[at_line] == start else lines.position(start, encoding).column
        first = len(data)
        data += encoded
        begin = at_line + encoded[0]
        begin_column = encoded[1] + (at_column if encoded[0] == 0 else 0)
        data[first] = begin - line
        data[first + 1] = begin_column - (column if begin == line else 0)
        line = at_line + last_line
        column = last_column + (at_column if last_line == 0 else 0)
    return data


def _pieces(
    document: Document, snapshot: Snapshot
) -> Iterator[tuple[int, int, tuple[dict[str, Any], object], Iterator[Token]]]:
    """Start and end of each form or unit, what its tokens hang on, and the tokens themselves."""
    if document.language == "template":
        for unit in document.templates.units:
            found = in_unit(unit.reading)
            yield unit.start, unit.start + len(unit.reading.text), (unit.reading.notes, found), _of_unit(found)
        return
    environment = environment_of(snapshot, document)
    for form in document.reading.forms:
        found = in_form(form, environment)
        yield form.start, form.span.end, (form.tree.notes, found), _of_form(form.tree, found)


def _encode(
    key: tuple[dict[str, Any], object], tokens: Iterator[Token], start: int, end: int, whole: str, encoding: Encoding
) -> tuple[list[int], int, int]:
    """The piece's tokens from its own start, and the place of the last one; kept in the notes that `key` brings."""
    notes, found = key
    kept = notes.get(f"tokens {encoding}")
    if kept is not None and kept[0] is found:
        return kept[1], kept[2], kept[3]
    lines = LineIndex(whole[start:end])
    data: list[int] = []
    line = column = 0
    for span, type_, modifiers in sorted(tokens):
        begin, stop = lines.position(span.start, encoding), lines.position(span.end, encoding)
        if begin.line != stop.line:
            continue
        data += (
            begin.line - line,
            begin.column - (column if begin.line == line else 0),
            stop.column - begin.column,
            type_,
            modifiers,
        )
        line, column = begin.line, begin.column
    notes[f"tokens {encoding}"] = (found, data, line, column)
    return data, line, column


def _of_form(tree: Tree, found: tuple[Occurrence, ...]) -> Iterator[Token]:
    taken = {item.span for item in found}
    for item in found:
        token = _of_occurrence(item)
        if token is not None:
            yield token
    for span, type_ in _words(tree):
        if span not in taken:
            yield span, _TYPE[type_], _LIBRARY if type_ == "keyword" else 0


def _of_occurrence(item: Occurrence) -> Token | None:
    modifiers = _ROLES[item.role]
    match item.kind:
        case "local":
            return item.span, _TYPE["variable"], modifiers
        case "global":
            return item.span, _TYPE["function" if item.is_function else "variable"], modifiers
        case "builtin":
            return item.span, _TYPE["variable" if item.name in DYNAMIC_NAMES else "function"], modifiers | _LIBRARY
        case "task":
            return item.span, _TYPE["class"], modifiers
        case "tool":
            return item.span, _TYPE["class"], modifiers | _LIBRARY
        case "input":
            return item.span, _TYPE["property"], modifiers
    return None


def _words(tree: Tree) -> tuple[tuple[Span, str], ...]:
    """Heads of special forms and of clauses, settings and placeholders, whatever the names around mean."""
    return tuple(_walk(tree.root)) if tree.root is not None else ()


def _walk(root: Datum) -> Iterator[tuple[Span, str]]:
    waiting: list[tuple[Datum, str]] = [(root, "")]
    while waiting:
        datum, owner = waiting.pop()
        if datum.kind in QUOTES or datum.head in ("quote", "quasiquote"):
            continue
        head = datum.head
        if head:
            form = SPECIAL_FORMS.get(owner) or PRIMITIVE_TABLE.get(owner)
            clause = form.clause(head) if form is not None else None
            if clause is not None:
                yield datum.items[0].span, "property"
                if clause.values and len(datum.items) == 2 and datum.items[1].kind == "symbol":
                    yield datum.items[1].span, "enumMember"
            elif head in SPECIAL_FORMS or (head == "catch" and owner == "try") or (head == "else" and owner == "cond"):
                yield datum.items[0].span, "keyword"
        waiting += [(item, head) for item in datum.items]


def _of_unit(found: tuple[Occurrence, ...]) -> Iterator[Token]:
    """Names of tasks and inputs in a template; the grammar colours the rest."""
    for item in found:
        if item.kind in ("task", "input"):
            type_ = "class" if item.kind == "task" else ("property" if item.role == "definition" else "parameter")
            yield item.span, _TYPE[type_], _ROLES[item.role]


def difference(old: list[int], new: list[int]) -> tuple[int, int, list[int]]:
    """Where two answers differ: the start, how many numbers go, and what takes their place."""
    start, limit = _common(old, new), min(len(old), len(new))
    end = min(_common(old[::-1], new[::-1]), limit - start)
    return start, len(old) - start - end, new[start : len(new) - end]


def _common(left: list[int], right: list[int]) -> int:
    """How many numbers at the front are the same, found by comparing halves."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
