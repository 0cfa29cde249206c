"""How the game looks: the scene, actions taken apart, facts as sentences."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.agog import GAME
from domain.games.agog.actions import Action
from domain.games.agog.state import SEATS, Options, State
from domain.kernel.game import REFEREE, SPECTATOR, Accepted, Happening, Parts, Refused
from domain.kernel.scene import Piece, Track
from projections.drawing.text import draw

FACING = "7j/8/8/8/2h5/2J5/8/8 w 1 0 - *"


def state_of(position: str) -> State:
    return GAME.read_position(position, Options(fresh_supply=" fresh " in position))


def parts_of(position: str, text: str) -> Parts:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    return GAME.parts(state_of(position), action)


def test_the_scene_shows_the_board_and_both_supplies() -> None:
    scene = GAME.look(state_of(FACING), SPECTATOR)
    assert len(scene.spaces) == 64
    assert {space.id: space.attributes for space in scene.spaces if space.kind == "sanctum"} == {
        "a1": {"owner": "white"},
        "h8": {"owner": "black"},
    }
    kinds = {space.id: space.kind for space in scene.spaces}
    assert (kinds["b2"], kinds["h1"], kinds["a8"]) == ("dark", "light", "light")
    stack = {"white_golems": "0", "black_golems": "2"}
    hulk = Piece("unit-c4", "hulk", "h", "c4", "black", "Black's hulk", stack)
    assert hulk in scene.pieces
    assert len(scene.pieces) == 3
    assert scene.tracks == (
        Track("supply-white", "White's golems out of play", 1, "white", 20),
        Track("supply-black", "Black's golems out of play", 0, "black", 20),
    )
    assert scene.caption == "White to move"
    assert scene.attributes == {"compulsory_jumps": "1"}


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        ("7j/8/8/8/8/8/8/J7 b 0 0 - *", "Black to move"),
        ("8/8/8/2J5/8/8/8/8 - 5 0 - 1-0:capture", "White has won by capture"),
        ("7j/8/8/8/8/8/8/J7 - 0 0 - 0-1:resign", "Black has won by resignation"),
    ],
)
def test_the_caption_says_what_is_going_on(position: str, caption: str) -> None:
    assert GAME.look(state_of(position), SPECTATOR).caption == caption


def test_the_drawing_is_the_board_as_white_sees_it() -> None:
    drawn = draw(GAME.look(GAME.start(Options()), SPECTATOR)).splitlines()
    assert " ".join(drawn[0].split()) == "8 . . g g g g g j"
    assert " ".join(drawn[7].split()) == "1 J G G G G G . ."


def test_everybody_sees_everything() -> None:
    state = state_of(FACING)
    scene = GAME.look(state, SPECTATOR)
    action = GAME.read_action("c3+c5")
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, "white", action)
    assert isinstance(outcome, Accepted)
    happening = Happening("white", action, outcome.facts, outcome.rulings)
    for viewer in (*SEATS, REFEREE):
        assert GAME.look(state, viewer) == scene
        assert GAME.write_view(state, viewer) == FACING
        assert GAME.veil(happening, viewer) == happening


def test_an_action_is_taken_apart_in_the_order_of_pointing() -> None:
    assert parts_of("7j/8/G7/8/8/8/8/J7 w 0 0 - *", "a6-b6") == Parts(
        "move", "White's golem moves from a6 to b6", ("unit-a6",), ("a6", "b6")
    )
    assert parts_of("7j/8/8/8/8/1g6/g7/J7 w 1 0 - *", "a1xa3+c3") == Parts(
        "capture",
        "White's journeyman takes a1xa3+c3, 1 unit captured and 1 unit corrupted",
        ("unit-a1", "unit-a2", "unit-b3"),
        ("a1", "a3", "c3"),
        choices=("capture a2", "corrupt b3"),
    )
    gate = "8/3j4/8/8/8/2G4H/8/J7 w 0 0 - *"
    assert parts_of(gate, "h3-h8=c3") == Parts(
        "move",
        "White's hulk moves from h3 to h8, and makes a hulk of the golem on c3",
        ("unit-h3", "unit-c3"),
        ("h3", "h8", "c3"),
    )
    assert parts_of(gate, "h3-h8=out").choices == ("out",)
    assert parts_of(gate, "resign black") == Parts("resign", "Black resigns")


def told(position: str, text: str) -> list[str]:
    state, action = state_of(position), GAME.read_action(text)
    assert not isinstance(action, Refused)
    outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
    assert isinstance(outcome, Accepted), outcome
    return [GAME.tell(fact) for fact in outcome.facts]


def test_facts_are_told_as_sentences_in_order() -> None:
    assert told("7j/8/8/8/8/1h6/g7/J7 w 1 0 - *", "a1xa3+c3") == [
        "White's journeyman went from a1 to c3.",
        "Black's golem on a2 was captured (Black's supply +1).",
        "The unit on b3 was corrupted and is White's corrupted hulk now"
        " (White's supply -1, Black's supply +1).",
        "It was Black's turn.",
    ]
    gate = "8/3j4/8/8/8/2G4H/8/J7 w 0 0 - *"
    assert told(gate, "h3-h8=c3")[1] == (
        "White's golem on c3 became a hulk with the unit from h8 (White's supply +1)."
    )
    assert told(gate, "h3-h8=out")[1] == (
        "White's hulk on h8 went out of play (White's supply +2)."
    )
    assert told("8/8/8/8/2j5/2G5/8/J7 w 0 0 - *", "c3xc5") == [
        "White's golem went from c3 to c5.",
        "Black's journeyman on c4 was captured.",
        "White won by capture: Black lost.",
    ]


def distinct(state: State) -> None:
    """Taps narrow the legal actions by their parts, so no two may have the same."""
    for seat in SEATS:
        actions = list(GAME.legal(state, seat))
        taps = {
            (parts.verb, parts.pieces, parts.spaces, parts.choices)
            for parts in (GAME.parts(state, action) for action in actions)
        }
        assert len(taps) == len(actions), GAME.write_position(state)


@settings(max_examples=150, deadline=None)
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
        scene = GAME.look(state, SPECTATOR)
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
        for fact in outcome.facts:
            assert GAME.tell(fact).endswith(".")
            state = GAME.evolve(state, fact)
