"""What do other XML editors need to know of templates? An XSD and a RELAX NG schema, made from the element table.

Both say what the table says of places, attributes, values and repetition; what
only Dramaturg knows (placeholders, names of the workspace) is not in them. XSD 1.0
cannot say that one of two children is required, so `instructions` is optional there.
"""

from __future__ import annotations

from dramaturg.language.elements import BOOLEANS, ROOT, Attribute, Element, children_of
from dramaturg.syntax.xml import escaped, quoted

_GENERATED = (
    "<!-- Generated from server/dramaturg/language/elements.py by `make reference`: edit the table instead. -->"
)

_NUMBERS = {"integer": "positiveInteger", "number": "decimal"}


def relax_ng() -> str:
    """The RELAX NG schema (ISO/IEC 19757-2, XML syntax)."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _GENERATED,
        '<grammar xmlns="http://relaxng.org/ns/structure/1.0"',
        '         xmlns:a="http://relaxng.org/ns/compatibility/annotations/1.0"',
        '         datatypeLibrary="http://www.w3.org/2001/XMLSchema-datatypes">',
        "  <start><choice>",
        *(f'    <ref name="{_name(item, ROOT)}"/>' for item in children_of(ROOT)),
        "  </choice></start>",
    ]
    for item, parent in _places():
        lines += [f'  <define name="{_name(item, parent)}">', f'    <element name="{item.name}">']
        lines.append(f"      <a:documentation>{escaped(item.doc)}</a:documentation>")
        for attribute in item.attributes:
            lines += _rng_attribute(attribute)
        lines += _rng_content(item)
        lines += ["    </element>", "  </define>"]
    return "\n".join([*lines, "</grammar>", ""])


def xsd() -> str:
    """The XML Schema (W3C XSD 1.0)."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _GENERATED,
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">',
    ]
    lines += [f'  <xs:element name="{item.name}" type="{_name(item, ROOT)}"/>' for item in children_of(ROOT)]
    for item, parent in _places():
        lines += _xsd_type(item, parent)
    return "\n".join([*lines, "</xs:schema>", ""])


def _places() -> list[tuple[Element, str]]:
    """Each element with a parent it may have; elements whose content is the same everywhere come once."""
    found: dict[str, tuple[Element, str]] = {}
    waiting = [(item, ROOT) for item in children_of(ROOT)]
    while waiting:
        item, parent = waiting.pop(0)
        if _name(item, parent) not in found:
            found[_name(item, parent)] = (item, parent)
            waiting += [(child, item.name) for child in children_of(item.name)] if item.content == "children" else []
    return list(found.values())


def _name(item: Element, parent: str) -> str:
    """A name for the definition: the element's, with its parent's where only one place has it."""
    return item.name if item.parents[0] == ROOT or len(item.parents) > 1 else f"{item.parents[0]}.{item.name}"


def _rng_attribute(attribute: Attribute) -> list[str]:
    values = "".join(f"<value>{escaped(value)}</value>" for value in attribute.values)
    content = f"<choice>{values}</choice>" if attribute.values else "<text/>"
    line = f'<attribute name="{attribute.name}">{content}</attribute>'
    return [f"      {line}" if attribute.required else f"      <optional>{line}</optional>"]


def _rng_content(item: Element) -> list[str]:
    if item.content == "empty":
        return ["      <empty/>"]
    if item.values or item.content == "boolean":
        values = item.values or BOOLEANS
        return ["      <choice>" + "".join(f"<value>{escaped(value)}</value>" for value in values) + "</choice>"]
    if item.content in _NUMBERS:
        return [f'      <data type="{_NUMBERS[item.content]}"/>']
    if item.content != "children":
        return ["      <text/>"]
    lines = ["      <interleave>"]
    for child in children_of(item.name):
        reference = f'<ref name="{_name(child, item.name)}"/>'
        kind = "zeroOrMore" if child.repeats else "optional"
        if child.name == "description" and item.name == "task":
            # A template with `ref` may leave out what the other one brings.
            kind = "optional"
        lines.append(f"        <{kind}>{reference}</{kind}>")
    return [*lines, "      </interleave>"]


def _xsd_type(item: Element, parent: str) -> list[str]:
    name = _name(item, parent)
    doc = f"<xs:annotation><xs:documentation>{escaped(item.doc)}</xs:documentation></xs:annotation>"
    attributes = [line for attribute in item.attributes for line in _xsd_attribute(attribute)]
    if item.content in ("children", "empty"):
        children = children_of(item.name) if item.content == "children" else []
        repeats = any(child.repeats for child in children)
        group = "choice" if repeats else "all"
        lines = [f'  <xs:complexType name="{name}">', f"    {doc}"]
        if children:
            occurs = ' minOccurs="0" maxOccurs="unbounded"' if repeats else ""
            lines.append(f"    <xs:{group}{occurs}>")
            for child in children:
                each = "" if repeats else ' minOccurs="0"'
                lines.append(f'      <xs:element name="{child.name}" type="{_name(child, item.name)}"{each}/>')
            lines.append(f"    </xs:{group}>")
        return [*lines, *attributes, "  </xs:complexType>"]
    base = _xsd_base(item)
    if not attributes and not item.values and item.content != "boolean":
        return [
            f'  <xs:simpleType name="{name}">',
            f"    {doc}",
            f'    <xs:restriction base="{base}"/>',
            "  </xs:simpleType>",
        ]
    if not attributes:
        values = [f"      <xs:enumeration value={quoted(value)}/>" for value in item.values or BOOLEANS]
        head = [f'  <xs:simpleType name="{name}">', f"    {doc}", '    <xs:restriction base="xs:token">']
        return [*head, *values, "    </xs:restriction>", "  </xs:simpleType>"]
    return [
        f'  <xs:complexType name="{name}">',
        f"    {doc}",
        f'    <xs:simpleContent><xs:extension base="{base}">',
        *attributes,
        "    </xs:extension></xs:simpleContent>",
        "  </xs:complexType>",
    ]


def _xsd_base(item: Element) -> str:
    return f"xs:{_NUMBERS[item.content]}" if item.content in _NUMBERS else "xs:string"


def _xsd_attribute(attribute: Attribute) -> list[str]:
    use = ' use="required"' if attribute.required else ""
    if not attribute.values:
        return [f'    <xs:attribute name="{attribute.name}" type="xs:string"{use}/>']
    values = "".join(f"<xs:enumeration value={quoted(value)}/>" for value in attribute.values)
    restriction = f'<xs:simpleType><xs:restriction base="xs:token">{values}</xs:restriction></xs:simpleType>'
    return [f'    <xs:attribute name="{attribute.name}"{use}>{restriction}</xs:attribute>']
