"""Opens a database that others may be writing to, to look at it and no more."""

import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

PATIENCE_SECONDS: Final = 30
"""How long to wait for a lock that others have."""


def open_read_only(database: Path) -> sqlite3.Connection:
    """A connection by which nothing can be written. Raises sqlite3.Error."""
    uri = f"file:{quote(str(database.resolve()))}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE_SECONDS)
