"""Which of the known names was probably meant?"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher


def nearest(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """The known names most like `name`, best first, none that is unlike it."""
    wanted = _folded(name)
    scored: list[tuple[float, str]] = []
    matcher = SequenceMatcher(autojunk=False)
    matcher.set_seq2(wanted)
    for candidate in dict.fromkeys(known):
        if candidate == name:
            continue
        folded = _folded(candidate)
        if abs(len(folded) - len(wanted)) > max(2, len(wanted) // 2):
            continue
        matcher.set_seq1(folded)
        if matcher.quick_ratio() < 0.6:
            continue
        score = matcher.ratio()
        if score >= (0.8 if len(wanted) <= 3 else 0.68):
            scored.append((score, candidate))
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidate for _, candidate in scored[:limit]]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean \\`x\\`?`, or nothing where no known name is near."""
    near = nearest(name, known, 1)
    return f"; did you mean `{near[0]}`?" if near else ""


def _folded(name: str) -> str:
    return name.lower().replace("_", "-")
