"""What a seat, or the table, may ask for.

Cards are named by their ids; `?` stands for one that a viewer may not know, and only where an
action is shown to others. Essences are bundles.
"""

from typing import Annotated

from msgspec import Meta, Struct

from domain.games.res_arcana.bundles import Bundle
from domain.games.res_arcana.state import CardId, Power

Word = Annotated[str, Meta(pattern="^[a-z0-9-]+$")]

# --- entries, by the table -----------------------------------------------------------------------


class DrawFirst(Struct, frozen=True, gc=False, tag="res-arcana.first"):
    """The first player was drawn."""

    seat: Word


class Flip(Struct, frozen=True, gc=False, tag="res-arcana.flip"):
    """A tile shows this side."""

    card: CardId


class Next(Struct, frozen=True, gc=False, tag="res-arcana.next"):
    """The next card of a shuffle, from the top."""

    card: CardId


class Deal(Struct, frozen=True, gc=False, tag="res-arcana.deal"):
    """A card was dealt to the seat that is next."""

    card: CardId


# --- set-up --------------------------------------------------------------------------------------


class Pick(Struct, frozen=True, gc=False, tag="res-arcana.pick"):
    """Keep a card of the draft pack."""

    card: CardId


class Keep(Struct, frozen=True, gc=False, tag="res-arcana.keep"):
    """Keep three of the eight as the hand."""

    cards: tuple[CardId, CardId, CardId]


class ChooseMage(Struct, frozen=True, gc=False, tag="res-arcana.mage"):
    """Choose one of the two mages."""

    card: CardId


class TakeItem(Struct, frozen=True, gc=False, tag="res-arcana.item"):
    """Take a magic item from the supply."""

    card: CardId


# --- phase 1 -------------------------------------------------------------------------------------


class Collect(Struct, frozen=True, gc=False, tag="res-arcana.collect"):
    """Collect this mix from a component."""

    card: CardId
    essences: Bundle


class Take(Struct, frozen=True, gc=False, tag="res-arcana.take"):
    """Take all essences off a component."""

    card: CardId


class Leave(Struct, frozen=True, gc=False, omit_defaults=True, tag="res-arcana.leave"):
    """Leave essences on a component, and gain this mix where leaving them gives one."""

    card: CardId
    essences: Bundle | None = None


class Pay(Struct, frozen=True, gc=False, tag="res-arcana.pay"):
    """Pay the upkeep of a component."""

    card: CardId


class Turn(Struct, frozen=True, gc=False, tag="res-arcana.turn"):
    """Turn a component whose upkeep is not paid."""

    card: CardId


# --- phase 2 -------------------------------------------------------------------------------------


class Play(Struct, frozen=True, gc=False, tag="res-arcana.play"):
    """Place an artifact from the hand."""

    card: CardId
    essences: Bundle


class Claim(Struct, frozen=True, gc=False, tag="res-arcana.claim"):
    """Claim a monument, a place of power, or the `top` of the monument deck."""

    card: CardId


class Discard(Struct, frozen=True, gc=False, tag="res-arcana.discard"):
    """Discard an artifact from the hand, and gain these."""

    card: CardId
    essences: Bundle


class Use(Struct, frozen=True, gc=False, omit_defaults=True, tag="res-arcana.use"):
    """Use a power of a component, with what the power wants to be told."""

    card: CardId
    power: Power
    arguments: Annotated[tuple[Word, ...], Meta(max_length=7)] = ()


class Pass(Struct, frozen=True, gc=False, tag="res-arcana.pass"):
    """Pass, and swap the magic item for this one."""

    item: CardId


# --- prompts inside an action --------------------------------------------------------------------


class Gain(Struct, frozen=True, gc=False, tag="res-arcana.gain"):
    """Gain these."""

    essences: Bundle


class Put(Struct, frozen=True, gc=False, tag="res-arcana.put"):
    """Put these onto the component that is asked about."""

    essences: Bundle


class Place(Struct, frozen=True, gc=False, tag="res-arcana.place"):
    """Place an artifact by a power, and pay these."""

    card: CardId
    essences: Bundle


class Decline(Struct, frozen=True, gc=False, tag="res-arcana.decline"):
    """Place nothing."""


class Drop(Struct, frozen=True, gc=False, tag="res-arcana.drop"):
    """Discard these cards of the hand."""

    cards: Annotated[tuple[CardId, ...], Meta(min_length=1, max_length=9)]


class Order(Struct, frozen=True, gc=False, tag="res-arcana.order"):
    """Put the cards looked at back, this one on top first."""

    cards: Annotated[tuple[CardId, ...], Meta(min_length=1, max_length=3)]


class Lose(Struct, frozen=True, gc=False, tag="res-arcana.lose"):
    """Lose these."""

    essences: Bundle


class React(Struct, frozen=True, gc=False, tag="res-arcana.react"):
    """Use a component's reaction."""

    card: CardId


class Ignore(Struct, frozen=True, gc=False, omit_defaults=True, tag="res-arcana.ignore"):
    """Pay the attack's own price, with this card where it is one."""

    card: CardId | None = None


class Skip(Struct, frozen=True, gc=False, tag="res-arcana.skip"):
    """Use no reaction, or no more."""


Action = (
    DrawFirst
    | Flip
    | Next
    | Deal
    | Pick
    | Keep
    | ChooseMage
    | TakeItem
    | Collect
    | Take
    | Leave
    | Pay
    | Turn
    | Play
    | Claim
    | Discard
    | Use
    | Pass
    | Gain
    | Put
    | Place
    | Decline
    | Drop
    | Order
    | Lose
    | React
    | Ignore
    | Skip
)
