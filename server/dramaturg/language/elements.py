"""Which elements and attributes has a task template? The table that says it once.

Diagnostics, completion, hover, the loader and the reference page are made from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Content = Literal["children", "text", "prompt", "boolean", "integer", "number", "empty"]

INPUT_TYPES = ("string", "number", "integer", "boolean", "list", "map", "any")
SUBTYPES = ("standard", "subtask", "director", "evaluator", "associative_matching")
BOOLEANS = ("true", "false")


@dataclass(frozen=True)
class Attribute:
    """An attribute of an element; `field` is what it becomes in a TaskTemplate."""

    name: str
    doc: str
    required: bool = False
    values: tuple[str, ...] = ()
    default: str = ""
    field: str = ""


@dataclass(frozen=True)
class Element:
    """An element: where it stands, what it holds, what it is for."""

    name: str
    parents: tuple[str, ...]
    content: Content
    doc: str
    attributes: tuple[Attribute, ...] = ()
    values: tuple[str, ...] = ()
    default: str = ""
    required: bool = False
    repeats: bool = False
    field: str = ""
    deprecated: str = ""

    def attribute(self, name: str) -> Attribute | None:
        """The attribute of that name."""
        return next((attribute for attribute in self.attributes if attribute.name == name), None)


ROOT = ""

ELEMENTS = (
    Element("tasks", (ROOT,), "children", "Several tasks in one file."),
    Element(
        "template",
        (ROOT, "tasks"),
        "children",
        "A task that is called by position, kept from the older type document.",
        (
            Attribute("name", "The name that calls use.", required=True),
            Attribute("params", "The parameters, separated by commas.", required=True),
            Attribute("returns", "The output schema.", field="output_schema"),
        ),
        repeats=True,
    ),
    Element(
        "task",
        (ROOT, "tasks", "template"),
        "children",
        "One atomic task: a prompt, its inputs, and how it runs.",
        (
            Attribute("name", "The name that workflows call; unique in the workspace.", required=True, field="name"),
            Attribute(
                "type",
                "The kind of task; composition is the workflow language's business.",
                required=True,
                values=("atomic",),
                field="type",
            ),
            Attribute(
                "subtype",
                "What the task is for; it decides the default context settings.",
                values=SUBTYPES,
                default="standard",
                field="atomicSubtype",
            ),
            Attribute("ref", "Another template, whose elements fill in for those missing here.", field="ref"),
        ),
        repeats=True,
    ),
    Element(
        "description",
        ("task",),
        "prompt",
        "What the task does, in a sentence; matching and choosing read it.",
        required=True,
        field="description",
    ),
    Element(
        "instructions",
        ("task",),
        "prompt",
        "The prompt, with `{{input}}` where an input's value goes.",
        required=True,
        field="taskPrompt",
    ),
    Element(
        "system",
        ("task",),
        "prompt",
        "The system prompt, joined after the configuration's base prompt.",
        field="systemPrompt",
    ),
    Element(
        "provider",
        ("task",),
        "text",
        "The provider of the model, where it is not the configuration's.",
        field="provider",
    ),
    Element("model", ("task",), "text", "The model, where it is not the configuration's.", field="model"),
    Element("inputs", ("task",), "children", "The inputs that a call may give.", field="inputs"),
    Element(
        "input",
        ("inputs",),
        "text",
        "One input; the text says what it is for.",
        (
            Attribute("name", "The name that placeholders and calls use.", required=True),
            Attribute("required", "Whether a call must give it.", values=BOOLEANS, default="true"),
            Attribute("default", "The value where a call gives none; it makes the input optional."),
            Attribute("type", "The type of its values.", values=INPUT_TYPES, default="any"),
            Attribute("from", "Where the value comes from, kept from older templates."),
        ),
        repeats=True,
    ),
    Element(
        "output_format",
        ("task",),
        "empty",
        "What the answer must be.",
        (
            Attribute(
                "type", "JSON is parsed and checked, text is taken as it is.", values=("json", "text"), default="text"
            ),
            Attribute(
                "schema", "A short name, the path of a JSON Schema file, or the dotted name of a pydantic model."
            ),
        ),
        field="output_format",
    ),
    Element("context_management", ("task",), "children", "How the task uses context.", field="context_management"),
    Element(
        "inherit_context",
        ("context_management",),
        "text",
        "How much of the caller's context is inherited.",
        values=("full", "none", "subset"),
        field="inheritContext",
    ),
    Element(
        "accumulate_data",
        ("context_management",),
        "boolean",
        "Whether outputs of earlier steps are kept for later ones.",
        values=BOOLEANS,
        field="accumulateData",
    ),
    Element(
        "accumulation_format",
        ("context_management",),
        "text",
        "What of earlier steps is kept.",
        values=("full_output", "notes_only"),
        field="accumulationFormat",
    ),
    Element(
        "fresh_context",
        ("context_management",),
        "text",
        "Whether files are matched anew for this task.",
        values=("enabled", "disabled"),
        field="freshContext",
    ),
    Element(
        "file_paths",
        ("task",),
        "children",
        "Files that the prompt contains.",
        (
            Attribute(
                "source",
                "Where the paths come from.",
                values=("literal", "command", "description", "context_description"),
                default="literal",
            ),
        ),
        field="file_paths_source",
    ),
    Element("path", ("file_paths",), "text", "The path of a file in the workspace.", repeats=True),
    Element(
        "command", ("file_paths",), "prompt", "A command that prints paths, one a line; every value put in is quoted."
    ),
    Element("description", ("file_paths",), "prompt", "What the files are about; they are matched by it."),
    Element("context_query", ("file_paths",), "prompt", "The query that the files are matched by."),
    Element(
        "context_relevance", ("task",), "children", "Which inputs take part in matching.", field="context_relevance"
    ),
    Element(
        "input",
        ("context_relevance",),
        "empty",
        "Whether one input takes part in matching.",
        (
            Attribute("name", "The input.", required=True),
            Attribute("include", "Whether it takes part.", values=BOOLEANS, default="true"),
        ),
        repeats=True,
    ),
    Element(
        "context_assembly",
        ("task",),
        "children",
        "The order of the parts of the prompt's context.",
        field="context_assembly",
    ),
    Element("primary_elements", ("context_assembly",), "text", "Parts that come first."),
    Element("secondary_elements", ("context_assembly",), "text", "Parts that come after them."),
    Element("excluded_elements", ("context_assembly",), "text", "Parts that are left out."),
    Element(
        "call",
        ("task",),
        "children",
        "The prompt of a function template, its parameters given by position, in place of instructions.",
        (Attribute("template", "The function template.", required=True),),
        field="call",
    ),
    Element("arg", ("call",), "prompt", "The value of one parameter.", repeats=True),
    Element(
        "manual_xml",
        ("task",),
        "boolean",
        "Whether the answer is taken as it is, unparsed.",
        values=BOOLEANS,
        default="false",
        field="isManualXML",
    ),
    Element(
        "disable_reparsing",
        ("task",),
        "boolean",
        "Whether an answer that does not parse fails without another try.",
        values=BOOLEANS,
        default="false",
        field="disableReparsing",
    ),
    Element("criteria", ("task",), "text", "Free text by which an evaluator template is chosen.", field="criteria"),
    Element(
        "output_slot",
        ("task",),
        "text",
        "Kept from older templates.",
        deprecated="results are values of the workflow language",
    ),
    Element("input_source", ("task",), "text", "Kept from older templates.", deprecated="inputs come from the call"),
    Element("limits", ("task",), "children", "What the task may use, over the configuration's limits.", field="limits"),
    Element("max_turns", ("limits",), "integer", "The most turns with the model.", field="maxTurns"),
    Element(
        "max_context_window", ("limits",), "integer", "The most tokens in the context window.", field="maxContextWindow"
    ),
    Element(
        "warning_threshold",
        ("limits",),
        "number",
        "The share of a limit at which a warning is given, from 0 to 1.",
        field="warningThreshold",
    ),
    Element("timeout", ("limits",), "integer", "Seconds until the task is stopped.", field="timeout"),
    Element("max_output_tokens", ("limits",), "integer", "The most tokens of an answer.", field="maxOutputTokens"),
)

_BY_PLACE = {(parent, element.name): element for element in ELEMENTS for parent in element.parents}
NAMES = frozenset(element.name for element in ELEMENTS)


def element(name: str, parent: str) -> Element | None:
    """The definition of an element below `parent`; below the file itself `parent` is empty."""
    return _BY_PLACE.get((parent, name))


def children_of(parent: str) -> list[Element]:
    """The elements that may stand below `parent`, in the order of the table."""
    return [item for item in ELEMENTS if parent in item.parents]


#: Defaults of the context settings by subtype (template contract, Elements).
CONTEXT_DEFAULTS = {
    "standard": ("full", "false", "notes_only", "disabled"),
    "director": ("full", "false", "notes_only", "disabled"),
    "evaluator": ("full", "false", "notes_only", "disabled"),
    "subtask": ("subset", "false", "notes_only", "enabled"),
    "associative_matching": ("none", "false", "notes_only", "disabled"),
}

CONTEXT_NAMES = ("inherit_context", "accumulate_data", "accumulation_format", "fresh_context")


def effective_context(subtype: str, *written: dict[str, str]) -> dict[str, str]:
    """The context settings in force: each of `written` over the ones before it, over the subtype's defaults.

    Where only one of inherit and fresh is written, it wins over the other's
    default: fresh enabled gives inherit none, inherit full or subset gives fresh
    disabled.
    """
    settings = dict(zip(CONTEXT_NAMES, CONTEXT_DEFAULTS.get(subtype, CONTEXT_DEFAULTS["standard"]), strict=True))
    explicit: dict[str, str] = {}
    for layer in written:
        explicit.update(layer)
    settings.update(explicit)
    if explicit.get("fresh_context") == "enabled" and "inherit_context" not in explicit:
        settings["inherit_context"] = "none"
    if explicit.get("inherit_context") in ("full", "subset") and "fresh_context" not in explicit:
        settings["fresh_context"] = "disabled"
    return settings


def context_conflict(written: dict[str, str]) -> str | None:
    """Why settings that are written cannot stand together, or None."""
    inherit = written.get("inherit_context")
    if written.get("fresh_context") == "enabled" and inherit in ("full", "subset"):
        return f"`fresh_context` enabled cannot stand beside `inherit_context` {inherit}"
    return None
