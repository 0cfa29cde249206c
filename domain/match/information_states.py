"""States as a viewer may know them, written out for programs that think about them elsewhere."""

from functools import cache
from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.packs import OWN, Library
from domain.log.digests import canonical, digest
from domain.match.state import AnyMatch, known


class ForeignShapeError(ValueError):
    """A state in a shape that the rules here do not have: it comes from another release."""


def write_known(match: AnyMatch, viewer: str) -> bytes:
    """The position as this viewer may know it, as JSON."""
    return canonical(known(match, viewer).position)


def read_known(game: AnyGame, raw: bytes, shape: str, library: Library = OWN) -> Any:
    """The state that was written so. ForeignShapeError for another release's; ValueError or
    msgspec.MsgspecError for what is none, or takes a content pack that is not in the library."""
    if shape != known_shape(game):
        raise ForeignShapeError(f"the service keeps states of {game.name} in another shape")
    return msgspec.json.decode(raw, type=game.state, dec_hook=library.finder(game.packs))


@cache
def known_shape(game: AnyGame) -> str:
    """A fingerprint of how states of a game are written: it changes with their types."""
    return digest(canonical(msgspec.json.schema(game.state)))[:16]
