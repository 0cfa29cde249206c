"""Tokar's Arcana, after the rulebook by Anthony and Tabitha Gill (1998)."""

from typing import Final

from domain.games.tokars_arcana.actions import Action, DrawAccept, DrawDecline, DrawOffer, Resign
from domain.games.tokars_arcana.captions import announcements, caption
from domain.games.tokars_arcana.consequences import consequences
from domain.games.tokars_arcana.decide import decide
from domain.games.tokars_arcana.evaluate import evaluate, move_ordering
from domain.games.tokars_arcana.evolve import evolve
from domain.games.tokars_arcana.faces import table_faces
from domain.games.tokars_arcana.facts import Fact
from domain.games.tokars_arcana.figures import figures_in_words
from domain.games.tokars_arcana.forecast import forecast
from domain.games.tokars_arcana.legal import legal, result, turn
from domain.games.tokars_arcana.notation import NOTATION, read_action, write_action
from domain.games.tokars_arcana.outcomes import narrate
from domain.games.tokars_arcana.parts import outline, parts
from domain.games.tokars_arcana.piece_ids import piece_id_changes
from domain.games.tokars_arcana.position import write_position
from domain.games.tokars_arcana.position_reading import read_position
from domain.games.tokars_arcana.refused import aim, refused_lines
from domain.games.tokars_arcana.rules import RULES
from domain.games.tokars_arcana.scene import scene
from domain.games.tokars_arcana.setup import opening, seats, start
from domain.games.tokars_arcana.state import Options, Seat, State
from domain.games.tokars_arcana.theme import TABLE_THEME, THEME
from domain.kernel.game import (
    PERFECT_INFORMATION,
    Display,
    DrawOffers,
    Game,
    Heuristics,
    Notation,
    ResignationRules,
    Rules,
    Words,
)

_ADMINISTRATIVE: Final = frozenset((Resign, DrawOffer))


def is_administrative(action: Action) -> bool:
    """Is this a resignation or the offer of a draw?"""
    return type(action) in _ADMINISTRATIVE


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


GAME: Final[Game[Options, State, Action, Fact]] = Game.of(
    "tokars-arcana",
    "Tokar's Arcana",
    "Two armies of sixteen models, human or undead, each unit with powers of its own; who"
    " kills the enemy general has won.",
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
        consequences=consequences,
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
        verbs={name: verb.name for name, verb in TABLE_THEME.verbs.items()},
        sides={"south": "near", "north": "far"},
        theme=THEME,
        table_theme=TABLE_THEME,
        faces=table_faces,
        refused_lines=refused_lines,
        forecast=forecast,
        aim=aim,
        announcements=announcements,
    ),
    secrets=PERFECT_INFORMATION,
    heuristics=Heuristics(evaluate=evaluate, move_ordering=move_ordering),
    resignations=ResignationRules(
        is_administrative=is_administrative,
        resign=resign,
        draws=DrawOffers(offer_draw, answer_draw),
    ),
)
