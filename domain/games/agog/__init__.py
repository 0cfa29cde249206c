"""A.G.O.G. (A Game of Golems), after the rulebook by Christopher St. Clair."""

from typing import Final

from domain.games.agog.actions import Action, Resign
from domain.games.agog.consequences import consequences
from domain.games.agog.decide import decide
from domain.games.agog.english import ENGLISH
from domain.games.agog.evaluate import evaluate
from domain.games.agog.evolve import evolve
from domain.games.agog.facts import Fact
from domain.games.agog.figures import figures_in_words
from domain.games.agog.legal import legal, result, turn
from domain.games.agog.notation import NOTATION, read_action, write_action
from domain.games.agog.parts import parts
from domain.games.agog.position import write_position
from domain.games.agog.position_reading import read_position
from domain.games.agog.rules import RULES
from domain.games.agog.scene import caption, piece_id_changes, scene
from domain.games.agog.score import record, writer
from domain.games.agog.score_reading import read
from domain.games.agog.sentences import narrate
from domain.games.agog.setup import opening, seats, start
from domain.games.agog.state import Options, Seat, State
from domain.games.agog.theme import THEME
from domain.kernel.game import (
    PERFECT_INFORMATION,
    Display,
    Game,
    Heuristics,
    Notation,
    ResignationRules,
    Rules,
    ScoreNotation,
    Words,
)
from domain.kernel.table_theme import read_theme


def is_administrative(action: Action) -> bool:
    """Is this a resignation?"""
    return type(action) is Resign


def resign(seat: str) -> Resign:
    """The action by which this seat, `white` or `black`, gives up."""
    own: Seat = "white" if seat == "white" else "black"
    return Resign(own)


GAME: Final[Game[Options, State, Action, Fact]] = Game.of(
    "agog",
    "A.G.O.G.",
    "Two journeymen behind twenty golems each race for the other's corner of the board; "
    "captures are compulsory, and the longest must be taken.",
    words=Words(Options, State, Action, Fact, RULES),
    rules=Rules(
        has_chance=False,
        seats=seats,
        start=start,
        opening=opening,
        turn=turn,
        legal=legal,
        decide=decide,
        evolve=evolve,
        result=result,
        consequences=consequences,
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
        score=ScoreNotation(writer, read, record),
    ),
    display=Display(
        scene=scene,
        parts=parts,
        narrate=narrate,
        caption=caption,
        piece_id_changes=piece_id_changes,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.with_prefix("verb."),
        sides={"white": "near", "black": "far"},
        theme=THEME,
        table_theme=read_theme(__name__),
    ),
    secrets=PERFECT_INFORMATION,
    heuristics=Heuristics(evaluate=evaluate),
    resignations=ResignationRules(
        is_administrative=is_administrative, resign=resign, agreed_draws=False
    ),
)
