"""Is everything there that a file refers to: loaded workflows, templates of `ref`, schemas?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dramaturg.analysis.environment import Environment
from dramaturg.language.problem import Problem
from dramaturg.language.rule import Rule

RULE = Rule(
    "unknown-reference",
    "error",
    "A file, a template or a schema that is not there.",
    "A run would stop where it is needed.",
    '(load ‸"no-such.wf"‸)',
)


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """Loaded files that are missing or outside of the workspace."""
    document, snapshot = environment.document, environment.snapshot
    for relative, span in document.loads:
        path = snapshot.loaded_path(document, relative)
        if path == document.path:
            continue
        if snapshot.root is not None and not Path(path).is_relative_to(snapshot.root):
            yield Problem(RULE.code, span, f"{relative} lies outside of the workspace")
        elif snapshot.document(path) is None:
            yield Problem(RULE.code, span, f"there is no workflow file {relative}")
