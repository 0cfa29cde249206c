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
from domain.kernel.hints import Forecast
from domain.kernel.orders import orders
from domain.kernel.parts import Parts, Pick
from domain.kernel.rulings import Accepted, Refused
from domain.kernel.scene import (
    CardFace,
    Counter,
    Mark,
    Piece,
    PromptText,
    Side,
    Track,
    Zone,
)
from domain.kernel.scene_changes import (
    PieceAppeared,
    PieceMoved,
    PieceRemoved,
    apply_changes,
    diff_scenes,
)
from projections.drawing import svg, text
from projections.drawing.boards import on_one_plane
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
    assert len({(space.zone, space.x, space.y) for space in scene.spaces}) == len(scene.spaces)
    shown = on_one_plane(scene).spaces
    assert len({(space.x, space.y) for space in shown}) == len(shown)
    assert len({space.id for space in scene.spaces}) == size * size + 2 + 18


def test_each_grid_is_a_board_as_its_owner_sees_it() -> None:
    scene = GAME.scene(GAME.start(GAME.options()), SPECTATOR)
    battlefield, *grids = scene.zones
    assert (battlefield.place, battlefield.columns) == ("main", tuple("abcdef"))
    assert battlefield.rows == ("", "1", "2", "3", "4", "5", "6", "")
    assert [(grid.owner, grid.place) for grid in grids] == [("white", "side"), ("black", "side")]
    spaces = {space.id: space for space in scene.spaces}
    for seat in SEATS:
        front_right = spaces[f"{seat}-fr"]
        assert (front_right.x, front_right.y, front_right.zone) == (2, 2, f"{seat}-grid")
        assert (front_right.kind, front_right.owner) == ("front-right", seat)
    assert spaces["white-fr"].note == "towards the north-east"
    assert spaces["black-fr"].note == "towards the south-west"
    assert spaces["black-c"].note == "holds no die"
    assert (spaces["c0"].kind, spaces["c0"].owner) == ("trench", "white")


def test_stills_show_a_square_of_a_grid_in_the_direction_in_which_its_die_works() -> None:
    scene = on_one_plane(GAME.scene(GAME.start(GAME.options()), SPECTATOR))
    at = {space.id: (space.x, space.y) for space in scene.spaces}
    assert at["white-fr"] == (at["white-c"][0] + 1, at["white-c"][1] + 1)
    assert at["black-fr"] == (at["black-c"][0] - 1, at["black-c"][1] - 1)


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
        "white",
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
        "white-die-2",
        counters=(Counter("dots", 2, style="die"),),
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
    assert die.card is not None
    assert golem.card is not None
    brief = re.sub(r"^(moves the golem|attacks) ", "", does)
    assert die.card.lines[0] in (f"{{move}} {brief}", f"{{attack}} {brief}")
    assert golem.card.lines[0].endswith(die.card.lines[0])


def test_a_trench_stops_a_move(state_of: StateOf) -> None:
    scene = GAME.scene(state_of(f"ew1 6 w use c1,d4 .,.,./.,.,./.,W1,. {EMPTY} - *"), SPECTATOR)
    die = next(piece for piece in scene.pieces if piece.id == "die-white-b")
    assert die.description.endswith("1 square south, but the trench c0 is in the way")


def test_what_shells_damage_next_is_marked(state_of: StateOf) -> None:
    # The shell on c4 is due and sets off d4; White's front is damaged already.
    position = f"ew1 6a w use c3,e5 .,.x,./.,.,./.,.,. {EMPTY} b1=2,c4=1,d4=3 *"
    marks = GAME.scene(state_of(position), SPECTATOR).marks
    assert marks == (Mark("danger", at=("white-fr",)), Mark("danger", at=("black-fr",)))
    later = position.replace("c4=1", "c4=2")
    assert GAME.scene(state_of(later), SPECTATOR).marks == ()


@pytest.mark.parametrize(
    ("position", "square"),
    [
        ("ew1 6 w hit:f c3,d4 .,.x,./.,.,./.,.,. .,.x,./.,.,./.,.,. - *", "black-f"),
        (f"ew1 6a w shell:c5 c3,c4 {EMPTY} {EMPTY} - *", "c5"),
    ],
)
def test_the_square_in_question_is_marked(state_of: StateOf, position: str, square: str) -> None:
    assert GAME.scene(state_of(position), SPECTATOR).marks == (Mark("asked", at=(square,)),)


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
    assert scene.zones[-1] == Zone(
        "new-die", "New die", "black", place="prompt", arrangement="row", description=said
    )
    assert scene.pieces[-1] == Piece(
        "die-new",
        "black die",
        "B?",
        "new-die",
        "black",
        "black die",
        description=said,
        face="black-die",
    )
    scene = GAME.scene(state_of(f"ew1 6 b place:B2 c3,d5 {EMPTY} {EMPTY} - *"), "black")
    assert (scene.pieces[-1].glyph, scene.pieces[-1].icon) == ("B2", "die-2")
    assert scene.zones[-1].description == "Black's new black 2, to be placed"
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


USE = f"ew1 6 w use c3,c4 .,B1,W2/.,.,./.,.,. {EMPTY} - *"
SWAP = f"ew1 6 w swap c3,c4 .,B1,W2/.,.,./.,.,. {EMPTY} - *"
IMPROVE = f"ew1 6 b improve c3,c4 {EMPTY} .,B1,./.,.,./.,.,. - *"
LOCATE = f"ew1 6 w hit:f c3,c4 {EMPTY} .,.x,./.,.,./.,.,. - *"
PLACE = f"ew1 6 w place:W2 c3,c4 {EMPTY} {EMPTY} - *"
SHELL = f"ew1 6a w shell:c5 c3,c4 {EMPTY} {EMPTY} - *"


@pytest.mark.parametrize(
    ("position", "action", "parts"),
    [
        (USE, "use fr", Parts(
            "move",
            "Use the white 2 on front-right: the golem moves 2 squares north-east, from c3 to e5",
            ("golem-white", "die-white-fr"),
            ("white-fr", "e5"),
            actor="die-white-fr",
            line="use",
            picks=(Pick("e5", "to"),),
        )),
        (USE, "use f", Parts(
            "attack",
            "Use the black 1 on front: attack Black's golem on c4, 1 square north; the die goes"
            " back to the supply",
            ("golem-white", "die-white-f", "golem-black"),
            ("white-f", "c4"),
            actor="die-white-f",
            line="use",
            picks=(Pick("golem-black", "hit"), Pick("c4", "target")),
        )),
        (USE, "end", Parts("end", "End the turn", picks=())),
        (SWAP, "swap f r", Parts(
            "swap",
            "Swap the black 1 on front with the empty right",
            ("die-white-f",),
            ("white-f", "white-r"),
            actor="die-white-f",
            line="swap",
            picks=(Pick("white-r", "to"),),
        )),
        (SWAP, "swap fl f", Parts(
            "swap",
            "Swap the black 1 on front with the empty front-left",
            ("die-white-f",),
            ("white-fl", "white-f"),
            actor="die-white-f",
            line="swap",
            picks=(Pick("white-fl", "to"),),
        )),
        (SWAP, "swap f fr", Parts(
            "swap",
            "Swap the black 1 on front with the white 2 on front-right",
            ("die-white-f", "die-white-fr"),
            ("white-f", "white-fr"),
            actor="die-white-f",
            line="swap",
            picks=(Pick("white-fr", "to"),),
        )),
        (SWAP, "skip", Parts("skip", "Swap nothing", picks=())),
        (IMPROVE, "down f", Parts(
            "down",
            "Downgrade the black 1 on front: it goes back to the supply",
            ("die-black-f",),
            ("black-f",),
            actor="die-black-f",
            line="down",
            picks=(),
        )),
        (IMPROVE, "add white", Parts(
            "add",
            "Add a new white die, and roll it",
            choices=("white",),
            picks=(Pick("white", "option", "{white-die} White die: moves the golem"),),
        )),
        (IMPROVE, "skip", Parts("skip", "Improve nothing", picks=())),
        (LOCATE, "dice 1 3", Parts(
            "dice",
            "Roll 1 with the white die and 3 with the black die: Black's back-left",
            choices=("1", "3"),
            picks=(Pick("1", "die", "{white-die} 1"), Pick("3", "die", "{black-die} 3")),
        )),
        (PLACE, "place bl", Parts(
            "place",
            "Place the white 2 on back-left, where it moves the golem 2 squares south-west",
            ("die-new",),
            ("white-bl",),
            actor="die-new",
            picks=(Pick("white-bl", "to"),),
        )),
        (SHELL, "no-shell", Parts("no-shell", "Place no shell on c5", spaces=("c5",), picks=())),
    ],
)  # fmt: skip
def test_an_action_is_taken_apart_in_the_order_of_pointing(
    state_of: StateOf, position: str, action: str, parts: Parts
) -> None:
    assert parts_of(state_of(position), action) == parts


GRID = "ew.grid.direction"


@pytest.mark.parametrize(
    ("position", "viewer", "heading", "why", "rule"),
    [
        (USE, "white", "Use your dice, in any order",
         "White dice move, black dice attack, each in the direction of its square.", GRID),
        (USE, "black", "White to use dice",
         "White dice move, black dice attack, each in the direction of its square.", GRID),
        (f"ew1 6 b use c3,c4 {EMPTY} {EMPTY} - *", "black", "End your turn",
         "No die can be used.", "ew.turn.end"),
        (SWAP, SPECTATOR, "White to swap two squares", "The dice change places, damage stays.",
         "ew.swap.adjacent"),
        (IMPROVE, "black", "Improve one die, or none",
         "Upgrade a die, downgrade one, or add a new one.", "ew.improve.one"),
        (LOCATE, "black", "White to roll for the damaged square",
         "Black's front is damaged already: the white die gives the column, the black die the row.",
         "ew.damage.coordinate"),
        (PLACE, "white", "Place your new white 2",
         "It moves the golem 2 squares, in the direction of its square.", GRID),
        (SHELL, "white", "Place a shell on c5?",
         "It explodes after 3 turns and damages golems on the squares around it.",
         "ew.shell.place"),
        (f"ew1 6 - - c3,d4 {EMPTY} .x,.x,.x/.,.,./.,.,. - white", "black", "White wins",
         "Three damage tokens in a row (front-left, front and front-right) destroy Black's golem.",
         "ew.end.line"),
    ],
)  # fmt: skip
def test_the_prompt_says_what_to_do_and_why(
    state_of: StateOf, position: str, viewer: str, heading: str, why: str, rule: str
) -> None:
    assert GAME.scene(state_of(position), viewer).prompt == PromptText(heading, why, rule)


@pytest.mark.parametrize(
    ("position", "states"),
    [
        (IMPROVE, ["now", "next", "next"]),
        (PLACE, ["now", "next", "next"]),
        (SWAP, ["done", "now", "next"]),
        (USE, ["done", "done", "now"]),
        (LOCATE, ["done", "done", "now"]),
        (f"ew1 6 - - c3,d4 {EMPTY} .x,.x,.x/.,.,./.,.,. - white", []),
    ],
)
def test_the_turn_has_three_phases(state_of: StateOf, position: str, states: list[str]) -> None:
    phases = GAME.scene(state_of(position), SPECTATOR).phases
    assert [phase.state for phase in phases] == states
    assert [phase.name for phase in phases] in ([], ["Improve", "Swap", "Use"])


def test_bars_have_the_damage_and_the_supply_counts_dice(state_of: StateOf) -> None:
    scene = GAME.scene(state_of(BUSY), SPECTATOR)
    assert scene.sides[0] == Side("white", "", "golem", (Counter("damage", 2, 9, "figures"),))
    assert [(each.symbol, each.value, each.max) for each in scene.counters] == [
        ("white-die", 7, 10),
        ("black-die", 6, 10),
    ]


def forecast_of(state: State, spelled: str) -> Forecast:
    action = GAME.read_action(spelled)
    assert not isinstance(action, Refused)
    found = GAME.forecast(state, GAME.turn(state)[0].seat, action)
    assert found is not None
    return found


ALMOST = "ew1 6 w use c3,c4 .,B1,./.,.,./.,.,. .x,.,.x/.,.,./.,.,. - *"
WALK = f"ew1 6a w use c3,f6 .,W1,./.,.,./.,.,. {EMPTY} c4=2 *"
DUE = f"ew1 6a w use c3,f6 {EMPTY} {EMPTY} d4=1 *"


@pytest.mark.parametrize(
    ("position", "action", "tag", "marks", "outcomes"),
    [
        (USE, "use fr", "moves to {*e5}", (), ()),
        (USE, "use f", "damages {*front}",
         (Mark("danger", at=("golem-black", "black-f"), tone="good"),),
         ()),
        (ALMOST, "use f", "damages {*front}: {!golem destroyed}",
         (Mark("danger", at=("golem-black", "black-f"), tone="good"),
          Mark("group", at=("black-fl", "black-f", "black-fr"), tone="good")),
         ()),
        (ALMOST.replace(".x,.,.x", ".,.x,."), "use f", "hits {*front} again: roll", (), ()),
        (ALMOST.replace("c3,c4", "c3,f6").replace("6 w", "6a w"), "use f",
         "{*c4}: no golem hit", (), ()),
        (WALK, "use f", "1 shell explodes, {!damage}",
         (Mark("danger", at=("golem-white", "white-f"), tone="bad"),),
         ("White's front is damaged",)),
        (WALK.replace(".,W1,./.,.,./.,.,.", ".x,W1,.x/.,.,./.,.,."), "use f",
         "1 shell explodes, {!damage}",
         (Mark("danger", at=("golem-white", "white-f"), tone="bad"),
          Mark("group", at=("white-fl", "white-f", "white-fr"), tone="bad")),
         ("White's front is damaged", "Black wins")),
        (DUE, "end", "1 shell explodes, {!damage}",
         (Mark("danger", at=("golem-white", "white-fr"), tone="bad"),),
         ("White's front-right is damaged",)),
        (PLACE, "place fr", "moves to {*e5}", (Mark("path", at=("c3", "d4", "e5")),), ()),
        (PLACE.replace("W2", "B2"), "place f", "attacks {*c5}", (Mark("line", at=("c3", "c5")),),
         ()),
        (PLACE, "place f", "blocked: 2 squares north", (Mark("blocked", at=("c4",)),), ()),
        (PLACE.replace("W2", "B3"), "place bl", "off the battlefield: south-west",
         (Mark("line", at=("c3",)),), ()),
        (IMPROVE, "down f", "{black-die} back to the supply", (), ()),
        (IMPROVE, "up f", "attacks {*c2}", (Mark("line", at=("c4", "c2")),), ()),
        (SWAP, "swap f fr", "attacks {*d4}",
         (Mark("line", at=("c3", "d4")), Mark("blocked", at=("c4",))), ()),
    ],
)  # fmt: skip
def test_a_forecast_tells_what_a_die_would_do(
    state_of: StateOf,
    position: str,
    action: str,
    tag: str,
    marks: tuple[Mark, ...],
    outcomes: tuple[str, ...],
) -> None:
    found = forecast_of(state_of(position), action)
    assert (found.tag, found.marks) == (tag, marks)
    assert tuple(outcome.text for outcome in found.outcomes) == outcomes


@pytest.mark.parametrize(
    ("cell", "line", "marks"),
    [
        ("fr", "use", (Mark("path", at=("c3", "d4", "e5")),)),
        ("f", "use", (Mark("line", at=("c3", "c4")),)),
        ("f", "", (Mark("line", at=("c3", "c4")),)),
        ("f", "up", ()),
    ],
)
def test_a_die_that_is_taken_up_shows_its_way(
    state_of: StateOf, cell: str, line: str, marks: tuple[Mark, ...]
) -> None:
    assert GAME.aim(state_of(USE), "white", f"die-white-{cell}", line).marks == marks


@pytest.mark.parametrize(
    ("position", "die", "refused"),
    [
        (BUSY, "die-white-fl", ("use", "move", "ew.refresh.once")),
        (USE.replace("c3,c4", "d4,c4"), "die-white-fr", None),
        (USE.replace("W2", "W3").replace("c3", "e3"), "die-white-fr",
         ("use", "move", "ew.move.board")),
        (IMPROVE.replace("B1", "B3"), "die-black-f", ("up", "up", "ew.improve.top")),
        (IMPROVE, "die-black-f", None),
        (IMPROVE, "golem-black", None),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_used_has_its_reason(
    state_of: StateOf, position: str, die: str, refused: tuple[str, str, str] | None
) -> None:
    state = state_of(position)
    found = GAME.refused_lines(state, GAME.turn(state)[0].seat, die)
    lines = [(each.line, each.verb, each.refused.rule) for each in found]
    assert lines == ([refused] if refused else [])


RICH = re.compile(r"\{([a-z][a-z0-9-]*)\}")


@example_settings(60, deadline=None)
@given(st.randoms(use_true_random=True))
def test_the_theme_has_every_key_of_the_scene_and_pointing_tells_actions_apart(
    scattered: Callable[[Random], State], random: Random
) -> None:
    state = scattered(random)
    theme, faces = GAME.table_theme, GAME.faces(None)
    for seat in SEATS:
        scene = GAME.scene(state, seat)
        assert {space.kind for space in scene.spaces} <= theme.grounds.keys()
        assert {piece.kind for piece in scene.pieces} <= theme.tokens.keys()
        assert {piece.face for piece in scene.pieces} <= faces.keys() | {""}
        assert {state for piece in scene.pieces for state in piece.states} <= theme.states.keys()
        counted = {counter.symbol for piece in scene.pieces for counter in piece.counters}
        counted |= {counter.symbol for side in scene.sides for counter in side.counters}
        counted |= {counter.symbol for counter in scene.counters}
        assert counted <= theme.symbols.keys()
        assert scene.prompt is not None
        assert len(scene.prompt.heading) <= 40
        assert len(scene.prompt.why) <= 120
        assert scene.prompt.rule in GAME.rules
        pieces = {piece.id: piece for piece in scene.pieces}
        places = {space.id for space in scene.spaces} | pieces.keys()
        for order in orders(GAME, state, seat):
            assert order.verb in theme.verbs
            piece = pieces.get(order.actor)
            assert (piece is None) == (order.actor == "")
            if piece is not None and order.line:
                assert order.line in {line.id for line in faces[piece.face].lines}
            assert len({action.picks for action in order.actions}) == len(order.actions)
            for each in order.actions:
                assert places.issuperset(
                    pick.id for pick in each.picks if pick.role not in ("option", "die")
                )
                written = [pick.label for pick in each.picks]
                found = GAME.forecast(state, seat, each.action)
                if found is not None:
                    assert len(found.tag.split()) <= 6
                    written.append(found.tag)
                    assert {outcome.symbol for outcome in found.outcomes} <= theme.symbols.keys()
                    assert places.issuperset(at for mark in found.marks for at in mark.at)
                assert theme.symbols.keys() >= {s for text in written for s in RICH.findall(text)}


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
    kinds = {space.kind for space in on_one_plane(scene).spaces}
    assert {sign for kind, sign in signs if kind == "space"} == kinds - {""}
    assert kinds <= GAME.theme.grounds.keys()
    assert {piece.kind for piece in scene.pieces} <= GAME.theme.tokens.keys()
    written = [line for p in scene.pieces if p.card for line in p.card.lines]
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
