"""Information states as JSON, for programs that evaluate them elsewhere."""

from functools import cache
from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.packs import OWN, Library
from domain.log.digests import canonical, digest
from domain.match.state import AnyMatch, known


class ForeignShapeError(ValueError):
    """A state has a schema that the rules here do not have: it is of another release."""


def write_known(match: AnyMatch, viewer: str) -> bytes:
    """Return the viewer's information state as JSON."""
    return canonical(known(match, viewer).position)


def read_known(game: AnyGame, raw: bytes, shape: str, library: Library = OWN) -> Any:
    """Return the state that `write_information_state` wrote.

    Raises:
        SchemaMismatchError: The state comes from another release.
        ValueError: The bytes are no such state, or name a content pack that is not in the library.
        msgspec.MsgspecError: The bytes are no such state.
    """
    if shape != known_shape(game):
        raise ForeignShapeError(f"the service keeps states of {game.name} in another shape")
    return msgspec.json.decode(raw, type=game.state, dec_hook=library.finder(game.packs))


@cache
def known_shape(game: AnyGame) -> str:
    """Return a fingerprint of the schema of a game's states, which changes with their types."""
    return digest(canonical(msgspec.json.schema(game.state)))[:16]
