"""Do templates refer to one another in a cycle?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.effective import ref_cycle
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "ref-cycle",
    "error",
    "Templates whose `ref`s lead back to themselves.",
    "None of them could be filled in.",
    '<task name="a" type="atomic" ref="‸a‸"/>',
    "template",
)


def check_templates(document: Document, snapshot: Snapshot) -> Iterator[Problem]:
    """Every `ref` that lies on a cycle, with the way it takes."""
    for placed in document.templates.templates:
        way = ref_cycle(placed.template, snapshot) if placed.template.ref else []
        if way:
            message = f"`ref` goes round in a cycle: {' → '.join(way)}"
            yield Problem(RULE.code, placed.template.ref_span.shift(placed.start), message)
