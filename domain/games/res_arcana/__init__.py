"""Res Arcana, after the rulebook's summary of the game by Thomas Lehmann; its cards are data."""

from typing import Final

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.consequences import forfeit, out
from domain.games.res_arcana.decide import decide, over
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.evolve import evolve
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.figures import figures_in_words
from domain.games.res_arcana.groups import groups
from domain.games.res_arcana.knowledge import imagine, known
from domain.games.res_arcana.legal import legal, result, turn
from domain.games.res_arcana.notation import NOTATION, read_action, write_action
from domain.games.res_arcana.outcomes import tell
from domain.games.res_arcana.parts import outline, parts
from domain.games.res_arcana.position import write_position, write_view
from domain.games.res_arcana.position_reading import read_position
from domain.games.res_arcana.prompts import caption
from domain.games.res_arcana.prospects import prospects
from domain.games.res_arcana.rules import RULES
from domain.games.res_arcana.scene import look
from domain.games.res_arcana.setup import opening, seats, start
from domain.games.res_arcana.shelf import SHELF
from domain.games.res_arcana.state import TABLE, Options, State
from domain.games.res_arcana.theme import THEME
from domain.games.res_arcana.veil import probes, reveals, veil
from domain.kernel.game import (
    Concessions,
    Display,
    Game,
    GameContent,
    Insight,
    Notation,
    Rules,
    Secrets,
    Words,
)


def deals(options: Options) -> bool:
    """No entry is dealt face down by the service: the table makes them all."""
    del options
    return False


GAME: Final[Game[Options, State, Action, Fact]] = Game.of(
    "res-arcana",
    "Res Arcana",
    "Two to four mages turn essences into artifacts, monuments and places of power; ten"
    " points at the end of a round win. Hands and decks are hidden, cards are data.",
    words=Words(Options, State, Action, Fact, RULES),
    rules=Rules(
        seats=seats,
        start=start,
        opening=opening,
        turn=turn,
        legal=legal,
        groups=groups,
        decide=decide,
        evolve=evolve,
        result=result,
        over=over,
        scribes=(TABLE,),
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
    ),
    display=Display(
        look=look,
        parts=parts,
        outline=outline,
        tell=tell,
        caption=caption,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.under("verb."),
        theme=THEME,
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
    concessions=Concessions(agreed_draws=False, forfeit=forfeit, out=out),
    content=GameContent(packs=SHELF),
)
