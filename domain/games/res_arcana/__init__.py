"""Res Arcana, after the rulebook's summary of the game by Thomas Lehmann; its cards are data."""

from typing import Final

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.card_faces import TABLE_THEME, faces
from domain.games.res_arcana.consequences import forfeit, resigned_seats
from domain.games.res_arcana.decide import decide, over
from domain.games.res_arcana.english import ENGLISH
from domain.games.res_arcana.evaluate import evaluate
from domain.games.res_arcana.evolve import evolve
from domain.games.res_arcana.facts import Fact
from domain.games.res_arcana.figures import figures_in_words
from domain.games.res_arcana.groups import groups
from domain.games.res_arcana.knowledge import information_state, sample_state
from domain.games.res_arcana.legal import legal, result, turn
from domain.games.res_arcana.notation import NOTATION, read_action, write_action
from domain.games.res_arcana.outcomes import narrate
from domain.games.res_arcana.parts import outline, parts
from domain.games.res_arcana.position import write_position, write_view
from domain.games.res_arcana.position_reading import read_position
from domain.games.res_arcana.prompts import caption
from domain.games.res_arcana.redact import probes, redact, reveals
from domain.games.res_arcana.refused_lines import refused_lines
from domain.games.res_arcana.rules import RULES
from domain.games.res_arcana.scene import game_scene
from domain.games.res_arcana.setup import opening, seats, start
from domain.games.res_arcana.shelf import SHELF
from domain.games.res_arcana.state import TABLE, Options, State
from domain.games.res_arcana.theme import THEME
from domain.kernel.game import (
    Display,
    Game,
    GameContent,
    Heuristics,
    Notation,
    ResignationRules,
    Rules,
    Secrets,
    Words,
)


def deals_face_down(options: Options) -> bool:
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
        entry_roles=(TABLE,),
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
    ),
    display=Display(
        scene=game_scene,
        parts=parts,
        outline=outline,
        narrate=narrate,
        caption=caption,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.with_prefix("verb."),
        theme=THEME,
        table_theme=TABLE_THEME,
        faces=faces,
        refused_lines=refused_lines,
    ),
    secrets=Secrets(
        redact=redact,
        information_state=information_state,
        sample_state=sample_state,
        reveals=reveals,
        probes=probes,
        deals_face_down=deals_face_down,
        write_view=write_view,
    ),
    heuristics=Heuristics(evaluate=evaluate),
    resignations=ResignationRules(
        agreed_draws=False, forfeit=forfeit, resigned_seats=resigned_seats
    ),
    content=GameContent(packs=SHELF),
)
