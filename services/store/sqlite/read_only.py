"""Read-only connections to databases that others may write to."""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

PATIENCE_SECONDS: Final = 30
"""How long to wait for another connection's lock."""


def open_read_only(database: Path) -> sqlite3.Connection:
    """Return a read-only connection. Raises sqlite3.Error."""
    uri = f"file:{quote(str(database.resolve()))}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE_SECONDS)
