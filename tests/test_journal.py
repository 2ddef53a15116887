"""The journal of runs: what is written down, what a killed run loses, what a resumed one takes up."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from junitparser import JUnitXml
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from dramaturg.config import RunSettings, Settings
from dramaturg.engine.events import Logged
from dramaturg.engine.runs.history import difference, rows, run_of
from dramaturg.engine.runs.journal import Journal
from dramaturg.engine.runs.page import page
from dramaturg.engine.runs.tracing import Spans
from dramaturg.engine.session import Session
from messages_server import serving, text
from test_cli import data, dramaturg

Make = Callable[[dict[str, str]], Path]

TASK = """<task name="say" type="atomic"><description>Says</description><instructions>Say {{word}}</instructions>
<inputs><input name="word"/></inputs></task>"""
FILES = {
    "say.task.xml": TASK,
    "main.wf": '(map (lambda (w) (string-trim (unwrap (say (word w))))) (list "one" "two"))\n',
}


def session(root: Path, url: str, **runs: bool) -> Session:
    made = Session(root, Settings(base_url=url, runs=RunSettings(**runs)), trusted=True)
    made.journal = Journal(root)
    made.load_templates()
    return made


async def run(made: Session, source: str = "") -> str:
    path = made.root / "main.wf"
    return (await made.run_workflow(source or path.read_text(), str(path))).content


async def test_a_run_is_written_down_with_its_steps(repository: Make) -> None:
    root = repository(FILES)
    with serving(text("1"), text("2")) as (url, _):
        made = session(root, url)
        assert await run(made) == '("1" "2")'
    assert made.journal is not None
    (row,) = rows(made.journal)
    assert (row["status"], row["name"], row["input_tokens"], row["output_tokens"]) == ("COMPLETE", "main.wf", 22, 14)
    found = run_of(made.journal, row["id"][:6])
    (form,) = found.steps
    assert [(step.kind, step.name, step.status) for step in form.children] == [("task", "say", "COMPLETE")] * 2
    assert form.children[0].data["request"]["messages"][0]["content"] == "Say one"
    assert form.children[0].place.endswith("main.wf:1:39")
    assert (root / ".dramaturg" / ".gitignore").read_text() == "*\n"
    shown = page(found)
    assert "Say one" in shown
    assert "http://" not in shown.replace("http://www.w3.org", "")


async def test_the_cache_answers_identical_requests_with_the_tokens_of_then(repository: Make) -> None:
    root = repository(FILES)
    with serving(text("1"), text("2"), text("3")) as (url, script):
        assert await run(session(root, url)) == '("1" "2")'
        made = session(root, url, cache=True)
        assert await run(made) == '("1" "2")'
        assert len(script.requests) == 2
        assert await run(session(root, url)) == '("3" "3")', "off by default"
    assert made.journal is not None
    assert rows(made.journal)[1]["input_tokens"] == 22


async def test_a_changed_program_resumed_asks_only_for_what_changed(repository: Make) -> None:
    root = repository(FILES)
    with serving(text("1"), text("2"), text("3")) as (url, script):
        made = session(root, url)
        await run(made)
        assert made.journal is not None
        made.resume = rows(made.journal)[0]["id"]
        source = '(map (lambda (w) (string-trim (unwrap (say (word w))))) (list "one" "two" "three"))'
        assert await run(made, source) == '("1" "2" "3")'
        assert len(script.requests) == 3
    left, right = (run_of(made.journal, row["id"]) for row in rows(made.journal)[::-1])
    assert any("only in" in line for line in difference(left, right))
    assert difference(left, left) == []


def test_a_killed_run_is_resumed_and_nothing_finished_runs_again(repository: Make, tmp_path: Path) -> None:
    root = repository(
        {
            "main.wf": '(system:run_script (command "sh -c \\"echo x >> ran.txt\\""))\n'
            '(system:run_script (command "sleep 3"))\n"done"\n'
        }
    )
    command = [sys.executable, "-m", "dramaturg", "run", "main.wf", "--trust"]
    process = subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        if (root / "ran.txt").exists():
            break
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGKILL)
    process.wait()
    (killed,) = data(root, "runs", "list")
    assert killed["status"] == "running"
    code, out, err = dramaturg(root, "run", "main.wf", "--trust", "--resume", killed["id"])
    assert (code, out.strip()) == (0, "done"), err
    assert (root / "ran.txt").read_text() == "x\n", "the script that had ended ran once"
    assert dramaturg(root, "run", "main.wf", "--resume", "nonesuch")[0] == 2


async def test_secrets_reach_no_byte_of_the_journal(repository: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-planted-0123456789abcdef"
    monkeypatch.setenv("PLANTED_API_KEY", secret)
    root = repository(FILES)
    with serving(text(f"the key is {secret}")) as (url, _):
        made = session(root, url)
        await run(made, f'(say (word "{secret}"))\n(system:run_script (command "echo {secret}"))\n(error "{secret}")')
    assert made.journal is not None
    found = run_of(made.journal, "last")
    (root / "page.html").write_text(page(found))
    made.journal.close()
    for path in [*(root / ".dramaturg").iterdir(), root / "page.html"]:
        assert secret.encode() not in path.read_bytes(), path


def test_a_damaged_journal_is_set_aside(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.start("workflow", "a").end("COMPLETE", (0, 0), None)
    journal.close()
    journal.path.write_bytes(b"garbage" * 1000)
    for rest in ("-wal", "-shm"):
        journal.path.with_name("runs.sqlite" + rest).unlink(missing_ok=True)
    again = Journal(tmp_path)
    assert rows(again) == []
    assert list((tmp_path / ".dramaturg").glob("*damaged*"))


def test_two_processes_write_at_once(tmp_path: Path) -> None:
    source = (
        "import sys; from pathlib import Path; from dramaturg.engine.runs.journal import Journal; "
        "from dramaturg.engine.events import Logged; log = Journal(Path(sys.argv[1])).start('workflow', 'x'); "
        "[log.event(Logged('a' * 600 + str(n))) for n in range(200)]"
    )
    started = [subprocess.Popen([sys.executable, "-c", source, str(tmp_path)]) for _ in range(2)]
    assert [process.wait() for process in started] == [0, 0]
    counts = sqlite3.connect(tmp_path / ".dramaturg" / "runs.sqlite").execute("SELECT count(*) FROM events").fetchone()
    assert counts == (400,)


async def test_a_folder_that_cannot_be_written_costs_the_log_alone(repository: Make) -> None:
    root = repository({"main.wf": "(+ 1 2)"})
    (root / ".dramaturg").write_text("a file where the folder should be")
    assert await run(session(root, "")) == "3"


def test_outside_of_a_workspace_nothing_is_left_behind(tmp_path: Path) -> None:
    assert dramaturg(tmp_path, "run", "-e", "(+ 1 2)")[1] == "3\n"
    assert list(tmp_path.iterdir()) == []


def test_runs_on_the_command_line(repository: Make) -> None:
    root = repository({"main.wf": "(+ 1 2)"})
    assert "no runs" in dramaturg(root, "runs", "list")[1]
    dramaturg(root, "run", "main.wf")
    dramaturg(root, "run", "-e", '(error "no")')
    assert [row["status"] for row in data(root, "runs", "list")] == ["FAILED", "COMPLETE"]
    assert dramaturg(root, "runs", "show")[0] == 0
    first, second = (row["id"] for row in data(root, "runs", "list"))
    assert dramaturg(root, "runs", "diff", first, second)[0] == 1
    assert dramaturg(root, "runs", "export", first, "--html", "run.html")[0] == 0
    assert "<!doctype html>" in (root / "run.html").read_text()
    assert dramaturg(root, "runs", "export", first, "--recordings", "r.jsonl")[0] == 0
    assert [json.loads(line) for line in (root / "r.jsonl").read_text().splitlines()] == []
    assert dramaturg(root, "runs", "show", "zzz")[0] == 2


def test_old_and_many_runs_are_dropped_with_what_only_they_had(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    for number in range(5):
        log = journal.start("workflow", f"run {number}")
        log.event(Logged(f"{number}" * 600))
        log.write("model", {"prompt": f"{number}"}, {"content": "x" * 600})
    journal.prune(days=90, runs=2, megabytes=500)
    assert [row["name"] for row in rows(journal)] == ["run 4", "run 3"]
    left = journal.execute("SELECT data FROM texts")
    assert sum(row["data"].startswith(("0", "1", "2")) for row in left) == 0
    journal.execute("UPDATE runs SET started = started - 100 * 86400 WHERE name = 'run 3'")
    journal.prune(days=90, runs=10, megabytes=500)
    assert [row["name"] for row in rows(journal)] == ["run 4"]


async def test_a_run_as_spans_of_the_genai_conventions(repository: Make) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    root = repository(FILES)
    with serving(text("1")) as (url, _):
        made = session(root, url)
        made._spans = Spans(provider.get_tracer("test"))
        await run(made, '(say (word "a"))\n(system:read_files (file_paths (list "main.wf")))')
    spans = {span.name: span for span in exporter.get_finished_spans()}
    chat = spans["chat claude-sonnet-5-5"]
    assert chat.attributes is not None
    assert chat.attributes["gen_ai.usage.input_tokens"] == 11
    assert chat.attributes["gen_ai.provider.name"] == "anthropic"
    top = spans["invoke_workflow " + str(root / "main.wf")]
    assert chat.parent is not None
    assert chat.parent.span_id == top.context.span_id
    assert spans["execute_tool system:read_files"].parent is not None


def test_outcomes_as_junit_xml(repository: Make) -> None:
    root = repository({"main.wf": "(deftest good (assert true))\n(deftest bad (assert (= 1 2)))\n"})
    assert dramaturg(root, "test", "main.wf", "--junit", "out.xml")[0] == 1
    suite = next(iter(JUnitXml.fromfile(str(root / "out.xml"))))
    assert (suite.name, suite.tests, suite.failures) == ("main.wf", 2, 1)
    assert dramaturg(root, "test", "main.wf", "--junit", "none/out.xml")[0] == 2


def test_resuming_runs_scripts_again_only_where_that_is_asked(repository: Make) -> None:
    root = repository({"main.wf": '(system:run_script (command "sh -c \\"echo x >> ran.txt\\""))\n"done"\n'})
    dramaturg(root, "run", "main.wf", "--trust")
    dramaturg(root, "run", "main.wf", "--trust", "--resume", "last")
    assert (root / "ran.txt").read_text() == "x\n"
    dramaturg(root, "run", "main.wf", "--trust", "--resume", "last", "--rerun-scripts")
    assert (root / "ran.txt").read_text() == "x\nx\n"
