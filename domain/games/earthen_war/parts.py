"""Actions taken apart, for frontends that build them from taps, each with a sentence."""

from typing import assert_never

from domain.games.earthen_war.actions import (
    Action,
    Add,
    DeclineShell,
    Downgrade,
    EndTurn,
    EnterDice,
    Place,
    PlaceShell,
    Skip,
    Swap,
    Upgrade,
    Use,
)
from domain.games.earthen_war.attacking import target
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.outcomes import aimed, cell_of, colour_of, die_there, located_on
from domain.games.earthen_war.scene import NEW_DIE, cell_id, die_id, golem_id
from domain.games.earthen_war.state import (
    FUSE,
    OTHER,
    Cell,
    Die,
    Locating,
    Offering,
    Placing,
    Rolling,
    Seat,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
)
from domain.games.earthen_war.uses import direction, does, named, swapped
from domain.kernel.game import Parts


def parts(state: State, action: Action) -> Parts:
    """An action taken apart, in the state before it."""
    seat, phase = acting(state.phase), state.phase
    assert seat is not None, "the game is over"
    match action:
        case EnterDice(dice):
            return Parts("dice", _rolled(state, seat, dice), choices=tuple(map(str, dice)))
        case Add(colour):
            return Parts("add", ENGLISH.say("do add", colour=colour_of(colour)), choices=(colour,))
        case Place(cell):
            assert isinstance(phase, Placing)
            sentence = _placing(seat, cell, Die(phase.colour, phase.dots))
            return Parts("place", sentence, (NEW_DIE,), (cell_id(seat, cell),))
        case Upgrade() | Downgrade() | Swap():
            return _rearranging(state, seat, action)
        case Skip():
            assert isinstance(phase, Turn)
            return Parts("skip", ENGLISH.say(f"do skip {phase.step}"))
        case Use(cell):
            return _using(state, seat, cell)
        case PlaceShell() | DeclineShell():
            assert isinstance(phase, Offering)
            verb = "shell" if isinstance(action, PlaceShell) else "no-shell"
            sentence = ENGLISH.say(f"do {verb}", square=phase.square, n=FUSE)
            return Parts(verb, sentence, spaces=(phase.square,))
        case EndTurn():
            return Parts("end", ENGLISH.say("do end"))
        case unreachable:
            assert_never(unreachable)


def _rolled(state: State, seat: Seat, dice: tuple[int, ...]) -> str:
    match state.phase:
        case Rolling(_, colour):
            return ENGLISH.say("do roll", dots=dice[0], colour=colour_of(colour))
        case Locating():
            white, black = dice
            where = located_on(state, seat, white, black)
            return ENGLISH.say("do locate", white=white, black=black, where=where)
        case _:
            shown = ENGLISH.listed([str(dots) for dots in dice])
            return ENGLISH.say("do initiative", dice=shown, total=sum(dice))


def _placing(seat: Seat, cell: Cell, die: Die) -> str:
    return ENGLISH.say(
        "do place",
        colour=colour_of(die.colour),
        dots=die.dots,
        cell=cell_of(cell),
        does=does(seat, cell, die),
    )


def _rearranging(state: State, seat: Seat, action: Upgrade | Downgrade | Swap) -> Parts:
    cells: tuple[Cell, ...]
    match action:
        case Upgrade(cell):
            verb, cells = "up", (cell,)
            sentence = _turning(state, seat, cell, +1)
        case Downgrade(cell):
            verb, cells = "down", (cell,)
            sentence = _turning(state, seat, cell, -1)
        case Swap(first, second):
            verb, cells = "swap", (first, second)
            sentence = ENGLISH.say("do swap", **swapped(state, seat, (first, second)))
        case unreachable:
            assert_never(unreachable)
    grid = golem_of(state, seat).grid
    return Parts(
        verb,
        sentence,
        tuple(die_id(seat, cell) for cell in cells if die_on(grid, cell) is not None),
        tuple(cell_id(seat, cell) for cell in cells),
    )


def _turning(state: State, seat: Seat, cell: Cell, by: int) -> str:
    die = die_there(state, seat, cell)
    dots = die.dots + by
    key = "do remove" if dots == 0 else "do up" if by > 0 else "do down"
    return ENGLISH.say(key, die=named(die, cell), dots=dots)


def _using(state: State, seat: Seat, cell: Cell) -> Parts:
    die = die_there(state, seat, cell)
    square = target(state, seat, cell, die.dots)
    enemy = golem_of(state, OTHER[seat]).square
    sentence = ENGLISH.say(
        "do move" if die.colour == "white" else "do attack",
        die=named(die, cell),
        n=die.dots,
        way=direction(seat, cell),
        start=golem_of(state, seat).square,
        end=square,
        target=aimed(state, seat, square),
        spent=ENGLISH.say("returns" if die.dots == 1 else "becomes"),
    )
    return Parts(
        "use",
        sentence,
        (
            golem_id(seat),
            die_id(seat, cell),
            *((golem_id(OTHER[seat]),) if square == enemy else ()),
        ),
        (cell_id(seat, cell), *((square,) if square else ())),
    )
