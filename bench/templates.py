"""How fast are templates read, edited and renamed? `make bench`

A file of 10,000 lines with 500 tasks, and workflows that call one of them 200 times.
"""

from __future__ import annotations

from pathlib import Path

from language import best

from dramaturg.analysis.document import problems
from dramaturg.analysis.snapshot import Document, Snapshot
from dramaturg.ide.rename import rename
from dramaturg.language import template, template_file
from dramaturg.syntax import xml

TASK = """  <task name="task-{n}" type="atomic" subtype="standard">
    <!-- plan, then join what comes of it -->
    <description>Plans step {n} of the work</description>
    <instructions>
      Plan {{{{topic}}}} for {{{{audience}}}}.
      Keep to {{{{limit}}}} points and say why each matters.
      Answer with a list.
    </instructions>
    <inputs>
      <input name="topic" type="string">What it is about</input>
      <input name="audience" type="string" default="everybody">Who reads it</input>
      <input name="limit" type="integer" default="5">How many</input>
    </inputs>
    <output_format type="json" schema="string[]"/>
    <context_management>
      <inherit_context>none</inherit_context>
      <fresh_context>enabled</fresh_context>
    </context_management>
  </task>

"""
PATH = "/bench/tasks.task.xml"
TEXT = '<?xml version="1.0"?>\n<tasks>\n' + "".join(TASK.format(n=n) for n in range(500)) + "</tasks>\n"


def _snapshot(text: str) -> tuple[Document, Snapshot]:
    document = Document(PATH, "template", text)
    return document, Snapshot(Path("/bench"), {PATH: document})


def measure() -> list[tuple[str, float, float]]:
    """Each figure with its goal, in milliseconds of CPU."""

    def first_open() -> None:
        for kept in (template.read_unit, template_file.read_templates, xml.read_xml):
            kept.cache_clear()
        problems(*_snapshot(TEXT))

    middle, state = TEXT.index("Keep to", len(TEXT) // 2), [0]

    def edit() -> None:
        state[0] += 1
        problems(*_snapshot(TEXT[:middle] + "x" * (state[0] % 50) + TEXT[middle:]))

    calls = "".join(f'(define (call-{n}) (task-7 (topic "{n}")))\n' for n in range(200))
    document, held = _snapshot(TEXT)
    workflow = Document("/bench/calls.wf", "workflow", calls)
    held = held.with_document(workflow)
    at = TEXT.index("topic", TEXT.index('name="task-7"'))

    def renamed() -> None:
        state[0] += 1
        fresh = Document(workflow.path, "workflow", f"; {state[0]}\n{calls}")
        around = Snapshot(Path("/bench"), {PATH: document, workflow.path: fresh})
        edits = rename(document, around, at + 1, "subject")
        assert len(edits) == 202

    return [
        ("templates: first open of 10,000 lines, 500 tasks", best(first_open), 400.0),
        ("templates: one edit", best(edit, 10), 8.0),
        ("rename of an input used in 200 places", best(renamed), 100.0),
    ]
