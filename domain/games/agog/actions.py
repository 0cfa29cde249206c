"""What a seat may ask for. A whole turn is one action, however many jumps it has (AGOG-R35)."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.agog.state import Seat, Square

Leave = Annotated[str, Meta(pattern="^([a-h][1-8]|out)$")]
"""How a unit leaves the enemy sanctum: onto the golem on this square, or `out` of play."""


class Move(Struct, frozen=True, gc=False, omit_defaults=True, tag="agog.move"):
    """Go to a free square without capturing."""

    start: Square
    end: Square
    leave: Leave | None = None


class Jump(Struct, frozen=True, gc=False, omit_defaults=True):
    """Jump a unit and land here. The unit is captured, or corrupted."""

    to: Square
    corrupt: bool = False


class Capture(Struct, frozen=True, omit_defaults=True, tag="agog.capture"):
    """Jump one or more units, one after the other."""

    start: Square
    jumps: Annotated[tuple[Jump, ...], Meta(min_length=1)]
    leave: Leave | None = None


class Resign(Struct, frozen=True, gc=False, tag="agog.resign"):
    """Give the game up."""

    seat: Seat


Action = Move | Capture | Resign
