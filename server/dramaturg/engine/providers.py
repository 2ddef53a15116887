"""Which provider answers in this workspace?"""

from __future__ import annotations

from dramaturg.config import Settings
from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.handler.providers.anthropic import AnthropicProvider, has_key
from dramaturg.engine.handler.providers.editor import Ask, EditorProvider
from dramaturg.engine.handler.providers.protocol import Provider

NO_PROVIDER = (
    "no provider is configured; there are three ways to set one: put a key in ANTHROPIC_API_KEY; "
    "or name a local server that speaks the Messages API as `base_url` in dramaturg.toml; "
    "or answer from recordings with `--replay FILE`"
)

NO_EDITOR = "the provider `editor` needs an editor whose models answer, and none is connected"

UNTRUSTED = "models are called only in a trusted workspace: pass `--trust`, or trust it in the editor"


def choose_provider(name: str, settings: Settings, trusted: bool, editor: Ask | None = None) -> Provider:
    """The provider of that name, or the one that can be had; `llm_error` where there is none.

    `editor` asks the editor's own models; it is taken where nothing else is configured.
    """
    if name not in ("", "anthropic", "editor"):
        message = f"unknown provider `{name}`: expected `anthropic`, `editor`, or `--replay FILE` for recordings"
        raise EngineError(failure("llm_error", message))
    if name == "editor" and editor is None:
        raise EngineError(failure("llm_error", NO_EDITOR))
    if editor is not None and (name == "editor" or (not name and not settings.base_url and not has_key())):
        if not trusted:
            raise EngineError(failure("llm_error", UNTRUSTED))
        return EditorProvider(editor)
    if not settings.base_url and not has_key():
        raise EngineError(failure("llm_error", NO_PROVIDER))
    if not trusted:
        raise EngineError(failure("llm_error", UNTRUSTED))
    return AnthropicProvider(settings.base_url, settings.limits.timeout)
