"""What became true. Facts are stored for ever: their tags and fields are a storage format.

`white` and `black` are by how much each player's supply changed. `unit` is a letter as positions
write it; where a unit left the board it is there for those who read the log.
"""

from msgspec import Struct

from domain.games.agog.state import Reason, Seat, Square, Unit


class UnitMoved(Struct, frozen=True, gc=False, tag="agog.unit-moved"):
    """A unit left one square and stands on another, after a move or a whole sequence of jumps."""

    unit: Unit
    start: Square
    end: Square


class UnitCaptured(Struct, frozen=True, gc=False, omit_defaults=True, tag="agog.unit-captured"):
    """A jumped unit was removed."""

    unit: Unit
    square: Square
    white: int = 0
    black: int = 0


class UnitCorrupted(Struct, frozen=True, gc=False, omit_defaults=True, tag="agog.unit-corrupted"):
    """A jumped unit became `unit`, the corrupted hulk of the player who jumped it."""

    unit: Unit
    square: Square
    white: int = 0
    black: int = 0


class UnitPromoted(Struct, frozen=True, gc=False, omit_defaults=True, tag="agog.unit-promoted"):
    """A unit left the enemy sanctum, and the golem on `square` became `unit`, a hulk."""

    unit: Unit
    sanctum: Square
    square: Square
    white: int = 0
    black: int = 0


class UnitTakenOut(Struct, frozen=True, gc=False, omit_defaults=True, tag="agog.unit-taken-out"):
    """A unit left the enemy sanctum and play."""

    unit: Unit
    sanctum: Square
    white: int = 0
    black: int = 0


class TurnPassed(Struct, frozen=True, gc=False, tag="agog.turn-passed"):
    """It is this player's turn now."""

    seat: Seat


class GameEnded(Struct, frozen=True, gc=False, tag="agog.game-ended"):
    """The game is over."""

    winner: Seat
    reason: Reason


Fact = (
    UnitMoved | UnitCaptured | UnitCorrupted | UnitPromoted | UnitTakenOut | TurnPassed | GameEnded
)
