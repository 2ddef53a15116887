"""What do the reference pages say? Markdown made from the tables, for people and for `dramaturg docs`."""

from __future__ import annotations

from collections.abc import Sequence

from dramaturg.language.construct import Construct
from dramaturg.language.elements import ELEMENTS, Element
from dramaturg.language.forms import FORMS
from dramaturg.language.names import RESERVED_INPUTS, TOOLS
from dramaturg.language.primitives import PRIMITIVES
from dramaturg.language.rule import Rule

_GENERATED = "<!-- Generated from server/dramaturg/language/{} by `make reference`: edit the tables, not this page. -->"

_RULES_GENERATED = (
    "<!-- Generated from the rules in server/dramaturg/analysis/checks/ and language/rules.py by `make reference`: "
    "edit them, not this page. -->"
)


def pages(rules: Sequence[Rule]) -> dict[str, str]:
    """Every reference page by its file name; `rules` are those of the reading and of every check."""
    return {
        "workflow-language.md": _language(),
        "templates.md": _templates(),
        "findings.md": _findings(rules),
    }


def construct_entry(item: Construct) -> str:
    """A form or a primitive."""
    signatures = "\n".join(
        signature.label + ("" if signature.result == ("any",) else f"  → {' or '.join(signature.result)}")
        for signature in item.signatures
    )
    parts = [f"### `{item.name}`", f"```lisp\n{signatures}\n```", item.doc]
    if item.aliases:
        parts.append("Also written " + ", ".join(f"`{alias}`" for alias in item.aliases) + ".")
    if item.clauses:
        rows = [f"| `{c.signature.label}` | {'required' if c.required else ''} | {c.doc} |" for c in item.clauses]
        parts.append("\n".join(["| clause | | |", "|---|---|---|", *rows]))
    source, _, value = item.example.rpartition(" => ")
    example = f"{source}  ; ⇒ {value}" if source else item.example
    parts.append(f"```lisp\n{example}\n```")
    return "\n\n".join(parts)


def element_entry(item: Element) -> str:
    """An element of templates."""
    where = ", ".join(f"`<{parent}>`" if parent else "the file" for parent in item.parents)
    facts = [f"In {where}"]
    facts += ["required"] if item.required else []
    facts += ["may be repeated"] if item.repeats else []
    if item.values:
        facts.append("one of " + ", ".join(f"`{value}`" for value in item.values))
    parts = [f"### `<{item.name}>`", item.doc, "; ".join(facts) + "."]
    if item.deprecated:
        parts.append(f"**Deprecated**: {item.deprecated}.")
    if item.attributes:
        rows = [
            f"| `{a.name}` | {'required' if a.required else ''} | {', '.join(f'`{v}`' for v in a.values)} | {a.doc} |"
            for a in item.attributes
        ]
        parts.append("\n".join(["| attribute | | values | |", "|---|---|---|---|", *rows]))
    return "\n\n".join(parts)


def rule_entry(item: Rule) -> str:
    """A kind of finding; its example has the text in question between `«` and `»`."""
    first, second = item.example.index("‸"), item.example.rindex("‸")
    example = f"{item.example[:first]}«{item.example[first + 1 : second]}»{item.example[second + 1 :]}"
    language = "lisp" if item.language == "workflow" else "xml"
    return "\n\n".join(
        [f"### `{item.code}`", f"*{item.severity}* {item.summary} {item.why}", f"```{language}\n{example}\n```"]
    )


def entry(name: str, rules: Sequence[Rule]) -> str | None:
    """What the pages say of a construct, an element, a tool or a finding of that name."""
    found = [construct_entry(item) for item in (*FORMS, *PRIMITIVES) if name in item.names]
    found += [element_entry(item) for item in ELEMENTS if name in (item.name, f"<{item.name}>")]
    found += [rule_entry(item) for item in rules if item.code == name]
    if name in TOOLS:
        found.append(_tool(name))
    return "\n\n".join(found) or None


def names(rules: Sequence[Rule]) -> list[str]:
    """Every name that has an entry."""
    constructs = [name for item in (*FORMS, *PRIMITIVES) for name in item.names]
    return [*constructs, *(item.name for item in ELEMENTS), *(item.code for item in rules), *TOOLS]


def _language() -> str:
    parts = ["# The workflow language", _GENERATED.format("forms.py and primitives.py")]
    for title, constructs in (("Special forms", FORMS), ("Primitives", PRIMITIVES)):
        groups = dict.fromkeys(item.group for item in constructs)
        for group in groups:
            parts.append(f"## {title}: {group}")
            parts += [construct_entry(item) for item in constructs if item.group == group]
    parts.append("## Tools")
    parts += [_tool(name) for name in TOOLS]
    rows = [f"| `{name}` | {doc} |" for name, doc in RESERVED_INPUTS.items()]
    parts.append("\n".join(["## Settings of a task call", "", "| name | |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def _tool(name: str) -> str:
    shape = TOOLS[name]
    rows = [f"| `{i.name}` | {i.type} | {'required' if i.required else ''} | {i.doc} |" for i in shape.inputs]
    table = "\n".join(["| input | type | | |", "|---|---|---|---|", *rows])
    return f"### `{name}`\n\n{shape.description}\n\n{table}"


def _templates() -> str:
    parts = ["# Task templates", _GENERATED.format("elements.py"), *(element_entry(item) for item in ELEMENTS)]
    return "\n\n".join(parts) + "\n"


def _findings(rules: Sequence[Rule]) -> str:
    intro = (
        "The text in question stands between « and ». A severity is set in `dramaturg.toml` under `[severities]`; "
        "`; dramaturg: ignore[code]` silences a finding of a workflow on its own line, or, alone on a line, in the "
        "next form."
    )
    parts = ["# Findings", _RULES_GENERATED, intro]
    for language, title in (("workflow", "Workflows"), ("template", "Templates")):
        parts.append(f"## {title}")
        parts += [rule_entry(item) for item in rules if item.language == language]
    return "\n\n".join(parts) + "\n"
