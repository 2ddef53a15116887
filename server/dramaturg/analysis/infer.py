"""What is known of an expression's value, from what is written alone?

Literals, `dict` and `list`, the results of tasks by their output schema, records
by their documented fields, and what passes through names, branches, functions and
the primitives that keep members. Unknown stays unknown.
"""

from __future__ import annotations

from dramaturg.analysis.checks.around import NamesOfFile
from dramaturg.analysis.shapes import ERROR, Shape, record
from dramaturg.language.expand import core
from dramaturg.syntax.datum import Datum

_DEEPEST = 40

#: Primitives whose result is a list of the same members as an argument of theirs, by the argument's place.
_SAME_MEMBERS = {"rest": 0, "cdr": 0, "reverse": 0, "sort": 0, "filter": 1}
#: Primitives that call a function on each member of a list.
MAPPING = ("map", "filter", "for-each", "sort")
_MEMBER = ("first", "car", "nth")


class Inference:
    """Shapes of expressions among some names."""

    def __init__(self, names: NamesOfFile) -> None:
        self.names = names
        self._inside: set[int] = set()

    def learn(self, node: core.Expression) -> None:
        """Notes the parameters of a function that is mapped over a list of known members."""
        function: core.Expression | None = None
        items: core.Expression | None = None
        if isinstance(node, core.ParallelMap):
            function, items = node.function, node.items
        elif isinstance(node, core.Call) and _primitive(node) in MAPPING:
            function, items = [*node.arguments, None, None][:2]
            if _primitive(node) == "sort":
                function, items = items, function
        if isinstance(function, core.Lambda) and len(function.parameters) == 1 and items is not None:
            shape = self.shape(items)
            if shape is not None and shape.item is not None and not function.parameters[0].assigned:
                self.names.parameters[function.parameters[0]] = shape.item

    def shape(self, node: core.Expression) -> Shape | None:
        """What is known of the value of `node`."""
        if id(node) in self._inside or len(self._inside) > _DEEPEST:
            return None
        self._inside.add(id(node))
        try:
            return self._shape(node)
        finally:
            self._inside.discard(id(node))

    def _shape(self, node: core.Expression) -> Shape | None:
        match node:
            case core.Literal_():
                return literal(node.datum)
            case core.DictExpression():
                return Shape("map", "", tuple((item.name, self.shape(item.value)) for item in node.entries))
            case core.LocalReference():
                return self.binding(node.binding)
            case core.GlobalReference():
                known = node.meaning is not None and node.meaning.kind == "top-level"
                return self.names.value_shape(node.name) if known else None
            case core.Call():
                return self._call(node)
            case core.TaskCall():
                return self._task(node)
            case core.ClauseCall():
                if node.name == "context-matches":
                    return record("AssociativeMatchResult")
                return Shape("list", item=Shape("string"))
            case core.If():
                return self._either([node.then, node.otherwise])
            case core.Sequence():
                return self.shape(node.items[-1]) if node.items else None
            case core.Let() | core.DefineTest():
                return self.shape(node.body[-1]) if node.body else None
            case core.Sequential():
                return self.shape(node.steps[-1].value) if node.steps else None
            case core.Lambda():
                return Shape("function", result=self.shape(node.body[-1]) if node.body else None)
            case core.NamedLet():
                return self.shape(node.function.body[-1]) if node.function.body else None
            case core.Try():
                return self._either([self._last(node.body), self._last(node.handler)])
            case core.ParallelMap():
                return Shape("list", item=self._result(node.function))
            case core.Assign():
                return self.shape(node.value)
        return None

    def binding(self, binding: core.Binding) -> Shape | None:
        """What is known of a local name's value."""
        if binding.assigned:
            return None
        if binding.kind == "catch":
            return ERROR
        if binding.value is None:
            return self.names.parameters.get(binding)
        return self.shape(binding.value)

    @staticmethod
    def _last(body: list[core.Expression]) -> core.Expression | None:
        return body[-1] if body else None

    def _either(self, branches: list[core.Expression | None]) -> Shape | None:
        """The shape that all branches share; a missing one, and one that ends in an error, say nothing against it."""
        found: Shape | None = None
        for branch in branches:
            if branch is None or _never_returns(branch):
                continue
            shape = self.shape(branch)
            if shape is None or (found is not None and found != shape):
                return None
            found = shape
        return found if all(branch is not None for branch in branches) else None

    def _result(self, function: core.Expression) -> Shape | None:
        shape = self.shape(function)
        return shape.result if shape is not None else None

    def _call(self, node: core.Call) -> Shape | None:
        name = _primitive(node)
        if not name:
            return self._result(node.operator)
        first = self.shape(node.arguments[0]) if node.arguments else None
        if name == "get-field" and len(node.arguments) == 2:
            return first.field(key) if first is not None and (key := _key(node.arguments[1])) else None
        if name == "get-in" and len(node.arguments) == 2:
            return _along(first, node.arguments[1])
        if name == "set-field" and len(node.arguments) == 3:
            key = _key(node.arguments[1])
            if first is None or first.kind not in ("map", "record") or not key:
                return Shape("map")
            return first.with_field(key, self.shape(node.arguments[2]))
        if name == "unwrap":
            return _unwrapped(first)
        if name == "list":
            return Shape("list", item=self._same(node.arguments))
        if name in _MEMBER:
            return first.item if first is not None else None
        if name in _SAME_MEMBERS and len(node.arguments) > _SAME_MEMBERS[name]:
            shape = self.shape(node.arguments[_SAME_MEMBERS[name]])
            return Shape("list", item=shape.item if shape is not None else None)
        if name == "map":
            return Shape("list", item=self._result(node.arguments[0]) if node.arguments else None)
        return self._by_signature(node)

    def _same(self, items: list[core.Expression]) -> Shape | None:
        shapes = {self.shape(item) for item in items}
        return shapes.pop() if len(shapes) == 1 else None

    def _by_signature(self, node: core.Call) -> Shape | None:
        operator = node.operator
        construct = (
            operator.meaning.construct if isinstance(operator, core.GlobalReference) and operator.meaning else None
        )
        if construct is None or not construct.accepts(len(node.arguments)):
            return None
        types = construct.signature_for(len(node.arguments)).result
        return Shape(types[0]) if len(types) == 1 and types[0] in _PLAIN else None

    def _task(self, node: core.TaskCall) -> Shape | None:
        if node.computed is not None or node.meaning is None or node.meaning.task is None:
            return None
        if node.name == "system:run_script":
            return record("ScriptTaskResult")
        return record("TaskResult", parsedContent=self.names.answer_shape(node.name))


_PLAIN = frozenset("nil boolean number integer string symbol list map function".split())


def literal(datum: Datum) -> Shape | None:
    """The shape of a literal's value; quoted lists may be association lists, so nothing is said of their fields."""
    if datum.kind == "number":
        return Shape("integer" if isinstance(datum.value, int) else "number")
    if datum.kind == "list":
        shapes = {literal(item) for item in datum.items}
        return Shape("list", item=shapes.pop() if len(shapes) == 1 else None)
    return Shape(datum.kind) if datum.kind in ("string", "boolean", "nil", "symbol") else None


def _primitive(node: core.Call) -> str:
    operator = node.operator
    if isinstance(operator, core.GlobalReference) and operator.meaning and operator.meaning.kind == "primitive":
        return operator.name
    return ""


def _key(node: core.Expression) -> str:
    if isinstance(node, core.Literal_) and node.datum.kind in ("string", "symbol"):
        return str(node.datum.value)
    return ""


def _along(shape: Shape | None, path: core.Expression) -> Shape | None:
    if not isinstance(path, core.Literal_) or path.datum.kind != "list":
        return None
    for key in path.datum.items:
        if shape is None:
            return None
        shape = shape.item if key.kind == "number" else shape.field(str(key.value))
    return shape


def _unwrapped(result: Shape | None) -> Shape | None:
    """What `unwrap` gives: the parsed content where an output schema says that there is one."""
    return result.field("parsedContent") if result is not None and result.kind == "record" else None


def _never_returns(node: core.Expression) -> bool:
    return isinstance(node, core.Call) and _primitive(node) == "error"
