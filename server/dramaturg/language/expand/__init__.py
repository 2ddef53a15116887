"""From datum to core: what each form means, said once for the checks and for the evaluator."""

from dramaturg.language.expand import binding, calls, composition, control, top_level
from dramaturg.language.expand.expander import HANDLERS, Expander

__all__ = ["HANDLERS", "Expander", "binding", "calls", "composition", "control", "top_level"]
