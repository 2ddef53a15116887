"""The grammar's corpus and queries, held by the compiled grammar itself: no tree-sitter CLI is needed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tree_sitter import Language, Parser, Query

from conftest import ROOT
from dramaturg.syntax._workflow_grammar import language

LANGUAGE = Language(language())
CORPUS = ROOT / "grammar" / "test" / "corpus"
CASE = re.compile(
    r"^=+\n(?P<name>[^\n]+)\n=+\n\n(?P<source>.*?)\n\n---\n\n(?P<tree>.*?)(?=\n\n=+\n|\s*\Z)", re.M | re.S
)


def cases() -> list[tuple[str, str, str]]:
    return [
        (match["name"], match["source"], match["tree"])
        for path in sorted(CORPUS.glob("*.txt"))
        for match in CASE.finditer(path.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize(("name", "source", "tree"), cases(), ids=lambda value: value if "\n" not in value else "")
def test_corpus(name: str, source: str, tree: str) -> None:
    root = Parser(LANGUAGE).parse(source.encode()).root_node
    fields = re.compile(r"\b\w+: ")
    found, wanted = str(root), " ".join(tree.split()).replace("( ", "(")
    if ": " not in wanted:
        found = fields.sub("", found)
    assert found == wanted


def test_the_corpus_is_read_whole() -> None:
    headings = sum(path.read_text(encoding="utf-8").count("\n---\n") for path in CORPUS.glob("*.txt"))
    assert len(cases()) == headings


@pytest.mark.parametrize("path", sorted((ROOT / "grammar" / "queries").glob("*.scm")), ids=lambda path: path.name)
def test_queries_compile(path: Path) -> None:
    assert Query(LANGUAGE, path.read_text(encoding="utf-8")).pattern_count > 0
