"""Tokar's Arcana, after the rulebook by Anthony and Tabitha Gill (1998)."""

from typing import Final

from domain.games.tokars_arcana.actions import Action, DrawAccept, DrawDecline, DrawOffer, Resign
from domain.games.tokars_arcana.consequences import consequences
from domain.games.tokars_arcana.decide import decide
from domain.games.tokars_arcana.evolve import evolve
from domain.games.tokars_arcana.facts import Fact
from domain.games.tokars_arcana.legal import legal, result, turn
from domain.games.tokars_arcana.notation import NOTATION, read_action, write_action
from domain.games.tokars_arcana.parts import parts
from domain.games.tokars_arcana.position import write_position
from domain.games.tokars_arcana.position_reading import read_position
from domain.games.tokars_arcana.rules import RULES
from domain.games.tokars_arcana.scene import announce, caption, look
from domain.games.tokars_arcana.sentences import tell
from domain.games.tokars_arcana.setup import opening, seats, start
from domain.games.tokars_arcana.state import Options, Seat, State
from domain.kernel.game import DrawOffers, Game, open_book


def aside(action: Action) -> bool:
    """Is this a resignation or the offer of a draw?"""
    return isinstance(action, Resign | DrawOffer)


def write_view(state: State, viewer: str) -> str:
    """The position: everybody sees all of it."""
    del viewer
    return write_position(state)


def resign(seat: str) -> Resign:
    """The action by which this seat, `south` or `north`, gives up."""
    own: Seat = "south" if seat == "south" else "north"
    return Resign(own)


def offer_draw(seat: str) -> DrawOffer:
    """The action by which the seat on turn offers a draw."""
    del seat
    return DrawOffer()


def answer_draw(seat: str, accepted: bool) -> DrawAccept | DrawDecline:
    """The other seat's answer."""
    del seat
    return DrawAccept() if accepted else DrawDecline()


GAME: Final[Game[Options, State, Action, Fact]] = Game(
    slug="tokars-arcana",
    name="Tokar's Arcana",
    summary="Two armies of sixteen models, human or undead, each unit with powers of its own; who"
    " kills the enemy general has won.",
    options=Options,
    state=State,
    actions=Action,
    facts=Fact,
    rules=RULES,
    seats=seats,
    start=start,
    opening=opening,
    turn=turn,
    legal=legal,
    decide=decide,
    evolve=evolve,
    result=result,
    aside=aside,
    resign=resign,
    draws=DrawOffers(offer_draw, answer_draw),
    consequences=consequences,
    write_position=write_position,
    read_position=read_position,
    write_view=write_view,
    write_action=write_action,
    read_action=read_action,
    notation=NOTATION,
    look=look,
    caption=caption,
    announce=announce,
    veil=open_book,
    parts=parts,
    tell=tell,
)
