"""A.G.O.G. (A Game of Golems), after the rulebook by Christopher St. Clair."""

from typing import Final

from domain.games.agog.actions import Action, Resign
from domain.games.agog.consequences import consequences
from domain.games.agog.decide import decide
from domain.games.agog.evolve import evolve
from domain.games.agog.facts import Fact
from domain.games.agog.legal import legal, result, turn
from domain.games.agog.notation import NOTATION, read_action, write_action
from domain.games.agog.parts import parts
from domain.games.agog.position import write_position
from domain.games.agog.position_reading import read_position
from domain.games.agog.rules import RULES
from domain.games.agog.scene import caption, look
from domain.games.agog.score import record, write
from domain.games.agog.score_reading import read
from domain.games.agog.sentences import tell
from domain.games.agog.setup import opening, seats, start
from domain.games.agog.state import Options, Seat, State
from domain.kernel.game import Game, ScoreNotation, open_book


def aside(action: Action) -> bool:
    """Is this a resignation?"""
    return isinstance(action, Resign)


def write_view(state: State, viewer: str) -> str:
    """The position: everybody sees all of it."""
    del viewer
    return write_position(state)


def resign(seat: str) -> Resign:
    """The action by which this seat, `white` or `black`, gives up."""
    own: Seat = "white" if seat == "white" else "black"
    return Resign(own)


GAME: Final[Game[Options, State, Action, Fact]] = Game(
    slug="agog",
    name="A.G.O.G.",
    summary="Two journeymen behind twenty golems each race for the other's corner of the board; "
    "captures are compulsory, and the longest must be taken.",
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
    agreed_draws=False,
    consequences=consequences,
    write_position=write_position,
    read_position=read_position,
    write_view=write_view,
    write_action=write_action,
    read_action=read_action,
    notation=NOTATION,
    score=ScoreNotation(write, read, record),
    look=look,
    caption=caption,
    veil=open_book,
    parts=parts,
    tell=tell,
)
