"""What is known of the value of a top-level definition?"""

from __future__ import annotations

from dramaturg.analysis.environment import DefinitionPlace, Environment, environment_of
from dramaturg.analysis.infer import Inference
from dramaturg.analysis.kept import Asking, Kept
from dramaturg.analysis.shapes import Shape
from dramaturg.language.expand import Expander, core
from dramaturg.language.expand.walk import walk
from dramaturg.syntax.workflow import Form

_values: Kept[dict[str, Shape | None], None] = Kept("values")


def definition_shape(place: DefinitionPlace, environment: Environment) -> Shape | None:
    """The shape of a definition's value, as its own file sees the names around it."""
    around = environment
    if place.path != environment.document.path:
        document = environment.snapshot.document(place.path)
        if document is None:
            return None
        around = environment_of(environment.snapshot, document)
    return _values.get(place.form, around, _defined, None).get(place.definition.name)


def _defined(form: Form, asking: Asking, _: None) -> dict[str, Shape | None]:
    expression = Expander(asking).top_level(form.root) if form.root is not None else None
    inference = Inference(asking)
    nodes = walk(expression) if expression is not None else ()
    return {
        node.name: inference.shape(node.value)
        for node in nodes
        if isinstance(node, core.Define) and node.binding is None
    }
