"""What a die does for a golem that stands somewhere, in words."""

from functools import lru_cache
from typing import Final

from domain.games.earthen_war.battlefield import WAYS, compass, plan_of, ray
from domain.games.earthen_war.english import ENGLISH
from domain.games.earthen_war.moving import obstacle
from domain.games.earthen_war.state import (
    CELLS,
    OTHER,
    Cell,
    Colour,
    Die,
    Options,
    Seat,
    Square,
    State,
    die_on,
    golem_of,
)
from domain.kernel.scene import CardFace

_WHEN_USED: Final[dict[tuple[Colour, int], str]] = {
    ("white", 1): "kept", ("white", 2): "kept", ("white", 3): "kept",
    ("black", 1): "spent", ("black", 2): "reduced", ("black", 3): "reduced",
}  # fmt: skip


def named(die: Die, cell: Cell) -> str:
    """A die on a grid, as `the white 2 on front`."""
    colour = ENGLISH.format(f"colour {die.colour}")
    return ENGLISH.format(
        "die on", colour=colour, dots=die.dots, cell=ENGLISH.format(f"cell {cell}")
    )


def direction(seat: Seat, cell: Cell) -> str:
    """Where a square of a grid points to, as `north-east`."""
    return ENGLISH.format(f"way {compass(seat, cell)}")


def does(seat: Seat, cell: Cell, die: Die) -> str:
    """What a die does on a square, wherever its golem is: `moves the golem 2 squares east`."""
    return ENGLISH.format(f"does {die.colour} way", n=die.dots, way=direction(seat, cell))


@lru_cache(maxsize=8192)
def hindrance(
    options: Options, seat: Seat, cell: Cell, die: Die, here: Square, enemy: Square
) -> str:
    """The rule by which a die cannot be used from here, used or not before; empty if it can."""
    squares = ray(plan_of(options), here, WAYS[seat][cell], die.dots)
    if die.colour == "white":
        found = obstacle(plan_of(options), squares, enemy)
        return found[0] if found else ""
    return "ew.attack.board" if squares[-1] is None and not options.offboard_attacks else ""


def effect(options: Options, seat: Seat, cell: Cell, die: Die, here: Square, enemy: Square) -> str:
    """What a die does from here, as `moves the golem 2 squares east, to e3`."""
    return _ending(does(seat, cell, die), (options, seat, cell, die, here, enemy))


def on_card(options: Options, seat: Seat, cell: Cell, die: Die, here: Square, enemy: Square) -> str:
    """The same as cards have it, with an icon: `{move} 2 squares east, to e3`."""
    reach = ENGLISH.format("reach", n=die.dots, way=direction(seat, cell))
    said = _ending(reach, (options, seat, cell, die, here, enemy))
    return ENGLISH.format(f"card does {die.colour}", does=said)


def _ending(said: str, use: tuple[Options, Seat, Cell, Die, Square, Square]) -> str:
    """What was said of a use, with where it ends, or why it cannot be."""
    options, seat, cell, die, here, enemy = use
    squares = ray(plan_of(options), here, WAYS[seat][cell], die.dots)
    rule = hindrance(options, seat, cell, die, here, enemy)
    if rule:
        found = obstacle(plan_of(options), squares, enemy)
        square = found[1] if found else None
        other = ENGLISH.format(OTHER[seat])
        return ENGLISH.format(f"hindered {rule}", does=said, square=square, enemy=other)
    if squares[-1] is None:
        return ENGLISH.format("off", does=said)
    return ENGLISH.format("to" if die.colour == "white" else "at", does=said, square=squares[-1])


def usable(state: State, seat: Seat) -> list[tuple[Cell, Die]]:
    """The dice that this seat can use now."""
    golem, enemy = golem_of(state, seat), golem_of(state, OTHER[seat]).square
    return [
        (cell, die)
        for cell, square in zip(CELLS, golem.grid, strict=True)
        if (die := square.die) is not None
        and not die.used
        and not hindrance(state.options, seat, cell, die, golem.square, enemy)
    ]


@lru_cache(maxsize=8192)
def card(
    options: Options, seat: Seat, cell: Cell, die: Die, here: Square, enemy: Square
) -> CardFace:
    """What the die does, as a card to study."""
    dots = ENGLISH.format("dots", colour=ENGLISH.format(f"colour {die.colour}"), dots=die.dots)
    name = ENGLISH.format(f"cell {cell}")
    return CardFace(
        as_title(dots),
        ENGLISH.format("card kind", cell=name, way=direction(seat, cell)),
        lines=(
            on_card(options, seat, cell, die, here, enemy),
            as_title(ENGLISH.format(_WHEN_USED[die.colour, die.dots])),
            ENGLISH.format("card used" if die.used else "card available"),
        ),
    )


def as_title(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def content(state: State, seat: Seat, cell: Cell) -> str:
    """What lies on a square of a grid, as `the white 2 on front` or `the empty right`."""
    die = die_on(golem_of(state, seat).grid, cell)
    if die is None:
        return ENGLISH.format("empty", cell=ENGLISH.format(f"cell {cell}"))
    return named(die, cell)


def swapped(state: State, seat: Seat, cells: tuple[Cell, Cell]) -> dict[str, str]:
    """What lies on two squares, as `first` and `second`: a die before an empty square."""
    first, second = sorted(cells, key=lambda cell: die_on(golem_of(state, seat).grid, cell) is None)
    return {"first": content(state, seat, first), "second": content(state, seat, second)}
