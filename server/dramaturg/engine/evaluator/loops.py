"""How are the forms compiled that compose calls: the two loops, steps, reductions?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dramaturg.engine.errors import Cancelled, EngineError, WorkflowError, failure
from dramaturg.engine.evaluator.calls import FAULTS
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.runtime import Code, ContextState, Runtime
from dramaturg.engine.evaluator.site import Site
from dramaturg.engine.evaluator.values import (
    UNSET,
    Symbol,
    Value,
    display,
    is_function,
    to_json,
    type_name,
    write_value,
)
from dramaturg.engine.events import FormEntered, FormLeft
from dramaturg.engine.types import EvaluationInput, ReturnStatus, TaskResult
from dramaturg.language.expand import core

_PHASES = {
    "director-evaluator-loop": ("director", "executor", "evaluator", "controller"),
    "iterative-loop": ("executor", "validator", "controller"),
}
_CONFIGURATION = {
    "director-evaluator-loop": ("max-iterations", "initial-director-input"),
    "iterative-loop": ("max-iterations", "initial-input", "test-command"),
}


@compiles(core.LoopForm)
def loop(compiler: Compiler, node: core.LoopForm, scope: core.Scope | None, tail: bool) -> Code:
    """Either loop; section 7 of the language contract."""
    clauses = [
        (name, compiler.compile(value, scope), compiler.site(value.datum, scope))
        for name, value in node.clauses.items()
    ]
    site = compiler.site(node.datum, scope)
    run = _director_evaluator if node.form == "director-evaluator-loop" else _iterative

    def code(frame: Any, runtime: Runtime) -> Value:
        given: dict[str, Value] = {}
        sites: dict[str, Site] = {}
        for name, value, where in clauses:
            given[name], sites[name] = value(frame, runtime), where
        count = given["max-iterations"]
        if type(count) is not int or count < 0:
            found = str(count) if type(count) is int else type_name(count)
            message = f"the clause `max-iterations`: expected a non-negative integer, found {found}"
            raise sites["max-iterations"].fail("input_validation_failure", message, frame)
        for phase in _PHASES[node.form]:
            if not is_function(given[phase]):
                message = f"the clause `{phase}`: expected a function, found {type_name(given[phase])}"
                raise sites[phase].fail("input_validation_failure", message, frame)
        outer = runtime.dynamic
        configuration = {name: given[name] for name in _CONFIGURATION[node.form]}
        runtime.dynamic = {**outer, "*loop-config*": configuration, "last_evaluator_output": None}
        try:
            return run(_Phases(runtime, frame, given, sites, site))
        finally:
            runtime.dynamic = outer

    return code


class _Phases:
    """The phases of a running loop, called with their errors named."""

    def __init__(
        self, runtime: Runtime, frame: Any, given: dict[str, Value], sites: dict[str, Site], site: Site
    ) -> None:
        self.runtime = runtime
        self.frame = frame
        self.given = given
        self.sites = sites
        self.site = site

    def call(self, phase: str, iteration: int, *arguments: Value) -> Value:
        """The phase's value in an iteration."""
        return self.named(phase, iteration, lambda: self.runtime.call(self.given[phase], list(arguments)))

    def named(self, phase: str, iteration: int, action: Callable[[], Value]) -> Value:
        """What the action gives; an error of it names the phase and the iteration."""
        if self.runtime.run.cancelled:
            raise Cancelled
        site = self.sites[phase]
        emit = self.runtime.services.emit
        emit(FormEntered(phase, site.place, iteration))
        started = time.time()
        try:
            return action()
        except Cancelled:
            raise
        except FAULTS as fault:
            error = site.error(fault, self.frame)
            message = f"in the `{phase}` of iteration {iteration}: {error.error.message}"
            error.error = error.error.model_copy(update={"message": message})
            error.args = (message,)
            raise error from None
        finally:
            emit(FormLeft(phase, site.place, time.time() - started, iteration))

    def decide(self, iteration: int, *arguments: Value) -> tuple[bool, Value]:
        """The controller's decision: whether to stop, and with what, or what comes next."""
        decision = self.call("controller", iteration, *arguments)
        if type(decision) is list and len(decision) == 2:
            word = decision[0].name if type(decision[0]) is Symbol else decision[0]
            if word in ("stop", "continue"):
                return word == "stop", decision[1]
        message = (
            f"in the `controller` of iteration {iteration}: expected `(list 'stop value)` or "
            f"`(list 'continue next)`, found `{_short(decision)}`"
        )
        raise self.sites["controller"].fail("input_validation_failure", message, self.frame)

    def script(self, iteration: int) -> TaskResult:
        """The result of the loop's script."""
        command = self.given["script"]

        def run() -> TaskResult:
            services = self.runtime.services
            result = self.runtime.wait(
                services.call_tool("system:run_script", {"command": command}, self.sites["script"].place)
            )
            assert isinstance(result, TaskResult)
            if result.status is ReturnStatus.FAILED:
                raise EngineError(result.notes.error or failure("tool_execution_error", result.content))
            return result

        found = self.named("script", iteration, run)
        assert isinstance(found, TaskResult)
        return found


def _director_evaluator(phases: _Phases) -> Value:
    value = phases.given["initial-director-input"]
    done: Value = None
    for iteration in range(1, phases.given["max-iterations"] + 1):
        plan = phases.call("director", iteration, value, iteration)
        done = phases.call("executor", iteration, plan, iteration)
        judged = done
        if "script" in phases.given:
            judged = _evaluation_input(plan, done, phases.script(iteration))
        feedback = phases.call("evaluator", iteration, judged, plan, iteration)
        stop, value = phases.decide(iteration, feedback, plan, done, iteration)
        if stop:
            return value
        last = feedback.content if isinstance(feedback, TaskResult) else feedback
        phases.runtime.dynamic = {**phases.runtime.dynamic, "last_evaluator_output": last}
    return done


def _evaluation_input(plan: Value, done: Value, script: TaskResult) -> dict[str, Any]:
    data = script.as_dict()
    text = plan.content if isinstance(plan, TaskResult) else display(plan)
    evaluation = EvaluationInput(
        target_content=text,
        stdout=str(data.get("stdout", "")),
        stderr=str(data.get("stderr", "")),
        exit_code=data.get("exitCode"),
    )
    return {**evaluation.as_dict(), "result": done}


def _iterative(phases: _Phases) -> Value:
    value = phases.given["initial-input"]
    command = phases.given["test-command"]
    done: Value = None
    for iteration in range(1, phases.given["max-iterations"] + 1):
        done = phases.call("executor", iteration, value, iteration)
        checked = phases.call("validator", iteration, command, iteration)
        stop, value = phases.decide(iteration, done, checked, value, iteration)
        if stop:
            return value
    return done


def _short(value: Value) -> str:
    text = write_value(value)
    return text if len(text) <= 80 else text[:76] + " …"


def settings_of(context: list[core.Setting]) -> dict[str, str]:
    """Literal context settings by name."""
    return {setting.name: str(setting.value) for setting in context}


def inherited(runtime: Runtime, settings: dict[str, str]) -> ContextState:
    """What the calls inside a composing form inherit under its settings."""
    state = runtime.context
    keep = settings.get("inherit_context", "full") != "none"
    fresh = {name: value for name, value in settings.items() if name == "fresh_context"}
    return ContextState(
        state.inherited if keep else None, state.accumulated if keep else None, {**state.settings, **fresh}
    )


@compiles(core.Sequential)
def sequential(compiler: Compiler, node: core.Sequential, scope: core.Scope | None, tail: bool) -> Code:
    """`sequential`: later steps see earlier ones by name and, where it is set, as previous outputs."""
    steps = [
        (step, compiler.compile(step.value, node.scope), compiler.site(step.datum, node.scope)) for step in node.steps
    ]
    settings = settings_of(node.context)
    accumulates = settings.get("accumulate_data") == "true"
    full = settings.get("accumulation_format", "notes_only") == "full_output"
    size = len(node.scope.bindings)

    def code(frame: Any, runtime: Runtime) -> Value:
        inner = [frame, *[UNSET] * size]
        outer = runtime.context
        base = inherited(runtime, settings)
        outputs: list[str] = []
        finished: dict[str, Any] = {}
        value: Value = None
        try:
            for step, step_code, site in steps:
                accumulated = "\n\n".join(outputs) if accumulates and outputs else base.accumulated
                runtime.context = ContextState(base.inherited, accumulated, base.settings)
                value = _step(step.binding.name, step_code, site, inner, runtime, finished)
                inner[step.binding.slot] = value
                finished[step.binding.name] = to_json(value)
                outputs.append(_output(step.binding.name, value, full))
            return value
        finally:
            runtime.context = outer

    return code


def _step(name: str, code: Code, site: Site, frame: Any, runtime: Runtime, finished: dict[str, Any]) -> Value:
    started = time.time()
    runtime.services.emit(FormEntered(f"step {name}", site.place))
    try:
        value = code(frame, runtime)
        if isinstance(value, TaskResult) and value.status is ReturnStatus.FAILED:
            raise EngineError(value.notes.error or failure("unexpected_error", value.content))
        return value
    except Cancelled:
        raise
    except EngineError as error:
        found = failure(
            "subtask_failure",
            f"the step `{name}` failed: {error.error.message}",
            partial_context=finished,
            subtask_error=error.error,
        )
        raised = site.located(found, frame)
        if isinstance(error, WorkflowError):
            raised.place, raised.calls = error.place, error.calls
        raise raised from None
    finally:
        runtime.services.emit(FormLeft(f"step {name}", site.place, time.time() - started))


def _output(name: str, value: Value, full: bool) -> str:
    """What later steps receive of a step: content and notes, or notes alone."""
    if not isinstance(value, TaskResult):
        return f"{name}: {display(value)}" if full else f"{name}: done"
    notes = display(to_json(value.notes))
    return f"{name}: {value.content}\nnotes: {notes}" if full else f"{name}: notes: {notes}"


@compiles(core.ReduceTask)
def reduce_task(compiler: Compiler, node: core.ReduceTask, scope: core.Scope | None, tail: bool) -> Code:
    """`reduce-task`: the inner result is part of the reduction's context."""
    clauses = {name: compiler.compile(value, scope) for name, value in node.clauses.items()}
    sites = {name: compiler.site(value.datum, scope) for name, value in node.clauses.items()}
    settings = settings_of(node.context)

    def code(frame: Any, runtime: Runtime) -> Value:
        given = {name: clause(frame, runtime) for name, clause in clauses.items()}
        if type(given["inputs"]) is not list:
            message = f"the clause `inputs`: expected a list, found {type_name(given['inputs'])}"
            raise sites["inputs"].fail("input_validation_failure", message, frame)
        for phase in ("inner", "reduction"):
            if not is_function(given[phase]):
                message = f"the clause `{phase}`: expected a function, found {type_name(given[phase])}"
                raise sites[phase].fail("input_validation_failure", message, frame)
        phases = _Phases(runtime, frame, given, sites, sites["inner"])
        outer = runtime.context
        base = inherited(runtime, settings)
        result = given["initial"]
        try:
            for place, item in enumerate(given["inputs"], 1):
                runtime.context = ContextState(base.inherited, None, base.settings)
                inner = phases.call("inner", place, item, result)
                runtime.context = ContextState(base.inherited, _output("inner", inner, True), base.settings)
                result = phases.call("reduction", place, inner, result)
            return result
        finally:
            runtime.context = outer

    return code
