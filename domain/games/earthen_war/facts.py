"""What became true. Facts are stored for ever: their tags and fields are a storage format.

`seat` is whose golem, grid or turn it is about.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.earthen_war.state import FUSE, Cell, Colour, Dots, Seat, Square, Step


class InitiativeRolled(Struct, frozen=True, gc=False, tag="earthen-war.initiative-rolled"):
    """A seat rolled two dice for who begins."""

    seat: Seat
    total: Annotated[int, Meta(ge=2, le=6)]


class InitiativeTied(Struct, frozen=True, gc=False, tag="earthen-war.initiative-tied"):
    """Both seats rolled the same: they roll again."""


class TurnBegan(Struct, frozen=True, gc=False, tag="earthen-war.turn-began"):
    """A seat's turn began, with the improving of its grid."""

    seat: Seat


class DiceRefreshed(Struct, frozen=True, gc=False, tag="earthen-war.dice-refreshed"):
    """All used dice of a seat went back to their moons."""

    seat: Seat


class PhaseBegan(Struct, frozen=True, gc=False, tag="earthen-war.phase-began"):
    """The seat in turn came to this phase, or back to it."""

    seat: Seat
    step: Step


class DieTaken(Struct, frozen=True, gc=False, tag="earthen-war.die-taken"):
    """A seat took a new die from the supply, to roll it."""

    seat: Seat
    colour: Colour


class DieRolled(Struct, frozen=True, gc=False, tag="earthen-war.die-rolled"):
    """The new die shows its number."""

    seat: Seat
    colour: Colour
    dots: Dots


class DiePlaced(Struct, frozen=True, gc=False, tag="earthen-war.die-placed"):
    """The new die lies on the grid, on its moon."""

    seat: Seat
    cell: Cell
    colour: Colour
    dots: Dots


class DieTurned(Struct, frozen=True, gc=False, tag="earthen-war.die-turned"):
    """A die was upgraded or downgraded to this number."""

    seat: Seat
    cell: Cell
    dots: Dots


class DieReturned(Struct, frozen=True, gc=False, tag="earthen-war.die-returned"):
    """A die left the grid for the supply: a 1, downgraded or spent."""

    seat: Seat
    cell: Cell


class DiceSwapped(Struct, frozen=True, gc=False, tag="earthen-war.dice-swapped"):
    """What lay on two squares changed places; damage stayed."""

    seat: Seat
    first: Cell
    second: Cell


class DieExtinguished(Struct, frozen=True, gc=False, tag="earthen-war.die-extinguished"):
    """A die was used: it lies on its sun now, with this number."""

    seat: Seat
    cell: Cell
    dots: Dots


class GolemMoved(Struct, frozen=True, gc=False, tag="earthen-war.golem-moved"):
    """A golem went from one square to another in a straight line."""

    seat: Seat
    start: Square
    end: Square


class GridDamaged(Struct, frozen=True, gc=False, tag="earthen-war.grid-damaged"):
    """A damage token was put on a square of this seat's grid."""

    seat: Seat
    cell: Cell


class LocationAwaited(Struct, frozen=True, gc=False, tag="earthen-war.location-awaited"):
    """This seat hit a damaged square, so two dice will tell another one."""

    seat: Seat
    cell: Cell
    """The square that the attack came from; it has the name of the damaged one."""


class ShellOffered(Struct, frozen=True, gc=False, tag="earthen-war.shell-offered"):
    """This seat attacked an empty square, and may place a shell there."""

    seat: Seat
    square: Square


class ShellPlaced(Struct, frozen=True, gc=False, tag="earthen-war.shell-placed"):
    """A black die from the supply lies on the battlefield as a shell."""

    square: Square
    turns: Annotated[int, Meta(ge=1, le=FUSE)]


class ShellsCountedDown(Struct, frozen=True, gc=False, tag="earthen-war.shells-counted-down"):
    """All shells have one turn less."""


class ShellExploded(Struct, frozen=True, gc=False, tag="earthen-war.shell-exploded"):
    """A shell exploded, and its die is in the supply."""

    square: Square


class GameEnded(Struct, frozen=True, gc=False, tag="earthen-war.game-ended"):
    """A golem was destroyed, or both at once."""

    winner: Seat | None


Fact = (
    InitiativeRolled
    | InitiativeTied
    | TurnBegan
    | DiceRefreshed
    | PhaseBegan
    | DieTaken
    | DieRolled
    | DiePlaced
    | DieTurned
    | DieReturned
    | DiceSwapped
    | DieExtinguished
    | GolemMoved
    | GridDamaged
    | LocationAwaited
    | ShellOffered
    | ShellPlaced
    | ShellsCountedDown
    | ShellExploded
    | GameEnded
)
