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
    found = _of_templates(document, snapshot) if document.language == "template" else _of_workflow(document, snapshot)
    return sorted(found, key=lambda item: (item.span, item.code))


def _of_templates(document: Document, snapshot: Snapshot) -> list[Problem]:
    found = [*document.templates.problems]
    for check_templates in TEMPLATE_CHECKS:
        found += check_templates(document, snapshot)
    return found


def _of_workflow(document: Document, snapshot: Snapshot) -> list[Problem]:
    environment = environment_of(snapshot, document)
    checks = expression_checks(switched_off(snapshot.severities))
    found: list[Problem] = []
    epoch = environment.epoch
    for form in document.reading.forms:
        kept = form.tree.notes.get("findings")
        # Nearly every form is one that nothing changed for since the last edit.
        if kept is not None and kept.epoch is epoch and kept.condition is checks and not kept.values:
            here = kept.value
        else:
            here = form_problems(form, environment, checks)
        if here:
            found += [problem.shift(form.start) for problem in here]
    for check_workflow in WORKFLOW_CHECKS:
        found += check_workflow(environment)
    return silenced(document, found)
