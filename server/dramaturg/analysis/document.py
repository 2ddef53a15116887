"""What is wrong with one file of the workspace?"""

from __future__ import annotations

from dramaturg.analysis.checks.registry import TEMPLATE_CHECKS, WORKFLOW_CHECKS, expression_checks, switched_off
from dramaturg.analysis.checks.unused_ignore import silenced
from dramaturg.analysis.environment import environment_of
from dramaturg.analysis.forms import form_problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.problem import Problem


def problems(document: Document, snapshot: Snapshot) -> list[Problem]:
    """Every finding of a document, in the order of the text, silenced ones left out."""
    if document.language == "template":
        found = [*document.templates.problems]
        for check_templates in TEMPLATE_CHECKS:
            found += check_templates(document, snapshot)
        return sorted(found, key=lambda item: (item.span, item.code))
    environment = environment_of(snapshot, document)
    checks = expression_checks(switched_off(snapshot.severities))
    found = [
        problem.shift(form.start)
        for form in document.reading.forms
        for problem in form_problems(form, environment, checks)
    ]
    for check_workflow in WORKFLOW_CHECKS:
        found += check_workflow(environment)
    return sorted(silenced(document, found), key=lambda item: (item.span, item.code))
