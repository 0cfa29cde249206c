"""Whose token is this? Answered from the read models, so that looking needs no live match."""

import sqlite3
from uuid import UUID

from domain.kernel.game import SPECTATOR
from domain.match import role_of
from projections import board_views


def role(connection: sqlite3.Connection, match: UUID, key: str | None) -> str | None:
    """The seat, `referee` or `spectator` whose token has this digest in a match, as it stands; of a
    public one `spectator` for whoever shows no token.

    None for a stranger, and for a match that the read models do not know.
    """
    found = board_views.present(connection, match)
    if found is None:
        return None
    if key is None:
        return None if found.match.terms.visibility == "private" else SPECTATOR
    return role_of(found.match, key)
