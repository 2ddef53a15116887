"""What does a name of the language mean, before anybody defines anything?"""

from __future__ import annotations

from dramaturg.language.construct import Construct, Table
from dramaturg.language.forms import FORMS
from dramaturg.language.primitives import PRIMITIVES

#: Special forms by name; they are found before top-level names.
SPECIAL_FORMS = Table(FORMS)

#: Primitives by name, those that take clauses included; top-level names hide them.
PRIMITIVE_TABLE = Table(PRIMITIVES)

#: Names that the loops bind while their phases run.
DYNAMIC_NAMES = {
    "*loop-config*": "The settings of the innermost loop: a map of its clauses' values.",
    "last_evaluator_output": "The content of the evaluator's last feedback; nil in the first iteration.",
}


def construct(name: str) -> Construct | None:
    """The special form or primitive of that name."""
    return SPECIAL_FORMS.get(name) or PRIMITIVE_TABLE.get(name)
