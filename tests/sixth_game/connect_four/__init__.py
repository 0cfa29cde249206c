"""Connect Four: discs fall into columns, and four in a row win."""

from typing import Final

from domain.games.connect_four.actions import Drop
from domain.games.connect_four.decide import decide
from domain.games.connect_four.evolve import evolve
from domain.games.connect_four.facts import DiscDropped
from domain.games.connect_four.legal import legal, result, turn
from domain.games.connect_four.notation import NOTATION, read_action, write_action
from domain.games.connect_four.parts import parts
from domain.games.connect_four.position import write_position
from domain.games.connect_four.position_reading import read_position
from domain.games.connect_four.rules import RULES
from domain.games.connect_four.scene import look
from domain.games.connect_four.sentences import tell
from domain.games.connect_four.setup import seats, start
from domain.games.connect_four.state import Options, State
from domain.kernel.game import PERFECT_INFORMATION, Display, Game, Notation, Rules, Words
from domain.kernel.narration import narrate_by_facts

GAME: Final[Game[Options, State, Drop, DiscDropped]] = Game.of(
    "connect-four",
    "Connect Four",
    "Discs fall into columns; four of one colour in a row win.",
    words=Words(Options, State, Drop, DiscDropped, RULES),
    rules=Rules(
        seats=seats,
        start=start,
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
        scene=look,
        parts=parts,
        narrate=narrate_by_facts(parts, tell),
        verbs={"drop": "Drop a disc"},
    ),
    secrets=PERFECT_INFORMATION,
)
