"""Earthen-War: two golems, each controlled by dice on a grid of three by three squares."""

from typing import Final

from domain.games.earthen_war.actions import Action
from domain.games.earthen_war.captions import caption
from domain.games.earthen_war.decide import decide
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.evaluate import evaluate
from domain.games.earthen_war.evolve import evolve
from domain.games.earthen_war.faces import faces
from domain.games.earthen_war.facts import Fact
from domain.games.earthen_war.figures import figures_in_words
from domain.games.earthen_war.hints import aim, forecast, refused_lines
from domain.games.earthen_war.legal import legal, result, turn
from domain.games.earthen_war.notation import NOTATION, read_action, write_action
from domain.games.earthen_war.parts import outline, parts
from domain.games.earthen_war.position import write_position
from domain.games.earthen_war.position_reading import read_position
from domain.games.earthen_war.rules import RULES
from domain.games.earthen_war.scene import piece_id_changes, scene
from domain.games.earthen_war.sentences import narrate
from domain.games.earthen_war.setup import opening, seats, start
from domain.games.earthen_war.state import Options, State
from domain.games.earthen_war.theme import THEME
from domain.kernel.game import (
    PERFECT_INFORMATION,
    Display,
    Game,
    Heuristics,
    Notation,
    Rules,
    Words,
)
from domain.kernel.table_theme import read_theme

GAME: Final[Game[Options, State, Action, Fact]] = Game.of(
    "earthen-war",
    "Earthen-War",
    "Two golems duel on a battlefield, each moved and armed by the dice on its control"
    " grid; three damaged squares in a row destroy a golem.",
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
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
    ),
    display=Display(
        scene=scene,
        parts=parts,
        outline=outline,
        narrate=narrate,
        caption=caption,
        piece_id_changes=piece_id_changes,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.with_prefix("verb."),
        sides={"white": "near", "black": "far"},
        theme=THEME,
        table_theme=read_theme(__name__),
        faces=faces,
        forecast=forecast,
        aim=aim,
        refused_lines=refused_lines,
    ),
    secrets=PERFECT_INFORMATION,
    heuristics=Heuristics(evaluate=evaluate),
)
