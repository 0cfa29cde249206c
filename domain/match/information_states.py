"""States as a viewer may know them, written out for programs that think about them elsewhere."""

from functools import cache
from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.log.digests import canonical_bytes, digest
from domain.match.state import AnyMatch, visible_match


class SchemaMismatchError(ValueError):
    """A state in a shape that the rules here do not have: it comes from another release."""


def write_information_state(match: AnyMatch, viewer: str) -> bytes:
    """The position as this viewer may know it, as JSON."""
    return canonical_bytes(visible_match(match, viewer).position)


def read_information_state(
    game: AnyGame, raw: bytes, shape: str, library: Library = BUILT_IN_PACKS
) -> Any:
    """The state that was written so. ForeignShapeError for another release's; ValueError or
    msgspec.MsgspecError for what is none, or takes a content pack that is not in the library."""
    if shape != information_state_fingerprint(game):
        raise SchemaMismatchError(f"the service keeps states of {game.name} in another shape")
    return msgspec.json.decode(raw, type=game.state, dec_hook=library.decode_hook(game.packs))


@cache
def information_state_fingerprint(game: AnyGame) -> str:
    """A fingerprint of how states of a game are written: it changes with their types."""
    return digest(canonical_bytes(msgspec.json.schema(game.state)))[:16]
