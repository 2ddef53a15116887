"""Which semantic tokens did the client get last, so that only the difference is sent?"""

from __future__ import annotations

from itertools import count

from lsprotocol import types as lsp

from dramaturg.ide.semantic_tokens import difference


class SentTokens:
    """The last answer of each document."""

    def __init__(self) -> None:
        self._sent: dict[str, tuple[str, list[int]]] = {}
        self._numbers = count(1)

    def full(self, uri: str, data: list[int]) -> lsp.SemanticTokens:
        """A whole answer."""
        identity = str(next(self._numbers))
        self._sent[uri] = (identity, data)
        return lsp.SemanticTokens(data, identity)

    def delta(self, uri: str, previous: str, data: list[int]) -> lsp.SemanticTokens | lsp.SemanticTokensDelta:
        """What differs from the answer of that id, or a whole one where it is not known."""
        identity, old = self._sent.get(uri, ("", []))
        made = self.full(uri, data)
        if identity != previous or not identity:
            return made
        start, removed, inserted = difference(old, data)
        edits = [lsp.SemanticTokensEdit(start, removed, inserted)] if removed or inserted else []
        return lsp.SemanticTokensDelta(edits, made.result_id)

    def forget(self, uri: str) -> None:
        """Drops what a closed document got."""
        self._sent.pop(uri, None)
