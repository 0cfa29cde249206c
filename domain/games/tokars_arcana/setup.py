"""The armies and their formation (Setting Up, Figure 1-1)."""

from typing import Final

from domain.games.tokars_arcana.board import COLUMNS
from domain.games.tokars_arcana.state import (
    SEATS,
    Board,
    Briefing,
    Model,
    Options,
    Ordering,
    Phase,
    Race,
    Rank,
    Seat,
    State,
    Toss,
    Unit,
)
from domain.kernel.rulings import Ruling

ARMIES: Final[dict[Race, dict[Rank, tuple[Unit, ...]]]] = {
    "human": {
        "soldier": ("I",) * 8,
        "sergeant": ("K", "K"),
        "lieutenant": ("W", "W"),
        "captain": ("P", "A"),
        "chief": ("D",),
        "general": ("B",),
    },
    "undead": {
        "soldier": ("S",) * 8,
        "sergeant": ("Z", "Z"),
        "lieutenant": ("M", "M"),
        "captain": ("T", "T"),
        "chief": ("X",),
        "general": ("N",),
    },
}
"""An army is a list of units by class, each from the owner's left to right (TA-R50)."""

FRONT_ROW: Final[tuple[Rank, ...]] = ("soldier",) * 8
REAR_ROW: Final[tuple[Rank, ...]] = (
    "lieutenant", "sergeant", "captain", "chief", "general", "captain", "sergeant", "lieutenant",
)  # fmt: skip
"""Figure 1-1, from the owner's left to right."""


def seats(options: Options) -> tuple[Seat, ...]:
    """South and North, whatever the options."""
    del options
    return SEATS


def start(options: Options) -> State:
    """The position in which the match begins."""
    board: Board = {}
    for seat in SEATS:
        board.update(_army(options, seat))
    turn: Seat | None = None if options.first == "random" else options.first
    phase: Phase = Ordering()
    if options.debriefing:
        phase = Briefing(SEATS)
    elif turn is None:
        phase = Toss()
    return State(options, board, {"south": "", "north": ""}, turn, phase)


def _army(options: Options, seat: Seat) -> Board:
    """The models of one seat in their formation."""
    race = options.south if seat == "south" else options.north
    left = {rank: list(units) for rank, units in ARMIES[race].items()}
    turned = seat == "north" and options.formation == "rotated"
    columns = COLUMNS[::-1] if turned else COLUMNS
    rows = (1, 2) if seat == "south" else (options.rows, options.rows - 1)
    return {
        f"{column}{row}": Model(seat, left[rank].pop(0))
        for row, ranks in zip(rows, (REAR_ROW, FRONT_ROW), strict=True)
        for column, rank in zip(columns, ranks, strict=True)
    }


def opening(options: Options) -> tuple[Ruling, ...]:
    """Why the starting position is what it is."""
    counts = {f"{rank}s": len(units) for rank, units in ARMIES[options.south].items()}
    armies = {"south": options.south, "north": options.north}
    rulings = [
        Ruling(("ta.setup.board",), {"columns": len(COLUMNS), "rows": options.rows}),
        Ruling(("ta.setup.army",), {**armies, **counts}),
        Ruling(
            ("ta.setup.formation",),
            {
                "formation": options.formation,
                "south_left": "a",
                "north_left": "h" if options.formation == "rotated" else "a",
            },
        ),
        Ruling(("ta.setup.first",), {"first": options.first}),
    ]
    if options.debriefing:
        rulings.append(Ruling(("ta.setup.debriefing",), {"to_say_ready": " ".join(SEATS)}))
    return tuple(rulings)
