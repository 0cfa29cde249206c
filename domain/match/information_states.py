"""Information states as JSON, for programs that evaluate them elsewhere."""

from functools import cache
from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import canonical_bytes, digest
from domain.match.state import AnyMatch, visible_match


class SchemaMismatchError(ValueError):
    """A state has a schema that the rules here do not have: it is of another release."""


def write_information_state(match: AnyMatch, viewer: str) -> bytes:
    """Return the viewer's information state as JSON."""
    return canonical_bytes(visible_match(match, viewer).position)


def read_information_state(
    game: AnyGame, raw: bytes, shape: str, library: Library = BUILT_IN_PACKS
) -> Any:
    """Return the state that `write_information_state` wrote.

    Raises:
        SchemaMismatchError: The state comes from another release.
        ValueError: The bytes are no such state, or name a content pack that is not in the library.
        msgspec.MsgspecError: The bytes are no such state.
    """
    if shape != information_state_fingerprint(game):
        raise SchemaMismatchError(f"the service keeps states of {game.name} in another shape")
    return msgspec.json.decode(raw, type=game.state, dec_hook=library.decode_hook(game.packs))


@cache
def information_state_fingerprint(game: AnyGame) -> str:
    """Return a fingerprint of the schema of a game's states, which changes with their types."""
    return digest(canonical_bytes(msgspec.json.schema(game.state)))[:16]
