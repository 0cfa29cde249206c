"""What holds of every state and every step of a game, however it is played: for tests and soaks."""

from collections.abc import Iterator

from domain.games.earthen_war.battlefield import FIELDS, TRENCHES, plan_of
from domain.games.earthen_war.state import (
    CELLS,
    CENTRE,
    COLOURS,
    DICE,
    FUSE,
    SEATS,
    State,
    golem_of,
    supply,
)


def broken(before: State, after: State) -> Iterator[str]:
    """What does not hold after an action, in words; nothing if all is well.

    For the first state of a game, `before` is the same as `after`.
    """
    if before.options != after.options:
        yield "the options have changed"
    yield from _broken_dice(after)
    yield from _broken_damage(before, after)
    yield from _broken_places(before, after)


def _broken_dice(after: State) -> Iterator[str]:
    for colour in COLOURS:
        if not 0 <= supply(after, colour) <= DICE:
            yield f"there are {supply(after, colour)} {colour} dice in the supply"
    for seat in SEATS:
        for cell, square in zip(CELLS, golem_of(after, seat).grid, strict=True):
            if square.die is None:
                continue
            if cell == CENTRE:
                yield f"a die lies in the centre of {seat}'s grid"
            if square.die.used and square.die.colour == "black" and square.die.dots != 1:
                yield f"a used black die on {seat}'s {cell} shows {square.die.dots}"


def _broken_damage(before: State, after: State) -> Iterator[str]:
    for seat in SEATS:
        grids = zip(CELLS, golem_of(before, seat).grid, golem_of(after, seat).grid, strict=True)
        yield from (
            f"{seat}'s grid was repaired on {cell}"
            for cell, was, now in grids
            if was.damaged and not now.damaged
        )


def _broken_places(before: State, after: State) -> Iterator[str]:
    board = after.options.board
    golems = [golem_of(after, seat).square for seat in SEATS]
    if golems[0] == golems[1]:
        yield f"both golems stand on {golems[0]}"
    for seat, square in zip(SEATS, golems, strict=True):
        stays = square == TRENCHES[plan_of(after.options)][seat] == golem_of(before, seat).square
        if square not in FIELDS[board] and not stays:
            yield f"{seat}'s golem has gone to {square}"
    for square, turns in after.shells.items():
        if square not in FIELDS[board] or square in golems:
            yield f"a shell lies on {square}"
        if not 1 <= turns <= FUSE:
            yield f"the shell on {square} has {turns} turns left"
