"""What does a run report while it goes on?

A closed set of frozen events, in the order in which they happen. Times are
seconds since the epoch; whoever listens decides what to show or to keep.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dramaturg.text import Place


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A task, a workflow or a test begins."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class FormEntered:
    """A top-level form, a loop's phase or a step begins."""

    form: str
    place: Place | None
    iteration: int | None = None


@dataclass(frozen=True, slots=True)
class FormLeft:
    """What was entered is done; `seconds` is the time since then."""

    form: str
    place: Place | None
    seconds: float
    iteration: int | None = None


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """A task call begins."""

    task: str
    call: int
    inputs: dict[str, Any] = field(hash=False)
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ContextMatched:
    """Files were matched for a task or a query."""

    query: str
    matches: int
    seconds: float
    call: int | None = None


@dataclass(frozen=True, slots=True)
class PromptBuilt:
    """The exact request is known; `tokens` is an estimate."""

    task: str
    call: int
    request: dict[str, Any] = field(hash=False)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class TokenDelta:
    """The model wrote some text."""

    call: int
    text: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """A tool was used, by the workflow or by the model."""

    tool: str
    arguments: dict[str, Any] = field(hash=False)
    failed: bool = False
    seconds: float = 0.0
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something deserves attention: a limit is near, a retry was needed."""

    message: str
    call: int | None = None


@dataclass(frozen=True, slots=True)
class Logged:
    """`log-message` was called."""

    message: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class TaskFinished:
    """A task call is done, well or not."""

    task: str
    call: int
    status: str
    seconds: float
    result: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run has its value."""

    result: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The run ended with an error."""

    result: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class RunCancelled:
    """The run was cancelled."""


Event = (
    RunStarted
    | FormEntered
    | FormLeft
    | TaskStarted
    | ContextMatched
    | PromptBuilt
    | TokenDelta
    | ToolCalled
    | Warned
    | Logged
    | TaskFinished
    | RunFinished
    | RunFailed
    | RunCancelled
)

Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """A listener that does nothing."""
