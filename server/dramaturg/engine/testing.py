"""How do the tests beside a workflow end?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dramaturg.engine.errors import Cancelled, EngineError, WorkflowError
from dramaturg.engine.evaluator.program import DefinedTest, Program
from dramaturg.engine.results import unexpected
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
    """Evaluates the definitions of a text, then each of its own tests, none seeing what another changed.

    Raises EngineError where a definition fails.
    """
    program.evaluate(text, path)
    found: list[TestOutcome] = []
    for test in program.tests:
        if test.place.path != path:
            continue
        before = dict(program.top_level)
        found.append(_outcome(test))
        program.top_level.clear()
        program.top_level.update(before)
    return found


def _outcome(test: DefinedTest) -> TestOutcome:
    try:
        test.run()
    except Cancelled:
        raise
    except EngineError as error:
        place = error.place if isinstance(error, WorkflowError) else None
        return TestOutcome(test.name, test.place, "failed", error.error.message, place)
    except Exception as error:
        return TestOutcome(test.name, test.place, "failed", unexpected(error).content)
    return TestOutcome(test.name, test.place, "passed")
