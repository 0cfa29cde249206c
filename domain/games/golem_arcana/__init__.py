"""Golem Arcana, after the rulebook of the miniatures game; units and scenarios are content."""

from typing import Final

from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.resignation import forfeit
from domain.games.golem_arcana.content.musters import ARMIES
from domain.games.golem_arcana.content.shelf import SHELF
from domain.games.golem_arcana.decide import consequences, decide, formerly, over
from domain.games.golem_arcana.display.army_status import status
from domain.games.golem_arcana.display.captions import caption
from domain.games.golem_arcana.display.figures import figures_in_words
from domain.games.golem_arcana.display.parts import parts
from domain.games.golem_arcana.display.pointing import GolemPointing
from domain.games.golem_arcana.display.scene import look
from domain.games.golem_arcana.display.sentences import tell
from domain.games.golem_arcana.display.tap_refusals import STYLUS
from domain.games.golem_arcana.display.veil import imagine, known, probes, reveals, veil
from domain.games.golem_arcana.english import ENGLISH
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
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.prospects import prospects
from domain.games.golem_arcana.rules import RULES
from domain.games.golem_arcana.setup import opening, start
from domain.games.golem_arcana.state import State, out
from domain.games.golem_arcana.theme import THEME
from domain.kernel.game import (
    Concessions,
    Difference,
    Display,
    Game,
    GameContent,
    Insight,
    Notation,
    Rules,
    Secrets,
    Words,
)


def seats(options: Options) -> tuple[str, ...]:
    """The seats of the scenario, in Turn order."""
    return options.pack.scenarios[options.scenario].seats


def deals(options: Options) -> bool:
    """Secret quests are dealt face down."""
    return bool(options.pack.scenarios[options.scenario].quests)


def _check_taps(line: bytes) -> tuple[Difference, ...]:
    return check_taps(GAME, line)


GAME: Final[Game[Options, State, Action, Fact]] = Game.of(
    "golem-arcana",
    "Golem Arcana",
    "Armies of walking war machines fight over a board of tiles, with Action Points that "
    "double as abilities cool, percentile dice, Knights, Relics and Ancient Ones.",
    words=Words(Options, State, Action, Fact, RULES),
    rules=Rules(
        seats=seats,
        start=start,
        opening=opening,
        turn=turn,
        legal=legal,
        decide=decide,
        evolve=evolve,
        result=result,
        over=over,
        consequences=consequences,
        formerly=formerly,
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
        recall_position=recall_position,
    ),
    display=Display(
        look=look,
        parts=parts,
        tell=tell,
        caption=caption,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.under("verb."),
        sides={"south": "near", "east": "right", "north": "far", "west": "left"},
        theme=THEME,
        point=GolemPointing,
        stylus=STYLUS,
    ),
    secrets=Secrets(
        veil=veil,
        known=known,
        imagine=imagine,
        reveals=reveals,
        probes=probes,
        deals=deals,
        write_view=write_view,
    ),
    insight=Insight(prospects=prospects),
    concessions=Concessions(forfeit=forfeit, out=out),
    content=GameContent(armies=ARMIES, status=status, packs=SHELF),
    extras={
        "army": check_army_vector,
        "figures": check_figures_vector,
        "reading": check_reading_vector,
        "taps": _check_taps,
    },
)
