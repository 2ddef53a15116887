"""How does a template file or a `defatom` become a TaskTemplate?"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from pydantic import ValidationError

from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.memory.indexers.git_repository_indexer import GitRepositoryIndexer
from dramaturg.engine.types import AtomicTaskSubtype, PartialContextManagement, ValidationFailure, XmlParseFailure
from dramaturg.engine.types.templates import (
    FilePathsSource,
    InputDefinition,
    OutputFormat,
    TaskTemplate,
    TemplateCall,
    TemplateLimits,
)
from dramaturg.language.expand.core import DefineAtom
from dramaturg.language.expand.top_level import pairs_of
from dramaturg.language.rules import severity_of
from dramaturg.language.template import Template
from dramaturg.language.template_file import read_templates
from dramaturg.syntax.datum import Datum
from dramaturg.text import LineIndex


def load_templates(text: str, path: str) -> list[TaskTemplate]:
    """The templates of a file.

    Raises EngineError: XML_PARSE_ERROR where the text is not well-formed,
    VALIDATION_ERROR where it breaks the element table.
    """
    file = read_templates(text)
    lines = LineIndex(text)
    for problem in file.problems:
        place = lines.place(path, problem.span)
        if problem.code == "not-well-formed":
            raise EngineError(XmlParseFailure(message=f"{place}: {problem.message}", location=str(place)))
        if severity_of(problem.code) == "error":
            raise EngineError(ValidationFailure(message=f"{place}: {problem.message}", path=path))
    try:
        return [_task_template(placed.template, path) for placed in file.templates]
    except ValidationError as error:
        first = error.errors()[0]
        raise EngineError(ValidationFailure(message=f"{path}: {first['loc']}: {first['msg']}", path=path)) from None


def _task_template(template: Template, path: str) -> TaskTemplate:
    texts = {name: part.text.strip() for name, part in template.texts.items()}
    files = template.file_paths
    return TaskTemplate(
        name=template.name,
        atomic_subtype=AtomicTaskSubtype(template.subtype),
        description=" ".join(texts.get("description", "").split()),
        task_prompt=dedent(template.texts["instructions"].text) if "instructions" in texts else "",
        system_prompt=dedent(template.texts["system"].text) if "system" in texts else "",
        provider=template.plain.get("provider") or None,
        model=template.plain.get("model") or None,
        inputs={
            item.shape.name: InputDefinition(
                name=item.shape.name,
                description=item.shape.doc,
                required=item.shape.required,
                default=item.shape.default,
                type=item.shape.type,
            )
            for item in template.inputs
        },
        output_format=OutputFormat.model_validate(
            {"type": template.output_type, "schema": template.output_schema or None}
        ),
        context_management=PartialContextManagement.model_validate(template.context),
        file_paths_source=FilePathsSource(
            type=files.source,
            paths=list(files.paths),
            command=files.command or None,
            description=files.description or None,
            context_query=files.context_query or None,
        )
        if files
        else None,
        context_relevance=template.relevance,
        context_assembly=template.assembly,
        is_manual_xml=template.plain.get("manual_xml") == "true",
        disable_reparsing=template.plain.get("disable_reparsing") == "true",
        criteria=template.plain.get("criteria") or None,
        limits=TemplateLimits.model_validate(template.limits),
        call=TemplateCall(
            template=template.call.template, arguments=[dedent(part.text) for part in template.call.arguments]
        )
        if template.call is not None
        else None,
        positional=template.positional,
        ref=template.ref or None,
        source=path,
    )


def dedent(text: str) -> str:
    """A prompt without the indentation that the file gives it, and without blank lines around it."""
    import textwrap

    return textwrap.dedent(text.strip("\n").expandtabs(4)).strip()


def atom_template(node: DefineAtom, path: str) -> TaskTemplate:
    """The template that a `defatom` defines; raises EngineError where a part breaks the types."""
    values = {name: _text(clause.items[1]) for name, clause in node.clauses.items() if name in _TEXTS}
    output = {pair.head: _text(pair.items[1]) for pair in _pairs(node, "output_format")}
    context = {pair.head.replace("-", "_"): _text(pair.items[1]) for pair in _pairs(node, "context_management")}
    limits = {pair.head.replace("-", "_"): pair.items[1].value for pair in _pairs(node, "limits")}
    files = [str(item.value) for item in node.clauses["files"].items[1:]] if "files" in node.clauses else []
    try:
        return TaskTemplate(
            name=node.name,
            atomic_subtype=AtomicTaskSubtype(values.get("subtype", "standard")),
            description=values.get("description", ""),
            task_prompt=values["instructions"],
            system_prompt=values.get("system", ""),
            provider=values.get("provider"),
            model=values.get("model"),
            inputs={
                item.name: InputDefinition(name=item.name, required=not item.optional, type=item.type)
                for item in node.parameters
            },
            output_format=OutputFormat.model_validate(
                {"type": output.get("type", "json" if "schema" in output else "text"), "schema": output.get("schema")}
            ),
            context_management=PartialContextManagement.model_validate(context),
            file_paths_source=FilePathsSource(paths=files) if files else None,
            limits=TemplateLimits.model_validate(limits),
            source=path,
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise EngineError(
            failure("input_validation_failure", f"`defatom` {node.name}: {where}: {first['msg']}")
        ) from None


_TEXTS = frozenset(("instructions", "system", "description", "provider", "model", "subtype"))


def _pairs(node: DefineAtom, clause: str) -> list[Datum]:
    if clause not in node.clauses:
        return []
    return [pair for pair in pairs_of(node.clauses[clause]) if len(pair.items) == 2]


def _text(datum: Datum) -> str:
    if datum.kind == "boolean":
        return "true" if datum.value else "false"
    return str(datum.value)


def template_files(root: Path, patterns: tuple[str, ...]) -> list[Path]:
    """The workspace's files that hold templates, ignored ones left out; EngineError where git cannot list them."""
    names = [pattern.removeprefix("**/") for pattern in patterns]
    listed = [path for path, _ in GitRepositoryIndexer(root, require_repository=False).listed()]
    return [
        root / path
        for path in listed
        if any(fnmatch(path, pattern) for pattern in patterns) or any(fnmatch(Path(path).name, name) for name in names)
    ]
