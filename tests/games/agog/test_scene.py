"""How the game looks: the scene, how it changes, and actions taken apart."""

from collections.abc import Callable
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.facts import (
    UnitCaptured,
    UnitCorrupted,
    UnitMoved,
    UnitPromoted,
    UnitTakenOut,
)
from domain.games.agog.state import SEATS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR, ResolvedAction
from domain.kernel.parts import Parts, Pick
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene import Counter, Piece, PromptText, Side, Track
from domain.kernel.scene_changes import (
    PieceAppeared,
    PieceChanged,
    PieceMoved,
    PieceRemoved,
    apply_changes,
    diff_scenes,
)
from projections.drawing.text import draw
from tests.hypothesis_settings import example_settings

FACING = "7j/8/8/8/2h5/2J5/8/8 w 1 0 - *"


def state_of(position: str) -> State:
    return GAME.read_position(position, Options(fresh_supply=" fresh " in position))


def parts_of(position: str, text: str) -> Parts:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return GAME.parts(state_of(position), action)


def test_the_scene_shows_the_board_and_both_supplies() -> None:
    scene = GAME.scene(state_of(FACING), SPECTATOR)
    assert len(scene.spaces) == 64
    assert {space.id: space.attributes for space in scene.spaces if space.kind == "sanctum"} == {
        "a1": {"owner": "white"},
        "h8": {"owner": "black"},
    }
    kinds = {space.id: space.kind for space in scene.spaces}
    assert (kinds["b2"], kinds["h1"], kinds["a8"]) == ("dark", "light", "light")
    stack = {"white_golems": "0", "black_golems": "2"}
    hulk = Piece(
        "unit-c4",
        "hulk",
        "h",
        "c4",
        "black",
        "Black's hulk",
        stack,
        "Black's hulk on c4: two black golems",
        icon="hulk",
    )
    assert hulk in scene.pieces
    assert len(scene.pieces) == 3
    white, black = scene.tracks
    assert white == Track(
        "supply-white",
        "White's golems removed from play",
        1,
        "white",
        20,
        icon="golem",
        label="Removed from play",
    )
    assert (black.id, black.value) == ("supply-black", 0)
    assert scene.attributes == {"compulsory_jumps": "1"}


def test_the_drawing_is_the_board_as_white_sees_it() -> None:
    drawn = draw(GAME.scene(GAME.start(Options()), SPECTATOR)).splitlines()
    assert " ".join(drawn[0].split()) == "8 . . g g g g g j"
    assert " ".join(drawn[7].split()) == "1 J G G G G G . ."


def test_what_is_on_a_space_is_said_in_a_few_words() -> None:
    scene = GAME.scene(state_of("7j/8/8/8/2c5/2J5/G7/8 w 1 0 - *"), SPECTATOR)
    spaces = {space.id: space.description for space in scene.spaces}
    assert (spaces["a1"], spaces["b2"]) == ("a1, White's sanctum", "b2, dark")
    pieces = {piece.where: piece.description for piece in scene.pieces}
    assert pieces == {
        "h8": "Black's journeyman on h8",
        "c4": "Black's corrupted hulk on c4: a black golem on a white one",
        "c3": "White's journeyman on c3",
        "a2": "White's golem on a2",
    }


@settings(max_examples=30)
@given(st.randoms(use_true_random=True))
def test_the_legend_has_every_sign_of_the_scene_and_the_theme_every_icon(
    scattered: Callable[[Random], State], random: Random
) -> None:
    scene = GAME.scene(scattered(random), SPECTATOR)
    signs = {(sign.kind, sign.sign) for sign in scene.legend}
    assert {sign for kind, sign in signs if kind == "glyph"} == {p.glyph for p in scene.pieces}
    assert {("space", space.kind) for space in scene.spaces} <= signs
    icons = {piece.icon for piece in scene.pieces} | {track.icon for track in scene.tracks}
    assert {sign for kind, sign in signs if kind == "icon"} == icons
    assert icons <= GAME.theme.icons.keys()
    assert {piece.kind for piece in scene.pieces} <= GAME.theme.tokens.keys()
    assert {space.kind for space in scene.spaces} <= GAME.theme.grounds.keys()


CAPTURE = "agog.capture.maximal"
ONE = "Only the hulk on c4 can. A player who can capture must, over as many units as possible."


@pytest.mark.parametrize(
    ("position", "viewer", "prompt"),
    [
        ("7j/8/G7/8/8/8/8/J7 w 0 0 - *", "white", PromptText("Your move")),
        ("7j/8/G7/8/8/8/8/J7 w 0 0 - *", "black", PromptText("White to move")),
        (f"{FACING[:-10]} b 1 0 - *", "black", PromptText("Your move: jump 1 unit", ONE, CAPTURE)),
        (f"{FACING[:-10]} b 1 0 - *", SPECTATOR, PromptText("Black to move", ONE, CAPTURE)),
    ],
)
def test_the_prompt_says_what_to_do_and_why(position: str, viewer: str, prompt: PromptText) -> None:
    assert GAME.scene(state_of(position), viewer).prompt == prompt


def test_a_seat_has_the_enemy_golems_removed_from_play() -> None:
    white, black = GAME.scene(state_of(FACING), SPECTATOR).sides
    note = "0 golems of Black removed from play"
    assert white == Side(
        "white", "", "journeyman", (Counter("golem", 0, None, "figures", "black", note),)
    )
    assert black.counters[0].value == 1


def test_everybody_sees_everything() -> None:
    state = state_of(FACING)
    scene = GAME.scene(state, SPECTATOR)
    action = GAME.read_action("c3+c5")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "white", action)
    assert isinstance(outcome, Accepted)
    resolved = ResolvedAction("white", action, outcome.facts, outcome.rulings)
    for viewer in (*SEATS, REFEREE):
        assert replace(GAME.scene(state, viewer), prompt=None) == replace(scene, prompt=None)
        assert GAME.write_view(state, viewer) == FACING
        assert GAME.redact(resolved, viewer) == resolved


def test_an_action_is_taken_apart_in_the_order_of_pointing() -> None:
    assert parts_of("7j/8/G7/8/8/8/8/J7 w 0 0 - *", "a6-b6") == Parts(
        "move",
        "Move the golem from a6 to b6",
        ("unit-a6",),
        ("a6", "b6"),
        actor="unit-a6",
        picks=(Pick("b6", "to"),),
    )
    assert parts_of("7j/8/8/8/8/1g6/g7/J7 w 1 0 - *", "a1xa3+c3") == Parts(
        "capture",
        "Jump with the journeyman from a1 to a3 to c3: capture the golem on a2 and corrupt the"
        " golem on b3",
        ("unit-a1", "unit-a2", "unit-b3"),
        ("a1", "a3", "c3"),
        choices=("capture a2", "corrupt b3"),
        actor="unit-a1",
        picks=(
            Pick("unit-a2", "hit"),
            Pick("a3", "to"),
            Pick("capture-a2", "option", "Capture the golem on a2"),
            Pick("unit-b3", "hit"),
            Pick("c3", "to"),
            Pick("corrupt-b3", "option", "Corrupt the golem on b3"),
        ),
    )
    gate = "8/3j4/8/8/8/2G4H/8/J7 w 0 0 - *"
    assert parts_of(gate, "h3-h8=c3") == Parts(
        "move",
        "Move the hulk from h3 to h8, and make the golem on c3 a hulk",
        ("unit-h3", "unit-c3"),
        ("h3", "h8", "c3"),
        actor="unit-h3",
        picks=(Pick("h8", "to"), Pick("unit-c3", "target")),
    )
    assert parts_of(gate, "h3-h8=out").choices == ("out",)
    out = Pick("out", "option", "Remove from play")
    assert parts_of(gate, "h3-h8=out").picks == (Pick("h8", "to"), out)
    assert parts_of(gate, "resign black") == Parts("resign", "Resign: White wins")


def distinct(state: State) -> None:
    """Taps narrow the legal actions by their parts, so no two may have the same."""
    for seat in SEATS:
        actions = list(GAME.legal(state, seat))
        taps = {
            (parts.verb, parts.pieces, parts.spaces, parts.choices)
            for parts in (GAME.parts(state, action) for action in actions)
        }
        assert len(taps) == len(actions), GAME.write_position(state)


@example_settings(60, deadline=None)
@given(st.randoms(use_true_random=True))
def test_no_two_actions_of_a_seat_have_the_same_parts(
    scattered: Callable[[Random], State], random: Random
) -> None:
    distinct(scattered(random))


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=True))
def test_every_scene_of_a_match_has_each_piece_on_a_space_of_its_own(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    state, actions = wandered(random)
    for action in actions:
        scene = GAME.scene(state, SPECTATOR)
        ids = {piece.id for piece in scene.pieces}
        spaces = {space.id for space in scene.spaces}
        assert len(ids) == len({piece.where for piece in scene.pieces}) == len(scene.pieces)
        parts = GAME.parts(state, action)
        assert ids.issuperset(parts.pieces)
        assert spaces.issuperset(parts.spaces)
        assert spaces.issuperset(piece.where for piece in scene.pieces)
        distinct(state)
        outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)


def the_scene_follows(state: State, action: Action) -> State:
    """Does the scene change as the facts say: what went, what left, what became something else?"""
    assert GAME.consequences is not None
    facts = GAME.consequences(state, action)
    after = fold(GAME, state, facts)
    before, then = GAME.scene(state, SPECTATOR), GAME.scene(after, SPECTATOR)
    steps = diff_scenes(before, then, GAME.piece_id_changes(ResolvedAction("", action, facts)))
    assert apply_changes(before, steps) == then
    moved = {(step.start, step.end) for step in steps if isinstance(step, PieceMoved)}
    removed = {step.start for step in steps if isinstance(step, PieceRemoved)}
    changed = {step.now.where for step in steps if isinstance(step, PieceChanged)}
    gone = {fact.square for fact in facts if isinstance(fact, UnitCaptured)}
    become = {fact.square for fact in facts if isinstance(fact, UnitCorrupted | UnitPromoted)}
    ways = {(f.start, f.end) for f in facts if isinstance(f, UnitMoved) and f.start != f.end}
    if any(isinstance(fact, UnitPromoted | UnitTakenOut) for fact in facts):
        gone |= {start for start, _ in ways}
        ways = set()
    assert (moved, removed, changed) == (ways, gone, become), GAME.write_position(state)
    assert not any(isinstance(step, PieceAppeared) for step in steps)
    return after


@settings(max_examples=8)
@given(st.randoms(use_true_random=True))
def test_a_unit_that_moves_stays_the_same_piece_through_a_match(
    wandered: Callable[[Random], tuple[State, list[Action]]], random: Random
) -> None:
    state, actions = wandered(random)
    for action in actions:
        state = the_scene_follows(state, action)


@settings(max_examples=40)
@given(st.randoms(use_true_random=True))
def test_a_unit_that_moves_stays_the_same_piece_in_any_position(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    for action in islice(GAME.legal(state, GAME.turn(state)[0].seat), 30):
        the_scene_follows(state, action)
