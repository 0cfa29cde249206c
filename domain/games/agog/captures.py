"""Capturing: jumps, the sequences they make, and the longest of them (UNITS).

While a sequence goes on, jumped units stay where they are and block, and the square that the
capturing unit left is free. So a whole sequence is played on one board from which only that unit
is lifted, beside the set of the units jumped so far.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from domain.games.agog.actions import Capture
from domain.games.agog.board import AT, BETWEEN, HOPS, RAYS, SQUARES, places_of, put
from domain.games.agog.planes import FILE, RANK, planes
from domain.games.agog.promotion import leaves
from domain.games.agog.state import (
    FLIERS,
    FLIERS_OF,
    FREE,
    JOURNEYMAN,
    OTHER,
    OWN,
    OWNER,
    Seat,
    name_of,
)
from domain.kernel.rulings import Figures, Refused

Leap = tuple[int, int]
"""One jump: the place of the jumped unit, and where the jump lands."""


def leaps(board: str, unit: str, here: int, jumped: int = 0) -> list[Leap]:
    """The jumps possible from here, for a unit that is lifted from the board or stands here.

    `jumped` is the set of places of the units jumped already, as bits.
    """
    enemy = OWN[OTHER[OWNER[unit]]]
    if unit not in FLIERS:
        return [
            (over, to)
            for over, to in HOPS[here]
            if board[over] in enemy and board[to] == FREE and not jumped >> over & 1
        ]
    found = []
    for ray in RAYS[here]:
        line = iter(ray)
        over = next((place for place in line if board[place] != FREE), here)
        if board[over] in enemy and not jumped >> over & 1:
            for to in line:
                if board[to] != FREE:
                    break
                found.append((over, to))
    return found


class Hunt:
    """What one unit can capture from where it stands. Jumped units are a set of places, as bits."""

    def __init__(self, board: str, start: int) -> None:
        self.start = start
        self.unit = board[start]
        self.lifted = put(board, start, FREE)
        self._longest: dict[tuple[int, int], int] = {}

    def leaps(self, here: int, jumped: int) -> list[Leap]:
        """The jumps possible from here."""
        return leaps(self.lifted, self.unit, here, jumped)

    def longest(self, here: int, jumped: int = 0) -> int:
        """The most units that can still be jumped from here."""
        key = (here, jumped)
        if key not in self._longest:
            self._longest[key] = max(
                (1 + self.longest(to, jumped | 1 << over) for over, to in self.leaps(here, jumped)),
                default=0,
            )
        return self._longest[key]

    def sequences(self, here: int, jumped: int = 0) -> Iterator[tuple[Leap, ...]]:
        """Every way to jump as many units as possible from here."""
        left = self.longest(here, jumped)
        if not left:
            yield ()
            return
        for over, to in self.leaps(here, jumped):
            after = jumped | 1 << over
            if self.longest(to, after) == left - 1:
                for rest in self.sequences(to, after):
                    yield ((over, to), *rest)


def can_capture(board: str, seat: Seat) -> bool:
    """Has this player any capture?"""
    units, free = planes(board)
    own, enemy = units[seat], units[OTHER[seat]]
    # Any unit jumps what is adjacent, onto the square behind it, along a file or a rank.
    for step in (FILE, RANK):
        if enemy & ((own << step & free >> step) | (own >> step & free << step)):
            return True
    for flier in FLIERS_OF[seat]:
        if flier in board and any(leaps(board, flier, at) for at in places_of(board, flier)):
            return True
    return False


@lru_cache(maxsize=64)
def longest_hunts(board: str, seat: Seat) -> tuple[int, tuple[Hunt, ...]]:
    """How many units must be jumped, and the hunts of the units that can jump so many.

    Without a capture the number is 0 and there are no hunts.
    """
    if not can_capture(board, seat):
        return 0, ()
    own = OWN[seat]
    hunts = [
        Hunt(board, place)
        for place, unit in enumerate(board)
        if unit in own and leaps(board, unit, place)
    ]
    most = max(hunt.longest(hunt.start) for hunt in hunts)
    return most, tuple(hunt for hunt in hunts if hunt.longest(hunt.start) == most)


def example(board: str, seat: Seat) -> str:
    """A turn with one of the longest sequences, in notation, for a refusal to point at."""
    _, hunts = longest_hunts(board, seat)
    start = hunts[0].start
    jumps = tuple(next(hunts[0].sequences(start)))
    won = any(board[over] == JOURNEYMAN[OTHER[seat]] for over, _ in jumps)
    leave = leaves(board, seat, start, jumps[-1][1], won)[0]
    squares = "x".join(SQUARES[place] for place in (start, *(to for _, to in jumps)))
    return squares if leave is None else f"{squares}={leave}"


def victims(board: str, capture: Capture) -> list[int]:
    """The places of the units that a possible capture jumps, in order."""
    here = start = AT[capture.start]
    found = []
    for jump in capture.jumps:
        to = AT[jump.to]
        between = BETWEEN[here, to]
        found.append(next(p for p in between if p != start and board[p] != FREE))
        here = to
    return found


def judge_jump(
    board: str, seat: Seat, start: int, leap: tuple[int, int], jumped: Sequence[int]
) -> int | Refused:
    """The place of the unit that a leap jumps, or why it is not a jump.

    `leap` is from where to where, by the unit that began its turn on `start` and has jumped the
    units at the places `jumped`.
    """
    here, to = leap
    unit, name = board[start], name_of(board[start])
    jump = f"the jump from {SQUARES[here]} to {SQUARES[to]}"
    between = BETWEEN.get(leap)
    if between is None:
        return Refused(
            "agog.capture.straight",
            f"{jump} does not go along one column or row: jumps go straight, to another square",
        )
    if unit not in FLIERS and len(between) != 1:
        return Refused(
            "agog.capture.adjacent",
            f"{jump} is {len(between) + 1} squares long: a {name} jumps an adjacent unit and lands"
            " right behind it, two squares away",
            {"squares": len(between) + 1},
        )
    if board[to] != FREE and to != start:
        there = "a jumped unit, there until the end," if to in jumped else "a unit"
        return Refused(
            "agog.capture.landing",
            f"{there} stands on {SQUARES[to]}: a jump lands on a free square",
        )
    passed = [place for place in between if place != start and board[place] != FREE]
    return _refuse_passing(board, seat, jump, passed, jumped) or passed[0]


def _refuse_passing(
    board: str, seat: Seat, jump: str, passed: Sequence[int], jumped: Sequence[int]
) -> Refused | None:
    for place in passed:
        if board[place] in OWN[seat]:
            return Refused(
                "agog.capture.own",
                f"{jump} passes {seat.title()}'s own {name_of(board[place])} on {SQUARES[place]}:"
                " only enemy units can be jumped",
            )
    for place in passed:
        if place in jumped:
            return Refused(
                "agog.capture.once",
                f"{jump} passes {SQUARES[place]} again: the {name_of(board[place])} there was"
                " jumped already in this sequence, and no unit is jumped twice",
            )
    if not passed:
        return Refused(
            "agog.capture.nothing",
            f"{jump} passes no unit: a jump goes over one enemy unit",
        )
    if len(passed) > 1:
        squares = " and ".join(SQUARES[place] for place in passed)
        return Refused(
            "agog.capture.single",
            f"{jump} passes the units on {squares}: a jump goes over one unit only",
            {"units": len(passed)},
        )
    return None


def refuse_length(
    board: str, seat: Seat, course: tuple[int, int], jumped: Sequence[int]
) -> Refused | None:
    """Why a sequence of possible jumps must go on, or be another, or None.

    `course` is where it began and where it has come to.
    """
    most, _ = longest_hunts(board, seat)
    made = len(jumped)
    if made == most:
        return None
    start, here = course
    figures: Figures = {"jumps_made": made, "longest_possible": most}
    onward = Hunt(board, start).leaps(here, sum(1 << place for place in jumped))
    if onward:
        over, to = onward[0]
        return Refused(
            "agog.capture.continue",
            f"on {SQUARES[here]} the {name_of(board[start])} can jump on, as over {SQUARES[over]}"
            f" to {SQUARES[to]}: a sequence goes on while it can",
            figures,
        )
    return Refused(
        "agog.capture.maximal",
        f"{made} jumped, but {most} can be, as by {example(board, seat)}: the sequence that"
        " captures the most is compulsory",
        figures,
    )
