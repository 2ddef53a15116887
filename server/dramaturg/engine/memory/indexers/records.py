"""What does the index keep of one file's content, whatever its path?

Records are keyed by blob id, so that switching branches or moving files reads
nothing anew.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import PurePosixPath

import snowballstemmer

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,60}|[0-9]{2,8}")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_DEFINITION = re.compile(
    r"^[ \t]*(?:export\s+(?:default\s+)?|pub(?:\([a-z]+\))?\s+|"
    r"(?:public|private|protected|static|async|abstract|final)\s+)*"
    r"(?:def|class|func|function\*?|fn|struct|enum|trait|interface|type|module|impl|const|let|var|object)\s+"
    r"(?:\([^)\n]{0,80}\)\s*)?([A-Za-z_$][\w$]*)",
    re.MULTILINE,
)
_LISP_DEFINITION = re.compile(r"^\(def\w*\s+\(?([^\s()]+)", re.MULTILINE)
_STOP = frozenset(
    "the a an of to in and or is are was be for on with that this it as at by from not if we you i can will has have "
    "when then than but so do does no all any into also which should would could its their there here".split()
)
_SUMMARY_LENGTH = 160

LANGUAGES = {
    ".py": "Python", ".pyi": "Python", ".js": "JavaScript", ".mjs": "JavaScript", ".cjs": "JavaScript",
    ".jsx": "JavaScript", ".ts": "TypeScript", ".tsx": "TypeScript", ".go": "Go", ".rs": "Rust", ".c": "C",
    ".h": "C", ".cc": "C++", ".cpp": "C++", ".hpp": "C++", ".java": "Java", ".kt": "Kotlin", ".rb": "Ruby",
    ".php": "PHP", ".cs": "C#", ".swift": "Swift", ".scala": "Scala", ".lua": "Lua", ".sh": "Shell",
    ".wf": "Dramaturg workflow", ".xml": "XML", ".html": "HTML", ".css": "CSS", ".md": "Markdown",
    ".rst": "reStructuredText", ".toml": "TOML", ".yaml": "YAML", ".yml": "YAML", ".json": "JSON",
    ".sql": "SQL", ".clj": "Clojure", ".el": "Emacs Lisp", ".txt": "text",
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A blob's content as the matcher sees it: token counts, names defined, a summary."""

    size: int
    lines: int
    summary: str
    definitions: tuple[str, ...]
    tokens: Counter[str] = field(compare=False)

    @property
    def length(self) -> int:
        """The number of tokens."""
        return self.tokens.total()


def record(text: str, size: int) -> Record:
    """The record of a text of `size` bytes."""
    found = dict.fromkeys([*_DEFINITION.findall(text), *_LISP_DEFINITION.findall(text)])
    tokens: Counter[str] = Counter()
    for word, count in Counter(_WORD.findall(text)).items():
        for token in word_tokens(word):
            tokens[token] += count
    return Record(size, text.count("\n") + 1, summary_of(text), tuple(found)[:400], tokens)


@lru_cache(maxsize=200_000)
def word_tokens(word: str) -> tuple[str, ...]:
    """The whole word in small letters, and the stemmed parts of a camel- or snake-case one."""
    whole = word.lower()
    if whole in _STOP:
        return ()
    parts = [part.lower() for part in _PARTS.findall(word)]
    if len(parts) <= 1:
        stemmed = _stem(whole)
        return (whole,) if stemmed == whole else (whole, stemmed)
    stems = [_stem(part) for part in parts if len(part) > 1 and part not in _STOP]
    return tuple(dict.fromkeys([whole, *stems]))


_stemmer = snowballstemmer.stemmer("english")


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word)) if len(word) > 3 and word.isalpha() else word


def text_tokens(text: str) -> list[str]:
    """The tokens of a query, in order, repeated ones kept."""
    return [token for word in _WORD.findall(text) for token in word_tokens(word)]


def path_tokens(path: str) -> list[str]:
    """The tokens of a path's folders and name."""
    return [token for word in re.findall(r"[A-Za-z0-9]+", path) for token in word_tokens(word)]


def summary_of(text: str) -> str:
    """The first sentence of prose in the file: its leading docstring, comment, heading or paragraph."""
    for line in text[:4000].splitlines():
        plain = line.strip().strip("#/*;\"'-<>!= \t").strip()
        if (
            len(plain) > 12
            and " " in plain
            and not line.lstrip().startswith(("import ", "from ", "package ", "#!", "use "))
        ):
            return plain[:_SUMMARY_LENGTH]
    return ""


def language_of(path: str) -> str:
    """The language that a path's ending stands for; `text` where it is unknown."""
    return LANGUAGES.get(PurePosixPath(path).suffix.lower(), "text")
