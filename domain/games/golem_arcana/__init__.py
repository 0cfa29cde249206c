"""Golem Arcana, after the rulebook of the miniatures game; units and scenarios are content."""

from typing import Final

from domain.games.golem_arcana.actions import Action
from domain.games.golem_arcana.battle.resignation import forfeit
from domain.games.golem_arcana.content.army_options import ARMIES
from domain.games.golem_arcana.content.shelf import SHELF
from domain.games.golem_arcana.decide import consequences, decide, legacy_decisions, over
from domain.games.golem_arcana.display.army_status import status
from domain.games.golem_arcana.display.captions import caption
from domain.games.golem_arcana.display.faces import faces
from domain.games.golem_arcana.display.figures import figures_in_words
from domain.games.golem_arcana.display.order_hints import aim, forecast, refused_lines
from domain.games.golem_arcana.display.parts import parts
from domain.games.golem_arcana.display.pointing import GolemPointing
from domain.games.golem_arcana.display.redact import (
    information_state,
    probes,
    redact,
    reveals,
    sample_state,
)
from domain.games.golem_arcana.display.scene import scene
from domain.games.golem_arcana.display.sentences import narrate
from domain.games.golem_arcana.display.tap_refusals import STYLUS
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.evaluate import evaluate
from domain.games.golem_arcana.evolve import evolve
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.legal import legal, result, turn
from domain.games.golem_arcana.notation.actions import NOTATION, read_action, write_action
from domain.games.golem_arcana.notation.position import write_position, write_view
from domain.games.golem_arcana.notation.position_reading import read_position, read_stored_position
from domain.games.golem_arcana.notation.tap_vectors import check_taps
from domain.games.golem_arcana.notation.vectors import (
    check_army_vector,
    check_figures_vector,
    check_reading_vector,
)
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.rules import RULES
from domain.games.golem_arcana.setup import opening, start
from domain.games.golem_arcana.state import State, resigned_seats
from domain.games.golem_arcana.theme import TABLE_THEME, THEME
from domain.kernel.game import (
    Display,
    Game,
    GameContent,
    Heuristics,
    Notation,
    ResignationRules,
    Rules,
    Secrets,
    VectorMismatch,
    Words,
)


def seats(options: Options) -> tuple[str, ...]:
    """The seats of the scenario, in Turn order."""
    return options.pack.scenarios[options.scenario].seats


def deals_face_down(options: Options) -> bool:
    """Secret quests are dealt face down."""
    return bool(options.pack.scenarios[options.scenario].quests)


def _check_taps(line: bytes) -> tuple[VectorMismatch, ...]:
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
        legacy_decisions=legacy_decisions,
    ),
    notation=Notation(
        notation=NOTATION,
        write_position=write_position,
        read_position=read_position,
        write_action=write_action,
        read_action=read_action,
        read_stored_position=read_stored_position,
    ),
    display=Display(
        scene=scene,
        parts=parts,
        narrate=narrate,
        caption=caption,
        figures_in_words=figures_in_words,
        verbs=ENGLISH.with_prefix("verb."),
        sides={"south": "near", "east": "right", "north": "far", "west": "left"},
        theme=THEME,
        table_theme=TABLE_THEME,
        faces=faces,
        forecast=forecast,
        aim=aim,
        refused_lines=refused_lines,
        pointing=GolemPointing,
        stylus_rule_ids=STYLUS,
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
    resignations=ResignationRules(forfeit=forfeit, resigned_seats=resigned_seats),
    content=GameContent(armies=ARMIES, status=status, packs=SHELF),
    vector_checks={
        "army": check_army_vector,
        "figures": check_figures_vector,
        "reading": check_reading_vector,
        "taps": _check_taps,
    },
)
