"""Which findings does a comment silence, and which comments silence nothing?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dramaturg.analysis.snapshot import Document
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule
from dramaturg.text import Span

RULE = Rule(
    "unused-ignore",
    "warning",
    "A comment that silences nothing.",
    "What it was for is gone; it would hide the next one.",
    "‸; dramaturg: ignore[arity]‸\n(list 1)",
    tag="unnecessary",
)

_IGNORE = re.compile(r";+\s*dramaturg:\s*ignore\[([^\]\n]*)\]")


def silenced(document: Document, found: list[Problem]) -> list[Problem]:
    """The findings that no comment silences, and a warning for each code of a comment that silences nothing."""
    comments = list(_comments(document)) if "dramaturg:" in document.text else []
    if not comments:
        return found
    left = list(found)
    lines = document.lines
    for comment in comments:
        line = lines.position(comment.start()).line
        alone = not lines.line(line)[: comment.start() - lines.starts[line]].strip()
        span = _next_form(document, comment.end()) if alone else None
        covered = [
            item
            for item in left
            if (span.start <= item.span.start < span.end if span else lines.position(item.span.start).line == line)
        ]
        codes = {code.strip(): 0 for code in comment.group(1).split(",")}
        for item in covered:
            if item.code in codes:
                codes[item.code] += 1
        left = [item for item in left if item not in covered or item.code not in codes]
        idle = [code for code, count in codes.items() if not count]
        if len(idle) == len(codes):
            left.append(Problem(RULE.code, Span(*comment.span()), "this comment silences nothing"))
        elif idle:
            listed = ", ".join(f"`{code}`" for code in idle)
            left.append(Problem(RULE.code, Span(*comment.span()), f"there is no {listed} here to silence"))
    return left


def _comments(document: Document) -> Iterator[re.Match[str]]:
    """The silencing comments; the same text inside a string is none."""
    for match in _IGNORE.finditer(document.text):
        form = next((form for form in document.reading.forms if form.start <= match.start() < form.span.end), None)
        data = form.root.walk() if form is not None and form.root is not None else ()
        at = match.start() - (form.start if form is not None else 0)
        if not any(item.kind == "string" and item.start < at < item.end for item in data):
            yield match


def _next_form(document: Document, offset: int) -> Span:
    """The innermost datum that begins after `offset` and on whose level the comment stands."""
    for form in document.reading.forms:
        if form.start >= offset:
            return form.span
        if form.span.end > offset and form.root is not None:
            inner = [d for d in form.root.walk() if d.start + form.start >= offset]
            return inner[0].span.shift(form.start) if inner else form.span
    return Span(len(document.text), len(document.text))
