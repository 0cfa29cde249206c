"""How the game looks: the scene, how it changes, and actions taken apart."""

import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.earthen_war import GAME
from domain.games.earthen_war.facts import (
    DiceSwapped,
    DiePlaced,
    DieReturned,
    DieTaken,
    Fact,
    GolemMoved,
    GridDamaged,
    ShellExploded,
    ShellPlaced,
)
from domain.games.earthen_war.state import SEATS, State, die_on, golem_of
from domain.kernel.any_game import fold
from domain.kernel.game import SPECTATOR, ResolvedAction
from domain.kernel.parts import Parts
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene import CardFace, Mark, Piece, Track, Zone
from domain.kernel.scene_changes import (
    PieceAppeared,
    PieceMoved,
    PieceRemoved,
    apply_changes,
    diff_scenes,
)
from projections.drawing import svg, text
from tests.hypothesis_settings import example_settings

StateOf = Callable[[str], State]

EMPTY = ".,.,./.,.,./.,.,."
BUSY = "ew1 6a w use c3,d5 W2ux,.x,B3/.,.,./.,W1u,. .,W1,./.,.,.x/.,B1,. c4=1,e6=3 *"


def test_two_people_can_play_from_the_drawing(state_of: StateOf) -> None:
    drawn = text.draw(GAME.scene(state_of(BUSY), SPECTATOR))
    assert drawn.startswith(
        """\
7                   .                       br ↖  B1☾   bl ↗
6 .     .     .     .     *3    .           x     Black l →
5 .     .     .     g     .     .           fr ↙! W1☾   fl ↘
4 .     .     *1    .     .     .
3 .     .     G     .     .     .
2 .     .     .     .     .     .           W2☼x  x     B3☾
1 .     .     .     .     .     .           l ←   White r →
0             .                             bl ↙  W1☼   br ↘
  a     b     c     d     e     f
"""
    )
    for shown in ("7 of 10", "6 of 10", "2 of 9", "1 of 9", "*3 shell, 3 turns left"):
        assert shown in drawn
    assert drawn.endswith("White to use a die (black 3 on front-right), or end the turn\n")


def test_the_svg_names_every_piece_and_space(state_of: StateOf) -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    drawn = svg.draw(scene)
    assert drawn.startswith("<svg")
    for piece in scene.pieces:
        assert f'id="piece-{piece.id}"' in drawn


@pytest.mark.parametrize("size", [5, 6, 7, 8])
def test_no_two_spaces_lie_on_each_other(size: int) -> None:
    scene = GAME.scene(GAME.start(GAME.options(board=size)), SPECTATOR)
    assert len({(space.x, space.y) for space in scene.spaces}) == len(scene.spaces)
    assert len({space.id for space in scene.spaces}) == size * size + 2 + 18


def test_a_square_of_a_grid_lies_in_the_direction_in_which_its_die_works() -> None:
    scene = GAME.scene(GAME.start(GAME.options()), SPECTATOR)
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
    scene = GAME.scene(state_of(BUSY), "black")
    pieces = {piece.id: piece for piece in scene.pieces}
    golem = pieces["golem-white"]
    assert (golem.where, golem.states, golem.badges) == ("c3", ("damaged",), ("2 {damage}",))
    assert golem.description == "White's golem on c3, damaged on front-left and front"
    assert pieces["die-white-fl"] == Piece(
        "die-white-fl",
        "white die",
        "W2☼",
        "white-fl",
        "",
        "white die",
        {"dots": "2", "half": "sun"},
        "White's white 2 on front-left, used in this turn: moves the golem 2 squares north-west,"
        " to a5",
        ("spent",),
        "die-2",
        (),
        CardFace(
            "White 2",
            "front-left, towards the north-west",
            lines=(
                "{move} 2 squares north-west, to a5",
                "Keeps its number when used",
                "{sun}",
            ),
        ),
    )
    assert pieces["die-white-fr"].attributes == {"dots": "3", "half": "moon"}
    assert pieces["die-white-fr"].badges == ("{moon}",)
    assert pieces["damage-black-r"].where == "black-r"
    assert pieces["damage-black-r"].description == "damage token on Black's right"
    shell = pieces["shell-c4"]
    assert (shell.glyph, shell.icon, shell.attributes) == ("*1", "die-1", {"turns": "1"})
    assert shell.description == "shell on c4, 1 turn left"
    supply, damage = scene.tracks[1], scene.tracks[3]
    assert supply == Track(
        "supply-black",
        "Black dice in the supply",
        6,
        "",
        10,
        icon="black-die",
        label="Black dice left",
    )
    assert (damage.name, damage.value, damage.most) == ("Black's damaged squares", 1, 9)


@pytest.mark.parametrize(
    ("grids", "cell", "does"),
    [
        ("W3,.,./.,.,./.,.,.", "fl", "moves the golem 3 squares north-west, to a6"),
        (".,W1,./.,.,./.,.,.", "f", "moves the golem 1 square north, but Black's golem on d4 is in"
         " the way"),
        (".,.,./.,.,W3/.,.,.", "r", "moves the golem 3 squares east, but that is off the"
         " battlefield"),
        (".,.,./.,.,./.,W3,.", "b", "moves the golem 3 squares south, but that is off the"
         " battlefield"),
        (".,B1,./.,.,./.,.,.", "f", "attacks 1 square north, on d4"),
        (".,.,./.,.,./.,.,B3", "br", "attacks 3 squares south-east, but that is off the"
         " battlefield"),
    ],
)  # fmt: skip
def test_each_die_says_what_it_does(state_of: StateOf, grids: str, cell: str, does: str) -> None:
    scene = GAME.scene(state_of(f"ew1 6 w use d3,d4 {grids} {EMPTY} - *"), SPECTATOR)
    pieces = {piece.id: piece for piece in scene.pieces}
    die, golem = pieces[f"die-white-{cell}"], pieces["golem-white"]
    assert die.description.endswith(f", available: {does}")
    assert die.face is not None
    assert golem.face is not None
    brief = re.sub(r"^(moves the golem|attacks) ", "", does)
    assert die.face.lines[0] in (f"{{move}} {brief}", f"{{attack}} {brief}")
    assert golem.face.lines[0].endswith(die.face.lines[0])


def test_a_trench_stops_a_move(state_of: StateOf) -> None:
    scene = GAME.scene(state_of(f"ew1 6 w use c1,d4 .,.,./.,.,./.,W1,. {EMPTY} - *"), SPECTATOR)
    die = next(piece for piece in scene.pieces if piece.id == "die-white-b")
    assert die.description.endswith("1 square south, but the trench c0 is in the way")


def test_what_shells_damage_next_is_marked(state_of: StateOf) -> None:
    # The shell on c4 is due and sets off d4; White's front is damaged already.
    position = f"ew1 6a w use c3,e5 .,.x,./.,.,./.,.,. {EMPTY} b1=2,c4=1,d4=3 *"
    marks = GAME.scene(state_of(position), SPECTATOR).marks
    assert marks == (Mark("threatened", "white-fr"), Mark("threatened", "black-fr"))
    later = position.replace("c4=1", "c4=2")
    assert GAME.scene(state_of(later), SPECTATOR).marks == ()


def test_the_square_that_was_hit_again_is_marked(state_of: StateOf) -> None:
    hit = state_of("ew1 6 w hit:f c3,d4 .,.x,./.,.,./.,.,. .,.x,./.,.,./.,.,. - *")
    marked = [piece.id for piece in GAME.scene(hit, SPECTATOR).pieces if "marked" in piece.states]
    assert marked == ["damage-black-f"]


def test_a_space_is_described_in_a_few_words() -> None:
    scene = GAME.scene(GAME.start(GAME.options()), SPECTATOR)
    said = {space.id: space.description for space in scene.spaces}
    assert said["c4"] == "c4"
    assert said["c0"] == "c0, White's trench"
    assert said["white-fl"] == "White's front-left, towards the north-west"
    assert said["black-fl"] == "Black's front-left, towards the south-east"
    assert said["white-c"] == "White's centre, which holds no die"


def test_a_new_die_is_in_its_players_hand(state_of: StateOf) -> None:
    scene = GAME.scene(state_of(f"ew1 6 b roll:black c3,d5 {EMPTY} {EMPTY} - *"), "black")
    said = "Black's new black die, to be rolled"
    assert scene.zones == (
        Zone("new-die", "New die", "black", place="mat", arrangement="row", description=said),
    )
    assert scene.pieces[-1] == Piece(
        "die-new", "black die", "B?", "new-die", "", "black die", description=said
    )
    scene = GAME.scene(state_of(f"ew1 6 b place:B2 c3,d5 {EMPTY} {EMPTY} - *"), "black")
    assert (scene.pieces[-1].glyph, scene.pieces[-1].icon) == ("B2", "die-2")
    assert scene.zones[0].description == "Black's new black 2, to be placed"
    assert scene.tracks[1].value == 9


def test_a_destroyed_golem_lies_where_it_fell(state_of: StateOf) -> None:
    over = f"ew1 6 - - c3,d4 {EMPTY} .x,.x,.x/.,.,./.,.,. - white"
    golems = [p for p in GAME.scene(state_of(over), SPECTATOR).pieces if p.kind == "golem"]
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
        "Use the white 2 on front-right: the golem moves 2 squares north-east, from c3 to e5",
        ("golem-white", "die-white-fr"),
        ("white-fr", "e5"),
    )
    assert parts_of(use, "use f") == Parts(
        "use",
        "Use the black 1 on front: attack Black's golem on c4, 1 square north; the die goes back to"
        " the supply",
        ("golem-white", "die-white-f", "golem-black"),
        ("white-f", "c4"),
    )
    assert parts_of(use, "end") == Parts("end", "End the turn")
    swap = state_of(f"ew1 6 w swap c3,c4 .,B1,./.,.,./.,.,. {EMPTY} - *")
    assert parts_of(swap, "swap f r") == Parts(
        "swap",
        "Swap the black 1 on front with the empty right",
        ("die-white-f",),
        ("white-f", "white-r"),
    )
    assert parts_of(swap, "skip") == Parts("skip", "Swap nothing")
    improve = state_of(f"ew1 6 b improve c3,c4 {EMPTY} .,B1,./.,.,./.,.,. - *")
    assert parts_of(improve, "down f") == Parts(
        "down",
        "Downgrade the black 1 on front: it goes back to the supply",
        ("die-black-f",),
        ("black-f",),
    )
    assert parts_of(improve, "add white") == Parts(
        "add", "Add a new white die, and roll it", choices=("white",)
    )
    assert parts_of(improve, "skip") == Parts("skip", "Improve nothing")
    hit = state_of(f"ew1 6 w hit:f c3,c4 {EMPTY} .,.x,./.,.,./.,.,. - *")
    assert parts_of(hit, "dice 1 3") == Parts(
        "dice",
        "Roll 1 with the white die and 3 with the black die: Black's back-left",
        choices=("1", "3"),
    )
    placing = state_of(f"ew1 6 w place:W2 c3,c4 {EMPTY} {EMPTY} - *")
    assert parts_of(placing, "place bl") == Parts(
        "place",
        "Place the white 2 on back-left, where it moves the golem 2 squares south-west",
        ("die-new",),
        ("white-bl",),
    )
    shell = state_of(f"ew1 6a w shell:c5 c3,c4 {EMPTY} {EMPTY} - *")
    assert parts_of(shell, "no-shell") == Parts("no-shell", "Place no shell on c5", spaces=("c5",))


@example_settings(60, deadline=None)
@given(st.randoms(use_true_random=True))
def test_parts_name_things_on_the_table_and_distinguish_actions(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    scene = GAME.scene(state, SPECTATOR)
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
            assert GAME.scene(fold(GAME, state, outcome.facts), seat).caption


@example_settings(40)
@given(st.randoms(use_true_random=True))
def test_the_legend_has_every_sign_of_the_scene_and_the_theme_every_icon(
    scattered: Callable[[Random], State], random: Random
) -> None:
    scene = GAME.scene(scattered(random), SPECTATOR)
    signs = {(sign.kind, sign.sign) for sign in scene.legend}
    assert {sign for kind, sign in signs if kind == "glyph"} == {p.glyph for p in scene.pieces}
    assert {sign for kind, sign in signs if kind == "state"} == {
        state for piece in scene.pieces for state in piece.states
    }
    kinds = {space.kind for space in scene.spaces}
    assert {sign for kind, sign in signs if kind == "space"} == kinds - {""}
    assert kinds <= GAME.theme.grounds.keys()
    assert {piece.kind for piece in scene.pieces} <= GAME.theme.tokens.keys()
    written = [line for p in scene.pieces if p.face for line in p.face.lines]
    written += [badge for p in scene.pieces for badge in p.badges]
    icons = {name for text in written for name in re.findall(r"\{([a-z-]+)\}", text)}
    icons |= {piece.icon for piece in scene.pieces if piece.icon}
    icons |= {track.icon for track in scene.tracks}
    assert icons <= {sign for kind, sign in signs if kind == "icon"}
    assert icons <= GAME.theme.icons.keys() | {"die-1", "die-2", "die-3"}


@example_settings(60)
@given(st.randoms(use_true_random=True))
def test_what_moves_stays_the_same_piece(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    before = GAME.scene(state, SPECTATOR)
    for seat in SEATS:
        for action in GAME.legal(state, seat):
            outcome = GAME.decide(state, seat, action)
            assert isinstance(outcome, Accepted)
            facts = outcome.facts
            then = GAME.scene(fold(GAME, state, facts), SPECTATOR)
            steps = diff_scenes(
                before, then, GAME.piece_id_changes(ResolvedAction(seat, action, facts))
            )
            assert apply_changes(before, steps) == then
            moved = {(step.start, step.end) for step in steps if isinstance(step, PieceMoved)}
            assert moved == ways(state, facts)
            assert {step.start for step in steps if isinstance(step, PieceRemoved)} == {
                f"{fact.seat}-{fact.cell}" if isinstance(fact, DieReturned) else fact.square
                for fact in facts
                if isinstance(fact, DieReturned | ShellExploded)
            }
            assert {step.now.where for step in steps if isinstance(step, PieceAppeared)} == {
                where for fact in facts for where in appeared(fact)
            }


def ways(state: State, facts: tuple[Fact, ...]) -> set[tuple[str, str]]:
    """From where to where pieces go by these facts."""
    stretches = [fact for fact in facts if isinstance(fact, GolemMoved)]
    gone = {(stretches[0].start, stretches[-1].end)} if stretches else set()
    for fact in facts:
        if isinstance(fact, DiePlaced):
            gone.add(("new-die", f"{fact.seat}-{fact.cell}"))
        if isinstance(fact, DiceSwapped):
            grid = golem_of(state, fact.seat).grid
            for start, end in ((fact.first, fact.second), (fact.second, fact.first)):
                if die_on(grid, start) is not None:
                    gone.add((f"{fact.seat}-{start}", f"{fact.seat}-{end}"))
    return gone


def appeared(fact: Fact) -> list[str]:
    """Where a new piece lies by this fact."""
    match fact:
        case DieTaken():
            return ["new-die"]
        case GridDamaged(seat, cell):
            return [f"{seat}-{cell}"]
        case ShellPlaced(square):
            return [square]
        case _:
            return []
