"""Is a top-level name defined twice?"""

from __future__ import annotations

from collections.abc import Iterator

from dramaturg.analysis.environment import Environment
from dramaturg.analysis.facts import Definition
from dramaturg.language.problem import Problem, Related
from dramaturg.language.rule import Rule
from dramaturg.syntax.workflow import Form

RULE = Rule(
    "redefinition",
    "warning",
    "A second top-level definition of a name.",
    "It takes the place of the first from there on.",
    "(define x 1)\n(define ‸x‸ 2)",
)


def check_workflow(environment: Environment) -> Iterator[Problem]:
    """Later definitions of a name in one file; tests have names of their own."""
    definitions = environment.document.definitions
    if len(environment.document.names) == len(definitions):
        return
    first: dict[tuple[str, bool], tuple[Form, Definition]] = {}
    for entry in definitions:
        form, item = entry
        earlier = first.setdefault((item.name, item.kind == "test"), entry)
        if earlier is not entry:
            related = (Related(earlier[1].span.shift(earlier[0].start), "defined here first"),)
            yield Problem(RULE.code, item.span.shift(form.start), f"`{item.name}` is defined again", related)
