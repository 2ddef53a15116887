"""Templates beyond the cases: schemas for other editors, cutting into units, what libxml2 says, matching by text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from conftest import ROOT
from dramaturg.analysis.document import problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.config import Settings, load_settings
from dramaturg.engine.handler.models import known_models, model_facts
from dramaturg.engine.session import Session
from dramaturg.language.template_file import read_templates
from dramaturg.language.xml_schemas import relax_ng, xsd
from test_cli import data, dramaturg

SCHEMAS = ROOT / "server" / "dramaturg" / "schemas"
EXAMPLES = sorted((ROOT / "examples").rglob("*.task.xml"))

GOOD = """<tasks>
  <task name="a" type="atomic" subtype="director">
    <description>d</description><instructions>{{x}}</instructions>
    <inputs><input name="x" type="string" default="1">doc</input></inputs>
    <output_format type="json" schema="string[]"/>
    <context_management><inherit_context>none</inherit_context><accumulate_data>true</accumulate_data></context_management>
    <file_paths source="literal"><path>a.py</path><path>b.py</path></file_paths>
    <limits><max_turns>3</max_turns><warning_threshold>0.5</warning_threshold></limits>
    <manual_xml>false</manual_xml>
  </task>
  <template name="f" params="a,b"><task type="atomic" name="f"><description>d</description>
    <instructions>{{a}} {{b}}</instructions></task></template>
</tasks>"""
BAD = (
    ("<task name='a' type='atomic'><descripton>d</descripton></task>", "unknown element"),
    ("<task name='a' type='sequential'><description>d</description></task>", "bad value"),
    ("<task type='atomic'><description>d</description></task>", "missing attribute"),
    ("<task name='a' type='atomic'><limits><max_turns>-1</max_turns></limits></task>", "bad number"),
    ("<task name='a' type='atomic'><description>d</description><description>d</description></task>", "repeated"),
)


def test_the_schemas_are_made_from_the_table() -> None:
    assert (SCHEMAS / "task.rng").read_text(encoding="utf-8") == relax_ng(), "run `make reference`"
    assert (SCHEMAS / "task.xsd").read_text(encoding="utf-8") == xsd(), "run `make reference`"


@pytest.mark.parametrize("schema", ["rng", "xsd"])
def test_other_editors_schemas_take_what_we_take_and_refuse_what_we_refuse(schema: str) -> None:
    tree = etree.parse(SCHEMAS / f"task.{schema}")
    validator = etree.RelaxNG(tree) if schema == "rng" else etree.XMLSchema(tree)
    for text in (GOOD, *(path.read_text(encoding="utf-8") for path in EXAMPLES)):
        document = etree.fromstring(text.encode())
        assert validator.validate(document), validator.error_log
    for text, why in BAD:
        assert not validator.validate(etree.fromstring(text)), why


TASK = '<task name="{}" type="atomic"><description>d</description><instructions>i</instructions></task>\n'
PIECES = (
    TASK.format("one"),
    TASK.format("two"),
    "<!-- </task> in a comment -->\n",
    '<template name="f" params="a"><task type="atomic" name="f"><description>d</description>'
    "<instructions>{{a}}</instructions></task></template>\n",
    "<task",
    "</task>",
    "<task name='x' type='atomic'>",
    "text",
    "<![CDATA[</task>]]>",
    "&nope;",
    "</tasks>",
    "<",
    '"',
)


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.booleans())
def test_a_file_cut_into_units_says_what_the_whole_file_says(pieces: list[str], closed: bool) -> None:
    text = "<tasks>\n" + "".join(pieces) + ("</tasks>\n" if closed else "")
    try:
        etree.fromstring(text.encode())
        well_formed = True
    except etree.XMLSyntaxError:
        well_formed = False
    file = read_templates(text)
    assert well_formed is not any(item.code == "not-well-formed" for item in file.problems)
    for problem in file.problems:
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
    for placed in file.templates:
        if placed.template.name:
            assert text[placed.name_span.start : placed.name_span.end] == placed.template.name


@given(st.integers(0, len(GOOD) - 1), st.sampled_from(["", "<", ">", '"', "&", "</", "x", "]]>", "<!--"]))
def test_what_libxml2_does_not_take_and_nothing_else_is_not_well_formed(at: int, inserted: str) -> None:
    text = GOOD[:at] + inserted + GOOD[at + 1 :]
    try:
        etree.fromstring(text.encode())
        well_formed = True
    except etree.XMLSyntaxError:
        well_formed = False
    assert well_formed is not any(item.code == "not-well-formed" for item in read_templates(text).problems)


def test_50_megabytes_and_bombs_are_refused_at_once() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY b "' + "x" * 100 + '"><!ENTITY c "&b;&b;">]><task>&c;</task>'
    for text in ("<task>" + "x" * 50_000_000 + "</task>", bomb, "<task>" * 100_000):
        found = problems(Document("/w/a.task.xml", "template", text), Snapshot(Path("/w"), {}))
        assert "not-well-formed" in {item.code for item in found}


def workspace(folder: Path, **files: str) -> Session:
    for name, text in files.items():
        path = folder / name.replace("__", ".").replace("_S_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    session = Session(folder, load_settings(folder).settings, trusted=True)
    session.load_templates()
    assert session.load_problems == []
    return session


FUNCTION = """<tasks>
<template name="review" params="code, style"><task name="review" type="atomic">
  <description>Reviews code</description><instructions>Review {{code}} for {{style}}.</instructions></task></template>
<task name="strict" type="atomic"><description>Reviews strictly</description>
  <inputs><input name="text"/></inputs>
  <call template="review"><arg>the text {{text}}</arg><arg>errors only</arg></call></task>
<task name="base" type="atomic"><description>Base</description><instructions>Say {{word}}</instructions>
  <inputs><input name="word" default="hi"/></inputs><limits><max_turns>2</max_turns></limits></task>
<task name="derived" type="atomic" ref="base"><model>claude-haiku-4-5</model></task>
</tasks>"""


async def prompt(session: Session, name: str, **inputs: str) -> str:
    return str((await session.preview_task(name, inputs)).request.messages[-1]["content"])


async def test_function_templates_are_called_by_position_in_templates(tmp_path: Path) -> None:
    session = workspace(tmp_path, all__task__xml=FUNCTION)
    assert await prompt(session, "strict", text="a < b") == "Review the text a < b for errors only."
    assert await prompt(session, "review", code="x", style="y") == "Review x for y."


async def test_ref_fills_in_what_a_template_leaves_out(tmp_path: Path) -> None:
    session = workspace(tmp_path, all__task__xml=FUNCTION)
    prepared = await session.preview_task("derived", {})
    assert prepared.request.messages[-1]["content"] == "Say hi"
    assert prepared.request.model == "claude-haiku-4-5"
    assert prepared.template.limits.max_turns == 2


def test_tasks_are_found_by_what_they_are_for(tmp_path: Path) -> None:
    session = workspace(tmp_path, all__task__xml=FUNCTION)
    ranked = session.task_system.find_matching_tasks("review this code strictly")
    assert [name for name, _ in ranked][:2] == ["strict", "review"]
    assert all(0 < score <= 1 for _, score in ranked)
    assert session.task_system.find_matching_tasks("zebra") == []


MODEL = """
from pydantic import BaseModel
class Plan(BaseModel):
    steps: list[str]
"""
WITH_MODEL = """<task name="plan" type="atomic"><description>d</description><instructions>i</instructions>
<output_format type="json" schema="shapes.plans.Plan"/></task>"""


async def test_pydantic_models_of_allowed_modules_are_schemas_where_the_workspace_is_trusted(tmp_path: Path) -> None:
    (tmp_path / "dramaturg.toml").write_text('[templates]\nschema_modules = ["shapes.plans"]\n')
    session = workspace(tmp_path, a__task__xml=WITH_MODEL, shapes_S_plans__py=MODEL)
    schema = (await session.preview_task("plan", {})).schema
    assert schema is not None
    assert schema["properties"]["steps"]["type"] == "array"
    trap = "open('ran', 'w').close()\n" + MODEL
    (tmp_path / "shapes" / "plans.py").write_text(trap)
    untrusted = Session(tmp_path, load_settings(tmp_path).settings)
    untrusted.load_templates()
    result = await untrusted.run_task("plan", {})
    assert result.status == "FAILED"
    assert not (tmp_path / "ran").exists()


def test_the_models_are_those_of_the_sdk() -> None:
    from typing import get_args

    from anthropic.types import ModelParam

    literal = get_args(ModelParam)[0]
    assert set(known_models()) == set(get_args(literal))
    assert model_facts("claude-sonnet-4-5", {}).cost(1_000_000, 0) == 3.0
    assert model_facts("my-own", {}).cost(1, 1) is None
    assert model_facts("my-own", {"my-own": {"input_price": 1.0, "output_price": 2.0}}).cost(0, 500_000) == 1.0


def test_schema_files_and_paths_that_are_missing_are_found(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(json.dumps({"type": "object"}))
    text = """<task name="a" type="atomic"><description>d</description><instructions>i</instructions>
<output_format type="json" schema="{}"/><file_paths><path>{}</path></file_paths></task>"""
    (tmp_path / "a.task.xml").write_text(text.format("plan.json", "plan.json"))
    assert data(tmp_path, "check", "a.task.xml") == []
    (tmp_path / "a.task.xml").write_text(text.format("plann.json", "gone.py"))
    assert [item["code"] for item in data(tmp_path, "check", "a.task.xml")] == ["unknown-reference"] * 2
    assert dramaturg(tmp_path, "docs", "--schema", "rng")[1] == relax_ng()


Make = Callable[[dict[str, str]], Path]


def test_preview_takes_a_place_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "all.task.xml").write_text(FUNCTION)
    (tmp_path / "main.wf").write_text('(define x 1)\n(derived (word "there"))\n')
    found = data(tmp_path, "preview", "main.wf:2")
    assert found["request"]["messages"][0]["content"] == "Say there"
    found = data(tmp_path, "preview", "all.task.xml:9", "--input", "word=you")
    assert found["request"]["messages"][0]["content"] == "Say you"
    assert dramaturg(tmp_path, "preview", "main.wf:1")[0] == 2
    assert asyncio.run(Session(tmp_path, Settings()).match("x")) is not None
