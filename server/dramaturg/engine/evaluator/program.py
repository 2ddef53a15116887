"""How is a whole workflow evaluated: its forms in order, the files it loads, its tests?"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dramaturg.engine.errors import Cancelled, EngineError, WorkflowError, failure
from dramaturg.engine.evaluator import calls, compiler, forms, guards, loops, parallel, tasks
from dramaturg.engine.evaluator.compiler import Compiler, compiles
from dramaturg.engine.evaluator.runtime import Code, Limits, RunState, Runtime, Services
from dramaturg.engine.evaluator.site import Site, Unit
from dramaturg.engine.evaluator.values import UNSET, Symbol, Value
from dramaturg.engine.events import FormEntered, FormLeft
from dramaturg.language.expand import Expander, core
from dramaturg.language.expand.definitions import defined_names
from dramaturg.language.names import PRIMITIVE_MEANINGS, TOOLS, Meaning, TaskShape
from dramaturg.syntax.workflow import Form, Reading, read
from dramaturg.text import Place

__all__ = ["Program", "calls", "compiler", "forms", "guards", "loops", "parallel", "tasks"]

#: Reads another file of the workspace: its text by its resolved path; raises EngineError where it must not.
Reader = Callable[[Path], str]


@dataclass(frozen=True)
class DefinedTest:
    """A `deftest`: its name and place, and what runs it in a fresh scope."""

    name: str
    place: Place
    run: Callable[[], Value]


@dataclass
class Program:
    """A program while it runs: top-level values, and the files that were loaded into it."""

    services: Services
    limits: Limits
    run: RunState
    task_shape: Callable[[str], TaskShape | None]
    read_file: Reader
    loop: asyncio.AbstractEventLoop | None = None
    top_level: dict[str, Value] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    atoms: dict[str, TaskShape] = field(default_factory=dict)
    loading: list[Path] = field(default_factory=list)
    loaded: set[Path] = field(default_factory=set)
    tests: list[DefinedTest] = field(default_factory=list)
    only_definitions: bool = False

    def runtime(self) -> Runtime:
        """A fresh runtime of this program."""
        return Runtime(self.services, self.loop, self.limits, self.run)

    def meaning(self, name: str) -> Meaning | None:
        """What a global name means to this program (`Names`)."""
        if name in self.known or name in self.top_level:
            return Meaning("top-level")
        primitive = PRIMITIVE_MEANINGS.get(name)
        if primitive is not None:
            return primitive
        task = self.task_shape(name) or self.atoms.get(name)
        if task is not None:
            return Meaning("task", None, task)
        if name in TOOLS:
            return Meaning("tool", None, TOOLS[name])
        return None

    def task_named(self, name: str) -> TaskShape | None:
        """The task or tool of that name (`Names`)."""
        return self.task_shape(name) or self.atoms.get(name) or TOOLS.get(name)

    def evaluate(self, text: str, path: str) -> Value:
        """The value of the last form; raises EngineError. With `only_definitions` nothing else is evaluated."""
        reading = read(text)
        unit = Unit(path, text)
        self._declare(reading)
        value: Value = None
        runtime = self.runtime()
        for form in reading.forms:
            if self.run.cancelled:
                raise Cancelled
            if self.only_definitions and (form.root is None or form.root.head not in _DEFINITIONS):
                continue
            value = self._evaluate(form, unit, runtime)
        return value

    def _declare(self, reading: Reading) -> None:
        roots = [form.root for form in reading.forms if form.root is not None]
        for name, _ in defined_names(roots):
            self.known.add(name)
        for root in roots:
            if root.head == "defatom" and len(root.items) > 1 and root.items[1].name:
                self.atoms[root.items[1].name] = TaskShape(root.items[1].name)

    def _evaluate(self, form: Form, unit: Unit, runtime: Runtime) -> Value:
        self._refuse_unreadable(form, unit)
        if form.root is None:
            return None
        expression = Expander(self).top_level(form.root)
        code = Compiler(unit, form.start, self.top_level).compile(expression, None)
        site = Site(unit, form.start, form.root, None)
        head = form.root.head or form.text[:20]
        if isinstance(expression, core.Load):
            return self._load(expression, site, runtime)
        if isinstance(expression, core.DefineTest):
            self.tests.append(DefinedTest(expression.name, site.place, lambda: code(None, self.runtime())))
            return Symbol(expression.name)
        started = time.time()
        self.services.emit(FormEntered(head, site.place))
        runtime.depth = 0
        try:
            return code(None, runtime)
        except RecursionError as error:
            raise site.error(error, None) from None
        finally:
            self.services.emit(FormLeft(head, site.place, time.time() - started))

    def _refuse_unreadable(self, form: Form, unit: Unit) -> None:
        for problem in form.tree.problems:
            place = unit.lines.place(unit.path, problem.span.shift(form.start))
            raise WorkflowError(failure("input_validation_failure", f"syntax error: {problem.message}"), place)

    def _load(self, node: core.Load, site: Site, runtime: Runtime) -> Value:
        path = (Path(site.unit.path).parent / node.path).resolve()
        if path in self.loading:
            cycle = " → ".join(str(item.name) for item in [*self.loading[self.loading.index(path) :], path])
            raise site.fail("input_validation_failure", f"`load` goes round in a cycle: {cycle}", None)
        if path in self.loaded:
            return None
        try:
            text = self.read_file(path)
        except EngineError as error:
            raise site.located(error.error, None) from None
        self.loading.append(path)
        try:
            return self.evaluate(text, str(path))
        finally:
            self.loading.pop()
            self.loaded.add(path)


_DEFINITIONS = frozenset(("define", "bind", "defatom", "load", "deftest"))


@compiles(core.Load)
def load(compiler: Compiler, node: core.Load, scope: core.Scope | None, tail: bool) -> Code:
    """Never called: the program itself loads, form by form."""
    site = compiler.site(node.datum, scope)

    def code(frame: Any, runtime: Runtime) -> Value:
        raise site.fail("input_validation_failure", "`load` stands at top level only", frame)

    return code


@compiles(core.DefineTest)
def define_test(compiler: Compiler, node: core.DefineTest, scope: core.Scope | None, tail: bool) -> Code:
    """A test's body in a fresh scope; the program decides whether it runs."""
    body = compiler.sequence(node.body, node.scope)
    size = len(node.scope.bindings)

    def code(frame: Any, runtime: Runtime) -> Value:
        return body([frame, *[UNSET] * size], runtime)

    return code
