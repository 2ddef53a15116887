"""Which findings come of reading and expanding alone? Those of the checks stand beside each check, in `analysis`."""

from __future__ import annotations

from dramaturg.language.problem import Severity
from dramaturg.language.rule import Rule


def _task(body: str, attributes: str = 'name="a" type="atomic"') -> str:
    return f"<task {attributes}>{body}</task>"


_WHOLE = "<description>d</description><instructions>i</instructions>"

RULES = (
    Rule(
        "syntax",
        "error",
        "Text that cannot be read.",
        "Nothing can be said of a form that is not closed.",
        "‸(‸list 1 2",
    ),
    Rule(
        "bad-clause",
        "error",
        "A form whose parts do not have its shape.",
        "A run would stop at the form.",
        "(let (‸(x)‸) x)",
    ),
    Rule(
        "not-a-value",
        "error",
        "A form, task or tool used as a value.",
        "Only functions are values; a lambda makes one of a call.",
        "(map ‸if‸ (list 1))",
    ),
    Rule(
        "repeated-input",
        "error",
        "An input given or declared twice.",
        "Only one of the values could count.",
        '(system:get_context (query "x") (‸query‸ "y"))',
    ),
    Rule(
        "repeated-parameter",
        "error",
        "A name bound twice in one list.",
        "Only one of the two could be seen.",
        "(lambda (x ‸x‸) x)",
    ),
    Rule(
        "context-conflict",
        "error",
        "Context settings that exclude each other.",
        "Fresh context cannot stand beside inherited context.",
        "(sequential (context (inherit_context full) ‸(fresh_context enabled)‸) (step a 1))",
    ),
    Rule(
        "not-well-formed",
        "error",
        "XML that libxml2 does not take.",
        "The template cannot be loaded.",
        '<‸task‸ name="a" type="atomic">' + _WHOLE,
        "template",
    ),
    Rule(
        "unknown-element",
        "error",
        "An element that the table does not have in this place.",
        "It would be ignored, which is never meant.",
        _task(_WHOLE + "<‸modle‸>m</modle>"),
        "template",
    ),
    Rule(
        "unknown-attribute",
        "error",
        "An attribute that the element does not have.",
        "It would be ignored, which is never meant.",
        _task(_WHOLE, 'name="a" type="atomic" ‸subtyp‸="director"'),
        "template",
    ),
    Rule(
        "bad-value",
        "error",
        "A value that does not fit.",
        "The template cannot be loaded.",
        _task(_WHOLE, 'name="a" type="‸sequential‸"'),
        "template",
    ),
    Rule(
        "missing-element",
        "error",
        "An element that must be there.",
        "The template cannot be loaded.",
        '<‸task‸ name="a" type="atomic"><description>d</description></task>',
        "template",
    ),
    Rule(
        "missing-attribute",
        "error",
        "An attribute that must be there.",
        "The template cannot be loaded.",
        '<‸task‸ type="atomic">' + _WHOLE + "</task>",
        "template",
    ),
    Rule(
        "undeclared-placeholder",
        "error",
        "A placeholder that no input declares.",
        "Nothing could be put in.",
        _task("<description>d</description><instructions>{{‸topic‸}}</instructions>"),
        "template",
    ),
    Rule(
        "bad-placeholder",
        "error",
        "Text in `{{...}}` that is no placeholder.",
        "It would stand in the prompt as it is.",
        _task("<description>d</description><instructions>‸{{f(x)}}‸</instructions>"),
        "template",
    ),
    Rule(
        "unused-input",
        "warning",
        "A declared input that no prompt uses.",
        "Callers must give it for nothing.",
        _task(_WHOLE + '<inputs><input name="‸x‸"/></inputs>'),
        "template",
        "unnecessary",
    ),
    Rule(
        "deprecated",
        "hint",
        "An element that is kept for older templates.",
        "Newer ones do without it.",
        _task(_WHOLE + "<‸output_slot‸>x</output_slot>"),
        "template",
        "deprecated",
    ),
)

BY_CODE = {rule.code: rule for rule in RULES}


def severity_of(code: str) -> Severity:
    """The severity of a rule, before any configuration."""
    rule = BY_CODE.get(code)
    return rule.severity if rule else "error"
