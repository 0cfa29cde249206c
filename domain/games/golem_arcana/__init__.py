"""Golem Arcana, after the rulebook of the miniatures game; units and scenarios are content."""

from typing import Final

from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.resignation import forfeit
from domain.games.golem_arcana.content.musters import ARMIES
from domain.games.golem_arcana.content.shelf import SHELF
from domain.games.golem_arcana.decide import (
    consequences,
    decide,
    formerly,
    opening,
    over,
    start,
)
from domain.games.golem_arcana.display.army_status import status
from domain.games.golem_arcana.display.parts import parts
from domain.games.golem_arcana.display.pointing import GolemPointing
from domain.games.golem_arcana.display.scene import caption, look
from domain.games.golem_arcana.display.sentences import tell
from domain.games.golem_arcana.display.tap_refusals import STYLUS
from domain.games.golem_arcana.display.veil import known, reveals, veil
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.legal import legal, result, turn
from domain.games.golem_arcana.notation.actions import NOTATION, read_action, write_action
from domain.games.golem_arcana.notation.position import write_position, write_view
from domain.games.golem_arcana.notation.position_reading import read_position, recall_position
from domain.games.golem_arcana.notation.tap_vectors import check_taps
from domain.games.golem_arcana.notation.vectors import (
    check_army_vector,
    check_figures_vector,
    check_reading_vector,
)
from domain.games.golem_arcana.options import Options, pack_of
from domain.games.golem_arcana.rules import RULES
from domain.games.golem_arcana.state import State, out
from domain.kernel.game import Difference, Game


def seats(options: Options) -> tuple[str, ...]:
    """The seats of the scenario, in Turn order."""
    return pack_of(options).scenarios[options.scenario].seats


def deals(options: Options) -> bool:
    """Secret quests are dealt face down."""
    return bool(pack_of(options).scenarios[options.scenario].quests)


def aside(action: Action) -> bool:
    """Every action is part of play: giving up is an event of the match."""
    del action
    return False


def _check_taps(line: bytes) -> tuple[Difference, ...]:
    return check_taps(GAME, line)


GAME: Final[Game[Options, State, Action, Fact]] = Game(
    slug="golem-arcana",
    name="Golem Arcana",
    summary="Armies of walking war machines fight over a board of tiles, with Action Points that "
    "double as abilities cool, percentile dice, Knights, Relics and Ancient Ones.",
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
    consequences=consequences,
    formerly=formerly,
    forfeit=forfeit,
    out=out,
    write_position=write_position,
    read_position=read_position,
    recall_position=recall_position,
    write_view=write_view,
    write_action=write_action,
    read_action=read_action,
    over=over,
    notation=NOTATION,
    look=look,
    caption=caption,
    reveals=reveals,
    known=known,
    deals=deals,
    veil=veil,
    parts=parts,
    point=GolemPointing,
    stylus=STYLUS,
    tell=tell,
    armies=ARMIES,
    status=status,
    packs=SHELF,
    extras={
        "army": check_army_vector,
        "figures": check_figures_vector,
        "reading": check_reading_vector,
        "taps": _check_taps,
    },
)
