"""Which files matter for a query, by words and structure alone, with no model and no network?

A linear blend of simple signals, each normalised to the query's best file: words
of the content (BM25; Robertson and Zaragoza, 2009), of the path, of the subjects
of the commits that changed the file, names that it defines, and its best passage.
Tests, documents and configuration count less unless the query speaks of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from weakref import WeakKeyDictionary

from dramaturg.engine.matching.passages import Passage, best_passage
from dramaturg.engine.memory.indexers.indexed import IndexedFile, IndexView
from dramaturg.engine.memory.indexers.records import path_tokens, record, text_tokens
from dramaturg.engine.types import AssociativeMatchResult, ContextGenerationInput, MatchTuple
from dramaturg.language.placeholders import as_text

#: Weights of the signals; measured on development sets, see docs/matching.md.
WEIGHTS = {
    "content": 1.0,
    "path": 0.5,
    "history": 0.35,
    "definition": 0.35,
    "names": 0.25,
    "passage": 0.35,
    "target": 1.0,
}

_K1, _B = 1.2, 0.75
_PASSAGES = 50
_TEST = re.compile(
    r"(^|/)(tests?|testing|spec|specs|__tests__|testdata|fixtures?)(/|$)|(^|/)test_|_test\.|\.test\.|\.spec\."
)
_DOCS = re.compile(r"(^|/)(docs?|documentation|examples?)(/|$)|\.(md|rst|txt|adoc)$", re.IGNORECASE)
_CONFIG = re.compile(
    r"\.(toml|ya?ml|json|cfg|ini|lock|xml|svg|css)$|(^|/)\.|(^|/)(LICENSE|Makefile|CHANGELOG)", re.IGNORECASE
)
_KINDS = (
    (_TEST, 0.55, frozenset(("test", "tests", "testing", "spec", "fixture"))),
    (_DOCS, 0.5, frozenset(("doc", "docs", "documentation", "readme", "example", "exampl", "changelog"))),
    (_CONFIG, 0.5, frozenset(("config", "configuration", "ci", "build", "lint", "depend", "license", "workflow"))),
)


@dataclass
class Scored:
    """A file with its relevance, each signal's share, and its best passage."""

    file: IndexedFile
    relevance: float
    signals: dict[str, float]
    passage: Passage | None = None


@dataclass
class _Field:
    """An inverted index of one kind of text."""

    postings: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)

    def add(self, document: int, tokens: Mapping[str, int]) -> None:
        self.lengths.append(sum(tokens.values()))
        for token, count in tokens.items():
            self.postings.setdefault(token, []).append((document, count))

    def scores(self, query: Counter[str], b: float = _B) -> dict[int, float]:
        """BM25 of every document that has a token of the query."""
        total = len(self.lengths)
        average = (sum(self.lengths) / total or 1.0) if total else 1.0
        found: dict[int, float] = {}
        for token, weight in query.items():
            postings = self.postings.get(token)
            if not postings:
                continue
            idf = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            for document, count in postings:
                norm = _K1 * (1 - b + b * self.lengths[document] / average)
                gain = idf * count * (_K1 + 1) / (count + norm)
                found[document] = found.get(document, 0.0) + gain * min(weight, 3)
        return found


class Corpus:
    """The files of an index, ready to be asked."""

    def __init__(self, files: list[IndexedFile]) -> None:
        self.files = files
        self.content, self.path, self.history, self.names = _Field(), _Field(), _Field(), _Field()
        self.definitions: dict[str, list[int]] = {}
        for number, file in enumerate(files):
            self.content.add(number, file.record.tokens)
            self.path.add(number, Counter(file.path_tokens))
            self.history.add(number, file.subjects)
            self.names.add(number, Counter(token for name in file.record.definitions for token in text_tokens(name)))
            for name in file.record.definitions:
                self.definitions.setdefault(name, []).append(number)

    def match(self, query: str, limit: int, targets: tuple[str, ...] = (), passages: bool = True) -> list[Scored]:
        """The best files for a query, relevance 1 first; none where nothing matches."""
        tokens = Counter(text_tokens(query))
        signals = {
            "content": self.content.scores(tokens),
            "path": self.path.scores(tokens, 0.3),
            "history": self.history.scores(tokens, 0.3),
            "names": self.names.scores(tokens, 0.3),
            "definition": self._defined(query),
            "target": self._targets(targets),
        }
        scored = self._blend(signals, tokens)
        best = sorted(scored.values(), key=lambda item: (-item.relevance, item.file.relative))
        if passages:
            best = self._with_passages(best[: max(_PASSAGES, limit)], tokens)
        best = best[:limit]
        top = best[0].relevance if best else 1.0
        for item in best:
            item.relevance = round(max(0.0, min(1.0, item.relevance / top)), 4) if top > 0 else 0.0
        return best

    def _blend(self, signals: dict[str, dict[int, float]], tokens: Counter[str]) -> dict[int, Scored]:
        scored: dict[int, Scored] = {}
        for name, values in signals.items():
            top = max(values.values(), default=0.0)
            if top <= 0:
                continue
            for number, value in values.items():
                item = scored.get(number)
                if item is None:
                    item = scored[number] = Scored(self.files[number], 0.0, {})
                share = WEIGHTS[name] * value / top
                item.signals[name] = share
                item.relevance += share
        words = set(tokens)
        for item in scored.values():
            factor = kind_factor(item.file.relative, words)
            if factor != 1.0 and "target" not in item.signals:
                item.signals["kind"] = item.relevance * (factor - 1.0)
                item.relevance *= factor
        return scored

    def _with_passages(self, best: list[Scored], tokens: Counter[str]) -> list[Scored]:
        total = len(self.files)
        weights = {token: math.log(1 + total / (1 + len(self.content.postings.get(token, ())))) for token in tokens}
        for item in best:
            item.passage = best_passage(_read(item.file.path), weights)
        top = max((item.passage.score for item in best if item.passage), default=0.0)
        for item in best:
            if item.passage and top > 0:
                share = WEIGHTS["passage"] * item.passage.score / top
                factor = kind_factor(item.file.relative, set(tokens))
                item.signals["passage"] = share
                item.relevance += share * factor
        return sorted(best, key=lambda item: (-item.relevance, item.file.relative))

    def _defined(self, query: str) -> dict[int, float]:
        found: dict[int, float] = {}
        for word in set(re.findall(r"[A-Za-z_]\w{2,}", query)):
            numbers = self.definitions.get(word, ())
            if numbers and len(numbers) <= 20:
                gain = (2.0 if "_" in word or not word.islower() else 1.0) / math.sqrt(len(numbers))
                for number in numbers:
                    found[number] = found.get(number, 0.0) + gain
        return found

    def _targets(self, targets: tuple[str, ...]) -> dict[int, float]:
        wanted = set(targets)
        return {n: 1.0 for n, file in enumerate(self.files) if file.path in wanted or file.relative in wanted}


def kind_factor(path: str, words: set[str]) -> float:
    """How much a file of its kind counts for a query with these words."""
    for pattern, factor, reasons in _KINDS:
        if pattern.search(path):
            return 1.0 if words & reasons else factor
    return 1.0


_corpora: WeakKeyDictionary[IndexView, Corpus] = WeakKeyDictionary()


def corpus_of(index: Mapping[str, str]) -> Corpus:
    """The corpus of an index; of a plain mapping its metadata strings are the content."""
    if isinstance(index, IndexView):
        corpus = _corpora.get(index)
        if corpus is None:
            corpus = _corpora[index] = Corpus(list(index.files.values()))
        return corpus
    files = [
        IndexedFile(
            path, PurePosixPath(path).as_posix(), "", record(text, len(text)), path_tokens=tuple(path_tokens(path))
        )
        for path, text in index.items()
    ]
    return Corpus(files)


def query_of(request: ContextGenerationInput) -> str:
    """What to match by: the query, else the template's description with the relevant inputs."""
    inputs = {k: v for k, v in (request.inputs or {}).items() if k not in ("history", "target_files")}
    values = " ".join(as_text(value) for value in inputs.values())
    main = request.query if request.query else " ".join(filter(None, (request.template_description, values)))
    return main.strip()


def match_locally(request: ContextGenerationInput, index: Mapping[str, str], limit: int) -> AssociativeMatchResult:
    """The files that matter for a request, best first, each with an excerpt that shows why."""
    query = query_of(request)
    if not query:
        return AssociativeMatchResult(context_summary="", error="there is nothing to match: the query is empty")
    if not index:
        return AssociativeMatchResult(context_summary="", error="no index: index the workspace first")
    inputs = request.inputs or {}
    targets = inputs.get("target_files") or []
    scored = corpus_of(index).match(
        query,
        limit,
        tuple(str(target) for target in targets) if isinstance(targets, list) else (),
        passages=request.matching_strategy != "metadata",
    )
    matches = [
        MatchTuple(path=item.file.path, relevance=item.relevance, excerpt=item.passage.text if item.passage else None)
        for item in scored
    ]
    return AssociativeMatchResult(context_summary=summary(query, scored, len(index)), matches=matches)


def summary(query: str, scored: list[Scored], total: int) -> str:
    """What was found, in a few lines."""
    shown = query if len(query) <= 100 else query[:97] + "…"
    if not scored:
        return f"None of {total} files matches “{shown}”."
    lines = [f"{len(scored)} of {total} files match “{shown}”, best first:"]
    for item in scored[:5]:
        what = item.file.record.summary or "no summary"
        lines.append(f"- {item.file.relative}: {what}")
    return "\n".join(lines)


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
