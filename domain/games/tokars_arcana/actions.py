"""What a seat may ask for. One order a turn; the questions it raises are answered by small actions.

`start` is always the square of the commanded model.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeGuard, get_args, get_type_hints

from msgspec import Struct

from domain.games.tokars_arcana.state import Seat, Square, Unit

# --- orders --------------------------------------------------------------------------------------


class Move(Struct, frozen=True, gc=False, tag="tokars-arcana.move"):
    """Go to a free square; for an Alchemist, slide along the row."""

    start: Square
    end: Square


class Enter(Struct, frozen=True, gc=False, tag="tokars-arcana.enter"):
    """Go to a square and kill who stands there."""

    start: Square
    end: Square


class Strike(Struct, frozen=True, gc=False, tag="tokars-arcana.strike"):
    """Kill at a distance, without entering."""

    start: Square
    target: Square


class MoveAndStrike(Struct, frozen=True, gc=False, tag="tokars-arcana.move-and-strike"):
    """Go to a free square, then strike from there."""

    start: Square
    end: Square
    target: Square


class Off(Struct, frozen=True, gc=False, tag="tokars-arcana.off"):
    """Walk off the board, and die."""

    start: Square


class Brew(Struct, frozen=True, gc=False, tag="tokars-arcana.brew"):
    """Throw firebrew."""

    start: Square
    target: Square


class SlideAndBrew(Struct, frozen=True, gc=False, tag="tokars-arcana.slide-and-brew"):
    """Slide, then throw firebrew from there."""

    start: Square
    end: Square
    target: Square


class BrewAndSlide(Struct, frozen=True, gc=False, tag="tokars-arcana.brew-and-slide"):
    """Throw firebrew, then slide."""

    start: Square
    target: Square
    end: Square


class Vanquish(Struct, frozen=True, gc=False, tag="tokars-arcana.vanquish"):
    """Teleport away all lesser enemies around the Battle Mage."""

    start: Square


class MoveAndVanquish(Struct, frozen=True, gc=False, tag="tokars-arcana.move-and-vanquish"):
    """Go to a free square, then vanquish from there."""

    start: Square
    end: Square


class Promote(Struct, frozen=True, gc=False, tag="tokars-arcana.promote"):
    """Make the soldier on the far row a unit of the graveyard."""

    start: Square
    soldier: Square
    unit: Unit


class Recall(Struct, frozen=True, gc=False, tag="tokars-arcana.recall"):
    """Bring the soldier on the far row back beside the Battle Mage."""

    start: Square
    soldier: Square
    to: Square


class Return(Struct, frozen=True, gc=False, tag="tokars-arcana.return"):
    """Walk off the far edge as a Skeleton, and reappear beside its general."""

    start: Square
    to: Square


class Revive(Struct, frozen=True, gc=False, tag="tokars-arcana.revive"):
    """Bring a dead soldier back beside the reviver."""

    start: Square
    unit: Unit
    to: Square


class TradeModels(Struct, frozen=True, gc=False, tag="tokars-arcana.trade-models"):
    """Give two models of the board for one of the next class."""

    start: Square
    first: Square
    second: Square
    unit: Unit
    to: Square


class TradeDead(Struct, frozen=True, gc=False, tag="tokars-arcana.trade-dead"):
    """Give two of the dead for one of the next class."""

    start: Square
    first: Unit
    second: Unit
    unit: Unit
    to: Square


class Wind(Struct, frozen=True, gc=False, tag="tokars-arcana.wind"):
    """Sacrifice a soldier to push all enemies back."""

    start: Square
    soldier: Square


class Explode(Struct, frozen=True, gc=False, tag="tokars-arcana.explode"):
    """Explode a model of one's own with everything around it."""

    start: Square
    target: Square


class Slay(Struct, frozen=True, gc=False, tag="tokars-arcana.slay"):
    """Kill all adjacent enemies."""

    start: Square


AnyOrder = (
    Move | Enter | Strike | MoveAndStrike | Off
    | Brew | SlideAndBrew | BrewAndSlide
    | Vanquish | MoveAndVanquish | Promote | Recall
    | Return | Revive | TradeModels | TradeDead | Wind | Explode | Slay
)  # fmt: skip

# --- answers to a question -----------------------------------------------------------------------


class Ready(Struct, frozen=True, gc=False, tag="tokars-arcana.ready"):
    """Say that the armies have been studied."""

    seat: Seat


class First(Struct, frozen=True, gc=False, tag="tokars-arcana.first"):
    """Enter who begins."""

    seat: Seat


class Place(Struct, frozen=True, gc=False, tag="tokars-arcana.place"):
    """Set down the first vanquished model."""

    to: Square


class AngelRevive(Struct, frozen=True, gc=False, tag="tokars-arcana.angel-revive"):
    """Let the angel set the first killed priest down."""

    to: Square


class AngelDecline(Struct, frozen=True, gc=False, tag="tokars-arcana.angel-decline"):
    """Leave him dead."""


class RaiseUnit(Struct, frozen=True, gc=False, tag="tokars-arcana.raise-unit"):
    """Raise a unit of the graveyard beside the zombie."""

    unit: Unit
    to: Square


class Skip(Struct, frozen=True, gc=False, tag="tokars-arcana.skip"):
    """Raise nobody."""


class DrawAccept(Struct, frozen=True, gc=False, tag="tokars-arcana.draw-accept"):
    """Agree to a draw."""


class DrawDecline(Struct, frozen=True, gc=False, tag="tokars-arcana.draw-decline"):
    """Do not agree to a draw."""


Answer = (
    Ready | First | Place | AngelRevive | AngelDecline | RaiseUnit | Skip
    | DrawAccept | DrawDecline
)  # fmt: skip

# --- the rest ------------------------------------------------------------------------------------


class Pass(Struct, frozen=True, gc=False, tag="tokars-arcana.pass"):
    """Give no order."""


class DrawOffer(Struct, frozen=True, gc=False, tag="tokars-arcana.draw-offer"):
    """Offer a draw before the order."""


class Resign(Struct, frozen=True, gc=False, tag="tokars-arcana.resign"):
    """Give the game up."""

    seat: Seat


Action = AnyOrder | Answer | Pass | DrawOffer | Resign
_ORDERS: Final = frozenset(get_args(AnyOrder))


def is_order(action: Action) -> TypeGuard[AnyOrder]:
    """Is this an order, and not an answer to a question?"""
    return type(action) in _ORDERS


_SQUARES: Final[dict[Any, tuple[str, ...]]] = {
    kind: tuple(
        name for name, hint in get_type_hints(kind, include_extras=True).items() if hint == Square
    )
    for kind in get_args(Action)
}


def squares_in(action: Action) -> Iterator[Square]:
    """Every square that the action names, from left to right."""
    for name in _SQUARES[type(action)]:
        yield getattr(action, name)
