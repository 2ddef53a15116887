"""Which findings are there in all? Those of reading and expanding, and the rule of each check."""

from __future__ import annotations

from dramaturg.analysis.checks.registry import CHECKS
from dramaturg.language.problem import Severity
from dramaturg.language.rule import Rule
from dramaturg.language.rules import RULES as READING_RULES

RULES: tuple[Rule, ...] = (*READING_RULES, *(check.RULE for check in CHECKS))

BY_CODE = {rule.code: rule for rule in RULES}


def severity_of(code: str) -> Severity:
    """The severity of a rule, before any configuration."""
    rule = BY_CODE.get(code)
    return rule.severity if rule else "error"
