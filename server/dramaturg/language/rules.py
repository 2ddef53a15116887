"""Which findings are there? Every rule once: code, severity, what it says, why, and an example that is a test.

In an example the finding stands on the text between the two `‸`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dramaturg.language.problem import Severity


@dataclass(frozen=True)
class Rule:
    """A kind of finding; `language` says which files it is about."""

    code: str
    severity: Severity
    summary: str
    why: str
    example: str
    language: str = "workflow"


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
    Rule("unbound-name", "error", "A name that nothing binds.", "A run would stop where it is used.", "(+ 1 ‸coutn‸)"),
    Rule(
        "unknown-task",
        "error",
        "A call of a task or a tool that does not exist.",
        "A run would stop at the call.",
        '(‸sumarize‸ (text "..."))',
    ),
    Rule(
        "arity", "error", "A number of arguments that does not fit.", "A run would stop at the call.", "(‸first‸ 1 2)"
    ),
    Rule(
        "wrong-type", "error", "A literal of a type that does not fit.", "A run would stop at the call.", '(+ 1 ‸"2"‸)'
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
        "missing-input",
        "error",
        "A task call without an input that the task needs.",
        "The prompt would lack it.",
        "(‸system:get_context‸)",
    ),
    Rule(
        "unknown-input",
        "error",
        "An input that the task does not declare.",
        "Its value would go nowhere.",
        '(system:get_context (query "x") (‸qeury‸ "x"))',
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
        "unused-binding",
        "warning",
        "A let, step or inner define that nothing uses.",
        "It is left over, or its use is misspelt.",
        "(let ((‸x‸ 1)) 2)",
    ),
    Rule(
        "hides-name",
        "warning",
        "A binding that hides a name of the language, a task or a tool.",
        "Whoever reads the name expects the other meaning.",
        "(define ‸first‸ 1)",
    ),
    Rule(
        "redefinition",
        "warning",
        "A second top-level definition of a name.",
        "It takes the place of the first from there on.",
        "(define x 1)\n(define ‸x‸ 2)",
    ),
    Rule(
        "unreachable-branch", "warning", "A branch that is never taken.", "The test is a constant.", "(if true 1 ‸2‸)"
    ),
    Rule(
        "constant-test",
        "hint",
        "A test that is a bare number or string.",
        "0 and the empty string are false here, which surprises Lispers.",
        "(if ‸1‸ (list) (list))",
    ),
    Rule(
        "load-cycle",
        "error",
        "Files that load one another in a cycle.",
        "Neither could be evaluated first.",
        '(load ‸"self.wf"‸)',
    ),
    Rule(
        "unknown-reference",
        "error",
        "A file that is not there.",
        "A run would stop where it is needed.",
        '(load ‸"no-such.wf"‸)',
    ),
    Rule(
        "unused-ignore",
        "warning",
        "A comment that silences nothing.",
        "What it was for is gone; it would hide the next one.",
        "‸; dramaturg: ignore[arity]‸\n(list 1)",
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
    ),
    Rule(
        "duplicate-task",
        "error",
        "Two tasks of one name.",
        "A call could mean either.",
        "<tasks>" + _task(_WHOLE) + _task(_WHOLE, 'name="‸a‸" type="atomic"') + "</tasks>",
        "template",
    ),
    Rule(
        "deprecated",
        "hint",
        "An element that is kept for older templates.",
        "Newer ones do without it.",
        _task(_WHOLE + "<‸output_slot‸>x</output_slot>"),
        "template",
    ),
)

BY_CODE = {rule.code: rule for rule in RULES}


def severity_of(code: str) -> Severity:
    """The severity of a rule, before any configuration."""
    rule = BY_CODE.get(code)
    return rule.severity if rule else "error"
