"""How the game looks: the scene, actions taken apart, facts as sentences."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.state import SEATS, State
from domain.kernel.game import SPECTATOR, Accepted, Parts, Refused, fold
from domain.kernel.scene import Piece, Track, Zone
from projections.drawing import svg, text

StateOf = Callable[[str], State]

EMPTY = ".,.,./.,.,./.,.,."
BUSY = "ew1 6a w use c3,d5 W2ux,.x,B3/.,.,./.,W1u,. .,W1,./.,.,.x/.,B1,. c4=1,e6=3 *"


def test_two_people_can_play_from_the_drawing(state_of: StateOf) -> None:
    assert text.draw(GAME.look(state_of(BUSY), SPECTATOR)) == (
        """\
7                .                   br   B1☾  bl
6 .    .    .    .    *3   .         x    c    l
5 .    .    .    g    .    .         fr   W1☾  fl
4 .    .    *1   .    .    .
3 .    .    G    .    .    .
2 .    .    .    .    .    .         W2☼x x    B3☾
1 .    .    .    .    .    .         l    c    r
0           .                        bl   W1☼  br
  a    b    c    d    e    f

White dice in the supply  7 of 10
Black dice in the supply  6 of 10
White's damaged squares   2 of 9
Black's damaged squares   1 of 9

White to use dice, or end the turn
"""
    )


def test_the_svg_names_every_piece_and_space(state_of: StateOf) -> None:
    scene = GAME.look(state_of(BUSY), SPECTATOR)
    drawn = svg.draw(scene)
    assert drawn.startswith("<svg")
    for piece in scene.pieces:
        assert f'id="piece-{piece.id}"' in drawn


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_no_two_spaces_lie_on_each_other(size: int) -> None:
    scene = GAME.look(GAME.start(GAME.options(board=size)), SPECTATOR)
    assert len({(space.x, space.y) for space in scene.spaces}) == len(scene.spaces)
    assert len({space.id for space in scene.spaces}) == size * size + 2 + 18


def test_a_square_of_a_grid_lies_in_the_direction_in_which_its_die_works() -> None:
    scene = GAME.look(GAME.start(GAME.options()), SPECTATOR)
    at = {space.id: (space.x, space.y) for space in scene.spaces}
    assert at["white-fr"] == (at["white-c"][0] + 1, at["white-c"][1] + 1)
    assert at["black-fr"] == (at["black-c"][0] - 1, at["black-c"][1] - 1)
    ways = {space.id: space.attributes.get("direction") for space in scene.spaces}
    assert (ways["white-fr"], ways["black-fr"], ways["black-c"]) == (
        "north-east",
        "south-west",
        None,
    )


def test_the_scene_shows_dice_on_moon_or_sun_damage_shells_and_the_supply(
    state_of: StateOf,
) -> None:
    scene = GAME.look(state_of(BUSY), "black")
    pieces = {piece.id: piece for piece in scene.pieces}
    assert pieces["golem-white"] == Piece(
        "golem-white", "golem", "G", "c3", "white", "White's golem"
    )
    assert pieces["die-white-fl"] == Piece(
        "die-white-fl",
        "white die",
        "W2☼",
        "white-fl",
        "",
        "white die",
        {"dots": "2", "half": "sun"},
    )
    assert pieces["die-white-fr"].attributes == {"dots": "3", "half": "moon"}
    assert pieces["damage-black-r"].where == "black-r"
    assert pieces["shell-c4"] == Piece("shell-c4", "shell", "*1", "c4", "", "shell", {"turns": "1"})
    assert scene.tracks[1] == Track("supply-black", "Black dice in the supply", 6, "", 10)
    assert scene.tracks[3] == Track("damage-black", "Black's damaged squares", 1, "black", 9)


def test_a_new_die_is_in_its_players_hand(state_of: StateOf) -> None:
    scene = GAME.look(state_of(f"ew1 6 b roll:black c3,d5 {EMPTY} {EMPTY} - *"), "black")
    assert scene.zones == (Zone("new-die", "New die", "black"),)
    assert scene.pieces[-1] == Piece("die-new", "black die", "B?", "new-die", "", "black die")
    scene = GAME.look(state_of(f"ew1 6 b place:B2 c3,d5 {EMPTY} {EMPTY} - *"), "black")
    assert scene.pieces[-1].glyph == "B2"
    assert scene.tracks[1].value == 9


@pytest.mark.parametrize(
    ("position", "caption"),
    [
        (f"ew1 6 w init c0,d7 {EMPTY} {EMPTY} - *", "White to roll two dice for the initiative"),
        (
            f"ew1 6 b init:4 c0,d7 {EMPTY} {EMPTY} - *",
            "Black to roll two dice for the initiative (White has 4)",
        ),
        (
            f"ew1 6 w improve c3,d4 {EMPTY} {EMPTY} - *",
            "White to improve the grid by one die, or skip",
        ),
        (
            f"ew1 6 w swap c3,d4 {EMPTY} {EMPTY} - *",
            "White to swap two adjacent squares of the grid, or skip",
        ),
        (f"ew1 6 b roll:white c3,d4 {EMPTY} {EMPTY} - *", "Black to roll the new white die"),
        (f"ew1 6 b place:W3 c3,d4 {EMPTY} {EMPTY} - *", "Black to place the new white 3"),
        (
            f"ew1 6 w hit:f c3,d4 {EMPTY} .,.x,./.,.,./.,.,. - *",
            "White to roll for the damage to Black",
        ),
        (f"ew1 6a w shell:a1 c3,d4 {EMPTY} {EMPTY} - *", "White to place a shell on a1, or not"),
        (
            f"ew1 6 - - c3,d4 {EMPTY} .x,.x,.x/.,.,./.,.,. - white",
            "White has won: Black's golem is destroyed",
        ),
        (
            "ew1 6a - - c3,d4 .x,.x,.x/.,.,./.,.,. .x,.x,.x/.,.,./.,.,. - draw",
            "Drawn: both golems were destroyed at once",
        ),
    ],
)
def test_the_caption_says_who_is_to_do_what(state_of: StateOf, position: str, caption: str) -> None:
    assert GAME.look(state_of(position), SPECTATOR).caption.startswith(caption)


def test_a_destroyed_golem_lies_where_it_fell(state_of: StateOf) -> None:
    over = f"ew1 6 - - c3,d4 {EMPTY} .x,.x,.x/.,.,./.,.,. - white"
    golems = [p for p in GAME.look(state_of(over), SPECTATOR).pieces if p.kind == "golem"]
    assert [golem.attributes for golem in golems] == [{}, {"destroyed": "true"}]
    ended = GAME.result(state_of(over))
    assert ended is not None
    assert (ended.winners, ended.reason, ended.score) == (("white",), "destroyed", "white")


def test_a_draw_has_no_winner(state_of: StateOf) -> None:
    line = ".x,.x,.x/.,.,./.,.,."
    ended = GAME.result(state_of(f"ew1 6a - - c3,d4 {line} {line} - draw"))
    assert ended is not None
    assert (ended.winners, ended.reason, ended.score) == ((), "both-destroyed", "draw")


def parts_of(state: State, spelled: str) -> Parts:
    action = GAME.read_action(spelled)
    assert not isinstance(action, Refused)
    return GAME.parts(state, action)


def test_an_action_is_taken_apart_into_pieces_and_spaces(state_of: StateOf) -> None:
    use = state_of(f"ew1 6 w use c3,c4 .,B1,W2/.,.,./.,.,. {EMPTY} - *")
    assert parts_of(use, "use fr") == Parts(
        "use",
        "White's golem moves to e5, 2 to the north-east, by the white 2 on front-right",
        ("golem-white", "die-white-fr"),
        ("white-fr", "e5"),
    )
    assert parts_of(use, "use f") == Parts(
        "use",
        "White's golem attacks Black's golem on c4, 1 to the north, by the black 1 on front",
        ("golem-white", "die-white-f", "golem-black"),
        ("white-f", "c4"),
    )
    assert parts_of(use, "end") == Parts("end", "White ends the turn")
    swap = state_of(f"ew1 6 w swap c3,c4 .,B1,./.,.,./.,.,. {EMPTY} - *")
    assert parts_of(swap, "swap f r") == Parts(
        "swap", "White swaps front with right", ("die-white-f",), ("white-f", "white-r")
    )
    assert parts_of(swap, "skip") == Parts("skip", "White swaps nothing")
    improve = state_of(f"ew1 6 b improve c3,c4 {EMPTY} .,B1,./.,.,./.,.,. - *")
    assert parts_of(improve, "down f") == Parts(
        "down", "Black downgrades the black 1 on front", ("die-black-f",), ("black-f",)
    )
    assert parts_of(improve, "add white") == Parts(
        "add", "Black takes a new white die", choices=("white",)
    )
    assert parts_of(improve, "skip") == Parts("skip", "Black improves nothing")
    hit = state_of(f"ew1 6 w hit:f c3,c4 {EMPTY} .,.x,./.,.,./.,.,. - *")
    assert parts_of(hit, "dice 1 3") == Parts("dice", "White rolls 1 and 3", choices=("1", "3"))
    placing = state_of(f"ew1 6 w place:W2 c3,c4 {EMPTY} {EMPTY} - *")
    assert parts_of(placing, "place bl") == Parts(
        "place", "White places the new die on back-left", ("die-new",), ("white-bl",)
    )
    shell = state_of(f"ew1 6a w shell:c5 c3,c4 {EMPTY} {EMPTY} - *")
    assert parts_of(shell, "no-shell") == Parts(
        "no-shell", "White places no shell on c5", spaces=("c5",)
    )


def test_facts_are_told_as_sentences_in_order(state_of: StateOf) -> None:
    def told(position: str, spelled: str) -> list[str]:
        state, action = state_of(position), GAME.read_action(spelled)
        assert not isinstance(action, Refused)
        outcome = GAME.decide(state, GAME.turn(state)[0].seat, action)
        assert isinstance(outcome, Accepted), outcome
        return [GAME.tell(fact) for fact in outcome.facts]

    walk = "ew1 6a w use c1,d4 .,W3,./.,.,./.,.,. .x,.x,./.,.,./.,.,. c3=3 *"
    assert told(walk, "use f") == [
        "White's die on front was used, and shows 3 on its sun.",
        "White's golem went from c1 to c2.",
        "The shell on c3 exploded.",
        "White was damaged on front.",
        "Black was damaged on front-right.",
        "Black's golem was destroyed: White won.",
    ]
    end = "ew1 6a w use c3,d5 .,.,./.,.,./.,.,. .,W1u,./.,.,./.,.,. c4=1 *"
    assert told(end, "end") == [
        "Black's turn began.",
        "All dice of Black were available again.",
        "Every shell had one turn less.",
        "The shell on c4 exploded.",
        "White was damaged on front.",
        "Black was damaged on front-right.",
    ]


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=True))
def test_parts_name_what_is_on_the_table_and_tell_actions_apart(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    scene = GAME.look(state, SPECTATOR)
    pieces = {piece.id for piece in scene.pieces}
    spaces = {space.id for space in scene.spaces}
    places = spaces | {zone.id for zone in scene.zones}
    assert len(pieces) == len(scene.pieces)
    assert places.issuperset(piece.where for piece in scene.pieces)
    for seat in SEATS:
        actions = list(GAME.legal(state, seat))
        apart = [GAME.parts(state, action) for action in actions]
        assert len({(p.verb, p.pieces, p.spaces, p.choices) for p in apart}) == len(actions)
        for action, parts in zip(actions, apart, strict=True):
            assert pieces.issuperset(parts.pieces)
            assert spaces.issuperset(parts.spaces)
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted)
            assert all(GAME.tell(fact).endswith(".") for fact in outcome.facts)
            assert GAME.look(fold(GAME, state, outcome.facts), seat).caption
