"""What a seat may ask for, and the entries by which it tells what dice showed."""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.earthen_war.state import Cell, Colour

Entered = Annotated[int, Meta(ge=0, le=999)]
"""What was entered for a die. Whether a die can show it is a matter of the rules."""


class EnterDice(Struct, frozen=True, gc=False, tag="earthen-war.dice"):
    """What one or two dice showed, in the order that was asked for."""

    dice: Annotated[tuple[Entered, ...], Meta(min_length=1, max_length=2)]


class Add(Struct, frozen=True, gc=False, tag="earthen-war.add"):
    """Improve by a new die of this colour."""

    colour: Colour


class Place(Struct, frozen=True, gc=False, tag="earthen-war.place"):
    """Place the new die."""

    cell: Cell


class Upgrade(Struct, frozen=True, gc=False, tag="earthen-war.up"):
    """Improve by turning a die to one dot more."""

    cell: Cell


class Downgrade(Struct, frozen=True, gc=False, tag="earthen-war.down"):
    """Improve by turning a die to one dot less, or by removing a 1."""

    cell: Cell


class Skip(Struct, frozen=True, gc=False, tag="earthen-war.skip"):
    """Improve nothing, or swap nothing."""


class Swap(Struct, frozen=True, gc=False, tag="earthen-war.swap"):
    """Swap the dice on two squares, the first one earlier in reading order."""

    first: Cell
    second: Cell


class Use(Struct, frozen=True, gc=False, tag="earthen-war.use"):
    """Use a die, to move or to attack."""

    cell: Cell


class PlaceShell(Struct, frozen=True, gc=False, tag="earthen-war.shell"):
    """Place a shell where the attack landed."""


class DeclineShell(Struct, frozen=True, gc=False, tag="earthen-war.no-shell"):
    """Place no shell."""


class EndTurn(Struct, frozen=True, gc=False, tag="earthen-war.end"):
    """End the turn."""


Action = (
    EnterDice
    | Add
    | Place
    | Upgrade
    | Downgrade
    | Skip
    | Swap
    | Use
    | PlaceShell
    | DeclineShell
    | EndTurn
)
