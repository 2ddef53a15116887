"""Which passage of a file shows best why it matters?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dramaturg.engine.memory.indexers.records import word_tokens

_WINDOW = 40
_STEP = 20
_SHOWN = 6
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{1,60}|[0-9]{2,8}")


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a file: its best lines as text with line numbers, and its score."""

    score: float
    first: int
    last: int
    text: str


def best_passage(text: str, weights: dict[str, float]) -> Passage | None:
    """The stretch that has most of the query's words, rare ones counting more; None where it has none."""
    lines = text.splitlines()
    hits: list[frozenset[str]] = []
    for line in lines:
        found = {token for word in _WORD.findall(line) for token in word_tokens(word) if token in weights}
        hits.append(frozenset(found))
    if not any(hits):
        return None
    best, best_score = 0, -1.0
    for start in range(0, max(1, len(lines) - _WINDOW + _STEP), _STEP):
        tokens = frozenset().union(*hits[start : start + _WINDOW])
        score = sum(weights[token] for token in tokens)
        if score > best_score:
            best, best_score = start, score
    window = range(best, min(len(lines), best + _WINDOW))
    densest = max(window, key=lambda n: sum(weights[token] for token in hits[n]))
    first = max(0, min(densest - 1, len(lines) - _SHOWN))
    shown = lines[first : first + _SHOWN]
    numbered = "\n".join(f"{first + number + 1}: {line[:160]}" for number, line in enumerate(shown))
    return Passage(best_score, first + 1, first + len(shown), numbered)
