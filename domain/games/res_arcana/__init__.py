"""Res Arcana, after the rulebook's summary of the game by Thomas Lehmann; its cards are data."""

from typing import Final

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.consequences import forfeit, out
from domain.games.res_arcana.decide import decide, over
from domain.games.res_arcana.evolve import evolve
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.groups import groups
from domain.games.res_arcana.knowledge import known
from domain.games.res_arcana.legal import legal, result, turn
from domain.games.res_arcana.notation import NOTATION, read_action, write_action
from domain.games.res_arcana.parts import parts
from domain.games.res_arcana.position import write_position, write_view
from domain.games.res_arcana.position_reading import read_position
from domain.games.res_arcana.rules import RULES
from domain.games.res_arcana.scene import caption, look
from domain.games.res_arcana.sentences import tell
from domain.games.res_arcana.setup import opening, seats, start
from domain.games.res_arcana.shelf import SHELF
from domain.games.res_arcana.state import TABLE, Options, State
from domain.games.res_arcana.veil import reveals, veil
from domain.kernel.game import Game


def aside(action: Action) -> bool:
    """Nothing is aside: the game has no action for giving up, and no draws."""
    del action
    return False


GAME: Final[Game[Options, State, Action, Fact]] = Game(
    slug="res-arcana",
    name="Res Arcana",
    summary="Two to four mages turn essences into artifacts, monuments and places of power; ten"
    " points at the end of a round win. Hands and decks are hidden, cards are data.",
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
    groups=groups,
    decide=decide,
    evolve=evolve,
    result=result,
    aside=aside,
    forfeit=forfeit,
    out=out,
    agreed_draws=False,
    scribes=(TABLE,),
    reveals=reveals,
    known=known,
    write_position=write_position,
    read_position=read_position,
    write_view=write_view,
    read_action=read_action,
    over=over,
    write_action=write_action,
    notation=NOTATION,
    look=look,
    caption=caption,
    veil=veil,
    parts=parts,
    tell=tell,
    packs=SHELF,
)
