"""One task's run, from template to TaskResult, over real HTTP."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dramaturg.config import LimitSettings, MatchingSettings, Settings
from dramaturg.engine import events
from dramaturg.engine.errors import EngineError
from dramaturg.engine.handler.providers.replay import ReplayProvider
from dramaturg.engine.recordings.entries import Recordings
from dramaturg.engine.session import Session
from dramaturg.engine.types import TaskResult
from messages_server import serving, status, text, tool

TEMPLATES = """<tasks>
  <task name="plain" type="atomic">
    <description>Says something</description>
    <system>You are brief.</system>
    <instructions>Say {{what}} {{times}} times, of {{parts}}.</instructions>
    <inputs>
      <input name="what" type="string">What to say</input>
      <input name="times" type="integer" default="2">How often</input>
      <input name="parts" type="list" required="false">Its parts</input>
    </inputs>
  </task>
  <task name="structured" type="atomic">
    <description>Answers with an object</description>
    <instructions>Answer.</instructions>
    <output_format type="json" schema="object"/>
  </task>
  <task name="fresh" type="atomic">
    <description>Explains how tags are parsed</description>
    <instructions>Explain.</instructions>
    <context_management><fresh_context>enabled</fresh_context></context_management>
  </task>
</tasks>"""


def session(root: Path, base_url: str = "", heard: list[events.Event] | None = None, **changes: Any) -> Session:
    (root / "tasks.task.xml").write_text(TEMPLATES, encoding="utf-8")
    settings = replace(Settings(model="m", base_url=base_url, system_prompt="Base."), **changes)
    made = Session(root, settings, trusted=True, listener=heard.append if heard is not None else events.ignore)
    made.load_templates()
    assert made.load_problems == []
    return made


def reason(result: TaskResult) -> str:
    assert result.notes.error is not None
    return str(getattr(result.notes.error, "reason", result.notes.error.type))


async def test_a_task_is_sent_and_its_answer_streams(tmp_path: Path) -> None:
    heard: list[events.Event] = []
    with serving(text("hello there")) as (url, script):
        result = await session(tmp_path, url, heard).run_task("plain", {"what": "hi", "parts": ["a", "é"]})
    assert (result.status, result.content) == ("COMPLETE", "hello there ")
    assert script.requests[0]["system"] == "Base.\n\nYou are brief."
    assert script.requests[0]["messages"] == [{"role": "user", "content": 'Say hi 2 times, of ["a", "é"].'}]
    notes = result.notes.as_dict()
    assert (notes["tokens"], notes["model"], notes["template"]) == ({"input": 11, "output": 7}, "m", "plain")
    assert [event.text for event in heard if isinstance(event, events.TokenDelta)] == ["hello ", "there "]
    assert isinstance(heard[0], events.RunStarted)
    assert isinstance(heard[-1], events.RunFinished)


async def test_an_answer_that_does_not_fit_is_asked_for_again(tmp_path: Path) -> None:
    with serving(text("no json"), text('{"a": 1}')) as (url, script):
        result = await session(tmp_path, url).run_task("structured", {})
    assert (result.status, result.parsed_content) == ("COMPLETE", {"a": 1})
    assert "does not fit" in script.requests[1]["messages"][2]["content"]


async def test_a_second_misfit_fails_with_what_is_wrong(tmp_path: Path) -> None:
    with serving(text("[1]")) as (url, _):
        result = await session(tmp_path, url).run_task("structured", {})
    assert (result.status, reason(result), result.content) == ("FAILED", "output_format_failure", "[1] ")
    assert result.notes.parse_error == "$: [1] is not of type 'object'"


async def test_the_model_may_use_only_the_tools_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("content of a")
    asked = tool("system__read_files", {"file_paths": ["a.txt", "../b"]})
    with serving(asked, text("done")) as (url, script):
        result = await session(tmp_path, url, tools=("system:read_files",)).run_task("plain", {"what": "x"})
        refused = await session(tmp_path, url, tools=()).run_task("plain", {"what": "x"})
    assert result.content == "done "
    assert "content of a" in script.requests[1]["messages"][2]["content"][0]["content"]
    assert refused.status == "COMPLETE"
    with serving(asked) as (url, _):
        forbidden = await session(tmp_path, url).run_task("plain", {"what": "x"})
        endless = await session(
            tmp_path, url, tools=("system:read_files",), limits=LimitSettings(max_turns=3)
        ).run_task("plain", {"what": "x"})
    assert reason(forbidden) == "tool_execution_error"
    assert reason(endless) == "RESOURCE_EXHAUSTION"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (status(401), "check ANTHROPIC_API_KEY"),
        (status(404), "check `model` and `base_url`"),
        (text("", "refusal"), "refused to answer"),
        (text("cut", "max_tokens"), "cut off"),
        ({**text("half"), "cut": True}, "stream"),
    ],
    ids=["401", "404", "refusal", "max_tokens", "cut stream"],
)
async def test_a_failing_provider_gives_a_typed_error(tmp_path: Path, answer: dict[str, Any], expected: str) -> None:
    with serving(answer) as (url, _):
        result = await session(tmp_path, url).run_task("plain", {"what": "x"})
    assert result.status == "FAILED"
    assert result.notes.error is not None
    assert expected in result.notes.error.message or reason(result) == "llm_error"


async def test_a_key_never_goes_to_an_address_that_a_workspace_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret-0123456789")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "token-secret-0123456789")
    with serving(text("x")) as (url, script):
        result = await session(tmp_path, url).run_task("plain", {"what": "x"})
    assert result.status == "COMPLETE"
    assert "secret" not in str(script.headers)


async def test_no_connection_says_where_to_look(tmp_path: Path) -> None:
    result = await session(tmp_path, "http://127.0.0.1:9").run_task("plain", {"what": "x"})
    assert reason(result) == "llm_error"
    assert "http://127.0.0.1:9" in result.content


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "`plain` needs the input `what`"),
        ({"what": "x", "tiems": 1}, "`plain` has no input `tiems`; did you mean `times`?"),
        ({"what": 1}, "`plain`: the input `what` must be of type string, found 1"),
    ],
)
async def test_inputs_are_checked(tmp_path: Path, inputs: dict[str, Any], message: str) -> None:
    result = await session(tmp_path).run_task("plain", inputs)
    assert (reason(result), result.content) == ("input_validation_failure", message)


async def test_context_settings_of_a_call_are_checked(tmp_path: Path) -> None:
    conflict = {"inherit_context": "full", "fresh_context": "enabled"}
    result = await session(tmp_path).run_task("plain", {"what": "x"}, context=conflict)
    assert reason(result) == "VALIDATION_ERROR"


async def test_fresh_context_puts_matching_files_into_the_prompt(tmp_path: Path) -> None:
    (tmp_path / "tags.py").write_text("def parse_tags(text):\n    '''Parses tags.'''\n")
    (tmp_path / "other.py").write_text("x = 1\n")
    with serving(text("ok")) as (url, script):
        result = await session(tmp_path, url, matching=MatchingSettings(task_files=1)).run_task("fresh", {})
    prompt = script.requests[0]["messages"][0]["content"]
    assert prompt.startswith("## Context\n\n")
    assert '<file path="tags.py">' in prompt
    assert result.notes.as_dict()["context_source"] == "fresh"


async def test_a_template_takes_what_it_lacks_from_the_one_it_refers_to(tmp_path: Path) -> None:
    (tmp_path / "tags.py").write_text("def parse_tags(text):\n    pass\n")
    (tmp_path / "more.task.xml").write_text(
        '<task name="derived" type="atomic" ref="fresh"><description>Explains how tags are parsed</description></task>'
    )
    with serving(text("ok")) as (url, script):
        result = await session(tmp_path, url).run_task("derived", {})
    assert (result.status, result.notes.as_dict()["context_source"]) == ("COMPLETE", "fresh")
    assert script.requests[0]["messages"][0]["content"].endswith("Explain.")


async def test_a_prompt_that_cannot_fit_is_not_sent(tmp_path: Path) -> None:
    with serving(text("x")) as (url, script):
        result = await session(tmp_path, url, limits=LimitSettings(max_context_window=5)).run_task(
            "plain", {"what": "x" * 100}
        )
    assert reason(result) == "RESOURCE_EXHAUSTION"
    assert script.requests == []


async def test_an_untrusted_workspace_calls_no_model_and_runs_no_script(tmp_path: Path) -> None:
    with serving(text("x")) as (url, script):
        made = session(tmp_path, url)
        made.trusted = False
        task = await made.run_task("plain", {"what": "x"})
        run = await made.run_workflow('(unwrap (system:run_script (command "touch gone")))', "a.wf")
    assert (reason(task), reason(run), script.requests) == ("llm_error", "tool_execution_error", [])
    assert not (tmp_path / "gone").exists()


async def test_a_missing_recording_shows_what_differs(tmp_path: Path) -> None:
    recorded = {
        "request": {
            "model": "m",
            "system": "Base.\n\nYou are brief.",
            "messages": [{"role": "user", "content": "Say no 2 times, of ."}],
            "max_tokens": 8192,
        },
        "response": {"content": "hi"},
    }
    made = session(tmp_path)
    made.provider = ReplayProvider(Recordings([recorded]))
    answered = await made.run_task("plain", {"what": "no"})
    missed = await made.run_task("plain", {"what": "yes"})
    assert answered.content == "hi"
    assert "-user: Say no 2 times, of .\n+user: Say yes 2 times, of ." in missed.content


def test_two_tasks_of_one_name_cannot_be_registered(tmp_path: Path) -> None:
    made = session(tmp_path)
    with pytest.raises(EngineError, match="already registered"):
        made.task_system.register_template(made.task_system.find_template("plain"))
    (tmp_path / "more.task.xml").write_text(TEMPLATES)
    made.load_templates()
    assert "already registered" in made.load_problems[0]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("<task", "more.task.xml:1:1: this tag is never ended"),
        ('<task name="x" type="atomic"/>', "`<task>` needs `<description>`"),
    ],
)
def test_a_template_that_does_not_load_is_named_and_costs_no_other(tmp_path: Path, broken: str, said: str) -> None:
    (tmp_path / "more.task.xml").write_text(broken)
    made = Session(tmp_path, Settings())
    (tmp_path / "tasks.task.xml").write_text(TEMPLATES)
    made.load_templates()
    assert said in made.load_problems[0]
    assert len(made.task_system.library) == 3
