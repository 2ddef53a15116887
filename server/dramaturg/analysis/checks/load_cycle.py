"""Do files load one another in a cycle?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.environment import Environment
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "load-cycle",
    "error",
    "Files that load one another in a cycle.",
    "Neither could be evaluated first.",
    '(load ‸"self.wf"‸)',
)


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """Loads that lead back to the file, with the way they take."""
    document, snapshot = environment.document, environment.snapshot
    for relative, span in document.loads:
        path = snapshot.loaded_path(document, relative)
        if path == document.path:
            yield Problem(RULE.code, span, "this file loads itself")
            continue
        way = snapshot.way_back(document, path)
        if way:
            shown = " → ".join(Path(step).name for step in (document.path, *way))
            yield Problem(RULE.code, span, f"{relative} loads this file again ({shown}): neither could come first")
