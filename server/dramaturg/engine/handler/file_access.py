"""Which files may be read, and what do they hold?

Nothing outside the workspace's roots is read, links resolved first, and no file
whose name says that it holds secrets.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from dramaturg.engine.errors import EngineError, failure

#: Files that are never read unless allowed.
SECRET_FILES = (".env", ".env.*", "*.pem", "*.key", "id_rsa*", "id_ed25519*", ".netrc", ".npmrc", ".pypirc")

#: The largest file that is read, in bytes.
MAX_FILE_SIZE = 1_000_000


class FileAccessManager:
    """Reads files inside the workspace's roots. (IDL of the system executors)"""

    def __init__(self, roots: list[Path], allow_secrets: bool = False) -> None:
        self.roots = [root.resolve() for root in roots]
        self.allow_secrets = allow_secrets

    def resolve(self, path: str | Path) -> Path:
        """The file's real path; EngineError where it lies outside of the workspace or is not to be read."""
        given = Path(path)
        candidates = [given] if given.is_absolute() else [root / given for root in self.roots]
        try:
            resolved = [candidate.resolve() for candidate in candidates]
        except (OSError, RuntimeError, ValueError):
            resolved = []
        inside = [item for item in resolved if any(item == root or root in item.parents for root in self.roots)]
        if not inside:
            raise EngineError(failure("input_validation_failure", f"{path} lies outside of the workspace"))
        found = next((item for item in inside if item.exists()), inside[0])
        if not self.allow_secrets and any(fnmatch(found.name, pattern) for pattern in SECRET_FILES):
            raise EngineError(failure("input_validation_failure", f"{path} may hold secrets and is not read"))
        return found

    def read_file(self, path: str | Path, max_size: int = MAX_FILE_SIZE) -> str | None:
        """The file's text, or None where it is absent, outside, too large, unreadable or no text."""
        try:
            found = self.resolve(path)
            if not found.is_file() or found.stat().st_size > max_size:
                return None
            data = found.read_bytes()
        except (EngineError, OSError):
            return None
        if b"\0" in data[:8192]:
            return None
        return data.decode("utf-8", "replace")
