"""How do calls of tasks, tools and matching leave the program for the engine around it?"""

from __future__ import annotations

from typing import Any

from dramaturg.engine.errors import failure
from dramaturg.engine.evaluator.calls import FAULTS
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.primitives.registry import a_key
from dramaturg.engine.evaluator.runtime import Code, Runtime, TaskCallOptions
from dramaturg.engine.evaluator.site import Site
from dramaturg.engine.evaluator.values import Symbol, Value, to_json, type_name
from dramaturg.engine.types import ContextGenerationInput
from dramaturg.language.expand import core
from dramaturg.language.names import RESERVED_INPUTS, TOOLS


@compiles(core.TaskCall)
def task_call(compiler: Compiler, node: core.TaskCall, scope: core.Scope | None, tail: bool) -> Code:
    """A call of a task or a tool; its result is a value even where it is FAILED."""
    site = compiler.site(node.datum, scope)
    computed = compiler.compile(node.computed, scope) if node.computed is not None else None
    named = [(item.name, compiler.compile(item.value, scope), compiler.site(item.datum, scope)) for item in node.inputs]
    context = {setting.name: str(setting.value) for setting in node.context}

    def code(frame: Any, runtime: Runtime) -> Value:
        name = node.name if computed is None else _task_name(computed(frame, runtime), site, frame)
        values = {key: (value(frame, runtime), where) for key, value, where in named}
        if node.tool_only or (name in TOOLS and not node.task_only):
            inputs = {key: to_json(value) for key, (value, _) in values.items()}
            return runtime.wait(runtime.services.call_tool(name, inputs, site.place))
        options = _options(values, context, runtime, frame)
        inputs = {key: to_json(value) for key, (value, _) in values.items() if key not in RESERVED_INPUTS}
        try:
            return runtime.wait(runtime.services.call_task(name, inputs, options, site.place))
        except FAULTS as fault:
            raise site.error(fault, frame) from None

    return code


def _task_name(value: Value, site: Site, frame: Any) -> str:
    if type(value) is Symbol:
        return value.name
    if type(value) is str:
        return value
    raise site.fail("input_validation_failure", f"`call`: expected a task's name, found {type_name(value)}", frame)


def _options(
    values: dict[str, tuple[Value, Site]], context: dict[str, str], runtime: Runtime, frame: Any
) -> TaskCallOptions:
    def reserved(name: str, expected: str, *types: type) -> Any:
        if name not in values:
            return None
        value, where = values[name]
        if type(value) not in types:
            message = f"`{name}`: expected {expected}, found {type_name(value)}"
            raise where.fail("input_validation_failure", message, frame)
        return value

    model = reserved("model", "a string", str, Symbol)
    files = reserved("files", "a list of paths", list)
    state = runtime.context
    settings = {**state.settings, **context}
    return TaskCallOptions(
        files=[a_key(path, 1) for path in files] if files is not None else None,
        context=settings,
        model=a_key(model, 1) if model is not None else None,
        max_depth=reserved("max_depth", "an integer", int),
        template_hints=reserved("template_hints", "a list", list),
        inherited_context=state.inherited,
        previous_outputs=state.accumulated,
    )


@compiles(core.ClauseCall)
def clause_call(compiler: Compiler, node: core.ClauseCall, scope: core.Scope | None, tail: bool) -> Code:
    """`get_context` gives paths and raises; `context-matches` gives the whole result."""
    site = compiler.site(node.datum, scope)
    clauses = [
        (item.name, compiler.compile(item.value, scope), compiler.site(item.datum, scope)) for item in node.clauses
    ]
    paths_only = node.name == "get_context"

    def code(frame: Any, runtime: Runtime) -> Value:
        given = {name: (value(frame, runtime), where) for name, value, where in clauses}
        request = _context_request(given, runtime, frame)
        result = runtime.wait(runtime.services.match_context(request))
        if not paths_only:
            return result
        if result.error is not None:
            reason = (
                "context_retrieval_failure"
                if not result.matches and "index" in result.error
                else "context_matching_failure"
            )
            raise site.located(failure(reason, result.error), frame)
        return [match.path for match in result.matches]

    return code


_TEXTS = ("query", "history", "inherited_context", "previous_outputs", "matching_strategy")


def _context_request(given: dict[str, tuple[Value, Site]], runtime: Runtime, frame: Any) -> ContextGenerationInput:
    texts: dict[str, str] = {}
    inputs: dict[str, Any] = {}
    for name, (value, site) in given.items():
        if name in _TEXTS:
            if type(value) is not str:
                message = f"`{name}`: expected a string, found {type_name(value)}"
                raise site.fail("input_validation_failure", message, frame)
            texts[name] = value
        elif name == "inputs":
            if type(value) is not dict:
                message = f"`inputs`: expected a map, found {type_name(value)}"
                raise site.fail("input_validation_failure", message, frame)
            inputs.update(to_json(value))
        elif type(value) is not list:
            message = f"`{name}`: expected a list, found {type_name(value)}"
            raise site.fail("input_validation_failure", message, frame)
        else:
            inputs[name] = to_json(value)
    strategy = texts.get("matching_strategy")
    if strategy not in (None, "content", "metadata"):
        site = given["matching_strategy"][1]
        message = f'`matching_strategy`: expected "content" or "metadata", found "{strategy}"'
        raise site.fail("input_validation_failure", message, frame)
    if "history" in texts:
        inputs["history"] = texts["history"]
    return ContextGenerationInput(
        query=texts.get("query"),
        inputs=inputs or None,
        inherited_context=texts.get("inherited_context", runtime.context.inherited),
        previous_outputs=texts.get("previous_outputs", runtime.context.accumulated),
        matching_strategy=strategy,
    )


@compiles(core.DictExpression)
def dict_(compiler: Compiler, node: core.DictExpression, scope: core.Scope | None, tail: bool) -> Code:
    """`dict`."""
    entries = [(entry.name, compiler.compile(entry.value, scope)) for entry in node.entries]

    def code(frame: Any, runtime: Runtime) -> Value:
        return {name: value(frame, runtime) for name, value in entries}

    return code


@compiles(core.DefineAtom)
def define_atom(compiler: Compiler, node: core.DefineAtom, scope: core.Scope | None, tail: bool) -> Code:
    """`defatom` registers the task and gives its name."""
    site = compiler.site(node.datum, scope)
    symbol = Symbol(node.name)

    def code(frame: Any, runtime: Runtime) -> Value:
        try:
            runtime.services.register_atom(node, compiler.unit.path)
        except FAULTS as fault:
            raise site.error(fault, frame) from None
        return symbol

    return code
