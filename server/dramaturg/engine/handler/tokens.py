"""How many tokens will a text be, roughly, without asking anybody?

A heuristic: words and runs of punctuation, long words in pieces. It errs on the
high side for prose by some per cent and is meant for limits and previews only.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"[A-Za-z]+|[0-9]{1,3}|\s+|[^\w\s]|[^\x00-\x7f]")


def estimate(text: str) -> int:
    """An estimate of the number of tokens of `text`."""
    if len(text) > 200_000:
        return int(len(text) / 3.6)
    count = 0
    for match in _PIECE.finditer(text):
        piece = match.group()
        if piece[0].isalpha() and piece.isascii():
            count += 1 + (len(piece) - 1) // 7
        elif piece.isspace():
            count += piece.count("\n") + (1 if len(piece) > 4 else 0)
        else:
            count += 1
    return count
