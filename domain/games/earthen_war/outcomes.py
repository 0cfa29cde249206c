"""What an action did, in a sentence or two; what shells did, and the end, come after that."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

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
from domain.games.earthen_war.damage import located
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.facts import (
    DiceRefreshed,
    DieReturned,
    Fact,
    GameEnded,
    GridDamaged,
    InitiativeTied,
    LocationAwaited,
    TurnBegan,
)
from domain.games.earthen_war.state import (
    DICE,
    FUSE,
    OTHER,
    Cell,
    Colour,
    Die,
    Initiative,
    Locating,
    Offering,
    Placing,
    Rolling,
    Seat,
    Square,
    State,
    Turn,
    acting,
    die_on,
    golem_of,
    supply,
)
from domain.games.earthen_war.uses import content, direction, does, named, swapped

Facts = Sequence[Fact]


def deed(before: State, action: Action, facts: Facts, after: State) -> Iterator[str]:
    """The parts of the outcome that tell the action itself."""
    seat = acting(before.phase)
    assert seat is not None, "the game was over"
    yield from _DEEDS[type(action)](before, seat, action, facts, after)


def colour_of(colour: Colour) -> str:
    """The word for a colour of dice."""
    return ENGLISH.format(f"colour {colour}")


def cell_of(cell: Cell) -> str:
    """The name of a square of a grid."""
    return ENGLISH.format(f"cell {cell}")


def die_there(state: State, seat: Seat, cell: Cell) -> Die:
    """The die on a square that has one."""
    die = die_on(golem_of(state, seat).grid, cell)
    assert die is not None, f"no die on {cell}"
    return die


def aimed(state: State, seat: Seat, square: Square | None) -> str:
    """What an attack is aimed at, as `Black's golem on c4`."""
    if square is None:
        return ENGLISH.format("target off")
    if square == golem_of(state, OTHER[seat]).square:
        return ENGLISH.format("target golem", seat=ENGLISH.format(OTHER[seat]), square=square)
    return ENGLISH.format(
        "target shell" if square in state.shells else "target empty", square=square
    )


def _dice(
    before: State, seat: Seat, action: EnterDice, facts: Facts, after: State
) -> Iterator[str]:
    who, phase = ENGLISH.format(seat), before.phase
    match phase:
        case Initiative(earlier):
            yield _initiative(who, action, earlier, facts)
        case Rolling(_, colour):
            [dots] = action.dice
            yield ENGLISH.format("shows", seat=who, colour=colour_of(colour), dots=dots)
        case Locating():
            yield _located(before, seat, action, facts)
        case _:
            raise AssertionError(f"no dice were asked for: {phase}")


def _initiative(who: str, action: EnterDice, earlier: int | None, facts: Facts) -> str:
    key, first = "initiative", ""
    for fact in facts:
        match fact:
            case InitiativeTied():
                key = "initiative, tied"
            case TurnBegan(seat):
                key, first = "initiative, begins", ENGLISH.format(seat)
            case _:
                pass
    dice = ENGLISH.join_and([str(dots) for dots in action.dice])
    total = sum(action.dice)
    return ENGLISH.format(key, seat=who, dice=dice, total=total, earlier=earlier, first=first)


def _located(before: State, seat: Seat, action: EnterDice, facts: Facts) -> str:
    white, black = action.dice
    damaged = any(isinstance(fact, GridDamaged) for fact in facts)
    return ENGLISH.format(
        "located",
        white=white,
        black=black,
        where=located_on(before, seat, white, black),
        came=ENGLISH.format("is damaged" if damaged else "is so already"),
    )


def located_on(state: State, attacker: Seat, white: int, black: int) -> str:
    """The square of the victim's grid that two dice tell, as `Black's left`."""
    cell = located(state.options.dice_axes, white, black)
    return ENGLISH.format("of", seat=ENGLISH.format(OTHER[attacker]), cell=cell_of(cell))


def _add(before: State, seat: Seat, action: Add, facts: Facts, after: State) -> Iterator[str]:
    left, colour = supply(after, action.colour), colour_of(action.colour)
    yield ENGLISH.format("takes", seat=ENGLISH.format(seat), colour=colour, n=left, most=DICE)


def _place(before: State, seat: Seat, action: Place, facts: Facts, after: State) -> Iterator[str]:
    assert isinstance(before.phase, Placing)
    colour, dots = before.phase.colour, before.phase.dots
    yield ENGLISH.format(
        "places",
        seat=ENGLISH.format(seat),
        colour=colour_of(colour),
        dots=dots,
        cell=cell_of(action.cell),
        does=does(seat, action.cell, Die(colour, dots)),
    )


def _turn(
    before: State, seat: Seat, action: Upgrade | Downgrade, facts: Facts, after: State
) -> Iterator[str]:
    who, die = ENGLISH.format(seat), content(before, seat, action.cell)
    now = die_on(golem_of(after, seat).grid, action.cell)
    if now is None:
        yield ENGLISH.format("removes", seat=who, die=die)
        return
    key = "upgrades" if isinstance(action, Upgrade) else "downgrades"
    yield ENGLISH.format(key, seat=who, die=die, dots=now.dots)


def _swap(before: State, seat: Seat, action: Swap, facts: Facts, after: State) -> Iterator[str]:
    dice = swapped(before, seat, (action.first, action.second))
    yield ENGLISH.format("swaps", seat=ENGLISH.format(seat), **dice)


def _skip(before: State, seat: Seat, action: Skip, facts: Facts, after: State) -> Iterator[str]:
    assert isinstance(before.phase, Turn)
    yield ENGLISH.format(f"skips {before.phase.step}", seat=ENGLISH.format(seat))


def _use(before: State, seat: Seat, action: Use, facts: Facts, after: State) -> Iterator[str]:
    die = die_there(before, seat, action.cell)
    if die.colour == "black":
        yield from _attack(before, seat, action.cell, die, facts)
        return
    start, end = golem_of(before, seat).square, golem_of(after, seat).square
    # A shell on its way may have stopped it.
    went = max(abs(ord(a) - ord(b)) for a, b in zip(start, end, strict=True))
    yield ENGLISH.format(
        "moves" if went else "stays",
        seat=ENGLISH.format(seat),
        n=went,
        way=direction(seat, action.cell),
        die=named(die, action.cell),
        start=start,
        end=end,
    )


def _attack(before: State, seat: Seat, cell: Cell, die: Die, facts: Facts) -> Iterator[str]:
    came = ENGLISH.format("missed")
    for fact in facts:
        if isinstance(fact, GridDamaged):
            came = ENGLISH.format("hit", cell=cell_of(fact.cell))
        elif isinstance(fact, LocationAwaited):
            came = ENGLISH.format("hit again", cell=cell_of(fact.cell))
    yield ENGLISH.format(
        "attacks",
        seat=ENGLISH.format(seat),
        target=aimed(before, seat, target(before, seat, cell, die.dots)),
        n=die.dots,
        way=direction(seat, cell),
        die=named(die, cell),
        came=came,
    )
    if not any(isinstance(fact, GameEnded) for fact in facts):
        returned = any(isinstance(fact, DieReturned) for fact in facts)
        yield ENGLISH.format("the die returns" if returned else "the die becomes")


def _shell(
    before: State, seat: Seat, action: PlaceShell | DeclineShell, facts: Facts, after: State
) -> Iterator[str]:
    assert isinstance(before.phase, Offering)
    key = "places shell" if isinstance(action, PlaceShell) else "places none"
    yield ENGLISH.format(key, seat=ENGLISH.format(seat), square=before.phase.square, n=FUSE)


def _end(before: State, seat: Seat, action: EndTurn, facts: Facts, after: State) -> Iterator[str]:
    refreshed = any(isinstance(fact, DiceRefreshed) for fact in facts)
    key = "ends, refreshed" if refreshed else "ends"
    yield ENGLISH.format(key, seat=ENGLISH.format(seat), next=ENGLISH.format(OTHER[seat]))


_DEEDS: Final[dict[type[Action], Callable[[State, Seat, Any, Facts, State], Iterator[str]]]] = {
    EnterDice: _dice, Add: _add, Place: _place, Upgrade: _turn, Downgrade: _turn,
    Swap: _swap, Skip: _skip, Use: _use, PlaceShell: _shell, DeclineShell: _shell,
    EndTurn: _end,
}  # fmt: skip
