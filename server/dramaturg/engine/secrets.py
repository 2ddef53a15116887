"""Which texts must never be written anywhere, and how are they masked?

A secret is the value of an environment variable whose name says so.
"""

from __future__ import annotations

import os
import re
from typing import Any

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL)", re.IGNORECASE)
_SHORTEST = 8

MASK = "•••"


def is_secret_name(name: str) -> bool:
    """Whether an environment variable of that name holds a secret."""
    return bool(_SECRET_NAME.search(name))


def secrets() -> list[str]:
    """The secrets of this process's environment, longest first."""
    found = {value for name, value in os.environ.items() if is_secret_name(name) and len(value) >= _SHORTEST}
    return sorted(found, key=len, reverse=True)


def mask(text: str) -> str:
    """The text with every secret replaced."""
    for secret in secrets():
        if secret in text:
            text = text.replace(secret, MASK)
    return text


def mask_data(data: Any) -> Any:
    """JSON data with every secret in its strings replaced."""
    known = secrets()
    return _mask_data(data, known) if known else data


def _mask_data(data: Any, known: list[str]) -> Any:
    if isinstance(data, str):
        for secret in known:
            if secret in data:
                data = data.replace(secret, MASK)
        return data
    if isinstance(data, list):
        return [_mask_data(item, known) for item in data]
    if isinstance(data, dict):
        return {_mask_data(key, known): _mask_data(value, known) for key, value in data.items()}
    return data
