"""What is a program once its forms are understood? The core that both the checks and the evaluator read.

Every node keeps the datum it was written as. A part that makes no sense is an
`Invalid` with what is wrong; the parts inside it are kept, so that the editor
goes on and a run fails only where it gets there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dramaturg.language.names import Meaning
from dramaturg.language.problem import Problem
from dramaturg.syntax.datum import Datum

BindingKind = Literal["parameter", "let", "define", "catch", "step", "loop"]


@dataclass(slots=True, eq=False)
class Binding:
    """A local name: where it is bound, which slot of its scope it has, and every use of it."""

    name: str
    kind: BindingKind
    datum: Datum
    slot: int
    scope: Scope
    value: Expression | None = None
    references: list[Datum] = field(default_factory=list)
    assigned: bool = False
    late: bool = False


@dataclass(slots=True, eq=False)
class Scope:
    """The names that one form binds; `function` marks where a frame belongs to a function."""

    parent: Scope | None
    names: dict[str, Binding] = field(default_factory=dict)
    bindings: list[Binding] = field(default_factory=list)

    def bind(self, name: str, kind: BindingKind, datum: Datum, late: bool = False) -> Binding:
        """A new binding in this scope, hiding an earlier one of its name from now on."""
        binding = Binding(name, kind, datum, len(self.bindings) + 1, self, late=late)
        self.bindings.append(binding)
        self.names[name] = binding
        return binding

    def find(self, name: str) -> Binding | None:
        """The binding that `name` means here, in this scope or around it."""
        scope: Scope | None = self
        while scope is not None:
            binding = scope.names.get(name)
            if binding is not None:
                return binding
            scope = scope.parent
        return None


@dataclass(slots=True, eq=False)
class Expression:
    """Anything that has a value."""

    datum: Datum


@dataclass(slots=True, eq=False)
class Literal_(Expression):
    """A constant: the datum is the value."""


@dataclass(slots=True, eq=False)
class LocalReference(Expression):
    """A use of a local binding, seen from `scope`."""

    binding: Binding
    scope: Scope


@dataclass(slots=True, eq=False)
class GlobalReference(Expression):
    """A use of a name that no scope around it binds."""

    name: str
    meaning: Meaning | None


@dataclass(slots=True, eq=False)
class Call(Expression):
    """A function call."""

    operator: Expression
    arguments: list[Expression]


@dataclass(slots=True, eq=False)
class NamedInput:
    """One `(name value)` of a task call or of a primitive that takes clauses."""

    datum: Datum
    name: str
    name_datum: Datum
    value: Expression


@dataclass(slots=True, eq=False)
class TaskCall(Expression):
    """A call of a task or a tool; `name` is an expression where it is computed (`call`)."""

    name: str
    computed: Expression | None
    meaning: Meaning | None
    inputs: list[NamedInput]
    context: list[Setting] = field(default_factory=list)
    tool_only: bool = False
    task_only: bool = False

    @property
    def name_datum(self) -> Datum:
        """Where the task's name is written: at the head, or behind `atomic-task`, `direct-tool` or `call`."""
        return self.datum.items[0] if self.datum.head == self.name else self.datum.items[1]


@dataclass(slots=True, eq=False)
class Setting:
    """A literal setting such as `(inherit_context none)`."""

    datum: Datum
    name: str
    value: object


@dataclass(slots=True, eq=False)
class ClauseCall(Expression):
    """`get_context`, `context-matches`: a primitive that takes named clauses."""

    name: str
    clauses: list[NamedInput]


@dataclass(slots=True, eq=False)
class DictExpression(Expression):
    """`(dict (key value) ...)`."""

    entries: list[NamedInput]


@dataclass(slots=True, eq=False)
class Assert(Expression):
    """`(assert test [message])`; it sees the test's own parts, to show their values."""

    test: Expression
    message: Expression | None


@dataclass(slots=True, eq=False)
class If(Expression):
    """A choice of two; `cond`, `when` and `unless` are written with it."""

    test: Expression
    then: Expression
    otherwise: Expression | None


@dataclass(slots=True, eq=False)
class Logic(Expression):
    """`and` or `or`."""

    operator: Literal["and", "or"]
    items: list[Expression]


@dataclass(slots=True, eq=False)
class Sequence(Expression):
    """Expressions in order, the last one's value."""

    items: list[Expression]


@dataclass(slots=True, eq=False)
class Let(Expression):
    """Bindings and a body in one scope; `order` says which names the values see."""

    order: Literal["let", "let*", "letrec"]
    bindings: list[Binding]
    scope: Scope
    body: list[Expression]


@dataclass(slots=True, eq=False)
class NamedLet(Expression):
    """`(let name ((n e) ...) body ...)`: values seen from outside, then the function called."""

    outer: Scope
    binding: Binding
    function: Lambda
    values: list[Expression]


@dataclass(slots=True, eq=False)
class Lambda(Expression):
    """A function; `rest` takes the remaining arguments."""

    name: str
    parameters: list[Binding]
    rest: Binding | None
    scope: Scope
    body: list[Expression]

    @property
    def arity(self) -> tuple[int, int | None]:
        """The fewest and the most arguments."""
        return len(self.parameters), None if self.rest else len(self.parameters)


@dataclass(slots=True, eq=False)
class Define(Expression):
    """`define` or `bind`; without a `binding` the name is a top-level one."""

    form: Literal["define", "bind"]
    name: str
    name_datum: Datum
    binding: Binding | None
    scope: Scope | None
    value: Expression


@dataclass(slots=True, eq=False)
class Assign(Expression):
    """`set!`."""

    target: LocalReference | GlobalReference
    value: Expression


@dataclass(slots=True, eq=False)
class Repeat(Expression):
    """`repeat` or `loop`."""

    count: Expression
    body: list[Expression]


@dataclass(slots=True, eq=False)
class While(Expression):
    """`while`."""

    test: Expression
    body: list[Expression]


@dataclass(slots=True, eq=False)
class Try(Expression):
    """`try`; the error is bound in the handler's scope."""

    body: list[Expression]
    binding: Binding
    scope: Scope
    handler: list[Expression]


@dataclass(slots=True, eq=False)
class Quasiquote(Expression):
    """A template; `parts` are the members in order, a pair with True being spliced."""

    parts: list[tuple[Expression, bool]]


@dataclass(slots=True, eq=False)
class LoopForm(Expression):
    """One of the two loops, its clauses by canonical name."""

    form: Literal["director-evaluator-loop", "iterative-loop"]
    clauses: dict[str, Expression]


@dataclass(slots=True, eq=False)
class Step:
    """One step of `sequential`."""

    datum: Datum
    binding: Binding
    value: Expression


@dataclass(slots=True, eq=False)
class Sequential(Expression):
    """`sequential`."""

    context: list[Setting]
    scope: Scope
    steps: list[Step]


@dataclass(slots=True, eq=False)
class ReduceTask(Expression):
    """`reduce-task`."""

    context: list[Setting]
    clauses: dict[str, Expression]


@dataclass(slots=True, eq=False)
class ParallelMap(Expression):
    """`pmap`."""

    function: Expression
    items: Expression
    concurrency: Expression | None


@dataclass(slots=True, eq=False)
class AtomParameter:
    """An input that a `defatom` declares."""

    datum: Datum
    name: str
    type: str
    optional: bool


@dataclass(slots=True, eq=False)
class DefineAtom(Expression):
    """`defatom`: the task's parts as literal data, by canonical clause name."""

    name: str
    name_datum: Datum
    parameters: list[AtomParameter]
    clauses: dict[str, Datum]


@dataclass(slots=True, eq=False)
class Load(Expression):
    """`load`."""

    path: str
    path_datum: Datum


@dataclass(slots=True, eq=False)
class DefineTest(Expression):
    """`deftest`."""

    name: str
    name_datum: Datum
    scope: Scope
    body: list[Expression]


@dataclass(slots=True, eq=False)
class Invalid(Expression):
    """What cannot be understood; evaluating it raises the problem."""

    problem: Problem
    parts: list[Expression] = field(default_factory=list)
