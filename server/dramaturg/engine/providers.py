"""Which provider answers in this workspace?"""

from __future__ import annotations

from dramaturg.config import Settings
from dramaturg.engine.errors import EngineError, failure
from dramaturg.engine.handler.providers.anthropic import AnthropicProvider, has_key
from dramaturg.engine.handler.providers.protocol import Provider

NO_PROVIDER = (
    "no provider is configured; there are three ways to set one: put a key in ANTHROPIC_API_KEY; "
    "or name a local server that speaks the Messages API as `base_url` in dramaturg.toml; "
    "or answer from recordings with `--replay FILE`"
)

UNTRUSTED = "models are called only in a trusted workspace: pass `--trust`, or trust it in the editor"


def choose_provider(name: str, settings: Settings, trusted: bool) -> Provider:
    """The provider of that name, or the one that can be had; `llm_error` where there is none."""
    if name not in ("", "anthropic"):
        message = f"unknown provider `{name}`: expected `anthropic`, or `--replay FILE` for recordings"
        raise EngineError(failure("llm_error", message))
    if not settings.base_url and not has_key():
        raise EngineError(failure("llm_error", NO_PROVIDER))
    if not trusted:
        raise EngineError(failure("llm_error", UNTRUSTED))
    return AnthropicProvider(settings.base_url, settings.limits.timeout)
