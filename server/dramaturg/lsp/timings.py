"""How often was each kind of request handled, and how long did it take?"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

#: How many of the last times of each kind are kept.
_KEPT = 200


class Timings:
    """Counts and the last times of each handler, in milliseconds."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._times: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_KEPT))

    def add(self, name: str, seconds: float) -> None:
        """Notes one."""
        self._counts[name] += 1
        self._times[name].append(1000 * seconds)

    def as_dict(self) -> dict[str, Any]:
        """Count, median and slowest of the last ones, by handler."""
        found = {}
        for name, times in self._times.items():
            ordered = sorted(times)
            found[name] = {
                "count": self._counts[name],
                "median_ms": round(ordered[len(ordered) // 2], 2),
                "slowest_ms": round(ordered[-1], 2),
            }
        return found
