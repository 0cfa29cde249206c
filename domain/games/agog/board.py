"""The board as a plane: places, lines, and what is forward.

A *place* is an index into the text of a board (`state.Board`): 0 is a8, 7 is h8, 63 is a1.
People and stored facts name squares instead, as `a8`.
"""

from collections.abc import Iterator
from typing import Final

from domain.games.agog.state import SEATS, Seat

FILES: Final = "abcdefgh"
SQUARES: Final[tuple[str, ...]] = tuple(
    "" if place % 9 == 8 else f"{FILES[place % 9]}{8 - place // 9}" for place in range(71)
)
"""The square at each place; an empty name between rows."""
AT: Final[dict[str, int]] = {square: place for place, square in enumerate(SQUARES) if square}
"""The place of each square."""
PLACES: Final[tuple[int, ...]] = tuple(AT.values())

SANCTUM: Final[dict[Seat, int]] = {"white": AT["a1"], "black": AT["h8"]}
GOAL: Final[dict[Seat, int]] = {"white": SANCTUM["black"], "black": SANCTUM["white"]}
"""The enemy sanctum of each player."""

FORWARD: Final[dict[Seat, tuple[int, int]]] = {"white": (1, -9), "black": (-1, 9)}
"""One file or one rank nearer to the enemy sanctum (AGOG-R2), as differences of places."""


def _ray(place: int, way: int) -> tuple[int, ...]:
    ray = []
    place += way
    while 0 <= place < len(SQUARES) and SQUARES[place]:
        ray.append(place)
        place += way
    return tuple(ray)


Rays = tuple[tuple[int, ...], ...]
"""Lines from a place to the edge, without the place itself; empty ones are left out."""

FORWARD_RAYS: Final[dict[Seat, dict[int, Rays]]] = {
    seat: {
        place: tuple(ray for way in FORWARD[seat] if (ray := _ray(place, way))) for place in PLACES
    }
    for seat in SEATS
}
RAYS: Final[dict[int, Rays]] = {
    place: FORWARD_RAYS["white"][place] + FORWARD_RAYS["black"][place] for place in PLACES
}
STEPS: Final[dict[Seat, dict[int, tuple[int, ...]]]] = {
    seat: {place: tuple(ray[0] for ray in rays) for place, rays in FORWARD_RAYS[seat].items()}
    for seat in SEATS
}
"""Where a golem can step."""
HOPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    place: tuple((ray[0], ray[1]) for ray in rays if len(ray) > 1) for place, rays in RAYS.items()
}
"""What a golem can jump, and where it lands."""
BETWEEN: Final[dict[tuple[int, int], tuple[int, ...]]] = {
    (place, ray[n]): ray[:n]
    for place, rays in RAYS.items()
    for ray in rays
    for n in range(len(ray))
}
"""The places between two that lie on one file or rank."""


def is_forward(seat: Seat, start: int, end: int) -> bool:
    """Does this player come nearer to the enemy sanctum on one line from start to end?"""
    return any(end in ray for ray in FORWARD_RAYS[seat][start])


def places_of(board: str, unit: str) -> Iterator[int]:
    """Where units of this kind stand, in order."""
    place = board.find(unit)
    while place >= 0:
        yield place
        place = board.find(unit, place + 1)


def put(board: str, place: int, unit: str) -> str:
    """The board with this unit, or `FREE`, at a place."""
    return board[:place] + unit + board[place + 1 :]
