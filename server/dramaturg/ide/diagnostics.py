"""Which findings does the editor show, and how gravely?"""

from __future__ import annotations

from dataclasses import dataclass

from dramaturg.analysis.checks.rules import BY_CODE, severity_of
from dramaturg.analysis.document import problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.language.problem import Problem, Severity


@dataclass(frozen=True)
class Diagnostic:
    """A finding with the severity in force."""

    problem: Problem
    severity: Severity

    @property
    def tag(self) -> str:
        """`unnecessary` or `deprecated` for what editors fade or strike through, else empty."""
        rule = BY_CODE.get(self.problem.code)
        return rule.tag if rule is not None else ""


def diagnostics(document: Document, snapshot: Snapshot) -> list[Diagnostic]:
    """The document's findings, those turned off left out."""
    found = [Diagnostic(item, _severity(item.code, snapshot)) for item in problems(document, snapshot)]
    return [item for item in found if item.severity != "off"]


def _severity(code: str, snapshot: Snapshot) -> Severity:
    configured = snapshot.severities.get(code)
    if configured in ("error", "warning", "information", "hint", "off"):
        return configured  # type: ignore[return-value]
    return severity_of(code)
