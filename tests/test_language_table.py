"""The tables say each thing once; what is made from them must be whole."""

from __future__ import annotations

import asyncio
import hashlib
import re
from pathlib import Path

import pytest

from conftest import ROOT
from dramaturg.analysis.checks.rules import BY_CODE, RULES
from dramaturg.analysis.document import problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings
from dramaturg.engine.evaluator.compiler import COMPILERS
from dramaturg.engine.evaluator.primitives import BEHAVIOUR
from dramaturg.engine.evaluator.program import Program
from dramaturg.engine.session import Session
from dramaturg.engine.types import AssociativeMatchResult, MatchTuple, ScriptTaskResult, TaskResult
from dramaturg.language.construct import Construct
from dramaturg.language.expand import HANDLERS, core
from dramaturg.language.records import RECORDS
from dramaturg.language.reference import pages
from dramaturg.language.rule import Rule
from dramaturg.language.table import PRIMITIVE_TABLE, SPECIAL_FORMS
from generate_queries import QUERY, generated

CONSTRUCTS = (*SPECIAL_FORMS.constructs, *PRIMITIVE_TABLE.constructs)
WITH_VALUES = [construct for construct in CONSTRUCTS if " => " in construct.example]


def test_every_form_has_a_meaning() -> None:
    needed = {c.name for c in CONSTRUCTS if c.kind in ("form", "clause-form")}
    assert needed == set(HANDLERS)


def test_every_primitive_has_a_behaviour() -> None:
    assert {c.name for c in CONSTRUCTS if c.kind == "primitive"} == set(BEHAVIOUR)


def test_every_core_expression_is_compiled() -> None:
    kinds = {kind for kind in vars(core).values() if isinstance(kind, type) and issubclass(kind, core.Expression)}
    assert kinds - {core.Expression} == set(COMPILERS), Program


@pytest.mark.parametrize("construct", WITH_VALUES, ids=lambda construct: construct.name)
def test_the_example_has_the_value_that_it_says(construct: Construct, tmp_path: Path) -> None:
    source, _, value = construct.example.rpartition(" => ")
    result = asyncio.run(Session(tmp_path, Settings()).run_workflow(source, "example.wf"))
    shown = (
        f'"{result.content}"' if isinstance(result.parsed_content, str) and value.startswith('"') else result.content
    )
    assert shown == value


@pytest.mark.parametrize("construct", CONSTRUCTS, ids=lambda construct: construct.name)
def test_signatures_and_clauses_read(construct: Construct) -> None:
    assert construct.doc.endswith(".")
    assert all(signature.label.startswith(f"({construct.name}") for signature in construct.signatures)
    assert all(clause.signature.name for clause in construct.clauses)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_rules_example_has_exactly_its_finding(rule: Rule) -> None:
    start, end = rule.example.index("‸"), rule.example.rindex("‸") - 1
    name = "self.wf" if rule.language == "workflow" else "a.task.xml"
    path = f"/workspace/{name}"
    document = Document(path, rule.language, rule.example.replace("‸", ""))  # type: ignore[arg-type]
    on = {rule.code: "warning"}  # The rules that are off by default are tried too.
    found = problems(document, Snapshot(Path("/workspace"), {path: document}, severities=on, models=("claude-sonnet",)))
    assert [(item.code, *item.span) for item in found] == [(rule.code, start, end)]


def test_the_reference_pages_say_what_the_tables_say() -> None:
    for name, text in pages(RULES).items():
        written = (ROOT / "server" / "dramaturg" / "reference" / name).read_text(encoding="utf-8")
        assert written == text, "run `make reference`"


def test_the_grammars_sources_were_generated_from_the_grammar() -> None:
    grammar = ROOT / "grammar"
    written = (grammar / "src" / "grammar.sha256").read_text().split()[0]
    assert written == hashlib.sha256((grammar / "grammar.js").read_bytes()).hexdigest(), "run `make grammar`"


def test_the_extensions_grammar_lists_every_form() -> None:
    grammar = (ROOT / "client-vscode" / "syntaxes" / "workflow.tmLanguage.json").read_text(encoding="utf-8")
    assert [name for name in SPECIAL_FORMS if name.replace("*", r"\\*").replace("-", r"\\-") not in grammar] == []


def test_the_highlight_query_lists_the_languages_names() -> None:
    text = QUERY.read_text(encoding="utf-8")
    assert generated(text) == text, "run `python scripts/generate_queries.py`"


def test_the_records_fields_are_those_of_the_engines_types() -> None:
    types = {kind.__name__: kind for kind in (TaskResult, ScriptTaskResult, AssociativeMatchResult, MatchTuple)}
    written = {name: {field.alias or key for key, field in kind.model_fields.items()} for name, kind in types.items()}
    assert {name: set(fields) for name, fields in RECORDS.items()} == written


def test_every_code_that_is_reported_has_a_rule() -> None:
    reported = set()
    for path in (ROOT / "server").rglob("*.py"):
        reported |= set(re.findall(r'Problem\(\s*"([a-z-]+)"|problem\(\s*"([a-z-]+)"', path.read_text("utf-8")))
    assert {first or second for first, second in reported} <= set(BY_CODE)
