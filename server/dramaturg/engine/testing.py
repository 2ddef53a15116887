"""How do the tests beside a workflow end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.engine.errors import Cancelled, EngineError
from dramaturg.engine.evaluator.program import Program
from dramaturg.text import Place


@dataclass(frozen=True)
class TestOutcome:
    """A test's end; `message` says what failed, `failed_at` where."""

    __test__ = False

    name: str
    place: Place
    status: Literal["passed", "failed"]
    message: str = ""
    failed_at: Place | None = None


def outcomes(program: Program, text: str, path: str) -> list[TestOutcome]:
    """Evaluates the definitions of a text, then each of its own tests; raises EngineError where a definition fails."""
    program.evaluate(text, path)
    found: list[TestOutcome] = []
    for test in program.tests:
        if test.place.path != path:
            continue
        try:
            test.run()
        except Cancelled:
            raise
        except EngineError as error:
            place = getattr(error, "place", None)
            found.append(TestOutcome(test.name, test.place, "failed", error.error.message, place))
        else:
            found.append(TestOutcome(test.name, test.place, "passed"))
    return found
